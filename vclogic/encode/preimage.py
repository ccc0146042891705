"""The states before an event that leads to a goal, as a constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vclogic.clock import look
from vclogic.model.actions import Action
from vclogic.model.grounded import Grounded
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import and_, ge, not_, sub
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Op, Term, conjuncts, variables


def before(goal: Term, events: Iterable[Grounded], nearer: Sequence[Term], step: int) -> list[Term]:
    """For each event that may lead to a goal: that it may happen and leads there; none for those that never do.

    Args:
        goal: Bool, over fluents, and over numbers of later events.
        events: The events that change a fluent of the goal; others lead to no goal that does not hold already.
        nearer: What does not hold before the event, such as the goal itself.
        step: How many events before the end it is: each step has numbers of its own.

    Returns:
        Bool terms over the fluents before the event, its numbers, and those of the goal; each once.
    """
    read = set(variables(goal))
    elsewhere = [not_(t) for t in nearer]
    found: dict[Term, None] = {}
    for g in events:
        look()
        action = _with_own_numbers(g, step)
        after = substitute(goal, {f: new for f, new in action.effects if f in read})
        if after is not goal and after is not FALSE:
            found[_with_differences(and_(action.guard, after, *elsewhere))] = None
    found.pop(FALSE, None)
    return list(found)


def _with_own_numbers(g: Grounded, step: int) -> Action:
    """An event with numbers that no other step has: two events of one kind choose theirs apart."""
    if not g.numbers:
        return g.action
    own = Substitution({v: var(f"{v.name} {step} before the end", v.sort) for v in g.numbers.values()})
    needs = tuple(replace(r, term=own(r.term)) for r in g.action.requirements)
    return replace(g.action, requirements=needs, effects=tuple((f, own(new)) for f, new in g.action.effects))


def _with_differences(term: Term) -> Term:
    """A conjunction with what follows from two of its comparisons: a sum that was small and is large has risen.

    The difference of a sum before and after an event is about what the event changes alone, and mostly a constant.
    """
    small: list[tuple[Term, int]] = []
    large: list[tuple[Term, int]] = []
    for t in _claims(term):
        below = t.op is Op.NOT
        test = t.args[0] if below else t
        if test.op is Op.GE and test.args[0].op is Op.LIN:
            (small if below else large).append((test.args[0], test.payload))
    return and_(term, *(ge(sub(b, a), m - n + 1) for b, m in large for a, n in small))


def _claims(term: Term) -> Iterator[Term]:
    """The parts of a conjunction, and those of "none of these"."""
    for t in conjuncts(term):
        if t.op is Op.NOT and t.args[0].op is Op.OR:
            for part in t.args[0].args:
                yield from _claims(not_(part))
        else:
            yield t
