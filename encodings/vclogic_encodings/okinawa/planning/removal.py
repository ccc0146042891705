"""US units that are removed for Japanese exits: which of them the US Player chooses."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vclogic_encodings.okinawa.board import US
from vclogic_encodings.okinawa.planning.campaign import Campaign

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


def in_order(campaign: Campaign, spared: Collection[str], values: Mapping[Term, Value]) -> list[str]:
    """The US units on the map, in the order in which they are removed.

    Args:
        campaign: The game.
        spared: The names of the choices that are made.
        values: The value of each fluent.
    """
    there = [u for u in campaign.of(US) if values[campaign.at[u]] not in campaign.elsewhere]
    return sorted(there, key=lambda u: _spared(u).name in spared)


class Removal:
    """The US units that are removed: those that stand first in the scenario, and of spared ones only if need be.

    Attributes:
        campaign: The game.
        due: How many are to be removed.
        spared: For each unit that may be on the map whether it is spared; empty: nothing is chosen.
        laws: What choices must satisfy.
    """

    def __init__(self, campaign: Campaign, now: Substitution, due: Term, *, chosen: bool):
        self.campaign, self.due = campaign, due
        on_map = campaign.on_map
        there = [u for u in campaign.of(US) if now(on_map[u]) is not FALSE] if chosen else []
        self.spared: Mapping[str, Term] = {u: _spared(u) for u in there}
        left = sub(campaign.units_on_map(US), due)
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
        campaign, removals = self.campaign, self.campaign.removals
        on_map = campaign.on_map
        first = {u: and_(on_map[u], not_(self.spared.get(u, FALSE))) for u in campaign.of(US)}
        units = list(first)
        for i, u in enumerate(units):
            earlier = units[:i]
            before = count(first[v] for v in earlier)
            if u in self.spared:
                last = [and_(on_map[v], self.spared[v]) for v in earlier if v in self.spared]
                before = ite(self.spared[u], count([*first.values(), *last]), before)
            gone = and_(on_map[u], gt(self.due, before))
            at_once = Substitution(after)
            for fluent, then in campaign.removed(u).items():
                after[fluent] = ite(gone, at_once(then), after.get(fluent, fluent))
        if campaign.too_few == "owed":
            after[removals] = sub(self.due, minimum(self.due, campaign.units_on_map(US)))
        elif removals in after:
            after[removals] = integer(0)

    def orders(self, chosen: Chosen, values: Mapping[Term, Value]) -> list[StepText]:
        """The removals of a step that is only about them."""
        spared = [x.name for x, n in chosen.items() if n]
        due = int(values[self.campaign.removals])
        there = in_order(self.campaign, spared, values)[:due]
        return [step_text(self.campaign.remove(u), values) for u in there]


def _spared(unit: str) -> Term:
    return var(f"{unit} is spared", BOOL)
