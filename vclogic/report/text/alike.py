"""Entries of a rule book that are alike, told once: `units[TERRITORY]` for 63 rules of one family."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from vclogic.model.rules import Observable

GAP = "..."
_ALL = 4  # so many names of a family are written out


class AlikeEntries(NamedTuple):
    """Entries of one family, or one entry.

    Attributes:
        name: The name, with the kind of what it is for: `units[TERRITORY]`.
        text: What all of them say, with `...` for what differs.
        names: For what they are, such as the territories; empty for one entry.
    """

    name: str
    text: str
    names: tuple[str, ...] = ()

    @property
    def spread(self) -> str:
        """The number of names, with the first and the last: `63: Archangel ... Yakut S.S.R.`."""
        return spread(self.names) if self.names else ""


def spread(names: Sequence[str]) -> str:
    """The number of names, with the first and the last: `63: Archangel ... Yakut S.S.R.`."""
    apart = "; " if any("," in name for name in names) else ", "
    return f"{len(names)}: " + (apart.join(names) if len(names) <= _ALL else f"{names[0]} {GAP} {names[-1]}")


def kinds_of(observables: Iterable[Observable]) -> dict[str, frozenset[str]]:
    """The names of each kind that observables speak of."""
    return {d.sort.name: frozenset(d.sort.members) for o in observables for d in o.parameters}


def alike(entries: Iterable[tuple[str, str]], kinds: Mapping[str, frozenset[str]]) -> list[AlikeEntries]:
    """Entries by name and text, those of one family (`units[...]`) together.

    Args:
        entries: Name and text of each.
        kinds: The names of each kind, to call what a family is for.
    """
    families: dict[str, dict[str, str]] = {}
    for name, text in entries:
        family, _, index = name.partition("[")
        families.setdefault(family, {})[index.removesuffix("]")] = text
    return [_told(family, texts, kinds) for family, texts in families.items()]


def _told(family: str, texts: Mapping[str, str], kinds: Mapping[str, frozenset[str]]) -> AlikeEntries:
    (first, text), *rest = texts.items()
    if not rest:
        return AlikeEntries(f"{family}[{first}]" if first else family, text)
    called = _called(list(texts), kinds)
    said = [_general(text, index.split(", ") if ", " in called else [index], called) for index, text in texts.items()]
    return AlikeEntries(f"{family}[{called}]", common(said), tuple(texts))


def _called(indices: Sequence[str], kinds: Mapping[str, frozenset[str]]) -> str:
    """The kinds of a family's indices, in capitals."""
    one = _kind(indices, kinds)
    parts = [index.split(", ") for index in indices]
    if one or len({len(p) for p in parts}) > 1:
        return one or GAP
    places = [_kind(p, kinds) or GAP for p in zip(*parts, strict=True)]
    return ", ".join(places)


def _kind(names: Sequence[str], kinds: Mapping[str, frozenset[str]]) -> str:
    """The smallest kind that has all the names."""
    fits = [(len(members), kind) for kind, members in kinds.items() if members.issuperset(names)]
    return min(fits)[1].upper() if fits else ""


def _general(text: str, names: Sequence[str], called: str) -> str:
    """A text with what its entry is for called by its kind."""
    kinds = called.split(", ") if len(names) > 1 else [called]
    for name, kind in zip(names, kinds, strict=True):
        if kind != GAP:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", kind, text)
    return text


def common(texts: Iterable[str]) -> str:
    """The common beginning and end of texts, with `...` between."""
    several = [t.split() for t in dict.fromkeys(texts)]
    shortest = min(map(len, several))
    if len(several) == 1:
        return " ".join(several[0])
    before = next((i for i in range(shortest) if len({w[i] for w in several}) > 1), shortest)
    left = shortest - before
    after = next((i for i in range(left) if len({w[-1 - i] for w in several}) > 1), left)
    first = several[0]
    return " ".join((*first[:before], GAP, *first[len(first) - after :]))
