"""Facts as sentences: `4-4-7 and 4-2-6 are broken`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vclogic.model.sayings import Said
from vclogic.words import joined

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


def sentence(names: list[str], says: str) -> str:
    """One predicate said of several things, in one sentence.

    Args:
        names: The things; none where the sentence is whole without them.
        says: What is said, as in `Said`.
    """
    there = [n for n in names if n]
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
