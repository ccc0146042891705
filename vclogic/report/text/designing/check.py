"""The findings of `check` as a good compiler would show them, and what their codes mean (`explain`)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.check.catalogue import Code, Severity
from vclogic.check.findings import Checked, Finding, Witness
from vclogic.choices import by_command
from vclogic.model.fluents import written
from vclogic.provenance import CodePlace
from vclogic.report.text.errors import Lines, excerpt
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, plain, table, titled
from vclogic.report.text.steps import steps_table
from vclogic.words import amount, joined

_COLOURS = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}
_KINDS: tuple[Severity, ...] = ("error", "warning", "note")
_MOST = 12  # changes of a position that are shown
_SCOPES = {
    "positions": "over all positions that could stand on the board",
    "reachable": "and from the start by legal steps",
}


def check(answer: Checked, files: Mapping[int, str] | None = None) -> Group:
    """The answer for a reader.

    Args:
        answer: What was found.
        files: The file of a finding's witness, by the finding's place in the answer.
    """
    lines = Lines({})
    shown = [
        _finding(f, lines, answer.game, (files or {}).get(i))
        for i, f in enumerate(answer.findings)
        if f.suppressed is None
    ]
    quiet = [f"{f.code} {f.rule}: {f.suppressed}" for f in answer.findings if f.suppressed is not None]
    unknown = [f"{u.code} {u.rule}: {u.reason}" for u in answer.unknown]
    cleared = [f"{c.code} {c.rule}: {c.proof}" for c in answer.cleared]
    return paragraphs(
        *shown,
        titled("Written" if answer.rulings else "Accepted, with the reason", bullets(quiet)) if quiet else None,
        titled("Possible in some position, but not from this start", bullets(cleared)) if cleared else None,
        titled("Not decided", bullets(unknown)) if unknown else None,
        titled("Assumptions", bullets(answer.assumptions)) if answer.assumptions else None,
        _summary(answer),
    )


def headline(answer: Checked) -> Text:
    """The number of findings, in a line."""
    counts = Counter(f.severity for f in answer.open)
    kinds = joined([amount(counts[kind], kind) for kind in _KINDS if counts[kind]])
    style = "bold red" if counts else "bold green"
    line = Text.assemble((f"{answer.game}: ", "bold"), (kinds or "no findings", style))
    if len(answer.findings) > len(answer.open):
        what = "written" if answer.rulings else "accepted"
        line.append(f", {len(answer.findings) - len(answer.open)} {what}")
    if answer.unknown:
        line.append(f", {len(answer.unknown)} not decided")
    return line


def _summary(answer: Checked) -> Group:
    scope = _SCOPES["positions"] + (f" {_SCOPES['reachable']}" if answer.scope == "reachable" else "")
    more = by_command("; `vclogic explain CODE` tells more") if answer.open else ""
    scope = "over all changes of the lines" if answer.rulings else scope
    foot = f"{amount(len(answer.checked), 'codes')} looked for {scope}, in {answer.elapsed_s:.2f} s{more}"
    play = [Text(f"Looked at: {answer.looked_at}", "dim")] if answer.looked_at else []
    play += [Text(f"Play: {answer.play}", "dim")] if answer.play else []
    play += [Text(f"Rulings: {answer.rulings}", "dim")] if answer.rulings else []
    return Group(headline(answer), *play, Text(foot, "dim"))


def _finding(f: Finding, lines: Lines, game: str, file: str | None) -> Group:
    head = Text()
    head.append(f"{f.severity}[{f.code}]", _COLOURS[f.severity])
    head.append(f": {plain(f.message)}", "bold")
    head.append(bracketed(f.cites), "dim")
    parts: list[RenderableType] = [head]
    for i, place in enumerate(f.places):
        again = "called from" if place.function else "and"  # a line of a text calls nothing
        parts.append(Text.assemble(("  --> " if not i else f"      {again} ", "blue"), _place(place)))
        line = lines.find(place.file, place.line)
        if line is not None and not i:
            parts += excerpt(line, place.line, None)
    parts.append(Text.assemble(("  rule: ", "bold cyan"), plain(f.rule)))
    if f.steps:
        parts += [Text("  play that leads there:", "bold cyan"), indented(steps_table(f.steps), 4)]
    if f.ruling:
        paste = f"  to paste, with today's answer{by_command(f' (--accept {f.rule} writes it)')}:"
        parts += [Text(paste, "bold cyan"), indented(Group(*map(Text, f.ruling.splitlines())), 4)]
    elif f.witness is not None:
        parts += _witness(f.witness, game, reached=bool(f.steps))
    if f.proof:
        parts.append(Text.assemble(("  proof: ", "bold cyan"), plain(f.proof)))
    if file is not None:
        parts.append(
            Text.assemble(
                ("  position: ", "bold cyan"), plain(file), by_command(", to look at with `vclogic render`")
            )
        )
    parts.append(Text.assemble(("  help: ", "bold cyan"), plain(f.help)))
    return Group(*parts)


def _witness(w: Witness, game: str, *, reached: bool) -> list[RenderableType]:
    """The position, and what happens then."""
    smallest = "no cheaper play leads to one" if reached else "no smaller one shows it"
    proved = smallest if w.minimal else "there may be a smaller one"
    head = Text("  shown by ", "bold cyan")
    if not w.changes:
        head.append(f"the start of {game} as it is", "default")
        return [head, *_then(w)]
    pieces = "" if w.pieces is None else f"{amount(w.pieces, 'pieces')}, "
    changed = f"{amount(len(w.changes), 'changes')} from the start ({proved}; checked without a solver)"
    head.append(f"a position with {pieces}{changed}", "default")
    lines = [f"{c.fluent}: {written(c.before)} -> {written(c.after)}" for c in w.changes[:_MOST]]
    if len(w.changes) > _MOST:
        lines.append(f"and {len(w.changes) - _MOST} more{by_command(' (all with --format json or --witnesses)')}")
    return [head, indented(bullets(lines), 4), *_then(w)]


def _then(w: Witness) -> list[RenderableType]:
    return [Text("  and then", "bold cyan"), indented(bullets(w.then), 4)] if w.then else []


def _place(place: CodePlace) -> str:
    file = os.path.relpath(place.file)
    inside = f" ({place.function})" if place.function else ""
    return plain(f"{place.file if file.startswith('..') else file}:{place.line}{inside}")


def explain(codes: Sequence[Code]) -> RenderableType:
    """One code in full, or all of them in a table."""
    if len(codes) == 1:
        (code,) = codes
        head = Text.assemble((f"{code.code} {code.name}", "bold"), f" ({code.severity})")
        return paragraphs(
            Group(head, Text(code.says)), Text(code.why), Text.assemble(("help: ", "bold cyan"), code.help)
        )
    rows = [(c.code, c.name, c.severity, c.says) for c in codes]
    return table(("Code", "Name", "Severity", "What it says"), rows)
