"""Counters of units in areas: how many there are, and a simple sign for their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from vclogic.draw.boxes import SMALL, Box, Point, badge_width, width
from vclogic.draw.elements import INK, Element, add, fills, num, rect, seconds, sign, write
from vclogic.model.picture import Picture, Sign, Troops, marks

ROW = 16.0
"""The height of a row of counters."""
WIDE, HIGH = 21.0, 13.5  # the frame of a sign
_APART = 5.0  # between two counters
_LETTERS = 9.0
_DISC = "M{x} {y} m-{r} 0 a{r} {r} 0 1 0 {d} 0 a{r} {r} 0 1 0 -{d} 0 z"


def _disc(x: float, y: float, r: float) -> str:
    return _DISC.format(x=x, y=y, r=r, d=2 * r)


LINES: Mapping[Sign, str] = {
    "foot": "M-10.5 -6.7 L10.5 6.7 M-10.5 6.7 L10.5 -6.7",
    "horse": "M-10.5 6.7 L10.5 -6.7",
    "tank": "M-3.6 -3.4 H3.6 A3.4 3.4 0 0 1 3.6 3.4 H-3.6 A3.4 3.4 0 0 1 -3.6 -3.4 z",
    "flak": "M-8 6.7 A8 9.5 0 0 1 8 6.7 M0 -2.8 V6.7",
    "staff": "M-5 6.7 V-4.6 H6 L3.6 -2 L6 0.6 H-5",
}
"""Signs that are drawn in lines, in a frame around the origin."""
SHAPES: Mapping[Sign, str] = {
    "gun": _disc(0, 0, 3.1),
    "wheel": f"M-8 1.6 V-4.2 H2 V-2.6 H5.6 L8 -0.2 V1.6 z {_disc(-4.4, 3.4, 2.1)} {_disc(4.4, 3.4, 2.1)}",
    "fort": "M-7.5 5 V-4.5 H-4.5 V-2 H-1.6 V-4.5 H1.6 V-2 H4.5 V-4.5 H7.5 V5 z",
    "wing": "M0 -5.6 L1.1 -2.4 L7.4 1.4 V3 L1.1 1.8 L0.8 3.8 L2.8 5.5 H-2.8 L-0.8 3.8 L-1.1 1.8 "
    "L-7.4 3 V1.4 L-1.1 -2.4 z",
    "wings": "M-1.2 -5.8 H1.2 V-2.6 H3.4 V-4.4 H4.8 V-2.6 H6.6 V-4.4 H8 V-2.6 H9.8 V0 L1.2 0.9 V3.8 H3.6 V5.6 H-3.6 "
    "V3.8 H-1.2 V0.9 L-9.8 0 V-2.6 H-8 V-4.4 H-6.6 V-2.6 H-4.8 V-4.4 H-3.4 V-2.6 H-1.2 z",
    "boat": "M-6.5 2.4 H6.5 L4.5 5.4 H-4.5 z M-0.6 1.4 V-5.6 L5.6 1.4 z M-2 1.4 V-3.4 L-5.6 1.4 z",
    "transport": "M-9.6 0.6 H9.6 L7.8 5.2 H-8 z M-7.6 0 V-4.8 H-4 V0 z M-2 0 V-2.4 H2.6 V0 z M3.6 0 V-2.4 H8.2 V0 z",
    "ship": "M-9.6 2 H9.6 L7.6 4.8 H-8.4 z M-2.6 1.4 V-1.4 H-1 V-4.8 H0.6 V-1.4 H2.4 V1.4 z M4 "
    "1.4 V0.2 L8.6 -1.6 V-0.4 L5.8 1.4 z",
    "battleship": "M-10 1.2 H10 L7.8 5.6 H-8.4 z M-2.6 0.6 V-2.6 H-1.2 V-5.8 H1.2 V-2.6 H2.6 V0.6 z "
    "M3.6 0.6 V-1 L5 -1.8 L9.6 -3.4 V-2.2 L7 -0.8 V0.6 z M-3.6 0.6 V-1 L-5 -1.8 L-9.6 -3.4 V-2.2 L-7 -0.8 V0.6 z",
    "carrier": "M-10 -0.6 H10 V1.2 L7.2 1.2 L5.8 5.4 H-6.4 L-7.6 1.2 H-10 z M2.4 -1 V-3.2 H3.6 V-5.6 "
    "H5 V-3.2 H6.4 V-1 z",
    "sub": "M-9.8 2.4 Q-9.8 -0.2 -6.4 -0.2 H-1.6 V-4.4 H0.2 V-3 H2.6 V-0.2 H6.6 L9.8 2.4 L6.6 5 "
    "H-6.4 Q-9.8 5 -9.8 2.4 z",
}
"""Signs that are filled."""


@dataclass(frozen=True)
class CounterRow:
    """Counters in a line.

    Attributes:
        mark: The letter of the party, in front of them; may be empty.
        party: The party.
        forces: The units.
        plain: Whether the counters are white.
    """

    mark: str
    party: str
    forces: tuple[Troops, ...]
    plain: bool = False


class Counters:
    """The signs for the kinds of units of one picture.

    Args:
        picture: The picture.
    """

    def __init__(self, picture: Picture):
        self.marks = {p.name: p.mark for p in picture.parties}
        self._picture = picture

    @cached_property
    def _there(self) -> Sequence[Troops]:
        moved = (f for a in self._picture.arrows for f in a.forces)
        return [*(f for r in self._picture.regions for f in r.forces), *moved]

    @cached_property
    def kinds(self) -> Mapping[str, Sign]:
        """The kinds that there are, with their signs."""
        found = {f.kind: f.sign for f in self._there if f.kind}
        order = list(LINES) + list(SHAPES)
        return dict(sorted(found.items(), key=lambda x: (order.index(x[1]) if x[1] else len(order), x[0])))

    @cached_property
    def names(self) -> Sequence[str]:
        """The units that have a name of their own."""
        return tuple(dict.fromkeys(f.name for f in self._there if f.name))

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """The letters of kinds that have no sign of their own, and of units with a name."""
        signs = list(self.kinds.values())
        without = (k for k, s in self.kinds.items() if not s or signs.count(s) > 1)
        return marks(tuple(dict.fromkeys((*without, *self.names))), 2)

    @cached_property
    def _fills(self) -> Mapping[str, str]:
        return fills(self._picture)

    @cached_property
    def _second(self) -> Mapping[str, bool]:
        return seconds(self._picture)

    def rows(self, forces: Sequence[Troops], owner: str | None, longest: float) -> tuple[CounterRow, ...]:
        """Units in rows that fit; only those of others than the owner of the place have a letter."""
        found: list[CounterRow] = []
        for party, own in groupby(forces, lambda f: f.party):
            plain = party == owner
            row = CounterRow("" if plain else self.marks.get(party, party), party, (), plain)
            for force in own:
                longer = replace(row, forces=(*row.forces, force))
                if row.forces and self.width(longer) > longest:
                    found.append(row)
                    longer = CounterRow("", party, (force,), plain)
                row = longer
            found.append(row)
        return tuple(found)

    def width(self, row: CounterRow) -> float:
        """The width of a row."""
        mark = badge_width(row.mark) * 0.9 + 4 if row.mark else 0.0
        return mark + sum(self._wide(f) + _APART for f in row.forces) - (_APART if row.forces else 0.0)

    def _before(self, force: Troops) -> tuple[str, float]:
        """The words before a frame and their width: the number of units, or the letters of one with a name."""
        said = self.letters[force.name] if force.name else str(force.count)
        return (said, width(said, SMALL) * 1.05 + 2) if force.kind else ("", 0.0)

    def _wide(self, force: Troops) -> float:
        return self._before(force)[1] + self.frame(force.kind or force.name)

    def frame(self, kind: str) -> float:
        """The width of the frame of a kind."""
        return max(WIDE, width(self.letters.get(kind, ""), _LETTERS) * 1.1 + 4)

    def draw(self, parent: Element, left: float, middle: float, row: CounterRow) -> None:
        """Draw a row from its left edge on."""
        x = left
        second = self._second.get(row.party, False)
        if row.mark:
            x += sign(parent, x, middle, row.mark, second=second, size=SMALL * 1.02) + 4
        for force in row.forces:
            said, wide = self._before(force)
            if said:
                write(parent, x + wide / 2 - 1, middle + SMALL * 0.36, said, SMALL, weight="bold")
            fill = "#ffffff" if row.plain else self._fills.get(row.party, "#ffffff")
            x += wide + self.sample(parent, (x + wide, middle), force.kind or force.name, force.sign, fill) + _APART

    def sample(self, parent: Element, place: Point, kind: str, of: Sign, fill: str = "#ffffff") -> float:
        """Draw the sign of a kind of units in its frame, by the middle of its left side; return its width."""
        left, middle = place
        wide, letters = self.frame(kind), self.letters.get(kind, "")
        group = add(parent, "g", **{"class": "unit"})
        rect(group, Box(left + wide / 2, middle, wide, HIGH), fill=fill, stroke=INK, stroke_width=1)
        at = {"transform": f"translate({num(left + wide / 2)} {num(middle)})"}
        if letters:
            write(group, left + wide / 2, middle + _LETTERS * 0.36, letters, _LETTERS, weight="bold")
        elif of in LINES:
            add(group, "path", d=LINES[of], fill="none", stroke=INK, stroke_width=1.3, **at)
        else:
            add(group, "path", d=SHAPES[of], fill=INK, **at)
        return wide
