"""A game as a graph: who moves in each position, where each event leads, and what is decided.

Where the rules do not say which of several events happens, such as forced events without odds, or events of both
sides, *the situation* chooses, and whatever is claimed has to hold whichever it chooses. A position in which both
sides may act becomes a choice of the situation among further nodes: one for each side with its events, one for the
forced events. Where all forced events of a position have odds (`Action.odds`), chance decides among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vclogic.clock import check_deadline
from vclogic.encode.python.batch import batch_function
from vclogic.explore.endings import Endings
from vclogic.explore.expansion import SEVERAL, STUCK, UNSEEN, Explored
from vclogic.model.actions import Action
from vclogic.model.fluents import Layout
from vclogic.model.system import System
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Array = Any  # of numpy
SIDES = 2
SITUATION, FINAL, CHANCE = 2, 3, 4  # owners of nodes beside the sides 0 and 1
OPEN, FIRST, SECOND, DRAW, ENDLESS, ODDS = range(6)
"""Values of positions: not known; the first or second side wins; a draw; play without end; it depends on chance."""
TURN = 1 << 32  # lengths of play are numbers: so many for a turn, and 1 for an event
LENGTHS = np.array([0, 1, TURN + 1])  # of no event, of one, and of one that ends a turn


@dataclass(frozen=True)
class Arena:
    """A game as a graph; nodes 0 to `positions` - 1 are positions, the others belong to one of them.

    Attributes:
        positions: How many nodes are positions.
        owner: For each node who chooses: side 0 or 1, `SITUATION`, `CHANCE`, or `FINAL`: its value is decided.
        result: For each node that is `FINAL` its value; else 0.
        first: The edges of node i are `first[i]` to `first[i + 1]`.
        source: For each edge the node that it leaves.
        target: For each edge the node that it leads to.
        length: For each edge which of `LENGTHS` it has.
        origin: For each edge its number in `Explored`; -1: it is no event.
        weight: For each edge of a node that is `CHANCE` its weight; else 0.
        layers: Where every edge leads from one layer of nodes to the next: the first node of each layer, and the
            number of nodes; else None.
    """

    positions: int
    owner: Array
    result: Array
    first: Array
    source: Array
    target: Array
    length: Array
    origin: Array
    weight: Array
    layers: Array | None = None

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.owner)

    def edges(self, first: Array, nodes: Array) -> Array:
        """The numbers of the edges of some nodes, where those of node i are `first[i]` to `first[i + 1]`."""
        start, number = first[nodes], first[nodes + 1] - first[nodes]
        ends = np.cumsum(number)
        total = int(ends[-1]) if len(ends) else 0
        return np.repeat(start - (ends - number), number) + np.arange(total)


def arena(system: System, explored: Explored, ends: Endings) -> Arena:
    """The game over explored positions.

    Args:
        system: The rule set, of two sides.
        explored: The positions with their events.
        ends: Where the game is decided.

    Raises:
        TimeUp: The deadline has passed.
    """
    n = len(explored.states)
    result, owner = _decided(system, explored, ends)
    source: Array = np.repeat(np.arange(n), np.diff(explored.first))
    kept = owner[source] != FINAL
    check_deadline()
    joint = _joint(system, explored)
    if joint is not None:
        kept &= ~joint
    origin: Array = np.flatnonzero(kept).astype(np.int32)
    target = explored.target
    if len(origin) < len(source):
        source, target = source[origin], target[origin]
    check_deadline()
    without = (owner != FINAL) & (np.bincount(source, minlength=n) == 0)  # all their events need both sides
    owner[without], result[without] = FINAL, OPEN
    actor = _actors(system, explored, owner, source, origin)
    check_deadline()
    length = 1 + ((actor < SIDES) & (owner[target] != actor)).astype(np.int8)
    weight = _weights(system, explored, source, origin, actor)
    check_deadline()
    layers = _layers(explored.depth, source, target)
    owner, source, target, length, origin, weight = _split(
        n, owner, explored.mover, source, target, length, origin, actor, weight
    )
    check_deadline()
    nodes = len(owner)
    result = np.concatenate([result, np.zeros(nodes - n, np.int8)])
    first = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=nodes))])
    layers = layers if nodes == n else None
    return _with_chance(Arena(n, owner, result, first, source, target, length, origin, weight, layers))


def _layers(depth: Array, source: Array, target: Array) -> Array | None:
    """See `Arena.layers`; positions stand in the order of their depth, so no edge leads beyond the next layer."""
    if not len(depth) or np.any(depth[1:] < depth[:-1]):
        return None
    layers: Array = np.concatenate([[0], np.flatnonzero(np.diff(depth)) + 1, [len(depth)]])
    edges: Array = np.searchsorted(source, layers)
    for begin, end, following in zip(edges, edges[1:], layers[1:], strict=False):
        if end > begin and target[begin:end].min() < following:
            return None
    return layers


def _decided(system: System, explored: Explored, ends: Endings) -> tuple[Array, Array]:
    """The value of each position that is decided, and who chooses in the others."""
    columns = columns_of(ends.rivals, system.layout, explored.states)
    a, b, over = (c.astype(bool) for c in columns)
    mover = explored.mover
    owner = np.where(mover < 0, SITUATION, mover).astype(np.int8)
    result: Array = np.zeros(len(owner), np.int8)
    nobody_won = ~a & ~b
    result[nobody_won & (over | (mover == STUCK))] = DRAW
    result[a & ~b], result[b & ~a] = FIRST, SECOND
    owner[a | b | over | (mover == STUCK) | (mover == UNSEEN)] = FINAL
    return result, owner


def columns_of(terms: Sequence[Term], layout: Layout, states: Array) -> list[Array]:
    """The value of each term in each state."""
    return list(batch_function(terms, layout.slot)(states))


# ---- who decides an event


def _actors(system: System, explored: Explored, owner: Array, source: Array, origin: Array) -> Array:
    """For each edge the side that decides it, or `SITUATION`: nobody does."""
    actor = owner[source].copy()
    several = np.flatnonzero(explored.mover[source] == SEVERAL)
    events = explored.event[origin[several]]
    for number in np.unique(events):
        check_deadline()
        at = several[events == number]
        who = system.action(explored.events[number]).actor
        actor[at] = sides_of(system, who, explored.states[source[at]])
    return actor


def sides_of(system: System, who: str | Term | None, states: Array, nobody: int = SITUATION) -> Array:
    """For each state the number of the side for which somebody stands, or that of nobody."""
    if not isinstance(who, Term):
        return np.full(len(states), system.decider(who, nobody), np.int8)
    assert isinstance(who.sort, EnumSort)
    members = np.array([system.decider(m, nobody) for m in who.sort.members], np.int8)
    return members[columns_of([who], system.layout, states)[0]]


def _joint(system: System, explored: Explored) -> Array | None:
    """A mark for each event that needs the consent of both sides; None if there are none."""
    actions: list[Action] = [system.action(e) for e in explored.events]
    asked = [i for i, a in enumerate(actions) if a.agreed is not None]
    if not asked:
        return None
    found: Array = np.zeros(len(explored.event), bool)
    source: Array = np.repeat(np.arange(len(explored.states)), np.diff(explored.first))
    for number in asked:
        check_deadline()
        at = np.flatnonzero(explored.event == number)
        states, action = explored.states[source[at]], actions[number]
        agreed = sides_of(system, action.agreed, states)
        found[at] = (agreed < SIDES) & (agreed != sides_of(system, action.actor, states))
    return found


# ---- chance


def _weights(system: System, explored: Explored, source: Array, origin: Array, actor: Array) -> Array:
    """For each edge the odds of its event; 0 where it has none."""
    odds = {i: a.odds for i, a in enumerate(map(system.action, explored.events)) if a.odds is not None}
    if not odds:
        return np.zeros(len(source), np.int8)
    found: Array = np.zeros(len(source), np.int64)
    events = explored.event[origin]
    for number, weight in odds.items():
        check_deadline()
        at = np.flatnonzero((events == number) & (actor == SITUATION))
        found[at] = weights_of(system, weight, explored.states[source[at]])
    return found


def weights_of(system: System, odds: int | Term, states: Array) -> Array:
    """The weight of an event in each state; 0 where that is not positive."""
    if isinstance(odds, Term):
        return np.maximum(columns_of([odds], system.layout, states)[0].astype(np.int64), 0)
    return np.full(len(states), max(odds, 0))


def _with_chance(game: Arena) -> Arena:
    """The graph in which chance decides where all that can happen has odds."""
    if not game.weight.any():
        return game
    forced = game.owner == SITUATION
    without = np.bincount(game.source[(game.weight == 0)], minlength=game.nodes) > 0
    chance = forced & ~without
    weight = np.where(chance[game.source], game.weight, 0)
    return replace(game, owner=np.where(chance, CHANCE, game.owner).astype(np.int8), weight=weight)


# ---- positions in which several may act


def _split(
    n: int,
    owner: Array,
    mover: Array,
    source: Array,
    target: Array,
    length: Array,
    origin: Array,
    actor: Array,
    weight: Array,
) -> tuple[Array, ...]:
    """Owners and edges, with a node of its own for each who may act where several may."""
    contested = (mover[source] == SEVERAL) & (owner[source] != FINAL)
    if not contested.any():
        return owner, source, target, length, origin, weight
    group = source[contested] * (SITUATION + 1) + actor[contested]
    groups, number = np.unique(group, return_inverse=True)
    source = source.copy()
    source[contested] = n + number
    added = len(groups)
    owner = np.concatenate([owner, (groups % (SITUATION + 1)).astype(np.int8)])
    source = np.concatenate([source, groups // (SITUATION + 1)])
    target = np.concatenate([target, n + np.arange(added)])
    length = np.concatenate([length, np.zeros(added, length.dtype)])
    origin = np.concatenate([origin, np.full(added, -1)])
    weight = np.concatenate([weight, np.zeros(added, weight.dtype)])
    order = np.argsort(source, kind="stable")
    return owner, source[order], target[order], length[order], origin[order], weight[order]
