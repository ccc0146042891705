"""Words for players about an event of a rulebook: sentences with names and values in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from vclogic.model.fluents import Value
from vclogic.model.picture import Known
from vclogic.rulebook.declarations import Need
from vclogic.rulebook.meaning.names import Bindings, TextNames
from vclogic.rulebook.source import RulesSource
from vclogic.terms.expressions.syntax import Call, Node, Operation, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import ADJACENT

Said = str | Callable[[Mapping[Term, Value]], str]
"""A sentence; a function of the values before an event where it depends on them."""


def filled(names: TextNames, source: RulesSource, template: Sequence[str | Node], bound: Bindings) -> Said:
    """A text with the values of the expressions in it.

    Args:
        names: What the expressions can speak of.
        source: The text that they stand in.
        template: Its parts.
        bound: The variables.
    """
    parts: list[str | Term] = []
    for part in template:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Word) and part.text in bound:
            parts.append(bound[part.text].member)
        else:
            value = names.resolved(source, part, bound).partial.value
            parts.append(str(value.value) if value.is_const else value)
    words = [p for p in parts if isinstance(p, str)]
    if len(words) == len(parts):
        return "".join(words)
    return lambda values: "".join(p if isinstance(p, str) else str(Known(values)(p)) for p in parts)


def told(names: TextNames, source: RulesSource, need: Need, bound: Bindings) -> Said:
    """The words for a player where an event lacks what it needs: the author's, else the condition."""
    if need.message:
        return filled(names, source, need.message, bound)
    if apart := _apart(need.condition, bound):
        return filled(names, source, apart, bound)
    text = need.text
    for name, b in bound.items():
        text = re.sub(rf"(?<![\w'\"]){re.escape(name)}(?![\w(])", b.member, text)
    return f"it needs {text}"


def _apart(condition: Node, bound: Bindings) -> Sequence[str | Node]:
    """The words where two places should be adjacent, or should not; empty if anything else is asked for."""
    denied = isinstance(condition, Operation) and condition.operators == ("not",)
    node = condition.parts[0] if denied and isinstance(condition, Operation) else condition
    if not isinstance(node, Call) or node.text != ADJACENT or len(node.arguments) != 2:
        return ()
    here, there = (a.text if isinstance(a, Word) and a.text not in bound else a for a in node.arguments)
    return here, f" is {'' if denied else 'not '}adjacent to ", there


def described(name: str, actor: str | None, arguments: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """An event in words, where its author gives none: `Crossers: move from SW to W`.

    Args:
        name: Its name.
        actor: Who decides it.
        arguments: Its arguments by name.
        kinds: The kind of each.
    """
    words = [name.replace("_", " ")]
    for argument, member in arguments.items():
        words += [member] if kinds[argument] == argument else [argument, member]
    return f"{actor}: {' '.join(words)}" if actor else " ".join(words)
