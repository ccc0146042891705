"""The section `outcomes:` of a scenario, board or position: a text of rules, read and joined with the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.findings import Findings
from vclogic.files.tree import Block, Locator, Node, Tree, describe
from vclogic.model.lazy import Noted
from vclogic.model.system import Settings, System
from vclogic.rulebook.joined import joined
from vclogic.rulebook.meaning import Meaning
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.source import RulesSource, Spot
from vclogic.rulebook.statements import InsteadOf, Table, Win
from vclogic.terms.atoms import FALSE

OUTCOMES = "outcomes"
"""The key of the section."""
Build = Callable[[Settings], tuple[System, Noted]]


def with_texts(
    system: System, noted: Noted, texts: Sequence[Node], settings: Settings, build: Build
) -> tuple[System, Noted]:
    """A game with the rules of some texts.

    Args:
        system: The game.
        noted: Which Readings it looks up.
        texts: The sections; none: the game as it is.
        settings: Its settings.
        build: Builds the game with settings that leave something out.

    Raises:
        InputError: All that is wrong with the texts.
    """
    if not texts:
        return system, noted
    sources = _sources(system, texts)
    without = _left_out(system, sources)
    if without:
        settings = replace(settings, without=without)
        system, noted = build(settings)
        outcomes = tuple(o for o in system.outcomes if o.name not in without)
        system = replace(system, outcomes=outcomes, levels=(), winner=None)
    meaning = Meaning(system, sources)
    if meaning.over is not FALSE:  # turns of a planning model stop where the game does
        whole, noted = build(replace(settings, over=meaning.over))
        system = replace(whole, outcomes=system.outcomes, levels=system.levels, winner=system.winner)
    return joined(system, meaning), noted


class PlacedText(str):
    """A text of rules with its place, for when it is read without its file.

    Attributes:
        file: The file.
        spot: Line and column where it begins.
        block: Whether its lines are lines of the file.
    """

    file: str
    spot: Spot
    block: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return PlacedText.at, (str(self), self.file, self.spot, self.block)

    @classmethod
    def at(cls, text: str, file: str, spot: Spot, block: bool) -> PlacedText:
        """A text with its place."""
        found = cls(text)
        found.file, found.spot, found.block = file, spot, block
        return found


def placed(tree: Tree, where: Locator) -> Tree:
    """What a file holds, with the place of its text of rules.

    Args:
        where: Finds the places of its parts.
    """
    text = tree.get(OUTCOMES) if isinstance(tree, dict) else None
    if not isinstance(tree, dict) or not isinstance(text, str) or isinstance(text, PlacedText):
        return tree
    return {**tree, OUTCOMES: _with_place(text, where.under(OUTCOMES))}


def _with_place(text: str, where: Locator) -> PlacedText:
    if isinstance(text, PlacedText):
        return text
    return PlacedText.at(text, where.file, where.find(), isinstance(text, Block))


def text_node(node: Node) -> Node:
    """A section `outcomes:` with its text, also where it holds the document of one.

    Raises:
        InputError: It holds something else, or a document that stands for no text.
    """
    if isinstance(node.tree, dict):
        from vclogic.rulebook.document import text_of  # most files hold a text

        try:
            return Node(text_of(node.tree), node.where)
        except InputError as error:
            raise error.at(*node.spot) from error
    if not isinstance(node.tree, str):
        help = "write `outcomes: |` and the lines below it, further right"
        message = f"expected a text of rules, found {describe(node.tree)}"
        raise InputError(node.diagnostic("wrong-value", message, help=help))
    return node


def _sources(system: System, texts: Iterable[Node]) -> list[RulesSource]:
    """The texts, parsed."""
    found: list[RulesSource] = []
    findings = Findings()
    for number, node in enumerate(texts, 1):
        text = node.tree
        assert isinstance(text, str), "`text_node` made it one"
        label = f"{OUTCOMES} {number}"
        here = _with_place(text, node.where)
        unread = RulesSource((), text, label, here.file, _placing(here))
        try:
            found.append(replace(unread, statements=parse_rules(text, label, system.vocabulary)))
        except InputError as error:
            for wrong in error.diagnostics:
                findings.add(unread.placed(wrong))
    findings.stop()
    return found


def _placing(text: PlacedText) -> Callable[[int, int], Spot]:
    """Where lines and columns of a text stand in its file; in quotes all lines of it are one."""
    first, indent = text.spot

    def place(line: int, column: int) -> Spot:
        if first is None or indent is None:
            return None, None
        return (first + line - 1, indent + column - 1) if text.block else (first, indent)

    return place


def in_words(texts: Iterable[Node]) -> tuple[str, ...]:
    """A line for each text of rules: where it stands, what is won by it, and what it leaves out."""
    found = []
    for node in texts:
        text = node.tree
        assert isinstance(text, str), "it has been read"
        statements = [s.content for s in parse_rules(text)]
        names = dict.fromkeys(w.name.text for w in statements if isinstance(w, Win | Table))
        without = [w.text for s in statements if isinstance(s, InsteadOf) for w in s.names]
        won = ", ".join(names) or "nothing is won by them"
        said = f"rules as text in {_with_place(text, node.where).file}: {won}"
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
