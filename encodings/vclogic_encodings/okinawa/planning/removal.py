"""US units that are removed for Japanese exits: which of them the US Player chooses."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vclogic_encodings.okinawa.board import US
from vclogic_encodings.okinawa.game import Game
from vclogic_encodings.okinawa.rules.exits import remove, removed

from vclogic.model.fluents import Value
from vclogic.model.step_text import StepText, step_text
from vclogic.model.transition import Chosen
from vclogic.terms.atoms import FALSE, integer, var
from vclogic.terms.build import and_, count, gt, implies, ite, le, minimum, not_, or_, sub
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

FIRST, CHOSEN, LATER = "first", "chosen", "later"
"""Those are removed that stand first in the scenario; any, as serves the plan; any, in a step of the US Player."""


def in_order(game: Game, spared: Collection[str], values: Mapping[Term, Value]) -> list[str]:
    """The US units on the map, in the order in which they are removed.

    Args:
        spared: The names of the choices that are made.
        values: The value of each fluent.
    """
    there = [u for u in game.board.of(US) if values[game.fluents.at[u]] not in game.board.elsewhere]
    return sorted(there, key=lambda u: _spared(u).name in spared)


class Removal:
    """The US units that are removed: those that stand first in the scenario, and of spared ones only if need be.

    Attributes:
        game: The game.
        due: How many are to be removed.
        spared: For each unit that may be on the map whether it is spared; empty: nothing is chosen.
        laws: What choices must satisfy.
    """

    def __init__(self, game: Game, now: Substitution, due: Term, *, chosen: bool):
        self.game, self.due = game, due
        on_map = game.fluents.on_map
        there = [u for u in game.board.of(US) if now(on_map[u]) is not FALSE] if chosen else []
        self.spared: Mapping[str, Term] = {u: _spared(u) for u in there}
        left = sub(game.fluents.units_on_map(US), due)
        useful = and_(gt(due, 0), gt(left, 0))
        self.laws = [implies(spared, and_(on_map[u], useful)) for u, spared in self.spared.items()]
        if there:
            self.laws.append(or_(le(left, 0), le(count(self.spared.values()), left)))

    @property
    def choices(self) -> tuple[Term, ...]:
        """The units that are spared."""
        return tuple(self.spared.values())

    def add_to(self, after: dict[Term, Term]) -> None:
        """Add what becomes of the units, and of how many are still to be removed.

        Args:
            after: The fluents that have changed before, with their values.
        """
        fluents = self.game.fluents
        on_map = fluents.on_map
        first = {u: and_(on_map[u], not_(self.spared.get(u, FALSE))) for u in self.game.board.of(US)}
        units = list(first)
        for i, u in enumerate(units):
            earlier = units[:i]
            before = count(first[v] for v in earlier)
            if u in self.spared:
                last = [and_(on_map[v], self.spared[v]) for v in earlier if v in self.spared]
                before = ite(self.spared[u], count([*first.values(), *last]), before)
            gone = and_(on_map[u], gt(self.due, before))
            at_once = Substitution(after)
            for fluent, then in removed(self.game, u).items():
                after[fluent] = ite(gone, at_once(then), after.get(fluent, fluent))
        if self.game.on("too_few_to_remove", "owed"):
            after[fluents.removals.fluent] = sub(self.due, minimum(self.due, fluents.units_on_map(US)))
        elif fluents.removals.fluent in after:
            after[fluents.removals.fluent] = integer(0)

    def orders(self, chosen: Chosen, values: Mapping[Term, Value]) -> list[StepText]:
        """The removals of a step that is only about them."""
        spared = [x.name for x, n in chosen.items() if n]
        due = int(values[self.game.fluents.removals.fluent])
        return [step_text(remove(self.game, u), values) for u in in_order(self.game, spared, values)[:due]]


def _spared(unit: str) -> Term:
    return var(f"{unit} is spared", BOOL)
