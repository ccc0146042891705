"""Answers checks: whether a well-formed position satisfies a term, and which is the smallest that does."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Literal

from vclogic.check.findings import CheckedRules, Finding, FindingKey, Scope, Undecided, Witness, WitnessChange
from vclogic.check.play import PositionsOfPlay
from vclogic.clock import ANSWERING, Deadline, TimeUp, grace_period
from vclogic.encode.abstractions import DomainAbstraction, abstracted
from vclogic.encode.distance import fewest_changes
from vclogic.encode.linear.affine import any_value
from vclogic.encode.python.codegen import interpret as interpret_all
from vclogic.encode.python.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.query.replay import ReplayError
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, confirmation
from vclogic.solve.backends.session import GIVEN_UP, Answer, Effort, Session
from vclogic.solve.proofs.unreachability import Laws, contradictory
from vclogic.solve.searches.cost_bounds import downwards, halves, narrow, number
from vclogic.solve.searches.local_search import WIDE, LocalSearch, walk_of
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, count, le, ne
from vclogic.terms.term import Term, variables
from vclogic.words import joined

_SEEN = 60  # positions at which local search begins
_STEADY = ("merging",)  # one engine that keeps what it has learnt: the questions are many and small


class Oracle:
    """Answers questions about the positions of one rule set; its solvers stay for the next question.

    Use it as a context manager: leaving it ends their processes.

    Attributes:
        rules: The rule set.
        undecided: What could not be decided so far.
        left_open: What is open about play from the start, in clauses that begin with `whether`.
        noted: What else is worth saying of play from the start.
        effort: What may be spent.
        ask: Makes a question about play from the start, given what may be spent on it; None: none can be asked.
        scope: How far the check looks.

    Args:
        rules: The rule set.
        codes: The codes that are asked for.
        effort: What may be spent.
        ask: Makes a question about play from the start.
        scope: How far the check looks.
        smallest: Whether witnesses are as small as can be; False: any will do.
    """

    def __init__(
        self,
        rules: CheckedRules,
        codes: Sequence[str],
        effort: Effort,
        *,
        ask: Callable[[Effort], ResolvedQuestion] | None = None,
        scope: Scope = "positions",
        smallest: bool = True,
    ):
        self.rules = rules
        self.system = rules.system
        self.undecided: list[Undecided] = []
        self.left_open: list[str] = []
        self.noted: list[str] = []
        self.ask = ask
        self.scope = scope
        self.effort = effort
        self._codes, self._shrinks = frozenset(codes), smallest
        self._broken: set[Term] = set()
        self._sessions: dict[str, Session] = {}
        self._until = effort.deadline
        self._seen: list[State] = []
        self._known: dict[Term, Answer] = {}
        self._smallest: dict[Term, tuple[Witness, State]] = {}

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, *error: object) -> None:
        for session in self._sessions.values():
            session.close()

    def wants(self, *codes: str) -> bool:
        """True if any of the codes is asked for."""
        return bool(self._codes & set(codes))

    def give_up(self, key: FindingKey, reason: str) -> None:
        """Records that a check could not be decided."""
        self.undecided.append(Undecided(key.code, key.rule, reason))

    def allot(self, share: float) -> None:
        """Limits the checks that follow to a share of the time that is left."""
        self._until = self.effort.deadline.part(share)

    # ---- questions

    def possible(self, *terms: Term) -> Answer:
        """Look for a well-formed position that satisfies Bool terms."""
        wanted = and_(*terms)
        answer = self.glance(wanted)
        if answer.verdict == "unknown" and not self.time_is_up:
            answer = self._known[wanted] = self._anywhere(wanted)
        return answer

    def glance(self, wanted: Term) -> Answer:
        """The same as `possible` of one term, by the cheap methods alone; `unknown` where they do not decide."""
        answer = self._known.get(wanted)
        if answer is None or answer.verdict == "unknown":
            answer = self._known[wanted] = self._glance(wanted)
        return answer

    def _glance(self, wanted: Term) -> Answer:
        if wanted is FALSE:
            return Answer("unsat")
        if self.time_is_up:
            return Answer("unknown", reason="the time for checks of this kind is up")
        if self._fluents(wanted) and interpret(wanted, self.system.layout.slot, self.rules.state):
            return Answer("sat", self._numbers)
        if self._excluded(wanted):
            return Answer("unsat")
        if not self._wide(wanted):
            return self._anywhere(wanted)
        state = self._local_search(wanted, budgets.WALK)
        return Answer("unknown", reason="local search found none") if state is None else self._answer(state)

    def _excluded(self, wanted: Term) -> bool:
        """True if the sum abstraction of a question is unsatisfiable; then the question is too."""
        loose = abstracted(wanted)
        if loose is None:
            return False
        thin, _ = self._kinds.abstracted([loose])
        return self._session("loose").check(*thin, effort=budgets.LOOSENED).verdict == "unsat"

    def _wide(self, wanted: Term) -> bool:
        """True if a question is about fluents of many values, such as pieces on a map, and nothing but fluents."""
        return self._fluents(wanted) and any(v.mask.bit_count() > WIDE for v in variables(wanted))

    def _local_search(self, wanted: Term, most: int) -> State | None:
        """A position that local search finds among so many changes, if it does."""
        found = self._walk.find(wanted, self.effort.deadline, self._seen, most)
        if found is not None:
            self._seen = [*self._seen[-_SEEN:], found]
        return found

    def _answer(self, state: State) -> Answer:
        return Answer("sat", dict(zip(self.system.layout.fluents, state, strict=True)))

    def _anywhere(self, wanted: Term) -> Answer:
        """A position that satisfies a Bool term, found by a solver, or its proof that there is none.

        It has a part of what is left of the time, and some seconds in any case.
        """
        most = max(self.patience, min(budgets.ONE_CHECK_OF_ALL, self.effort.deadline.left))
        if not self._wide(wanted):
            return self._answered(self._session("search"), wanted, most)
        with self.effort.session(_STEADY, most=most) as session:  # what was asked before is of no use
            return self._answered(session, wanted, told=set())

    def _answered(
        self,
        session: Session,
        wanted: Term,
        seconds: float = math.inf,
        effort: int = 0,
        told: set[Term] | None = None,
    ) -> Answer:
        """Solves with lazily added invariants: one is asserted once a model of some question has broken it.

        So it never hears of most of them, which are many where pieces stand on a map; that nothing satisfies even
        fewer laws is a proof all the same.

        Args:
            session: The solver.
            wanted: The term.
            seconds: The time limit.
            effort: The limit of effort of each try; 0: none.
            told: The invariants that were broken before; those broken now are added. None: those of any question.
        """
        told = self._broken if told is None else told
        laws, slot, until = self.bearing(wanted), self.system.layout.slot, Deadline(seconds)
        while True:
            known = [t for t in laws if t in told]
            thin, stands = self._kinds.abstracted([wanted, *known])
            answer = session.check(and_(*thin), seconds=max(until.left, 0.1), effort=effort)
            if answer.verdict != "sat":
                reason = "no answer in the time for one question" if answer.reason == GIVEN_UP else answer.reason
                return replace(answer, reason=reason)
            found = {f: self._found(answer, stands.get(f, f)) for f in variables(wanted, *known)}
            kept = interpret_all(laws, slot, self.position(Answer("sat", found), [f for f in found if f in slot]))
            broken = [t for t, holds in zip(laws, kept, strict=True) if not holds]
            if not broken:
                return self.completed(replace(answer, values=found))
            told.update(broken)
            self._broken.update(broken)

    def _found(self, answer: Answer, standing: Term) -> int:
        """The number that an answer gives a variable."""
        return int(standing.payload) if standing.is_const else answer.values.get(standing, any_value(standing))

    @property
    def time_is_up(self) -> bool:
        """True if the time for the checks of this kind is up."""
        return self._until.left <= 0

    def _fluents(self, term: Term) -> bool:
        """True if all variables of a term are fluents."""
        return all(v in self._numbers for v in variables(term))

    def completed(self, answer: Answer) -> Answer:
        """The answer with the start's value of each fluent that it leaves open: what nobody asked about stays."""
        return replace(answer, values=ChainMap(dict(answer.values), self._numbers)) if answer.values else answer

    @cached_property
    def _numbers(self) -> dict[Term, int]:
        return dict(zip(self.system.layout.fluents, self.rules.state, strict=True))

    def never(self, term: Term) -> str:
        """The solvers that confirm that no well-formed position satisfies a Bool term; empty if none does."""
        loose = abstracted(term)
        known = [t for t in self.bearing(term) if t in self._broken]  # those that mattered before
        claim = (self._contradictory(loose) if loose is not None else None) or self._contradictory(*known, term)
        return "" if claim is None else confirmation(self.effort.confirming_solvers((claim,)))

    def _contradictory(self, *terms: Term) -> Claim | None:
        thin, _ = self._kinds.abstracted(terms)
        return contradictory(thin, self.effort, most=self.patience)

    def exhibit(self, key: FindingKey, message: str, *terms: Term) -> Iterator[Finding]:
        """The finding that some well-formed position satisfies Bool terms, with the smallest one, or nothing.

        What speaks of facts that follow from the event before it is shown by play alone: it has no witness yet.
        """
        if self.follows(*terms):
            if self.possible(*terms).verdict != "unsat":
                yield key.finding(message, goal=and_(*terms))
            return
        for witness, _ in self.shown(key, *terms):
            yield key.finding(message, witness=witness, goal=and_(*terms))

    def shown(self, key: FindingKey, *terms: Term) -> Iterator[tuple[Witness, State]]:
        """The smallest well-formed position that satisfies Bool terms, if any; what is not decided is recorded."""
        answer = self.possible(*terms)
        if answer.verdict == "unknown":
            self.give_up(key, self.bound(answer))
        elif answer.verdict == "sat":
            yield self.smallest(and_(*terms), answer)

    def bound(self, answer: Answer) -> str:
        """Why a question has no answer."""
        return f"{answer.reason or 'no solver decided it'} (over all positions that could stand on the board)"

    @cached_property
    def settled(self) -> frozenset[str]:
        """The names of values that no position changes, such as Readings and options."""
        alone = (o for o in self.system.observables if not o.parameters)
        return frozenset(o.name for o in alone if o.partial().value.is_const)

    def follows(self, *terms: Term) -> bool:
        """True if Bool terms speak of facts that the rules write down for themselves; see `System.written`."""
        return not self.system.written.keys().isdisjoint(variables(*terms))

    @property
    def time_left(self) -> float:
        """Seconds that the checks of this kind may still take."""
        return min(self._until.left, self.effort.deadline.left)

    @cached_property
    def play(self) -> PositionsOfPlay:
        """The positions that play from the start reaches; followed once, when it is first asked for."""
        return PositionsOfPlay.of(self.system, self.rules.state, self._until)

    @property
    def play_looked_at(self) -> str:
        """The extent of play that was looked at, and what is open about it; empty where nothing asked for play."""
        if "play" not in self.__dict__:
            return ""
        open_ = f"; not decided: {joined(self.left_open)}" if self.left_open else ""
        return "; ".join([self.play.looked_at, *self.noted]) + open_

    @property
    def patience(self) -> float:
        """Seconds that the next question may take."""
        left = self.time_left
        return max(min(left, 1.0), left * budgets.ONE_CHECK_SHARE)

    def bearing(self, *terms: Term) -> list[Term]:
        """The invariants that share fluents with the terms, directly or through each other."""
        return self._laws.bearing(*terms)

    @cached_property
    def laws(self) -> Mapping[Term, None]:
        """The laws of every well-formed position, in order."""
        return dict.fromkeys(rule.kept for rule in self.system.laws)

    @cached_property
    def _laws(self) -> Laws:
        return Laws(self.laws)

    @cached_property
    def _kinds(self) -> DomainAbstraction:
        return DomainAbstraction(self._numbers)

    @cached_property
    def _walk(self) -> LocalSearch:
        return walk_of(self.system, self.rules.state, self.laws)

    def _session(self, use: Literal["search", "loose"]) -> Session:
        """The session for one use, begun when it is first needed."""
        if use not in self._sessions:
            self._sessions[use] = self.effort.session(_STEADY)
        return self._sessions[use]

    # ---- witnesses

    def smallest(self, wanted: Term, found: Answer) -> tuple[Witness, State]:
        """The smallest well-formed position that satisfies a Bool term, as a witness and as a state.

        It has the fewest pieces, and of those with as few the fewest changes of the start.

        Args:
            wanted: The term.
            found: Some position that satisfies it.

        Raises:
            ReplayError: What the solver found is none, as the Python evaluator has it: a bug.
        """
        if wanted not in self._smallest:
            self._smallest[wanted] = self._smaller(wanted, found)
        return self._smallest[wanted]

    def shown_by(self, wanted: Term) -> State | None:
        """The position that was found to be the smallest one that satisfies a Bool term, if one was."""
        return self._smallest[wanted][1] if wanted in self._smallest else None

    def _smaller(self, wanted: Term, found: Answer) -> tuple[Witness, State]:
        try:
            best, fluents, minimal = self._least(wanted, found) if self._shrinks else (found, (), False)
        except TimeUp:
            best, minimal = found, False
        with grace_period(ANSWERING):
            if best is found:
                fluents = variables(wanted, *self.bearing(wanted))
            state = self.position(best, fluents)
            self.confirm(state, wanted)
            return self.witness(state, minimal=minimal), state

    def _least(self, wanted: Term, found: Answer) -> tuple[Answer, Sequence[Term], bool]:
        """A smallest answer, the fluents that it is about, and whether it is proved that none is smaller."""
        pieces, proved = self.system.pieces, True
        fluents = variables(wanted, *self.bearing(wanted))
        small = wanted
        if pieces is not None:
            fluents = variables(wanted, pieces, *self.bearing(wanted, pieces))
            found, proved = self.fewest(pieces, wanted, found)
            small = and_(wanted, le(pieces, number(pieces, found)))
        bound = fewest_changes(small, self.system.layout.slot, self.rules.state)
        best, minimal = self.fewest(count(ne(f, self.start[f]) for f in fluents), small, found, bound)
        return best, fluents, minimal and proved

    def fewest(self, cost: Term, wanted: Term, found: Answer, bound: int = 0) -> tuple[Answer, bool]:
        """Of all answers that satisfy a Bool term one with the least cost, and whether that is proved.

        Args:
            wanted: The term.
            found: Some answer.
            bound: What any answer is known to cost at the least.
        """
        if not self._wide(wanted):
            here = number(cost, found)
            fewer = narrow(lambda t, _: self.possible(wanted, t), cost, found, here, 0, by=halves, hard="stop")
            return fewer.best, fewer.proved
        found = self._fewer(cost, wanted, found, bound)
        with self.effort.session(_STEADY) as session:  # what is shown must not depend on what was asked before
            ask = partial(self._answered, session, effort=budgets.SMALLEST, told=set())
            here = number(cost, found)
            fewer = narrow(lambda t, _: ask(and_(wanted, t)), cost, found, here, bound, by=downwards, hard="stop")
        return fewer.best, fewer.proved

    def _fewer(self, cost: Term, wanted: Term, found: Answer, bound: int) -> Answer:
        """An answer with a lower cost than the one that was found, as far as local search finds one."""
        while number(cost, found) > max(cost.lo, bound):
            state = self._local_search(and_(wanted, le(cost, number(cost, found) - 1)), budgets.STROLL)
            if state is None:
                break
            found = self._answer(state)
        return found

    @cached_property
    def start(self) -> Mapping[Term, Term]:
        """The value of each fluent at the start, as constants."""
        return self.system.layout.constants(self.rules.state)

    def position(self, answer: Answer, fluents: Sequence[Term]) -> State:
        """The start with what an answer gives some fluents."""
        state = list(self.rules.state)
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
        with grace_period(ANSWERING):
            before, after = layout.values(self.rules.state), layout.values(state)
            changes = tuple(
                WitnessChange(f.name, before[f], after[f]) for f in layout.fluents if before[f] != after[f]
            )
            pieces = None if system.pieces is None else interpret(system.pieces, layout.slot, state)
            return Witness(changes, minimal, pieces, self.rules.write(state), then)
