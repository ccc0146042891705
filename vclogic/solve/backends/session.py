"""Incremental z3 sessions in separate processes, with a hard deadline."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from vclogic.clock import TIME_UP, Deadline, TimeUp
from vclogic.encode.smt import SmtWriter
from vclogic.progress import Listener, Progress
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.claims import Claims, SecondOpinion
from vclogic.solve.backends.kept import given_up, started
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.solvers import Solver, Watch, new_number
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.solve.backends.highs import Engines

Verdict = Literal["sat", "unsat", "unknown"]
FAST = ("merging", "cutting")
PLAIN = ("plain",)
GIVEN_UP = "the question was given up for another"
NO_MODEL = "an engine gave a model that is none"


@dataclass(frozen=True)
class Effort:
    """The resources of a question, how far its search goes, and what is known about it when work begins.

    Attributes:
        deadline: When it must be answered.
        listener: Called with its progress.
        opinion: What another solver says of the final claims; None: nobody is asked, as of what is guessed.
        cost: The cost of the best plan known so far.
        bound: The best lower bound known so far.
        scale: In how many parts of one costs are counted.
        engines: The processes of HiGHS that questions share; None: each has its own.
        first: Whether any plan will do; a cheap one is preferred if that takes no longer.
        certify: Whether z3 must confirm what was proved in floating point.
        pause: Seconds of search without a plan after which a proof is tried; None: a default share of the time.
    """

    deadline: Deadline
    listener: Listener
    opinion: SecondOpinion | None = None
    cost: int | None = None
    bound: int | None = None
    scale: int = 1
    engines: Engines | None = None
    first: bool = False
    certify: bool = False
    pause: float | None = None

    def progress(self, phase: str, cost: int | None = None, bound: int | None = None) -> None:
        """Report progress.

        Args:
            phase: The current phase.
            cost: The cost of the best plan found; None: nothing new.
            bound: The best lower bound; None: nothing new.
        """
        costs = [n for n in (cost, self.cost) if n is not None]
        bounds = [n for n in (bound, self.bound) if n is not None]
        self.listener(Progress(phase, min(costs, default=None), max(bounds, default=None), self.scale))

    @property
    def elapsed_s(self) -> float:
        """Seconds since work began, rounded as in answers."""
        return round(self.deadline.elapsed, 3)

    def part(self, share: float = 1.0, most: float = math.inf) -> Effort:
        """The same with an earlier deadline: a share of the time left, and at most `most` seconds."""
        return replace(self, deadline=self.deadline.part(share, most))

    def session(self, engines: Sequence[str] = FAST, *, most: float = math.inf) -> Session:
        """A fresh session.

        Args:
            engines: Which engines to run.
            most: Time limit in seconds; if given, it also ends after a third of the time left.
        """
        return Session(self.deadline if most == math.inf else self.deadline.part(1 / 3, most), engines)

    def agreeing(self, claims: Claims) -> str:
        """The name of another solver that agrees with the final claims of an answer; empty if none does in time."""
        return "" if self.opinion is None else self.opinion.on(claims, self.deadline)

    def confirming_solvers(self, claims: Claims, otherwise: str = "z3") -> str:
        """The solvers that confirm the final claims of an answer, which z3 has confirmed already.

        Args:
            claims: The claims.
            otherwise: Who has checked them.

        Returns:
            Another solver; else `terms`, where no solver had to be asked, or who has checked them; empty: no claims.
        """
        if not claims:
            return ""
        return self.agreeing(claims) or ("terms" if all(c.evident for c in claims) else otherwise)


@dataclass(frozen=True)
class Answer:
    """The answer of a session.

    Attributes:
        verdict: `sat`, `unsat` or `unknown`.
        values: For `sat`: the number of each variable that the session knows.
        reason: For `unknown`: why.
        core: For `unsat`: assumptions that alone contradict the assertions; None: it is not known which.
    """

    verdict: Verdict
    values: Mapping[Term, int] = field(default_factory=dict)
    reason: str = ""
    core: tuple[Term, ...] | None = None


class Beside(Protocol):
    """A process whose answer would make a running query unnecessary; see `Session.check`."""

    @property
    def done(self) -> bool:
        """True if it has answered, or never will."""

    def register(self, watch: Watch) -> None:
        """Let it be watched, and reported itself."""

    def handle(self, watch: Watch, events: int) -> object:
        """Transfer data after it was reported."""


class Session:
    """A portfolio of engines on one growing set of constraints; the first verdict counts.

    Use it as a context manager: leaving it ends its processes.

    Args:
        deadline: When it must stop. Processes that are still running are then killed; that check and all later ones
            answer `unknown`.
        engines: The engines to run (names of `z3_engine.ENGINES`).
    """

    def __init__(self, deadline: Deadline, engines: Sequence[str] = FAST):
        self._deadline = deadline
        self._writer = SmtWriter()
        self._asserted: list[Term] = []
        self._pending: list[str] = []
        self._told: list[str] = []
        self._contradiction = False
        self._asked = 0
        self._assumed: list[str] = []
        self._effort = 0
        self._meant: dict[str, Term] = {}
        self._failure = ""
        self._processes: list[Solver] = []
        if deadline.left > 0:
            for engine in engines:
                self._begin(engine)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, or leave them to other sessions."""
        for process in self._processes:
            given_up(process)
        self._processes = []

    @property
    def variables(self) -> int:
        """The number of variables of the questions so far."""
        return len(self._writer.variables)

    def add(self, *terms: Term) -> None:
        """Assert Bool terms permanently."""
        self._contradiction |= FALSE in terms
        kept = [t for t in terms if t is not TRUE and t is not FALSE]
        if kept:
            self._pending.append(self._writer.assertions(kept))
            self._asserted += kept

    def check(
        self, *assumptions: Term, seconds: float = math.inf, effort: int = 0, beside: Beside | None = None
    ) -> Answer:
        """Check the satisfiability of all assertions, together with some assumptions.

        Args:
            assumptions: Bool terms for this call only.
            seconds: Time limit of this query; the session stays usable.
            effort: The most that each engine may spend on it, in z3's unit of effort; 0: no limit. Unlike a time
                limit, it gives the same answer on every machine, however busy, where one engine is asked.
            beside: The query is also given up once this has answered.
        """
        if self._deadline.left <= 0:
            self._failure = TIME_UP
            self.close()
            return Answer("unknown", reason=self._failure)
        self._effort = effort
        return self._check(assumptions, seconds, beside)

    def _check(self, assumptions: Sequence[Term], seconds: float, beside: Beside | None) -> Answer:
        if self._contradiction or FALSE in assumptions:
            return Answer("unsat")
        literals: list[str] = []
        self._meant = {}
        for t in assumptions:
            if t is not TRUE:
                text, name = self._writer.assumption(t)
                self._pending.append(text)
                literals.append(name)
                self._meant[name] = t
        self._asked = new_number()
        self._told.append("".join(self._pending))
        self._pending.clear()
        self._assumed = literals
        self._hear_out()
        for process in self._processes:
            self._tell(process)
        self._drop_dead()
        # A question that is over must not burden the next ones: with its literal false it falls away.
        self._pending += [f"(assert (not {name}))\n" for name in literals]
        try:
            return self._wait(Deadline(seconds), [*self._asserted, *assumptions], beside)
        except TimeUp:  # it came while a model was looked at; who asks next is not to wait for the others
            self._cancel(self._processes)
            raise

    def _begin(self, engine: str) -> Solver:
        process = started(engine)
        self._processes.append(process)
        self._drop_dead()
        return process

    def _tell(self, process: Solver) -> None:
        """Send the query to a process, with all assertions that it has not received yet."""
        text = "".join(self._told[process.told :])
        process.send({"id": self._asked, "text": text, "assume": self._assumed, "effort": self._effort})
        process.told = len(self._told)

    def _drop_dead(self) -> None:
        for process in [p for p in self._processes if not p.alive]:
            process.close()
            self._processes.remove(process)
            self._failure = self._failure or process.failure

    def _hear_out(self) -> None:
        """Discard answers to earlier queries."""
        with Watch() as watch:
            for process in self._processes:
                process.register(watch)
            for key, events in watch.select(0):
                if key.data.alive:
                    key.data.handle(watch, events)
        self._drop_dead()

    def _replace(self, process: Solver, watch: Watch) -> list[Solver]:
        """Replace a process that ignores its cancellation by a fresh one, if that lives, and send it the query."""
        process.unregister(watch)
        process.close()
        self._processes.remove(process)
        fresh = self._begin(process.engine)
        self._tell(fresh)
        self._drop_dead()
        fresh.register(watch)
        return [fresh] if fresh.alive else []

    def _wait(self, patience: Deadline, claimed: Sequence[Term], beside: Beside | None) -> Answer:
        """Wait for the first `sat` or `unsat`; `unknown` once none is possible."""
        waiting = list(self._processes)
        reason = self._failure
        with Watch() as watch:
            for process in waiting:
                process.register(watch)
            if beside and not beside.done:
                beside.register(watch)
            while waiting:
                lefts = (self._deadline.left, patience.left, *(p.patience for p in waiting))
                for key, events in watch.select(max(min(lefts), 0)):
                    if key.data is beside and beside:
                        beside.handle(watch, events)
                        continue
                    answer = self._hear(key.data, watch, events, claimed)
                    if answer and key.data in waiting:
                        waiting.remove(key.data)
                        if answer.verdict != "unknown":
                            self._cancel(waiting)
                            return answer
                        reason = reason or answer.reason
                if self._deadline.left <= 0:
                    self._failure = TIME_UP
                    self.close()
                    return Answer("unknown", reason=self._failure)
                if waiting and (patience.left <= 0 or (beside and beside.done)):
                    self._cancel(waiting)
                    return Answer("unknown", reason=GIVEN_UP)
                # A solver that does not obey a cancellation would hold up this question for one that is over.
                for process in [p for p in waiting if p.patience <= 0]:
                    waiting.remove(process)
                    waiting += self._replace(process, watch)
                reason = reason or self._failure
        return Answer("unknown", reason=reason)

    def _hear(self, speaker: Solver, watch: Watch, events: int, claimed: Sequence[Term]) -> Answer | None:
        """The answer of a process to the current query, or that it has failed; None: nothing yet.

        A model is accepted only if all claimed terms are true in it, evaluated in Python.
        """
        if not speaker.alive:
            return None
        said = None
        for answer in speaker.handle(watch, events):
            if answer["id"] == self._asked:
                said = self._read(answer, claimed)
        if said and said.reason == NO_MODEL:
            speaker.alive, speaker.failure = False, NO_MODEL
        if not speaker.alive:
            speaker.unregister(watch)
            self._drop_dead()
        return said if said or speaker.alive else Answer("unknown", reason=speaker.failure)

    def _read(self, answer: Json, claimed: Sequence[Term]) -> Answer:
        if answer["status"] != "sat":
            core = tuple(self._meant[name] for name in answer["core"]) if "core" in answer else None
            return Answer(answer["status"], reason=answer.get("reason", ""), core=core)
        values = {v: self._writer.value(v, answer["model"]) for v in self._writer.variables}
        return Answer("sat", values) if is_model(values, claimed) else Answer("unknown", reason=NO_MODEL)

    def _cancel(self, waiting: list[Solver]) -> None:
        for process in waiting:
            process.send({"cancel": self._asked})
