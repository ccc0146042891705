"""Pieces that move over places: the choices of a turn, without any that a piece cannot make by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from vclogic.terms.atoms import FALSE, TRUE, constant, var
from vclogic.terms.build import count, eq, implies, in_mask, is_in, ite, le, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

Ways = Callable[[str, str], Iterable[str]]
"""The places that a piece can get to in one turn from a place, apart from what other pieces do to it."""


@dataclass(frozen=True)
class Moves:
    """The moves that pieces can make in one turn.

    Attributes:
        choices: For each move that can be chosen (a Bool variable) the piece and the place that it moves to.
        laws: What the choices must satisfy: a piece moves once, and only to where it can get from where it is.
        places: For each piece that can move where it is afterwards.
    """

    choices: Mapping[Term, tuple[str, str]] = field(default_factory=dict)
    laws: tuple[Term, ...] = ()
    places: Mapping[str, Term] = field(default_factory=dict)

    @property
    def number(self) -> Term:
        """How many pieces move."""
        return count(self.choices)


def moves(at: Mapping[str, Term], ways: Ways, state: Mapping[Term, Term]) -> Moves:
    """The moves of some pieces from a state of which each piece's possible places are known.

    Args:
        at: For each piece the fluent that says where it is, an Enum of places.
        ways: The places that a piece can get to.
        state: A term for each fluent: a constant, or a variable with the values that it can have.
    """
    now = Substitution(state)
    choices: dict[Term, tuple[str, str]] = {}
    laws: list[Term] = []
    places: dict[str, Term] = {}
    for piece, place in at.items():
        sources = _sources(piece, place, now(place), ways)
        chosen = {var(f"move {piece} to {target}", BOOL): target for target in sources}
        after = place
        for taken, target in chosen.items():
            choices[taken] = piece, target
            laws.append(implies(taken, in_mask(place, sources[target])))
            after = ite(taken, constant(place.sort, target), after)
        if chosen:
            laws.append(le(count(chosen), 1))
            places[piece] = after
    return Moves(choices, tuple(t for t in laws if t is not TRUE), places)


def _sources(piece: str, place: Term, now: Term, ways: Ways) -> dict[str, int]:
    """For each place that the piece can get to, those that it can come from, as a mask."""
    assert isinstance(place.sort, EnumSort)
    members = place.sort.members
    found: dict[str, int] = {}
    for i, source in enumerate(members):
        if now.mask >> i & 1:
            for target in ways(piece, source):
                if target != source:
                    found[target] = found.get(target, 0) | 1 << i
    return found


def alone(at: Mapping[str, Term], places: Iterable[str], most: int = 1) -> list[Term]:
    """That no two pieces are in the same one of some places, or no more than so many.

    Args:
        at: For each piece where it is, an Enum term over places.
        places: The places, among the members of those terms' sort.
        most: How many may be together.
    """
    laws = []
    for p in places:
        there = [t for x in at.values() if (t := eq(x, p)) is not FALSE]
        if len(there) > most:
            laws.append(le(count(there), most))
    return laws


@dataclass(frozen=True)
class Journeys:
    """The moves that pieces can make in one turn, one choice for each piece: where it goes.

    Attributes:
        choices: For each piece that can move an Enum variable: where it goes, or `stay`.
        laws: What the choices must satisfy: a piece only goes where it can get from where it is.
        places: For each piece that can move where it is afterwards.
        sources: For each piece that can move and each place that it can get to: those that it can come from, a mask.
        stay: The member that stands for staying.
    """

    choices: Mapping[str, Term]
    laws: tuple[Term, ...]
    places: Mapping[str, Term]
    sources: Mapping[str, Mapping[str, int]]
    stay: str

    def goes(self, piece: str, places: Iterable[str]) -> Term:
        """Whether a piece goes to one of some places."""
        return is_in(self.choices[piece], places)

    def moves(self, piece: str) -> Term:
        """Whether a piece goes anywhere."""
        return not_(is_in(self.choices[piece], (self.stay,)))


def journeys(at: Mapping[str, Term], ways: Ways, state: Mapping[Term, Term]) -> Journeys:
    """The moves of some pieces, as one Enum variable for each piece.

    With many places this is much smaller than a variable for each move: where a piece is afterwards is one variable,
    and no chain of cases.

    Args:
        at: For each piece the fluent that says where it is: an Enum whose first member is no place to go to, such as
            off the board. As a choice it means that the piece stays, so that a choice of 0 is none.
        ways: The places that a piece can get to; never the first member.
        state: A term for each fluent: a constant, or a variable with the values that it can have.
    """
    now = Substitution(state)
    choices: dict[str, Term] = {}
    laws: list[Term] = []
    places: dict[str, Term] = {}
    found: dict[str, dict[str, int]] = {}
    stay = ""
    for piece, place in at.items():
        sort = place.sort
        assert isinstance(sort, EnumSort)
        stay = sort.members[0]
        sources = _sources(piece, place, now(place), ways)
        if not sources:
            continue
        by_sources: dict[int, int] = {}
        for target, mask in sources.items():
            by_sources[mask] = by_sources.get(mask, 0) | 1 << sort.index[target]
        there = 1
        for targets in by_sources.values():
            there |= targets
        goes = choices[piece] = var(f"move {piece}", sort, mask=there)
        places[piece] = ite(in_mask(goes, 1), place, goes)
        found[piece] = sources
        possible = now(place).mask
        laws += [implies(in_mask(goes, t), in_mask(place, m)) for m, t in by_sources.items() if possible & ~m]
    return Journeys(choices, tuple(laws), places, found, stay)
