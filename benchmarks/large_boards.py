"""Boards of any size, made at random or of a given one: nothing large is kept in the repository."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import yaml

from vclogic.files.output import write_text

_RANKS = {"capital": 5, "major": 3, "moderate": 2, "minor": 1}
_SEA, _TOUCHING, _SLANTED, _CITY = 0.15, 0.85, 0.2, 0.12  # shares: sea, neighbours that touch, slanted, with a city
_TWO = ("22", "23")


def random_areas(areas: int, seed: int = 1, *, units: int = 0) -> dict[str, Any]:
    """A position of Axis & Allies on a random grid of two powers.

    Args:
        areas: How many regions, at least 16.
        seed: The same one gives the same board.
        units: Infantry of each power, in territories of its own.

    Returns:
        The position as a file has it.
    """
    rng = Random(f"{areas} {seed}")
    wide = round((areas * 1.25) ** 0.5)
    cells = [divmod(i, wide)[::-1] for i in range(areas)]
    names = {cell: f"A{cell[0]}x{cell[1]}" for cell in cells}
    own = max(2, wide // 4)
    sea = {c for c in cells if c[0] >= own and rng.random() < _SEA}
    held = {"Reds": [c for c in cells if c[0] < own], "Blues": [c for c in cells if c[0] >= own and c not in sea]}
    cities = {c for c in held["Blues"] if rng.random() < _CITY} | {*rng.sample(held["Reds"], max(2, own // 2))}
    territories: dict[str, Any] = {}
    for cell in cells:
        if cell in sea:
            territories[names[cell]] = {"kind": "sea"}
            continue
        power = "Reds" if cell[0] < own else "Blues"
        territories[names[cell]] = {"owner": power, "ipc": 1}
        if cell in cities:
            city = {"name": f"City {names[cell]}", "rank": rng.choice(list(_RANKS)), "nation": power[:-1]}
            territories[names[cell]]["city"] = city
    _with_units(territories, held, names, units)
    points = sum(_RANKS[t["city"]["rank"]] for t in territories.values() if "city" in t)
    board = {
        "powers": {"Reds": {"side": "Axis", "nation": "Red"}, "Blues": {"side": "Allies", "nation": "Blue"}},
        "turn_order": ["Reds", "Blues"],
        "judged_after": "Blues",
        "ranks": _RANKS,
        "major_victory": {"Axis": points, "Allies": points},
        "territories": territories,
        "connections": _edges(cells, names, rng),
    }
    if units:
        board["unit_types"] = {"infantry": {"kind": "land", "move": 1, "attack": 1, "defence": 2, "cost": 3}}
    return {"game": "axis_allies", "board": board, "state": {"turn": "Reds", "round": 1}}


def _with_units(territories: dict[str, Any], held: dict[str, list[Any]], names: dict[Any, str], units: int) -> None:
    """Infantry, spread over what each power holds."""
    for power, cells in held.items():
        for i in range(units):
            there = territories[names[cells[i % len(cells)]]].setdefault("units", {}).setdefault(power, {})
            there["infantry"] = there.get("infantry", 0) + 1


def _edges(cells: list[Any], names: dict[Any, str], rng: Random) -> list[list[str]]:
    found = []
    for x, y in cells:
        for (dx, dy), share in (((1, 0), _TOUCHING), ((0, 1), _TOUCHING), ((1, 1), _SLANTED)):
            if (x + dx, y + dy) in names and rng.random() < share:
                found.append([names[x, y], names[x + dx, y + dy]])
    return found


def two_asl_boards(whole_board: dict[str, Any], units: int = 60) -> dict[str, Any]:
    """A position of ASL on one board as two such boards side by side, with so many units in all.

    Args:
        whole_board: The position on one board, number 22; its record is left out.
        units: How many units there are then; they are those of the one board again and again.

    Returns:
        The position as a file has it.
    """
    one = whole_board["board"]
    board = {**one, "whole": list(_TWO)}
    for key in ("hexes", "buildings", "areas", "exits", "flammable"):
        board[key] = _doubled(one[key], _other_board, rename=_other_name)
    kinds = [u for u in one["units"].values() if "crew" not in u and "at" not in u]
    more = {f"unit {i}": kinds[i % len(kinds)] for i in range(units - len(one["units"]))}
    board["units"] = {**one["units"], **more}
    return {"game": "asl", "board": board}


def _doubled(value: Any, change: Any, *, rename: Any) -> Any:
    if isinstance(value, list):
        return value + change(value)
    return value | {rename(name): change(x) for name, x in value.items()}


def _other_board(value: Any) -> Any:
    """The same on the second board, in all that is named after a hex."""
    if isinstance(value, list):
        return [_other_board(x) for x in value]
    if isinstance(value, dict):
        return {key: _other_board(x) for key, x in value.items()}
    return re.sub(rf"^{_TWO[0]}(?=[A-Z])", _TWO[1], value) if isinstance(value, str) else value


def _other_name(name: str) -> str:
    """A name on the second board."""
    other = _other_board(name)
    return str(other) if other != name else f"{name} {_TWO[1]}"


def written(position: dict[str, Any], file: str) -> str:
    """Writes a position as YAML, a line for each region and connection; gives the file's name back."""
    lines: list[str] = []
    for key, value in position.items():
        if key != "board":
            lines.append(f"{key}: {_flow(value)}")
            continue
        lines.append("board:")
        for part, section in value.items():
            if isinstance(section, dict) and section:
                lines += [f"  {part}:", *(f"    {_flow(name)}: {_flow(x)}" for name, x in section.items())]
            elif part == "connections":
                lines += [f"  {part}:", *(f"    - {_flow(x)}" for x in section)]
            else:
                lines.append(f"  {part}: {_flow(section)}")
    write_text(file, "\n".join(lines) + "\n")
    return file


def _flow(value: Any) -> str:
    """A value on one line."""
    text = yaml.dump(value, Dumper=yaml.CSafeDumper, default_flow_style=True, width=10**9, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")
