"""The states before an event that leads to a goal, as a constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, islice

from vclogic.clock import look
from vclogic.model.actions import Action
from vclogic.model.grounded import Grounded
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import add, and_, ge, not_, scale
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Op, Term, conjuncts, postorder, variables

_FEW = 4  # comparisons of sums in one condition, of which is tried what it says of each


@dataclass(frozen=True)
class Way:
    """What must hold before an event that leads to a goal.

    Attributes:
        whole: That the event may happen, and leads there from a position that is not nearer.
        risen: What follows about the sums that it changes: a sum that was small and is large has risen. That is about
            what the event changes alone, while the sums may be over a whole board.
    """

    whole: Term
    risen: Term


def before(goal: Term, events: Iterable[Grounded], nearer: Sequence[Term], step: int) -> list[Way]:
    """For each event that may lead to a goal: that it may happen and leads there; none for those that never do.

    Args:
        goal: Bool, over fluents, and over numbers of later events.
        events: The events that change a fluent of the goal; others lead to no goal that does not hold already.
        nearer: What does not hold before the event, such as the goal itself.
        step: How many events before the end it is: each step has numbers of its own.

    Returns:
        Terms over the fluents before the event, its numbers, and those of the goal; each once.
    """
    read = set(variables(goal))
    elsewhere = [not_(t) for t in nearer]
    forced = cache(_forced)
    found: dict[Term, Way] = {}
    for g in events:
        look()
        action = _with_own_numbers(g, step)
        after = substitute(goal, {f: new for f, new in action.effects if f in read})
        if after is not goal and after is not FALSE:
            way = _way(and_(action.guard, after, *elsewhere), forced)
            found[way.whole] = way
    found.pop(FALSE, None)
    return list(found.values())


def _with_own_numbers(g: Grounded, step: int) -> Action:
    """An event with numbers that no other step has: two events of one kind choose theirs apart."""
    if not g.numbers:
        return g.action
    own = Substitution({v: var(f"{v.name} {step} before the end", v.sort) for v in g.numbers.values()})
    needs = tuple(replace(r, term=own(r.term)) for r in g.action.requirements)
    return replace(g.action, requirements=needs, effects=tuple((f, own(new)) for f, new in g.action.effects))


def _way(term: Term, forced: Callable[[tuple[Term, ...]], tuple[Term, ...]]) -> Way:
    """A conjunction with what follows from two of its comparisons, and that without the comparisons."""
    claims = list(_claims(term))
    nested = {t: _compared(t) for t in claims if _sum_of(t) is None}
    known = forced(tuple(t for t, about in nested.items() if 0 < len(about) <= _FEW))
    bounds = {t: found for t in (*claims, *known) if (found := _sum_of(t)) is not None}
    risen: dict[Term, None] = {}
    told: set[Term] = set()
    parts = {t: {x.args[0] if x.op in (Op.NOT, Op.IN) else x for x in a.args} for t, (a, _) in bounds.items()}
    for s, t in combinations(bounds, 2):
        (a, m), (b, n) = bounds[s], bounds[t]
        if 2 * len(parts[s] & parts[t]) > max(len(a.args), len(b.args)):  # else they are about different things
            risen[ge(add(a, b), m + n)] = None
            told |= {s, t}
    sums = {not_(t) if t.op is Op.NOT else t for t in told}
    rest = (t for t in claims if t not in told and sums.isdisjoint(nested.get(t, ())))
    return Way(and_(term, *risen), and_(*rest, *risen))


def _sum_of(t: Term) -> tuple[Term, int] | None:
    """A sum and its least value by a comparison or its negation; None for anything else."""
    test = t.args[0] if t.op is Op.NOT else t
    if test.op is not Op.GE or test.args[0].op is not Op.LIN:
        return None
    number, k = test.args[0], test.payload
    return (number, k) if test is t else (scale(number, -1), 1 - k)


def _compared(t: Term) -> list[Term]:
    """The comparisons of sums in a term; one more than `_FEW` if there are as many."""
    return list(islice((x for x in postorder([t]) if x.op is Op.GE and x.args[0].op is Op.LIN), _FEW + 1))


def _forced(claims: tuple[Term, ...]) -> tuple[Term, ...]:
    """The comparisons of sums, or their negations, that follow from Bool terms: the other way these conflict."""
    found: list[Term] = []
    for t in dict.fromkeys(x for c in claims for x in _compared(c)):
        for is_so, then in ((TRUE, not_(t)), (FALSE, t)):
            if _conflict(and_(*(substitute(c, {t: is_so}) for c in claims))):
                found.append(then)
    return tuple(found)


def _conflict(term: Term) -> bool:
    """True if unit propagation finds a contradiction in a conjunction."""
    said: dict[Term, Term] = {}
    while term is not FALSE:
        units = [t for t in conjuncts(term) if (t.args[0] if t.op is Op.NOT else t).op not in (Op.AND, Op.OR, Op.ITE)]
        new = {t.args[0] if t.op is Op.NOT else t: FALSE if t.op is Op.NOT else TRUE for t in units}
        if new.keys() <= said.keys():
            return False
        said |= new
        at_unit = Substitution(said)
        term = and_(*units, *map(at_unit, conjuncts(term)))
    return True


def _claims(term: Term) -> Iterator[Term]:
    """The parts of a conjunction, and those of "none of these"."""
    for t in conjuncts(term):
        if t.op is Op.NOT and t.args[0].op is Op.OR:
            for part in t.args[0].args:
                yield from _claims(not_(part))
        else:
            yield t
