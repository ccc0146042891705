"""A ruling on a picture: the places that decide it and those that the question names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.model.fluents import Value
from vclogic.model.picture import LegendLine, Picture, RegionNote, Sample
from vclogic.model.sayings import Said, sentences
from vclogic.model.system import System
from vclogic.query.ask.answer import Fact, Ruled
from vclogic.words import amount

_NAMED = 8
"""So many sentences stand in a line of the legend."""
_LINES = 24
"""The legend has at most so many lines about facts."""


def with_ruling(system: System, ruled: Ruled, game: str, base: Picture) -> Picture:
    """The picture of a state with what a ruling about it rests on.

    Args:
        ruled: The ruling.
        game: What the game is called.
        base: The picture of the state that was asked about.
    """
    places = _NamedRegions(system, base)
    groups = list(_groups(ruled, places))
    asked = places.named_in(ruled.question)
    marks = tuple(_marks(ruled, groups, asked, places))
    legend = tuple(_legend(ruled, groups, marks))
    return replace(base, title=ruled.text, notes=(game, *base.notes), marks=marks, legend=legend)


# ---- places


class _NamedRegions:
    """The regions that the names in facts and questions stand for.

    Args:
        system: The system.
        base: The picture of the position.
    """

    def __init__(self, system: System, base: Picture):
        self._system, self._base = system, base

    @cached_property
    def known(self) -> Mapping[str, tuple[str, ...]]:
        """The regions of each name of a place, of an objective, and of what stands together under a name."""
        there = {r.name for r in self._base.regions}
        found: dict[str, tuple[str, ...]] = {}
        for site in self._base.hexes.sites if self._base.hexes else ():
            found[site.name] = site.hexes
            found.setdefault(site.name.partition(" ")[2], site.hexes)  # `building 22U3` is called `22U3` too
        for objective in self._system.objectives:
            found.setdefault(objective.name, tuple(p for p in objective.places if p in there))
        return {name: hexes for name, hexes in found.items() if name and hexes}

    @cached_property
    def regions(self) -> frozenset[str]:
        """The names of regions."""
        return frozenset(r.name for r in self._base.regions)

    @cached_property
    def units(self) -> Mapping[str, str]:
        """The place of each unit."""
        return {c.name: r.name for r in self._base.regions for c in r.counters}

    def of(self, name: str) -> tuple[str, ...]:
        """The regions of a place; of a part of one, such as a level of a building, those of the whole."""
        for part in dict.fromkeys((name, name.partition("/")[0])):
            if part in self.known:
                return self.known[part]
            if part in self.regions:
                return (part,)
        return ()

    def of_fact(self, fact: Fact, then: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
        """The regions that a fact is about: those that it names, or where the units stand that it names.

        Args:
            then: Where units stood at that moment, as far as other facts tell.
        """
        named = [r for a in _arguments(fact) for r in self.of(a)]
        if isinstance(fact.value, str):
            named += self.of(fact.value)
        standing = [r for a in _arguments(fact) for r in then.get(a) or self._stands(a)]
        return tuple(dict.fromkeys(named or standing))

    def named_in(self, question: str) -> Mapping[str, tuple[str, ...]]:
        """The places that a question names, with their regions."""
        names = {*self.known, *self.regions, *self.units, *self.aliases}
        found: dict[str, tuple[str, ...]] = {}
        for name in sorted((n for n in names if n in question), key=lambda n: (-len(n), n)):
            if re.search(rf"(?<![\w.,-]){re.escape(name)}(?![\w-])", question):
                question = question.replace(name, " ")
                meant = name if self._stands(name) else self.aliases.get(name, name)
                if where := self._stands(meant):
                    found[meant] = where
        return found

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Other names of what facts are about."""
        families = self._system.layout.families.values()
        return {a: name for f in families for domain in f.indices for a, name in domain.aliases.items()}

    def _stands(self, name: str) -> tuple[str, ...]:
        """The regions of a place or of a unit."""
        return self.of(name) or ((self.units[name],) if name in self.units else ())


def _arguments(fact: Fact) -> Sequence[str]:
    return fact.name.partition("[")[2].removesuffix("]").split(", ") if "[" in fact.name else ()


# ---- facts


@dataclass(frozen=True)
class _FactGroup:
    """Deciding facts that are about the same places, or say the same of several.

    Attributes:
        words: What they say.
        facts: The facts, each with its regions.
        number: What stands on the map; empty where none of them is on it.
    """

    words: str
    facts: tuple[tuple[Fact, tuple[str, ...]], ...]
    number: str = ""


def _groups(ruled: Ruled, places: _NamedRegions) -> Iterable[_FactGroup]:
    """The deciding facts: those of the position first, then those before steps of the record.

    Facts of one moment share a number if they say the same, or are about the same places.
    """
    number = 0
    seen: set[tuple[str, Value]] = set()
    for step in dict.fromkeys(b.step for b in ruled.because):
        facts = dict.fromkeys(f for b in ruled.because if b.step == step for f in b.facts)
        new = [f for f in facts if (f.name, f.value) not in seen]
        seen |= {(f.name, f.value) for f in new}
        kinds: dict[str, list[Fact]] = {}
        where_then = {f: places.of(f.value) for f in facts if isinstance(f.value, str) and places.of(f.value)}
        placed = {_family(f) for f in where_then}
        then = {a: where for f, where in where_then.items() for a in _arguments(f)}
        for f in new:
            kinds.setdefault(_family(f) if _family(f) in placed else f.says, []).append(f)
        together: dict[frozenset[tuple[str, ...]], list[tuple[Fact, tuple[str, ...]]]] = {}
        for found in kinds.values():
            with_places = [(f, places.of_fact(f, then)) for f in found]
            together.setdefault(frozenset(where for _, where in with_places if where), []).extend(with_places)
        for where, group in together.items():
            number += bool(where)
            before = "" if step is None else f"before step {step}: "
            words = before + _said(f for f, _ in group)
            yield _FactGroup(words, tuple(group), str(number) if where else "")


def _family(fact: Fact) -> str:
    return fact.name.partition("[")[0]


def _said(facts: Iterable[Fact]) -> str:
    """Facts in words; of many only the first ones."""
    said = list(sentences(Said(f.about, f.says) for f in facts))
    more = len(said) - _NAMED
    return "; ".join(said[:_NAMED]) + (f"; and {more} more" if more > 0 else "")


# ---- marks and legend


def _marks(
    ruled: Ruled, groups: Sequence[_FactGroup], asked: Mapping[str, tuple[str, ...]], places: _NamedRegions
) -> Iterable[RegionNote]:
    """The marks of places: a double line and numbers for what decides, dashes for what the question names."""
    numbers: dict[tuple[str, ...], dict[str, None]] = {}
    said: dict[tuple[str, ...], list[str]] = {}
    for group in groups:
        for fact, where in group.facts:
            if where:
                numbers.setdefault(where, {})[group.number] = None
                said.setdefault(where, []).append(_said([fact]))
    covered = {r for where in numbers for r in where}
    for place in ruled.places:
        if place in places.regions and place not in covered:
            numbers[(place,)], said[(place,)] = {}, [place]
    named = {where: name for name, where in asked.items()}
    for where, found in numbers.items():
        words = f"decides: {'; '.join(said[where])}"
        name = _name(where, places)
        also = where in named
        words += "; the question is about it" if also else ""
        yield RegionNote(name, where, ", ".join(found), double=True, dashed=also, words=words)
    for where, name in named.items():
        if where not in numbers:
            yield RegionNote(name, where, dashed=True, words="the question is about it")


def _name(where: tuple[str, ...], places: _NamedRegions) -> str:
    known = (n for n, hexes in places.known.items() if hexes == where)
    return where[0] if len(where) == 1 else next(known, " ".join(where))


def _legend(ruled: Ruled, groups: Sequence[_FactGroup], marks: Sequence[RegionNote]) -> Iterable[LegendLine]:
    if any(m.double for m in marks):
        yield LegendLine("double line: decides; while all of these stay, so does the ruling", (Sample("double"),))
    if any(m.dashed for m in marks):
        yield LegendLine("dashes: the question is about it", (Sample("dashed"),))
    shown = [g for g in groups if g.number]
    for group in shown[:_LINES]:
        yield LegendLine(group.words, (Sample("text", group.number),))
    if len(shown) > _LINES:
        yield LegendLine(f"and {amount(len(shown) - _LINES, 'more number')}: the ruling in words has all facts")
    for group in [g for g in groups if not g.number][:_LINES]:
        yield LegendLine(f"decides{' too' if shown else ''}, not on the map: {group.words}")
    for speaks in ("for", "against"):
        ids = [c.clause for c in ruled.clauses if c.speaks == speaks]
        if ids:
            yield LegendLine(f"{'clauses that decide' if speaks == 'for' else 'speaks against it'}: {', '.join(ids)}")
