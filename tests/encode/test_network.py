"""Networks of gates against plain evaluation: what terms come to, closures, the costs of ways, and loops."""

from __future__ import annotations

import math
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import KIND, VARS, Spec, cases, domain, literal, meaning
from tests.terms.specs import term as term_of
from tests.toys.gain_only import Fact, gaining, need, term, true
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.gains import Gains
from vclogic.encode.linear.network import OFF, ON, Network, flags, founded, loop, ways
from vclogic.model.actions import Action
from vclogic.terms.atoms import TRUE, boolean, integer, var
from vclogic.terms.build import add, floordiv, ge, ite, linear, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

SEEDS = st.randoms(use_true_random=True)


def giving(values: list[tuple[Term, int]]) -> dict[Term, Action]:
    """An action without needs for each fluent and value."""
    actions = [Action(f"{v.name}={x}", (), None, (), ((v, literal(KIND[v], x)),), "", {"n": 1}) for v, x in values]
    return {var(a.key, BOOL): a for a in actions}


def on_with(gains: Gains, node: int, made: set[int]) -> bool:
    return node in founded(gains.network, flags(gains.network, made))


# ---- terms


@examples(250)
@given(cases("B", 4), SEEDS)
def test_a_term_is_on_once_some_values_that_were_gained_make_it_true(
    case: tuple[tuple[Term, ...], Spec], rng: Random
) -> None:
    """Never off where a choice of values that were had makes it true; on for atoms only where one does."""
    pool, spec = case
    start = {v: rng.choice(domain(v)) for v in pool}
    wins = [(v, x) for v in pool for x in domain(v) if x != start[v]]
    gains = Gains(giving(wins), {v: literal(KIND[v], x) for v, x in start.items()})
    node = gains.node(term_of(spec))
    first = gains.network.choices.start
    for _ in range(6):
        made = [i for i in range(len(wins)) if rng.random() < 0.4]
        had = {v: [start[v], *(wins[i][1] for i in made if wins[i][0] is v)] for v in pool}
        possible = any(meaning(spec, dict(zip(pool, xs, strict=True))) for xs in product(*had.values()))
        found = on_with(gains, node, {i + first for i in made})
        event(f"possible: {possible}, on: {found}")
        assert found or not possible
        if len(had) == sum(map(len, had.values())):  # nothing but one value of each: plain evaluation
            assert found is bool(possible)


@examples(150)
@given(SEEDS)
def test_a_term_that_gains_only_help_is_what_it_evaluates_to(rng: Random) -> None:
    """Conjunctions, sums that are divided, graphs: with the highest values had, on exactly where true."""
    system = gaining(rng)
    gains = Gains(system.actions, system.constants)
    network = gains.network
    fact: Fact = need(rng, 3, {"n0": max(g.gives.get("n0", 1) for g in system.gains)})
    node = gains.node(term(fact))
    owned = any(len({g.gives[f] for g in system.gains if f in g.gives}) > 1 for f in ("o0", "o1"))
    for _ in range(6):
        made = {c for c in network.choices if rng.random() < 0.5}
        order = [n for n in founded(network, flags(network, made)) if n in network.choices]
        at = dict(system.start)
        for c in order:
            at |= system.gains[c - network.choices.start].gives
        if not owned:
            assert on_with(gains, node, made) is true(fact, at)


def test_a_number_of_several_levels() -> None:
    n = var("n", IntSort(-5, 9))
    values = [3, -2, 7, 5]
    actions = {var(f"a{x}", BOOL): Action(f"a{x}", (), None, (), ((n, integer(x)),), "", {}) for x in values}
    gains = Gains(actions, {n: integer(1)})
    first = gains.network.choices.start
    for made in product((0, 1), repeat=4):
        had = [1, *(x for x, taken in zip(values, made, strict=True) if taken)]
        nodes = {first + i for i, taken in enumerate(made) if taken}
        for k in range(-5, 10):
            assert on_with(gains, gains.node(ge(n, k)), nodes) is (max(had) >= k)
            assert on_with(gains, gains.node(not_(ge(n, k))), nodes) is (min(had) < k)
            twice = linear([(2, n), (-3, ge(n, 4))])
            apart = max(2 * x - 3 * (y >= 4) for x in had for y in had) >= k
            assert on_with(gains, gains.node(ge(twice, k)), nodes) is apart


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("up", [True, False])
def test_a_number_that_is_divided(k: int, up: bool) -> None:
    """Rounded down, below 0 too; a sum of such numbers with a weight below 0."""
    n = var("n", IntSort(-7, 7))
    for x in range(-7, 8):
        actions = {var("a", BOOL): Action("a", (), None, (), ((n, integer(x)),), "", {})}
        gains = Gains(actions, {n: integer(0)})
        found = set(gains.network.choices)
        for least in range(-4, 5):
            asked = ge(floordiv(n, k), least)
            values = {0, x // k}
            some = any((value >= least) is up for value in values)
            assert on_with(gains, gains.node(asked if up else not_(asked)), found) is some
            twice = ge(linear([(-2, floordiv(n, k))]), least)
            some = any((-2 * value >= least) is up for value in values)
            assert on_with(gains, gains.node(twice if up else not_(twice)), found) is some


@examples(120)
@given(SEEDS)
def test_a_place_is_reached_or_cut_off(rng: Random) -> None:
    """Random graphs with circles: what is reached once some flags are set, and what is not while others are not."""
    places = rng.randint(1, 5)
    some = [var(f"s{i}", BOOL) for i in range(4)]
    edges = tuple((a, b) for a in range(places) for b in range(places) if rng.random() < 0.5)
    graph = Graph(tuple(range(places)), edges)

    def fact() -> tuple[Term, int, bool]:
        i, positive = rng.randrange(4), rng.random() < 0.7
        return (some[i] if positive else not_(some[i])), i, positive

    sources, free = ({i: fact() for i in range(places) if rng.random() < 0.6} for _ in range(2))
    found = reach(graph, {i: t for i, (t, _, _) in sources.items()}, {i: t for i, (t, _, _) in free.items()})
    begins = [rng.random() < 0.3 for _ in some]
    actions = {
        var(f"a{i}", BOOL): Action(f"a{i}", (), None, (), ((v, boolean(not b)),), "", {})
        for i, (v, b) in enumerate(zip(some, begins, strict=True))
    }
    gains = Gains(actions, {v: boolean(b) for v, b in zip(some, begins, strict=True)})
    first = gains.network.choices.start
    for made in product((0, 1), repeat=4):
        had = [[b, not b] if taken else [b] for b, taken in zip(begins, made, strict=True)]
        nodes = {first + i for i, taken in enumerate(made) if taken}
        true_, false_ = (_reached(places, edges, sources, free, had, best) for best in (True, False))
        for place in range(places):
            assert on_with(gains, gains.node(found[place]), nodes) is (place in true_)
            assert on_with(gains, gains.node(not_(found[place])), nodes) is (place not in false_)


def _reached(places: int, edges: tuple[tuple[int, int], ...], sources, free, had, best: bool) -> set[int]:  # type: ignore[no-untyped-def]
    """What is reached where every fact is as good, or as bad, as its flag allows."""

    def holds(facts, i: int) -> bool:  # type: ignore[no-untyped-def]
        if i not in facts:
            return False
        _, flag, positive = facts[i]
        values = [value is positive for value in had[flag]]
        return any(values) if best else all(values)

    on = {i for i in range(places) if holds(sources, i)}
    for _ in range(places):
        on |= {b for a, b in edges if a in on and holds(free, b)}
    return on


def test_a_graph_that_is_too_large_to_be_cut_off_is_refused() -> None:
    places = tuple(range(150))
    flag = var("flag", BOOL)
    graph = Graph(places, tuple((a, a + 1) for a in places[:-1]))
    end = reach(graph, {0: flag}, dict.fromkeys(places, flag))[149]
    actions = {var("a", BOOL): Action("a", (), None, (), ((flag, TRUE),), "", {})}
    gains = Gains(actions, {flag: boolean(False)})
    assert on_with(gains, gains.node(end), {2})
    assert not on_with(gains, gains.node(end), set())
    with pytest.raises(Unsupported):
        gains.node(not_(end))


def test_gates_that_are_decided_are_none() -> None:
    network = Network(3)
    a, b, c = network.choices
    assert network.gate(0, []) == ON
    assert network.gate(2, [(a, 1)]) == OFF
    assert network.gate(2, [(ON, 2), (a, 1)]) == ON
    assert network.gate(3, [(ON, 1), (a, 1), (OFF, 5)]) == OFF
    assert network.gate(2, [(a, 1), (a, 1)]) == a
    assert network.gate(2, [(a, 5), (b, 5)]) == network.gate(2, [(b, 2), (a, 9)])
    assert network.gate(2, [(a, 1), (b, 1), (c, 1)]) == network.gate(2, [(c, 1), (b, 1), (a, 1)])
    assert network.all_of([a, a]) == a
    assert network.all_of([]) == ON
    assert network.any_of([]) == OFF


# ---- closures, ways and loops of random networks


def random_network(rng: Random) -> Network:
    """A few choices, and gates over them and over each other, some in circles."""
    network = Network(rng.randint(2, 6))
    opened = [network.open_gate() for _ in range(rng.randint(0, 2))]
    nodes = [*network.choices, *opened]
    for _ in range(rng.randint(1, 6)):
        inputs = [(rng.choice(nodes), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        nodes.append(network.gate(rng.randint(1, 5), inputs))
    for gate in opened:
        network.close(gate, rng.sample(nodes, min(len(nodes), rng.randint(0, 3))))
    for c in network.choices:
        network.condition[c] = ON if rng.random() < 0.3 else rng.choice(nodes)
    return network


def on_one_by_one(network: Network, allowed: set[int]) -> set[int]:
    """The closure, round by round."""
    on = {ON}
    while True:
        gates = range(network.choices.stop, network.size)
        more = {g for g in gates if sum(w for n, w in network.inputs[g] if n in on) >= network.need[g]}
        more |= {c for c in network.choices if c in allowed and network.condition[c] in on}
        if more <= on:
            return on
        on |= more


@examples(150)
@given(SEEDS)
def test_a_closure_holds_what_comes_on_in_an_order_in_which_it_does(rng: Random) -> None:
    network = random_network(rng)
    for _ in range(4):
        allowed = {c for c in network.choices if rng.random() < 0.7}
        found = list(founded(network, flags(network, allowed)))
        assert set(found) == on_one_by_one(network, allowed)
        assert found[0] == ON
        for i, node in enumerate(found[1:], 1):
            before = set(found[:i])
            if node in network.choices:
                assert network.condition[node] in before
            else:
                assert sum(w for n, w in network.inputs[node] if n in before) >= network.need[node]


@examples(150)
@given(SEEDS)
def test_the_dearest_input_is_never_more_than_the_true_cost(rng: Random) -> None:
    network = random_network(rng)
    prices = [rng.choice((0, 1, 1, 2, 5)) if n in network.choices else 0 for n in range(network.size)]
    allowed = {c for c in network.choices if rng.random() < 0.9}
    least = [math.inf] * network.size
    for bits in product((0, 1), repeat=len(network.choices)):
        chosen = {c for c, taken in zip(network.choices, bits, strict=True) if taken and c in allowed}
        for node in on_one_by_one(network, chosen):
            least[node] = min(least[node], sum(prices[c] for c in chosen))
    most = ways(network, prices, flags(network, allowed), add_up=False)
    total = ways(network, prices, flags(network, allowed), add_up=True)
    on = on_one_by_one(network, set(allowed))
    for node in range(network.size):
        assert most.cost[node] <= least[node] <= total.cost[node]
        assert (node in on) is (most.cost[node] < math.inf) is (total.cost[node] < math.inf)
        for found in (most, total):
            if node in on:  # what a way makes use of leads there
                way = found.to(node)
                assert node in on_one_by_one(network, {c for c in way if c in network.choices} & allowed)


@examples(150)
@given(SEEDS)
def test_whoever_makes_a_choice_of_a_set_makes_one_of_its_loop_first(rng: Random) -> None:
    network = random_network(rng)
    inside = {c for c in network.choices if rng.random() < 0.6}
    never = {c for c in inside if rng.random() < 0.2}
    found = loop(network, flags(network, inside | {OFF}), sorted(inside - never))
    outside = set(network.choices) - inside
    everything = _all_on(network, outside)
    assert set(found) == {c for c in inside - never if network.condition[c] in everything}
    for order in permutations(network.choices):
        made: list[int] = []
        for c in order:
            if c not in never and network.condition[c] in on_one_by_one(network, set(made)):
                made.append(c)
        first = next((c for c in made if c in inside), None)
        assert first is None or first in found


def _all_on(network: Network, made: set[int]) -> set[int]:
    """The nodes that are on once some choices are made, whatever these need."""
    on = {ON, *made}
    while True:
        gates = range(network.choices.stop, network.size)
        more = {g for g in gates if sum(w for n, w in network.inputs[g] if n in on) >= network.need[g]}
        if more <= on:
            return on
        on |= more


def test_a_bound_of_deep_numbers_that_share_their_parts_is_made_once() -> None:
    flag, number = VARS["B"][0], VARS["I"][1]
    start = {flag: boolean(False), number: integer(0)}
    gains = Gains(giving([(flag, 1), (number, 2)]), start)
    for _ in range(2_000):
        number = ite(flag, floordiv(add(number, 1), 2), number)
    assert on_with(gains, gains.node(ge(number, 1)), {3})
    assert not on_with(gains, gains.node(ge(number, 1)), set())
