"""Answer a question by the rules: the value, what decides it, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import repeat

from vclogic.clock import Deadline, TimeUp, until
from vclogic.model.fluents import Value
from vclogic.query.explained import Explained
from vclogic.query.question import Request
from vclogic.query.ruling.answer import Because, DecidingClause, Precedent, Ruled
from vclogic.query.ruling.because import because
from vclogic.query.ruling.clauses import deciding_clauses
from vclogic.query.ruling.explained import explained
from vclogic.query.ruling.grounds import grounds
from vclogic.query.ruling.places import places
from vclogic.query.ruling.position_question import PositionQuestion
from vclogic.query.ruling.precedents import precedents
from vclogic.query.ruling.question import read_question
from vclogic.query.ruling.readings import other_readings
from vclogic.query.ruling.value import answer_of, in_words
from vclogic.query.trace import states_of

_WHY = 2 / 3  # of the time for what the answer rests on; the rest is for other Readings
_LATE = "the time was up before {} could be told"


def ask(request: Request, question: str, *, explain: bool, all_readings: bool) -> Ruled:
    """Rule on a question; see `Game.ask`.

    Args:
        request: The position, and what has happened since the start.
        question: The question.
        explain: Whether everything that the answer rests on is told.
        all_readings: Whether each value of each Reading is listed.

    Raises:
        InputError: The question is wrong.
    """
    setup, record, deadline = request.setup, tuple(request.record), request.deadline
    system = setup.system
    not_judged = system.not_judged(frozenset(s.event.name for s in record))
    read = read_question(system, question)
    states = tuple(states_of(system, setup.initial, record))
    asked = PositionQuestion(setup, record, states, read)
    # The answer needs no solver and is always given; the reasons take a share of the time.
    value: Value | None = answer_of(system, asked.state, read)
    why = _why(asked, value, deadline.part(_WHY), explain=explain)
    return Ruled(
        game=setup.game,
        question=read.text,
        kind=read.kind,
        value=value,
        text=in_words(read, value),
        because=why.because,
        clauses=why.clauses,
        readings=other_readings(asked, all_readings, deadline, request.progress),
        precedents=why.precedents,
        more_precedents=why.more_precedents,
        places=why.places,
        side=None if read.outcome is None else read.outcome.side,
        lacks=read.outcome.lacks if read.outcome is not None and value is None else "",
        not_judged=_not_judged(asked, not_judged) if value is True else not_judged,
        assumptions=setup.chosen_in_words,
        explanations=why.explanations,
        elapsed_s=deadline.elapsed,
        reason=why.reason,
    )


@dataclass(frozen=True)
class _Why:
    """The reasons for an answer, as far as there was time; see `Ruled`."""

    because: tuple[Because, ...] = ()
    clauses: tuple[DecidingClause, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    more_precedents: int = 0
    places: tuple[str, ...] = ()
    explanations: tuple[Explained, ...] = ()
    reason: str = ""


def _why(asked: PositionQuestion, value: Value | None, deadline: Deadline, *, explain: bool) -> _Why:
    """Find the reasons for an answer; those not found by a deadline are left out, with a remark."""
    found = _Why(reason=_LATE.format("the facts that decide"))
    with suppress(TimeUp), until(deadline):
        ground = grounds(asked, value)
        found = _Why(because(asked, ground, repeat(())), reason=_LATE.format("the clauses that decide"))
        found = replace(found, places=places(asked, ground))
        deciding = deciding_clauses(asked, ground)
        reasons = because(asked, ground, deciding.of_grounds)
        clauses = _asked_whether(asked, deciding.clauses)
        found = replace(found, because=reasons, clauses=clauses, reason=_LATE.format("rulings like it"))
        rulings, more = precedents(asked.setup, [c.clause for c in deciding.clauses])
        found = replace(found, precedents=rulings, more_precedents=more, reason=_LATE.format("all that it rests on"))
        found = replace(found, explanations=explained(asked) if explain else (), reason="")
    return found


def _asked_whether(asked: PositionQuestion, clauses: Sequence[DecidingClause]) -> tuple[DecidingClause, ...]:
    """Clauses by what is asked of them, and not as if it were so: `whether the side controls the building`."""

    def texts() -> frozenset[str]:
        first = ((o, o.partial(*(d.sort.members[0] for d in o.parameters))) for o in asked.system.observables)
        return frozenset(o.text for o, partial in first if partial.value.is_bool)

    asking: frozenset[str] = asked.system.kept("yes or no", texts)
    return tuple(replace(c, says=tuple(f"whether {s}" if s in asking else s for s in c.says)) for c in clauses)


def _not_judged(asked: PositionQuestion, of_record: Sequence[str]) -> tuple[str, ...]:
    """The parts of the record and of an allowed event that are taken unchecked."""
    event = asked.question.event
    own = "" if event is None else asked.system.schemas[event.name].not_judged
    return tuple(dict.fromkeys((*of_record, *([own] if own else []))))
