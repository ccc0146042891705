"""The parts of a game that events are built from, and the requirements and effects that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.axis_allies.board import MOST, Board
from vclogic_encodings.axis_allies.fluents import FORTUNE, Fluents
from vclogic_encodings.axis_allies.level import Level
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.planning.geography import Geography
from vclogic_encodings.axis_allies.roles import Roles
from vclogic_encodings.axis_allies.rules.placing import Placement
from vclogic_encodings.axis_allies.rules.victory import not_over
from vclogic_encodings.axis_allies.wording import in_words

from vclogic.model.actions import Requirement
from vclogic.model.memoized import memoized
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, integer, member
from vclogic.terms.build import add, and_, eq, gt, ite, minimum, not_, scale
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables
from vclogic.words import amount

Changes = Mapping[Term, Term]
"""Fluents and their values after an event."""
TURN_ORDER = "turn order"
"""Name of a requirement; see `Requirement.name`."""


@dataclass(frozen=True)
class Rules:
    """The parts of one game.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
        geography: What can be reached from where.
        placement: What may be placed where.
        judged: The outcomes in use.
        level_of: Makes the level of detail; None: it is that of captures.
    """

    fluents: Fluents
    settings: Settings
    geography: Geography
    placement: Placement
    judged: tuple[Outcome, ...]
    level_of: Callable[[Rules], Level] | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.fluents.board

    @cached_property
    def roles(self) -> Roles:
        """The roles of units at the army level."""
        return Roles(self.board, "full" if self.on("theatre", "full") else "land")

    @cached_property
    def level(self) -> Level:
        """The level of detail."""
        return Level(self.fluents) if self.level_of is None else self.level_of(self)

    def on(self, option: str, value: str) -> bool:
        """True if an option or a reading is set to a value."""
        readings, options = self.settings.readings, self.settings.options
        return value == (readings[option] if option in readings else options[option])

    @property
    def counts_money(self) -> bool:
        """True if IPCs are counted: in records, or because armies grow."""
        return self.on("treasury", "on") or self.grows

    @property
    def ratio(self) -> int:
        """The factor by which an attack must exceed the defence; 0 where plans go by the dice (option min_odds)."""
        return 0 if self.settings.number("min_odds") else self.settings.number("ratio")

    @property
    def by_dice(self) -> str:
        """The options in use that ask what the dice make of a plan; empty if there is none."""
        return " and ".join(name for name in ("min_odds", "hold") if self.settings.number(name))

    @property
    def grows(self) -> bool:
        """True if plans may buy units."""
        return self.fluents.armies and self.on("purchases", "on")

    # ---- what events ask

    @memoized
    def on_turn(self, power: str) -> tuple[Requirement, ...]:
        """Require that it is the power's turn and the game is not over."""
        message = f"it is not the turn of the {power}"
        return (
            Requirement(eq(self.fluents.turn.fluent, power), message, name=TURN_ORDER),
            *not_over(self.fluents, self.settings),
        )

    def money(self, power: str, price: Term, what: str) -> tuple[Requirement, ...]:
        """Require that the power can pay a price, where IPCs are counted."""
        if not self.counts_money or price.hi <= 0:
            return ()
        treasury, asked = self.fluents.treasury[power], amount(in_words(price), "IPC")
        return (
            Requirement(
                not_(gt(price, treasury)),
                lambda values: f"{asked} for {what}, and the {power} have {values[treasury]} (option treasury)",
            ),
        )

    # ---- what events change

    @memoized
    def phase(self, phase: str) -> Changes:
        """The effects of every event of a phase: the phase is reached, and no turn has ended just now."""
        return {
            self.fluents.phase.fluent: member(self.fluents.phases.sort, phase),
            self.fluents.ended.fluent: member(self.fluents.power_or_none.sort, NONE),
        }

    def pay(self, power: str, price: Term) -> Changes:
        """The treasury after a payment, where IPCs are counted."""
        return self.earn(power, scale(price, -1)) if self.counts_money else {}

    def earn(self, power: str, amount: Term) -> Changes:
        """The treasury after an income."""
        treasury = self.fluents.treasury[power]
        return {treasury: minimum(add(treasury, amount), integer(FORTUNE))}

    def reinforce(self, power: str, unit: str, count: Term, region: str) -> Changes:
        """The units of a region after more were placed there, at the army level."""
        if not self.fluents.armies or unit not in self.fluents.forces.sort.index:
            return {}
        there = self.fluents.units[region, power, unit]
        return {there: minimum(add(there, count), integer(MOST))}

    @cached_property
    def _moments(self) -> tuple[Term, ...]:
        """The fluents that the timing of outcomes depends on."""
        return variables(*(o.timing for o in self.judged))

    @memoized
    def _judged_after(self, values: tuple[Term | None, ...]) -> tuple[Outcome, ...]:
        """The outcomes that may be judged after an event, given its new values of `_moments`; None: unchanged."""
        then = Substitution({f: new for f, new in zip(self._moments, values, strict=True) if new is not None})
        return tuple(o for o in self.judged if then(o.timing) is not FALSE)

    def with_victories(self, changes: Changes) -> tuple[tuple[Term, Term], ...]:
        """The changes of an event with those of the latches that record who won first."""
        judged = self._judged_after(tuple(changes.get(f) for f in self._moments))
        then = Substitution(changes)
        won: dict[Term, Term] = {}
        for o in judged:
            wins = then(and_(o.timing, o.condition.holds))
            for latch in (self.fluents.won[o.name], self.fluents.winner.fluent):
                first = and_(eq(latch, NONE), wins)
                won[latch] = ite(first, member(self.fluents.side_or_none.sort, o.side), won.get(latch, latch))
        return (*changes.items(), *won.items())
