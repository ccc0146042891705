"""The claims that an answer rests on, as a file that other programs check without vclogic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from vclogic.query.plan.answer import Plan
from vclogic.query.reach.answer import ProofText
from vclogic.solve.backends.claims import SecondOpinion, certificate
from vclogic.solve.problem import ProofMethod

_WITHOUT = {
    ProofMethod.EXHAUSTIVE: "all positions that play can reach were looked at, and each once more by itself",
    ProofMethod.CLOSURE: "what can be gained at all was added up",
    ProofMethod.RELAXATION: "what could be gained if nothing were ever lost was bounded in whole numbers",
    ProofMethod.IDENTICAL: "both say the same of everything that is compared, word for word",
}


def certificate_of(answer: Any, opinions: Sequence[SecondOpinion]) -> str:
    """The final claims of an answer, with what it says.

    Args:
        answer: The answer to a question that solvers were asked about.
        opinions: The claims, and what another solver said of them.
    """
    every = SecondOpinion()
    for opinion in opinions:
        every.told |= opinion.told
        every.bounds += opinion.bounds
    return certificate([*_question_lines(answer), *_unsolved(answer, every)], every)


def _question_lines(answer: Any) -> Iterator[str]:
    """The question and its answer, a line each."""
    asked = getattr(answer, "goal", "") or ""
    yield f"vclogic: {answer.game}{': ' if asked else ''}{asked}"
    yield f"answer: {getattr(answer, 'status', 'checked')}"
    proof = getattr(answer, "proof", None)
    if isinstance(proof, ProofText):
        yield f"proof: {proof.method}{'' if proof.k is None else f', k = {proof.k}'}"
        yield from (f"true throughout all play: {law}" for law in proof.invariant)
    if isinstance(answer, Plan) and answer.bound_by:
        cost = "" if answer.cost is None else f"cost {answer.cost}, "
        yield f"proof: {cost}at least {answer.lower_bound or 0}, by {answer.bound_by}"
    for letter, steps in _records(answer):
        yield from (f"{letter}: {event}" for event in steps)


def _records(answer: Any) -> Iterator[tuple[str, Iterable[object]]]:
    record = getattr(answer, "record", None)
    if record is not None and record.events:
        yield "event", record.events


def _unsolved(answer: Any, opinion: SecondOpinion) -> Iterator[str]:
    """Why no solver has to be asked, where that is so."""
    if opinion.told or opinion.bounds:
        return
    proof = getattr(answer, "proof", None)
    name = proof.method if isinstance(proof, ProofText) else getattr(answer, "bound_by", None)
    by_method = {m.value: said for m, said in _WITHOUT.items()}
    if name in by_method:
        yield f"decided without a solver: {by_method[name]}"
    elif getattr(answer, "status", "") in ("unknown", "feasible"):
        yield "nothing was proved, so there is nothing to check"
    elif name:
        yield f"decided without a solver: {name}"
    else:
        yield "nothing is claimed to be impossible: what was found was played step by step without a solver"
