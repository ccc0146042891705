"""The key below an area map: what there is on it, and nothing else; and its moves in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from vclogic.draw.arrows import FIRST, PLAIN, Style, arrow_line, number, styles
from vclogic.draw.boxes import NAME, SMALL, Box, broken, width
from vclogic.draw.elements import Element, add, fills, num, party_plate, party_width, rect, seconds, write
from vclogic.draw.marks import legend
from vclogic.draw.signs import Counters
from vclogic.draw.words import caption_lines
from vclogic.model.force import Sign
from vclogic.model.picture import Arrow, Caption, Party, Picture, Way

HATCH = {"stroke": "#8c8c8c", "stroke_dasharray": "2 2"}
"""The border of what is closed to everybody."""
SEA = {"fill": "#f6fafd", "stroke": "#4d7a99"}
"""The look of seas."""
_STEP, _ROW = 16.0, 23.0
_COLUMN, _CAPTIONS = 660.0, 480.0  # a column is at most so wide, and captions have at least so much
_LEAST = 330.0
_APART = 26.0
_MOST = 24  # rows of moves
_WAYS: Mapping[Way, str] = {"land": "by land", "sea": "by sea", "air": "by air", "strike": "an attack"}


_Shown = tuple[float, str, Callable[[float, float], object]]


class AreaKey:
    """The text below one map.

    Args:
        root: The SVG element that it is added to.
        ids: What ids in the file begin with.
        picture: The picture.
        counters: How units are shown.
        wide: How wide the page is.
    """

    def __init__(self, root: Element, ids: str, picture: Picture, counters: Counters, wide: float):
        self.root, self.ids, self.picture, self.counters = root, ids, picture, counters
        self.fills, self.second, self.styles = fills(picture), seconds(picture), styles(picture)
        self.group = add(root, "g", **{"class": "key"})
        self.left, self.right = 10.0, wide - 10.0
        share = 0.4 if picture.captions else 1.0
        self.room = min(_COLUMN if picture.captions else 2 * _COLUMN, max((wide - 20) * share, _LEAST))

    def draw(self, top: float) -> float:
        """Draw the key from a height on; return where it ends."""
        y = self._parties(top + 18)
        y = self._samples(y)
        y = self._lines((*self.picture.key, *self._signs()), y + 2)
        if self.picture.legend:
            y = legend(self.root, self.picture.legend, self.ids, (self.left, y + 6), self.room, self.styles)
        return max(y, self._captions(top, y)) + 6

    # ---- parties

    def _parties(self, y: float) -> float:
        """The parties that are seen, by their sides."""
        seen = self._seen()
        x = self.left
        for side in dict.fromkeys(p.side for p in seen):
            parties = [p for p in seen if p.side == side]
            wide = width(side, 13) + party_width(parties[0], parties[0].name) + 8
            if x > self.left and x + wide > self.left + self.room:
                x, y = self.left, y + 25
            write(self.group, x, y + 4, side, 13, weight="bold", anchor="start")
            x += width(side, 13) * 1.05 + 8
            for party in parties:
                if x > self.left and x + party_width(party, party.name) > self.left + self.room:
                    x, y = self.left, y + 25
                second = self.second[party.name]
                x = party_plate(self.group, x, y, party, party.name, self.fills[party.name], second=second) + 8
            x += 10
        return y + 25 if seen else y

    def _seen(self) -> list[Party]:
        """The parties that own something, have units, or move."""
        picture = self.picture
        names = {n for r in picture.regions for n in (r.owner, r.becomes, *(f.party for f in r.forces))}
        names |= {a.party for a in picture.arrows} | {f.party for a in picture.arrows for f in a.forces}
        return [p for p in picture.parties if p.name in names]

    # ---- samples

    def _samples(self, y: float) -> float:
        """Kinds of regions, kinds of units, and arrows, a row each or more."""
        for row in (list(self._shapes()), list(self._units()), list(self._arrows())):
            x = self.left
            for wide, label, draw in row:
                needed = wide + 6 + width(label, NAME) + 14
                if x > self.left and x + needed > self.left + self.room:
                    x, y = self.left, y + _ROW
                draw(x, y)
                write(self.group, x + wide + 6, y + 4, label, NAME, anchor="start")
                x += needed
            y += _ROW if row else 0
        return y

    def _shapes(self) -> Iterable[_Shown]:
        kinds = {r.kind for r in self.picture.regions}
        if "sea" in kinds:
            yield 30.0, "sea", partial(self._shape, {"rx": 7.5, **SEA})
        if "closed" in kinds:
            yield 30.0, "closed to everybody", partial(self._shape, {"fill": f"url(#{self.ids}-h)", **HATCH})

    def _shape(self, look: Mapping[str, object], x: float, y: float) -> None:
        rect(self.group, Box(x + 15, y, 30, 15), **look)

    def _units(self) -> Iterable[_Shown]:
        for kind, sign in self.counters.kinds.items():
            yield self.counters.frame(kind), kind, partial(self._unit, kind, sign)

    def _unit(self, kind: str, sign: Sign, x: float, y: float) -> None:
        self.counters.sample(self.group, (x, y), kind, sign)

    def _arrows(self) -> Iterable[_Shown]:
        """An arrow of each side that moves, and of each way in which something moves."""
        drawn = [a for a in self.picture.arrows if a.source is not None and a.source != a.target]
        side = {p.name: p.side for p in self.picture.parties}
        full = {side[a.party]: a.party for a in self.picture.arrows if a.party in side and not a.hollow}
        for name, party in full.items():
            yield 62.0, f"moves of the {name} side", partial(self._sample, self.styles[party])
        for way in (w for w in _WAYS if any(a.way == w for a in drawn)):
            yield 40.0, _WAYS[way], partial(self._way, Arrow(None, "", way=way))

    def _way(self, arrow: Arrow, x: float, y: float) -> None:
        arrow_line(self.group, f"M{num(x)} {num(y)} L{num(x + 36)} {num(y)}", arrow, "", PLAIN)

    def _sample(self, style: Style, x: float, y: float) -> None:
        """An arrow of a side with the plate of its numbers."""
        number(self.group, x + 10, y, self._first, style=style)
        d = f"M{num(x + 22)} {num(y)} L{num(x + 58)} {num(y)}"
        arrow_line(self.group, d, Arrow(None, ""), "", style)
        tip = f"M{num(x + 40)} {num(y)} L{num(x + 58)} {num(y)}"
        arrow_line(self.group, tip, Arrow(None, ""), self.ids, style)

    @property
    def _first(self) -> int:
        return min((a.step for a in self.picture.arrows), default=1)

    # ---- sentences

    def _signs(self) -> Iterable[str]:
        picture = self.picture
        if any(f.party == r.owner for r in picture.regions for f in r.forces):
            yield "units without a letter belong to the owner of the territory"
        if any(r.battle for r in picture.regions):
            yield "battle: the chance by the dice that it goes as planned, with the units that the plan sends"
        if any(r.becomes for r in picture.regions):
            yield "a second frame, two letters: changes hands"
        if picture.arrows:
            yield "arrows are numbered by turn"

    def _lines(self, lines: Iterable[str], y: float) -> float:
        for line in lines:
            for part in broken(line, NAME, self.room - 10):
                write(self.group, self.left, y + 2, part, NAME, anchor="start")
                y += _STEP
        return y

    # ---- moves in words

    def _captions(self, top: float, bottom: float) -> float:
        """The moves in words, beside the rest of the key, as high as it is or higher; where they end."""
        if not self.picture.captions:
            return top
        group = add(self.root, "g", **{"class": "captions"})
        left = self.left + self.room + _APART
        columns = max(int((self.right - left + _APART) / (_CAPTIONS + _APART)), 1)
        room = (self.right - left + _APART) / columns - _APART
        lines = list(caption_lines(self.picture, NAME, room - 30))
        if len(lines) > columns * _MOST:
            rest = f"and {len(lines) - columns * _MOST + 1} more lines: see the description"
            lines = [*lines[: columns * _MOST - 1], (None, rest)]
        rows = max(math.ceil(len(lines) / columns), int((bottom - top - 18) / 17))
        for i, (caption, line) in enumerate(lines):
            x, y = left + (room + _APART) * (i // rows), top + 18 + 17 * (i % rows)
            if caption is not None:
                number(group, x + 9, y, caption.step, hollow=caption.hollow, style=self._style(caption))
            write(group, x + 25, y + SMALL * 0.36, line, NAME, anchor="start")
        return top + 18 + 17 * rows

    def _style(self, caption: Caption) -> Style:
        """The style of a turn's arrows."""
        own = (a.party for a in self.picture.arrows if (a.step, a.hollow) == (caption.step, caption.hollow))
        return self.styles.get(next(own, None), FIRST)
