"""Sums bounded by what each of their parts can come to, however many others there are: points that units bring.

The parts of a sum that share no fluent, such as the points for each unit, are looked at one by one. What each comes
to at the most is the least bound that no step breaks, together with the laws of positions about the same fluents. A
unit brings no more for what others do, so no more is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from vclogic.encode.abstractions import kinds, tests_in
from vclogic.model.grounded import Grounded
from vclogic.model.transition import Transition, unpriced
from vclogic.solve.backends.claims import Claims
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.invariants import Guesses, SystemSlice, inductive_laws
from vclogic.solve.proofs.unreachability import by_numbers, contradictory, is_invariant
from vclogic.terms.atoms import FALSE, TRUE, member, var
from vclogic.terms.build import all_of, and_, any_of, count, implies, ite, le, linear, not_, or_, scale
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities, substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Op, Term, conjuncts, postorder, variables

_SMALL = 3  # fluents of a law about a part of a sum: laws about more are about several things
_COMMON = (
    2  # parts that may share a fluent and be looked at together: what more of them share is about the whole game
)
_NEAR = (*range(9), 10, 12, 14, 16, 20, 24)  # by how much more than at the start a number is guessed to be at most
_MANY = 8  # events that do the same, beyond which only what they need of the part itself is looked at
_HEAVY = 20_000  # terms in what events need, beyond which solvers take long
_MOST = 60  # parts of sums that are looked at


Changing = Callable[[Iterable[Term]], Sequence[Grounded]]


@dataclass(frozen=True)
class GoalSummand:
    """A part of a sum that shares no fluent with the rest, apart from those that are common to many.

    Attributes:
        number: The part, with its weights.
        fluents: The fluents of the part and of the laws about it.
        laws: The laws of positions about it, each of few fluents.
    """

    number: Term
    fluents: tuple[Term, ...]
    laws: tuple[Term, ...]


@dataclass(frozen=True)
class _Needed:
    """A sum that a goal needs to be large.

    Attributes:
        comparison: The comparison in the goal, true or false as the goal needs it.
        number: The sum; of one that has to be small what it lacks.
        least: What it has to be at least.
    """

    comparison: Term
    number: Term
    least: int


def by_summands(
    goal: Term,
    changing: Changing,
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    laws: Sequence[Term],
    effort: Effort,
) -> Proof | None:
    """Prove a goal unreachable by what each part of its sums can come to; None if that does not suffice.

    Args:
        goal: Bool, over fluents.
        changing: The events that can change some fluents.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions, such as a step begins in.
        laws: What else positions satisfy; guesses like all others.
        effort: The resources.

    Raises:
        TimeUp: The time was up.
    """
    sums = {n: summands(n.number, laws) for n in _sums_of(goal)}
    if all(len(parts) < 2 for parts in sums.values()) or sum(map(len, sums.values())) > _MOST:
        return None
    too_small: dict[Term, Term] = {}
    found: list[tuple[SystemSlice, list[Term]]] = []
    at_start = Substitution(start)
    for n, parts in sums.items():
        effort.progress(f"looking at what each of {len(parts)} parts of a sum can come to")
        missing = n.least - at_start(n.number).lo
        because: list[tuple[SystemSlice, list[Term]]] = []
        for s in parts:
            if missing <= 0:
                break
            # Each part is looked at with the events and laws that bear on it alone: that the parts share no fluent is
            # what makes their largest values add up.
            here = _slice(s, changing, start, invariants)
            if sum(1 for _ in islice(postorder(here.step.legality), _HEAVY)) == _HEAVY:
                return None
            most, kept_by_all = _most(s, here, effort)
            missing -= most - at_start(s.number).lo
            because.append((here, kept_by_all))
        if missing > 0:
            too_small[n.comparison] = FALSE if n.number is n.comparison.args[0] else TRUE
            found += because
    if substitute(goal, too_small) is not FALSE:
        return None
    every = dict.fromkeys(t for _, told in found for t in told)
    # What was found by guessing is now proved, part by part.
    claims: Claims = ()
    for here, told in found:
        kept_so = is_invariant(told, FALSE, here.step, here.start, effort)
        if kept_so is None:
            return None
        claims += kept_so
    excluded = and_(goal, *every)
    by_sums = by_numbers(excluded, effort)
    last = by_sums.claims[0] if by_sums else contradictory([excluded], effort)
    return Proof(ProofMethod.INVARIANTS, tuple(every), claims=(*claims, last)) if last else None


def _sums_of(goal: Term) -> Iterator[_Needed]:
    """The sums that a goal compares."""
    for t, sign in polarities([goal]).items():
        if t.op is Op.GE and t.args[0].op is Op.LIN:
            if sign == POSITIVE:
                yield _Needed(t, t.args[0], t.payload)
            elif sign == NEGATIVE:
                yield _Needed(t, scale(t.args[0], -1), 1 - t.payload)


def summands(number: Term, laws: Sequence[Term]) -> list[GoalSummand]:
    """The parts of a sum that share no fluent, nor a law about few."""
    shared = Counter(v for a in number.args for v in variables(a))
    near = [t for t in laws if len(variables(t)) <= _SMALL and not shared.keys().isdisjoint(variables(t))]
    leader: dict[Term, Term] = {}

    def first(v: Term) -> Term:
        while leader.setdefault(v, v) is not v:
            v = leader[v]
        return v

    def group(t: Term) -> Term:
        return next((first(v) for v in variables(t) if shared[v] <= _COMMON), TRUE)

    for t in (*number.args, *near):
        for v in variables(t):
            if shared[v] <= _COMMON:
                leader[first(v)] = group(t)
    parts: dict[Term, list[tuple[int, Term]]] = {}
    for k, a in zip(number.payload[0], number.args, strict=True):
        parts.setdefault(group(a), []).append((k, a))
    about: dict[Term, list[Term]] = {}
    for t in near:
        about.setdefault(group(t), []).append(t)
    wholes = {g: linear(some) for g, some in parts.items()}
    return [
        GoalSummand(whole, variables(whole, *about.get(g, ())), tuple(about.get(g, ())))
        for g, whole in wholes.items()
    ]


def _slice(
    part: GoalSummand, changing: Changing, start: Mapping[Term, Term], invariants: Sequence[Term]
) -> SystemSlice:
    """The slice that decides the fluents of a part, and those on which its numbers depend; without a goal."""
    about = dict.fromkeys(part.fluents)
    effects = (e for g in changing(part.fluents) for e in g.action.effects)
    sources = variables(*(new for f, new in effects if f in about and isinstance(f.sort, IntSort)))
    about |= dict.fromkeys(f for f in sources if f in start)
    step = _one_step(changing(list(about)), about, _alike(part, about, start))
    read = {*about, *variables(*step.next.values(), *step.legality)}
    known = (t for t in invariants if read.issuperset(variables(t)))
    return SystemSlice(FALSE, replace(step, legality=(*step.legality, *known)), {f: start[f] for f in about})


def _one_step(events: Iterable[Grounded], about: Container[Term], stands: Callable[[Term, Term], Term]) -> Transition:
    """One of some events, of those that do the same to some fluents one for all."""
    needs: dict[tuple[tuple[Term, Term], ...], list[Term]] = {}
    numbers: dict[Term, None] = {}
    for g in events:
        done = tuple((f, stands(f, new)) for f, new in g.action.effects if f in about)
        needs.setdefault(done, []).append(all_of(r.term for r in g.needs))
        numbers |= dict.fromkeys(g.numbers.values())
    chosen = {var(f"event {i}", BOOL): done for i, done in enumerate(needs)}
    following: dict[Term, Term] = {}
    legality = [le(count(chosen), 1)]
    for taken, done in chosen.items():
        known = needs[done] if len(needs[done]) <= _MANY else [_of_these(t, about) for t in needs[done]]
        need = any_of(dict.fromkeys(known))
        legality.append(implies(taken, need))
        following |= {f: ite(taken, new, following.get(f, f)) for f, new in done}
    return unpriced([*chosen, *numbers], legality, following)


def _of_these(need: Term, about: Container[Term]) -> Term:
    """The part of a need that speaks of some fluents alone."""
    return all_of(t for t in conjuncts(need) if all(v in about for v in variables(t)))


def _alike(part: GoalSummand, about: Iterable[Term], start: Mapping[Term, Term]) -> Callable[[Term, Term], Term]:
    """Tells what stands for a new value of a fluent: one for all members of an Enum that no law tells apart.

    After a step only the laws about a part are looked at, and whether a fluent is as at the start; so one place of a
    map is enough.
    """
    tests = tests_in([part.number, *part.laws])
    first: dict[tuple[Term, int], Term] = {}
    for f in about:
        if isinstance(f.sort, EnumSort):
            for kind in kinds(f, [*tests.get(f, ()), start[f].mask]):
                stands = member(f.sort, f.sort.members[kind[0]])
                first |= {(f, i): stands for i in kind}
    return lambda f, new: first.get((f, new.payload), new) if new.is_const else new


def _most(part: GoalSummand, here: SystemSlice, effort: Effort) -> tuple[int, list[Term]]:
    """The least bound of a part of a sum that steps keep, and the laws that they keep together with it."""
    at_start = Substitution(here.start)
    numbers = dict.fromkeys([part.number, *(f for f in here.start if isinstance(f.sort, IntSort))])
    tried = {n: {at_start(n).lo + i: le(n, at_start(n).lo + i) for i in _NEAR} for n in numbers}
    likely = Guesses(FALSE, here.step, here.start).likely()
    others = dict.fromkeys(t for t in (*part.laws, *likely, *_unless(part, here)) if at_start(t) is TRUE)
    others.pop(TRUE, None)
    guesses = dict.fromkeys([*others, *(t for bounds in tried.values() for t in bounds.values() if t is not TRUE)])
    laws = set(inductive_laws(here, list(guesses), effort))
    least = {n: next((k for k, t in bounds.items() if t is TRUE or t in laws), n.hi) for n, bounds in tried.items()}
    because = [*(t for t in others if t in laws), *(le(n, k) for n, k in least.items())]
    return least[part.number], [t for t in because if t is not TRUE]


def _unless(part: GoalSummand, here: SystemSlice) -> Iterator[Term]:
    """Guesses that a Bool fluent stays as it is unless one of the conditions in the laws holds."""
    conditions = [t for t in postorder(part.laws) if t.op is Op.IN and t.args[0] in here.start]
    for f in here.start:
        if f.is_bool:
            stays = f if here.start[f] is TRUE else not_(f)
            yield from (or_(stays, t) for t in conditions)
