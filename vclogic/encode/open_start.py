"""Delete-free problems that are written once for every start: what holds at the start is a set of gates and columns.

The network of `gains.py` and the program of `delete_free.py` are written for one start. Here each fluent's starting
value is left open. In the network a test of it is a gate without inputs, a *fact*, which is turned on or off for a
start. In terms over the end of a plan the starting value is the fluent itself, a variable that is fixed for a start.
The test whether nothing that is gained is ever lost then covers all starts at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic.collector_paused import collector_paused
from vclogic.encode.affine import Unsupported
from vclogic.encode.delete_free import DeleteFree, raises
from vclogic.encode.gains import Gains, passes
from vclogic.encode.network import ON, Levels
from vclogic.model.actions import Action
from vclogic.terms.atoms import var
from vclogic.terms.build import add, all_of, ge, le, not_, scale
from vclogic.terms.sorts import IntSort, between
from vclogic.terms.term import Op, Term, conjuncts

_LEVELS = 300
"""Values of a number at the start that are told apart."""


class OpenGains(Gains):
    """The network of some actions from any start.

    Args:
        actions: The choice and action.
        fluents: The fluents that matter, and other variables that a start gives a value.

    Attributes:
        facts: The gate of each test that a start decides, by the test.

    Raises:
        Unsupported: A guard cannot be encoded, or a number at the start can have too many values.
    """

    def __init__(self, actions: Mapping[Term, Action], fluents: Iterable[Term]):
        self.facts: dict[Term, int] = {}
        super().__init__(actions, {f: f for f in fluents})

    def fact(self, test: Term) -> int:
        """The gate of a test of what holds at the start; on until it is turned off."""
        found = self.facts.get(test)
        if found is None:
            found = self.facts[test] = self.network.open_gate()
            self.network.close(found, [ON])
        return found

    def turn(self, holds: Sequence[int]) -> None:
        """Turn the facts on and off.

        Args:
            holds: Whether each holds, in the order of `facts`.
        """
        need = self.network.need
        for gate, on in zip(self.facts.values(), holds, strict=True):
            need[gate] = 1 if on else 2

    def _atom(self, t: Term, positive: bool) -> Sequence[int] | bool:
        fluent = t.args[0] if t.op is Op.IN else t
        if fluent in self.wild or fluent not in self.start:
            return True
        gains = self.by.get(fluent, {})
        if any(passes(t, value) is not positive for value in gains):
            self._writer.may_end(fluent)
        gained = [n for value, nodes in gains.items() if passes(t, value) is positive for n in nodes]
        return [self.fact(t if positive else not_(t)), *gained]

    def _number(self, fluent: Term, up: bool) -> Levels:
        sign = 1 if up else -1
        if fluent in self.wild or fluent not in self.start:
            return [(fluent.hi if up else -fluent.lo, ())]
        if is_wide(fluent):
            raise Unsupported(f"a number between {fluent.lo} and {fluent.hi} at the start")
        least, most = (fluent.lo, fluent.hi) if up else (-fluent.hi, -fluent.lo)
        gains = sorted((sign * value.lo, nodes) for value, nodes in self.by.get(fluent, {}).items())
        if gains and gains[0][0] < most:
            self._writer.may_end(fluent)
        return [
            (least, ()),
            *(
                (
                    amount,
                    [
                        self.fact(ge(fluent, amount) if up else le(fluent, -amount)),
                        *(n for other, nodes in gains if other >= amount for n in nodes),
                    ],
                )
                for amount in range(least + 1, most + 1)
            ),
        ]


def is_wide(number: Term) -> bool:
    """True if a number has too many values for all of them to be told apart at the start."""
    return isinstance(number.sort, IntSort) and number.hi - number.lo > _LEVELS


@collector_paused()
def from_any_start(
    actions: Mapping[Term, Action], fluents: Iterable[Term], metric: str
) -> tuple[OpenGains, DeleteFree] | None:
    """The delete-free problem of some actions from any start; None if it is not delete-free from all starts.

    That nothing gained is ever lost is tested as in `delete_free`, with each fluent's starting value a variable: a
    guard counts as lost where any raise could end it. From a start that already has a value to which an action raises
    the fluent, that action changes nothing there; and where all raises of a fluent need it unraised, none of them can
    be made then. So what is delete-free here is so from each start.

    Args:
        actions: The choice and action.
        fluents: The fluents that matter, and other variables that a start gives a value.
        metric: What to count as cost.

    Raises:
        Unsupported: A guard cannot be encoded.
    """
    gains = OpenGains(actions, fluents)
    found = raises(gains)
    possible = gains.possible
    # An action that no start allows may be the only one that loses something.
    if found is None and len(possible) < len(actions):
        gains = OpenGains(possible, fluents)
        found, possible = raises(gains), gains.possible
    if found is None:
        return None
    raised, once = found
    raising = {taken for by in raised.values() for taken in by}
    useful = {t: a for t, a in gains.actions.items() if t in raising}
    alone = [[t for t in by if t in useful] for f, by in raised.items() if f in once]
    prices = {t: a.costs.get(metric, 0) for t, a in useful.items()}
    return gains, DeleteFree(gains, useful, alone, prices, raised)


def only_falls(gains: OpenGains, condition: Term) -> bool:
    """True if a condition, once false, stays false from every start, so that to hold at the end is to hold always.

    Raises:
        Unsupported: The condition cannot be encoded.
    """
    gains.node(not_(condition))
    return not gains.losses(not_(condition))


def with_thresholds(goal: Term) -> tuple[Term, dict[Term, int]]:
    """A goal with variables for the numbers that its sums are compared with, and the values of these variables.

    Goals that differ in such numbers alone then share what is built for them.
    """
    values: dict[Term, int] = {}
    parts: list[Term] = []
    for part in conjuncts(goal):
        test = part.args[0] if part.op is Op.NOT else part
        total = test.args[0] if test.op is Op.GE else None
        if total is None or not isinstance(total.sort, IntSort) or total.hi - total.lo + 1 > _LEVELS:
            parts.append(part)
            continue
        limit = var(f"threshold {len(values)}", between(total.lo, total.hi + 1))
        values[limit] = test.payload
        reached = ge(add(total, scale(limit, -1)), 0)
        parts.append(not_(reached) if part.op is Op.NOT else reached)
    return all_of(parts), values
