"""Text report of `test`: which rulings passed, and what is not as they expect."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.test.rulings import OTHERWISE, CaseResult, CheckedExpectation, Demanded, Tested
from vclogic.report.text.errors import errors
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, plain, titled
from vclogic.report.text.status import changes, named
from vclogic.words import amount

_UNCHANGED = "no step before it changes what this asks about"


_FEW = 3
"""So many expectations that are met are named beside those that are not."""


def test(answer: Tested) -> Group:
    """Each ruling that failed, with what was expected and what was found, and a summary of each game or file."""
    failed = [_failure(c) for c in answer.cases if c.status == "failed"]
    skipped = [f"{s.file}: {s.reason}" for s in answer.skipped]
    return paragraphs(
        *failed,
        titled("Skipped, since no rulings are in it", bullets(skipped)) if skipped else None,
        *_demanded(answer.demanded),
        Group(*(_summary(source, answer) for source in answer.sources)) if answer.sources else None,
        _verdict(answer.demanded) if answer.demanded is not None else None,
    )


def _demanded(found: Demanded | None) -> list[RenderableType | None]:
    """The demands that a game does not meet, each with what to do about it; and what is open."""
    if found is None:
        return []
    parts: list[RenderableType | None] = []
    for missed in found.missed:
        head = Text.assemble(("not so: ", "bold red"), (plain(missed.demand), "bold"))
        where = Text.assemble(("--> ", "blue"), plain(missed.game))
        parts.append(Group(head, indented(where), indented(Text(plain(missed.message)))))
    open_ = found.not_decided
    return [*parts, titled("Not decided", bullets(open_)) if open_ else None]


def _verdict(found: Demanded) -> Text:
    """The number of demands that are met."""
    n, missed = len(found.not_decided), len(found.missed)
    open_ = f", {n} not decided" if n else ""
    if missed:
        line = f"{missed} of {amount(found.tried, 'demands')} on every game {'is' if missed == 1 else 'are'} not met"
        return Text(f"{line}{open_}.", "bold red")
    return Text(f"{amount(found.tried, 'demands')} on every game tried: none is not met{open_}.", "bold green")


def _summary(source: str, answer: Tested) -> Text:
    cases = [c for c in answer.cases if c.source == source]
    failed = [c for c in cases if c.status == "failed"]
    line = Text()
    if not cases:
        line.append(f"{plain(source)} has no rulings.")
    elif not failed:
        line.append(f"{plain(source)}: {amount(len(cases), 'ruling')} passed.", "bold green")
    else:
        wrong = sum(not t.holds for c in failed for t in c.tried)
        said = f"{plain(source)}: {amount(len(failed), 'ruling')} failed, {len(cases) - len(failed)} passed."
        line.append(said, "bold red")
        if wrong:
            line.append(f" {amount(wrong, 'expectation')} of {sum(len(c.tried) for c in cases)} not met.", "red")
    return line


def _failure(case: CaseResult) -> Group:
    head = Text()
    head.append("failed: ", "bold red")
    head.append(plain(case.name), "bold")
    head.append(bracketed(case.cites), "dim")
    lines: list[RenderableType] = [head]
    if case.problems:
        lines.append(indented(errors(case.problems)))
    for tried in case.tried:
        if not tried.holds and tried.looked_at:
            lines += _wrong(tried, case.file)
    unseen = [t for t in case.tried if not t.holds and not t.looked_at and not case.problems]
    lines += [_line("not looked at: ", t.expected, "dim") for t in unseen]
    met = [t for t in case.tried if t.holds]
    if len(met) > _FEW:
        lines.append(_line("as expected: ", f"the other {amount(len(met), 'expectation')}", "dim"))
    else:
        lines += [_line("as expected: ", f"{t.expected}{_under(t)}", "dim") for t in met]
    return Group(*lines)


def _wrong(tried: CheckedExpectation, file: str | None) -> list[RenderableType]:
    """The failed part of a ruling: place, expectation, result, and the change behind it."""
    lines: list[RenderableType] = []
    if file is not None:
        shown = ":".join(str(x) for x in (file, tried.line, tried.column) if x is not None)
        lines.append(indented(Text.assemble(("--> ", "blue"), plain(shown))))
    when = f"after step {tried.after}, {tried.event}" if tried.event else ""
    when += _under(tried)
    if when:
        lines.append(_line("", when.strip(), "dim"))
    lines += [_line("expected: ", tried.expected, "green"), _line("got:      ", tried.got, "red")]
    if tried.changed is not None:
        would = "it would change" if tried.changed.step > tried.after else f"{named(tried.changed)}, changed it last"
        lines += [_line("", f"{would}:", "dim"), indented(changes(tried.changed), 4)]
    elif tried.after and not tried.got.startswith(OTHERWISE):
        lines.append(_line("", _UNCHANGED, "dim"))
    return lines


def _under(tried: CheckedExpectation) -> str:
    readings = ", ".join(f"{name}={value}" for name, value in tried.readings.items())
    return f" (under {readings})" if readings else ""


def _line(label: str, text: str, style: str) -> RenderableType:
    return indented(Text.assemble((label, style), plain(text)))
