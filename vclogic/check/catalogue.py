"""The finding codes: what each means, why it matters, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vclogic.check.findings import Severity
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted


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


# Retired, and never to be used for anything else: VC301, VC302, VC303, VC304, VC305, VC401, VC501.
_CODES = (
    Code(
        "VC001",
        "stale-suppression",
        "warning",
        "A suppression in `checks.yaml` suppresses nothing.",
        "The rule was mended or renamed, and the reason that stands there is about nothing any more. Only "
        "suppressions of codes that were looked for and decided, under the settings that they name, are stale.",
        "take the suppression out, or name the rule as the finding does",
    ),
    Code(
        "VC101",
        "contradiction",
        "error",
        "Two sides win at one moment.",
        "In some position that could stand on the board both outcomes are judged, both conditions hold, and nobody "
        "has won before: the text does not say who has won. The solver is asked for such a position of every pair.",
        "let one outcome exclude the other, or say which one counts first",
    ),
    Code(
        "VC102",
        "order-of-evaluation",
        "warning",
        "Two sides meet their outcomes by one event, and the one that is evaluated first is recorded as the winner.",
        "Before the event nobody has won; after it both conditions hold at the moment at which they are judged, and "
        "the record of who was first names one of them. The text says `first`, and neither was.",
        "say in the text which outcome is judged first, and cite that",
    ),
    Code(
        "VC103",
        "no-outcome",
        "warning",
        "The game can end without any outcome.",
        "The rule set says when the game is over (`System.ends`); in some position it is, and nobody has "
        "won then or before. Draws are outcomes, too: a game that knows them says so.",
        "add the missing outcome, such as a draw",
    ),
    Code(
        "VC104",
        "overlap",
        "warning",
        "Two rows of a level table apply at once.",
        "The rows of a table (`LevelTable`) are meant to exclude each other; a position satisfies two of them.",
        "bound the rows on both sides, or say which row counts",
    ),
    Code(
        "VC105",
        "gap",
        "warning",
        "No row of a level table applies.",
        "The rows of a table are meant to cover everything; in a position each has a meaning and none applies.",
        "widen a row, or add one",
    ),
    Code(
        "VC106",
        "undefined-value",
        "warning",
        "A condition has no meaning at the moment at which it is judged.",
        "A ratio with zero, an empty group, a majority of nothing: the condition is declared as a `Partial`, and is "
        "not defined in some position in which the text asks for it. Rows of a table that have no meaning for one "
        "reason are one finding.",
        "say what counts then; where the text is silent, declare a Reading",
    ),
    Code(
        "VC201",
        "never-met",
        "error",
        "An outcome, a row of a level table, or a rule that is true or false, can never hold.",
        "No position that could stand on the board satisfies it (a proof for good), or with --scope reachable: no "
        "play from the start leads to one.",
        "lower what it asks for, or take it out",
    ),
    Code(
        "VC202",
        "met-at-the-start",
        "warning",
        "An outcome is met before the first move.",
        "In the start position its moment is there and its condition holds, or somebody has won it already.",
        "raise what it asks for, or judge it later",
    ),
    Code(
        "VC203",
        "permanent-is-lost",
        "error",
        "What the text calls permanent can be lost.",
        "It is declared `lasting=True`, or it is the record of who was first to win; and an event leads from a "
        "position in which it holds to one in which it does not.",
        "record that it was reached (a latch), or declare it otherwise",
    ),
    Code(
        "VC204",
        "temporary-is-kept",
        "error",
        "What the text calls temporary can never be lost.",
        "It is declared `lasting=False`, and no event leads from any position in which it holds to one "
        "in which it does not.",
        "drop the latch, or declare it otherwise",
    ),
    Code(
        "VC205",
        "event-breaks-rule",
        "error",
        "An event breaks a rule about events.",
        "The rule is declared `step=True`: it says what every event keeps to, by what was `before` it, which one "
        "`happens` and who is its `actor`. From some position an event is allowed that does otherwise; that "
        "position and the event are shown. Where there is no finding, it is proved that no event breaks the rule.",
        "mend the event, or say in the rule where it does not apply",
    ),
    Code(
        "VC502",
        "deciding-reading",
        "note",
        "A Reading decides who wins.",
        "In one position a side wins under one value and does not under another: players should agree on it before "
        "they play.",
        "ask the author of the text; until then suppress it with that reason",
    ),
)
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
    found: dict[str, set[str]] = {"--select": set(), "--ignore": set()}
    for option, names in (("--select", select), ("--ignore", ignore)):
        for name in (part.strip() for n in names for part in n.split(",")):
            fits = {c for c in CATALOGUE if name and c.startswith(name.upper())}
            fits |= {c.code for c in _CODES if c.name == name.casefold()}
            found[option] |= fits
            if not fits:
                hint = did_you_mean(name.upper(), CATALOGUE) or "`vclogic explain` lists the codes"
                wrong.append(Diagnostic("unknown-name", f"{quoted(name)} is no finding code", option, help=hint))
    if wrong:
        raise InputError(wrong)
    kept = found["--select"] or set(CATALOGUE)
    return tuple(c for c in CATALOGUE if c in kept and c not in found["--ignore"])
