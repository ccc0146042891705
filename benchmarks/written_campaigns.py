"""Rulebooks written by a program: Moscow's campaign out of its board, and grids of any size with units on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import vclogic_encodings.moscow as moscow
import yaml

SPELLINGS: Mapping[str, tuple[str, str]] = {
    "a place's hexes in a table": (
        "some(hex where lies(place, hex) and at(unit) == hex)",
        "some(spot where place(spot) == place and at(unit) == spot)",
    ),
    "zones as a count": (
        "adjacent(at(unit), hex)",
        "count(other hex where adjacent(hex, other) and at(unit) == other) >= 1",
    ),
}
"""Other spellings of the campaign: what is written instead of what."""
NESTED = "places as one nested condition"
_MARKS = {"clear": ".", "forest": "f", "swamp": "s", "mountain": "m"}
_RULES = """\
present(side, place) means some(unit of side where some(hex where lies(place, hex) and at(unit) == hex))
alone(side, place) means present(side, place) and not present(enemy(side), place)
fact owner(place): side, starts home(place)
  becomes German at once if alone(German, place)
  becomes Soviet at once if alone(Soviet, place)
fact lost(place)
  becomes true at once if alone(enemy(home(place)), place)
fact retaken(place)
  becomes true at once if lost(place) and alone(home(place), place)
captured(side, place) means if(home(place) == side, retaken(place), lost(place))
losses(side) means sum(strength(unit) for unit of side where at(unit) == eliminated)
covers(unit, hex) means at(unit) == hex or zoned(unit) and adjacent(at(unit), hex)
covered(side, line) means some(unit of side where some(hex where row(hex) == number(line) and covers(unit, hex)))
gaps(side) means count(line where not covered(side, line))
fact front(side): 0 to 9999
  rises by gaps(enemy(side)) at the end of a turn if turn == enemy(side)
vp(side) means losses(enemy(side)) + points(side) + front(side)
"""
_UNITS = """\
zoned(unit) means size(unit) == corps or size(unit) == army
never count(unit of German where at(unit) == hex) >= 1 and count(unit of Soviet where at(unit) == hex) >= 1
never count(unit of side where at(unit) == hex) > 3
event eliminate unit
  needs at(unit) in hex
  then at(unit) becomes eliminated
"""
_MOVE = """\
event move by side unit to hex
  needs side(unit) == side, else "it is not the turn of that side"
  needs at(unit) != to, else "{unit} is there already"
  needs no(other unit of enemy(side) where at(other) == to), else "{to} is held by the enemy"
  needs count(other unit of side where at(other) == to) < 2, else "{to} is full"
  then at(unit) becomes to
"""


def named(hex_: str) -> str:
    """A hex of the board, such as 13,6, as rulebooks name it: N7."""
    column, row = map(int, hex_.split(","))
    return hex_of(column, row)


def hex_of(column: int, row: int) -> str:
    """The name of a hex, by column and row counted from 0."""
    letters, n = "", column + 1
    while n:
        n, rest = divmod(n - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def campaign(spelling: str = "") -> str:
    """The campaign's board, units, places, front line and levels as a rulebook.

    Args:
        spelling: One of `SPELLINGS`, or `NESTED`; empty: as people write it first.
    """
    board: dict[str, Any] = yaml.safe_load((Path(moscow.__file__).parent / "board.yaml").read_text())
    ground = {h: _MARKS[terrain] for terrain, hexes in board["terrain"].items() for h in hexes}
    ground |= dict.fromkeys(board["absent"], "-")
    rows = ["".join(ground.get(f"{x},{y}", ".") for x in range(board["columns"])) for y in range(board["rows"])]
    places = {name: [named(h) for h in place["hexes"]] for name, place in board["places"].items()}
    conditions = {name: " or ".join(f"hex == {h}" for h in hexes) for name, hexes in places.items()}
    lies = "".join(f"except lies('{name}', hex) means {said}\n" for name, said in conditions.items())
    lies = f"lies(place, hex) means false\n{lies}"
    if spelling == NESTED:
        nested = "false"
        for name, said in conditions.items():
            nested = f"if(place == '{name}', {said}, {nested})"
        lies = f"lies(place, hex) means {nested}\n"
    points: dict[str, list[str]] = {"German": [], "Soviet": []}
    for award in board["awards"]:
        for side in award["to"]:
            has = "captured" if award["item"] == "capture" else "alone"
            points[side].append(f"if({has}({side}, '{award['place']}'), {award['points']}, 0)")
    worth = "".join(f"points({side}) means {' + '.join(said)}\n" for side, said in points.items())
    units = [(name, u["side"], _strength(u), u.get("size", "none"), _at(u)) for name, u in board["units"].items()]
    spots = [(h, name) for name, hexes in places.items() for h in hexes]
    text = "\n".join(
        (
            "# The campaign\n\n```vclogic\nsides German, Soviet",
            "turn is any number of events\nrounds 24\npass always",
            "hexes hex, even rows right",
            *(f"  {row}" for row in rows),
            f"  marks {', '.join(f'{mark} {name}' for name, mark in _MARKS.items())}\n```\n",
            table(("place", "home"), ((name, place["owner"]) for name, place in board["places"].items())),
            f"```vclogic\nkind place, from the table\n{lies}```\n",
            table(("spot", "place"), spots) + "\n```vclogic\nkind spot, from the table\n```\n",
            table(("line", "number"), ((f"R{n}", n) for n in range(1, board["rows"] + 1))),
            "```vclogic\nkind line, from the table\n```\n",
            table(("unit", "side", "strength", "size", "start"), units),
            "```vclogic\nkind unit, from the table\nfact at(unit): hex or off or eliminated, starts start(unit)",
            f"{_UNITS}{_MOVE}{_RULES}{worth}"
            "table level at the end, by vp(German) : vp(Soviet)\n  3:1 or more  German wins marginal\n"
            "  3:1 or less  Soviet wins marginal\n```\n",
        )
    )
    old, new = SPELLINGS.get(spelling, ("", ""))
    assert old in text, "it is another spelling of what is there"
    return text.replace(old, new) if old else text


def _strength(unit: Mapping[str, Any]) -> int:
    strength = unit.get("strength")
    return strength if isinstance(strength, int) else 0


def _at(unit: Mapping[str, Any]) -> str:
    at = str(unit.get("at", "off"))
    return named(at) if "," in at else "off"


def grid(columns: int, rows: int, units: int) -> str:
    """A grid with units of two sides, which move anywhere that is free."""
    forest = [[".f"[(x * 7 + y * 3) % 5 == 0] for x in range(columns)] for y in range(rows)]
    hexes = [hex_of(x, y) for y in range(rows) for x in range(columns)]
    each = [(f"u{i}", ("Red", "Blue")[i % 2], hexes[i * len(hexes) // units]) for i in range(units)]
    lines = "\n".join(f"  {''.join(row)}" for row in forest)
    return f"""# A grid

{table(("unit", "side", "start"), each)}
```vclogic
sides Red, Blue
turn is any number of events
rounds 10
pass always
hexes hex, even rows right
{lines}
  marks . open, f forest
kind unit, from the table
fact at(unit): hex or off, starts start(unit)
never count(unit of side where at(unit) == hex) > 2
held(side) means count(hex where terrain(hex) == forest and some(unit of side where at(unit) == hex))
{_MOVE}side wins forest at the end if held(side) > held(enemy(side))
```
"""
