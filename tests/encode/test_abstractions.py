"""What could at most happen: nothing that does happen lies outside."""

from __future__ import annotations

from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.terms.specs import KIND, literal, meaning, term
from tests.toys.small_systems import METRIC, SmallSystem, goals, small_systems, wild_systems
from vclogic.clock import Deadline
from vclogic.encode.abstractions import as_laws, closure
from vclogic.encode.linear.delete_free import delete_free
from vclogic.encode.linear.gains import Gains, relaxation
from vclogic.progress import silent, untold
from vclogic.solve.backends.session import Effort
from vclogic.solve.landmarks.search import cheapest
from vclogic.solve.proofs.unreachability import by_closure, by_positions, by_relaxation
from vclogic.solve.searches.delete_free_search import relaxed_task
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, ge, le
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


def effort(seconds: float = 5) -> Effort:
    return Effort(Deadline(seconds), silent)


def constants(system: SmallSystem, state: tuple[int, ...]) -> dict[Term, Term]:
    return {v: literal(KIND[v], x) for v, x in zip(system.fluents, state, strict=True)}


@examples(60)
@given(st.data())
def test_the_closure_holds_every_state_that_is_reached(data: st.DataObject) -> None:
    system = data.draw(st.one_of(wild_systems(), small_systems()))
    laws = as_laws(closure(system.transition, system.constants))
    event(f"laws: {bool(laws)}")
    for state in system.reachable():
        assert all(substitute(t, constants(system, state)) is TRUE for t in laws), (state, laws)


@examples(60)
@given(st.data())
def test_what_ever_happens_is_possible(data: st.DataObject) -> None:
    system = data.draw(st.one_of(wild_systems(), small_systems()))
    kept = Gains({m.taken: m.action for m in system.moves}, system.constants).possible
    event(f"some never happen: {len(kept) < len(system.moves)}")
    states = [system.values(s) for s in system.reachable()]
    assert all(m.taken in kept for m in system.moves if any(meaning(m.guard, s) for s in states))


def test_an_effect_that_follows_another_fluent_is_followed() -> None:
    # `f` copies `g` and is looked at before `g` can change: what `f` can be must grow later.
    from vclogic.model.actions import Action, Requirement

    f, g, h = (var(n, IntSort(0, 3)) for n in "fgh")

    def act(name: str, guard: Term, fluent: Term, value: Term) -> Action:
        return Action(name, (), None, (Requirement(guard, ""),), ((fluent, value),), name, {METRIC: 1})

    actions = [act("copy", TRUE, f, g), act("grow", TRUE, g, integer(2)), act("use", ge(f, 2), h, integer(1))]
    kept = Gains({var(a.key, TRUE.sort): a for a in actions}, dict.fromkeys((f, g, h), integer(0))).possible
    assert [a.name for a in kept.values()] == ["copy", "grow", "use"]


def test_a_number_that_only_grows_keeps_its_least_value() -> None:
    from vclogic.model.transition import Transition

    n = var("n", IntSort(1, 1000))
    transition = Transition((), (), {n: add(n, 1)}, integer(0), lambda chosen, values: [])
    bound = closure(transition, {n: integer(5)})[n]
    assert (bound.lo, bound.hi) == (5, 1000)


# ---- the relaxation


@examples(90)
@given(st.data())
def test_no_plan_is_cheaper_than_the_relaxation_says(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    truth = system.cheapest(goal)
    relaxed = relaxation({m.taken: m.action for m in system.moves}, system.constants, METRIC)
    found = cheapest(relaxed_task(system.problem(term(goal)).goal, relaxed), Deadline(10), untold)
    event(f"bound: {found.lower_bound}, truth: {truth}")
    if found.exhausted:
        assert truth is None
    assert truth is None or (found.lower_bound is not None and found.lower_bound <= truth)


# ---- proofs


@examples(72)
@given(st.data())
def test_a_proof_is_never_given_for_what_can_be_reached(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    truth = system.cheapest(goal)
    asked = term(goal)
    with local_sessions(10):
        proofs = [
            by_positions(asked, [], effort()),
            by_closure(asked, system.transition, system.constants, [], effort()),
            by_relaxation(system.problem(asked), effort()),
        ]
    for proof in proofs:
        event(f"{truth is not None}: {proof.method if proof else None}")
        assert proof is None or truth is None
        assert proof is None or proof.rechecked
    never_loses = delete_free({m.taken: m.action for m in system.moves}, system.constants, METRIC) is not None
    if never_loses and truth is None:
        assert proofs[2] is not None


@examples(48)
@given(st.data())
def test_invariants_are_used_as_given(data: st.DataObject) -> None:
    system = data.draw(small_systems())
    goal = data.draw(goals(system))
    every = [system.values(s) for s in system.reachable()]
    numbers = [f for f in system.fluents if KIND[f] == "I"]
    if not numbers:
        return
    v = data.draw(st.sampled_from(numbers))
    least, most = min(s[v] for s in every), max(s[v] for s in every)
    laws = [t for t in (ge(v, least), le(v, most)) if t is not TRUE]  # true of all that is reached
    with local_sessions(10):
        by_law = by_positions(term(goal), laws, effort())
        by_bound = by_closure(term(goal), system.transition, system.constants, laws, effort())
    truth = system.cheapest(goal)
    assert truth is None or (by_law is None and by_bound is None)


def test_a_wrong_invariant_does_not_make_a_proof() -> None:
    from vclogic.model.actions import Action
    from vclogic.model.transition import one_at_a_time

    n = var("n", IntSort(0, 3))
    grow = Action("grow", (), None, (), ((n, integer(2)),), "", {METRIC: 1})
    with local_sessions(10):
        proof = by_closure(ge(n, 2), one_at_a_time([grow], METRIC), {n: integer(0)}, [le(n, 1)], effort())
    assert proof is None or not proof.rechecked
    assert by_positions(FALSE, [], effort()) is not None
