"""A player-turn at the army level as one step: the moves of the power on turn, its battles, the end of its turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from vclogic_encodings.axis_allies.armies.air import fly
from vclogic_encodings.axis_allies.armies.battle import can_be_taken, captures, clearings
from vclogic_encodings.axis_allies.armies.cuts import BattleForces, battles
from vclogic_encodings.axis_allies.armies.events import moves as schemas_of_moves
from vclogic_encodings.axis_allies.armies.happened import happened
from vclogic_encodings.axis_allies.armies.land import enter, marches
from vclogic_encodings.axis_allies.armies.landing import safer_landings
from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.nearby import nearby
from vclogic_encodings.axis_allies.armies.opposed import fights_of
from vclogic_encodings.axis_allies.armies.orders import orders
from vclogic_encodings.axis_allies.armies.prices import PRICES, Price, Prices
from vclogic_encodings.axis_allies.armies.sea import put_to_sea
from vclogic_encodings.axis_allies.armies.supply import supply, with_new_units
from vclogic_encodings.axis_allies.armies.voyages import PlannedTurn, cuts_of_all
from vclogic_encodings.axis_allies.armies.waters import Waters
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.events.combat import owners_after
from vclogic_encodings.axis_allies.game import Rules

from vclogic.model.actions import Action
from vclogic.model.fluents import Family
from vclogic.model.lazy import LazySequence
from vclogic.model.system import IDLE, Metric
from vclogic.model.transition import Cut, Hints, Scoped, TakenStep, Transition, Wanted
from vclogic.terms.atoms import TRUE, integer
from vclogic.terms.build import add, eq, le, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

HEADING = "armies as counts of units, opponents idle"
BOUGHT = "purchases=on: what battles cost is worked out for all numbers of attackers, which are too many then"
FEWEST = "of plans that cost the same, one with few moves is shown"
EXPECTED = (
    "a battle costs what its attackers lose on average, by the dice, as if it were fought to the end with the units "
    "that the plan sends; losses in earlier battles are not subtracted"
)
KNOWN = "chances are known where the enemy stays where it is"
State = Mapping[Term, Term]


@dataclass(frozen=True, kw_only=True)
class TurnStep(Transition):
    """A player-turn as a step of a plan.

    Attributes:
        turn: What can be chosen.
        battles: The battles that cuts are about.
    """

    turn: Muster
    battles: Sequence[BattleForces]


@dataclass(frozen=True)
class Armies:
    """The army level of one game.

    Attributes:
        game: The game.
        end_turn: The action that ends a turn.
    """

    game: Rules
    end_turn: Action

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that a plan can minimize: unit moves, and what its battles are expected to cost."""
        events = (*(s.name for s in schemas_of_moves(self.game)), "capture", "end_turn")
        events += self._growth if self.game.grows else ()
        moves = Metric(
            "moves",
            "round",
            HEADING,
            "units moved, each at most once in a turn of its power",
            lambda side, opponent, start: self._steps(side, opponent, start, None),
            lambda side, opponent: (),
            events=events,
            turns=not self.game.by_dice,
            open_choices=self.game.placement.complexes.may_be_destroyed,
            idle_only=f"{self.game.by_dice}: {KNOWN}" if self.game.by_dice else "",
        )
        return moves, *(self._priced(price, events) for price in PRICES)

    def _priced(self, price: Price, events: tuple[str, ...]) -> Metric:
        """The metric of what battles are expected to cost."""
        prices = Prices(self.game, price)
        return Metric(
            price.name,
            "round",
            HEADING,
            price.text,
            lambda side, opponent, start: self._steps(side, opponent, start, prices),
            lambda side, opponent: (FEWEST, EXPECTED),
            events=events,
            scale=price.scale,
            counted=price.counted,
            idle_only=KNOWN,
            refused=f"the metric {price.name} is not for {BOUGHT}" if self.game.grows else "",
        )

    @property
    def _growth(self) -> tuple[str, ...]:
        """The events by which armies grow."""
        ships = ("launch",) if self.game.roles.ships and self.game.board.sea else ()
        return ("purchase", "place", *ships)

    def _steps(self, side: str | None, opponent: str, start: State, prices: Prices | None) -> Transition:
        fluents = self.game.fluents
        first = start[fluents.turn.fluent]
        return Scoped(
            choices=(),
            legality=(self.end_turn.guard,),
            next=dict(self.end_turn.effects),
            cost=integer(0),
            describe=lambda chosen, values: (),
            counts=eq(fluents.turn.fluent, first),
            scope=lambda state, wanted: self._player_turn(side, opponent, start, state, wanted, prices),
            reads=lambda state: (
                *self._reads(side, opponent, state),
                *(self._underway(start) if state is None else ()),
            ),
            hints=Hints(
                idle=self._idle(start) if side is not None and opponent == IDLE and prices is None else None,
                cuts_of_all=_all_turns if side is not None and opponent == IDLE and not self.game.grows else None,
                lemmas=() if prices is None else (prices.lemmas(),),
            ),
        )

    def _idle(self, start: State) -> frozenset[Term] | None:
        """The fluents that a round without moves changes; None where it may change more than the calendar.

        Where money comes in, or ships begin beside enemies whom they can beat without a move, rounds are not idle;
        nor where it pays to wait for the end of the game, after which nobody takes anything back (option hold).
        """
        fluents, board = self.game.fluents, self.game.board
        waiting = self.game.settings.number("hold") and self.game.settings.word("victory") == "minor"
        sides = {p: x.side for p, x in board.powers.items()}
        present = {
            (r, sides[p]) for (r, p, _), x in fluents.units.fluents.items() if r in set(board.sea) and start[x].hi > 0
        }
        if self.game.grows or waiting or len(present) > len({r for r, _ in present}):
            return None
        return frozenset(fluent for fluent, _ in self.end_turn.effects) - {fluents.turn.fluent, fluents.ended.fluent}

    def _underway(self, start: State) -> tuple[Term, ...]:
        """The fluents of the turn in which the plan begins that affect the rest of it."""
        fluents, underway = self.game.fluents, self.game.fluents.underway
        done = (x for family in underway.families for x in family.fluents.values() if start[x].hi > 0)
        taken = (
            fluents.owner_at_turn_start[t]
            for t in self.game.board.land
            if start[fluents.owner_at_turn_start[t]] != start[fluents.owner[t]]
        )
        return (*done, *taken)

    def _on_turn(self, state: State) -> str:
        turn = state[self.game.fluents.turn.fluent]
        assert turn.is_const, "turns go in order from a known one"
        return str(turn.value)

    def _moves_now(self, side: str | None, opponent: str, state: State) -> bool:
        return side is None or self.game.board.powers[self._on_turn(state)].side == side or opponent == "any"

    def _reads(self, side: str | None, opponent: str, state: State | None) -> tuple[Term, ...]:
        """The fluents that a turn reads: owners, the power's and its enemies' units, its allies' decks at sea."""
        fluents, board = self.game.fluents, self.game.board
        early: tuple[Family, ...] = ()
        there: tuple[Family, ...] = (fluents.complexes, fluents.complex_at_turn_start)
        there += (fluents.owner_at_turn_start, fluents.placed)
        if self.game.placement.infantry.emergency_counts:
            there += (fluents.emergency, fluents.earlier_emergency)
            early = (fluents.first_turn_done,)
        if state is None:
            growth = (fluents.treasury, *there, *early) if self.game.grows else ()
            of_families = (v for family in (fluents.owner, fluents.units, *growth) for v in family.fluents.values())
            return (fluents.turn.fluent, fluents.round.fluent, *of_families)
        if not self._moves_now(side, opponent, state):
            return ()
        power = self._on_turn(state)
        enemies = board.sides[board.enemy(board.powers[power].side)]
        decks = {*self.game.roles.carriers, *self.game.roles.aircraft}
        sea = {*board.sea}
        found = list(fluents.owner.fluents.values())
        for (region, p, unit), units in fluents.units.fluents.items():
            if p == power or p in enemies or (region in sea and unit in decks):
                found.append(units)
        if self.game.grows:
            allied = [p for p in board.sides[board.powers[power].side] if p != power]
            never = {t for t in board.land if any(eq(state[fluents.owner[t]], p) is TRUE for p in allied)}
            at = (x for family in there for index, x in family.fluents.items() if index[0] not in never)
            found += [fluents.treasury[power], *(family[power] for family in early), *at]
        return tuple(found)

    def _forces(self, power: str, start: State, state: State) -> dict[str, int]:
        """Upper bounds on the power's units of each kind: those at the start, and what its money could buy."""
        fluents, board = self.game.fluents, self.game.board
        forces = dict.fromkeys(self.game.roles.all, 0)
        for (_, p, unit), units in fluents.units.fluents.items():
            if p == power:
                forces[unit] += start[units].hi
        for family in (fluents.underway.entered, *((fluents.underway.aloft,) if self.game.roles.aircraft else ())):
            for (_, unit), units in family.fluents.items():
                forces[unit] += start[units].hi
        if self.game.grows:
            turns = state[fluents.round.fluent].hi - start[fluents.round.fluent].lo + 1
            income = sum(board.territories[t].ipc for t in board.land)
            rebates = sum(max(-self.game.placement.complexes.price(t), 0) for t in board.land)
            money = start[fluents.treasury[power]].hi + turns * (income + rebates)
            for unit in forces:
                cost = board.units[unit].cost
                forces[unit] += money // cost if cost else turns * MOST
        return forces

    def _player_turn(
        self,
        side: str | None,
        opponent: str,
        start: State,
        state: State,
        wanted: Wanted | None,
        prices: Prices | None,
    ) -> Transition:
        """The player-turn of the power on turn."""
        fluents, board = self.game.fluents, self.game.board
        power = self._on_turn(state)
        forces = self._forces(power, start, state)
        # Where enemies are idle, the garrisons of the start are known, and cuts can count on them.
        begin = start if side is not None and opponent == IDLE else None
        turn = Muster(self.game, power, state, forces, begin, *self._matters(power, wanted))
        middle = self._moves(turn) if self._moves_now(side, opponent, state) else {}
        at_end = Substitution(middle)
        then = {fluent: at_end(new) for fluent, new in self.end_turn.effects if fluent in state}
        then |= {fluent: none for fluent, none in fluents.underway.reset().items() if fluent in state}
        ours = side is None or board.powers[power].side == side
        moves = add(integer(0), *(flow.count for flow in turn.flows if flow.is_move and ours))
        fought = LazySequence(lambda: fights_of(turn))
        turn.laws += _fought_for(turn)
        paid = {} if prices is None else {prices.choice(fight): prices.law(fight) for fight in fought}
        fights = LazySequence(lambda: battles(turn) if begin is not None else ())
        return TurnStep(
            turn=turn,
            battles=fights,
            choices=(*(flow.count for flow in turn.flows), *turn.flags.values(), *turn.lost.values(), *paid),
            legality=(*turn.laws, *paid.values(), at_end(self.end_turn.guard)),
            next={**middle, **then},
            cost=moves if prices is None else add(integer(0), *paid),
            describe=lambda chosen, values: orders(turn, chosen),
            events=lambda chosen: happened(turn, chosen),
            fights=fought,
            counts=eq(fluents.turn.fluent, start[fluents.turn.fluent]),
            mover=fluents.turn.fluent,
            hints=Hints(
                bounds={x: (0, min(most, x.hi)) for x, most in turn.limits().items()},
                cuts=LazySequence(lambda: (cut for battle in fights for cut in battle.cuts())),
                second_cost=None if prices is None else moves,
                rather=lambda chosen: safer_landings(turn, chosen),
            ),
        )

    def aimed(self, power: str, state: State, aim: Set[str], *, known: bool = True) -> TurnStep:
        """The turn of a power that fights for some regions only, whatever the chance; nothing matters after it.

        Args:
            power: The power; it is on turn.
            state: The value of each fluent, or at least its bounds.
            aim: The regions.
            known: Whether the values are known; else all moves are there that may be of use for some of them.
        """
        begin = state if known else None
        state = nearby(self.game, power, state, aim)
        forces = self._forces(power, state, state)
        turn = Muster(self.game, power, state, forces, begin, not known, True, False, not known, aim)
        after = self._moves(turn)
        return TurnStep(
            turn=turn,
            battles=(),
            choices=(*(flow.count for flow in turn.flows), *turn.flags.values()),
            legality=tuple(turn.laws),
            next=after,
            cost=add(integer(0), *(flow.count for flow in turn.flows if flow.is_move)),
            describe=lambda chosen, values: orders(turn, chosen),
        )

    def _matters(self, power: str, wanted: Wanted | None) -> tuple[bool, bool, bool, bool]:
        """Four flags for parts that matter later: units on land, carriers and aircraft at sea, purchases, ships.

        Ships close ways to counter-attacks, which matters as soon as the turn is over.
        """
        if wanted is None:
            return True, True, True, True
        fluents = self.game.fluents
        sea, afloat = {*self.game.board.sea}, {*self.game.roles.carriers, *self.game.roles.aircraft}
        found = {
            r in sea and u in afloat for (r, p, u), x in fluents.units.fluents.items() if p == power and x in wanted
        }
        grown = {fluents.treasury[power], *fluents.complexes.fluents.values()}
        hold = bool(self.game.settings.number("hold"))
        return False in found, hold or True in found, hold or bool(found or grown & wanted), hold or False in found

    def _moves(self, turn: Muster) -> dict[Term, Term]:
        """Gather the choices of a turn, and return each fluent's value after moves and battles."""
        waters = Waters(turn.board, turn.mine, turn.open)
        if turn.aim is None:
            _go_on(turn)
        marches(turn)
        if self.game.roles.ships:
            put_to_sea(turn, waters)
        if self.game.roles.aircraft:
            zones = [z for z in turn.board.sea if f"clear {z}" in turn.flags]
            fly(turn, [t for t in turn.landed if can_be_taken(turn, t)] + zones)
        taken = captures(turn)
        cleared = clearings(turn, waters)
        turn.laws += turn.enough()
        after = {turn.units(*place): turn.after(*place) for place in {**turn.come, **turn.gone}}
        for region, flag in {**taken, **cleared}.items():
            after |= turn.beaten(region, flag)
        owner = owners_after(self.game, turn.power, taken)
        bought = supply(turn, waters) if self.game.grows and turn.growing else {}
        return {**with_new_units(turn, after), **owner, **bought}


def _all_turns(steps: Sequence[TakenStep]) -> Iterable[Cut]:
    """The cuts over all turns of a plan."""
    turns = [(step, step.step) for step in steps if isinstance(step.step, TurnStep)]
    return cuts_of_all([PlannedTurn(turn.turn, {b.region: b for b in turn.battles}, step) for step, turn in turns])


def _fought_for(turn: Muster) -> Iterable[Term]:
    """Laws: aircraft fly to a battle only where there is one. Else they just fly to where they land.

    Where moves cost nothing they might be made for nothing; and so they might in a plan that is not the cheapest.
    """
    flown: dict[str, list[Term]] = {}
    for flow in turn.moves("sortie"):
        flown.setdefault(flow.target, []).append(flow.count)
    for target, counts in flown.items():
        won = turn.flags.get(f"capture {target}", turn.flags.get(f"clear {target}"))
        none = le(add(*counts), 0)
        yield none if won is None else or_(won, none)


def _go_on(turn: Muster) -> None:
    """Add the battles and flights that are under way when the plan begins in the middle of a turn."""
    underway, board = turn.fluents.underway, turn.board
    for t in board.land:
        for unit in turn.roles.soldiers:
            if units := turn.underway(underway.entered[t, unit]):
                enter(turn, unit, t, integer(units))
        if units := turn.underway(underway.passed[t]):
            turn.landed.setdefault(t, []).append(integer(units))
    for region in board.regions:
        for unit, there in underway.helping(region).items():
            if units := turn.underway(there):
                turn.helps(region, unit, integer(units))
        for unit in turn.roles.aircraft:
            if units := turn.underway(underway.aloft[region, unit]):
                turn.arrive(region, unit, integer(units))
