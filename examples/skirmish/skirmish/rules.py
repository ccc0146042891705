"""The rules of Skirmish: each is a term over the state, with the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.board.graphs import Movement
from vclogic.model.absent import Absent
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.citation import RuleText
from vclogic.model.fluents import Family, Value
from vclogic.model.position import Listing, Thing
from vclogic.model.rules import Observable, Option, Outcome, Rule
from vclogic.model.system import ANY, Encoding, Metric, Settings, System
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.model.view import View
from vclogic.terms.atoms import TRUE, boolean, constant
from vclogic.terms.build import add, and_, count, eq, ge, gt, ite, le, lt, not_, or_, sub
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

from .board import MOST, SIDES, Board, flaws

TEXT = RuleText("skirmish", "RULES.md")
cite, encodes = TEXT.cite, TEXT.encodes
TURNS = "turns"
NONE = "none"
HITS, MISSES = 2, 4  # faces of a die
WITH_DIE = "a die is rolled with `options: {attacks: die}`"


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]


class Rules:
    """The rules over one board.

    Attributes:
        units: How many units of a side stand in an area.
        turn: Whose turn it is.
        round: The round; one more than the last where the game is over.
        target: The area that is under attack until the die is rolled; there with dice only.
    """

    def __init__(self, board: Board, *, dice: bool):
        self.board = board
        self.dice = dice
        self.side = Domain(EnumSort("side", SIDES))
        self.area = Domain(EnumSort("area", tuple(board.areas)))
        self.units = Family(
            "units", IntSort(0, MOST), "how many units of the side stand in the area", (self.side, self.area)
        )
        self.turn = Family("turn", self.side.sort, "whose turn it is", values=self.side)
        attacked = EnumSort("target", (NONE, *board.areas))
        self.target = Family("target", attacked, "the area that is under attack", values=Domain(attacked))
        self.round = Family("round", IntSort(1, board.rounds + 1), "the round", least=1)

    # ---- what is so in a state

    def stands(self, side: str, area: str) -> Term:
        """Whether a unit of a side stands in an area."""
        return ge(self.units[side, area], 1)

    def number(self, side: str) -> Term:
        """How many units a side has."""
        return add(*(self.units[side, area] for area in self.board.areas))

    def areas(self, side: str) -> Term:
        """In how many areas a side stands."""
        return count(self.stands(side, area) for area in self.board.areas)

    @encodes("2/2")
    def played(self) -> Term:
        """Whether the last round has been played."""
        return gt(self.round.fluent, self.board.rounds)

    @encodes("2/1")
    def destroyed(self, side: str) -> Term:
        """Whether a side has no unit left."""
        return le(self.number(side), 0)

    @encodes("2/3")
    def over(self) -> Term:
        """Whether the game is over."""
        return or_(self.played(), *(self.destroyed(side) for side in SIDES))

    def victory(self, side: str) -> Outcome:
        """A side wins."""
        more = and_(self.played(), gt(self.areas(side), self.areas(other(side))))
        met = and_(not_(self.destroyed(side)), or_(self.destroyed(other(side)), more))
        text = f"{other(side)} has no unit left, or {side} stands in more areas after the last round"
        return Outcome("victory", side, Partial(met), TRUE, "at once", text, cite("2/1", "2/2"))

    @encodes("1/5")
    def rolling(self, area: str) -> Term:
        """Whether a die is rolled for an attack on an area, or with `none` for no attack."""
        return eq(self.target.fluent, area)

    # ---- what can happen

    @encodes("1/1")
    def on_turn(self, side: str) -> Term:
        """Whether it is the turn of a side."""
        return eq(self.turn.fluent, side)

    def after(self, side: str) -> tuple[tuple[Term, Term], ...]:
        """What the end of a side's turn changes."""
        then = ((self.turn.fluent, constant(self.side.sort, other(side))),)
        if side == SIDES[0]:
            return then
        round = self.round.fluent
        return (*then, (round, ite(self.played(), round, add(round, 1))))

    def may_act(self, side: str) -> tuple[Requirement, ...]:
        """What every deed of a side asks."""
        rolled = (Requirement(self.rolling(NONE), "a die is to be rolled first", cite("1/5")),) if self.dice else ()
        return (
            *rolled,
            Requirement(self.on_turn(side), f"it is not the turn of {side}", cite("1/1")),
            Requirement(not_(self.over()), "the game is over", cite("2/3")),
        )

    @encodes("1/3")
    def move(self, side: str, start: str, end: str) -> Action:
        """A side moves a unit."""
        here, there = self.units[side, start], self.units[side, end]
        enemy = self.units[other(side), end]
        near = end in self.board.neighbours(start)
        return Action(
            name="move",
            args=(("side", side), ("start", start), ("end", end)),
            actor=side,
            requirements=(
                Requirement(boolean(near), f"{end} is no neighbour of {start}", cite("1/3")),
                *self.may_act(side),
                Requirement(ge(here, 1), f"no unit of {side} stands in {start}", cite("1/2")),
                Requirement(le(enemy, 0), f"an enemy stands in {end}", cite("1/3")),
                Requirement(lt(there, MOST), f"{end} is full", cite("1/3")),
            ),
            effects=((here, sub(here, 1)), (there, add(there, 1)), *self.after(side)) if near else (),
            text=f"{side} moves a unit from {start} to {end}",
            costs={TURNS: 1},
            cites=cite("1/2", "1/3"),
        )

    @encodes("1/4")
    def attack(self, side: str, area: str) -> Action:
        """A side attacks an area."""
        enemy = self.units[other(side), area]
        near = count(self.stands(side, name) for name in self.board.neighbours(area))
        return Action(
            name="attack",
            args=(("side", side), ("area", area)),
            actor=side,
            requirements=(
                *self.may_act(side),
                Requirement(ge(enemy, 1), f"no enemy stands in {area}", cite("1/4")),
                Requirement(
                    ge(near, 2), f"units of {side} stand in fewer than two areas next to {area}", cite("1/4")
                ),
            ),
            effects=((self.target.fluent, self._aim(area)),) if self.dice else self.removed(side, area),
            text=f"{side} attacks {area}",
            costs={TURNS: 1},
            cites=cite("1/4"),
        )

    def removed(self, side: str, area: str) -> tuple[tuple[Term, Term], ...]:
        """What changes where an attack of a side removes a unit."""
        enemy = self.units[other(side), area]
        return ((enemy, sub(enemy, 1)), *self.after(side))

    def hit(self, side: str, area: str) -> Action:
        """The die removes a unit."""
        there = Requirement(ge(self.units[other(side), area], 1), f"no enemy stands in {area}", cite("1/4"))
        changes = ((self.target.fluent, self._aim(NONE)), *self.removed(side, area))
        needs, args = (*self._rolls(side, area), there), (("side", side), ("area", area))
        return Action("hit", args, None, needs, changes, f"{side} hits", cites=cite("1/5"), odds=HITS)

    def miss(self, side: str, area: str) -> Action:
        """The die removes nothing."""
        changes = ((self.target.fluent, self._aim(NONE)), *self.after(side))
        needs, args = self._rolls(side, area), (("side", side), ("area", area))
        return Action("miss", args, None, needs, changes, f"{side} misses", cites=cite("1/5"), odds=MISSES)

    def _rolls(self, side: str, area: str) -> tuple[Requirement, ...]:
        return (
            Requirement(self.on_turn(side), f"it is not the turn of {side}", cite("1/1")),
            Requirement(self.rolling(area), f"{area} is not under attack", cite("1/5")),
        )

    def _aim(self, area: str) -> Term:
        return constant(self.target.sort, area)

    @encodes("1/2")
    def wait(self, side: str) -> Action:
        """A side waits."""
        needs, cites = self.may_act(side), cite("1/2")
        return Action("wait", (("side", side),), side, needs, self.after(side), f"{side} waits", {TURNS: 1}, cites)

    def step(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        """One step of a plan: a side that moves has a turn, an idle side waits."""
        moving = SIDES if side is None or opponent == ANY else (side,)
        deeds = [self.wait(s) for s in SIDES]
        for s in moving:
            deeds += [self.attack(s, a) for a in self.board.areas]
            deeds += [self.move(s, a, b) for a in self.board.areas for b in self.board.neighbours(a)]
            deeds += [roll(s, a) for roll in (self.hit, self.miss) for a in self.board.areas if self.dice]
        return one_at_a_time(deeds, TURNS)

    # ---- all together

    def system(self) -> System:
        """The rule set."""
        side, area = Parameter("side", self.side), Parameter("area", self.area)
        start, end = Parameter("start", self.area), Parameter("end", self.area)
        whose = "the side whose turn it is"
        first: dict[Term, Value] = {self.turn.fluent: SIDES[0], self.round.fluent: 1}
        units = {self.units[s, a]: self.board.units(s, a) for s in SIDES for a in self.board.areas}
        if self.dice:
            first[self.target.fluent] = NONE
        rolls = (
            Schema("hit", (side, area), self.hit, "the die removes a unit", cite("1/5")),
            Schema("miss", (side, area), self.miss, "the die removes nothing", cite("1/5")),
        )
        apart = and_(*(le(self._sides_in(a), 1) for a in self.board.areas))
        return System(
            sides={s: (s,) for s in SIDES},
            families=(self.units, self.turn, self.round, *((self.target,) if self.dice else ())),
            absent=Absent() if self.dice else Absent({"target": WITH_DIE}, {"hit": WITH_DIE, "miss": WITH_DIE}),
            initial={**first, **units},
            rules=(Rule("over", self.over(), "the game is over", cite("2/3")),),
            invariants=(Rule("apart", apart, "no area holds units of both sides", cite("1/3")),),
            outcomes=tuple(self.victory(s) for s in SIDES),
            observables=(
                Observable("units", (self.side, self.area), lambda s, a: self.units[s, a], "units in an area"),
                Observable("number", (self.side,), self.number, "the units of a side", cite("2/1")),
                Observable("areas", (self.side,), self.areas, "the areas in which a side stands", cite("2/2")),
                Observable("turn", (), lambda: self.turn.fluent, "whose turn it is", cite("1/1"), self.side),
                Observable("round", (), lambda: self.round.fluent, "the round", cite("2/2")),
            ),
            events=(
                Schema("move", (side, start, end), self.move, "a unit moves", cite("1/3"), decided_by=whose),
                Schema("attack", (side, area), self.attack, "a unit is removed", cite("1/4"), decided_by=whose),
                Schema("wait", (side,), self.wait, "a side waits", cite("1/2"), decided_by=whose, obliged=True),
                *(rolls if self.dice else ()),
            ),
            metrics=(
                Metric(
                    *(TURNS, "turn", "", "the turns of both sides", self.step, lambda side, opponent: ()),
                    events=("move", "attack", "wait", *(("hit", "miss") if self.dice else ())),
                ),
            ),
            schedule=(self.round.fluent, self.turn.fluent),
            overview=tuple((name, s) for name in ("number", "areas") for s in SIDES),
            position=self.position,
            ends=self.played(),
            movement=(self.movement(),),
        )

    def movement(self) -> Movement:
        """Where units can go: from an area into each of its neighbours."""
        areas = self.board.areas
        return Movement("units", {name: self.board.neighbours(name) for name in areas}, dict.fromkeys(areas, 1))

    def position(self, now: View) -> tuple[Listing, ...]:
        """What `status` shows of a position: how many units stand in each area."""
        areas = {a: constant(self.area.sort, a) for a in self.board.areas}
        units = [Thing("units", areas[a], side=s, count=now(x)) for (s, a), x in self.units.fluents.items()]
        return (Listing("Units", "Area", "units", units),)

    def _sides_in(self, area: str) -> Term:
        """How many sides stand in an area."""
        return count(self.stands(side, area) for side in SIDES)


def build(board: Board, settings: Settings) -> System:
    """The rule set over a board."""
    return Rules(board, dice=settings.word("attacks") == "die").system()


ENCODING = Encoding(
    name="skirmish",
    title="Skirmish",
    texts=(TEXT,),
    options=(Option("attacks", ("sure", "die"), "sure", "die: an attack hits on a 5 or 6 only", cite("1/5")),),
    readings=(),
    board=Board,
    check_board=flaws,
    build=build,
)
