"""Text report of `ask`: a ruling with its reasons, as an arbiter reads it at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.ruling.answer import Because, DecidingClause, Fact, Precedent, Ruled
from vclogic.report.ruling_words import (
    ASSUMED,
    answer_in_words,
    assumptions_in_words,
    clauses_in_words,
    closing,
    facts_in_words,
    place_of,
    sets_in_words,
    worked_in_words,
)
from vclogic.report.text.page import bracketed, bullets, indented, listed, marked, paragraphs, plain, table, titled
from vclogic.report.text.reasons import trees
from vclogic.words import amount

NOT_JUDGED = "Not checked, since the rule text does not say"
_MOST_CLAUSES = 8
_MOST_FACTS = 14
_SHEET = "a ruling sheet (`--sheet`) names"
_MOST_PRECEDENTS = 5
_COLOURS = {True: "bold green", False: "bold red", None: "bold yellow"}


def ask(answer: Ruled) -> Group:
    """The ruling; why; the clauses; what would change it; rulings like it; what it rests on."""
    speaks = {w: [c for c in answer.clauses if c.speaks == w] for w in ("for", "against")}
    return paragraphs(
        Group(headline(answer), *_lacks(answer), Text(plain(answer.game), "dim")),
        titled("Why", _why(answer)) if answer.because else None,
        titled("By these clauses", _clauses(speaks["for"])) if speaks["for"] else None,
        titled("What speaks against it", _clauses(speaks["against"])) if speaks["against"] else None,
        Text(f"{answer.reason[0].upper()}{answer.reason[1:]}.", "yellow") if answer.reason else None,
        titled("Which Readings would change it", _changing(answer)),
        titled("Each Reading alone", _alone(answer)) if answer.readings.alone else None,
        titled("Rulings on these clauses", _precedents(answer.precedents)) if answer.precedents else None,
        titled("Everything it rests on", Group(*trees(answer.explanations))) if answer.explanations else None,
        titled(NOT_JUDGED, bullets(answer.not_judged)) if answer.not_judged else None,
        titled("Assumptions", bullets(assumptions_in_words(answer))) if answer.assumptions else None,
    )


def headline(answer: Ruled) -> Text:
    """The ruling in a line."""
    value = answer.value if answer.value is None or isinstance(answer.value, bool) else True
    return Text(plain(answer.text), _COLOURS[value])


def _lacks(answer: Ruled) -> Iterator[Text]:
    if answer.lacks:
        yield Text(f"what is missing: {plain(answer.lacks)}", "yellow")


def _why(answer: Ruled) -> Group:
    """Each reason; facts that an earlier one has told are not told again."""
    parts: list[RenderableType] = []
    told: set[Fact] = set()
    for because in answer.because:
        new = [f for f in because.facts if f not in told]
        told.update(new)
        same = "" if new or not because.facts else ", for the same reasons"
        parts.append(Text(plain(because.text + same) + bracketed(because.clauses)))
        rows = [("-", _marked(line)) for line in _reasons(because, new)]
        parts += [indented(marked(rows, 1))] if rows else []
    return Group(*parts)


def _reasons(because: Because, facts: Sequence[Fact]) -> list[str]:
    """The addends of a number that are not 0; else the facts, of many only some."""
    if because.total is not None:
        lines = list(worked_in_words(because))
        idle = set(because.facts) - {f for part in because.addends for f in part.facts}
        if idle:
            rest, what = ("nothing else", "other fact") if because.addends else ("nothing", "fact")
            lines.append(f"{rest} adds to it: {amount(len(idle), what)}, all of which {_SHEET}")
        return lines
    lines = list(facts_in_words(facts))
    more = len(lines) - _MOST_FACTS
    if more <= 1:
        return lines
    shown = [*lines[: _MOST_FACTS - 1], lines[-1]]
    return [*shown[:-1], f"and {more} lines more, all of which {_SHEET}", shown[-1]]


def _marked(line: str) -> Text:
    """A line on facts, with the word that marks what nobody gave in colour."""
    found = Text(plain(line))
    if line.startswith(f"{ASSUMED}, "):
        found.stylize("bold yellow", 0, len(ASSUMED))
    return found


def _clauses(clauses: Iterable[DecidingClause]) -> RenderableType:
    """The sentences of the clauses, the nearest first; of many only some, and how many more there are."""
    lines = [f"{listed(ids)}: {says}" for says, ids in clauses_in_words(clauses)]
    more = len(lines) - _MOST_CLAUSES
    if more <= 1:
        return bullets(lines)
    return bullets([*lines[:_MOST_CLAUSES], f"and {more} more, all of which {_SHEET}"])


def _changing(answer: Ruled) -> Group:
    """Each smallest set of Readings that changes the answer, and what is not known."""
    parts: list[RenderableType] = []
    for found in answer.readings.changing:
        line = Text(f"if {sets_in_words(found)}: ")
        line.append(plain(answer_in_words(answer, found)), "bold")
        line.append(bracketed(found.clauses), "dim")
        parts.append(line)
        parts += [indented(Text(plain(says), "dim")) for says in found.says]
    parts.append(Text(closing(answer.readings)))
    return Group(*parts)


def _alone(answer: Ruled) -> RenderableType:
    """A row for each other value of each Reading; those that change the answer are marked."""
    rows: list[Sequence[str | Text]] = []
    for found in answer.readings.alone:
        said = plain(answer_in_words(answer, found))
        means = plain("\n".join(found.says))
        rows.append((sets_in_words(found), Text(said, "bold" if found.changes else "dim"), means))
    return table(("If", "The answer is", "That means"), rows)


def _precedents(precedents: tuple[Precedent, ...]) -> RenderableType:
    shown = [f"{p.name}{bracketed(p.shared)} {place_of(p)}" for p in precedents[:_MOST_PRECEDENTS]]
    more = len(precedents) - len(shown)
    return bullets([*shown, *([f"and {more} more: `vclogic rules GAME CLAUSE` lists them"] if more else [])])
