"""What conditions may count and choose from: territories, powers, sides, kinds of units."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic_encodings.axis_allies.fluents import Fluents

from vclogic.terms.vocabulary import CountedKind, of_sides


def kinds(fluents: Fluents) -> Iterator[CountedKind]:
    """The kinds of things, with their groups and properties."""
    board = fluents.board
    homes = {n: owner for n in board.land if (owner := board.territories[n].owner) in board.powers and owner}
    yield of_sides(fluents.sides)
    yield CountedKind("power", fluents.powers, properties={"side": {n: p.side for n, p in board.powers.items()}})
    printed = ("cost", "attack", "defence")
    yield CountedKind(
        "unit",
        fluents.unit_kinds,
        properties={s: {n: getattr(u, s) for n, u in board.units.items()} for s in printed},
    )
    yield CountedKind(
        "territory",
        fluents.territories,
        properties={
            "home": homes,
            "home_side": {n: board.powers[owner].side for n, owner in homes.items()},
            "income": {n: board.territories[n].ipc for n in board.land},
            "city": {n: n in board.cities for n in board.land},
            "rank": {n: city.rank for n, city in board.cities.items()},
        },
        neighbours=board.map.neighbours,
    )
