"""Cuts that a solution breaks: every one holds in all plans, and a solution made of a plan breaks none."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.toys.gain_only import Gaining, gaining
from vclogic.encode.linear.gains import Gains
from vclogic.encode.linear.network import ON, Flags, Network, flags, founded
from vclogic.solve.landmarks.separation import TOLERANCE, DisjunctiveLandmark, Separation, holds

SEEDS = st.randoms(use_true_random=True)


def network_of(system: Gaining) -> Network:
    return Gains(system.actions, system.constants).network


def possible(network: Network) -> Flags:
    return flags(network, (c for c in founded(network, flags(network, network.choices)) if c in network.choices))


def closed(network: Network, chosen: set[int]) -> set[int]:
    """The choices of a set that can be made one after the other, by trying the terms' network node by node."""
    on: set[int] = {ON}
    while True:
        more = {c for c in chosen if network.condition[c] in on}
        for gate in range(network.choices.stop, network.size):
            if sum(weight for node, weight in network.inputs[gate] if node in on) >= network.need[gate]:
                more.add(gate)
        if more <= on:
            return {c for c in on if c in network.choices}
        on |= more


def plans(network: Network) -> list[set[int]]:
    """All sets of choices that can be made in some order."""
    every = [
        {c for c, taken in zip(network.choices, bits, strict=True) if taken}
        for bits in product((0, 1), repeat=len(network.choices))
    ]
    return [chosen for chosen in every if closed(network, chosen) == chosen]


def kept(landmark: DisjunctiveLandmark, plan: set[int]) -> bool:
    return landmark.target not in plan or bool(landmark.before & plan)


@examples(120)
@given(SEEDS)
def test_every_cut_holds_in_all_plans_and_is_broken(rng: Random) -> None:
    system = gaining(rng)
    network = network_of(system)
    allowed = possible(network)
    whole = rng.random() < 0.5
    made = [0.0] * network.size
    for c in network.choices:
        made[c] = float(rng.random() < 0.6) if whole else rng.choice((0.0, 0.2, 0.5, 0.7, 1.0)) * allowed[c]
    targets = [c for c in network.choices if allowed[c]]
    found = Separation(network, allowed).cuts(made, targets)
    event(f"cuts: {len(found)}")
    every = plans(network)
    for landmark in found:
        assert sum(made[c] for c in landmark.before) <= made[landmark.target] - TOLERANCE
        assert all(kept(landmark, plan) for plan in every)
        assert holds(network, allowed, landmark)
    if whole:  # where nothing is in between, a target that is not founded breaks a cut
        chosen = {c for c in network.choices if made[c]}
        unfounded = [c for c in targets if c in chosen and c not in closed(network, chosen)]
        assert {c.target for c in found} == set(unfounded)


@examples(60)
@given(SEEDS)
def test_a_plan_breaks_none(rng: Random) -> None:
    system = gaining(rng)
    network = network_of(system)
    allowed = possible(network)
    separation = Separation(network, allowed)
    for plan in rng.sample(every := plans(network), min(len(every), 8)):
        made = [float(n in plan) for n in range(network.size)]
        assert separation.cuts(made, list(plan)) == []


@examples(60)
@given(SEEDS)
def test_a_mixture_of_plans_breaks_none(rng: Random) -> None:
    """What holds in all plans holds for what is between them."""
    system = gaining(rng)
    network = network_of(system)
    every = plans(network)
    some = [rng.choice(every) for _ in range(4)]
    made = [sum(n in plan for plan in some) / 4 for n in range(network.size)]
    allowed = possible(network)
    assert Separation(network, allowed).cuts(made, [c for c in network.choices if allowed[c]]) == []


@examples(80)
@given(SEEDS)
def test_what_is_no_landmark_is_refused(rng: Random) -> None:
    system = gaining(rng)
    network = network_of(system)
    every, allowed = plans(network), possible(network)
    targets = [c for c in network.choices if allowed[c]]
    assume(targets)
    for _ in range(5):
        target = rng.choice(targets)
        others = [c for c in network.choices if c != target]
        landmark = DisjunctiveLandmark(
            target, frozenset(rng.sample(others, rng.randint(0, len(others)))), frozenset()
        )
        so = all(kept(landmark, plan) for plan in every)
        event(f"holds: {so}")
        assert holds(network, allowed, landmark) is so


def test_a_cut_is_told_once() -> None:
    system = next(s for s in map(gaining, map(Random, range(100))) if _asks_for_much(s))
    network = network_of(system)
    allowed, separation = possible(network), Separation(network, possible(network))
    targets = [c for c in network.choices if allowed[c]]
    last = max(targets, key=lambda c: network.condition[c] != ON)
    made = [float(n == last) for n in range(network.size)]
    first = separation.cuts(made, targets)
    assert first
    assert separation.cuts(made, targets) == []
    assert [replace(c) for c in Separation(network, allowed).cuts(made, targets)] == first


def _asks_for_much(system: Gaining) -> bool:
    network = network_of(system)
    allowed = possible(network)
    return any(allowed[c] and network.condition[c] != ON for c in network.choices)
