"""Some members of a kind as a kind, and the names that a word for a value stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Protocol

from vclogic.errors import did_you_mean, quoted
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.table import written
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.line import MembersLine
from vclogic.terms.expressions.syntax import Binder, Word, in_braces, spelled_out
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind


class KnownKinds(Protocol):
    """The kinds that a text speaks of."""

    kinds: dict[str, CountedKind]
    on_a_board: bool

    def members(self, source: RulesSource, binder: Binder, kinds: Mapping[str, CountedKind]) -> MembersLine:
        """The meaning of a condition on the members of a kind."""


def some(names: KnownKinds, source: RulesSource, binder: Binder) -> CountedKind:
    """Some members of a kind, as the board decides them, as a kind: `hex in towns`.

    Where a board has none of them, it is the whole kind, of which there is none.

    Raises:
        InputError: They can change, or there are none without a board.
    """
    line = names.members(source, binder, {})
    kind, there = line.kind, line.where({})
    if any(not when.is_const for when in there.values()):
        message = "this can change: the board decides what a fact is asked of"
        raise source.goal.error(binder.kind.at, message, "write in GROUP, or where with what the board says")
    members = tuple(m for m in kind.members if there.get(m, FALSE) is TRUE)
    if not members and not names.on_a_board:
        raise source.goal.error(binder.kind.at, f"there is no such {kind.name}", "name one at least")
    if not members:
        return replace(kind, none=True)
    sort, between = EnumSort(written.binder(binder), members), kind.domain.span
    aliases = {other: m for other, m in kind.domain.aliases.items() if m in sort.index}

    def span(first: str, last: str) -> tuple[str, ...]:
        return () if between is None else tuple(m for m in between(first, last) if m in sort.index)

    return replace(kind, domain=Domain(sort, aliases, span=None if between is None else span))


def values_called(names: KnownKinds, source: RulesSource, value: Word | Binder) -> Domain | None:
    """The names that a word for a value stands for; None: the board has none of what stands in braces.

    These are the members of a kind, or some of them; a name for each thing in its braces; else itself.

    Raises:
        InputError: Nothing is called as what stands in braces, or as in `some`.
    """
    if isinstance(value, Binder):
        if value.kind.text in names.kinds:
            return some(names, source, value).domain
        value = Word(written.binder(value), value.kind.at)  # a name that holds such a word
    if value.text in names.kinds:
        return names.kinds[value.text].domain
    inside = {name: _called(names, name) for name in in_braces(value.text)}
    if not inside:
        return Domain(EnumSort(value.text, (value.text,)))
    unknown = next((name for name, found in inside.items() if found is None), None)
    if unknown is not None:
        groups = (name for k in names.kinds.values() for name in k.groups)
        help = did_you_mean(unknown, (*names.kinds, *groups)) or "in braces stands a kind, or a group"
        raise source.goal.error(value.at, f"nothing is called {quoted(unknown)}", help, "unknown-name")
    chosen = (dict(zip(inside, each, strict=True)) for each in product(*(m or () for m in inside.values())))
    made = tuple(dict.fromkeys(spelled_out(value.text, each) for each in chosen))
    return Domain(EnumSort(value.text, made)) if made else None


def _called(names: KnownKinds, name: str) -> tuple[str, ...] | None:
    """The members of a kind, or of a group; None: nothing is called so."""
    if name in names.kinds:
        return names.kinds[name].members
    return next((tuple(k.groups[name]) for k in names.kinds.values() if name in k.groups), None)
