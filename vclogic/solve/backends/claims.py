"""The final claims of an answer: Bool terms that nothing satisfies together, in a form that any solver reads.

Where cvc5 is installed (the extra `second-opinion`), it is asked about them: it shares nothing with z3 but the terms,
and is given another text of them. What it does not decide in its time is confirmed by z3 alone; where it contradicts,
there is no answer.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from vclogic.child_process import APART
from vclogic.clock import Deadline
from vclogic.encode.linear.affine import Program
from vclogic.encode.portable import LOGIC, PortableWriter
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.kept import given_up, process_of
from vclogic.solve.backends.messages import SCALE
from vclogic.solve.backends.solvers import Process, Watch, new_number
from vclogic.terms.atoms import FALSE
from vclogic.terms.term import Term

SECONDS = 5.0
"""How long the second opinion on an answer may take by default."""
_BOOLEAN = "QF_BV"  # of Booleans alone; so solvers read it that know no whole numbers
_DECIDED = ("sat", "unsat")
WORKER = "vclogic.solve.backends.cvc5_worker"


class Contradicted(AssertionError):
    """Two solvers contradict each other: a fault of one of them, or of what writes for them."""


@dataclass(frozen=True)
class Claim:
    """Bool terms of which an answer says that nothing satisfies all.

    Attributes:
        about: What it says, in words.
        terms: The terms.
        reached: Int terms with what each is at least: comparisons that are to be asked about as they are. As terms
            those that bounds decide are folded, and nobody else sees how.
    """

    about: str
    terms: tuple[Term, ...]
    reached: tuple[tuple[Term, int], ...] = ()

    @property
    def script(self) -> str:
        """The question as SMT-LIB; the expected answer is `unsat`."""
        writer = PortableWriter()
        text = writer.assertions(self.terms) if self.terms else ""
        text += "".join(writer.comparison(number, least) for number, least in self.reached)
        return f"(set-logic {LOGIC if writer.has_numbers else _BOOLEAN})\n{text}(check-sat)\n"

    @property
    def evident(self) -> bool:
        """True if one of the terms is folded to false, so that there is nothing to ask."""
        return FALSE in self.terms


Claims = tuple[Claim, ...]


@dataclass(frozen=True)
class ProgramBound:
    """The proof that no solution of an integer program costs less than some amount, by multipliers of its rows.

    Attributes:
        program: The program.
        certificate: The branch-and-bound tree with its multipliers.
        least: The amount, without the constant of the objective; infinite: there is no solution.
    """

    program: Program
    certificate: Certificate
    least: float


def second_solver() -> str | None:
    """The solver that gives second opinions, with its version; None where there is none."""
    if not APART or find_spec("cvc5") is None:
        return None
    try:
        return f"cvc5 {version('cvc5')}"
    except PackageNotFoundError:
        return "cvc5"


@dataclass
class SecondOpinion:
    """The verdicts of another solver on the final claims of one answer.

    Attributes:
        seconds: How long it may take in all; 0: it is not asked.
        told: The claims so far, each with whether it agrees.
        bounds: The bounds of programs that the answer rests on.
        spent: Seconds that it took.
        due: When the whole question is to be answered; None: only its parts have deadlines.
    """

    seconds: float = SECONDS
    told: dict[Claim, bool] = field(default_factory=dict)
    bounds: list[ProgramBound] = field(default_factory=list)
    spent: float = 0.0
    due: Deadline | None = None
    _process: Process | None = None

    def on(self, claims: Claims, deadline: Deadline) -> str:
        """The name of the solver if it agrees with all of some claims; empty if it does not decide them in time.

        Args:
            claims: The claims, of which z3 has confirmed all.
            deadline: When the answer is due.

        Raises:
            Contradicted: It finds that something satisfies a claim.
        """
        name = second_solver() if self.seconds > 0 and claims else None
        open_ = [c for c in claims if not self.told.get(c)]
        self.told |= dict.fromkeys(open_, False) if name is None else {}
        if name is None:
            return ""
        evident = [c for c in open_ if c.evident]
        self.told |= dict.fromkeys(evident, True)
        if len(evident) < len(open_):
            self._ask([c for c in open_ if c not in evident], deadline)
        asked = [c for c in claims if not c.evident]
        return name if asked and all(self.told[c] for c in asked) else ""

    def note(self, claims: Claims, bounds: Iterable[ProgramBound] = ()) -> None:
        """Keep claims and bounds for the certificate, about which nobody else is asked."""
        self.told = {**dict.fromkeys(claims, False), **self.told}
        self.bounds += bounds

    def close(self) -> None:
        """End the solver."""
        if self._process is not None:
            given_up(self._process)
            self._process = None

    def _ask(self, claims: Sequence[Claim], deadline: Deadline) -> None:
        self.told |= dict.fromkeys(claims, False)
        left = deadline.left if self.due is None else self.due.left  # a method's own part may be used up
        own = Deadline(min(self.seconds - self.spent, left))
        try:
            for claim in claims:
                if own.left <= 0:
                    return
                verdict = self._verdict(claim, own)
                if verdict == "sat":
                    raise Contradicted(_told(claim))
                self.told[claim] = verdict == "unsat"
                if verdict != "unsat":  # the others would not make the answer a confirmed one
                    return
        finally:
            self.spent += own.elapsed

    def _verdict(self, claim: Claim, own: Deadline) -> str:
        process = self._process = self._process or process_of("cvc5", WORKER)
        process.send({"id": new_number(), "text": claim.script, "seconds": max(own.left, 0.01)})
        verdict = _verdict(process, own)
        if verdict not in _DECIDED:  # it may still be at work
            self.close()
        return verdict


def _verdict(process: Process, deadline: Deadline) -> str:
    """The answer of a process in time; `unknown` where it has none."""
    with Watch() as watch:
        while process.alive and deadline.left > 0:
            process.unregister(watch)
            process.register(watch)
            for key, events in watch.select(max(deadline.left, 0)):
                for answer in key.data.handle(watch, events):
                    return str(answer["status"])
    return "unknown"


def _told(claim: Claim) -> str:
    handle, file = tempfile.mkstemp(".smt2", "vclogic_contradiction_")
    with os.fdopen(handle, "w", encoding="utf-8") as text:
        text.write(f"; z3 says unsat, {second_solver()} says sat: {claim.about}\n{claim.script}")
    return f"z3 and {second_solver()} contradict each other ({claim.about}); the question is in {file}"


POSITIONS = "positions"
"""Who confirms what all positions show: each of them, looked at once more in plain Python."""
_CONFIRMED = {
    "": "a fresh run of z3 confirms it",
    "z3": "a fresh run of z3 confirms it",
    "terms": "its terms contradict each other before a solver is asked",
    "whole numbers": "checked in whole numbers",
    POSITIONS: "each position was looked at twice",
}


def confirmation(by: str) -> str:
    """The words for a claim that is confirmed.

    Args:
        by: Who confirms it: another solver, or as `Effort.confirmed` says.
    """
    return _CONFIRMED.get(by, f"{by} agrees")


# ---- as a file

_EVIDENT = """One of its conditions is false already as it is written: by the values that facts have at the start, or
by those that they can have at all. vclogic folded it while it built its terms, so there is nothing to solve."""


def certificate(about: Iterable[str], opinion: SecondOpinion) -> str:
    """The claims of an answer as a file that other programs check without vclogic.

    Args:
        about: What the answer says, a line each.
        opinion: The claims.
    """
    lines = [*_comments(about)]
    if opinion.told:
        lines += _comments(["", "Each (check-sat) is answered `unsat`: by `cvc5 FILE`, `z3 FILE`, and where the"])
        lines += _comments([f"logic is {_BOOLEAN} by `bitwuzla FILE`."])
    for n, claim in enumerate(opinion.told, 1):
        reset = "(reset)\n" if n > 1 else ""
        said = [f"{n}. {claim.about}", *([_EVIDENT] if claim.evident else []), "expected: unsat"]
        lines += ["", *_comments(said), reset + claim.script.rstrip("\n")]
    for bound in opinion.bounds:
        lines += ["", *_comments(["A bound of an integer program, for examples/check_bound.py: one line."])]
        lines.append(";bound " + json.dumps(_bound(bound)))
    return "\n".join(lines) + "\n"


def _comments(lines: Iterable[str]) -> list[str]:
    return [f"; {part}".rstrip() for line in lines for part in line.split("\n")]


def _bound(bound: ProgramBound) -> dict[str, object]:
    program, tree = bound.program, bound.certificate
    return {
        "columns": [list(c) for c in program.columns],
        "rows": [[[list(w) for w in row.weights], row.lo, row.hi] for row in program.rows],
        "objective": [list(w) for w in program.objective.weights.items()],
        "constant": program.objective.constant,
        "least": None if bound.least == float("inf") else int(bound.least) + program.objective.constant,
        "scale": SCALE,
        "splits": {str(node): list(split) for node, split in tree.splits.items()},
        "closed": {str(n): {"ray": c.ray, "parts": [list(p) for p in c.parts]} for n, c in tree.closed.items()},
        "dropped": [[list(columns), [list(p) for p in parts]] for columns, parts in tree.dropped],
    }
