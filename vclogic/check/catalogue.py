"""The finding codes: what each means, why it matters, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.findings import Findings
from vclogic.files.nodes import parse
from vclogic.files.schema import check_as
from vclogic.files.source import decode

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
