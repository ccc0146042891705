"""Two small games of the repository as rulebooks: rules of their own, and boards written out of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import vclogic_encodings.moscow as moscow
import vclogic_encodings.napoleonics as napoleonics
import yaml

from benchmarks.written_campaigns import named, table

_WIDE, _HIGH = 13, 9
_RULES = Path(__file__).with_name("rules")
_FREE = "no(other unit of enemy(side(unit)) where at(other) == hex)"
_MARCH = """  needs at(unit) in hex
  needs reaches(at(unit), to within pace(unit) through step hex where free(unit, step) for cost(step){stops})
"""


def moscow_small(*, marches: bool = False) -> str:
    """Moscow's small board with its units, places, front line and levels.

    Args:
        marches: Whether units go as far as their points take them, and plans are made of that.
    """
    board = _board(moscow, "small.yaml")
    places = board["places"]
    points: dict[str, list[str]] = {"German": [], "Soviet": []}
    for award in board["awards"]:
        for side in award["to"]:
            has = "captured" if award["item"] == "capture" else "alone"
            points[side].append(f"if({has}({side}, {award['place']}), {award['points']}, 0)")
    units = [
        (name, u["side"], *_strengths(u), *_sizes(u), _start(u), u["allowance"]) for name, u in board["units"].items()
    ]
    heads = ("unit", "side", "attack", "defence", "bracketed", "size", "eb", "start", "pace")
    text = "\n".join(
        (
            "# The front, small\n\n```vclogic\nsides German, Soviet\nturn is any number of events",
            f"rounds {board['rounds']}\npass always",
            *_hexes(board),
            "```\n",
            _kind(("place", "home"), ((name, p["owner"]) for name, p in places.items())),
            _kind(("line", "number"), ((f"R{n}", n) for n in range(1, board["rows"] + 1))),
            _kind(heads, units),
            _rules("front"),
            _block(_lies("place", places), *(f"points({s}) means {' + '.join(x)}\n" for s, x in points.items())),
        )
    )
    if not marches:
        return text
    lines = [f"free(unit, hex) means {_FREE}\n", f"cost(hex) means {_by_terrain(board['movement'].items())}\n"]
    plans = [_plan("moves", "uses move", "without end_turn, pass")]
    plans.append(_plan("turns", "uses move", "step is a turn, one for each unit", "counts turns"))
    return _marching(text, "", lines, plans)


def erlenbach(*, marches: bool = False) -> str:
    """The battle at Erlenbach with its units, objectives and banners; argument as above."""
    board = _board(napoleonics, "erlenbach.yaml")
    kinds, objectives = board["kinds"], board["objectives"]
    units = [
        (name, u["side"], "yes" if kinds[kind].get("leader") else "no", _start(u), kinds[kind]["move"], kind)
        for name, u in board["units"].items()
        for kind in (u["kind"],)
    ]
    needs = "".join(f"need({side}) means {n}\n" for side, n in board["banners"].items())
    notes = ((name, note["side"], note["times"]) for name, note in board["battle_objectives"].items())
    text = "\n".join(
        (
            "# The mill\n\n```vclogic\nsides French, Allied\nturn order French, Allied\nturn is movement, combat",
            "pass always",
            *_hexes(board),
            "```\n",
            _kind(("unit", "side", "leader", "start", "pace", "type"), units),
            _kind(
                ("objective", "kind", "only"), [(n, o["kind"], o.get("side", "both")) for n, o in objectives.items()]
            ),
            _kind(("note", "side", "times"), notes),
            _block(_lies("objective", objectives), needs),
            _rules("banners"),
        )
    )
    if not marches:
        return text
    terrain = board["terrain_types"]
    shut = [f"terrain(hex) != {name}" for name, x in terrain.items() if x.get("blocks")]
    for name, x in terrain.items():
        shut += [f"not (terrain(hex) == {name} and type(unit) == '{kind}')" for kind in x.get("blocks_kinds", ())]
    stops = (f"terrain(hex) == {name}" for name, x in terrain.items() if x.get("stops"))
    costs = ((name, x["cost"]) for name, x in terrain.items() if "cost" in x)
    lines = [
        f"free(unit, hex) means {_FREE} and {' and '.join(shut)}\n",
        f"cost(hex) means {_by_terrain(costs)}\n",
        f"stops(hex) means {' or '.join(stops)}\n",
    ]
    said = ("uses move after order", "step is a turn, at most 3 events, one for each unit")
    plans = [_plan("moves", *said), _plan("turns", *said, "counts turns")]
    return _marching(text, " until stops(step)", lines, plans)


def _marching(text: str, stops: str, lines: Sequence[str], plans: Sequence[str]) -> str:
    """A text in which moves are marches, with more lines, and with plans."""
    first, _, rest = text.partition("event move ")
    room, told, after = rest.partition("  then at(unit) becomes to\n")
    return "".join(
        (first, *lines, "event move ", room, _MARCH.format(stops=stops), told, after, "\n", _block(*plans))
    )


def _plan(name: str, *lines: str) -> str:
    return "".join((f"plan {name}\n", *(f"  {line}\n" for line in lines)))


def _by_terrain(costs: Iterable[tuple[str, int]]) -> str:
    """What it costs to enter a hex: 1, but where the terrain says more."""
    said = "1"
    for name, cost in costs:
        said = f"if(terrain(hex) == {name}, {cost}, {said})"
    return said


def _board(game: ModuleType, name: str) -> dict[str, Any]:
    assert game.__file__ is not None, "it is a file"
    found: dict[str, Any] = yaml.safe_load((Path(game.__file__).parent / name).read_text(encoding="utf-8"))
    return found


def _kind(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return f"{table(head, rows)}\n" + _block(f"kind {head[0]}, from the table\n")


def _block(*lines: str) -> str:
    return f"```vclogic\n{''.join(lines)}```\n"


def _rules(name: str) -> str:
    return (_RULES / f"{name}.txt").read_text(encoding="utf-8")


def _hexes(board: Mapping[str, Any]) -> Iterable[str]:
    """The lines that draw the map, and what its marks mean; without a size it is that of Napoleonics."""
    terrain: Mapping[str, Sequence[str]] = board["terrain"]
    marks = {kind: "abcdefghijklm"[n] for n, kind in enumerate(terrain)}
    ground = {hex_: marks[kind] for kind, hexes in terrain.items() for hex_ in hexes}
    if "columns" not in board:  # there every second row has one hex less
        ground |= {f"{_WIDE - 1},{y}": "-" for y in range(1, _HIGH, 2)}
    yield "hexes hex, even rows right"
    for y in range(board.get("rows", _HIGH)):
        yield "  " + "".join(ground.get(f"{x},{y}", ".") for x in range(board.get("columns", _WIDE)))
    yield "  marks . open, " + ", ".join(f"{mark} {kind}" for kind, mark in marks.items())


def _lies(kind: str, places: Mapping[str, Any]) -> str:
    """The hexes of each place."""
    each = ((name, " or ".join(f"hex == {named(h)}" for h in place["hexes"])) for name, place in places.items())
    return f"lies({kind}, hex) means false\n" + "".join(f"except lies({n}, hex) means {said}\n" for n, said in each)


def _start(unit: Mapping[str, Any]) -> str:
    return named(unit["at"]) if "at" in unit else "off"


def _strengths(unit: Mapping[str, Any]) -> tuple[int, int]:
    strength: int = unit.get("strength", 0)
    return strength, unit.get("defence", strength)


def _sizes(unit: Mapping[str, Any]) -> tuple[str, str, str]:
    yes = {True: "yes", False: "no"}
    return yes[unit.get("bracketed", False)], unit.get("size", "division"), yes[unit.get("eb", False)]
