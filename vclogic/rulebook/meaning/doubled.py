"""Sums of a text that count something twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from vclogic.model.rules import Rule
from vclogic.rulebook.meaning.defined import Defined
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Statement
from vclogic.rulebook.table.written import expression
from vclogic.terms.atoms import TRUE
from vclogic.terms.expressions.syntax import Node
from vclogic.terms.sums import collect
from vclogic.terms.term import Term, variables
from vclogic.words import numbers_in

_MEANT = re.compile(
    r"\b(more|another|additional\w*|extra|bonus|further|plus|also|again|twice|doubled?|besides)\b", re.I
)
_Part = tuple[Node, Term]
Words = Callable[[RulesSource, Statement], str]
"""What players read of a line."""


def doubled(definitions: Mapping[str, Defined], words: Words = RulesSource.words) -> Iterator[Rule]:
    """For each line that counts something twice a rule whose text says what.

    Whatever a sentence says by a number of its own, or by words such as `more`, is meant.
    """
    for name, defined in definitions.items():
        found: dict[Statement, tuple[RulesSource, str]] = {}
        for source, statement, parts in defined.sums():
            if statement not in found:
                message = _twice(parts, words(source, statement), bool(source.sentences))
                if message:
                    found[statement] = source, message
        for statement, (source, message) in found.items():
            yield Rule(name, TRUE, message, source.cites(statement), made=source.made(statement.at))


def _twice(parts: Sequence[_Part], said: str, numbered: bool) -> str:
    """The part that two of some summands both count, in words; empty: nothing that is not said so.

    Args:
        parts: The summands.
        said: What players read.
        numbered: Whether that is a sentence, which would give the number that both have together.
    """
    if _MEANT.search(said):
        return ""
    for (a, left), (b, right) in combinations(parts, 2):
        mine, others = (dict(collect([(1, t)], 0)[0]) for t in (left, right))
        if mine and mine == others:
            return (
                f"{_quoted(a)} is added twice"
                if _quoted(a) == _quoted(b)
                else f"{_quoted(a)} and {_quoted(b)} are one"
            )
        shared = [t for t in mine if (mine[t] > 0) == (others.get(t, 0) > 0) and t in others]
        whole = len(shared) > 1 and all(mine[t] == others[t] for t in shared)
        totals = {abs(mine[t] + others[t]) for t in shared}
        if shared and (whole or numbered) and totals.isdisjoint(numbers_in(said)):
            return f"{_quoted(a)} and {_quoted(b)} both count {_named(shared[0])}"
    return ""


def _quoted(node: Node) -> str:
    return f"`{expression(node)}`"


def _named(term: Term) -> str:
    """A fact that a term is about, as the language has it."""
    name, _, arguments = variables(term)[0].name.rstrip("]").partition("[")
    return f"{name}({', '.join(a.strip() for a in arguments.split(','))})" if arguments else name
