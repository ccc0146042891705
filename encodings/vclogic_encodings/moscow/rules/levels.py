"""Levels of victory by the ratio of German to Soviet points, and who takes and holds Moscow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.moscow.board import GERMAN, SIDES, SOVIET
from vclogic_encodings.moscow.citing import cite, encodes
from vclogic_encodings.moscow.fluents import NONE, Fluents
from vclogic_encodings.moscow.rules.points import Score

from vclogic.model.rules import LevelTable, Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import TRUE, member
from vclogic.terms.build import add, and_, ceildiv, eq, ge, gt, is_in, ite, le, linear, ne, not_, or_, scale
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

UNDEFINED = "undefined"
GRADES = ("decisive", "substantial", "marginal")
LEVELS = (
    "soviet_decisive",
    "soviet_substantial",
    "soviet_marginal",
    "german_marginal",
    "german_substantial",
    "german_decisive",
)
LEVEL = EnumSort("level", (*LEVELS, UNDEFINED))
TOTALS = cite("levels/1", "levels/2", "levels/3", "levels/4")


@dataclass(frozen=True)
class TableLine:
    """A line of the Victory Point Table, for two totals of points.

    Attributes:
        applies: Whether the ratio of the totals is as the line says.
        need: How many points the side that the line favours needs, with the other side's points as they are.
    """

    applies: Term
    need: Term


@dataclass(frozen=True)
class Ratio:
    """German points to Soviet points, compared without dividing.

    Attributes:
        german: German points; one for none where the reading says so.
        soviet: Soviet points, likewise.
        defined: Whether there is a ratio.
    """

    german: Term
    soviet: Term
    defined: Term

    def or_less(self, k: int) -> TableLine:
        """A line that says `k:1 or less`."""
        return TableLine(le(self.german, scale(self.soviet, k)), ceildiv(self.german, k))

    def more_than(self, k: int) -> TableLine:
        """A line that says `more than k:1`."""
        return TableLine(gt(self.german, scale(self.soviet, k)), add(scale(self.soviet, k), 1))

    def or_more(self, k: int) -> TableLine:
        """A line that says `k:1 or more`."""
        return TableLine(ge(self.german, scale(self.soviet, k)), scale(self.soviet, k))

    @property
    def lines(self) -> Mapping[str, TableLine]:
        """The lines of the table, by the level of victory."""
        return {name: line(self) for name, line in TABLE.items()}

    @cached_property
    def level(self) -> Term:
        """The level of victory, or `undefined` where there is no ratio."""
        return ite(self.defined, most_extreme(self.lines), member(LEVEL, UNDEFINED))


# ---- the Victory Point Table, as printed: German Victory Points to Soviet Victory Points


@encodes("table-1/1")
def soviet_decisive(ratio: Ratio) -> TableLine:
    """1:1 or less is a Soviet Decisive Victory."""
    return ratio.or_less(1)


@encodes("table-2/1")
def soviet_substantial(ratio: Ratio) -> TableLine:
    """2:1 or less is a Soviet Substantial Victory."""
    return ratio.or_less(2)


@encodes("table-3/1")
def soviet_marginal(ratio: Ratio) -> TableLine:
    """3:1 or less is a Soviet Marginal Victory."""
    return ratio.or_less(3)


@encodes("table-4/1")
def german_marginal(ratio: Ratio) -> TableLine:
    """More than 3:1 is a German Marginal Victory."""
    return ratio.more_than(3)


@encodes("table-5/1")
def german_substantial(ratio: Ratio) -> TableLine:
    """More than 4:1 is a German Substantial Victory."""
    return ratio.more_than(4)


@encodes("table-6/1")
def german_decisive(ratio: Ratio) -> TableLine:
    """6:1 or more is a German Decisive Victory."""
    return ratio.or_more(6)


TABLE: Mapping[str, Callable[[Ratio], TableLine]] = {
    "soviet_decisive": soviet_decisive,
    "soviet_substantial": soviet_substantial,
    "soviet_marginal": soviet_marginal,
    "german_marginal": german_marginal,
    "german_substantial": german_substantial,
    "german_decisive": german_decisive,
}
CLAUSES = {name: cite(f"table-{i}/1") for i, name in enumerate(TABLE, 1)}
"""The line of the table for each level."""


@encodes("levels/1", "levels/2", "levels/4")
def most_extreme(lines: Mapping[str, TableLine]) -> Term:
    """Of the lines that apply the most extreme one has the level; the lines of a side nest."""
    soviet = [name for name in lines if name.startswith(SOVIET.lower())]
    german = [name for name in lines if name not in soviet]
    level: Term = member(LEVEL, UNDEFINED)
    for name in (*german, *reversed(soviet)):  # the last one that applies counts
        level = ite(lines[name].applies, member(LEVEL, name), level)
    return level


class Victory:
    """The level of victory and the outcomes, were points totalled now.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
        score: The points.
    """

    def __init__(self, fluents: Fluents, settings: Settings, score: Score):
        self.fluents = fluents
        self.settings = settings
        self.score = score

    @encodes("levels/3", "levels/4")
    def ratio(self, german: Term, soviet: Term) -> Ratio:
        """The totals are expressed as a ratio of German to Soviet Victory Points: Reading `zero_points`."""
        reading = self.settings.readings["zero_points"]
        some, other = ge(german, 1), ge(soviet, 1)
        if reading == "one":
            return Ratio(add(german, not_(some)), add(soviet, not_(other)), TRUE)
        if reading == "sixfold":
            german = add(german, not_(or_(some, other)))  # one to none is more than any ratio
        defined = {
            "undefined": and_(some, other),
            "divisor": other,
            "limit": or_(some, other),
            "even": TRUE,
            "equal": or_(other, not_(some)),
            "sixfold": TRUE,
        }
        return Ratio(german, soviet, defined[reading])

    @cached_property
    def now(self) -> Ratio:
        """The ratio of all points."""
        return self.ratio(self.score.points(GERMAN), self.score.points(SOVIET))

    @cached_property
    def without_front(self) -> Ratio:
        """The ratio that there would be without points for the front line."""
        return self.ratio(self.score.without_front(GERMAN), self.score.without_front(SOVIET))

    def is_level(self, grade: str, side: str) -> Term:
        """True if the level is exactly that victory of a side."""
        return eq(self.now.level, f"{side.lower()}_{grade}")

    def grade(self, side: str) -> Partial:
        """The value of the level for a side: 6 for its decisive victory to 1 for the other side's."""
        order = LEVELS if side == GERMAN else LEVELS[::-1]
        worth = linear((k, eq(self.now.level, name)) for k, name in enumerate(order, 1))
        return Partial(worth, self.now.defined)

    @cached_property
    def front_matters(self) -> Term:
        """True if the level would be another without points for the front line."""
        return ne(self.now.level, self.without_front.level)

    @cached_property
    def winner(self) -> Term:
        """The side whose victory the level is, once the game has ended."""
        sort = self.fluents.side_or_none.sort
        winner: Term = member(sort, NONE)
        for side in SIDES:
            wins = is_in(self.now.level, [f"{side.lower()}_{g}" for g in GRADES])
            winner = ite(and_(self.fluents.over.fluent, wins), member(sort, side), winner)
        return winner

    def table(self) -> LevelTable:
        """The Victory Point Table for the points as they are; its lines nest."""
        return LevelTable(
            "victory_point_table",
            {name: Partial(line.applies, self.now.defined) for name, line in self.now.lines.items()},
            "the level of victory by German to Soviet points",
            (*TOTALS, *(c for clause in CLAUSES.values() for c in clause)),
            timing=self.fluents.over.fluent,
        )

    # ---- outcomes

    def outcomes(self) -> Iterable[Outcome]:
        """Each level for its side, and Moscow."""
        for side in SIDES:
            for grade in GRADES:
                yield self._level(grade, side)
        for side in SIDES:
            yield self._moscow(side)

    def _level(self, grade: str, side: str) -> Outcome:
        name = f"{side.lower()}_{grade}"
        return Outcome(
            grade,
            side,
            condition=Partial(self.is_level(grade, side), self.now.defined),
            timing=self.fluents.over.fluent,
            when="when the game has ended",
            text=f"a {grade} victory of the {side}s, by German to Soviet points, and no more extreme one",
            cites=(*TOTALS, *CLAUSES[name]),
            have=self.now.german if side == GERMAN else self.now.soviet,
            need=self.now.lines[name].need,
            lacks="a side has no points, so there is no ratio (reading zero_points)",
        )

    def _moscow(self, side: str) -> Outcome:
        return Outcome(
            "moscow",
            side,
            condition=Partial(self.score.takes_and_holds(side, self.fluents.board.moscow)),
            timing=TRUE,
            when="at every moment",
            text=f"the {side}s take and hold Moscow: a unit of theirs and no enemy unit is in its hexes",
            cites=cite("schedule-p2/1"),
        )
