"""The board for a page: its picture with places to select, and what is at one of them and may be changed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from vclogic.draw.svg import svg
from vclogic.draw.words import alternative
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.state import value_for_file
from vclogic.model.fluents import Family, State, Value, value
from vclogic.model.picture import Picture, Region
from vclogic.model.sayings import sentence
from vclogic.model.system import System
from vclogic.query.ask.places import PictureRegions, places_of
from vclogic.query.board.overlays import OverlayShown
from vclogic.query.legal.events import AtPlace
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort


@dataclass(frozen=True)
class PlaceShown:
    """A place of the board.

    Attributes:
        name: Its name in events and facts; the shape over it bears it as `data-place`.
        label: Its name as shown.
        says: What there is to say about it: owner, worth, units.
    """

    name: str
    label: str
    says: str


@dataclass(frozen=True)
class BoardShown:
    """The picture of a position, with places to select.

    Attributes:
        svg: The picture as SVG.
        places: The places on it.
        turns: For each step of the plan that is shown, the number of its turn, as the arrows bear it; 0 where nothing
            moves until then.
        overlays: What can be drawn over it, drawn or not.
    """

    svg: str
    places: tuple[PlaceShown, ...]
    turns: tuple[int, ...] = ()
    overlays: tuple[OverlayShown, ...] = ()


@dataclass(frozen=True)
class FactShown:
    """A fact that may be changed by hand.

    Attributes:
        name: The fact.
        about: What it is about.
        says: The fact in words.
        value: Its value, as files write it.
        path: Where it stands under `state:` of a position file.
        values: The values that it may have; none for numbers. Of a fact that says where something is: only those
            that are no place, such as off the map.
        here: The values that are this place, for a fact that says where something is.
        least: The smallest number that it may have; none otherwise.
        most: The largest.
    """

    name: str
    about: str
    says: str
    value: Value | None
    path: tuple[str, ...]
    values: tuple[Value, ...] = ()
    here: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class PlaceFacts:
    """The contents of a place, or facts of no place (whose turn it is), with those that may be changed by hand.

    Attributes:
        place: The place; None: the board as a whole.
        label: Its name as shown; empty for the whole board.
        says: What there is to say about it.
        facts: The facts about it.
        here: The facts that say that something is there.
        of_here: The other facts about what is there, such as whether a unit is broken.
        elsewhere: The facts that say where else something is that may be there.
    """

    place: str | None
    label: str
    says: str
    facts: tuple[FactShown, ...]
    here: tuple[FactShown, ...]
    of_here: tuple[FactShown, ...]
    elsewhere: tuple[FactShown, ...]


def board(picture: Picture, turns: tuple[int, ...] = (), overlays: tuple[OverlayShown, ...] = ()) -> BoardShown:
    """The board of a page.

    Args:
        picture: The picture of the position, with moves and overlays on it or without.
        turns: The turns of these moves; see `picture.turns_of`.
        overlays: What can be drawn over it.
    """
    said = alternative(picture).regions
    shown = tuple(PlaceShown(r.name, r.label, said[r.name]) for r in picture.regions)
    return BoardShown(svg(picture, places=True), shown, turns, overlays)


def place(system: System, picture: Picture, state: State, name: str | None) -> PlaceFacts:
    """The contents of a place, or the facts of none, with those that may be changed by hand.

    Args:
        picture: The picture of the position.
        state: The position.
        name: The place, as the picture calls it; None: the board as a whole.

    Raises:
        InputError: There is no such place.
    """
    named = places_of(system, state)
    facts = _FactsOfPlace(system, named, state)
    if name is None:
        about = tuple(facts.about_no_place())
        return PlaceFacts(None, "", "; ".join(picture.notes), about, (), (), ())
    region = _region(picture, named, system, name)
    name = region.name
    about, things = tuple(facts.about(name)), tuple(facts.of_things(name))
    here = tuple(f for f in things if f.value in f.here)
    of_here = tuple(facts.about_things({f.path[1] for f in here}))
    return PlaceFacts(
        name,
        region.label,
        alternative(picture).regions[name],
        about,
        here,
        of_here,
        tuple(f for f in things if f.value not in f.here),
    )


def named_at(system: System, picture: Picture, state: State, name: str | None, target: str | None = None) -> AtPlace:
    """The place that events have to do with: they name it, a part of it, or something that is there.

    Args:
        picture: The picture of the position.
        state: The position.
        name: The place, as the picture calls it; None: they name no place and nothing that may be at one.
        target: A place that they name after that; None: whatever they name.

    Raises:
        InputError: There is no such place.
    """
    named = places_of(system, state)
    if name is None:
        return AtPlace(None, lambda word: word in named.stands or bool(named.of(word)), named.of)
    name = _region(picture, named, system, name).name
    target = None if target is None else _region(picture, named, system, target, "target").name
    things = _FactsOfPlace(system, named, state).of_things(name)
    there = {word for f in things if f.value in f.here for word in f.path[1:]}
    return AtPlace(name, lambda word: word in there or name in named.of(word), named.of, target)


def _region(picture: Picture, named: PictureRegions, system: System, name: str, key: str = "place") -> Region:
    """The place of a name: as the picture calls it, or by another name that goals and records know.

    Raises:
        InputError: There is no such place.
    """
    regions = {r.name: r for r in picture.regions}
    if name not in regions:
        asked = (*(d for o in system.vocabulary.values() for d in o.parameters), *_domains(system))
        members = dict.fromkeys(m for d in asked if (m := d.find(name)) is not None)
        meant = {r for m in members for r in ((m,) if m in regions else named.of(m)) if r in regions}
        if len(meant) == 1:
            return regions[meant.pop()]
        message, help = f"there is no place {quoted(name)} on this board", did_you_mean(name, regions)
        raise InputError(Diagnostic("unknown-name", message, key, help=help))
    return regions[name]


def _domains(system: System) -> Iterator[Domain]:
    """The names that the arguments of events can be."""
    return (p.domain for s in system.events for p in s.parameters if isinstance(p.domain, Domain))


class _FactsOfPlace:
    """The facts that have to do with a place, or with none."""

    def __init__(self, system: System, named: PictureRegions, state: State):
        self._system, self._named, self._state = system, named, state

    def about(self, place: str) -> Iterator[FactShown]:
        """The facts with a name of the place in their brackets."""
        for family, index in self._all():
            if any(place in self._named.of(word) for word in index):
                yield self._shown(family, index)

    def about_no_place(self) -> Iterator[FactShown]:
        """The facts about no place and about nothing that stands at one."""
        for family, index in self._all():
            if not any(self._named.of(word) or word in self._named.stands for word in index):
                yield self._shown(family, index)

    def of_things(self, place: str) -> Iterator[FactShown]:
        """The facts whose value may be the place."""
        for family in self._system.families:
            if not isinstance(family.sort, EnumSort) or not family.fluents:
                continue
            here = tuple(m for m in family.sort.members if place in self._named.of(m))
            for index in family.fluents if here else ():
                if index and not any(self._named.of(word) for word in index):
                    yield self._shown(family, index, here)

    def about_things(self, things: Set[str]) -> Iterator[FactShown]:
        """The facts about things, other than where they are."""
        for family, index in self._all():
            sort = family.sort
            where = isinstance(sort, EnumSort) and any(map(self._named.of, sort.members))
            if not where and not things.isdisjoint(index):
                yield self._shown(family, index)

    def _all(self) -> Iterator[tuple[Family, tuple[str, ...]]]:
        return ((family, index) for family in self._system.families for index in family.fluents)

    def _shown(self, family: Family, index: tuple[str, ...], here: Sequence[str] = ()) -> FactShown:
        layout, sort = self._system.layout, family.sort
        fluent = family[index]
        now = value(sort, self._state[layout.slot[fluent]])
        said = self._system.in_words.said(fluent.name, now)
        values: tuple[Value, ...] = ()
        if isinstance(sort, EnumSort):
            values = tuple(m for m in sort.members if not (here and self._named.of(m)))
        elif isinstance(sort, BoolSort):
            values = (False, True)
        least, most = (None, None)
        if isinstance(sort, IntSort):
            least, most = sort.lo if family.least is None else max(sort.lo, family.least), sort.hi
        return FactShown(
            fluent.name,
            said.about,
            sentence([said.about], said.says),
            value_for_file(family, now),
            (family.name, *index),
            values,
            tuple(here),
            least,
            most,
        )
