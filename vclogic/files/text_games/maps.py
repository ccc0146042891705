"""Maps of TripleA as games: the rulebook that each becomes, its faults, and what `status` tells first."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from vclogic.files.source import Stamp, read_text, stamp
from vclogic.model.lazy import LazySequence
from vclogic.model.system import System, TextFlaw
from vclogic.terms.atoms import FALSE
from vclogic.triplea.naming import MAP
from vclogic.words import joined

if TYPE_CHECKING:  # few games are maps
    from vclogic.triplea.book import MapBook

_SHOWN = 40  # so many conditions are told in a status


def read_map_book(path: str, text: str, stamps: dict[str, Stamp | None], texts: dict[str, str]) -> MapBook:
    """A map as a rulebook, with the notifications that stand beside it or one folder up.

    Args:
        path: Its file.
        text: What that holds.
        stamps: The files that were read, with their times; it gets that of the notifications.
        texts: Their texts.

    Raises:
        InputError: It cannot be read, or everything in it that the engine refuses.
    """
    from vclogic.triplea.book import MapBook  # other games are read without it
    from vclogic.triplea.folder import NOTIFICATIONS, keys_of
    from vclogic.triplea.game import read_map

    here = os.path.dirname(path)
    stem = os.path.basename(path).removesuffix(MAP)
    named = (os.path.join(here, f"{stem}.{NOTIFICATIONS}"), os.path.join(here, NOTIFICATIONS))
    found = next((f for f in (*named, os.path.join(here, os.pardir, NOTIFICATIONS)) if stamp(f)), None)
    keys: frozenset[str] | None = None
    if found is not None:
        stamps[found] = stamp(found)
        texts[found] = read_text(found).text
        keys = keys_of(texts[found])
    return MapBook(read_map(text.encode(), path), keys)


def as_map(system: System, book: MapBook) -> System:
    """The rule set of a map's rulebook, with its faults, what it leaves out, and what a player wants to know first.

    Args:
        system: The rule set as the rulebook has it.
        book: The map.
    """
    from vclogic.triplea.captures import AnyOrderCaptures  # other games are played without it

    lands = [n for n, t in book.game.territories.items() if not (t.water or t.impassable)]
    captures = AnyOrderCaptures(system, lands, (book.game.order or book.game.players)[-1])
    return replace(
        system,
        metrics=(captures.metric(), *system.metrics),
        flaws=_flaws(book),
        overview=tuple(_overview(system, book)),
        left_out=(*_switched_off(system), *book.left_out()),
    )


def _flaws(book: MapBook) -> LazySequence[TextFlaw]:
    """Its faults, looked for where they are asked about."""

    def found() -> list[TextFlaw]:
        from vclogic.triplea.flaws import MapFlaws  # few ask for them

        return MapFlaws(book).found()

    return LazySequence(found)


def _overview(system: System, book: MapBook) -> Iterator[tuple[str, ...]]:
    """The sums of each alliance, and conditions of victories and objectives, as many as are read at a glance."""
    shown = {book.expressions.word(key) for key in book.first_conditions(_SHOWN)}
    game = book.game.territories.values()
    sums_of_nothing = {word for word, some in (("cities", any(t.cities for t in game)),) if not some}
    conditions = {book.expressions.word(key) for key in book.conditions.rules}
    for call in system.overview:
        if call[0] in shown or (call[0] not in conditions and call[0] not in sums_of_nothing):
            yield call


def _switched_off(system: System) -> Iterator[str]:
    """The outcomes that the options switch off."""
    off = dict.fromkeys(o.name for o in system.outcomes if system.written.get(o.now) is FALSE)
    if off:
        yield f"switched off in this game, or never to be met: {joined(list(off))}"
