"""The Readings and options that a rulebook declares."""

from __future__ import annotations

from vclogic.model.rules import Option, Reading
from vclogic.rulebook.declarations import Choice
from vclogic.rulebook.meaning.names import Statements, taken
from vclogic.rulebook.statements import RememberedFact
from vclogic.terms.expressions.syntax import Operation, Word


def choices_of(lines: Statements) -> tuple[tuple[Reading, ...], tuple[Option, ...]]:
    """The Readings and options of a rulebook."""
    readings: list[Reading] = []
    options: list[Option] = []
    for source, statement, choice in lines.each(Choice):
        with lines.at(source):
            if choice.name.text in [*(r.name for r in readings), *(o.name for o in options)]:
                raise taken(source, choice.name, "a Reading or an option")
        cites, made = source.cites(statement), source.made(statement.at)
        name, values = choice.name.text, {w.text: meaning for w, meaning in choice.values}
        if choice.reading:
            readings.append(Reading(name, values, choice.default, choice.reason, cites, made=made))
        elif choice.numbers is not None:
            low, high = choice.numbers
            options.append(Option(name, range(low, high + 1), int(choice.default), choice.question, cites))
        else:
            facts = tuple(f.name.text for _, _, f in lines.each(RememberedFact) if _is_with(f, name, [*values][-1]))
            options.append(Option(name, tuple(values), choice.default, choice.question, cites, facts=facts))
    return tuple(readings), tuple(options)


def _is_with(fact: RememberedFact, option: str, value: str) -> bool:
    """True if a fact is there where an option has a value, and only there."""
    match fact.condition:
        case Operation(operators=("==",), parts=(Word(text=one), Word(text=other))):
            return {one, other} == {option, value}
    return False
