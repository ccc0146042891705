"""The events of a record: moves, retreats, eliminations, the end of a player-turn, the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from vclogic_encodings.moscow.board import ELIMINATED, OFF, SIDES, enemy
from vclogic_encodings.moscow.citing import cite, encodes
from vclogic_encodings.moscow.fluents import LAST_ROUND, POINTS
from vclogic_encodings.moscow.game import Rules

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import TRUE, integer, member
from vclogic.terms.build import add, and_, any_of, count, eq, ge, is_in, ite, linear, lt, minimum, ne, not_, or_
from vclogic.terms.term import Term
from vclogic.words import amount

LINE = ("front/1", "front-p2/1", "front-B/1")
ON_TURN = "the side on turn"
COMBAT = "the combat that makes a unit retreat, and how far it goes"
_PLACES = (("at", "unit"), ("owner",), ("taken",))


def schemas(game: Rules) -> Iterable[Schema]:
    """Every kind of event."""
    for event, text, by, unjudged in (
        ("move", "a unit of the side on turn goes to a hex, comes onto the map or leaves it", ON_TURN, ""),
        ("retreat", "a unit of the side not on turn falls back to a hex, or off the map", "", COMBAT),
    ):
        yield Schema(
            event,
            (Parameter("unit", game.fluents.units), Parameter("to", game.fluents.destinations)),
            partial(go, game, event),
            text,
            not_judged=unjudged or "how far a unit moves",
            decided_by=by,
            asks={"unit": partial(_may_go, game, event)},
            touches=_PLACES,
        )
    yield Schema(
        "eliminate",
        (Parameter("unit", game.fluents.units),),
        partial(eliminate, game),
        "a unit on the map is eliminated; the other side gets points for its combat strength",
        cite("won/1"),
        not_judged="the combat that eliminates a unit",
        touches=_PLACES,
    )
    text = "a player-turn ends; the side's front line is examined"
    over = partial(end_turn, game)  # made when it is asked for: the front line takes long
    yield Schema("end_turn", (), over, text, cite(*LINE), routine=True, decided_by=ON_TURN, obliged=True)
    text = "the game ends: points are totalled and the level of victory is judged"
    yield Schema("end_game", (), partial(end_game, game), text, cite("levels/3", "levels/4"), routine=True)


def not_over(game: Rules) -> Requirement:
    """Require that the game has not ended."""
    return Requirement(game.fluents.going_on, "the game is over", cite("levels/3"))


# ---- units


def go(game: Rules, event: str, unit: str, to: str) -> Action:
    """A unit changes its place: in its own side's player-turn it moves, in the other's it retreats."""
    fluents, at = game.fluents, game.fluents.at[unit]
    requirements = [
        *_may_go(game, event, unit),
        Requirement(ne(at, to), f"{unit} is there already" if to != OFF else f"{unit} is not on the map"),
    ]
    if to != OFF:
        requirements += room(game, unit, to)
        requirements += next_to(game, unit, to) if event == "retreat" else ()
    changes = fluents.with_places({at: member(fluents.whereabouts.sort, to)}, fluents.touched(to))
    verb = "moves" if event == "move" else "retreats"
    return Action(
        event,
        (("unit", unit), ("to", to)),
        actor=game.board.units[unit].side if event == "move" else None,
        requirements=tuple(requirements),
        effects=tuple(changes.items()),
        text=lambda values: f"{unit} {verb} from {named(game, str(values[at]))} to {named(game, to)}",
    )


@memoized
def _may_go(game: Rules, event: str, unit: str) -> tuple[Requirement, ...]:
    """The requirements for a unit to change its place, wherever it goes."""
    at, side = game.fluents.at[unit], game.board.units[unit].side
    on_turn, other = (side, "retreat") if event == "move" else (enemy(side), "move")
    needs = (
        not_over(game),
        Requirement(
            game.fluents.turn_of(on_turn),
            f"it is not the player-turn of the {on_turn}s: record a `{other}` of {unit}",
        ),
        Requirement(ne(at, ELIMINATED), f"{unit} has been eliminated", cite("won/1")),
    )
    there = Requirement(ne(at, OFF), f"{unit} is not on the map")
    return needs if event == "move" else (*needs, there, *fought(game, unit))


@encodes("won/1")
def fought(game: Rules, unit: str) -> tuple[Requirement, ...]:
    """Units are eliminated and fall back in combat, for which an enemy unit is on the map: Reading `losses`."""
    if game.settings.readings["losses"] == "anytime":
        return ()
    foes = game.board.army(enemy(game.board.units[unit].side))
    there = any_of(game.fluents.on_map(u) for u in foes)
    return (Requirement(there, f"no enemy unit is on the map to fight {unit} (reading losses)", cite("won/1")),)


@encodes("won/1")
def next_to(game: Rules, unit: str, to: str) -> tuple[Requirement, ...]:
    """A unit falls back to any hex, or to one next to it only: Reading `retreats`."""
    if game.settings.readings["retreats"] == "anywhere":
        return ()
    near = is_in(game.fluents.at[unit], game.board.grid.neighbours[to])
    message = f"{unit} is not next to {to}, to which it falls back (reading retreats)"
    return (Requirement(near, message, cite("won/1")),)


def room(game: Rules, unit: str, hex_: str) -> Iterable[Requirement]:
    """Require room in a hex: no enemy unit, and no full stack."""
    side = game.board.units[unit].side
    free = not_(game.fluents.stands(enemy(side), (hex_,)))
    yield Requirement(free, lambda values: f"{hex_} is held by the {_who(game, enemy(side), hex_, values)}")
    if game.board.stacking is not None:
        others = count(eq(game.fluents.at[u], hex_) for u in game.board.army(side) if u != unit)
        message = f"{hex_} holds {amount(game.board.stacking, f'{side} unit')} already ('stacking' of the board)"
        yield Requirement(lt(others, game.board.stacking), message)


def _who(game: Rules, side: str, hex_: str, values: Mapping[Term, Value]) -> str:
    there = [u for u in game.board.army(side) if values[game.fluents.at[u]] == hex_]
    return f"{side} {' and '.join(there)}"


def eliminate(game: Rules, unit: str) -> Action:
    """A unit is eliminated."""
    fluents, at = game.fluents, game.fluents.at[unit]
    return Action(
        "eliminate",
        (("unit", unit),),
        actor=None,
        requirements=(
            not_over(game),
            Requirement(ne(at, ELIMINATED), f"{unit} has been eliminated already", cite("won/1")),
            Requirement(ne(at, OFF), f"{unit} is not on the map"),
            *fought(game, unit),
        ),
        effects=tuple(
            fluents.with_places({at: member(fluents.whereabouts.sort, ELIMINATED)}, fluents.touched()).items()
        ),
        text=lambda values: f"{unit} is eliminated in {named(game, str(values[at]))}",
        cites=cite("won/1"),
    )


def named(game: Rules, hex_: str) -> str:
    """A hex with the place that it belongs to."""
    place = game.board.place_of.get(hex_)
    return f"{hex_} ({place})" if place else "off the map" if hex_ == OFF else hex_


# ---- time


@encodes("front-p2/1", "front-B/1")
def penalties(game: Rules) -> dict[Term, Term]:
    """At the end of a player-turn the opponent receives a point for each gap in the line of the side on turn."""
    changes: dict[Term, Term] = {}
    for side in SIDES:
        points = game.fluents.front[enemy(side)]
        gaps = minimum(add(points, game.line.gaps(side)), integer(POINTS))
        changes[points] = ite(game.fluents.turn_of(side), gaps, points)
    return changes


def end_turn(game: Rules) -> Action:
    """The end of a player-turn: each open hex row of the side's line is a point for the other side."""
    fluents = game.fluents
    last, turn = enemy(game.board.first), fluents.turn.fluent
    changes = penalties(game)
    german, soviet = (member(fluents.sides.sort, s) for s in SIDES)
    changes[turn] = ite(fluents.turn_of(SIDES[0]), soviet, german)
    final = fluents.turn_of(last)
    if fluents.holds_each_turn:
        for side in SIDES:
            more = minimum(add(fluents.held[side], game.score.holdings(side)), integer(POINTS))
            changes[fluents.held[side]] = ite(final, more, fluents.held[side])
    rounds = fluents.round.fluent
    ends = final if game.board.rounds is None else and_(final, ge(rounds, game.board.rounds))
    if game.board.rounds is None:
        changes[rounds] = linear([(1, rounds), (1, final)])
    else:
        changes[rounds] = ite(ends, rounds, linear([(1, rounds), (1, final)]))
        changes[fluents.over.fluent] = or_(fluents.over.fluent, ends)
    return Action(
        "end_turn",
        (),
        actor=turn,
        requirements=(not_over(game), Requirement(lt(rounds, LAST_ROUND), f"turns are counted to {LAST_ROUND} only")),
        effects=tuple(changes.items()),
        text=lambda values: f"{values[turn]}s end their player-turn",
        cites=cite(*LINE),
    )


def end_game(game: Rules) -> Action:
    """The game ends."""
    return Action(
        "end_game",
        (),
        actor=None,
        requirements=(not_over(game),),
        effects=((game.fluents.over.fluent, TRUE),),
        text="the game ends; points are totalled",
        cites=cite("levels/3", "levels/4"),
    )
