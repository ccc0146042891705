"""Hexes by the tables that players use; nothing here comes from the code under test."""

from __future__ import annotations


def around(hex_: str, stagger: str) -> set[str]:
    """The six hexes around a hex, on the map or not, from the usual tables of offsets."""
    c, r = map(int, hex_.split(","))
    kind, axis = stagger.split("-")
    shifted = (r if axis == "row" else c) % 2 == (1 if kind == "odd" else 0)
    e = 0 if shifted else -1
    if axis == "row":
        near = [(c - 1, r), (c + 1, r), (c + e, r - 1), (c + e + 1, r - 1), (c + e, r + 1), (c + e + 1, r + 1)]
    else:
        near = [(c, r - 1), (c, r + 1), (c - 1, r + e), (c - 1, r + e + 1), (c + 1, r + e), (c + 1, r + e + 1)]
    return {f"{x},{y}" for x, y in near}
