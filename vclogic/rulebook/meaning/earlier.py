"""`before(...)` in a text of rules: what was so before the last event, in facts that remember it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

from vclogic.model.citation import unseen
from vclogic.model.fluents import Family
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.rulebook.meaning.secrets import Secrets
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition
from vclogic.terms.expressions.syntax import BEFORE, Binder, Call, Form, Node, Operation, Word, below
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

SUFFIX = "_before"
"""What the name of a fact ends with that remembers another one."""
MOST = 100_000
"""So many values of what is asked about may be looked at for what they depend on."""


class Taking(Protocol):
    """The statements of some texts, and what takes what is wrong."""

    @property
    def sources(self) -> Sequence[RulesSource]:
        """The texts."""

    def at(self, source: RulesSource, unknown: str = "") -> AbstractContextManager[None]:
        """Collect what is wrong."""


class Earlier:
    """The facts that remember what others were before the last event: those that `before(...)` asks about.

    Args:
        system: The game.
        own: The facts of the texts by name.
        secrets: Those that a side keeps from the other.

    Attributes:
        facts: Each of them with the one that it remembers.
    """

    def __init__(self, system: System, own: dict[str, Family], secrets: Secrets):
        self._system, self._own, self._secrets = system, own, secrets
        self.facts: dict[Term, Term] = {}
        self._made: dict[Term, Term] = {}
        self._speaking: frozenset[str] = frozenset()
        self.families: list[Family] = []

    def before(self, value: Partial) -> Partial:
        """A value as it was before the last event; at the start as it is then."""
        was = Substitution(self._made)
        return Partial(was(value.value), was(value.defined))

    def look(self, names: Taking, known: Callable[[str], Observable | None]) -> None:
        """Remember whatever `before` asks about in some statements.

        Args:
            names: The statements, which take what is wrong.
            known: An observable by its name.
        """
        own: dict[str, tuple[object, ...]] = {}
        for content in (s.content for source in names.sources for s in source.statements):
            if isinstance(content, Definition):
                own[content.name.text] = (*own.get(content.name.text, ()), content)
        self._speaking = _speaking(own)
        with unseen():  # what a line says is looked into
            for source in names.sources:
                for statement in source.statements:
                    for node in _within(statement.content):
                        if isinstance(node, Call | Word) and (observable := known(node.text)) is not None:
                            with names.at(source):
                                self._remember(source, node, observable)

    def _remember(self, source: RulesSource, node: Call | Word, observable: Observable) -> None:
        if node.text in self._speaking:
            message = f"{observable.name} says itself what was so before"
            help = "a fact of your own remembers more than one event"
            raise source.goal.error(node.at, message, help, "not-here")
        members = [d.sort.members for d in observable.parameters]
        if prod(map(len, members)) > MOST:
            message = f"{observable.name} has more than {MOST:,} values, and all of them would be remembered"
            raise source.goal.error(node.at, message, "ask about less", "limit")
        partials = (observable.partial(*given) for given in product(*members))
        for fluent in {v: None for p in partials for v in variables(p.value, p.defined) if v not in self._made}:
            family = self._of[fluent]
            if self._secrets.there:
                message = "before(...) cannot stand in rules with secret facts: it could tell of one"
                raise source.goal.error(node.at, message, "a fact of your own remembers it", "not-here")
            if fluent not in self._made:
                self._keep(family)

    def _keep(self, family: Family) -> None:
        kept = replace(family, name=f"{family.name}{SUFFIX}", text=f"{family.name} before the last event")
        self.families.append(kept)
        for index, own in family.fluents.items():
            self._made[own] = kept.fluents[index]
            self.facts[kept.fluents[index]] = own

    @cached_property
    def _of(self) -> dict[Term, Family]:
        families = (*self._system.families, *self._own.values())
        return {f: family for family in families for f in family.fluents.values()}


def _speaking(own: Mapping[str, tuple[object, ...]]) -> frozenset[str]:
    """The definitions that ask what was so before, themselves or by others."""
    words = {name: {n.text for n in _nodes(content) if isinstance(n, Call | Word)} for name, content in own.items()}
    found = {name for name, content in own.items() if any(True for _ in _within(content))}
    while more := {name for name, said in words.items() if name not in found and said & found}:
        found |= more
    return frozenset(found)


def _nodes(part: object) -> Iterator[Node]:
    """All nodes of what a statement holds."""
    if isinstance(part, tuple):
        for x in part:
            yield from _nodes(x)
    elif isinstance(part, Word | Operation | Form | Call):
        yield from _all(part)
    elif is_dataclass(part):
        for f in fields(part):
            yield from _nodes(getattr(part, f.name))


def _within(part: object) -> Iterator[Node]:
    """The nodes inside of `before` in something that a statement holds."""
    if isinstance(part, tuple):
        for x in part:
            yield from _within(x)
    elif isinstance(part, Operation) and part.operators[0] == BEFORE:
        yield from _all(part)
    elif isinstance(part, Word):
        return
    elif isinstance(part, Operation | Form | Call):
        for node in below(part):
            yield from _within(node)
    elif is_dataclass(part):
        for f in fields(part):
            yield from _within(getattr(part, f.name))


def _all(node: Node) -> Iterator[Node]:
    yield node
    for part in below(node):
        yield from _all(part)
    if isinstance(node, Form) and isinstance(node.binder, Binder) and isinstance(node.binder.group, Word):
        yield node.binder.group
