"""Needs of a goal that no event brings back: a record that leads to the goal never loses them on the way.

A number that only rises stays at most what the goal allows, a unit that the goal wants on the map is never
eliminated, and so on. So events that lose such a thing are left out of any search, and proofs speak of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from vclogic.clock import check_deadline
from vclogic.encode.grounding import Admits, TooManyToBuild
from vclogic.encode.narrowing import claims, narrowed_by
from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.grounded import Grounded
from vclogic.solve.backends.claims import Claim
from vclogic.solve.backends.session import Effort
from vclogic.solve.proofs.unreachability import contradictory
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, in_mask, not_
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Op, Term, variables

_FEW = 4  # fluents that a part is about: what sums over a board need is asked of their parts
_MOST = 40  # parts of a goal that are looked at
LOST = "it loses for good what the goal needs"


def needs_of(goal: Term) -> Iterator[Term]:
    """The needs of a goal part by part: its conjuncts, and the tests that a sum in it leaves no choice about."""
    for t in claims(goal):
        yield t
        yield from _of_sum(t)


def _of_sum(t: Term) -> Iterator[Term]:
    """The Bool summands that a comparison leaves no choice about: none of them where nothing is to be lost."""
    test = t.args[0] if t.op is Op.NOT else t
    if test.op is not Op.GE or test.args[0].op is not Op.LIN:
        return
    number, least = test.args[0], test.payload
    for k, part in zip(number.payload[0], number.args, strict=True):
        if not part.is_bool:
            continue
        if test is t and number.hi - abs(k) < least:
            yield part if k > 0 else not_(part)
        elif test is not t and number.lo + abs(k) >= least:
            yield not_(part) if k > 0 else part


@dataclass(frozen=True)
class LostForGood:
    """A need of a goal that holds at the start, and is never had again once it is lost.

    Attributes:
        needs: Bool terms over fluents: from a state in which one is false no event leads to one where all are true.
        events: The events that may change a fluent of them.
    """

    needs: tuple[Term, ...] = ()
    events: tuple[Grounded, ...] = ()

    def kept_by(self, action: Action) -> Action | None:
        """An action as it may happen where nothing is lost; None if it loses something in any case."""
        more = []
        for after in _after(self.needs, action).values():
            if after is FALSE:
                return None
            if after is not TRUE:
                more.append(Requirement(after, LOST))
        return replace(action, requirements=(*action.requirements, *more)) if more else action

    def admits(self, admits: Admits) -> Admits:
        """The same events, without those that lose something."""
        if not self.needs:
            return admits

        def keeping(schema: Schema, action: Action) -> Action | None:
            admitted = admits(schema, action)
            return None if admitted is None else self.kept_by(admitted)

        return keeping


def _after(needs: Sequence[Term], action: Action) -> dict[Term, Term]:
    """For each term the condition before an action under which it holds after it, without those left alone."""
    effects = {f: new for f, new in action.effects if new is not f}
    return {t: substitute(t, effects) for t in needs if not effects.keys().isdisjoint(variables(t))}


def lost_for_good(
    goal: Term, changing: Callable[[Term], Sequence[Grounded]], start: Mapping[Term, Term]
) -> LostForGood:
    """Find out what a goal needs that no event brings back, by folding alone.

    It is an invariant of play backwards: where all needs hold after an event, they held before it. Needs that an
    event may bring back are dropped until that is so of the rest.

    Args:
        goal: Bool, over fluents.
        changing: The events that may change a fluent of a term; raises `TooManyToBuild` if they are too many.
        start: The constant value of every fluent.
    """
    at_start = Substitution(start)
    events: dict[Term, Sequence[Grounded]] = {}
    for t in islice((t for t in dict.fromkeys(needs_of(goal)) if len(variables(t)) <= _FEW), _MOST):
        with suppress(TooManyToBuild):
            if t.op is Op.IN:
                t = _not_out_of(t, changing(t))
            if not t.is_const and at_start(t) is TRUE:
                events[t] = changing(t)
    while broken := [t for t in events if next(_brought_back(t, tuple(events), events[t]), None) is not None]:
        for t in broken:
            del events[t]
    for t in [t for t, some in events.items() if not any(_loses(t, g.action) for g in some)]:
        del events[t]  # nobody can lose it, so it leaves nothing out
    return LostForGood(tuple(events), tuple({g.action.key: g for some in events.values() for g in some}.values()))


def _not_out_of(test: Term, events: Sequence[Grounded]) -> Term:
    """The condition that a variable has a value from which events lead, by it alone, to one that a test asks for."""
    v = test.args[0]
    mask, before = test.payload, 0
    while mask != before:
        before = mask
        for g in events:
            new = next((new for f, new in g.action.effects if f is v), v)
            if new is v or not new.mask & mask:
                continue
            wanting = v.mask & ~mask
            for r in g.action.requirements:
                if r.term.op is Op.IN and r.term.args[0] is v:
                    wanting &= r.term.payload
            if wanting and all(_holds_somewhere(r.term, v, wanting) for r in g.action.requirements):
                mask |= wanting
    return in_mask(v, mask)


def _holds_somewhere(need: Term, v: Term, mask: int) -> bool:
    return substitute(need, narrowed_by(in_mask(v, mask))) is not FALSE


def _loses(need: Term, action: Action) -> bool:
    """True if an action may end what is needed."""
    here = Substitution(narrowed_by(need))
    return any(here(after) is not TRUE for after in _after([need], action).values())


def confirm_loss(lost: LostForGood, effort: Effort) -> Claim | None:
    """Check by a new plain solver that no event brings back what is lost; None if time does not suffice."""
    back = (any_of(_brought_back(t, lost.needs, lost.events, fold=False)) for t in lost.needs)
    return contradictory([any_of(back)], effort, about="an event brings back what is lost")


def _brought_back(
    need: Term, needs: Sequence[Term], events: Sequence[Grounded], *, fold: bool = True
) -> Iterator[Term]:
    """For each event that may bring a need back what must hold before it: that it lacks, and that all are kept.

    Args:
        needs: All needs.
        events: The events that may change a fluent of one.
        fold: Whether events are left out for which folding tells that they do not.
    """
    without = not_(need)
    narrowed = narrowed_by(without)
    here = Substitution(narrowed)
    for g in events:
        check_deadline()
        after = _after(needs, g.action)
        if need not in after or FALSE in after.values():
            continue
        if fold and (here(after[need]) is FALSE or any(here(r.term) is FALSE for r in g.action.requirements)):
            continue
        term = and_(*(r.term for r in g.action.requirements), without, *after.values())
        if term is not FALSE:
            yield term
