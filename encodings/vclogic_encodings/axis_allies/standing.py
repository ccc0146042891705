"""Position that `status` shows: owners of territories, complexes, and units where they are recorded."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import NONE, PERMANENT

from vclogic.model.position import Listing, Note, Thing
from vclogic.model.view import View
from vclogic.terms.atoms import constant


def listings(game: Rules, now: View) -> Iterable[Listing]:
    """The parts of the position, with the fluents read by a view."""
    fluents = game.fluents
    owned = [Thing(t, now(fluents.owner[t]), notes=tuple(_notes(fluents, t, now))) for t in game.board.land]
    plurals = {"territory": "territories"}
    yield Listing("Whose the territories are", "Power", "territories", owned, plurals=plurals)
    kinds = [Thing(t, now(fluents.complexes[t])) for t in game.board.land]
    words = {NONE: "no complex", PERMANENT: "permanent"}
    yield Listing(
        "Industrial complexes",
        "Complex",
        "territories",
        kinds,
        NONE,
        "without a complex",
        words,
        instead=("complex",),
    )
    if fluents.armies:
        yield Listing("Units", "Where", "kinds of units in a place", tuple(_units(fluents, now)))


def _notes(fluents: Fluents, territory: str, now: View) -> Iterable[Note]:
    """The events at a territory in this turn."""
    yield Note("under attack", now(fluents.attacked[territory]))
    yield Note("an attack on it has failed this turn", now(fluents.failed_attacks[territory]))
    yield Note("a complex is bought for it", now(fluents.declared[territory]))
    yield Note("{} infantry placed there in defence", now(fluents.emergency[territory]))
    for kind, count in fluents.underway.attacking(territory).items() if fluents.armies else ():
        yield Note(f"{{}} {kind} of the power on turn attack it", now(count))
    for kind in fluents.unit_kinds.sort.members:
        yield Note(f"{{}} {kind} placed this turn", now(fluents.placed[territory, kind]))


def _units(fluents: Fluents, now: View) -> Iterable[Thing]:
    """The units of each kind and power in each territory and sea zone."""
    sort = fluents.regions.sort
    places = {region: constant(sort, region) for region in sort.members}
    for (region, power, kind), fluent in fluents.units.fluents.items():
        count = now(fluent)
        if not (count.is_const and count.value == 0):
            yield Thing(kind, places[region], side=power, count=count)
