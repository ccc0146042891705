"""Invariant inference: drop candidates that a step violates, until the remaining ones are inductive together.

Whenever a step leads from a state that satisfies all candidates to one that violates some, these are dropped; no step
violates the rest (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", 2001). A result counts only
after a second, plain solver has confirmed it.

Candidates are about few fluents at first: those that small parts of the goal read, then all that it reads, then those
that influence these. Only the slice of a step that determines these fluents is considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product

from vclogic.clock import Deadline, TimeUp, check_deadline, until
from vclogic.encode.linear.affine import any_value
from vclogic.encode.python.codegen import interpret
from vclogic.encode.step_slice import StepSlices
from vclogic.encode.unroll import Unrolling, free_state
from vclogic.model.memoized import Latest
from vclogic.model.transition import Transition
from vclogic.solve import budgets
from vclogic.solve.backends.session import FAST, Effort, Session
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.unreachability import is_invariant, within_sorts
from vclogic.solve.searches.minimal_sets import reduce
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, and_, any_of, count, eq, ge, implies, in_mask, le, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, members_of
from vclogic.terms.term import Op, Term, conjuncts, postorder, variables

_ONE = ("merging",)
_SMALL = 6  # fluents that a small part of a goal reads at the most
_MOST = 400  # fluents that guesses are about at the most
_HEAVY = 3_000  # terms in what steps need, beyond which it is left open at first what they need
_PARTS = 4  # of a rule set that are looked at
_REMEMBERED = 32  # parts of rule sets whose invariants are remembered
_Key = tuple[frozenset[object], ...]

_SINGLE = 2_000  # guesses about one thing each; beyond that a solver sorts them out too slowly
_PAIRED, _PARTNERS = 24, 60  # conditions of the goal, and those that each of them is paired with
_FEW = 8  # members of an Enum each of which is asked about


@dataclass(frozen=True)
class SystemSlice:
    """A slice of a rule set: some fluents, the step restricted to them, and what a goal requires of them.

    Attributes:
        goal: Bool, over the fluents.
        step: The slice of one step that determines the fluents.
        start: The constant value of each fluent.
    """

    goal: Term
    step: Transition
    start: Mapping[Term, Term]


@dataclass(frozen=True)
class TriedCandidates:
    """The candidates tried for one slice of a rule set and one start.

    Attributes:
        tried: The candidates that were tried.
        laws: Those that are inductive together.
    """

    tried: Mapping[Term, None] = field(default_factory=dict)
    laws: tuple[Term, ...] = ()


_kept: Latest[_Key, TriedCandidates] = Latest(_REMEMBERED)


def by_invariants(
    goal: Term,
    transition: Transition,
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    effort: Effort,
    *,
    most: int = _PARTS,
) -> Proof | None:
    """Prove that an inductive invariant excludes a goal; None if no such proof is found.

    Args:
        goal: Bool, over fluents.
        transition: One step of everything that can happen; not scoped.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions; candidates like all others.
        most: The number of slices to try, the smallest first; 1: only that of the `easy` parts of the goal.
    """
    try:
        with until(effort.deadline):
            for part in parts(goal, transition, start, most):
                if proof := _within(part, invariants, effort):
                    return proof
    except TimeUp:
        pass
    return None


def parts(
    goal: Term,
    transition: Transition,
    start: Mapping[Term, Term],
    most: int = _PARTS,
) -> Iterator[SystemSlice]:
    """Ever larger slices of a rule set that may suffice to prove a goal unreachable; see `by_invariants`."""
    steps, small = StepSlices(transition), easy(goal)
    if small is not TRUE:
        yield from _parts(small, variables(small), steps, start)
    fluents, seen = variables(goal), 0
    for _ in range(most - 1):
        if not seen < len(fluents) <= _MOST:
            break
        if seen or small is not goal:
            yield from _parts(goal, fluents, steps, start)
        seen, fluents = len(fluents), tuple(steps.read(fluents))


def easy(goal: Term) -> Term:
    """The conjunction of the parts of a goal that read few fluents; true if there are none."""
    return and_(*(t for t in conjuncts(goal) if len(variables(t)) <= _SMALL))


def _parts(
    goal: Term, fluents: Sequence[Term], steps: StepSlices, start: Mapping[Term, Term]
) -> Iterator[SystemSlice]:
    """A slice; if its requirements are large, preceded by one without them."""
    about = steps.with_numbers(fluents)
    whole = SystemSlice(goal, steps.near(about), {f: start[f] for f in about})
    if sum(1 for _ in islice(postorder(whole.step.legality), _HEAVY)) == _HEAVY:
        yield replace(whole, step=replace(whole.step, legality=()))
    yield whole


def _within(part: SystemSlice, invariants: Sequence[Term], effort: Effort) -> Proof | None:
    """Prove the goal unreachable by invariants of one slice."""
    if Substitution(part.start)(part.goal) is not FALSE:
        return None
    given = [t for t in invariants if all(v in part.start for v in variables(t))]
    guesses = Guesses(part.goal, part.step, part.start, given)
    laws: tuple[Term, ...] = ()
    for more in (guesses.likely, guesses.single, guesses.paired):
        laws = inductive_laws(part, more(laws), effort)
        if laws and (found := _needed_laws(part, laws, effort)):
            claims = is_invariant(found, part.goal, part.step, part.start, effort)
            return None if claims is None else Proof(ProofMethod.INVARIANTS, tuple(found), claims=claims)
    return None


# ---- what steps keep


def inductive_laws(part: SystemSlice, guesses: Sequence[Term], effort: Effort) -> tuple[Term, ...]:
    """The candidates that are inductive, together with those found earlier for the same steps and start.

    They are cached by the terms of the steps and the starting values, so later questions about the same rule set do
    not try them again.

    Args:
        part: The slice; its goal is not used.
        guesses: Bool terms over the fluents that hold at the start.

    Returns:
        Terms that are inductive together.
    """
    key = tuple(frozenset(x) for x in (part.step.next.items(), part.step.legality, part.start.items()))
    known = _kept.find(key) or TriedCandidates()
    new = [t for t in guesses if t not in known.tried]
    if not new:
        return known.laws
    new += [t for t in known.tried if t not in known.laws]  # with more guesses beside them they may be kept
    effort.progress(f"looking whether events keep any of {len(new)} guesses")
    found = _unbroken(part, new, known.laws, effort)
    if found is None:
        return known.laws
    return _kept.put(key, TriedCandidates(dict.fromkeys([*known.tried, *new]), (*known.laws, *found))).laws


def _unbroken(part: SystemSlice, guesses: Sequence[Term], laws: Sequence[Term], effort: Effort) -> list[Term] | None:
    """The candidates that are inductive relative to laws; None if the time does not suffice."""
    step = Unrolling(part.step, free_state(part.start))
    with effort.session(FAST) as session:
        session.add(*laws, *step.extend())
        after = {t: step.holds(t, 1) for t in guesses}
        trying = {t: var(f"guess {i}", BOOL) for i, t in enumerate(guesses)}
        session.add(*(implies(v, t) for t, v in trying.items()))
        session.add(any_of(and_(v, not_(after[t])) for t, v in trying.items()))
        while trying:
            check_deadline()
            answer = session.check(*trying.values())
            if answer.verdict == "unknown":
                return None
            if answer.verdict == "unsat":
                break
            for t in _falsified({t: after[t] for t in trying}, answer.values):
                session.add(not_(trying.pop(t)))
    return list(trying)


def _falsified(after: Mapping[Term, Term], values: Mapping[Term, int]) -> list[Term]:
    """The candidates that are false after the step of a model."""
    found = {v: values.get(v, any_value(v)) for v in variables(*after.values())}
    slot = {v: i for i, v in enumerate(found)}
    holds = interpret(list(after.values()), slot, list(found.values()))
    return [t for t, is_so in zip(after, holds, strict=True) if not is_so]


# ---- what a proof needs


def _needed_laws(part: SystemSlice, laws: Sequence[Term], effort: Effort) -> list[Term] | None:
    """A small inductive subset of some laws that excludes the goal; None if all of them do not exclude it.

    First the laws that exclude the goal, then those that make these inductive, and so on, as far as time permits.
    """
    with effort.session(_ONE) as session:
        session.add(part.goal)
        if session.check(*laws).verdict != "unsat":
            return None
        until = effort.deadline.part(most=budgets.FEWER_LAWS)
        found = _fewest(session, (), laws, until)
    step = Unrolling(part.step, free_state(part.start))
    with effort.session(_ONE) as session:
        session.add(*step.extend())
        in_sorts = within_sorts(step)
        while len(found) < len(laws) and until.left > 0:
            broken = not_(all_of([in_sorts, *(step.holds(t, 1) for t in found)]))
            if session.check(*found, broken, seconds=until.left).verdict == "unsat":
                return found
            found += _fewest(session, (*found, broken), [t for t in laws if t not in found], until)
    return found if len(found) == len(laws) else list(laws)


def _fewest(session: Session, given: Sequence[Term], laws: Sequence[Term], until: Deadline) -> list[Term]:
    """A small subset of the laws that contradicts the given terms and a session's assertions.

    Short laws are preferred: several simple ones are easier to read than a long one.
    """

    def enough(some: Sequence[Term]) -> bool:
        return until.left > 0 and session.check(*given, *some, seconds=until.left).verdict == "unsat"

    size = {t: sum(1 for _ in postorder([t])) for t in laws}
    for most in sorted(set(size.values())):
        short = [t for t in laws if size[t] <= most]
        if len(short) == len(laws) or enough(short):
            return reduce(short, enough)
    return []


class Guesses:
    """Invariant candidates of a system, the likely ones first.

    Args:
        goal: Bool, over fluents.
        transition: One step.
        start: The starting value of each fluent that candidates may mention, those that the goal reads first.
        given: Further candidates.
    """

    def __init__(
        self,
        goal: Term,
        transition: Transition,
        start: Mapping[Term, Term],
        given: Sequence[Term] = (),
    ):
        self._goal = goal
        self._start = start
        self._given = given
        self._at_start = Substitution(start)
        self._conditions = list(self._bool_subterms([goal]))
        said = dict.fromkeys(self._conditions)
        more = [*self._bool_subterms([*transition.next.values(), *transition.legality]), *self._values()]
        self._others = [t for t in dict.fromkeys(more) if t not in said]

    def likely(self, known: Iterable[Term] = ()) -> list[Term]:
        """Candidates that a fluent never changes, falls or rises, or that a condition of the goal keeps its value.

        Args:
            known: Known invariants, which are not guessed again.
        """
        return self._new([*self._of_fluents(), *self._of_conditions(self._conditions)], known)

    def single(self, known: Iterable[Term] = ()) -> list[Term]:
        """The same for conditions of the steps, with nearby bounds; counts of conditions; and the given candidates.

        Args:
            known: Known invariants.
        """
        return self._new([*self._given, *self._of_counts(), *self._of_conditions(self._others)], known)[:_SINGLE]

    def paired(self, known: Iterable[Term]) -> list[Term]:
        """Candidates that one condition implies another, or excludes it.

        Args:
            known: Known invariants; nothing weaker is guessed.
        """
        found = set(known)
        open_ = [t for t in self._conditions if not found & {t, not_(t)}][:_PAIRED]
        near = set(variables(*open_))
        others = sorted(self._others, key=lambda t: near.isdisjoint(variables(t)))
        partners = [t for t in (*open_, *others) if not found & {t, not_(t)}][:_PARTNERS]
        either = (
            or_(x, y)
            for a, b in product(open_, partners)
            if a is not b
            for x, y in product((a, not_(a)), (b, not_(b)))
        )
        return self._true(either)

    def _new(self, guesses: Iterable[Term], known: Iterable[Term]) -> list[Term]:
        found = set(known)
        return [t for t in self._true(guesses) if t not in found]

    def _true(self, guesses: Iterable[Term]) -> list[Term]:
        """The distinct candidates that hold at the start and are not constants."""
        found: dict[Term, None] = {}
        for t in guesses:
            if t is not TRUE and t not in found and self._at_start(t) is TRUE:
                found[t] = None
        return list(found)

    def _bool_subterms(self, roots: Sequence[Term]) -> Iterator[Term]:
        """The subterms of sort Bool that contain fluents only."""
        over_fluents: set[Term] = set()
        for t in postorder(roots):
            if t in self._start if t.op is Op.VAR else over_fluents.issuperset(t.args):
                over_fluents.add(t)
                if t.op in (Op.GE, Op.IN, Op.REACH) or (t.op is Op.VAR and t.is_bool):
                    yield t

    def _values(self) -> Iterator[Term]:
        """Candidates that a fluent with few values has one of them."""
        for f in self._start:
            if isinstance(f.sort, EnumSort) and f.mask.bit_count() <= _FEW:
                yield from (in_mask(f, 1 << m) for m in members_of(f.mask))

    def _of_fluents(self) -> Iterator[Term]:
        """Candidates for each fluent: no event changes it, it never falls, it never rises."""
        for f, value in self._start.items():
            if isinstance(f.sort, IntSort):
                yield from (ge(f, value), le(f, value))
            else:
                yield eq(f, value)

    def _of_conditions(self, conditions: Iterable[Term]) -> Iterator[Term]:
        """Candidates that a condition keeps its starting value, or that a compared sum never rises or never falls."""
        for t in conditions:
            yield from (t, not_(t))
            if t.op is Op.GE and t.args[0].op is Op.VAR:
                yield from (le(t.args[0], t.payload), ge(t.args[0], t.payload - 1))
            elif t.op is Op.GE and t.args[0].op is Op.LIN:
                yield from self._around(t.args[0])

    def _of_counts(self) -> Iterator[Term]:
        """Candidates on counts (of a family, a sum, similar tests): exactly one, at most one, as many as at first."""
        groups: dict[object, list[Term]] = {}
        for f in self._start:
            if f.is_bool and "[" in f.name:
                groups.setdefault(f.name.partition("[")[0], []).append(f)
        for t in self._conditions:
            if t.op is Op.IN:
                groups.setdefault((t.args[0].sort, t.payload), []).append(t)
        for group in groups.values():
            if len(group) > 1:
                yield from self._around(count(group), most=1)

    def _around(self, number: Term, most: int | None = None) -> Iterator[Term]:
        """Candidates that a number never exceeds its starting value or some bound, or never falls below it."""
        now = self._at_start(number)
        yield from (ge(number, now), le(number, now))
        if most is not None:
            yield le(number, most)
