"""Text report of `compare`: whether and where two rule sets disagree."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from vclogic.query.compare.answer import Comparison, SideRuling
from vclogic.query.reach.answer import ProofText
from vclogic.report.text.page import bracketed, bullets, listed, one_line, paragraphs, plain, titled, verdict
from vclogic.report.text.steps import found_footing, steps_table
from vclogic.solve.backends.claims import confirmation
from vclogic.solve.problem import ProofMethod
from vclogic.words import amount

_CHANGED = {
    "differ": "What has changed there",
    "equal": "Possible in some position, but not from this start",
    "unknown": "A position in which they would disagree; whether play leads there is not known",
}
_MOST_OTHERS, _MOST_FACTS = 6, 12


def compare(answer: Comparison, file: str | None = None) -> Group:
    """The report as text.

    Args:
        file: The position file to which the record was written, if any.
    """
    asked = "Do they ever disagree?"
    if answer.on is not None and answer.status != "differ":
        asked = f"Do they ever disagree on {one_line(answer.on)}?"
    return paragraphs(
        Group(Text(asked, "bold"), *(Text(_side(n, r), "dim") for n, r in (("A", answer.a), ("B", answer.b)))),
        headline(answer),
        steps_table(answer.steps) if answer.steps else None,
        titled(one_line(answer.on or ""), bullets(_rulings(answer))) if answer.status == "differ" else None,
        titled(_CHANGED[answer.status], bullets(_position(answer))) if any(answer.changed.values()) else None,
        found_footing(answer, answer.assumptions, file),
    )


def headline(answer: Comparison) -> Text:
    """The verdict, in a line."""
    return verdict(answer.status, _because(answer))


def _side(name: str, ruling: SideRuling) -> str:
    settings = ", ".join(f"{n}={v}" for n, v in ruling.settings.items())
    return f"{name}: {ruling.game}" + (f", {settings}" if settings else "")


def _because(answer: Comparison) -> str:
    if answer.status == "differ":
        if not answer.steps:
            return ": already in this position"
        after = amount(len(answer.steps), "steps")
        shortest = "; no shorter record shows a difference" if answer.shortest else ""
        return f": not in this position, but after {after}{shortest}"
    if answer.proof is None:
        return f": {answer.reason or 'the search stopped early'}"
    return _method(answer, answer.proof)


def _method(answer: Comparison, proof: ProofText) -> str:
    method = ProofMethod(proof.method)
    if method is ProofMethod.BOUNDED:
        if proof.horizon is None or proof.horizon.n is None:
            return f": {method.difference}."
        within = amount(proof.horizon.n, proof.horizon.unit)
        agreed = f" ({confirmation(proof.confirmed_by)})" if proof.confirmed_by else ""
        return f" within {within}: every record up to there was tried, no longer one{agreed}."
    identical = method is ProofMethod.IDENTICAL
    checked = f"; {confirmation(proof.confirmed_by)}" if proof.rechecked and not identical else ""
    depth = "" if proof.k is None else f", k = {proof.k}"
    ever = "from this start on" if answer.position else "ever"
    return f", {ever}: {method.difference}. (Proof: {proof.method}{depth}{checked}.)"


def _rulings(answer: Comparison) -> Iterator[str]:
    for name, ruling in (("A", answer.a), ("B", answer.b)):
        yield f"{name}: {_said(ruling)}{bracketed(ruling.cites)}"
    if answer.others:
        yield f"they also differ on {listed(answer.others, _MOST_OTHERS)}"


def _said(ruling: SideRuling) -> str:
    if ruling.text:
        return f"no: {plain(ruling.text)}"
    if isinstance(ruling.value, bool):
        return "yes" if ruling.value else "no"
    return "undefined" if ruling.value is None else str(ruling.value)


def _position(answer: Comparison) -> Iterator[str]:
    """The changed facts, of each rule set where they do not have the same."""
    told = {name.upper(): listed(facts, _MOST_FACTS, "; ") for name, facts in answer.changed.items()}
    alike = len(set(told.values())) == 1
    for name, facts in told.items():
        yield facts if alike else f"{name}: {facts or 'nothing'}"
        if alike:
            return
