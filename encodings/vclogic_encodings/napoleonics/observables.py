"""Observables: the values that goals, rulings and `status` refer to."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.fluents import BETWEEN
from vclogic_encodings.napoleonics.game import Rules

from vclogic.model.rules import Entry, Observable, Table
from vclogic.terms.atoms import integer
from vclogic.terms.build import and_, any_of, count, eq, gt, ite, ne, not_, scale
from vclogic.terms.partial import Partial

HELD, TAKEN, NOTES = "Objectives held", "Units and leaders taken", "Battle notes"
BEFORE = "Won before"


def observables(game: Rules) -> Iterable[Observable]:
    """Every observable of the game."""
    yield from _banners(game)
    if game.board.objectives:
        yield from _objectives(game)
    yield from _units(game)
    yield from _time(game)


def _banners(game: Rules) -> Iterable[Observable]:
    fluents, board = game.fluents, game.board
    text = "Victory Banners that the side has"
    yield Observable("banners", (fluents.sides,), game.victory.banners, text, cite("general-p2/1"))
    text = "Victory Banners that the side needs to win"
    if all(s in board.banners for s in board.sides):
        yield Observable("needed", (fluents.sides,), lambda s: integer(board.banners[s]), text, cite("general/1"))
    if not fluents.earlier.empty:
        text = "Victory Banners that the side has won for what the position does not show"
        yield Observable("earlier", (fluents.sides,), lambda s: fluents.earlier[s], text, cite("general-p2/1"))
    text = "units and leaders of the side that have been eliminated"
    yield Observable(
        "eliminated",
        (fluents.sides,),
        lambda s: count(eq(fluents.at[u], ELIMINATED) for u in board.pieces(s)),
        text,
        cite("general-p2/1"),
    )
    if board.battle_objectives:
        text = "how often the objective of the battle notes has been accomplished"
        yield Observable(
            "scored", fluents.scored.indices, lambda n: fluents.scored[n], text, cite("general-p2/1", "general-p2/2")
        )


def _objectives(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    names = fluents.objective.indices
    text = "the side that has the objective's banner, or none"
    yield Observable("objective", names, lambda n: game.objectives[n].holder, text, values=fluents.holders)
    text = "how many hexes of the objective count as occupied by the side"
    yield Observable(
        "objective_hexes",
        (fluents.sides, *names),
        lambda s, n: count(game.objectives[n].occupied(s, h) for h in game.objectives[n].hexes),
        text,
        cite("movement-note/1"),
    )
    if fluents.losable:
        text = "the side that has gained the objective's banner this turn (the last one, between two), or none"
        losable = fluents.gained.indices
        yield Observable("gained", losable, lambda n: fluents.gained[n], text, values=fluents.holders)
        text = "the side that has gained the objective's banner this turn and lost it again, or none"
        yield Observable("gained_and_lost", losable, lambda n: fluents.dropped[n], text, values=fluents.holders)


def _units(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    text = "where the unit is: a hex, off or eliminated"
    yield Observable("at", (fluents.pieces,), lambda u: fluents.at[u], text, values=fluents.places)
    text = "a unit of the side is in the hex"
    yield Observable("occupies", (fluents.sides, fluents.hexes), fluents.occupies, text, ())
    text = "the unit has been ordered this turn"
    yield Observable("ordered", (fluents.pieces,), lambda u: fluents.ordered[u], text, cite("movement-note/1"))


def _time(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    on_turn = fluents.side(NONE)
    for s in game.board.sides:
        here = eq(fluents.turn.fluent, s)
        on_turn = ite(here, fluents.side(s), on_turn)
    on_turn = ite(ne(fluents.phase.fluent, BETWEEN), on_turn, fluents.side(NONE))
    text = "the side whose turn it is; none between two turns"
    yield Observable("turn", (), lambda: on_turn, text, cite("general/1"), fluents.holders)
    text = "how far the turn has come: between (two turns), movement or combat"
    yield Observable("phase", (), lambda: fluents.phase.fluent, text, cite("movement-note/1"), fluents.phases)


def overview(game: Rules) -> Iterable[tuple[str, ...]]:
    """The observables that `status` always shows."""
    yield ("turn",)
    yield ("phase",)
    for side in game.board.sides:
        yield ("banners", side)
    for name in game.board.objectives:
        yield ("objective", name)


def table(game: Rules) -> Table:
    """The table of what each side has its banners for."""
    cites = cite("general-p2/1", "general-p2/2")
    title = "Where the Victory Banners come from, and how many each is worth"
    before = () if game.fluents.earlier.empty else (BEFORE,)
    columns = (*before, TAKEN, HELD, NOTES)
    return Table(title, "Side", (*game.board.sides, NONE), columns, tuple(_entries(game)), cites)


def _entries(game: Rules) -> Iterable[Entry]:
    fluents, board = game.fluents, game.board
    for (s,), won in fluents.earlier.fluents.items():
        yield Entry("earlier", fluents.side(s), BEFORE, Partial(won, gt(won, 0)))
    for u, unit in board.units.items():
        gone = Partial(integer(unit.banners), eq(fluents.at[u], ELIMINATED))
        yield Entry(u, fluents.side(board.enemy(unit.side)), TAKEN, gone)
    for name, o in board.objectives.items():
        objective = game.objectives[name]
        another = any_of(and_(objective.has(s), not_(game.victory.counts(s, name))) for s in objective.sides)
        yield Entry(name, objective.holder, HELD, Partial(integer(o.banners), not_(another)))
    for name, note in board.battle_objectives.items():
        worth = Partial(fluents.scored[name], gt(fluents.scored[name], 0))
        yield Entry(name, fluents.side(note.side), NOTES, worth)
    for name, x in board.exits.items():
        for s in board.sides:
            left = scale(game.victory.left(s, name), x.banners)
            yield Entry(name, fluents.side(s), NOTES, Partial(left, gt(left, 0)))
