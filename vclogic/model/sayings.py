"""Facts as sentences in the game's own words: `broken[4-4-7]` is "4-4-7 is broken"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vclogic.model.fluents import Family, Value, written
from vclogic.terms.sorts import BoolSort
from vclogic.words import amount


class Said(NamedTuple):
    """A fact in words.

    Attributes:
        about: What it is about, such as a unit or a place; empty where the sentence names it.
        says: What it says of that, such as `is broken`. With `{}` in it: a sentence with a gap for what it is about.
    """

    about: str
    says: str


@dataclass(frozen=True)
class Sayings:
    """The wording of a family's facts.

    Attributes:
        usual: What is said of what a fact is about: `belongs to the {value}`. `{0}`, `{1}` stand for the names in
            the fact's brackets, `{value}` for its value, as files write it, `{value:point}` for so many points.
        special: What is said instead where the fact has one of these values.
        about: What the fact is about, by default the first name in its brackets; empty: `usual` is a whole sentence.
    """

    usual: str = ""
    special: Mapping[Value, str] = field(default_factory=dict)
    about: str = "{0}"

    def said(self, names: Sequence[str], value: Value) -> Said:
        """A fact of the family in words.

        Args:
            names: The names in its brackets.
        """
        words = self.special.get(value, self.usual)
        about = self.about if names else ""
        return Said(about.format(*names), words.format(*names, value=_CountedValue(written(value))))


class _CountedValue(str):
    """A value that can be told with what it counts: `3 points`, or `at least 1 point`."""

    __slots__ = ()

    def __str__(self) -> str:
        return "".join(self)

    def __format__(self, counted: str) -> str:
        before, space, last = self.rpartition(" ")
        if last.isdecimal() and counted:
            return f"{before}{space}{amount(int(last), counted)}"
        return f"{self!s} {counted}" if counted else str(self)


def flag(yes: str, no: str = "") -> Sayings:
    """The wording of a yes or no.

    Args:
        yes: What is said if it is so; begins with `is`, unless `no` is given.
        no: What is said if it is not.
    """
    return Sayings("", {True: yes, False: no or yes.replace("is ", "is not ", 1)})


def plain(family: Family) -> Sayings:
    """The wording of a family's facts where the game has no words for them."""
    name = family.name.replace("_", " ")
    about = ", ".join(f"{{{i}}}" for i in range(len(family.indices)))
    if isinstance(family.sort, BoolSort):
        return (
            Sayings("", {True: f"{name}: yes", False: f"{name}: no"})
            if not about
            else Sayings("", {True: f"{name} of {{{{}}}}: yes", False: f"{name} of {{{{}}}}: no"}, about)
        )
    return Sayings(f"{name} of {{{{}}}} is {{value}}", about=about) if about else Sayings(f"{name} is {{value}}")


class InWords:
    """Says the facts of a rule set.

    Args:
        families: The families by name.
        sayings: How their facts are said, for those that the game has words for.
    """

    def __init__(self, families: Mapping[str, Family], sayings: Mapping[str, Sayings]):
        self._families = families
        self._sayings = dict(sayings)

    def said(self, fact: str, value: Value) -> Said:
        """A fact in words.

        Args:
            fact: The fact, such as `broken[4-4-7]`.
        """
        name, _, rest = fact.partition("[")
        family = self._families[name]
        inside = rest.removesuffix("]")
        names = (inside,) if len(family.indices) == 1 else tuple(inside.split(", ")) if inside else ()
        if name not in self._sayings:
            self._sayings[name] = plain(family)
        return self._sayings[name].said(names, value)
