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


def moscow_small() -> str:
    """Moscow's small board with its units, places, front line and levels."""
    board = _board(moscow, "small.yaml")
    places = board["places"]
    points: dict[str, list[str]] = {"German": [], "Soviet": []}
    for award in board["awards"]:
        for side in award["to"]:
            has = "captured" if award["item"] == "capture" else "alone"
            points[side].append(f"if({has}({side}, {award['place']}), {award['points']}, 0)")
    units = [(name, u["side"], *_strengths(u), *_sizes(u), _start(u)) for name, u in board["units"].items()]
    heads = ("unit", "side", "attack", "defence", "bracketed", "size", "eb", "start")
    return "\n".join(
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


def erlenbach() -> str:
    """The battle at Erlenbach with its units, objectives and banners."""
    board = _board(napoleonics, "erlenbach.yaml")
    kinds, objectives = board["kinds"], board["objectives"]
    units = [
        (name, u["side"], "yes" if kinds[u["kind"]].get("leader") else "no", _start(u))
        for name, u in board["units"].items()
    ]
    needs = "".join(f"need({side}) means {n}\n" for side, n in board["banners"].items())
    notes = ((name, note["side"], note["times"]) for name, note in board["battle_objectives"].items())
    return "\n".join(
        (
            "# The mill\n\n```vclogic\nsides French, Allied\nturn order French, Allied\nturn is movement, combat",
            "pass always",
            *_hexes(board),
            "```\n",
            _kind(("unit", "side", "leader", "start"), units),
            _kind(
                ("objective", "kind", "only"), [(n, o["kind"], o.get("side", "both")) for n, o in objectives.items()]
            ),
            _kind(("note", "side", "times"), notes),
            _block(_lies("objective", objectives), needs),
            _rules("banners"),
        )
    )


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
