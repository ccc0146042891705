"""The board and the positions of a game as graphs of networkx, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from vclogic.board.graphs import event_graph, way_graph
from vclogic.choices import choice
from vclogic.clock import TIME_UP, Deadline, TimeUp, check_deadline, until
from vclogic.errors import Diagnostic, InputError
from vclogic.explore.arena import columns_of, weights_of
from vclogic.explore.endings import endings
from vclogic.explore.events import TooManyEvents
from vclogic.explore.expansion import Explored
from vclogic.explore.search import explore
from vclogic.model.fluents import State
from vclogic.model.step_text import step_text
from vclogic.model.system import System
from vclogic.query.question import Request
from vclogic.query.resolved_question import check_numbers

if TYPE_CHECKING:
    from vclogic.board.graphs import DiGraph, MultiDiGraph

Array = Any  # of numpy
MOST = 20_000
"""Positions of a graph, unless the user says otherwise: each takes some kilobytes with its events."""
_LARGEST = 1_000_000
_MEMORY = 200_000_000  # bytes of what is explored; the graph takes ten times as much


def board_graph(game: str, system: System, state: State) -> DiGraph[str]:
    """The board, with what its picture shows of each place; arguments and result as of `Game.graph`."""
    if not system.movement:
        message, help = (
            f"{game} has no ways on a board",
            "the game says nothing of them; in Python that is `System.movement`",
        )
        raise InputError(Diagnostic("not-for-this-game", message, help=help))
    return way_graph(system.movement, dict(_shown(system, state)))


def _shown(system: System, state: State) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The parts that the picture shows of each region, without what is empty."""
    if system.drawing is not None:
        for r in system.drawing.picture(system.layout.values(state), True).regions:
            shown = {"label": r.label, "kind": r.kind, "pos": r.at, "owner": r.owner, "ground": r.ground}
            yield r.name, {name: x for name, x in shown.items() if x not in (None, "")}


def position_graph(request: Request, most: int) -> MultiDiGraph[State]:
    """All positions that play can reach, and the events between them; arguments and result as of `Game.graph`."""
    check_numbers(timeout=request.timeout)
    if not 1 <= most <= _LARGEST:
        message = f"{most:,} positions: expected a whole number from 1 to {_LARGEST:,}"
        raise InputError(Diagnostic("out-of-range", message, choice("max_positions")))
    system = request.setup.system
    try:
        with until(Deadline(request.timeout, request.began)):
            stop = endings(system).final
            found = explore(system, [request.state], stop=stop, most=most, memory=_MEMORY)
            if found.complete and len(found.states) <= most:  # a search goes on to the end of a block
                return _positions(system, found)
            reason = found.reason or f"there are more than {most:,} positions"
    except TooManyEvents as error:
        reason = str(error)
    except TimeUp:
        reason = TIME_UP
    message = f"the positions of {request.setup.game} are too many for a graph: {reason}"
    help = "a smaller board, fewer rounds, a later moment, or more `max_positions` and `timeout`"
    raise InputError(Diagnostic("too-many", message, help=help))


def _positions(system: System, found: Explored) -> MultiDiGraph[State]:
    states: list[State] = [tuple(row) for row in found.states.tolist()]
    sides = tuple(system.sides)
    ends = endings(system)
    *won, over = columns_of((*ends.won, ends.over), system.layout, found.states)

    def nodes() -> Iterator[tuple[State, Mapping[str, Any]]]:
        for i, state in enumerate(states):
            who = int(found.mover[i])
            yield (
                state,
                {
                    "depth": int(found.depth[i]),
                    "mover": sides[who] if who >= 0 else None,
                    "won": tuple(s for s, has in zip(sides, won, strict=True) if has[i]),
                    "over": bool(over[i]),
                },
            )

    return event_graph(nodes(), _events(system, found, states))


def _events(system: System, found: Explored, states: list[State]) -> Iterator[tuple[State, State, Mapping[str, Any]]]:
    odds = _odds(system, found)
    for i, state in enumerate(states):
        check_deadline()
        values = system.layout.values(state)
        for k in range(int(found.first[i]), int(found.first[i + 1])):
            said = step_text(system.action_in(state, found.events[int(found.event[k])]), values)
            about = {"event": said.action, "args": dict(said.args), "actor": said.actor, "text": said.text}
            chance = {"odds": odds[k]} if k in odds else {}
            yield state, states[int(found.target[k])], {**about, **chance, "weight": 1}


def _odds(system: System, found: Explored) -> Mapping[int, int]:
    """The weight of each event that chance decides, by its number."""
    source: Array = np.repeat(np.arange(len(found.states)), np.diff(found.first))
    weights: dict[int, int] = {}
    for number, event in enumerate(found.events):
        odds = system.action(event).odds
        if odds is not None:
            at = np.flatnonzero(found.event == number)
            weights |= zip(at.tolist(), weights_of(system, odds, found.states[source[at]]).tolist(), strict=True)
    return weights
