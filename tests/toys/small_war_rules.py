"""The rule sets of small games of moving and attacking (`tests/toys/small_wars.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import permutations

from tests.toys.small_wars import BLUE, MISSES, RED, SIDES, War, enemy
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.citation import Citation
from vclogic.model.fluents import Family, State, Value
from vclogic.model.rules import Observable, Outcome
from vclogic.model.system import Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, integer
from vclogic.terms.build import add, all_of, and_, any_of, count, eq, ge, gt, ite, linear, lt, not_, or_, sub, total
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

CITES = (Citation("book", "1/1"),)
SIDE = Domain(EnumSort("side", SIDES))
HOLDER = EnumSort("holder", ("none", *SIDES))


class Rules:
    """The rule set of a small war.

    Args:
        game: Its facts.
    """

    def __init__(self, game: War):
        self.game = game
        self.area = Domain(EnumSort("area", game.areas))
        self.units = Family("units", IntSort(0, game.limit), "the units of a side in an area", (SIDE, self.area))
        self.turn = Family("turn", SIDE.sort, "the side on turn", values=SIDE)
        self.acted = Family("acted", BOOL, "the side on turn has moved or attacked")
        self.round = Family("round", IntSort(1, game.rounds + 1), "the round")
        self.winner = Family("winner", HOLDER, "the side that won first", values=Domain(HOLDER))
        self.die = Family("die", EnumSort("die", ("none", *game.areas)), "the area for which a die is to be thrown")

    @property
    def families(self) -> tuple[Family, ...]:
        """The fluents that the game needs."""
        game = self.game
        found = [self.units]
        if game.first:
            found.append(self.turn)
        if not game.single:
            found.append(self.acted)
        if game.rounds:
            found.append(self.round)
        if game.latched:
            found.append(self.winner)
        if game.odds:
            found.append(self.die)
        return tuple(found)

    # ---- what is so

    def there(self, side: str, area: str) -> Term:
        """Whether a side has units in an area."""
        return ge(self.units[side, area], 1)

    def on_turn(self, side: str) -> Term:
        """Whether a side may act."""
        return eq(self.turn.fluent, side) if self.game.first else TRUE

    @property
    def over(self) -> Term:
        """Whether the rounds are over."""
        return gt(self.round.fluent, self.game.rounds) if self.game.rounds else FALSE

    def score(self, side: str) -> Term:
        """The points on which a side stands."""
        return total((p, self.there(side, a)) for a, p in zip(self.game.areas, self.game.points, strict=True))

    def reached(self, side: str) -> Term:
        """Whether a side has what it needs to win now."""
        game, area = self.game, self.game.goals[side]
        found = []
        if area:
            found.append(self.there(side, area))
        if game.removal:
            found.append(not_(any_of(self.there(enemy(side), a) for a in game.areas)))
        if game.rounds:
            found.append(and_(self.over, gt(sub(self.score(side), self.score(enemy(side))), 0)))
        return any_of(found)

    @property
    def judged(self) -> Term:
        """Whether it is looked at who has won: between turns, and not while a die is to be thrown."""
        found = []
        if not self.game.single:
            found.append(not_(self.acted.fluent))
        if self.game.odds:
            found.append(eq(self.die.fluent, "none"))
        return all_of(found)

    def won(self, side: str) -> Term:
        """Whether a side has won at this moment. What both reach at once, nobody has won."""
        return and_(self.judged, self.reached(side), not_(self.reached(enemy(side))))

    def outcomes(self) -> Iterable[Outcome]:
        """One way to win for each side; with latches, what was first is kept."""
        for side in SIDES:
            won: Term = FALSE
            lost: Term = FALSE
            if self.game.latched:
                won, lost = eq(self.winner.fluent, side), eq(self.winner.fluent, enemy(side))
            yield Outcome(
                "victory",
                side,
                Partial(and_(self.reached(side), not_(self.reached(enemy(side))))),
                self.judged,
                "between turns",
                f"{side} wins",
                CITES,
                won,
                lost,
            )

    @property
    def ended(self) -> Term:
        """Whether nothing can happen any more."""
        decided = or_(self.won(RED), self.won(BLUE))
        return or_(decided, self.over)

    # ---- what can happen

    def _event(
        self,
        name: str,
        args: tuple[tuple[str, Value], ...],
        actor: str | Term | None,
        needs: Iterable[tuple[Term, str]],
        effects: Mapping[Term, Term],
    ) -> Action:
        conditions = [*needs, (not_(self.ended), "the game is over")]
        changed = dict(effects)
        if self.game.latched:
            changed |= self._latch(changed)
        return Action(
            name,
            args,
            actor,
            tuple(Requirement(t, said, CITES) for t, said in conditions),
            tuple(changed.items()),
            f"{name} {', '.join(str(v) for _, v in args)}",
            {"moves": 1},
        )

    def _latch(self, effects: Mapping[Term, Term]) -> Mapping[Term, Term]:
        then = Substitution(effects)
        winner: Term = self.winner.fluent
        for side in SIDES:
            now = and_(eq(self.winner.fluent, "none"), then(self.won(side)))
            winner = ite(now, constant(HOLDER, side), winner)
        return {self.winner.fluent: winner}

    def _next_turn(self) -> dict[Term, Term]:
        """What changes as a turn ends."""
        game, found = self.game, dict[Term, Term]()
        if not game.first:
            return found
        turn = self.turn.fluent
        found[turn] = ite(eq(turn, RED), constant(SIDE.sort, BLUE), constant(SIDE.sort, RED))
        if game.rounds:
            found[self.round.fluent] = linear([(1, self.round.fluent), (1, eq(turn, enemy(game.first)))])
        if not game.single:
            found[self.acted.fluent] = FALSE
        return found

    def _done(self) -> dict[Term, Term]:
        """What changes when a side has moved or attacked."""
        return self._next_turn() if self.game.single else {self.acted.fluent: TRUE}

    def _free(self, side: str) -> list[tuple[Term, str]]:
        """What a side needs for whatever it does."""
        found = [(self.on_turn(side), f"it is not the turn of {side}")]
        if not self.game.single:
            found.append((not_(self.acted.fluent), f"{side} has done something in this turn"))
        if self.game.odds:
            found.append((eq(self.die.fluent, "none"), "a die is to be thrown"))
        return found

    def move(self, side: str, start: str, to: str) -> Action:
        """A unit moves along a road to an area without enemies."""
        here, there = self.units[side, start], self.units[side, to]
        joined = self.game.touch(start, to)
        return self._event(
            "move",
            (("side", side), ("start", start), ("to", to)),
            side,
            (
                *self._free(side),
                (boolean(joined), "no road joins them"),
                (ge(here, 1), f"{side} has no unit in {start}"),
                (not_(self.there(enemy(side), to)), f"an enemy is in {to}"),
                (lt(there, self.game.limit), f"{to} is full"),
            ),
            {here: sub(here, 1), there: add(there, 1), **self._done()} if joined else {},
        )

    def attack(self, side: str, area: str) -> Action:
        """A side removes an enemy unit that it attacks from so many areas; with dice, a die is to be thrown."""
        game, target = self.game, self.units[enemy(side), area]
        near = count(self.there(side, a) for a in game.areas if game.touch(a, area))
        effects = {self.die.fluent: constant(self.die.fluent.sort, area)} if game.odds else {}
        if not game.odds:
            effects = {target: sub(target, 1), **self._done()}
        return self._event(
            "attack",
            (("side", side), ("area", area)),
            side,
            (
                *self._free(side),
                (ge(target, 1), f"no enemy is in {area}"),
                (ge(near, game.attackers), f"{side} has not enough areas around {area}"),
            ),
            effects,
        )

    def thrown(self, area: str, hit: bool) -> Action:
        """The die is thrown for an attack."""
        effects: dict[Term, Term] = {self.die.fluent: constant(self.die.fluent.sort, "none"), **self._done()}
        if hit:
            for side in SIDES:
                target = self.units[enemy(side), area]
                lost = and_(eq(self.turn.fluent, side), ge(target, 1))
                effects[target] = linear([(1, target), (-1, lost)])
        event = self._event(
            "hit" if hit else "miss",
            (("area", area),),
            None,
            ((eq(self.die.fluent, area), f"no die is to be thrown for {area}"),),
            effects,
        )
        if not self.game.declared:
            return event
        return replace(event, odds=self.weight(area) if hit else MISSES)

    def weight(self, area: str) -> Term:
        """How much a hit weighs: as the facts say, and one more for each area that the attacker has around it."""
        near = (a for a in self.game.areas if self.game.touch(a, area))
        around = [and_(eq(self.turn.fluent, s), self.there(s, a)) for a in near for s in SIDES]
        return linear([(1, integer(self.game.odds)), *((1, t) for t in around)])

    def end_turn(self) -> Action:
        """The side on turn ends its turn."""
        needs: list[tuple[Term, str]] = []
        if not self.game.single and not self.game.may_pass:
            needs.append((self.acted.fluent, "nothing has been done yet"))
        if self.game.odds:
            needs.append((eq(self.die.fluent, "none"), "a die is to be thrown"))
        return self._event("end_turn", (), self.turn.fluent, needs, self._next_turn())

    def events(self) -> tuple[Schema, ...]:
        """All kinds of events."""
        game, area = self.game, self.area
        side = Parameter("side", SIDE)
        found = [
            Schema(
                "move",
                (side, Parameter("start", area), Parameter("to", area)),
                self.move,
                "a unit moves",
                CITES,
                decided_by="its side",
            ),
            Schema(
                "attack",
                (side, Parameter("area", area)),
                self.attack,
                "a unit is attacked",
                CITES,
                decided_by="the side that attacks",
            ),
        ]
        if game.first and (game.may_pass or not game.single):
            found.append(Schema("end_turn", (), self.end_turn, "a turn ends", CITES, decided_by="the side on turn"))
        if game.odds:
            found += [
                Schema("hit", (Parameter("area", area),), lambda area: self.thrown(area, hit=True), "hit", CITES),
                Schema(
                    "miss", (Parameter("area", area),), lambda area: self.thrown(area, hit=False), "a miss", CITES
                ),
            ]
        return tuple(found)

    def system(self) -> System:
        """The rule set."""
        game, events = self.game, self.events()
        sides = {s: (s,) for s in SIDES}
        steps = one_at_a_time(
            [
                *(self.move(s, a, b) for s in SIDES for a, b in permutations(game.areas, 2) if game.touch(a, b)),
                *(self.attack(s, a) for s in SIDES for a in game.areas),
            ],
            "moves",
        )
        metric = Metric(
            "moves",
            "move",
            "",
            "moves",
            lambda side, opponent, start: steps,
            lambda side, opponent: (),
            events=tuple(s.name for s in events),
        )
        return System(
            sides,
            self.families,
            {f: self.start[f] for family in self.families for f in family.fluents.values()},
            rules=(),
            invariants=(),
            outcomes=tuple(self.outcomes()),
            observables=(Observable("units", (SIDE, self.area), lambda s, a: self.units[s, a], "units", CITES),),
            events=events,
            metrics=(metric,),
            winner=self.winner.fluent if game.latched else None,
            ends=self.over,
            schedule=(self.turn.fluent,) if game.first else (),
        )

    @property
    def start(self) -> dict[Term, Value]:
        """The value of each fluent at the start."""
        game = self.game
        units = {s: zip(game.areas, game.units[s], strict=True) for s in SIDES}
        found: dict[Term, Value] = {self.units[s, a]: n for s in SIDES for a, n in units[s]}
        found |= {self.turn.fluent: game.first or RED, self.acted.fluent: False, self.round.fluent: 1}
        return found | {self.winner.fluent: "none", self.die.fluent: "none"}


def rules(game: War) -> System:
    """The rule set of a game."""
    return Rules(game).system()


def start(system: System) -> State:
    """Its start."""
    return system.layout.state(system.completed({}))
