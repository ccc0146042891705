"""One step from any well-formed position, as the default metric and its tail have it, or one event of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Witness
from vclogic.check.instances import instances, number_of
from vclogic.check.oracle import Desk
from vclogic.encode.evaluator import Stepper, apply
from vclogic.encode.unroll import Unrolling, cone, free_state
from vclogic.model.actions import Action
from vclogic.model.fluents import State
from vclogic.model.system import ANY
from vclogic.model.transition import Transition, then_maybe
from vclogic.solve.backends.session import PLAIN, Answer
from vclogic.solve.proofs.unreachability import within_sorts
from vclogic.solve.searches.cost_bounds import least
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, count, ne
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

MOST_EVENTS = 5_000
"""So many events of one kind are looked at."""
After = Callable[[Term], Term]
"""A term over fluents, as it is after the step."""


@dataclass(frozen=True)
class Led:
    """What one step can do.

    Attributes:
        witness: The smallest position from which a step does it, if one does.
        after: The state after that step.
        excluded: Whether it is proved that none does.
    """

    witness: Witness | None = None
    after: State | None = None
    excluded: bool = False


class Steps:
    """The steps of the game's default metric, every side moving, from any well-formed position.

    Args:
        desk: Where to ask.
    """

    def __init__(self, desk: Desk):
        self._desk = desk
        metric = desk.system.metrics[0]
        self._full = then_maybe(metric.transition(None, ANY, desk.start), metric.tail)
        self._complete = True

    def lead(self, about: Topic, asks: Callable[[After], Sequence[Term]]) -> Led:
        """Whether some step from a well-formed position satisfies terms over the fluents before and after it.

        What cannot be decided is taken down.

        Args:
            about: The finding that it would be.
            asks: The terms, given how a term reads after the step.
        """
        desk = self._desk
        if desk.time_is_up:
            desk.give_up(about, "the time for checks of this kind is up")
            return Led()
        if self._full.scoped:  # it is too large for every position at once; it is made of events, though
            return self._by_events(about, asks)
        needed, smaller = cone(self._full, asks(lambda t: t))
        laws = desk.bearing(*needed)
        fluents = list(dict.fromkeys((*needed, *variables(*laws))))
        unrolled = Unrolling(smaller, free_state(fluents))
        terms = [*laws, *unrolled.extend(), within_sorts(unrolled)]
        terms += asks(lambda t: unrolled.holds(t, 1))
        changes = count(ne(f, desk.start[f]) for f in fluents)
        with desk.effort.session(("merging",), most=desk.patience * 2) as session:
            session.add(*terms)
            answer = desk.completed(session.check())
            if answer.verdict == "sat":
                best, _, proved = least(lambda t: desk.completed(session.check(t)), changes, answer)
                return self._led(best, fluents, unrolled, asks, minimal=proved)
        if answer.verdict == "unsat" and self._confirmed(terms):
            return Led(excluded=True)
        desk.give_up(about, f"{answer.reason or 'not confirmed in time'} (over one step from all positions)")
        return Led()

    def _by_events(self, about: Topic, asks: Callable[[After], Sequence[Term]]) -> Led:
        """Whether one event of a record does it, from a well-formed position that allows it."""
        desk, asked, open_ = self._desk, [], ""
        for action in self._events():
            after = Substitution(dict(action.effects))
            if and_(*asks(after)) is FALSE:
                continue
            wanted = and_(*asks(after), action.guard)
            answer = desk.possible(wanted)
            if answer.verdict == "sat":
                witness, state = desk.smallest(wanted, answer)
                then = apply(desk.system, state, action)
                desk.confirm(state, all_of(asks(Substitution(desk.system.layout.constants(then)))))
                said = action.text if isinstance(action.text, str) else action.text(desk.system.layout.values(state))
                return Led(replace(witness, then=(said,)), then)
            open_ = desk.bound(answer) if answer.verdict == "unknown" else open_
            asked.append(wanted)
        if not open_ and self._complete and desk.never(any_of(asked)):
            return Led(excluded=True)
        desk.give_up(about, open_ or f"no event does it, of {MOST_EVENTS} of each kind at the most")
        return Led()

    def _events(self) -> Iterator[Action]:
        """Every event that records can hold, as far as there are not too many of its kind."""
        system = self._desk.system
        for schema in sorted(system.events, key=number_of):  # those that are quick to build may do
            found = instances(system, schema, MOST_EVENTS)
            self._complete &= found.complete
            yield from found.actions

    def _confirmed(self, terms: Sequence[Term]) -> bool:
        with self._desk.effort.session(PLAIN, most=self._desk.patience) as session:
            session.add(*terms)
            return session.check().verdict == "unsat"

    def _led(
        self,
        answer: Answer,
        fluents: Sequence[Term],
        unrolled: Unrolling,
        asks: Callable[[After], Sequence[Term]],
        *,
        minimal: bool,
    ) -> Led:
        """The position before the step and what is done, played in Python."""
        desk = self._desk
        state = desk.position(answer, fluents)
        chosen = {c: answer.values.get(v, v.lo) for c, v in unrolled.choices[0].items()}
        chosen = dict.fromkeys(self._full.choices, 0) | chosen
        after = Stepper(desk.system.layout, self._full).step(state, chosen)
        layout = desk.system.layout
        later = Substitution(layout.constants(after))
        desk.confirm(state, all_of(asks(later)))
        return Led(desk.witness(state, minimal=minimal, then=self._said(self._full, chosen, state)), after)

    def _said(self, full: Transition, chosen: Mapping[Term, int], state: State) -> tuple[str, ...]:
        values = self._desk.system.layout.values(state)
        told = tuple(t.text for t in full.describe(chosen, values))
        tail = self._desk.system.metrics[0].tail
        if told or tail is None:
            return told
        return (tail.text if isinstance(tail.text, str) else tail.text(values),)
