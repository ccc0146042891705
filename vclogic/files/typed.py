"""Texts of rules of a scenario, board and position, read and joined with the game; imported where there are some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.outcomes import OUTCOMES, PlacedText, Spot, with_place
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.model.lazy import Noted
from vclogic.model.rules import Option, Reading
from vclogic.model.system import Settings, System
from vclogic.rulebook.added import Added, own_kinds
from vclogic.rulebook.joined import joined
from vclogic.rulebook.meaning.names import TextNames
from vclogic.rulebook.meaning.names import choices as chosen
from vclogic.rulebook.meaning.texts import Meaning
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import InsteadOf, OutcomeTable, Win
from vclogic.terms.atoms import FALSE

Build = Callable[[Settings], tuple[System, Noted]]


def with_texts(
    system: System,
    noted: Noted,
    texts: Sequence[Node],
    settings: Settings,
    build: Build,
    choices: Sequence[Reading | Option] = (),
) -> tuple[System, Noted]:
    """A game with the rules of some texts.

    Args:
        system: The game.
        noted: Which Readings it looks up.
        texts: The sections.
        settings: Its settings.
        build: Builds the game with settings that leave something out.
        choices: The Readings and options of the game, which the texts can compare with a value.

    Raises:
        InputError: All that is wrong with the texts.
    """
    sources = sources_of(system, texts)
    without = _left_out(system, sources)
    if without:
        settings = replace(settings, without=without)
        system, noted = build(settings)
        outcomes = tuple(o for o in system.outcomes if o.name not in without)
        system = replace(system, outcomes=outcomes, levels=(), winner=None)
    free = [c for c in choices if c.name not in system.vocabulary]  # what the position itself tells goes first
    known = tuple(chosen(free, replace(settings, readings=noted)))
    if own := own_kinds(sources, system.vocabulary.kinds):
        system = replace(system, kinds=(*system.kinds, *own))
    names = TextNames(replace(system, observables=(*system.observables, *known)), sources)
    meaning = Meaning(names)
    added = Added(names)
    if meaning.over is not FALSE:  # turns of a planning model stop where the game does
        whole, again = build(replace(settings, over=meaning.over))
        again.counts(noted)  # what the texts look up later, too
        noted = again
        system = replace(
            whole, outcomes=system.outcomes, levels=system.levels, winner=system.winner, kinds=(*whole.kinds, *own)
        )
    return joined(system, meaning, added), noted


def sources_of(system: System, texts: Iterable[Node]) -> list[RulesSource]:
    """The texts, parsed."""
    found: list[RulesSource] = []
    findings = Findings()
    for number, node in enumerate(texts, 1):
        text = node.tree
        assert isinstance(text, str), "`text_node` made it one"
        label = f"{OUTCOMES} {number}"
        here = with_place(text, node.where)
        unread = RulesSource((), text, label, here.file, _placing(here))
        try:
            found.append(replace(unread, statements=parse_rules(text, label, system.vocabulary)))
        except InputError as error:
            for wrong in error.diagnostics:
                findings.add(unread.placed(wrong))
    findings.stop()
    return found


def _placing(text: PlacedText) -> Callable[[int, int], Spot]:
    """The lines and columns of a text in its file; in quotes all lines are one; without a file its own."""
    first, indent = text.spot

    def place(line: int, column: int) -> Spot:
        if first is None or indent is None:
            return line, column
        return (first + line - 1, indent + column - 1) if text.block else (first, indent)

    return place


def in_words(texts: Iterable[Node]) -> tuple[str, ...]:
    """A line for each text of rules: where it stands, what is won by it, and what it leaves out."""
    found = []
    for node in texts:
        text = node.tree
        assert isinstance(text, str), "it has been read"
        statements = [s.content for s in parse_rules(text)]
        won = (w for w in statements if isinstance(w, Win) or (isinstance(w, OutcomeTable) and w.moment))
        names = dict.fromkeys(w.name.text for w in won)
        without = [w.text for s in statements if isinstance(s, InsteadOf) for w in s.names]
        told = ", ".join(names) or "nothing is won by them"
        said = f"rules as text in {with_place(text, node.where).file}: {told}"
        found.append(said + (f"; instead of {', '.join(without)}" if without else ""))
    return tuple(found)


def _left_out(system: System, sources: Iterable[RulesSource]) -> frozenset[str]:
    """The outcomes of the game that the texts leave out."""
    names = dict.fromkeys(o.name for o in system.outcomes)
    known: Mapping[str, str] = system.absent.outcomes
    found: list[str] = []
    wrong: list[Diagnostic] = []
    for source in sources:
        for statement in source.statements:
            content = statement.content
            for word in content.names if isinstance(content, InsteadOf) else ():
                if word.text in names or word.text in known:
                    found.append(word.text)
                else:
                    help = did_you_mean(word.text, names) or (
                        f"its outcomes: {', '.join(names)}" if names else "the board has no victory conditions"
                    )
                    message = f"the game has no outcome {quoted(word.text)} that could be left out"
                    error = source.goal.error(word.at, message, help, "unknown-name")
                    wrong += [source.placed(d) for d in error.diagnostics]
    if wrong:
        raise InputError(wrong)
    return frozenset(found)
