"""The goal language's words for the last event of a record: `before`, `happens`, `actor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.syntax import BEFORE, Call, Node, Operation, Word, below
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

HAPPENS, ACTOR = "happens", "actor"
WORDS = (BEFORE, HAPPENS, ACTOR)
Report = Callable[[int, str, str, str | None], None]
"""Takes what is wrong: the place, counted from 0, a code, a message and a help line."""
Given = Mapping[str, int | str]
"""The arguments of an event that are asked for."""


class StepWords(Protocol):
    """The meaning of the words in a rule set."""

    @property
    def events(self) -> Mapping[str, Mapping[str, Domain | range]]:
        """The kinds of events, each with what its arguments can be."""

    @property
    def actors(self) -> Domain:
        """The possible deciders of an event: the sides and their powers."""

    def before(self, value: Partial) -> Partial:
        """A value as it was before the last event; undefined at the start."""

    def happens(self, event: str, given: Given) -> Term:
        """A Bool term: the last event is one of a kind, with some arguments."""

    def actor(self, name: str) -> Term:
        """A Bool term: a side, or a power, decided the last event."""


@dataclass(frozen=True)
class RefusedWords:
    """Says that the words may not be used in a goal, and why.

    Attributes:
        why: The end of the sentence that begins with the word.
        help: What to do about it.
        earlier: What `before` means where it alone may be used; None: it may not.
    """

    why: str
    help: str
    earlier: Callable[[Partial], Partial] | None = None


ONLY_REACH = RefusedWords(
    "speaks of the last event of a record: only `reach` takes it",
    "`reach` answers whether some event does that",
)


def step_words(root: Node) -> Iterator[tuple[str, int]]:
    """The words for the last event that a tree holds, each with its place."""
    queue = [root]
    while queue:
        node = queue.pop()
        if isinstance(node, Operation) and node.operators[0] == BEFORE:
            yield BEFORE, node.at
        elif isinstance(node, Call) and node.text in WORDS:
            yield node.text, node.at
        queue += below(node)


def read_event(words: StepWords, node: Call, report: Report) -> tuple[Term, tuple[tuple[str, str], ...]] | None:
    """Resolve a call of `happens`.

    Args:
        words: What the words mean.
        report: Takes what is wrong.

    Returns:
        The term, and the sort name and name of each member that it names; None if something is wrong.
    """
    event = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(event, Word):
        help = "write happens(EVENT), or happens(EVENT, NAME=VALUE, ...) with the names that a record has"
        report(
            node.at,
            "arguments",
            f"{HAPPENS} takes the name of one event, and what is known of it as NAME=VALUE",
            help,
        )
        return None
    parameters = words.events.get(event.text)
    if parameters is None:
        hint = did_you_mean(event.text, words.events) or f"events: {', '.join(words.events)}"
        report(event.at, "unknown-name", f"there is no event {quoted(event.text)}", hint)
        return None
    given: dict[str, int | str] = {}
    wrong = False
    for name, word in node.named:
        value = _value(parameters, event.text, name, word, report)
        if name.text in given:
            report(name.at, "arguments", f"{name.text} is given twice", None)
        wrong |= value is None or name.text in given
        given[name.text] = "" if value is None else value
    if wrong:
        return None
    kinds = ((parameters[name], value) for name, value in given.items())
    mentions = tuple((d.sort.name, str(value)) for d, value in kinds if isinstance(d, Domain))
    return words.happens(event.text, given), mentions


def _value(
    parameters: Mapping[str, Domain | range], event: str, name: Word, word: Word, report: Report
) -> int | str | None:
    domain = parameters.get(name.text)
    if domain is None:
        hint = did_you_mean(name.text, parameters) or f"write {event} alone"
        report(name.at, "unknown-entry", f"nothing of {event} is called {quoted(name.text)}", hint)
        return None
    if isinstance(domain, Domain):
        return _member(domain, word, report)
    digits = word.text.removeprefix("-")
    if digits.isdecimal() and int(word.text) in domain:
        return int(word.text)
    message = f"{name.text}: expected a whole number from {min(domain)} to {max(domain)}"
    report(word.at, "out-of-range", message, None)
    return None


def read_actor(words: StepWords, node: Call, report: Report) -> tuple[Term, tuple[tuple[str, str], ...]] | None:
    """Resolve a call of `actor`; arguments and result as in `read_event`."""
    word = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(word, Word) or node.named:
        report(node.at, "arguments", f"{ACTOR} takes one name: a side or a power", None)
        return None
    name = _member(words.actors, word, report)
    return None if name is None else (words.actor(name), ((words.actors.sort.name, name),))


def _member(domain: Domain, word: Word, report: Report) -> str | None:
    try:
        return domain.resolve(word.text)
    except InputError as error:
        wrong: Diagnostic = error.diagnostics[0]
        report(word.at, wrong.code, wrong.message, wrong.help)
        return None
