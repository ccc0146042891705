"""Objectives of the game: the places of the Victory Point Schedule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.moscow.board import ELIMINATED, SIDES, enemy
from vclogic_encodings.moscow.game import Rules

from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Values
from vclogic.terms.atoms import TRUE, member
from vclogic.terms.term import Term
from vclogic.words import amount

_AT_THE_END = {"capture": "if captured", "hold": "if held", "take_and_hold": "if taken and held"}
_EACH_TURN = {"capture": "if captured", "hold": "each turn if held", "take_and_hold": "each turn if taken and held"}


def objectives(game: Rules) -> Iterable[Objective]:
    """The places, those that bring most points first; those that bring none are not what the game is about."""
    board = game.board
    points = {name: [a.points for a in board.awards if a.place == name] for name in board.places}
    for name in sorted(board.places, key=lambda name: -max(points[name], default=0)):
        yield Objective(
            name=name,
            kind="place",
            held={side: game.score.holds(side, name) for side in SIDES},
            places=board.places[name].hexes,
            worth={side: worth for side in SIDES if (worth := _worth(game, side, name))},
            main=bool(points[name]),
            lost=partial(_lost, game, name),
        )


def _worth(game: Rules, side: str, place: str) -> str:
    items = _EACH_TURN if game.fluents.holds_each_turn else _AT_THE_END
    awards = [a for a in game.board.awards if a.place == place and side in a.to]
    return ", ".join(f"{amount(a.points, 'point')} {items[a.item]}" for a in awards)


def _lost(game: Rules, place: str, side: str, values: Values) -> Mapping[Term, Value]:
    """The enemy has captured the place, and the units that stood in it are eliminated."""
    fluents, hexes, foe = game.fluents, game.board.places[place].hexes, enemy(side)
    gone = member(fluents.whereabouts.sort, ELIMINATED)
    fallen = {fluents.at[u]: gone for u in game.board.army(side) if values[fluents.at[u]] in hexes}
    after = following(values, fluents.with_places(fallen).items())
    captured = {fluents.owner[place]: member(fluents.side_or_none.sort, foe), fluents.taken[place, foe]: TRUE}
    captured[fluents.taken[place, side]] = fluents.captured(side, place)
    return changes(values, following(after, captured.items()))
