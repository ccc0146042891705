"""The needs of an outcome at places: which of those that count for it are held, and which are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vclogic.encode.python.evaluator import compiled_later
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.query.ask.places import PictureRegions, places_of
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder

Spot = tuple[str, ...]
"""The regions of one place."""


class PlaceNeed(NamedTuple):
    """A part of an outcome's condition that is about one place.

    Attributes:
        spot: The place.
        term: Bool.
        good: Whether it counts for the outcome that it is true, else that it is false.
    """

    spot: Spot
    term: Term
    good: bool


def held_and_missing(system: System, state: State, outcome: Outcome) -> tuple[Spot, Spot]:
    """The places that an outcome needs: those where something counts for it and nothing against, and all others.

    Args:
        state: The position.
        outcome: One of the outcomes of the system.
    """
    found = _needs(system, state, outcome)
    key = ("values of needs", outcome.name, outcome.side)
    values = system.kept(key, lambda: compiled_later([n.term for n in found], system.layout.slot))
    told: Sequence[Value] = values(state)
    for_it: dict[Spot, bool] = {}
    against: dict[Spot, bool] = {}
    for need, holds in zip(found, told, strict=True):
        some = for_it if need.good else against
        some[need.spot] = some.get(need.spot, False) or bool(holds)
    spots = dict.fromkeys(n.spot for n in found)
    held = dict.fromkeys(r for s in spots if for_it.get(s, True) and not against.get(s, False) for r in s)
    return tuple(held), tuple(dict.fromkeys(r for s in spots for r in s if r not in held))


def _needs(system: System, state: State, outcome: Outcome) -> tuple[PlaceNeed, ...]:
    """The parts of an outcome's condition that are about one place each, and count one way; paths are none.

    Args:
        state: Any position.
        outcome: One of the outcomes of the system.
    """

    def make() -> tuple[PlaceNeed, ...]:
        found = dict.fromkeys(_found(outcome.condition.value, places_of(system, state)))
        both = [n for n in found if n._replace(good=not n.good) in found]
        return tuple(n for n in found if n not in both)

    made: tuple[PlaceNeed, ...] = system.kept(("needs", outcome.name, outcome.side), make)
    return made


def _found(condition: Term, places: PictureRegions) -> Iterator[PlaceNeed]:
    spots: dict[Term, frozenset[Spot]] = {}
    paths: set[Term] = set()
    for term in postorder([condition]):
        if term.op is Op.FIX or (term.is_bool and term.op is not Op.GE and not paths.isdisjoint(term.args)):
            paths.add(term)
        of = frozenset(spot for a in term.args for spot in spots[a])
        spots[term] = frozenset(list(of | _own(term, places))[:2])  # whether it is one or several is enough
    todo, seen = [(condition, True)], {(condition, True)}
    while todo:
        term, good = todo.pop()
        if term.is_bool and len(spots[term]) == 1:
            yield PlaceNeed(next(iter(spots[term])), term, good)
        elif spots[term] and term not in paths:
            more = [pair for pair in _parts(term, good) if pair not in seen]
            seen.update(more)
            todo += more


def _own(term: Term, places: PictureRegions) -> frozenset[Spot]:
    """The places that a fact is about, or of which a test of a fact asks whether something is at one of them."""
    if term.op is Op.VAR:
        about = (places.of(word) for word in places.about.get(term, ()))
        return frozenset(spot for spot in about if spot)
    if term.op is Op.IN and isinstance(term.args[0].sort, EnumSort):
        members = (m for i, m in enumerate(term.args[0].sort.members) if term.payload >> i & 1)
        where = tuple(dict.fromkeys(r for m in members for r in places.of(m)))
        wide = len(where) > len(places.regions) / 2  # anywhere on the board is at no place
        return frozenset([where, ()] if wide else [where] if where else [])
    return frozenset()


def _parts(term: Term, good: bool) -> Iterator[tuple[Term, bool]]:
    """The parts of a term, each with whether the more of it is the better."""
    if term.op is Op.LIN:
        yield from ((a, good == (factor > 0)) for a, factor in zip(term.args, term.payload[0], strict=True))
    elif term.op is Op.ITE:
        yield from ((a, good) for a in term.args[1:])
    elif term.op is not Op.IN:
        yield from ((a, good == (term.op is not Op.NOT)) for a in term.args)
