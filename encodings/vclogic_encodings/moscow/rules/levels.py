"""Levels of victory by the ratio of German to Soviet points, and who takes and holds Moscow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.moscow.board import GERMAN, SIDES, SOVIET
from vclogic_encodings.moscow.citing import cite
from vclogic_encodings.moscow.fluents import Fluents
from vclogic_encodings.moscow.names import GRADES, LEVEL, LEVELS, NONE, UNDEFINED
from vclogic_encodings.moscow.rules.points import Score

from vclogic.model.rules import LevelTable, Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, member
from vclogic.terms.build import add, and_, ceildiv, eq, ge, gt, is_in, ite, le, linear, ne, not_, or_, scale
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

ROWS = {
    "soviet_decisive": "table-1/1",
    "soviet_substantial": "table-2/1",
    "soviet_marginal": "table-3/1",
    "german_marginal": "table-4/1",
    "german_substantial": "table-5/1",
    "german_decisive": "table-6/1",
}
"""The line of the table for each level."""
TOTALS = ("levels/1", "levels/2", "levels/3", "levels/4")


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

    def at_most(self, k: int) -> Term:
        """Whether the ratio is k:1 or less."""
        return le(self.german, scale(self.soviet, k))

    def more_than(self, k: int) -> Term:
        """Whether the ratio is more than k:1."""
        return gt(self.german, scale(self.soviet, k))

    @cached_property
    def level(self) -> Term:
        """The most extreme level that applies, or `undefined` where there is no ratio."""
        lines = {
            "german_substantial": self.more_than(4),
            "german_decisive": ge(self.german, scale(self.soviet, 6)),
            "soviet_marginal": self.at_most(3),
            "soviet_substantial": self.at_most(2),
            "soviet_decisive": self.at_most(1),
        }
        level: Term = member(LEVEL, "german_marginal")  # more than 3:1 is what is left
        for name, applies in lines.items():  # the last one that applies counts
            level = ite(applies, member(LEVEL, name), level)
        return ite(self.defined, level, member(LEVEL, UNDEFINED))


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

    def ratio(self, german: Term, soviet: Term) -> Ratio:
        """The ratio of points, under the reading of zero."""
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
        """Whether the level is exactly that victory of a side."""
        return eq(self.now.level, f"{side.lower()}_{grade}")

    def grade(self, side: str) -> Partial:
        """How good the level is for a side: 6 for its decisive victory to 1 for the other side's."""
        order = LEVELS if side == GERMAN else LEVELS[::-1]
        worth = linear((k, eq(self.now.level, name)) for k, name in enumerate(order, 1))
        return Partial(worth, self.now.defined)

    @cached_property
    def front_matters(self) -> Term:
        """Whether the level is another than it would be without points for the front line."""
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
        """The Victory Point Table, each line as the text words it: the lines nest."""
        r = self.now
        lines = {
            "soviet_decisive": r.at_most(1),
            "soviet_substantial": r.at_most(2),
            "soviet_marginal": r.at_most(3),
            "german_marginal": r.more_than(3),
            "german_substantial": r.more_than(4),
            "german_decisive": ge(r.german, scale(r.soviet, 6)),
        }
        return LevelTable(
            "victory_point_table",
            {name: Partial(applies, r.defined) for name, applies in lines.items()},
            "the level of victory by German to Soviet points",
            cite(*TOTALS, *ROWS.values()),
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
        german, soviet = self.now.german, self.now.soviet
        need = {
            "soviet_decisive": german,
            "soviet_substantial": ceildiv(german, 2),
            "soviet_marginal": ceildiv(german, 3),
            "german_marginal": add(scale(soviet, 3), 1),
            "german_substantial": add(scale(soviet, 4), 1),
            "german_decisive": scale(soviet, 6),
        }[name]
        return Outcome(
            grade,
            side,
            condition=Partial(self.is_level(grade, side), self.now.defined),
            timing=self.fluents.over.fluent,
            when="when the game has ended",
            text=f"a {grade} victory of the {side}s, by German to Soviet points, and no more extreme one",
            cites=cite(*TOTALS, ROWS[name]),
            won=FALSE,
            lost=FALSE,
            have=german if side == GERMAN else soviet,
            need=need,
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
            won=FALSE,
            lost=FALSE,
        )
