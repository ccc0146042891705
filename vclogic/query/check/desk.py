"""Where checks ask: is there a well-formed position with this, which is the smallest, and is that so in Python?"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.encode.python import interpret
from vclogic.encode.source import interpret as interpret_all
from vclogic.model.fluents import State
from vclogic.model.rules import Cites, Reading
from vclogic.model.system import System
from vclogic.place import Places
from vclogic.query.check.catalogue import CATALOGUE
from vclogic.query.check.findings import Change, Finding, Undecided, Witness
from vclogic.query.replay import ReplayError
from vclogic.solve.fewest import number
from vclogic.solve.session import GIVEN_UP, PLAIN, Answer, Deadline, Effort, Session
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, count, le, ne
from vclogic.terms.notes import Note
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

_SHARE = 8  # of the time that is left, one question gets this part, and a second at least
_LARGE = 10.0  # seconds that a question over all positions may take in any case: its text alone may take some
_WIDE = 16  # a fluent with more values than this is kept as at the start in a first look
_STEADY = ("merging",)  # one engine that keeps what it has learnt: the questions are many and small


@dataclass(frozen=True)
class Subject:
    """A rule set to be checked.

    Attributes:
        game: `encoding/scenario`.
        system: The rule set.
        state: The start.
        notes: What constructors folded away when it was built.
        readings: Its Readings.
        read: The value of each.
        under: The rule set with one Reading at another value.
        write: A state as the text of a position file; None where no file can give it.
    """

    game: str
    system: System
    state: State
    notes: tuple[Note, ...] = ()
    readings: tuple[Reading, ...] = ()
    read: Mapping[str, str] = field(default_factory=dict)
    under: Callable[[str, str], System] | None = None
    write: Callable[[State], str | None] = lambda state: None


@dataclass(frozen=True)
class Topic:
    """What a finding would be about.

    Attributes:
        code: The code.
        rule: The name that suppressions use.
        cites: The clauses.
        places: Where the game's code made it.
    """

    code: str
    rule: str
    cites: Cites
    places: Places

    def finding(self, message: str, **more: object) -> Finding:
        """The finding on this topic."""
        kind = CATALOGUE[self.code]
        clauses = tuple(dict.fromkeys(str(c) for c in self.cites))
        made = Finding(self.code, kind.severity, self.rule, clauses, message, self.places, help=kind.help)
        return replace(made, **more)  # type: ignore[arg-type]


class Desk:
    """Questions about one rule set, asked of solvers that stay.

    Use it as a context manager: leaving it ends their processes.

    Attributes:
        subject: The rule set.
        undecided: What could not be decided so far.

    Args:
        subject: The rule set.
        codes: The codes that are asked for.
        effort: What may be spent.
    """

    def __init__(self, subject: Subject, codes: Sequence[str], effort: Effort):
        self.subject = subject
        self.system = subject.system
        self.undecided: list[Undecided] = []
        self.effort = effort
        self._codes = frozenset(codes)
        self._told: set[Term] = set()
        self._sessions: list[Session] = []
        self._until = effort.deadline
        self._fixed: dict[frozenset[Term], Substitution] = {}

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *error: object) -> None:
        for session in self._sessions:
            session.close()

    def wants(self, *codes: str) -> bool:
        """Whether any of the codes is asked for."""
        return bool(self._codes & set(codes))

    def give_up(self, topic: Topic, reason: str) -> None:
        """Takes down that a check could not be decided."""
        self.undecided.append(Undecided(topic.code, topic.rule, reason))

    def allot(self, share: float) -> None:
        """Gives the checks that follow a share of the time that is left."""
        self._until = Deadline(self.effort.deadline.left * share)

    # ---- questions

    def possible(self, *terms: Term) -> Answer:
        """Whether some well-formed position satisfies Bool terms."""
        wanted = and_(*terms)
        if wanted is FALSE:
            return Answer("unsat")
        if self.time_is_up:
            return Answer("unknown", reason="the time for checks of this kind is up")
        if self._fluents(wanted) and interpret(wanted, self.system.layout.slot, self.subject.state):
            return Answer("sat", self._numbers)
        near = self._near_start(wanted)
        if near is not None:
            return near
        return self._anywhere(wanted)

    def _anywhere(self, wanted: Term) -> Answer:
        """A position that satisfies a Bool term; the solver is told an invariant once an answer has broken it.

        So it never hears of most of them, which are many where pieces stand on a map; that nothing satisfies even
        fewer laws is a proof all the same.
        """
        laws, slot = self.bearing(wanted), self.system.layout.slot
        until = Deadline(max(self.patience, min(_LARGE, self.effort.deadline.left)))
        while True:
            answer = self._search.check(wanted, seconds=max(until.left, 0.1))
            if answer.verdict != "sat":
                reason = f"no answer in {_LARGE:.0f} s or more" if answer.reason == GIVEN_UP else answer.reason
                return replace(answer, reason=reason)
            known = variables(wanted, *(t for t in laws if t in self._told))
            found = {f: answer.values[f] for f in known if f in answer.values}
            kept = interpret_all(laws, slot, self.position(Answer("sat", found), [f for f in known if f in slot]))
            broken = [t for t, holds in zip(laws, kept, strict=True) if not holds]
            if not broken:
                return self.completed(replace(answer, values=found))
            self._told.update(broken)
            self._search.add(*broken)

    @property
    def time_is_up(self) -> bool:
        """Whether the checks of this kind have had their time."""
        return self._until.left <= 0

    def _fluents(self, term: Term) -> bool:
        """Whether a term speaks of fluents only."""
        return all(v in self._numbers for v in variables(term))

    def _near_start(self, wanted: Term) -> Answer | None:
        """A position in which every fluent of many values is as at the start; None if that is no help.

        Positions of pieces make large questions; most answers do not need them to be anywhere else.
        """
        wide = {v: self.start[v] for v in variables(wanted, *self.bearing(wanted)) if v.mask.bit_count() > _WIDE}
        if not wide:
            return None
        fixed = self._fixed.setdefault(frozenset(wide), Substitution(wide))
        terms = [fixed(t) for t in (wanted, *self.bearing(wanted))]
        if and_(*terms) is FALSE:
            return None
        answer = self._near.check(and_(*terms), seconds=self.patience)
        return self.completed(Answer("sat", answer.values)) if answer.verdict == "sat" else None

    def completed(self, answer: Answer) -> Answer:
        """The answer with the start's value of each fluent that it leaves open: what nobody asked about stays."""
        return replace(answer, values=ChainMap(dict(answer.values), self._numbers)) if answer.values else answer

    @cached_property
    def _numbers(self) -> dict[Term, int]:
        return dict(zip(self.system.layout.fluents, self.subject.state, strict=True))

    def never(self, term: Term) -> bool:
        """Whether a fresh plain solver confirms that no well-formed position satisfies a Bool term."""
        if term is FALSE:
            return True
        with self.effort.session(PLAIN, most=self.patience) as session:
            session.add(*(t for t in self.bearing(term) if t in self._told), term)  # those that mattered before
            return session.check().verdict == "unsat"

    def exhibit(self, topic: Topic, message: str, *terms: Term) -> Iterator[Finding]:
        """The finding that some well-formed position satisfies Bool terms, with the smallest one, or nothing.

        What cannot be decided is taken down.
        """
        answer = self.possible(*terms)
        if answer.verdict == "unknown":
            self.give_up(topic, self.bound(answer))
        elif answer.verdict == "sat":
            wanted = and_(*terms)
            yield topic.finding(message, witness=self.smallest(wanted, answer), goal=wanted)

    def bound(self, answer: Answer) -> str:
        """Why a question has no answer."""
        return f"{answer.reason or 'no solver decided it'} (over all well-formed positions)"

    @property
    def patience(self) -> float:
        """Seconds that the next question may take."""
        left = min(self._until.left, self.effort.deadline.left)
        return max(min(left, 1.0), left / _SHARE)

    def bearing(self, *terms: Term) -> list[Term]:
        """The invariants that share fluents with the terms, directly or through each other."""
        found: dict[Term, None] = {}
        queue = list(variables(*terms))
        seen = set(queue)
        while queue:
            for law, fluents in self._laws.get(queue.pop(), ()):
                if law not in found:
                    found[law] = None
                    new = [v for v in fluents if v not in seen]
                    seen.update(new)
                    queue += new
        return list(found)

    @cached_property
    def _laws(self) -> dict[Term, list[tuple[Term, tuple[Term, ...]]]]:
        """For each fluent the invariants that speak of it, with all of their fluents."""
        found: dict[Term, list[tuple[Term, tuple[Term, ...]]]] = {}
        for law in dict.fromkeys(rule.kept for rule in (*self.system.invariants, *self.system.checked)):
            fluents = variables(law)
            for v in fluents:
                found.setdefault(v, []).append((law, fluents))
        return found

    @cached_property
    def _search(self) -> Session:
        return self._session()

    @cached_property
    def _near(self) -> Session:
        return self._session()

    def _session(self) -> Session:
        session = self.effort.session(_STEADY)
        self._sessions.append(session)
        return session

    # ---- witnesses

    def smallest(self, wanted: Term, found: Answer) -> Witness:
        """The smallest well-formed position that satisfies a Bool term.

        It has the fewest pieces, and of those with as few the fewest changes of the start.

        Args:
            wanted: The term.
            found: Some position that satisfies it.

        Raises:
            ReplayError: What the solver found is none, as the Python evaluator has it: a bug.
        """
        pieces, proved = self.system.pieces, True
        fluents = variables(wanted, *self.bearing(wanted))
        small = wanted
        if pieces is not None:
            fluents = variables(wanted, pieces, *self.bearing(wanted, pieces))
            found, proved = self.fewest(pieces, wanted, found)
            small = and_(wanted, le(pieces, number(pieces, found)))
        best, minimal = self.fewest(count(ne(f, self.start[f]) for f in fluents), small, found)
        state = self.position(best, fluents)
        self.confirm(state, wanted)
        return self.witness(state, minimal=minimal and proved)

    def fewest(self, cost: Term, wanted: Term, found: Answer) -> tuple[Answer, bool]:
        """Of all answers that satisfy a Bool term one with the least cost, and whether that is proved."""
        best, _, proved = least(lambda t: self.possible(wanted, t), cost, found)
        return best, proved

    @cached_property
    def start(self) -> Mapping[Term, Term]:
        """The value of each fluent at the start, as constants."""
        return self.system.layout.constants(self.subject.state)

    def position(self, answer: Answer, fluents: Sequence[Term]) -> State:
        """The start with what an answer gives some fluents."""
        state = list(self.subject.state)
        for f in fluents:
            state[self.system.layout.slot[f]] = answer.values.get(f, self._numbers[f])
        return tuple(state)

    def confirm(self, state: State, wanted: Term) -> None:
        """Looks in Python whether a state is well-formed and satisfies a Bool term.

        Raises:
            ReplayError: It is not, or does not.
        """
        slot = self.system.layout.slot
        if not interpret(all_of([wanted, *self.bearing(wanted)]), slot, state):
            raise ReplayError("a witness of the solver does not show what it should")

    def witness(self, state: State, *, minimal: bool, then: tuple[str, ...] = ()) -> Witness:
        """A state as changes of the start."""
        layout, system = self.system.layout, self.system
        before, after = layout.values(self.subject.state), layout.values(state)
        changes = tuple(Change(f.name, before[f], after[f]) for f in layout.fluents if before[f] != after[f])
        pieces = None if system.pieces is None else interpret(system.pieces, layout.slot, state)
        return Witness(changes, minimal, pieces, self.subject.write(state), then)


def least(check: Callable[[Term], Answer], cost: Term, best: Answer) -> tuple[Answer, int, bool]:
    """The answer with the least cost.

    Args:
        check: Asks for an answer that satisfies one term more.
        cost: What is to be least.
        best: An answer.

    Returns:
        The best answer found, its cost, and whether it is proved that none costs less.
    """
    low, high = cost.lo, number(cost, best)
    while low < high:
        middle = (low + high) // 2
        answer = check(le(cost, middle))
        if answer.verdict == "unknown":
            return best, high, False
        if answer.verdict == "sat":
            best, high = answer, number(cost, answer)
        else:
            low = middle + 1
    return best, high, True
