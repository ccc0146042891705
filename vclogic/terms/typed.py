"""Resolved nodes of a text in the goal language, and how they are called in messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.terms import atoms
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.syntax import Call, Form, Node, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind
from vclogic.words import amount

BOOL, INT, UNKNOWN = "true or false", "a number", ""
NOTHING = Partial(atoms.FALSE)
COMPARE = "compare it with something: ... == NAME, or ... >= 1"
"""What to do about a value where something true or false is needed."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A resolved node.

    Attributes:
        node: The node.
        kind: Its kind in words; empty if unknown.
        partial: Its value; arbitrary if part of it is wrong.
        values: The names that it can be.
        name: The name that it always is, of a variable.
        cases: Its value in cases that exclude each other, where it is of something that changes; elsewhere undefined.
    """

    node: Node
    kind: str
    partial: Partial = NOTHING
    values: Domain | None = None
    name: str | None = None
    cases: Mapping[Term, Partial] | None = None

    def __str__(self) -> str:
        named = isinstance(self.node, Word | Call | Form)
        return f"{called(self.node) if named else 'this'} is {self.kind}"


@dataclass(frozen=True, slots=True)
class Bound:
    """The member that a variable stands for."""

    kind: CountedKind
    member: str


def called(node: Node) -> str:
    """What a message calls a name, a call, or one of the language's own words."""
    return node.text if isinstance(node, Word | Call) else node.word if isinstance(node, Form) else "this"


def of_kind(noun: str) -> str:
    """A noun with its article."""
    vowel = noun[:1].lower() in "aeiou" and not noun.lower().startswith(("uni", "us ", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def names_needed(count: int) -> str:
    """So many names, in words."""
    return amount(count, "name") if count else "nothing"


def written(name: str, *, beside: bool = False) -> str:
    """A name as a goal has it, in parentheses or beside a comparison: in quotes where it needs them."""
    bare = r"(?!\d+$)\w[\w.]*" if beside else r"[\w./]+(?: [\w./]+)*"
    return name if re.fullmatch(bare, name) else f"'{name}'"


def expected(domain: Domain) -> str:
    """The names that something can be, or the first of them."""
    names, more = domain.sort.members[:12], len(domain.sort.members) - 12
    return f"{domain.sort.name}: {', '.join(names)}" + (f" and {more} more" if more > 0 else "")
