"""A player-turn at the army level as one step: the moves of the power on turn, its battles, the end of its turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic_encodings.axis_allies.armies.air import fly
from vclogic_encodings.axis_allies.armies.battle import can_be_taken, captures, clearings
from vclogic_encodings.axis_allies.armies.cuts import Battle, battles
from vclogic_encodings.axis_allies.armies.events import moves as schemas_of_moves
from vclogic_encodings.axis_allies.armies.happened import happened
from vclogic_encodings.axis_allies.armies.land import enter, marches
from vclogic_encodings.axis_allies.armies.laws import SHARE
from vclogic_encodings.axis_allies.armies.muster import Blow, Muster
from vclogic_encodings.axis_allies.armies.orders import orders
from vclogic_encodings.axis_allies.armies.roles import Roles
from vclogic_encodings.axis_allies.armies.sea import put_to_sea
from vclogic_encodings.axis_allies.armies.supply import supply, with_new_units
from vclogic_encodings.axis_allies.armies.voyages import Turn, cuts_of_all
from vclogic_encodings.axis_allies.armies.waters import Waters
from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.events.combat import new_owner
from vclogic_encodings.axis_allies.game import Context

from vclogic.model.actions import Action
from vclogic.model.fluents import Family
from vclogic.model.lazy import Later
from vclogic.model.system import IDLE, Metric
from vclogic.model.transition import Cut, Hints, Scoped, Taken, Transition, Wanted
from vclogic.terms.atoms import TRUE, integer
from vclogic.terms.build import add, eq, ite
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

JUDGED = "moves and battles are judged by the army level's assumptions, in records too"
HEADING = "armies as counts of units, opponents idle"
State = Mapping[Term, Term]


@dataclass(frozen=True, kw_only=True)
class PlayerTurn(Transition):
    """A player-turn, with what its choices were made of.

    Attributes:
        m: What can be chosen.
        battles: The battles that cuts are about.
    """

    m: Muster
    battles: Sequence[Battle]


class Armies:
    """The army level of one game.

    Attributes:
        c: The game.
        end_turn: The action that ends a turn.
        roles: Which units do what.
    """

    def __init__(self, c: Context, end_turn: Action):
        self.c = c
        self.end_turn = end_turn
        self.roles = Roles(c.board, "full" if c.on("theatre", "full") else "land")

    def metrics(self) -> tuple[Metric, ...]:
        """What a plan can be made to save: unit moves."""
        moves = (s.name for s in schemas_of_moves(self.c))
        return (
            Metric(
                "moves",
                "round",
                HEADING,
                "units moved, each at most once in a turn of its power",
                self._steps,
                lambda side, opponent: (),
                events=(*moves, "capture", "end_turn", *(self._growth if self.c.grows else ())),
            ),
        )

    @property
    def _growth(self) -> tuple[str, ...]:
        """The events by which armies grow."""
        ships = ("launch",) if self.roles.ships and self.c.board.sea else ()
        return ("purchase", "place", *ships)

    def _steps(self, side: str | None, opponent: str, start: State) -> Transition:
        f = self.c.f
        first = start[f.turn.fluent]
        return Scoped(
            choices=(),
            legality=(self.end_turn.guard,),
            next=dict(self.end_turn.effects),
            cost=integer(0),
            describe=lambda chosen, values: (),
            counts=eq(f.turn.fluent, first),
            scope=lambda state, wanted: self._player_turn(side, opponent, start, state, wanted),
            reads=lambda state: (
                *self._reads(side, opponent, state),
                *(self._underway(start) if state is None else ()),
            ),
            hints=Hints(
                idle=self._idle(start) if side is not None and opponent == IDLE else None,
                cuts_of_all=_all_turns if side is not None and opponent == IDLE and not self.c.grows else None,
            ),
        )

    def _idle(self, start: State) -> frozenset[Term] | None:
        """What a round changes in which nobody moves; None where that may be more than the calendar.

        Where money comes in, or ships begin beside enemies whom they can beat without a move, rounds are not idle.
        """
        f, board = self.c.f, self.c.board
        sides = {p: x.side for p, x in board.powers.items()}
        present = {
            (r, sides[p]) for (r, p, _), x in f.units.fluents.items() if r in set(board.sea) and start[x].hi > 0
        }
        if self.c.grows or len(present) > len({r for r, _ in present}):
            return None
        return frozenset(fluent for fluent, _ in self.end_turn.effects) - {f.turn.fluent, f.ended.fluent}

    def _underway(self, start: State) -> tuple[Term, ...]:
        """What happened earlier in the turn in which a plan begins, and bears on the rest of it."""
        f, turn = self.c.f, self.c.f.underway
        done = (x for family in turn.families for x in family.fluents.values() if start[x].hi > 0)
        taken = (
            f.owner_at_turn_start[t]
            for t in self.c.board.land
            if start[f.owner_at_turn_start[t]] != start[f.owner[t]]
        )
        return (*done, *taken)

    def _on_turn(self, state: State) -> str:
        turn = state[self.c.f.turn.fluent]
        assert turn.is_const, "turns go in order from a known one"
        return str(turn.value)

    def _moves_now(self, side: str | None, opponent: str, state: State) -> bool:
        return side is None or self.c.board.powers[self._on_turn(state)].side == side or opponent == "any"

    def _reads(self, side: str | None, opponent: str, state: State | None) -> tuple[Term, ...]:
        """What a turn depends on: who owns what, the power's units and its enemies', its allies' decks at sea."""
        f, board = self.c.f, self.c.board
        there: tuple[Family, ...] = (f.complexes, f.complex_at_turn_start, f.owner_at_turn_start, f.placed)
        early: tuple[Family, ...] = ()
        if self.c.placement.infantry.emergency_counts:
            there, early = (*there, f.emergency), (f.first_turn_done,)
        if state is None:
            families = (f.owner, f.units, *((f.treasury, *there, *early) if self.c.grows else ()))
            return (f.turn.fluent, f.round.fluent, *(v for family in families for v in family.fluents.values()))
        if not self._moves_now(side, opponent, state):
            return ()
        power = self._on_turn(state)
        enemies = board.sides[board.enemy(board.powers[power].side)]
        decks = {*self.roles.carriers, *self.roles.aircraft}
        sea = {*board.sea}
        found = list(f.owner.fluents.values())
        for (region, p, unit), units in f.units.fluents.items():
            if p == power or p in enemies or (region in sea and unit in decks):
                found.append(units)
        if self.c.grows:
            allied = [p for p in board.sides[board.powers[power].side] if p != power]
            never = {t for t in board.land if any(eq(state[f.owner[t]], p) is TRUE for p in allied)}
            at = (x for family in there for index, x in family.fluents.items() if index[0] not in never)
            found += [f.treasury[power], *(family[power] for family in early), *at]
        return tuple(found)

    def _forces(self, power: str, start: State, state: State) -> dict[str, int]:
        """The most units of each kind that a power can have in all: those at the start, and what money could buy."""
        f, board = self.c.f, self.c.board
        forces = dict.fromkeys(self.roles.all, 0)
        for (_, p, unit), units in f.units.fluents.items():
            if p == power:
                forces[unit] += start[units].hi
        for family in (f.underway.entered, *((f.underway.aloft,) if self.roles.aircraft else ())):
            for (_, unit), units in family.fluents.items():
                forces[unit] += start[units].hi
        if self.c.grows:
            turns = state[f.round.fluent].hi - start[f.round.fluent].lo + 1
            income = sum(board.territories[t].ipc for t in board.land)
            rebates = sum(max(-self.c.placement.complexes.price(t), 0) for t in board.land)
            money = start[f.treasury[power]].hi + turns * (income + rebates)
            for unit in forces:
                cost = board.units[unit].cost
                forces[unit] += money // cost if cost else turns * MOST
        return forces

    def _player_turn(
        self, side: str | None, opponent: str, start: State, state: State, wanted: Wanted | None
    ) -> Transition:
        """The turn of the power on turn, which a state always tells."""
        f, board = self.c.f, self.c.board
        power = self._on_turn(state)
        forces = self._forces(power, start, state)
        begin = start if side is not None and opponent == IDLE else None
        m = Muster(self.c, self.roles, power, state, forces, begin, *self._matters(power, wanted))
        middle = self._moves(m) if self._moves_now(side, opponent, state) else {}
        at_end = Substitution(middle)
        then = {fluent: at_end(new) for fluent, new in self.end_turn.effects if fluent in state}
        then |= {fluent: none for fluent, none in f.underway.reset().items() if fluent in state}
        ours = side is None or board.powers[power].side == side
        cost = add(integer(0), *(flow.count for flow in m.flows if flow.is_move and ours))
        fights = Later(lambda: battles(m) if begin is not None else ())
        return PlayerTurn(
            m=m,
            battles=fights,
            choices=(*(flow.count for flow in m.flows), *m.flags.values(), *m.lost.values()),
            legality=(*m.laws, at_end(self.end_turn.guard)),
            next={**middle, **then},
            cost=cost,
            describe=lambda chosen, values: orders(m, chosen),
            events=lambda chosen: happened(m, chosen),
            counts=eq(f.turn.fluent, start[f.turn.fluent]),
            hints=Hints(
                bounds={x: (0, min(most, x.hi)) for x, most in m.limits().items()},
                cuts=Later(lambda: (cut for battle in fights for cut in battle.cuts())),
            ),
        )

    def _matters(self, power: str, wanted: Wanted | None) -> tuple[bool, bool, bool]:
        """Whether it matters later where a power's units are, what it has at sea for its allies, what it buys."""
        if wanted is None:
            return True, True, True
        f = self.c.f
        sea, afloat = {*self.c.board.sea}, {*self.roles.carriers, *self.roles.aircraft}
        found = {r in sea and u in afloat for (r, p, u), x in f.units.fluents.items() if p == power and x in wanted}
        grown = {f.treasury[power], *f.complexes.fluents.values()}
        return False in found, True in found, bool(found or grown & wanted)

    def _moves(self, m: Muster) -> dict[Term, Term]:
        """Gathers the choices of a turn; gives each fluent's value after moves and battles."""
        waters = Waters(m.c.board, m.mine, m.open)
        _go_on(m)
        marches(m)
        if self.roles.ships:
            put_to_sea(m, waters)
        if self.roles.aircraft:
            zones = [z for z in m.c.board.sea if f"clear {z}" in m.flags]
            fly(m, [t for t in m.landed if can_be_taken(m, t)] + zones)
        taken = captures(m)
        cleared = clearings(m, waters)
        m.laws += m.enough()
        f = self.c.f
        after = {m.units(*place): m.after(*place) for place in {**m.come, **m.gone}}
        for region, flag in {**taken, **cleared}.items():
            after |= m.beaten(region, flag)
        owner = {f.owner[t]: ite(flag, new_owner(self.c, m.power, t), f.owner[t]) for t, flag in taken.items()}
        bought = supply(m, waters) if self.c.grows and m.growing else {}
        return {**with_new_units(m, after), **owner, **bought}

    def assumptions(self) -> tuple[str, ...]:
        """What plans and records of armies rest on, beyond the rule text."""
        full, ratio = self.roles.theatre == "full", self.c.settings.number("ratio")
        much = "as much" if ratio == 1 else f"{ratio} times as much"
        loses = "the attacker loses nothing"
        if self.c.on("losses", "defence"):
            loses = f"the attacker loses a land unit, the cheapest first, per {SHARE} points of defence, rounded up"
        armour = "armour goes two, through what its side controlled when the turn began"
        if self._blitz:
            armour += ", also through an undefended enemy territory, which it takes (option blitz)"
        kinds = "infantry, artillery and armour alone, no artillery support (option theatre)"
        return (
            "armies as counts of units: " + ("land units, aircraft and ships" if full else kinds),
            f"a battle needs {much} attack as the enemy has defence (option ratio), and at least 1; a capture needs "
            f"a land unit of the power on turn; {loses} (option losses); the defenders are removed; antiaircraft "
            "guns count for nothing",
            f"a unit moves once in a turn; infantry and artillery go one territory, {armour}",
            *(SEA_AND_AIR if full else ()),
            *((GROWTH,) if self.c.grows else ()),
        )

    @property
    def _blitz(self) -> bool:
        return self.c.on("blitz", "on")


def _all_turns(steps: Sequence[Taken]) -> Iterable[Cut]:
    """The cuts over all turns of a plan."""
    turns = [(step, step.step) for step in steps if isinstance(step.step, PlayerTurn)]
    return cuts_of_all([Turn(turn.m, {b.region: b for b in turn.battles}, step) for step, turn in turns])


def _go_on(m: Muster) -> None:
    """Takes up the battles and flights of a turn that is under way when the plan begins."""
    turn, board = m.c.f.underway, m.c.board
    for t in board.land:
        for unit in m.roles.soldiers:
            if units := m.underway(turn.entered[t, unit]):
                enter(m, unit, t, integer(units))
        if units := m.underway(turn.passed[t]):
            m.landed.setdefault(t, []).append(integer(units))
    for region in board.regions:
        if strength := m.underway(turn.help[region]):
            m.attack(region, Blow("earlier", "", integer(strength), 1))
        for unit in m.roles.aircraft:
            if units := m.underway(turn.aloft[region, unit]):
                m.arrive(region, unit, integer(units))


GROWTH = (
    "in its turn a power buys from what it has in hand and places once all moves are done, by the limits of the text "
    "(option purchases), ships beside the complex where no enemy warship is as the turn begins; income comes at the "
    "end of the turn"
)
SEA_AND_AIR = (
    "ships go two sea zones, and enter a zone with enemy warships (all but transports) only to clear it; canals are "
    "open to the side that controls their banks when the turn begins",
    "a transport takes two infantry, or one infantry and another land unit, aboard in one zone and ashore in the "
    "same turn; it and what it carries are a move each; battleships that have not fought at sea strengthen a landing",
    "aircraft fly to a battle and back within their range, or to another landing place: land that their side "
    "controlled when the turn began, or a carrier with room",
)
