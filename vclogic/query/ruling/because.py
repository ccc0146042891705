"""Why an answer is what it is: the facts that decide it, back through the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic.model.system import System
from vclogic.query.ruling.answer import Addend, Because, Fact
from vclogic.query.ruling.grounds import Ground, RulesTerms
from vclogic.query.ruling.origins import Origins
from vclogic.query.ruling.position_question import PositionQuestion
from vclogic.query.ruling.working import Working, of_the_board, working
from vclogic.terms.sorts import IntSort


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
