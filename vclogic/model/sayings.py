"""Facts as sentences in the words of the game: `4-4-7 is broken`, and `4-4-7 and 4-2-6 are broken`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from vclogic.model.fluents import Family, Value, written
from vclogic.terms.sorts import BoolSort
from vclogic.words import amount, joined


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


# ---- several facts in one sentence


_MOST_NAMES = 9
_SEVERAL = {
    "is": "are",
    "has": "have",
    "was": "were",
    "belongs": "belong",
    "goes": "go",
    "holds": "hold",
    "controls": "control",
    "does": "do",
}
_NEGATIONS = (
    (re.compile(r"\bnot "), ""),
    (re.compile(r"\bnobody('s)?\b(.*?)( yet)?$"), r"somebody\1\2"),
    (re.compile(r"\bneither (.+) nor "), r"\1 or "),
    (re.compile(r"\bno\b"), "some"),
    (re.compile(r"\bwithout\b"), "with"),
)
"""Patterns of denials, each with its contrary."""
_AUXILIARY = re.compile(r"(is|are|was|were|has|have|does|do)\b(?! (?:a|an|its|the|some|\d+)\b)")


# ---- facts as sentences: `4-4-7 and 4-2-6 are broken`


def sentence(names: list[str], says: str) -> str:
    """One predicate said of several things, in one sentence.

    Args:
        names: The things, each named once; none where the sentence is whole without them.
        says: What is said, as in `Said`.
    """
    there = [*dict.fromkeys(n for n in names if n)]
    if not there:
        return says
    some = there if len(there) <= _MOST_NAMES + 1 else there[:_MOST_NAMES]
    more = [f"{len(there) - len(some)} more"] if len(there) > len(some) else []
    about = joined([*some, *more])
    if "{}" in says:
        return says.replace("{}", about)
    return f"{about} {agree(says) if len(there) > 1 else says}"


def denied(says: str) -> str:
    """The contrary of what is said of something: of `is broken`, `is not broken`; of `is not broken`, `is broken`.

    Args:
        says: What is said, as in `Said`.
    """
    for no, so in _NEGATIONS:
        found, n = no.subn(so, says, count=1)
        if n:
            return found
    verb, space, rest = says.partition(" ")
    if _AUXILIARY.match(says):
        return f"{verb} not{space}{rest}"
    if verb == "has":
        return f"does not have{space}{rest}"
    if verb in _SEVERAL:
        return f"does not {_SEVERAL[verb]}{space}{rest}"
    return f"it is not so that {says}" if "{}" in says or " " in says else says


def agree(says: str) -> str:
    """The plural of a predicate: of `is broken`, `are broken`."""
    verb, space, rest = says.partition(" ")
    return f"{_SEVERAL.get(verb, verb)}{space}{rest}"


def sentences(facts: Iterable[Said], most: int | None = None) -> Iterator[str]:
    """Facts in words, those of which the same is said in one sentence.

    Args:
        facts: The facts in words.
        most: How many sentences at the most, of the rest only how many facts there are; None: all.
    """
    groups: dict[str, list[str]] = {}
    for fact in facts:
        groups.setdefault(fact.says, []).append(fact.about)
    kinds = list(groups.items())
    shown = kinds if most is None or len(kinds) <= most + 1 else kinds[:most]
    for says, names in shown:
        yield sentence(names, says)
    if left := sum(len(names) for _, names in kinds[len(shown) :]):
        yield f"and {left} facts more"


def since(facts: Iterable[Said], most: int = 6) -> str:
    """Facts as the end of a sentence; beyond a few sentences, only how many facts there are."""
    said = "; ".join(sentences(facts, most))
    return f", since {said}" if said else ""
