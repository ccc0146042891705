"""The picture of a briefing: values of objectives, landmarks and denial sets, what to do next, and a threat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vclogic.model.fluents import State
from vclogic.model.picture import Arrow, Caption, Picture
from vclogic.model.system import System
from vclogic.query.objectives.answer import Objectives, Threat, WinningSet
from vclogic.query.objectives.legend import legend_of
from vclogic.query.objectives.notes import ObjectiveNotes
from vclogic.query.picture import picture


def briefing_picture(system: System, game: str, state: State, answer: Objectives) -> Picture:
    """The picture of a state with what an answer says of it.

    Args:
        game: What it is called.
        state: The state that was asked about.

    Raises:
        InputError: The game has no picture, or the answer is about another game.
    """
    told = ObjectiveNotes(system, answer)
    base = _with_next(system, game, state, answer)
    threat = told.threat
    if threat is not None:
        arrows, captions = _of_threat(system, game, state, *threat, told)
        base = replace(base, arrows=(*base.arrows, *arrows), captions=(*base.captions, *captions))
    base = replace(base, marks=tuple(told.marks({r.name for r in base.regions})))
    return replace(base, legend=tuple(legend_of(told, base)))


def _with_next(system: System, game: str, state: State, answer: Objectives) -> Picture:
    """The state with the first steps of the plan to follow, and the chances of their battles."""
    if answer.next is None:
        return picture(system, game, state)
    base = picture(system, game, state, answer.next.steps)
    battles = answer.next.plan.battles
    return picture(system, game, state, answer.next.steps, 1, battles) if battles and base.captions else base


def _of_threat(
    system: System, game: str, state: State, threat: Threat, way: WinningSet, told: ObjectiveNotes
) -> tuple[Iterable[Arrow], Iterable[Caption]]:
    """The moves of the cheapest plan of an enemy."""
    shown = picture(system, game, state, way.plan.steps)
    head = f"threat of the {threat.side} side, {told.cost(way.cost.cost or 0)}"
    if way.plan.battles is not None:
        head += f", {way.plan.battles.overall} that its battles go as planned"
    first = [f"{head}; {c.head}" if c.head else head for c in shown.captions[:1]]
    heads = [*first, *(c.head for c in shown.captions[1:])]
    captions = (replace(c, head=own, hollow=True) for c, own in zip(shown.captions, heads, strict=True))
    return (replace(a, hollow=True) for a in shown.arrows), captions
