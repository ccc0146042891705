"""The nearest positions in which a goal holds, or the rules that exclude it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from vclogic.choices import choice
from vclogic.clock import ANSWERING, TIME_UP, TimeUp, check_deadline, grace_period
from vclogic.document_keys import IF_ANY, TEXT_ONLY, key, then
from vclogic.encode.python.evaluator import compile_term, interpret
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.fluents import State, Value, value
from vclogic.model.rules import Rule
from vclogic.model.sayings import sentence
from vclogic.model.system import HOLDS, System
from vclogic.query.answers import SearchAnswer
from vclogic.query.replay import ReplayError
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.solve.proofs.unreachability import Laws, contradictory
from vclogic.solve.searches.minimal_sets import Correction, CorrectionSets, correction_sets, unsat_subsets
from vclogic.terms.build import all_of, eq, ite
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.parser import conjuncts
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BoolSort, IntSort
from vclogic.terms.term import Term, show, variables
from vclogic.words import joined

_FARTHEST = 1000  # how far from its present value a number is looked at for a nearer one

Kind = Literal["goal", "rule", "fact"]


@dataclass(frozen=True)
class Replacement:
    """A fluent with another value.

    Attributes:
        fluent: Its name.
        before: Its value now.
        after: A value with which the goal holds; for a number the nearest one, given the other changes.
        others: Other values that would do as well; not for numbers.
        ranges: Of a number for which others would do as well: all that do, given the other changes, as first and last
            of each range.
        says: What it then says, in words.
        about: What it is about, in the game's words, such as a unit.
        then: What is then said of that.
        now: What is said of it now.
        path: Where it stands under `state:` of a position file.
    """

    fluent: str
    before: Value = field(metadata=key("from"))
    after: Value = field(metadata=key("to"))
    others: tuple[Value, ...] = field(default=(), metadata=key("or"))
    ranges: tuple[tuple[int, int], ...] = ()
    says: str = ""
    path: tuple[str, ...] = ()
    about: str = field(default="", metadata=TEXT_ONLY)
    then: str = field(default="", metadata=TEXT_ONLY)
    now: str = field(default="", metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Repair:
    """A minimal set of changes after which the goal holds in a well-formed position.

    Attributes:
        changes: The changes; without any one of them the others are not enough.
        follows: What follows by itself from the values named first and bears on the goal, such as who then owns a
            place.
    """

    changes: tuple[Replacement, ...]
    follows: tuple[Replacement, ...] = field(default=(), metadata=then("size"))

    @property
    def size(self) -> int:
        """The number of facts that it changes."""
        return len(self.changes)


@dataclass(frozen=True)
class ContradictionPart:
    """A part of a contradiction.

    Attributes:
        kind: A part of the goal, an invariant of well-formed positions, or a fact to keep.
        name: The part of the goal as text, or the name of the invariant or fluent.
        text: Its meaning.
        cites: Clause ids.
    """

    kind: Kind
    name: str
    text: str
    cites: tuple[str, ...]
    term: Term = field(metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Conflict:
    """A minimal contradiction.

    Attributes:
        parts: The parts; without any one of them the others are satisfiable.
        rechecked: Whether a second, plain solver confirmed the contradiction.
        confirmed_by: Who confirms it; see `ProofText`.
    """

    parts: tuple[ContradictionPart, ...] = field(metadata=key("rules") | then("cites"))
    rechecked: bool
    confirmed_by: str = field(default="", metadata=IF_ANY)

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses of all parts."""
        return tuple(dict.fromkeys(c for p in self.parts for c in p.cites))


@dataclass(frozen=True, kw_only=True)
class Missing(SearchAnswer):
    """The changes that are missing for a goal.

    Attributes:
        goal: The goal as asked.
        status: `holds` already, `possible` with some changes, `impossible` in any well-formed position, `unknown`.
        repairs: Minimal sets of changes, small ones first.
        least: The proved least size of a set of changes.
        conflicts: For `impossible`: minimal contradictions.
        complete: Whether there are no other repairs, or no other conflicts.
        kept: The facts that had to stay.
        left: Families of facts that tell of earlier turns and were left as they are; see `System.memories`.
    """

    goal: str = field(metadata=TEXT_ONLY)
    status: Literal["holds", "possible", "impossible", "unknown"]
    repairs: tuple[Repair, ...]
    least: int
    conflicts: tuple[Conflict, ...]
    complete: bool
    kept: tuple[str, ...]
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class RepairQuestion:
    """The question, in terms.

    Attributes:
        system: The rule set.
        state: The position.
        goal: The conjuncts of the goal.
        kept: Fluents that keep their values.
        limit: The number of sets to find.
        left: Families whose fluents only become what follows from other changes.
        told: Laws beside the invariants that some position found so far has broken.
    """

    system: System
    state: State
    goal: tuple[ContradictionPart, ...]
    kept: tuple[Term, ...]
    limit: int
    left: tuple[str, ...] = ()
    told: tuple[Rule, ...] = ()

    @cached_property
    def start(self) -> Mapping[Term, Term]:
        """The present value of each fluent."""
        return self.system.layout.constants(self.state)

    @property
    def wanted(self) -> Term:
        """The goal as one term."""
        return all_of(p.term for p in self.goal)

    @cached_property
    def following(self) -> Mapping[Term, Term]:
        """The value of each fluent by default: as now, unless a change of the fluents that it reads changes it."""
        fixed, now = Substitution({f: self.start[f] for f in self.kept}), Substitution(self.start)
        found = {}
        for fluent, default in self.system.defaults.items():
            if fluent not in self.kept:
                before = now(default)
                found[fluent] = ite(eq(fixed(default), before), self.start[fluent], fixed(default))
        return found

    @cached_property
    def settled(self) -> Substitution:
        """Puts in what nobody changes."""
        families = self.system.layout.families
        memories = (f for name in self.left for f in families[name].fluents.values())
        left = {f: self.following.get(f, self.start[f]) for f in memories}
        return Substitution(left | {f: self.start[f] for f in self.kept})

    @cached_property
    def laws(self) -> tuple[ContradictionPart, ...]:
        """The laws of positions that are relevant to the goal or to what follows, as far as they have mattered."""
        kept = {r.kept: r for r in (*self.system.invariants, *self.told)}
        about = Laws(kept)
        terms = [p.term for p in self.goal]  # one by one: together they may fold away
        near: dict[Term, None] = {}
        while terms:
            read = set(variables(*terms, *near))
            near |= dict.fromkeys(t for term in terms for t in about.bearing(term))
            more = set(variables(*near)) | read
            terms = [t for v, t in self.following.items() if v in more and not read.issuperset(variables(t))]
        rules = (kept[t] for t in near)
        return tuple(
            ContradictionPart("rule", r.name, r.text, tuple(c.clause for c in r.cites), r.kept) for r in rules
        )

    @property
    def read(self) -> tuple[str, ...]:
        """The families left as they are that matter to the goal."""
        read = set(variables(*(p.term for p in (*self.goal, *self.laws))))
        families = self.system.layout.families
        told = (n for n in self.left if self.system.written.keys().isdisjoint(families[n].fluents.values()))
        return tuple(name for name in told if not read.isdisjoint(families[name].fluents.values()))

    def position(self, changes: Correction) -> list[int]:
        """The position after some changes, with what follows from them."""
        slot, state = self.system.layout.slot, list(self.state)
        for fluent, n in changes.items():
            state[slot[fluent]] = n
        after = tuple(state)
        for fluent, readers in self._reads.items():
            if fluent not in changes and not readers.isdisjoint(changes):
                state[slot[fluent]] = interpret(self.following[fluent], slot, after)
        return state

    @cached_property
    def _reads(self) -> Mapping[Term, frozenset[Term]]:
        return {f: frozenset(variables(t)) for f, t in self.following.items()}

    @property
    def terms(self) -> list[Term]:
        """The terms that have to hold, with unchangeable facts as constants."""
        return [self.settled(t) for t in (self.wanted, *(p.term for p in self.laws))]

    def broken(self, changes: Correction) -> tuple[Rule, ...]:
        """The laws that changes break, of those that are told only once they are broken."""
        layout, state = self.system.layout, self.position(changes)
        moved = {f for f, before, n in zip(layout.fluents, self.state, state, strict=True) if n != before}
        hidden = [r for r in self.system.checked if not moved.isdisjoint(variables(r.kept))]
        return tuple(r for r in hidden if not interpret(r.kept, layout.slot, state))


def missing(game: str, text: str, question: RepairQuestion, effort: Effort, assumptions: tuple[str, ...]) -> Missing:
    """Find the changes that are missing for a goal.

    Args:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        text: The goal as the user wrote it.
        assumptions: What the answer rests on.

    Returns:
        Repairs, each rechecked without a solver; or the contradictions; or `unknown` with the reason.
    """
    answer = Missing(
        game=game,
        goal=text,
        status="unknown",
        repairs=(),
        least=0,
        conflicts=(),
        complete=False,
        kept=(),
        assumptions=assumptions,
    )
    try:
        answer = replace(answer, left=question.read)
        question, found = _sets(question, effort)
        if found.impossible and question.left:
            question, found = _sets(replace(question, left=()), effort)
            kept = f"with {joined(answer.left)} as it is no position satisfies the goal: here it may change"
            answer = replace(answer, left=(), assumptions=(kept, *assumptions) if answer.left else assumptions)
    except TimeUp:
        return replace(answer, reason="the time was up before the search began")
    if found.impossible:
        return _forbidden(replace(answer, assumptions=assumptions), question, effort)
    repairs, found = _repairs(question, found)
    status: Literal["holds", "possible", "unknown"] = "possible" if repairs else "unknown"
    if repairs and not repairs[0].size:
        status = "holds"
    return replace(
        answer, status=status, repairs=repairs, least=found.least, complete=found.complete, reason=found.reason
    )


# ---- repairs


def _sets(question: RepairQuestion, effort: Effort) -> tuple[RepairQuestion, CorrectionSets]:
    """Minimal sets of changes, and the question with the laws that were needed to find them.

    Laws beside the invariants are many: those of a kind are told once a set breaks one, and one set shows first
    which are needed. What is minimal, or impossible, with fewer laws is so with all of them.
    """
    limit, sure = 1 if question.system.checked else question.limit, CorrectionSets((), False)
    while True:
        try:
            found = correction_sets(question.terms, question.start, limit, effort, question.following)
        except TimeUp:
            return question, replace(sure, complete=False, reason=TIME_UP)
        allowed, kinds, in_time = _allowed(question, found.sets)
        if len(allowed) == len(found.sets):
            if limit == question.limit or not allowed:
                return question, found
            limit, sure = question.limit, found
            continue
        if len(allowed) > len(sure.sets):
            sure = replace(found, sets=allowed, complete=False)
        if not in_time:
            return question, replace(sure, complete=False, reason=TIME_UP)
        more = tuple(r for r in question.system.checked if _kind(r) in kinds)
        question = replace(question, told=tuple(dict.fromkeys((*question.told, *more))))


def _allowed(question: RepairQuestion, sets: Sequence[Correction]) -> tuple[tuple[Correction, ...], set[str], bool]:
    """The sets that break no law, the kinds of those that others break, and whether all were looked at in time."""
    allowed: list[Correction] = []
    kinds: set[str] = set()
    try:
        with grace_period(ANSWERING):
            for changes in sets:
                broken = question.broken(changes)
                kinds.update(map(_kind, broken))
                if not broken:
                    allowed.append(changes)
    except TimeUp:
        return tuple(allowed), kinds, False
    return tuple(allowed), kinds, True


def _kind(law: Rule) -> str:
    """The kind of a law: its name without what it is about."""
    return law.name.partition("[")[0]


def _repairs(question: RepairQuestion, found: CorrectionSets) -> tuple[tuple[Repair, ...], CorrectionSets]:
    """The sets found as repairs, as many as can be rechecked in time."""
    repairs: list[Repair] = []
    again = _Again(question)
    try:
        with grace_period(ANSWERING):
            for changes in found.sets:
                repairs.append(again.repair(changes))
    except TimeUp:
        again.in_time = False
        with grace_period():  # what was found is told, with the values that it was found with
            repairs += [again.as_found(changes) for changes in found.sets[len(repairs) :]]
    return tuple(repairs), found if again.in_time else replace(found, complete=False, reason=TIME_UP)


class _Again:
    """Rechecks repairs in Python."""

    def __init__(self, question: RepairQuestion):
        self.in_time = True  # for the values nearest to the present ones
        self._question = question
        self._slot = question.system.layout.slot
        self._first = True
        self._known: list[Correction] = []  # the sets so far
        self._parts: list[set[Term]] = []  # what those change that are part of the one at hand

    @cached_property
    def _wanted(self) -> Term:
        question = self._question
        near = Laws(r.kept for r in question.system.checked).bearing(question.wanted)
        return all_of([question.wanted, *(p.term for p in question.laws), *near])

    @cached_property
    def _holds(self) -> Callable[[State], int]:
        """A function of states: 1 if the goal and the laws hold."""
        return compile_term(self._wanted, self._slot)

    def repair(self, changes: Correction) -> Repair:
        """A repair with the values nearest to the present ones, as far as time permits."""
        state = self._question.position(changes)
        first, self._first = self._first, False  # it is not to wait until all is compiled
        if not (interpret(self._wanted, self._slot, state) if first else self._holds(tuple(state))):
            raise ReplayError("a repair with which the goal does not hold")
        self._parts = [set(known) for known in self._known if known.keys() < changes.keys()]
        self._known.append(changes)
        made, changed = dict(changes), sorted(changes, key=self._slot.__getitem__)
        as_well: dict[Term, list[int]] = {}
        for fluent in changed:
            now = self._question.state[self._slot[fluent]]
            near = list(self._nearer(fluent, now, made))
            if isinstance(fluent.sort, IntSort):
                made[fluent] = near[0] if near else made[fluent]
            else:
                as_well[fluent] = [n for n in near if n != made[fluent]]
        shown = [self._replacement(f, made[f], as_well.get(f, ()), self._ranges(f, made)) for f in changed]
        return self._repair(made, shown)

    def as_found(self, changes: Correction) -> Repair:
        """A repair with the values that were found."""
        if not interpret(self._wanted, self._slot, self._question.position(changes)):
            raise ReplayError("a repair with which the goal does not hold")
        return self._repair(changes, [self._replacement(f, changes[f]) for f in self._slot if f in changes])

    def _repair(self, made: Correction, shown: Sequence[Replacement]) -> Repair:
        """A repair with what follows from it."""
        after = self._question.position(made)
        follows = (f for f, n in zip(self._slot, after, strict=True) if n != self._question.state[self._slot[f]])
        bear = set(variables(self._wanted)) - made.keys()
        return Repair(tuple(shown), tuple(self._replacement(f, after[self._slot[f]]) for f in follows if f in bear))

    def _replacement(
        self, fluent: Term, after: int, others: Iterable[int] = (), ranges: Iterable[tuple[int, int]] = ()
    ) -> Replacement:
        """A fluent with another value, for a reader."""
        system = self._question.system
        now, then = (value(fluent.sort, n) for n in (self._question.state[self._slot[fluent]], after))
        about, says = system.in_words.said(fluent.name, then)
        was = system.in_words.said(fluent.name, now).says
        family, index = system.layout.entries[fluent]
        as_well = tuple(value(fluent.sort, n) for n in others)
        said, path = sentence([about], says), (family.name, *index)
        return Replacement(fluent.name, now, then, as_well, tuple(ranges), said, path, about, says, was)

    def _nearer(self, fluent: Term, now: int, made: Correction) -> Iterator[int]:
        """The values that work as well as the one in some changes; for a number, those nearer to the present one."""
        try:
            for n in _nearer(fluent, now, made[fluent]):
                check_deadline()
                if self._other(made, fluent, n):
                    yield n
        except TimeUp:
            self.in_time = False

    def _ranges(self, fluent: Term, made: Correction) -> Iterator[tuple[int, int]]:
        """The numbers that work as well as the one in some changes, with it, as ranges; none where it alone does."""
        now, here = self._question.state[self._slot[fluent]], made[fluent]
        if not isinstance(fluent.sort, IntSort):
            return
        far = range(max(fluent.lo, min(here, now) - _FARTHEST), min(fluent.hi, max(here, now) + _FARTHEST) + 1)
        good = []
        try:
            for n in far:
                check_deadline()
                good += [n] if n == here or (n != now and self._other(made, fluent, n)) else []
        except TimeUp:
            self.in_time = False
            return
        if len(good) > 1:
            first = [n for n in good if n - 1 not in good]
            yield from zip(first, (n for n in good if n + 1 not in good), strict=True)

    def _other(self, made: Correction, fluent: Term, n: int) -> bool:
        """True if another value works as well, and no part of the changes would be enough with it."""
        other = {**made, fluent: n}
        return self._good(other) and not any(self._good({f: other[f] for f in part}) for part in self._parts)

    def _good(self, changes: Correction) -> bool:
        return bool(self._holds(tuple(self._question.position(changes))))


def _nearer(fluent: Term, now: int, found: int) -> Iterable[int]:
    """Alternatives to the value found: for a number, those nearer to the present one."""
    if isinstance(fluent.sort, BoolSort):
        return ()
    if not isinstance(fluent.sort, IntSort):
        return (n for n in range(fluent.hi + 1) if fluent.mask >> n & 1 and n != now)
    farthest = min(abs(found - now), _FARTHEST + 1)
    near = (n for d in range(1, farthest) for n in (now - d, now + d))
    return (n for n in near if fluent.lo <= n <= fluent.hi)


# ---- conflicts


def _forbidden(answer: Missing, question: RepairQuestion, effort: Effort) -> Missing:
    """The minimal contradictions, if no position satisfies the goal."""
    answer = replace(answer, status="impossible")
    try:
        used = {v for p in (*question.goal, *question.laws) for v in variables(p.term)}
        facts = ((f, question.start[f]) for f in question.kept if f in used)
        kept = (ContradictionPart("fact", f.name, f"{f.name} is {show(now)}", (), eq(f, now)) for f, now in facts)
        parts = (*question.goal, *question.laws, *kept)
        found = unsat_subsets([p.term for p in parts], question.limit, effort.part(budgets.REPAIRS))
    except TimeUp:
        return replace(answer, reason=TIME_UP)
    sets = tuple(tuple(parts[i] for i in s) for s in found.sets)
    shown = tuple(_confirm(s, effort) for s in sets)
    return replace(answer, conflicts=shown, complete=found.complete, reason=found.reason)


def _confirm(parts: tuple[ContradictionPart, ...], effort: Effort) -> Conflict:
    """A contradiction, with whether a second, plain solver confirms it in time, and another solver too."""
    try:
        # One by one: together they may fold away before a solver sees them.
        claim = contradictory([p.term for p in parts], effort, about="all of these hold in a position")
    except TimeUp:
        claim = None
    return Conflict(parts, claim is not None, "" if claim is None else effort.confirming_solvers((claim,)))


# ---- what is asked


def goal_parts(system: System, goal: Goal) -> tuple[ContradictionPart, ...]:
    """The conjuncts of a goal, each with the clauses of the observables in it."""
    return tuple(_goal_part(system, text) for text in conjuncts(goal.text, system.vocabulary))


def _goal_part(system: System, text: str) -> ContradictionPart:
    goal = compile_goal(text, system.vocabulary)
    named = {name for _, name in goal.mentions}
    judged = [c for o in system.outcomes if o.name in named and (o.side in named) for c in o.cites]
    spoken = [c for f in goal.functions if f != HOLDS for c in system.vocabulary[f].cites]
    cites = (c.clause for c in (*(judged if HOLDS in goal.functions else ()), *spoken))
    return ContradictionPart("goal", text, text, tuple(dict.fromkeys(cites)), goal.term)


def judged_here(
    system: System, state: State, parts: tuple[ContradictionPart, ...], asked: Set[Term]
) -> tuple[tuple[ContradictionPart, ...], tuple[str, ...]]:
    """The parts of a goal as if its outcomes were judged in the position that is sought, and that this is so.

    Facts that the rules write down for themselves are none that anybody could change.

    Args:
        parts: The conjuncts of the goal.
        asked: Facts that are to be kept, or may change, by name.
    """
    written = {f: x for f, x in system.written.items() if f not in asked}
    holds = interpret(all_of(p.term for p in parts), system.layout.slot, state)
    if holds or written.keys().isdisjoint(variables(*(p.term for p in parts))):
        return parts, ()
    here = Substitution(written)
    return tuple(replace(p, term=here(p.term)) for p in parts), (JUDGED,)


JUDGED = "outcomes of the goal are judged in the position that is sought, as if their moment had come"


def memories(system: System, asked: Iterable[Term]) -> tuple[str, ...]:
    """The families of facts about earlier turns, without those of which some are asked for."""
    families = system.layout.families
    named = {system.layout.entries[f][0].name for f in asked}
    return tuple(name for name in system.memories if name in families and name not in named)


def fluents_named(system: System, names: Sequence[str], option: str = "keep") -> tuple[Term, ...]:
    """The fluents with the given names; a family's name stands for all its fluents.

    Args:
        option: Where they were given.

    Raises:
        InputError: Names that do not exist.
    """
    found: dict[Term, None] = {}
    wrong = []
    for name in names:
        family = system.layout.families.get(name)
        fluents = tuple(family.fluents.values()) if family else _one(system, name)
        if not fluents:
            known = [*system.layout.families, *system.layout.by_name]
            message = f"there is no fact {quoted(name)}"
            wrong.append(Diagnostic("unknown-name", message, choice(option), help=did_you_mean(name, known)))
        found |= dict.fromkeys(fluents)
    if wrong:
        raise InputError(wrong)
    return tuple(found)


def _one(system: System, name: str) -> tuple[Term, ...]:
    """A fluent by its name, with any alias of its indices."""
    if name in system.layout.by_name:
        return (system.layout.by_name[name],)
    family_name, _, rest = name.removesuffix("]").partition("[")
    family = system.layout.families.get(family_name)
    words = tuple(w.strip() for w in rest.split(","))
    if family is None or not rest or len(words) != len(family.indices):
        return ()
    index = tuple(d.find(w) for d, w in zip(family.indices, words, strict=True))
    return (family[tuple(i for i in index if i is not None)],) if None not in index else ()
