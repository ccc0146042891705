"""The Readings that the parts of a rulebook rest on: those that its lines name, or the lines that these speak of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from vclogic.model.system import HOLDS
from vclogic.rulebook.declarations import EventRule, EveryEvent, Law, PassRule, PythonModule, Start, TurnIs, TurnOrder
from vclogic.rulebook.meaning.names import Statements
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import (
    END,
    ONCE,
    Content,
    Definition,
    NamedGroup,
    OutcomeTable,
    RememberedFact,
    Win,
    parts,
)
from vclogic.terms.expressions.syntax import BEFORE, Operation, in_braces

CAN = "can"
_MOST_WORDS = 6
"""Names of so many words may hold others: `Axis alone`, `other unit`; what is longer is what a player is told."""
_PLAY = (EventRule, EveryEvent, TurnOrder, TurnIs, PassRule)


class Resting(Statements):
    """The Readings that lines of a rulebook can look up.

    A line looks up the Readings that it names, and those that the lines look up which say what it speaks of. What it
    speaks of is told by the words in it alone: so it is more than what a position needs, and never less.

    Args:
        sources: The blocks of the rulebook.
        readings: The names of the Readings.
    """

    def __init__(self, sources: Sequence[RulesSource], readings: Iterable[str]):
        super().__init__(sources)
        self._readings = frozenset(readings)
        self._found: dict[frozenset[str], frozenset[str]] = {}
        self._of_part: dict[int, tuple[object, frozenset[str]]] = {}

    @cached_property
    def is_told(self) -> bool:
        """True if the words of lines tell it: no code runs beside them, and none asks what was so before."""
        said = [s.content for source in self.sources for s in source.statements]
        return not any(isinstance(c, PythonModule) or any(map(_asks_before, parts(c))) for c in said)

    @cached_property
    def _spoken_of(self) -> dict[str, set[str]]:
        """For each name the words in the lines that say what it is."""
        found: dict[str, set[str]] = {name: set() for name in self._readings}

        def says(name: str, *said: object) -> None:
            found.setdefault(name, set()).update(*map(_words, said))

        for _, _, content in self.each(Content):
            match content:
                case Definition() | OutcomeTable(moment=None):
                    says(content.name.text, content)
                case RememberedFact():  # where it is not there, what it starts as stands in its place
                    says(content.name.text, content.parameters, content.names, content.starts, content.condition)
                    says(content.name.text, [c for c in content.changes if c.moment.name == ONCE])
                case Start():
                    says(content.fact.text, content)
                case NamedGroup():
                    says(content.name.text, content)
                case Win() | OutcomeTable():
                    says(HOLDS, content)
                case EventRule() | EveryEvent() | TurnOrder():
                    says(CAN, content)
                    if isinstance(content, EventRule):
                        says(f"{CAN}_{content.name.text}", CAN)
        return found

    def of(self, *said: object) -> frozenset[str]:
        """The Readings that statements, or parts of them, can look up."""
        return frozenset[str]().union(*map(self._of_one, said))

    def _of_one(self, part: object) -> frozenset[str]:
        found = self._of_part.get(id(part))
        if found is None:  # it is kept, so that its id stays its own
            found = self._of_part[id(part)] = part, self._of(frozenset(_words(part)))
        return found[1]

    def _of(self, words: frozenset[str]) -> frozenset[str]:
        if words not in self._found:
            reached, left = set[str](), [w for w in words if w in self._spoken_of]
            while left:
                word = left.pop()
                if word not in reached:
                    reached.add(word)
                    left += [w for w in self._spoken_of[word] if w in self._spoken_of]
            self._found[words] = self._readings & reached
        return self._found[words]

    @cached_property
    def _of_each_fact(self) -> Sequence[frozenset[str]]:
        """The Readings that decide whether a fact is there, and what it is where a position does not give it."""
        return [self.of(name) for name in dict.fromkeys(c.name.text for _, _, c in self.each(RememberedFact))]

    @property
    def of_facts(self) -> frozenset[str]:
        """The Readings that decide which facts there are, and what they are where a position does not give them."""
        return frozenset[str]().union(*self._of_each_fact)

    @cached_property
    def _of_play(self) -> frozenset[str]:
        """The Readings that decide what happens by an event, and what can happen."""
        return self.of([c for kind in (*_PLAY, RememberedFact, Win, OutcomeTable) for _, _, c in self.each(kind)])

    @cached_property
    def of_remembered(self) -> frozenset[str]:
        """The Readings that decide what is so where it is remembered that an outcome was met."""
        moments = [*(c.moment for _, _, c in self.each(Win)), *(c.moment for _, _, c in self.each(OutcomeTable))]
        remembered = any(moment is not None and moment.name not in (ONCE, END) for moment in moments)
        return self.of(HOLDS) if remembered else frozenset()

    @cached_property
    def _of_laws(self) -> Sequence[frozenset[str]]:
        """The Readings of each law, and of all together that follow from what is remembered."""
        return (*(self.of(c) for _, _, c in self.each(Law)), self.of_remembered)

    def sets(self, asked: str | None) -> Sequence[frozenset[str]] | None:
        """The sets of Readings that can change an answer together; as `System.resting`."""
        if not self.is_told:
            return None
        spoken = " ".join((asked or "").split())
        words = frozenset(name for name in self._spoken_of if name in spoken)
        own = self._of_play if asked is None else self._of(words)
        return tuple(dict.fromkeys((own, *self._of_each_fact, *self._of_laws)))


def _words(content: object) -> set[str]:
    """The words in a statement: its names, the parts of those of several words, and those in the braces of names."""
    words = [part for part in parts(content) if isinstance(part, str)]
    found = {*words, *(name for word in words for name in in_braces(word))}
    for several in [word.split() for word in words]:
        if len(several) <= _MOST_WORDS:
            found.update(" ".join(several[i:j]) for i in range(len(several)) for j in range(i + 1, len(several) + 1))
    return found


def _asks_before(part: object) -> bool:
    return isinstance(part, Operation) and part.operators[0] == BEFORE
