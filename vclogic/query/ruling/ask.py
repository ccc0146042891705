"""Answer a question by the rules: the value, what decides it, and what would change it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from vclogic.files.record import Step
from vclogic.files.setup import Setup
from vclogic.model.fluents import Value
from vclogic.progress import Listener
from vclogic.query.ruling.answer import Ruled
from vclogic.query.ruling.asked import Asked
from vclogic.query.ruling.because import because
from vclogic.query.ruling.clauses import deciding_clauses
from vclogic.query.ruling.explained import explained
from vclogic.query.ruling.grounds import grounds
from vclogic.query.ruling.places import places
from vclogic.query.ruling.precedents import precedents
from vclogic.query.ruling.question import read_question
from vclogic.query.ruling.readings import other_readings
from vclogic.query.ruling.value import answer_of, in_words
from vclogic.query.trace import states_of


def ask(
    setup: Setup,
    record: Sequence[Step],
    question: str,
    *,
    not_judged: Sequence[str],
    explain: bool,
    all_readings: bool,
    timeout: float,
    progress: Listener,
) -> Ruled:
    """What the rules say about a question; see `Game.ask`.

    Args:
        setup: The rule set, the settings, the start.
        record: What has happened since the start.
        question: The question.
        not_judged: What the record was believed in.
        explain: Whether everything that the answer rests on is told.
        all_readings: Whether each value of each Reading is listed.
        timeout: Seconds.
        progress: Called with what is being done.

    Raises:
        InputError: The question is wrong.
    """
    began = time.monotonic()
    system = setup.system
    read = read_question(system, question)
    states = tuple(states_of(system, setup.initial, record))
    asked = Asked(setup, tuple(record), states, read)
    value: Value | None = answer_of(system, asked.state, read)
    found = grounds(asked, value)
    deciding = deciding_clauses(asked, found)
    rulings, more = precedents(setup, [c.clause for c in deciding.clauses])
    return Ruled(
        game=setup.game,
        question=read.text,
        kind=read.kind,
        value=value,
        text=in_words(read, value),
        because=because(asked, found, deciding.of_grounds),
        clauses=deciding.clauses,
        readings=other_readings(asked, all_readings, timeout - (time.monotonic() - began), progress),
        precedents=rulings,
        more_precedents=more,
        places=places(asked, found),
        side=None if read.outcome is None else read.outcome.side,
        lacks=read.outcome.lacks if read.outcome is not None and value is None else "",
        not_judged=_not_judged(asked, not_judged) if value is True else tuple(not_judged),
        assumptions=setup.chosen_in_words,
        explanations=explained(asked) if explain else (),
        elapsed_s=time.monotonic() - began,
    )


def _not_judged(asked: Asked, of_record: Sequence[str]) -> tuple[str, ...]:
    """What the record and an allowed event are believed in."""
    event = asked.question.event
    own = "" if event is None else asked.system.schemas[event.name].not_judged
    return tuple(dict.fromkeys((*of_record, *([own] if own else []))))
