"""Why an answer is what it is: the facts that decide it, back through the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic.model.system import System
from vclogic.query.ruling.answer import Because, Fact
from vclogic.query.ruling.asked import Asked
from vclogic.query.ruling.grounds import Ground
from vclogic.query.ruling.origins import Origins


def because(asked: Asked, grounds: Iterable[Ground], clauses: Iterable[tuple[str, ...]]) -> tuple[Because, ...]:
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
        found.append(Because(ground.text, facts, cited, ground.step, event))
    return tuple(found)


def _in_words(system: System, fact: Fact) -> Fact:
    """A fact with what it says in the game's words."""
    said = system.in_words.said(fact.name, fact.value)
    return replace(fact, about=said.about, says=said.says)
