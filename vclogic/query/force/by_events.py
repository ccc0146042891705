"""Forcing a goal where a turn may be several events: every position that play can reach is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vclogic.clock import TimeUp, until
from vclogic.explore.arena import TURN
from vclogic.explore.events import TooManyEvents
from vclogic.query.force.answer import Force
from vclogic.query.force.event_duel import within_turns
from vclogic.query.force.event_lines import EventCheck, EventLines
from vclogic.query.force.lines import UNFINISHED
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.forcing.search import SolverUndecided

BY_CHANCE = "what nobody decides, such as a die, counts as done by the others: what is forced comes whatever it is"
MANY = "there are more lines of play than are put into words"
_TELLING = 0.7  # of the time left once it is decided who wins


def by_events(resolved: ResolvedQuestion, answer: Force, *, few: bool = False) -> Iterator[Force]:
    """Ever better answers to whether a goal can be forced.

    Args:
        resolved: The question; its metric has single events and a `clock`.
        answer: The answer as long as nothing is known.
        goal: Bool, over fluents.
        few: Whether to give up soon where there are many positions, each turn being one event.

    Raises:
        SolverUndecided: There are too many positions, or events.
    """
    assert resolved.within is not None
    resolved.progress("looking at every position")
    try:
        duel = within_turns(resolved, few=few)
    except TooManyEvents as error:
        raise SolverUndecided(str(error)) from error
    turns, least = int(duel.far[0]) // TURN, int(duel.least[0]) // TURN
    if any(a.actor is None for a in map(resolved.system.action, duel.happening)):
        answer = replace(answer, assumptions=(*answer.assumptions, BY_CHANCE))
    if turns <= resolved.within:
        answer = replace(answer, status="forced", turns=turns, at_least=least)
    elif least > resolved.within:
        answer = replace(answer, status="refuted", at_least=resolved.within + 1)
    else:
        n = len(duel.explored.states)
        raise SolverUndecided(f"{duel.explored.reason}; {n:,} positions were looked at")
    yield answer
    if int(duel.far[0]) == 0:
        return
    lines = EventLines(duel, wins=turns <= resolved.within, turns=min(turns, resolved.within))
    try:
        with until(resolved.effort.deadline.part(_TELLING)):
            cases = lines.variations()
    except TimeUp:
        yield replace(answer, reason=UNFINISHED)
        return
    answer = replace(answer, reason=MANY if lines.partial else "")
    answer = replace(answer, strategy=cases) if lines.wins else replace(answer, refutation=cases)
    yield answer
    yield replace(answer, checked=EventCheck(duel, wins=lines.wins, turns=lines.turns).check(cases))
