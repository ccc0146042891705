"""Text report of `ask`: a ruling with its reasons, as an arbiter reads it at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.files.registry import CASES
from vclogic.model.fluents import Value, written
from vclogic.model.sayings import sentence
from vclogic.query.ask.answer import (
    Because,
    DecidingClause,
    Fact,
    Kind,
    Origin,
    OtherReadings,
    OtherRuling,
    Precedent,
    Ruled,
)
from vclogic.report.text.page import (
    NOT_JUDGED,
    bracketed,
    bullets,
    indented,
    listed,
    marked,
    paragraphs,
    plain,
    table,
    titled,
)
from vclogic.report.text.reasons import trees
from vclogic.words import amount

_MOST_CLAUSES = 8
_MOST_FACTS = 14
_SHEET = ", all of which a ruling sheet (`--sheet`) names"
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
            lines.append(f"{rest} adds to it: {amount(len(idle), what)}{by_command(_SHEET)}")
        return lines
    lines = list(facts_in_words(facts))
    more = len(lines) - _MOST_FACTS
    if more <= 1:
        return lines
    shown = [*lines[: _MOST_FACTS - 1], lines[-1]]
    return [*shown[:-1], f"and {more} lines more{by_command(_SHEET)}", shown[-1]]


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
    return bullets([*lines[:_MOST_CLAUSES], f"and {more} more{by_command(_SHEET)}"])


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
    return bullets(
        [*shown, *([f"and {more} more{by_command(': `vclogic rules GAME CLAUSE` lists them')}"] if more else [])]
    )


ASSUMED = "assumed"
"""The mark of a fact that nobody gave."""
_ORDER: tuple[Origin, ...] = ("given", "record", "scenario", "assumed")
_DEFAULTS = "default readings: "
_WORDS: dict[Kind, tuple[str, str]] = {
    "expression": ("yes", "no"),
    "event": ("allowed", "not allowed"),
    "outcome": ("met", "unmet"),
}


def value_in_words(kind: Kind, value: Value | None) -> str:
    """An answer in a word or two."""
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return _WORDS[kind][0 if value else 1]
    return written(value)


def answer_in_words(answer: Ruled, other: OtherRuling) -> str:
    """The answer under other Readings in a few words."""
    if other.broken:
        return f"no answer, since this game is faulty: {other.refused}"
    if other.refused:
        return f"the position, its record or the question is not allowed: {other.refused}"
    return value_in_words(answer.kind, other.value)


def sets_in_words(other: OtherRuling) -> str:
    """Readings with their values."""
    return " and ".join(f"{name}={value}" for name, value in other.readings.items())


def closing(readings: OtherReadings) -> str:
    """The line on other sets of Readings."""
    if not readings.complete:
        return _left_open(readings)
    if readings.changing:
        return "No others do, alone or together."
    return "None does, alone or together with others."


def _left_open(readings: OtherReadings) -> str:
    """The line on Readings that were left open."""
    if not readings.up_to:
        return f"Not all of them were tried: {readings.reason}."
    other = "other " if readings.changing else ""
    several = "pair" if readings.up_to == 2 else f"set of up to {readings.up_to}"
    more = "" if readings.up_to == 1 else f", and no {other}{several}"
    return f"No {other}Reading changes it alone{more}. More than that is open: {readings.reason}."


def clauses_in_words(clauses: Iterable[DecidingClause]) -> Iterator[tuple[str, list[str]]]:
    """The sentences of clauses, each once, with the clauses that say it."""
    said: dict[str, list[str]] = {}
    for clause in clauses:
        for says in clause.says:
            said.setdefault(says, []).append(clause.clause)
    yield from said.items()


def facts_in_words(facts: Iterable[Fact]) -> Iterator[str]:
    """Facts with where each is from, those given first; those of which the same is said in one line.

    What nobody gave is one line, the last.
    """
    there = sorted(facts, key=lambda fact: _ORDER.index(fact.origin))
    groups: dict[tuple[str, str], list[str]] = {}
    for fact in there:
        if fact.origin != "assumed":
            groups.setdefault((fact.says, _source(fact)), []).append(fact.about)
    for (says, source), names in groups.items():
        yield f"{sentence(names, says)} ({source})"
    assumed = assumed_in_words(there)
    if assumed:
        yield f"{ASSUMED}, since nobody says otherwise: {'; '.join(assumed)}"


def assumed_in_words(facts: Iterable[Fact]) -> list[str]:
    """The facts that nobody gave, in words."""
    groups: dict[str, list[str]] = {}
    for fact in facts:
        if fact.origin == "assumed":
            groups.setdefault(fact.says, []).append(fact.about)
    return [sentence(names, says) for says, names in groups.items()]


def worked_in_words(because: Because) -> Iterator[str]:
    """The addends of the number that a reason rests on; alike ones in one line."""
    if because.need is not None:
        yield f"{because.total} of the {because.need} that it takes" + (":" if because.addends else "")
    groups: dict[tuple[int, str, str], list[str]] = {}
    for part in because.addends:
        source = {_source(f) for f in part.facts}
        from_ = f" ({source.pop()})" if len(source) == 1 else ""
        (about, says) = (part.facts[0].about, part.facts[0].says) if len(part.facts) == 1 else ("", part.text)
        groups.setdefault((part.adds, says, from_), []).append(about)
    for (adds, says, source_), names in groups.items():
        each = f" ({adds} each)" if len(names) > 1 and adds != 1 else ""
        told = sentence(names, says) if any(names) else says
        times = f", {len(names)} times" if len(names) > 1 and not any(names) else ""
        yield f"{adds * len(names)}{each}: {told}{times}{source_}"


def _source(fact: Fact) -> str:
    """The source of a fact, if it has one."""
    if fact.origin == "record":
        return "at the start of the record" if fact.step is None else f"by step {fact.step}"
    if fact.follows:
        return "follows from what is given" if fact.origin == "given" else "follows from what the scenario has"
    if fact.origin == "scenario":
        return "as the scenario has it"
    place = "" if fact.line is None else f", line {fact.line}"
    if fact.origin == "assumed":
        return ASSUMED
    return "given" if fact.file is None or fact.file.startswith("<") else f"given in {fact.file}{place}"


def assumptions_in_words(answer: Ruled) -> list[str]:
    """The further assumptions of a ruling; default Readings by name only where all of them are shown."""
    found = []
    for line in answer.assumptions:
        if line.startswith(_DEFAULTS) and not answer.readings.alone:
            several = line.count("=")
            found.append(f"{amount(several, 'Readings')} as by default{by_command('; --all-readings names them')}")
        else:
            found.append(line)
    return found


def place_of(precedent: Precedent) -> str:
    """The place of a ruling: its file within the game's own folder, and the line."""
    _, there, name = precedent.file.rpartition(f"/{CASES}/")
    file = f"{CASES}/{name}" if there else precedent.file
    return file if precedent.line is None else f"{file}:{precedent.line}"
