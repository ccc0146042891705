"""What goals, rulings and `status` speak of."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, TEMPORARY
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.game import Context
from vclogic_encodings.napoleonics.names import BETWEEN

from vclogic.model.citation import Cites
from vclogic.model.rules import Entry, Observable, Table
from vclogic.terms.atoms import integer
from vclogic.terms.build import and_, any_of, count, eq, gt, ite, ne, not_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

KIND_CLAUSES: dict[str, Cites] = {
    "temporary": cite("temporary/1", "temporary/2", "groups/1", "groups/2", "groups/3", "movement-note/1"),
    "turn_start_temporary": cite(
        "turn-start-temporary/1", "turn-start-temporary/2", "groups/1", "groups/2", "groups/3", "movement-note/1"
    ),
    "turn_start_majority": cite("majority/1", "majority/2", "majority/3", "majority/4", "movement-note/1"),
    "permanent": cite("permanent/1", "permanent/2"),
    "turn_start_permanent": cite("turn-start-permanent/1", "turn-start-permanent-p2/1"),
    "last_to_occupy": cite("last-to-occupy/1", "last-to-occupy/2"),
}
"""The clauses of each kind of objective."""
ALL_KINDS = tuple(dict.fromkeys(c for cites in KIND_CLAUSES.values() for c in cites))
HELD, TAKEN, NOTES = "Objectives held", "Units and leaders taken", "Battle notes"


def observables(c: Context) -> Iterable[Observable]:
    """All of them."""
    yield from _banners(c)
    if c.board.objectives:
        yield from _objectives(c)
    yield from _units(c)
    yield from _time(c)


def _banners(c: Context) -> Iterable[Observable]:
    f, board = c.f, c.board
    text = "Victory Banners that the side has"
    yield Observable("banners", (f.sides,), f.banners, text, (*cite("general/1", "general-p2/1"), *ALL_KINDS))
    text = "Victory Banners that the side needs to win"
    yield Observable("needed", (f.sides,), lambda s: integer(board.banners[s]), text, cite("general/1"))
    text = "units and leaders of the side that have been eliminated"
    yield Observable(
        "eliminated",
        (f.sides,),
        lambda s: count(eq(f.at[u], ELIMINATED) for u in board.pieces(s)),
        text,
        cite("general-p2/1"),
    )
    if board.battle_objectives:
        text = "how often the objective of the battle notes has been accomplished"
        yield Observable(
            "scored", f.scored.indices, lambda n: f.scored[n], text, cite("general-p2/1", "general-p2/2")
        )


def _objectives(c: Context) -> Iterable[Observable]:
    f = c.f
    names = f.objective.indices
    text = "the side that has the objective's banner, or none"
    yield Observable("objective", names, lambda n: holder(c, n), text, ALL_KINDS, f.holders)
    text = "how many hexes of the objective count as occupied by the side"
    yield Observable(
        "objective_hexes",
        (f.sides, *names),
        lambda s, n: count(_occupied(c, s, n)),
        text,
        cite("groups/2", "groups/3", "majority/2", "movement-note/1"),
    )
    if f.losable:
        text = "the side that has gained the objective's banner this turn (the last one, between two), or none"
        losable = f.gained.indices
        yield Observable("gained", losable, lambda n: f.gained[n], text, values=f.holders)
        text = "the side that has gained the objective's banner this turn and lost it again, or none"
        yield Observable("gained_and_lost", losable, lambda n: f.dropped[n], text, values=f.holders)


def _occupied(c: Context, side: str, name: str) -> list[Term]:
    o = c.board.objectives[name]
    if o.kind in TEMPORARY:
        return [c.f.is_occupied(side, h, o.kind) for h in o.hexes]
    return [c.f.occupies(side, h) for h in o.hexes]


def holder(c: Context, name: str) -> Term:
    """The side that has an objective's banner now, or none."""
    f = c.f
    found = f.side(NONE)
    for s in f.holders_of(name):
        found = ite(f.has(s, name), f.side(s), found)
    return found


def _units(c: Context) -> Iterable[Observable]:
    f = c.f
    text = "where the unit is: a hex, off or eliminated"
    yield Observable("at", (f.pieces,), lambda u: f.at[u], text, values=f.places)
    text = "a unit of the side is in the hex"
    yield Observable("occupies", (f.sides, f.hexes), f.occupies, text, cite("temporary/1", "permanent/1"))
    text = "the unit has been ordered this turn"
    yield Observable("ordered", (f.pieces,), lambda u: f.ordered[u], text, cite("movement-note/1"))


def _time(c: Context) -> Iterable[Observable]:
    f = c.f
    on_turn = f.side(NONE)
    for s in c.board.sides:
        here = eq(f.turn.fluent, s)
        on_turn = ite(here, f.side(s), on_turn)
    on_turn = ite(ne(f.phase.fluent, BETWEEN), on_turn, f.side(NONE))
    text = "the side whose turn it is; none between two turns"
    yield Observable("turn", (), lambda: on_turn, text, cite("general/1"), f.holders)
    text = "how far the turn has come: between (two turns), movement or combat"
    yield Observable("phase", (), lambda: f.phase.fluent, text, cite("movement-note/1"), f.phases)


def overview(c: Context) -> Iterable[tuple[str, ...]]:
    """What `status` shows in any case."""
    yield ("turn",)
    yield ("phase",)
    for side in c.board.sides:
        yield ("banners", side)
    for name in c.board.objectives:
        yield ("objective", name)


def table(c: Context) -> Table:
    """What each side has its banners from."""
    cites = (*cite("general-p2/1", "general-p2/2"), *ALL_KINDS)
    title = "Where the Victory Banners come from, and how many each is worth"
    return Table(title, "Side", (*c.board.sides, NONE), (TAKEN, HELD, NOTES), tuple(_entries(c)), cites)


def _entries(c: Context) -> Iterable[Entry]:
    f, board = c.f, c.board
    for u, unit in board.units.items():
        gone = Partial(integer(unit.banners), eq(f.at[u], ELIMINATED))
        yield Entry(u, f.side(board.enemy(unit.side)), TAKEN, gone)
    for name, o in board.objectives.items():
        another = any_of(and_(f.has(s, name), not_(f.counts(s, name))) for s in f.holders_of(name))
        yield Entry(name, holder(c, name), HELD, Partial(integer(o.banners), not_(another)))
    for name, note in board.battle_objectives.items():
        worth = Partial(f.scored[name], gt(f.scored[name], 0))
        yield Entry(name, f.side(note.side), NOTES, worth)
