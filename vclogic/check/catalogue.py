"""The finding codes: what each means, why it matters, what to do about it; and the findings that games suppress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.registry import data_source, has_file, rulebook_of
from vclogic.files.source import decode
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import check_as
from vclogic.rulebook.declarations import Accept
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.meaning.names import Statements

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Code:
    """A kind of finding.

    Attributes:
        code: Its stable code.
        name: A name of a few words.
        severity: How bad it is.
        says: What it says of a rule set, in a sentence.
        why: Why that matters, and how it is found.
        help: What to do about it.
    """

    code: str
    name: str
    severity: Severity
    says: str
    why: str
    help: str


def _read() -> Iterator[Code]:
    file = files("vclogic.check") / "codes.yaml"
    for part in parse(decode(str(file), file.read_bytes())).parts("a list of codes", Findings()):
        yield check_as(Code, part)


_CODES = tuple(_read())
CATALOGUE: Mapping[str, Code] = {c.code: c for c in _CODES}


def code_of(name: str) -> Code:
    """A code by its code or its name.

    Raises:
        InputError: There is none.
    """
    wanted = name.strip().casefold()
    for c in _CODES:
        if wanted in (c.code.casefold(), c.name):
            return c
    hint = did_you_mean(name.upper(), CATALOGUE) or did_you_mean(name, [c.name for c in _CODES])
    raise InputError(Diagnostic("unknown-name", f"there is no finding code {quoted(name)}", help=hint))


UNTOLD = ("VC504", "VC801")
"""Questions to whoever writes the rules, which are asked with `--rulings` alone."""


def chosen(select: Iterable[str], ignore: Iterable[str]) -> tuple[str, ...]:
    """The codes that are asked for.

    Args:
        select: Codes, or beginnings of codes such as `VC1`; none: all.
        ignore: The same, taken away again.

    Raises:
        InputError: One of them fits no code.
    """
    wrong = []
    found: dict[str, set[str]] = {"select": set(), "ignore": set()}
    for option, names in (("select", select), ("ignore", ignore)):
        for name in (part.strip() for n in names for part in n.split(",")):
            fits = {c for c in CATALOGUE if name and c.startswith(name.upper())}
            fits |= {c.code for c in _CODES if c.name == name.casefold()}
            found[option] |= fits
            if not fits:
                hint = did_you_mean(name.upper(), CATALOGUE) or "`vclogic explain` lists the codes"
                wrong.append(
                    Diagnostic("unknown-name", f"{quoted(name)} is no finding code", choice(option), help=hint)
                )
    if wrong:
        raise InputError(wrong)
    kept = found["select"] or set(CATALOGUE)
    return tuple(c for c in CATALOGUE if c in kept and c not in found["ignore"])


def page(codes: Iterable[Code]) -> str:
    """The page as Markdown."""
    parts = [(files("vclogic.check") / "findings_page.md").read_text(encoding="utf-8")]
    for c in codes:
        parts.append(
            f"## {c.code} {c.name}\n\n{c.severity.capitalize()}. {c.says}\n\n{c.why}\n\n**Help:** {c.help}.\n"
        )
    return "\n".join(parts)


FILE = "checks.yaml"


@dataclass(frozen=True)
class _FindingEntry:
    code: str
    rule: str
    reason: str
    scenario: str | None = None
    scope: Literal["positions", "reachable"] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Suppression(_FindingEntry):
    """A suppressed finding.

    Attributes:
        code: Its code.
        rule: Its subject, as the finding names it; `*` stands for anything.
        reason: Why it is suppressed.
        scenario: The scenario that it applies to, on its own board; None: any.
        scope: The `--scope` that it applies to; None: any.
        settings: Options and Readings that it requires; others may have any value.
        file: The file of the suppression.
        line: The line in it.
        block: Of a rulebook: the lines of the block that it stands in; a finding is at one of them, or
        clauses: cites one of the block's sentences.
        quiet: Whether nothing is said where nothing is found.
    """

    file: str = FILE
    line: int | None = None
    block: range | None = None
    clauses: tuple[str, ...] = ()
    quiet: bool = False

    def applies(self, scenario: str | None, scope: str, settings: Mapping[str, int | str]) -> bool:
        """True if it applies to a scenario (None: a board of one's own) and a scope under options and Readings."""
        meant = all(str(settings.get(name)) == value for name, value in self.settings.items())
        return meant and self.scenario in (None, scenario) and self.scope in (None, scope)


def load_suppressions(encoding: str) -> tuple[Suppression, ...]:
    """The suppressions of an encoding: what its text accepts, and those of its file.

    Raises:
        InputError: There is no such encoding, or everything that is wrong with either.
    """
    findings = Findings()
    book = rulebook_of(encoding)
    found = [] if book is None else [*_accepted(book.book, findings)]
    listed = parse(data_source(encoding, FILE)) if has_file(encoding, FILE) else None
    for item in () if listed is None else listed.parts("a list of suppressions", findings):
        with findings.catch():
            found.append(_suppression(item, findings))
    findings.stop()
    return tuple(found)


def _accepted(book: Book, findings: Findings) -> Iterator[Suppression]:
    """The findings that the blocks of a rulebook accept; one that it includes is silent where nothing is found."""
    for source, statement, said in Statements(book.sources).each(Accept):
        code, line = said.code.text, source.line(said.code.at)
        if code not in CATALOGUE:
            wrong = source.goal.error(said.code.at, f"{code} is no code of a finding", did_you_mean(code, CATALOGUE))
            for d in wrong.diagnostics:
                findings.add(source.placed(d))
        block = range(source.line(0), source.line(len(source.text)) + 1)
        cites = tuple(c.clause for c in source.cites(statement))
        quiet = source.file != book.file
        yield Suppression(
            code, "*", said.reason, file=source.file, line=line, block=block, clauses=cites, quiet=quiet
        )


def _suppression(node: Node, findings: Findings) -> Suppression:
    entry = check_as(_FindingEntry, node)
    if not entry.reason.strip():
        findings.add(node.section("reason").diagnostic("missing-entry", "a suppression needs a reason"))
    file, line, _ = node.spot
    return Suppression(**{**vars(entry), "reason": entry.reason.strip()}, file=file, line=line)
