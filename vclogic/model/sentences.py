"""Facts as sentences: `4-4-7 and 4-2-6 are broken`."""

from __future__ import annotations

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
}


def sentence(names: list[str], says: str) -> str:
    """What is said of some things, in one sentence.

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
    verb, space, rest = says.partition(" ")
    return f"{about} {_SEVERAL.get(verb, verb) if len(there) > 1 else verb}{space}{rest}"


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
