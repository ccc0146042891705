"""The odds of a battle as a bar chart: who is left, from the attacker's best ending to the defender's."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vclogic.draw.boxes import NAME, SMALL, Box, broken, width
from vclogic.draw.elements import FONT, Element, add, clean, rect, source, write
from vclogic.draw.svg import SvgText
from vclogic.model.battles import BattleEnd, Named, Odds, in_words
from vclogic.words import percent

WIDTH = 960.0
_EDGE, _MIDDLE = 16.0, 480.0
_LONGEST = 350.0  # the longest bar; its percentage stands behind it
_ROW, _BAR = 23.0, 15.0
_LABEL = 440.0
_MOST_ROWS = 15  # of a side; beyond that numbers of units stand in groups
_NOTHING = 0.0005  # what percentages show as less than 0.1
_STEPS = (1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100, 150)
_COLOURS = {"attacker": "#e0954a", "nobody": "#9a9a9a", "defender": "#6f9cc4"}


@dataclass(frozen=True)
class ChartRow:
    """A row of the chart.

    Attributes:
        side: Who is left: `attacker`, `defender`, or `nobody`.
        chance: The chance of that.
        both: The part of it in which the other side has units left too.
        words: Who is left.
    """

    side: str
    chance: float
    both: float
    words: str


def battle_chart(title: str, heads: Sequence[str], odds: Odds, named: Named) -> SvgText:
    """The text of an SVG file.

    Args:
        title: What the battle is.
        heads: Lines about who fights whom.
        odds: What the dice make of it.
        named: How kinds of units are called.
    """
    return SvgText(_Chart(title, heads, odds, rows(odds, named)).text())


# ---- what the rows are


def rows(odds: Odds, named: Named) -> list[ChartRow]:
    """The rows, from the attacker's best ending to the defender's."""
    by_side: dict[str, dict[int, list[BattleEnd]]] = {"attacker": {}, "nobody": {}, "defender": {}}
    for ending in odds.endings:
        ours, theirs = sum(ending.attackers.values()), sum(ending.defenders.values())
        side = "defender" if theirs else "attacker" if ours else "nobody"
        by_side[side].setdefault(theirs or ours, []).append(ending)
    most = {side: _usual(left) for side, left in by_side.items()}
    step = next((s for s in _STEPS if s * _MOST_ROWS >= max(most.values())), max(most.values()))
    whole = {side: m - m % step if m < max(by_side[side], default=0) else m for side, m in most.items()}
    found = {side: list(_of_side(side, left, whole[side], step, named)) for side, left in by_side.items()}
    return [*reversed(found["attacker"]), *found["nobody"], *found["defender"]]


def _of_side(side: str, left: dict[int, list[BattleEnd]], most: int, step: int, named: Named) -> Iterator[ChartRow]:
    """The rows of one side, the fewest units first; more than `most` share the last one."""
    groups: dict[tuple[int, int], list[int]] = {}
    for n in sorted(left):
        low = max(n - 1, 0) // step * step if n <= most else most
        groups.setdefault((low + 1, min(low + step, most) if n <= most else max(left)), []).append(n)
    for span, numbers in groups.items():
        endings = [e for n in numbers for e in left[n]]
        both = _chance([e for e in endings if any(e.attackers.values()) and any(e.defenders.values())])
        yield ChartRow(side, _chance(endings), both, _words(side, span, endings, named))


def _usual(left: dict[int, list[BattleEnd]]) -> int:
    """The largest number of units left; where there are many, without those that together are next to impossible."""
    numbers, rest = sorted(left), 0.0
    while len(numbers) > _MOST_ROWS and (rest := rest + _chance(left[numbers[-1]])) < _NOTHING:
        numbers.pop()
    return numbers[-1] if numbers else 0


def _chance(endings: Sequence[BattleEnd]) -> float:
    return sum(float(e.chance) for e in endings)


def _words(side: str, span: tuple[int, int], endings: Sequence[BattleEnd], named: Named) -> str:
    if side == "nobody":
        return "nobody is left"
    if span[0] < span[1]:
        return f"{span[0]} to {span[1]} units of the {side}"
    by_units: dict[str, float] = {}
    for e in endings:
        words = in_words(e.attackers if side == "attacker" else e.defenders, named)
        by_units[words] = by_units.get(words, 0.0) + float(e.chance)
    likeliest = max(by_units, key=lambda words: by_units[words])
    return likeliest if len(by_units) == 1 else f"{span[0]} left, mostly {likeliest}"


# ---- the picture


class _Chart:
    """Draws one chart."""

    def __init__(self, title: str, heads: Sequence[str], odds: Odds, rows: Sequence[ChartRow]):
        self.title = f"The odds of {title}"
        self.heads = [line for head in heads for line in broken(head, NAME, WIDTH - 2 * _EDGE)]
        self.said = (
            f"taken {percent(odds.take)}; nobody is left {percent(odds.draw)}; "
            f"a defender is left {percent(sum(e.chance for e in odds.endings if any(e.defenders.values())))}"
        )
        self.rows = rows
        self.top = 48.0 + 17 * len(self.heads) + 44
        self.bottom = self.top + _ROW * len(rows)
        self.id = f"v{zlib.crc32(repr((self.title, heads, rows)).encode()):08x}"

    def text(self) -> str:
        """The whole file."""
        root = self._root()
        add(root, "rect", width="100%", height="100%", fill="#ffffff")
        write(root, _EDGE, 28, self.title, 18, weight="bold", anchor="start")
        for i, line in enumerate(self.heads):
            write(root, _EDGE, 48 + 17 * i, line, NAME, anchor="start")
        write(root, _EDGE, self.top - 40, self.said, NAME, weight="bold", anchor="start")
        sides = "\u2190 the attacker is left \u00b7 the defender is left \u2192"
        write(root, _MIDDLE, self.top - 14, sides, SMALL, slant="italic")
        most = max((r.chance for r in self.rows), default=1.0)
        for i, row in enumerate(self.rows):
            self._row(root, self.top + _ROW * (i + 0.5), row, _LONGEST * row.chance / most)
        axis = {"x1": _MIDDLE, "x2": _MIDDLE, "y1": self.top - 6, "y2": self.bottom + 4}
        add(root, "line", **axis, stroke="#555555", stroke_width=1)
        self._key(root)
        return source(root)

    def _root(self) -> Element:
        size = {"viewBox": f"0 0 {WIDTH:.0f} {self.bottom + 40:.0f}"}
        given = {"xmlns": "http://www.w3.org/2000/svg", **size, "role": "img", "font-family": FONT}
        root = Element("svg", {**given, "aria-labelledby": f"{self.id}-t {self.id}-d"})
        add(root, "title", id=f"{self.id}-t").text = clean(self.title)
        lines = (*self.heads, self.said, *(f"{r.words}: {percent(r.chance)}" for r in self.rows))
        add(root, "desc", id=f"{self.id}-d").text = clean("\n".join(lines))
        hatch = add(add(root, "defs"), "pattern", id=f"{self.id}-h", width=5, height=5, patternUnits="userSpaceOnUse")
        add(hatch, "path", d="M0 5 L5 0", stroke="#1a1a1a", stroke_width=0.8)
        return root

    def _row(self, root: Element, y: float, row: ChartRow, long: float) -> None:
        """A bar with its percentage on its side of the middle, and who is left on the other."""
        group = add(root, "g", **{"class": row.side})
        way = {"attacker": -1, "nobody": 0, "defender": 1}[row.side]
        long = max(long, 1.0)
        bar = Box(_MIDDLE + way * long / 2, y, long, _BAR)
        rect(group, bar, fill=_COLOURS[row.side], stroke="#444444", stroke_width=0.6)
        if row.both:
            part = long * row.both / row.chance if row.chance else 0.0
            rect(group, Box(_MIDDLE + way * part / 2, y, part, _BAR), fill=f"url(#{self.id}-h)")
        at = _MIDDLE - 8 - long if way < 0 else _MIDDLE + 8 + (long if way else long / 2)
        base = y + NAME * 0.36
        write(group, at, base, percent(row.chance), NAME, anchor="end" if way < 0 else "start", weight="bold")
        beside = _MIDDLE + 8 if way < 0 else _MIDDLE - 8 - (0 if way else long / 2)
        label = _fitting(row.words, _LABEL if way else _LABEL - long / 2)
        write(group, beside, base, label, NAME, anchor="start" if way < 0 else "end")

    def _key(self, root: Element) -> None:
        said = ["a bar's length is its chance"]
        if any(r.both for r in self.rows):
            said.append("hatched: units of both sides are left")
        write(root, _EDGE, self.bottom + 26, "; ".join(said), SMALL, anchor="start")


def _fitting(words: str, room: float) -> str:
    """A label, cut where it is too long; the description of the picture has all of it."""
    if width(words, NAME) <= room:
        return words
    parts = words.split(" ")
    while len(parts) > 1 and width(" ".join(parts) + " ...", NAME) > room:
        parts.pop()
    return " ".join(parts).rstrip(",") + " ..."
