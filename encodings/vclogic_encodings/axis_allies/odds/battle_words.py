"""Questions of players for the odds of a battle: names of units and places, and forces that cannot fight together."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from vclogic_encodings.axis_allies.board import COMPLEX, Board
from vclogic_encodings.axis_allies.names import Names
from vclogic_encodings.axis_allies.wording import of_units

from vclogic.model.battles import Battle, BattleWords, Conduct, Units
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.words import joined

_CALLED = {
    "tank": "armour",
    "armor": "armour",
    "aircraft carrier": "carrier",
    "antiaircraft gun": "aa_gun",
    "anti-aircraft gun": "aa_gun",
    "flak": "aa_gun",
    "sub": "submarine",
}
"""The names that players have for some kinds of units."""
_MOST_STATES = 10_000_000
"""So many states of both sides, by what antiaircraft fire leaves of the aircraft, a table of chances can hold."""


def words(names: Names) -> BattleWords:
    """The words of players for battles on a board."""
    board = names.board
    members = tuple(sorted((u for u in board.units if u != COMPLEX), key=lambda u: _place(board, u)))
    called = {other: u for other, u in _CALLED.items() if u in members and other not in members}
    return BattleWords(
        kinds=Domain(EnumSort("kind of unit", members), called, {COMPLEX: "it does not fight"}),
        places=names.regions,
        named={u: (_name(board, 1, u), _name(board, 2, u)) for u in members},
        naval=frozenset(board.kinds("sea")),
        refused=lambda battle, conduct: tuple(_refused(board, battle, conduct)),
    )


def _name(board: Board, n: int, unit: str) -> str:
    """A kind in the singular or plural, as players write it."""
    return of_units(board, n, unit).removeprefix(f"{n} ").replace("_", " ")


def _place(board: Board, unit: str) -> tuple[bool, int, int]:
    """The rank of a kind in a list: land, air, sea, antiaircraft guns; the cheapest first."""
    kind = board.units[unit]
    return kind.antiaircraft, ("land", "air", "sea").index(kind.kind), kind.cost


def _refused(board: Board, battle: Battle, conduct: Conduct) -> Iterator[str]:
    kinds = board.units
    sides = (("attack", battle.attackers), ("defend", battle.defenders))
    for verb, units in sides:
        stray = _of(units, board.kinds("land") if battle.at_sea else board.kinds("sea"))
        if battle.at_sea and stray:
            yield f"{_listed(stray)} cannot {verb} at sea"
        elif stray:
            yield f"{_listed(stray)} cannot {verb} on land" + (
                "" if verb == "defend" else "; ships bombard a landing"
            )
    guns = [u for u in _of(battle.attackers, board.kinds("land")) if kinds[u].antiaircraft]
    if guns and not battle.at_sea:
        yield f"{_listed(guns)} cannot attack"
    yield from _landing(board, battle)
    landed = battle.landing and not _of(battle.attackers, board.kinds("air"))
    if landed and (conduct.rounds is not None or conduct.retreat_at is not None):
        yield "land units that come from the sea cannot retreat"

    states = _states(board, battle.attackers, battle.defenders) * _states(board, battle.defenders, battle.attackers)
    if not battle.at_sea and any(board.units[u].antiaircraft for u in battle.defenders):
        states *= prod(n + 1 for u, n in battle.attackers.items() if board.units[u].kind == "air")
    if states > _MOST_STATES:
        yield f"too large a battle: {states:,} states are to be counted, and at most {_MOST_STATES:,} can be"


def _states(board: Board, units: Units, enemies: Units) -> int:
    """The number of possible states of a side: with submarines against it, hits on aircraft count apart."""
    flying = sum(n * board.units[u].hits for u, n in units.items() if board.units[u].kind == "air")
    others = sum(n * board.units[u].hits for u, n in units.items() if board.units[u].kind != "air")
    apart = any(n and board.units[u].submarine for u, n in enemies.items())
    return (flying + 1) * (others + 1) if apart else flying + others + 1


def _landing(board: Board, battle: Battle) -> Iterator[str]:
    """The faults of a landing, and of ships that bombard."""
    if battle.landing and battle.at_sea:
        yield "there is no landing at sea"
    elif battle.landing and not _of(battle.attackers, board.kinds("land")):
        yield "a landing takes land units among the attackers"
    others = [u for u in _of(battle.guns, tuple(board.units)) if not board.units[u].bombards]
    if others:
        able = [u for u in board.units if board.units[u].bombards]
        yield f"{_listed(others)} cannot bombard; {joined(able) or 'no ship here'} can"
    if battle.guns and not battle.landing and not battle.at_sea:
        yield "ships bombard only where land units land"
    elif battle.guns and battle.at_sea:
        yield "ships bombard the land, not at sea"


def _of(units: Units, kinds: tuple[str, ...]) -> list[str]:
    return [u for u, n in units.items() if n and u in kinds]


def _listed(kinds: list[str]) -> str:
    return joined([u.replace("_", " ") for u in kinds])
