"""The words of a ruling that its text and its sheet share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vclogic.files.registry import CASES
from vclogic.model.fluents import Value, written
from vclogic.model.sentences import sentence
from vclogic.query.ruling.answer import (
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
from vclogic.words import amount

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
    """Those facts that nobody gave."""
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
            found.append(f"{amount(several, 'Readings')} as by default; --all-readings names them")
        else:
            found.append(line)
    return found


def place_of(precedent: Precedent) -> str:
    """The place of a ruling: its file within the game's own folder, and the line."""
    _, there, name = precedent.file.rpartition(f"/{CASES}/")
    file = f"{CASES}/{name}" if there else precedent.file
    return file if precedent.line is None else f"{file}:{precedent.line}"
