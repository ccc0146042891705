"""All positions that play can reach, where there are few: the fewest events to a goal, or the proof that none do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vclogic.clock import OFTEN, TimeUp, check_deadline, until
from vclogic.encode.python.codegen import ReturnForm
from vclogic.encode.python.evaluator import compile_term, compiled_later
from vclogic.model.fluents import State
from vclogic.model.transition import actions_of
from vclogic.shortage import libraries_missing
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, Proof, ProofMethod, SearchResult
from vclogic.terms.atoms import TRUE, number
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.explore.events import FluentOrder, Possible
    from vclogic.explore.search import Shortest

METHOD = "exhaustive search"
MOST_EVENTS = 3_000  # that are looked at one by one
_GLANCE = 200_000  # positions that are looked at in any case,
_LOOKS = 100_000_000  # or so many as that times the events, which takes two or three seconds
_POSITIONS = 30_000_000  # that are looked at if there cannot be more
_MEMORY = 1_500_000_000  # bytes
_TWICE = 2_000_000  # positions times the events, of which each nearer one is looked at once more

Array = Any
"""A NumPy array."""


def cheapest_plan(problem: Problem, effort: Effort) -> SearchResult | None:
    """The cheapest plan of single actions of one cost; None where there are too many positions, or costs differ."""
    if libraries_missing():
        return None
    actions = actions_of(problem.transition)
    costs = {a.costs.get(problem.metric, 0) for a in actions.values()}
    counted = problem.within is None or problem.transition.counts is TRUE
    if not 0 < len(actions) <= MOST_EVENTS or len(costs) > 1 or min(costs) < 1 or not counted:
        return None
    from vclogic.explore.events import Some, of_action

    facts = Some(tuple(problem.start))
    start = tuple(number(f.sort, constant.value) for f, constant in problem.start.items())
    events = [of_action(a, facts) for a in actions.values()]
    found = look_at_all(facts, start, problem.goal, events, effort, problem.within)
    if found is None:
        return None
    if found.record is None:
        proof = positions_proof(facts, start, problem.goal, events, found, effort)
        return SearchResult(exhausted=True, bound_by=METHOD, proof=proof, depth=problem.within)
    cost = len(found.record) * costs.pop()
    taken = {a.key: choice for choice, a in actions.items()}
    steps = [{taken[str(event)]: 1} for event in found.record]
    rechecked = confirmed(facts, start, problem.goal, events, found, effort)
    return SearchResult(steps, cost, cost, bound_by=METHOD, rechecked=rechecked)


def look_at_all(
    facts: FluentOrder, start: State, goal: Term, events: Sequence[Possible], effort: Effort, within: int | None
) -> Shortest | None:
    """The shortest record, or all positions, or all within a number of events; None if there are too many of them.

    Args:
        start: The state to start from.
        goal: Bool, over fluents.
        events: The events that may happen.
        within: The largest number of events; None: any.
    """
    from vclogic.explore.events import as_started
    from vclogic.explore.search import shortest, size_of

    glance = effort.deadline.part(budgets.GLANCE_AT_POSITIONS_SHARE, budgets.GLANCE_AT_POSITIONS)
    if len(events) * budgets.ONE_EVENT > glance.left:
        return None
    effort.progress("looking at all positions")
    try:
        with until(glance):
            here = as_started(facts, [start], events)
            most = min(_GLANCE, _LOOKS // max(len(here), 1))
            found = shortest(facts, start, goal, here, most=most, memory=_MEMORY, within=within)
            if found.decided:
                return found
            few = size_of(facts, start, here) <= _POSITIONS
    except TimeUp:
        return None
    # So few positions are all looked at, however long the glance would have taken.
    if few:
        with until(effort.deadline.part(budgets.POSITIONS_SHARE)):
            found = shortest(facts, start, goal, here, most=_POSITIONS, memory=_MEMORY, within=within)
    return found if found.decided else None


def positions_proof(
    facts: FluentOrder, start: State, goal: Term, events: Sequence[Possible], found: Shortest, effort: Effort
) -> Proof | None:
    """The proof by a set of positions that is exhausted; None if it is not.

    Each position is looked at once more by itself, in the time that there is for that.
    """
    if found.states is None:
        return None
    effort.progress("looking at each position once more")
    rechecked = False
    try:
        with until(effort.deadline.part(budgets.POSITIONS_SHARE, budgets.RECHECKED_POSITIONS)):
            rechecked = closed(facts, start, found.states, events, goal)
            if not rechecked:
                raise AssertionError("an event leads out of all positions that play can reach")
    except TimeUp:
        pass
    return Proof(ProofMethod.EXHAUSTIVE, positions=found.positions, rechecked=rechecked)


def confirmed(
    facts: FluentOrder, start: State, goal: Term, events: Sequence[Possible], found: Shortest, effort: Effort
) -> bool:
    """True if a second look at each nearer position shows that no record of fewer events leads to a goal.

    So many positions at most are looked at that it takes about a second.
    """
    if found.nearer is None or not found.record or len(found.nearer[0]) * len(events) > _TWICE:
        return False
    states, depth = found.nearer
    try:
        with until(effort.deadline.part(budgets.POSITIONS_SHARE, budgets.RECHECKED_POSITIONS)):
            whole = int(depth.max()) == len(found.record) - 1
            if not (whole and closed(facts, start, states, events, goal, depth)):
                raise AssertionError("fewer events lead to the goal than were found")
    except TimeUp:
        return False
    return True


def closed(
    facts: FluentOrder,
    start: State,
    states: Array,
    events: Sequence[Possible],
    goal: Term,
    depth: Array | None = None,
) -> bool:
    """True if a set of positions holds the start, no event leads out of it, and a goal holds nowhere in it.

    They are looked at one by one in Python, without the arrays and keys that found them.

    Args:
        states: The set, a row for each position.
        goal: Bool, over fluents.
        depth: Of a set that need only be closed but for its deepest positions: by how many events each is reached at
            most. No event may then lead to a position by more than it says; so the set holds all that fewer events
            than one more than the deepest lead to.

    Raises:
        TimeUp: The deadline has passed.
    """
    rows = list(map(tuple, states.tolist()))
    known = dict(zip(rows, depth.tolist() if depth is not None else [0] * len(rows), strict=True))
    deepest = max(known.values(), default=0) if depth is not None else 1
    one = 1 if depth is not None else 0
    if known.get(start) != 0:
        return False
    holds = compile_term(goal, facts.slot)
    guards = compiled_later([p.guard for p in events], facts.slot, ReturnForm.RAW)
    places = [[facts.slot[fluent] for fluent, _ in p.effects] for p in events]
    effects = [compiled_later([new for _, new in p.effects], facts.slot, ReturnForm.RAW) for p in events]
    for seen, state in enumerate(known):
        if not seen & OFTEN:
            check_deadline()
        if holds(state):
            return False
        far = known[state]
        for event, happens in enumerate(guards(state) if far < deepest else ()):
            if happens:
                after = list(state)
                for slot, x in zip(places[event], effects[event](state), strict=True):
                    after[slot] = int(x)
                if known.get(tuple(after), deepest + 1) > far + one:
                    return False
    return True
