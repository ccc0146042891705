"""Text report of `reach`: whether a goal can be reached."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.text import Text

from vclogic.choices import by_command
from vclogic.model.fluents import written
from vclogic.query.reach.answer import AgainstProof, ProofText, Reach
from vclogic.report.text.page import NOT_JUDGED, bullets, head, listed, one_line, paragraphs, plain, titled, verdict
from vclogic.report.text.steps import by_events, found_footing, not_among, steps_table
from vclogic.solve.backends.claims import confirmation
from vclogic.solve.problem import ProofMethod
from vclogic.words import amount, joined

_ALL = ("all", "rules")
_MOST_LINES = 12
_MOST_NAMES = 12
_LAW = re.compile(r"(\w+)\[(.+?)\] (.+)")


def reach(answer: Reach, file: str | None = None) -> Group:
    """The report as text.

    Args:
        file: The position file to which the witness was written, if any.
    """
    return paragraphs(
        head(f"Is {one_line(answer.goal)} reachable?", answer.game, answer.heading),
        headline(answer),
        _tried(answer),
        steps_table(answer.steps) if answer.steps else None,
        _kept(answer.proof) if answer.proof else None,
        _invariant(answer.proof) if answer.proof else None,
        _against(answer.against_proof) if answer.against_proof else None,
        titled(NOT_JUDGED, bullets(answer.not_judged)) if answer.not_judged else None,
        found_footing(answer, answer.assumptions, file),
    )


def headline(answer: Reach) -> Text:
    """The answer, and how it is proved, in a line."""
    return verdict(answer.status, _because(answer))


def _tried(answer: Reach) -> Text | None:
    """The events that were tried and those that were not, where the verdict does not name them."""
    events, proof = answer.events, answer.proof
    if (
        not events.left_out
        or not events.included
        or answer.status == "reachable"
        or (proof and proof.method == ProofMethod.POSITIONS)
    ):
        return None
    if answer.by in _ALL and proof:
        some, others = joined(events.included), listed(events.left_out)
        return Text(f"Events tried: {some}. The others cannot change the answer: {others}.")
    if answer.by in _ALL or proof:
        return None
    return Text(f"Events tried: {joined(events.included)}; {not_among(events)}.")


def _because(answer: Reach) -> str:
    if answer.status == "reachable":
        return f": in {amount(answer.depth, 'step')}" if answer.depth else ": the goal holds already"
    if answer.proof is None:
        return f": {answer.reason or 'the search stopped early'}"
    if answer.by in _ALL or answer.proof.method == ProofMethod.POSITIONS:
        return _method(answer.proof, ", ever")
    return by_events(answer.events) + _method(answer.proof, "")


def _method(proof: ProofText, ever: str) -> str:
    """The proof in words; `ever` comes before it where the proof has no limit and covers all events."""
    method = ProofMethod(proof.method)
    if method is not ProofMethod.BOUNDED:
        looked = "a second look at each of them confirms it" if method is ProofMethod.EXHAUSTIVE else ""
        checked = f"; {looked or confirmation(proof.confirmed_by)}" if proof.rechecked else ""
        if proof.positions:
            checked = f", {proof.positions:,} position{'s' if proof.positions > 1 else ''}{checked}"
        depth = "" if proof.k is None else f", k = {proof.k}"
        return f"{ever}: {method.goal}. (Proof: {proof.method}{depth}{checked}.)"
    if proof.horizon is None or proof.horizon.n is None:
        return f": {method.goal}."
    within = amount(proof.horizon.n, proof.horizon.unit)
    agreed = f" ({confirmation(proof.confirmed_by)})" if proof.confirmed_by else ""
    return f" within {within}: everything up to there was searched, nothing beyond{agreed}."


def _kept(proof: ProofText) -> Group | None:
    """The needs of the goal that nothing brings back: the proof is about play that keeps them."""
    if not proof.kept:
        return None
    return titled(
        "Left out: play that loses one of these, which the goal needs and no event brings back",
        bullets(_shortened(proof.kept)),
    )


def _invariant(proof: ProofText) -> Group | None:
    """The invariant of the proof, with laws of one form joined."""
    if not proof.invariant:
        return None
    play = "the rest of play" if proof.kept else "all play"
    return titled(f"True throughout {play}", bullets(_shortened(proof.invariant)))


def _against(found: AgainstProof) -> Group:
    """The position at which a proof fails, and what would help."""
    changes = [f"{plain(f)}: {written(v)}" for f, v in found.changes.items()]
    then = f"from there one event leads to the goal: {one_line(found.step.text)}"
    law = "If play never comes to it, a law of the game that excludes it may lead to a proof."
    title = "A proof fails at this position, which the laws of the game allow; what differs from the start"
    return Group(titled(title, bullets(_first(changes))), Text(f"{then}. {law}"))


def _first(lines: Sequence[str]) -> Iterable[str]:
    """The first of some lines, and how many more there are."""
    yield from lines[:_MOST_LINES]
    if len(lines) > _MOST_LINES:
        yield f"and {len(lines) - _MOST_LINES} more{by_command(' (all with --format json)')}"


def _shortened(laws: Iterable[str]) -> Iterable[str]:
    """Laws in a few lines."""
    lines = list(_folded(laws))
    yield from (line for line, _ in lines[:_MOST_LINES])
    rest = sum(n for _, n in lines[_MOST_LINES:])
    if rest:
        yield f"and {rest} more of the kind{by_command(' (all with --format json)')}"


def _folded(laws: Iterable[str]) -> Iterable[tuple[str, int]]:
    """Laws, joined where they differ in the index alone, each line with the number of laws in it."""
    groups: dict[tuple[str, str], list[str]] = {}
    for law in map(plain, laws):
        match = _LAW.fullmatch(law)
        family, index, rest = match.groups() if match else (law, "", "")
        groups.setdefault((family, rest), []).append(index)
    for (family, rest), indices in groups.items():
        if not rest:
            yield family, 1
        elif len(indices) == 1:
            yield f"{family}[{indices[0]}] {rest}", 1
        else:
            yield f"{family} {rest} for {listed(indices, _MOST_NAMES)}", len(indices)
