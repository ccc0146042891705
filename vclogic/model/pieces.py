"""Move choices of pieces on a map: one Enum choice per piece and turn, limited to the places that it can reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import count, eq, implies, in_mask, is_in, ite, le
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Destinations = Callable[[str, str], Iterable[str]]
"""The places that a piece can get to in one turn from a place, apart from what other pieces do to it."""


@dataclass(frozen=True)
class MoveChoices:
    """The moves that pieces can make in one turn, one Enum choice for each piece.

    Terms about a piece's position then stay small however many places it can reach; with a Bool choice for each place
    they would grow quadratically.

    Attributes:
        at: The position fluent of each piece, an Enum of places.
        choices: For each piece that can move, the place that it moves to; the first member of its sort: it stays.
        targets: For each piece that can move, the places that it can move to.
        laws: Constraints on the choices: a piece moves only to places that it can reach from its position.
    """

    at: Mapping[str, Term]
    choices: Mapping[str, Term] = field(default_factory=dict)
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    laws: tuple[Term, ...] = ()

    def moved(self, piece: str) -> Term:
        """A Bool term: a piece moves."""
        choice = self.choices.get(piece)
        return FALSE if choice is None else in_mask(choice, choice.mask & ~1)

    def goes(self, piece: str, places: Iterable[str]) -> Term:
        """A Bool term: a piece moves to one of some places."""
        there = [p for p in places if p in self.targets.get(piece, ())]
        return is_in(self.choices[piece], there) if there else FALSE

    def place(self, piece: str) -> Term:
        """The position of a piece after the moves."""
        choice, here = self.choices.get(piece), self.at[piece]
        return here if choice is None else ite(in_mask(choice, 1), here, choice)

    @property
    def entered(self) -> tuple[str, ...]:
        """The places that some piece can move to."""
        return tuple(dict.fromkeys(place for found in self.targets.values() for place in found))


def move_choices(at: Mapping[str, Term], destinations: Destinations, state: Mapping[Term, Term]) -> MoveChoices:
    """Build the move choices of some pieces from a state that bounds the possible positions of each.

    Args:
        at: For each piece the fluent that says where it is; no piece can move to the first member of its sort.
        destinations: The places that a piece can get to.
        state: A term for each fluent: a constant, or a variable with the values that it can have.
    """
    now = Substitution(state)
    choices: dict[str, Term] = {}
    targets: dict[str, tuple[str, ...]] = {}
    laws: list[Term] = []
    for piece, place in at.items():
        sources = _sources(piece, place, now(place), destinations)
        if sources:
            mask, found = _from_where(place, now(place), sources)
            assert not mask & 1, "the first member of the sort says that a piece stays"
            choices[piece] = choice = var(f"move of {piece}", place.sort, mask=mask | 1)
            targets[piece] = tuple(sources)
            laws += [implies(in_mask(choice, there), in_mask(place, m)) for there, m in found]
    return MoveChoices(at, choices, targets, tuple(laws))


def _from_where(place: Term, now: Term, sources: Mapping[str, int]) -> tuple[int, list[tuple[int, int]]]:
    """The reachable places as a mask, and the positions from which each is reachable, unless it is from all."""
    assert isinstance(place.sort, EnumSort)
    by_sources: dict[int, int] = {}
    every = 0
    for target, mask in sources.items():
        bit = 1 << place.sort.index[target]
        by_sources[mask] = by_sources.get(mask, 0) | bit
        every |= bit
    return every, [(there, mask) for mask, there in by_sources.items() if now.mask & ~mask]


def _sources(piece: str, place: Term, now: Term, destinations: Destinations) -> dict[str, int]:
    """For each place that the piece can reach, the positions it can come from, as a mask."""
    assert isinstance(place.sort, EnumSort)
    members = place.sort.members
    found: dict[str, int] = {}
    for i, source in enumerate(members):
        if now.mask >> i & 1:
            for target in destinations(piece, source):
                if target != source:
                    found[target] = found.get(target, 0) | 1 << i
    return found


def alone(at: Mapping[str, Term], places: Iterable[str], most: int = 1) -> list[Term]:
    """The stacking limit: at most `most` pieces in each of some places.

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
