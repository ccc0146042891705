"""Backward reachability: what leads to a goal by one event, by two, and so on, until no position does.

No step is unrolled and no state is encoded: what must hold before an event is a term over the fluents that the goal
and the event read. So what bears on a goal is all that is looked at, however large the rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, islice

from vclogic.clock import check_deadline
from vclogic.encode.grounding import TooManyToBuild
from vclogic.encode.narrowing import claims
from vclogic.model.actions import Action
from vclogic.model.grounded import Grounded
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claims
from vclogic.solve.backends.session import FAST, Effort
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.unreachability import Laws, by_one_step, contradictory, sum_of
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import add, and_, any_of, ge, implies, not_
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, conjuncts, postorder, variables
from vclogic.words import amount

_DEEPEST = 12  # events before the goal
_HEAVY = 20_000  # terms of what must hold before an event, beyond which solvers take long
_MODELS = 30  # positions that are looked at to tell which events lead nearer at all

_FEW = 4  # comparisons of sums in one condition, of which is tried what it says of each


def backwards(
    goal: Term,
    changing: Callable[[Term], Iterable[Grounded]],
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    effort: Effort,
) -> Proof | None:
    """Prove that no position from which a goal can be reached is ever there; None if that does not come to an end.

    A position from which it takes k events, and no fewer, leads by one of them to a position from which it takes
    k - 1. If no well-formed position is k events away, none is farther; and the start is at none of the distances
    before. Events that lead nearer from no well-formed position are dropped on the way; a fresh plain solver confirms
    at the end, in one question, that nothing that was dropped can be.

    Args:
        goal: Bool, over fluents.
        changing: The events that may change a fluent of a term; raises `TooManyToBuild` if they are too many.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions.
        effort: The resources.

    Raises:
        TimeUp: The time was up.
    """
    layers, dropped = [goal], list[Term]()
    bases: Claims = ()
    while len(layers) <= _DEEPEST and (base := contradictory([substitute(layers[-1], start)], effort, about=_BASE)):
        bases += (base,)
        effort.progress(f"looking at what leads to the goal in {amount(len(layers), 'event')}")
        try:
            events = changing(layers[-1])
        except TooManyToBuild:
            return None
        ways = before(layers[-1], events, layers, len(layers))
        if sum(1 for _ in islice(postorder([w.whole for w in ways]), _HEAVY)) == _HEAVY:
            return None
        possible = _possible(ways, invariants, effort)
        if possible is None:
            return None
        dropped += (w.whole if possible else w.risen for w in ways if w.whole not in possible)
        if not possible:
            proof = by_one_step(any_of(dropped), invariants, effort)
            if proof is None or len(layers) == 1:
                return proof
            return Proof(ProofMethod.K_INDUCTION, k=len(layers), claims=(*bases, *proof.claims))
        layers.append(any_of(possible))
    return None


def _possible(ways: Sequence[StepBack], invariants: Sequence[Term], effort: Effort) -> dict[Term, None] | None:
    """The condition before an event, where positions satisfy it, or where that was not asked; None if it takes long.

    First it is asked whether any event changes sums as it would have to, which is the smaller question by far.
    """
    trying = {w: var(f"way {i}", BOOL) for i, w in enumerate(ways)}
    found: dict[Term, None] = {}
    with effort.session(FAST) as session:
        session.add(*Laws(invariants).bearing(*(w.whole for w in ways)))
        session.add(*(implies(v, w.risen) for w, v in trying.items()))
        for n in range(1 + _MODELS):
            units = budgets.ONE_OF_LEADING if n else budgets.LEADING_AT_ALL
            answer = session.check(any_of(trying.values()), effort=units)
            if answer.verdict == "unsat":
                return found
            if answer.verdict == "unknown":
                return None
            if n == 0:
                session.add(*(implies(v, w.whole) for w, v in trying.items()))
            for w in [w for w, v in trying.items() if n and answer.values.get(v)]:
                found[w.whole] = None
                del trying[w]
    return found | {w.whole: None for w in trying}


_BASE = "the start is one from which so few events lead to the goal"


@dataclass(frozen=True)
class StepBack:
    """The condition before an event that leads to a goal.

    Attributes:
        whole: That the event may happen, and leads there from a position that is not nearer.
        risen: What follows about the sums that it changes: a sum that was small and is large has risen. That is about
            what the event changes alone, while the sums may be over a whole board.
    """

    whole: Term
    risen: Term


def before(goal: Term, events: Iterable[Grounded], nearer: Sequence[Term], step: int) -> list[StepBack]:
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
    forced = cache(_forced_comparisons)
    found: dict[Term, StepBack] = {}
    for g in events:
        check_deadline()
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


def _way(term: Term, forced: Callable[[tuple[Term, ...]], tuple[Term, ...]]) -> StepBack:
    """A conjunction with what follows from two of its comparisons, and that without the comparisons."""
    said = list(claims(term))
    nested = {t: _comparisons(t) for t in said if sum_of(t) is None}
    known = forced(tuple(t for t, about in nested.items() if 0 < len(about) <= _FEW))
    bounds = {t: found for t in (*said, *known) if (found := sum_of(t)) is not None}
    risen: dict[Term, None] = {}
    told: set[Term] = set()
    parts = {t: {x.args[0] if x.op in (Op.NOT, Op.IN) else x for x in a.args} for t, (a, _) in bounds.items()}
    for s, t in combinations(bounds, 2):
        (a, m), (b, n) = bounds[s], bounds[t]
        if 2 * len(parts[s] & parts[t]) > max(len(a.args), len(b.args)):  # else they are about different things
            risen[ge(add(a, b), m + n)] = None
            told |= {s, t}
    sums = {not_(t) if t.op is Op.NOT else t for t in told}
    rest = (t for t in said if t not in told and sums.isdisjoint(nested.get(t, ())))
    return StepBack(and_(term, *risen), and_(*rest, *risen))


def _comparisons(t: Term) -> list[Term]:
    """The comparisons of sums in a term; one more than `_FEW` if there are as many."""
    return list(islice((x for x in postorder([t]) if x.op is Op.GE and x.args[0].op is Op.LIN), _FEW + 1))


def _forced_comparisons(claims: tuple[Term, ...]) -> tuple[Term, ...]:
    """The comparisons of sums, or their negations, that follow from Bool terms: the other way these conflict."""
    found: list[Term] = []
    for t in dict.fromkeys(x for c in claims for x in _comparisons(c)):
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
