"""Answer a question by the rules: the value, what decides it, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NamedTuple

from vclogic.clock import Deadline, TimeUp, until
from vclogic.files.registry import is_installed
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.setup import Setup
from vclogic.model.fluents import Value
from vclogic.model.memoized import Latest
from vclogic.model.system import Encoding, System
from vclogic.query.ask.answer import Addend, Because, DecidingClause, Fact, Precedent, Ruled
from vclogic.query.ask.clauses import deciding_clauses
from vclogic.query.ask.grounds import Ground, RulesTerms, grounds
from vclogic.query.ask.origins import Origins
from vclogic.query.ask.places import places
from vclogic.query.ask.readings import other_readings
from vclogic.query.ask.subject import PositionQuestion, answer_of, in_words, read_question
from vclogic.query.explain import (
    Working,
    explain_outcomes,
    explain_value,
    explained_requirements,
    of_the_board,
    working,
)
from vclogic.query.explanation import Explained
from vclogic.query.question import Request
from vclogic.query.status.progress import states_of
from vclogic.terms.sorts import IntSort

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
    states = tuple(states_of(system, setup.initial, record))
    read = read_question(system, question, states[-1])
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


def because(
    asked: PositionQuestion, grounds: Iterable[Ground], clauses: Iterable[tuple[str, ...]]
) -> tuple[Because, ...]:
    """The reasons of an answer for a reader.

    Args:
        asked: The question in its position.
        grounds: What the answer rests on.
        clauses: For each of these the clauses that decide it.
    """
    origins = Origins(asked.setup, asked.states)
    found = []
    for ground, cited in zip(grounds, clauses, strict=False):
        facts = tuple(_in_words(asked.system, origins.fact(f, ground.moment)) for f in ground.facts)
        event = None if ground.step is None else str(asked.record[ground.step - 1].event)
        reason = Because(ground.text, facts, cited, ground.step, event)
        found.append(_worked(asked, ground, origins, reason) if ground.answers else reason)
    return tuple(found)


def _worked(asked: PositionQuestion, ground: Ground, origins: Origins, reason: Because) -> Because:
    """A reason with what adds up to the number that it rests on, if there is one."""
    work = _working(asked, ground)
    if work is None:
        return reason
    parts = []
    for part in work.parts:
        facts = tuple(_in_words(asked.system, origins.fact(f, ground.moment)) for f in part.facts)
        parts.append(Addend(part.adds, part.text, facts))
    return replace(reason, addends=tuple(parts), total=work.total, need=work.need)


def _working(asked: PositionQuestion, ground: Ground) -> Working | None:
    question, system = asked.question, asked.system
    partial = question.partial
    if partial is None or partial.value.is_bool or not isinstance(partial.value.sort, IntSort):
        (piece, *more) = ground.pieces
        made = piece.made(RulesTerms.of(system, question))
        return None if more else working(system, asked.state, made)
    if partial.value.is_const:
        name, _, names = question.text.removesuffix(")").partition("(")
        observable = system.vocabulary.get(name)
        return None if observable is None else of_the_board(observable, names.split(", ") if names else ())
    return working(system, asked.state, partial.value)


def _in_words(system: System, fact: Fact) -> Fact:
    """A fact with what it says in the game's words."""
    said = system.in_words.said(fact.name, fact.value)
    return replace(fact, about=said.about, says=said.says)


def explained(asked: PositionQuestion) -> tuple[Explained, ...]:
    """Everything that the answer to a question rests on, met or not.

    Args:
        asked: The question in its position.

    Returns:
        Of an event its requirements, unmet ones first; of an outcome or expression one tree.
    """
    question, system, state = asked.question, asked.system, asked.state
    if question.event is not None:
        return explained_requirements(system, state, question.event)
    if question.outcome is not None:
        return explain_outcomes(system, state, [question.outcome])
    assert question.partial is not None
    return (explain_value(system, state, question.partial, question.text),)


_MOST = 8
_GAMES = 16
"""So many games' rulings a process keeps."""


class _GameRulings(NamedTuple):
    """The rulings of a game.

    Attributes:
        encoding: The game; another one of its name has other rulings.
        rulings: Name, clauses, file and line of each.
    """

    encoding: Encoding
    rulings: tuple[tuple[str, tuple[str, ...], str, int | None], ...]


_RULINGS: Latest[str, _GameRulings] = Latest(_GAMES)


def precedents(setup: Setup, deciding: Iterable[str]) -> tuple[tuple[Precedent, ...], int]:
    """The rulings that cite deciding clauses: those that share most first, of these those that cite least besides.

    Args:
        deciding: Ids of the clauses, the nearest to the question first.

    Returns:
        The first few, and how many more there are.

    Raises:
        InputError: A file of rulings has a wrong form.
    """
    near = {clause: i for i, clause in enumerate(deciding)}
    found = []
    for name, cites, file, line in _rulings(setup):
        shared = tuple(sorted((c for c in cites if c in near), key=near.__getitem__))
        if shared:
            found.append(Precedent(name, cites, shared, file, line))
    found.sort(key=lambda p: (-len(p.shared), len(p.cites), near[p.shared[0]]))
    return tuple(found[:_MOST]), max(0, len(found) - _MOST)


def _rulings(setup: Setup) -> tuple[tuple[str, tuple[str, ...], str, int | None], ...]:
    name = setup.request.name
    kept = _RULINGS.find(name)
    if kept is None or kept.encoding is not setup.encoding:
        cases = load_cases(name) if is_installed(name) else ()
        kept = _RULINGS.put(
            name, _GameRulings(setup.encoding, tuple((c.name, c.cites, c.file, c.line) for c in cases))
        )
    return kept.rulings
