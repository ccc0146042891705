"""Questions about "never" whose right answers are known, each asked of one encoder or proof, then of cvc5 alone.

`python -m mutants.nevers` prints how many went how, as JSON (`mutants.opinion.GUESSES`, or `right`). The right
answers come from plain recursion, and from trying all states of small systems; they count what is wrong, and never
tell the detector.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.encode import hunt
from tests.fixtures.efforts import effort
from tests.fixtures.local_highs import local_highs
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.smt_checker import in_state
from tests.terms.specs import Spec, domain, meaning, pools, specs, states, term
from tests.toys.small_systems import SmallSystem, gaining_system, goals, is_value, wild_systems
from vclogic.clock import Deadline
from vclogic.solve import strategy
from vclogic.solve.backends.claims import Claims, Contradicted, SecondOpinion
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Incumbent, Problem, Proof, prepare
from vclogic.solve.proofs.invariants import by_invariants
from vclogic.solve.proofs.race import by_all_steps
from vclogic.solve.proofs.unreachability import (
    by_closure,
    by_laws,
    by_one_step,
    by_positions,
    by_relaxation,
    contradictory,
)
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import and_, eq, ge, linear, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

_SECONDS = 20.0  # for one question
TERMS, WEIGHTS, GRAPHS, POOLS, SYSTEMS = 120, 40, 40, 40, 25
T = TypeVar("T")


class Told(NamedTuple):
    """A "never" that an answer tells.

    Attributes:
        claims: What the second opinion is asked.
        right: Whether it is right.
    """

    claims: Claims
    right: bool


Asked = Callable[[], Told | bool]
"""A question: the never that is told, or whether it is right that there is none."""
Prove = Callable[[Problem, Effort], Proof | None]


def main() -> int:
    """Ask all questions, and print how many went how."""
    told: Counter[str] = Counter()
    opinion = SecondOpinion(1e6)
    tempfile.tempdir = os.environ.get("TMPDIR")  # for the questions of contradictions
    for ask in (*of_terms(), *of_weights(), *of_graphs(), *of_positions(), *of_systems()):
        with local_sessions(_SECONDS), local_highs():
            told[became(ask, opinion)] += 1
    opinion.close()
    print(json.dumps(told))
    return 0


def became(ask: Asked, opinion: SecondOpinion) -> str:
    """What becomes of a question."""
    try:
        told = ask()
        if isinstance(told, bool):
            return "right" if told else "weaker"
    except Exception:  # a defect may raise anything, and then nothing is told
        return "weaker"
    try:
        by = opinion.on(told.claims, Deadline(_SECONDS))
    except Contradicted as error:
        with suppress(OSError):
            Path(str(error).rpartition(" ")[2]).unlink()
        return "right but contradicted" if told.right else "contradicted"
    return "right" if told.right else "agreed" if by else "not asked"


def drawn(strategy: st.SearchStrategy[T], number: int) -> list[T]:
    """So many examples, the same each time."""
    found: list[T] = []

    @settings(
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def take(example: T) -> None:
        found.append(example)

    take()
    return found


# ---- terms in a state


def of_terms() -> Iterator[Asked]:
    """Random terms with small and huge numbers: that they have their value in a state, and that they have not."""
    for seed in range(TERMS):
        yield from (partial(_of_term, seed, right) for right in (True, False))


def _of_term(seed: int, right: bool) -> Told | bool:
    random = Random(seed)
    some = hunt.pool(random)
    spec = hunt.expression(random, some, random.choice("BI"), 3)
    state, built = hunt.state(random, some), term(spec)
    value = meaning(spec, state)
    so = (built if value else not_(built)) if built.is_bool else eq(built, integer(value))
    claim = contradictory([in_state(state), not_(so) if right else so], effort(_SECONDS))
    return not right if claim is None else Told((claim,), right)


def of_weights() -> Iterator[Asked]:
    """Sums of Booleans with small and large weights of both signs: that they reach what they come to, and no more."""
    for seed in range(WEIGHTS):
        yield from (partial(_of_weights, seed, right) for right in (True, False))


def _of_weights(seed: int, right: bool) -> Told | bool:
    random = Random(seed)
    some = [var(f"counts {i}", BOOL) for i in range(random.randint(2, 6))]
    near = [random.choice((1, 2, 3, 2**30, 2**31, 2**32)) + random.randint(0, 2) for _ in some]
    weights = [random.choice((1, 1, -1)) * k for k in near]
    state = {t: random.randint(0, 1) for t in some}
    number = linear(zip(weights, some, strict=True))
    value = sum(k * x for k, x in zip(weights, state.values(), strict=True))
    claim = contradictory([in_state(state), ge(number, value + right)], effort(_SECONDS))
    return not right if claim is None else Told((claim,), right)


def of_graphs() -> Iterator[Asked]:
    """What is reached in random small graphs, where sources and ways are open or shut, and what is not."""
    for seed in range(GRAPHS):
        yield from (partial(_of_graph, seed, right) for right in (True, False))


def _of_graph(seed: int, right: bool) -> Told | bool:
    random = Random(seed)
    n = random.randint(2, 5)
    edges = [(a, b) for a in range(n) for b in range(n) if a != b and random.random() < 0.4]
    sources, ways = ([var(f"{kind}{i}", BOOL) for i in range(n)] for kind in ("source", "way"))
    on = {t: random.randint(0, 1) for t in (*sources, *ways)}
    found = {i for i, t in enumerate(sources) if on[t]}
    for _ in range(n):
        found |= {b for a, b in edges if a in found and on[ways[b]]}
    terms = reach(Graph(tuple(range(n)), tuple(edges)), dict(enumerate(sources)), dict(enumerate(ways)))
    node, other = random.randrange(n), random.randrange(n)
    so = and_(*((t if i in found else not_(t)) for i, t in terms.items() if i in (node, other)))
    claim = contradictory([in_state(on), not_(so) if right else so], effort(_SECONDS))
    return not right if claim is None else Told((claim,), right)


# ---- all positions, and one event


def of_positions() -> Iterator[Asked]:
    """Random goals and laws of positions."""
    drawn_ones = pools().flatmap(lambda pool: st.tuples(st.just(pool), *(specs(pool, "B", 3) for _ in range(3))))
    for pool, *some in drawn(drawn_ones, POOLS):
        never = not any(all(meaning(t, s) for t in some) for s in states(pool))
        yield from (partial(_of_position, prove, some, never) for prove in (by_one_step, by_positions, by_laws))


def _of_position(
    prove: Callable[[Term, Sequence[Term], Effort], Proof | None], some: Sequence[Spec], never: bool
) -> Told | bool:
    goal, *laws = map(term, some)
    proof = prove(goal, laws, effort(_SECONDS))
    if proof is None:
        return True  # none of them has to find it
    return Told(proof.claims, never)


# ---- small systems


def of_systems() -> Iterator[Asked]:
    """Random small systems: that a goal is out of reach, and what the cheapest way costs, by each proof alone."""
    pairs = wild_systems().flatmap(lambda system: st.tuples(st.just(system), goals(system)))
    rng = Random(5)
    gaining = [gaining_system(Random(seed)) for seed in range(SYSTEMS)]
    for system, goal in (*drawn(pairs, SYSTEMS), *((system, _goal(system, rng)) for system in gaining)):
        if term(goal) not in (TRUE, FALSE):
            yield from (partial(_never, prove, system, goal) for prove in PROOFS)
            yield from (partial(_cheapest, method, system, goal, limit) for method, limit in METHODS)


def _goal(system: SmallSystem, rng: Random) -> Spec:
    """Values of two fluents at once."""
    some = (system.fluents[i] for i in rng.sample(range(len(system.fluents)), 2))
    return ("and", *(is_value(v, rng.choice(domain(v)[1:])) for v in some))


def _never(prove: Prove, system: SmallSystem, goal: Spec) -> Told | bool:
    """A proof without a limit, which need not find one."""
    proof = prove(system.problem(term(goal)), effort(_SECONDS))
    if proof is None or not proof.rechecked:
        return True
    return Told(proof.claims, system.cheapest(goal) is None)


PROOFS: Sequence[Prove] = (
    lambda p, effort: by_closure(p.goal_at_end, p.transition, p.start, [], effort),
    by_relaxation,
    lambda p, effort: by_invariants(p.goal_at_end, p.transition, p.start, [], effort),
    lambda p, effort: by_all_steps(p.goal_at_end, p.transition, p.start, [], effort),
)
METHODS = ((strategy.step_by_step, 2), (strategy.step_by_step, 3), (strategy.by_landmark_cuts, None))


def _cheapest(method: strategy.Method, system: SmallSystem, goal: Spec, limit: int | None) -> Told | bool:
    """The cheapest plan, of at most so many steps, or that there is none."""
    whole = system.problem(term(goal))
    problem = prepare(
        whole.whole_step, whole.whole_start, whole.goal_at_end, tail=None, metric=whole.metric, within=limit
    )
    found = method(problem, replace(effort(_SECONDS), pause=float("inf")), Incumbent())
    best = system.cheapest(goal, limit)
    if found.exhausted:
        return Told(found.proof.claims if found.proof else found.claims, best is None)
    if found.cost is None or found.cost != found.lower_bound:
        return method is not strategy.step_by_step  # landmark cuts are not for all of them
    return Told(found.claims, best is not None and found.cost <= best)


if __name__ == "__main__":
    sys.exit(main())
