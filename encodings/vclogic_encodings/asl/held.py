"""Areas that each side controls at the start, as a board lists them: by name, by groups, or all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vclogic_encodings.asl.board import HeldAreas
from vclogic_encodings.asl.names import Names

from vclogic.errors import InputError
from vclogic.model.system import Flaw
from vclogic.terms.domain import Domain

BUILDINGS, HEXES, LOCATIONS = "buildings", "hexes", "locations"
"""The lists of a board, from the coarse to the fine."""


class _Word(NamedTuple):
    """A word of such a list.

    Attributes:
        side: Whose it is.
        key: The list.
        number: Its number in the list, counted from 0.
        domain: The names that it is one of; None: the board has none of that kind.
        word: The word.
    """

    side: str
    key: str
    number: int
    domain: Domain | None
    word: str

    def members(self) -> tuple[str, ...]:
        """The members of the word; none where they exist with other options only, such as a rooftop."""
        try:
            return self.domain.several(self.word) if self.domain else ()
        except InputError:
            return ()


def _words(names: Names) -> Iterator[_Word]:
    for side, held in names.board.held.items():
        for key, domain, words in _lists(names, held):
            yield from (_Word(side, key, i, domain, word) for i, word in enumerate(words))


def _lists(names: Names, held: HeldAreas) -> Iterable[tuple[str, Domain | None, tuple[str, ...]]]:
    yield BUILDINGS, names.buildings, held.buildings
    yield HEXES, names.hexes, held.hexes
    yield LOCATIONS, names.locations, held.locations


def held(names: Names) -> Iterator[tuple[str, str, str]]:
    """The areas held at the start, as the list, the name and the side; the later of two entries counts.

    A name by itself counts for more than a group, and a group for more than all; of two names the finer one does.
    """
    order = (BUILDINGS, HEXES, LOCATIONS)
    found = [(w.domain.rank(w.word), order.index(w.key), w) for w in _words(names) if w.domain]
    for _, _, w in sorted(found, key=lambda x: x[:2]):
        for name in w.members():
            yield w.key, name, w.side


def flaws(names: Names) -> Iterator[Flaw]:
    """The faults of a board's list of held areas."""
    for side in names.board.held:
        if side not in names.board.sides:
            yield Flaw.unknown(("held", side), "side", side, names.board.sides, key=True)
    given: dict[tuple[str, int, str], str] = {}
    for w in _words(names):
        path = ("held", w.side, w.key, w.number)
        if w.domain is None:
            yield Flaw(path, f"unknown {w.key[:-1]} {w.word!r}: the board has no {w.key}")
            continue
        try:
            members = w.domain.several(w.word)
        except InputError as error:
            yield Flaw(path, error.diagnostics[0].message, error.diagnostics[0].help)
            continue
        both = [m for m in members if given.setdefault((w.key, w.domain.rank(w.word), m), w.side) != w.side]
        if both:
            yield Flaw(path, f"{both[0]} cannot be held by both sides")
