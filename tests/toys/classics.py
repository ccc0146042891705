"""Well-known small games as rule sets: noughts and crosses, Nim, and a race with a die."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.terms.atoms import TRUE, constant, integer
from vclogic.terms.build import add, and_, any_of, eq, ge, ite, le, ne, not_, sub
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

SIDES = ("First", "Second")
SIDE = EnumSort("side", SIDES)
TURN = Family("turn", SIDE, "whose turn it is", values=Domain(SIDE))
Change = tuple[Term, Term]


def _rules(
    families: Iterable[Family],
    initial: Mapping[Term, Value],
    won: Callable[[str], Term],
    events: Iterable[Schema],
    ends: Term | None = None,
) -> System:
    outcomes = tuple(Outcome("win", s, Partial(won(s)), TRUE, "at once", f"{s} wins", ()) for s in SIDES)
    return System(
        sides={s: (s,) for s in SIDES},
        families=(*families, TURN),
        initial={TURN.fluent: SIDES[0], **initial},
        rules=(),
        invariants=(),
        outcomes=outcomes,
        observables=(),
        events=tuple(events),
        metrics=(),
        ends=ends,
    )


def _then(side: str) -> Change:
    return TURN.fluent, constant(SIDE, SIDES[1 - SIDES.index(side)])


def _on_turn(side: str) -> Requirement:
    return Requirement(eq(TURN.fluent, side), "it is not its turn")


def noughts_and_crosses() -> System:
    """Three in a row wins."""
    mark = EnumSort("mark", ("none", *SIDES))
    cells = Domain(EnumSort("cell", tuple(f"{column}{row}" for row in "123" for column in "abc")))
    at = Family("at", mark, "the mark in the cell", (cells,), Domain(mark))
    names = cells.sort.members
    lines = [names[i : i + 3] for i in (0, 3, 6)] + [names[i::3] for i in range(3)] + [names[::4], names[2:7:2]]

    def put(side: str, cell: str) -> Action:
        needs = (_on_turn(side), Requirement(eq(at[cell], "none"), "the cell is full"))
        changes = ((at[cell], constant(mark, side)), _then(side))
        return Action("put", (("side", side), ("cell", cell)), side, needs, changes, f"{side} marks {cell}")

    def won(side: str) -> Term:
        return any_of(and_(*(eq(at[c], side) for c in line)) for line in lines)

    full = and_(*(ne(at[c], "none") for c in names))
    schema = Schema(
        "put", (Parameter("side", Domain(SIDE)), Parameter("cell", cells)), put, "a mark", decided_by="it"
    )
    return _rules((at,), {at[c]: "none" for c in names}, won, (schema,), full)


def nim(heaps: tuple[int, ...]) -> System:
    """Who takes the last one wins."""
    names = Domain(EnumSort("heap", tuple("abcdef"[: len(heaps)])))
    size = Family("size", IntSort(0, max(heaps)), "how many are in the heap", (names,))
    fluents = [size[n] for n in names.sort.members]
    empty = le(add(*fluents), 0)

    def take(side: str, heap: str, number: int) -> Action:
        needs = (_on_turn(side), Requirement(ge(size[heap], number), "there are not so many"))
        args = (("side", side), ("heap", heap), ("number", number))
        return Action(
            "take", args, side, needs, ((size[heap], sub(size[heap], number)), _then(side)), f"{side} takes"
        )

    def won(side: str) -> Term:
        return and_(empty, ne(TURN.fluent, side))

    parameters = (
        Parameter("side", Domain(SIDE)),
        Parameter("heap", names),
        Parameter("number", range(1, max(heaps) + 1)),
    )
    start: dict[Term, Value] = dict(zip(fluents, heaps, strict=True))
    return _rules((size,), start, won, (Schema("take", parameters, take, "some are taken", decided_by="it"),), None)


def race(goal: int, faces: int) -> System:
    """In its turn a side rolls a die as often as it likes; a 1 takes back what it rolled in this turn and ends it.

    Who has so many points, with those of the turn, wins (the game of Pig).
    """
    points = Family("points", IntSort(0, goal), "the points of a side", (Domain(SIDE),))
    held = Family("held", IntSort(0, goal), "what the turn has brought")
    rolls = Family("rolls", IntSort(0, 1), "whether the die is rolling")
    total = held.fluent

    def roll(side: str) -> Action:
        needs = (_on_turn(side), Requirement(le(rolls.fluent, 0), "the die is rolling"))
        return Action("roll", (("side", side),), side, needs, ((rolls.fluent, integer(1)),), f"{side} rolls")

    def hold(side: str) -> Action:
        needs = (_on_turn(side), Requirement(le(rolls.fluent, 0), "it rolls"), Requirement(ge(total, 1), "no points"))
        changes = ((points[side], add(points[side], total)), (total, integer(0)), _then(side))
        return Action("hold", (("side", side),), side, needs, changes, f"{side} holds")

    def face(number: int) -> Action:
        needs = (Requirement(ge(rolls.fluent, 1), "nobody rolls"),)
        changes: tuple[Change, ...] = ((rolls.fluent, integer(0)),)
        if number == 1:
            other = ite(eq(TURN.fluent, SIDES[0]), constant(SIDE, SIDES[1]), constant(SIDE, SIDES[0]))
            changes += ((total, integer(0)), (TURN.fluent, other))
        else:
            mine = ite(eq(TURN.fluent, SIDES[0]), points[SIDES[0]], points[SIDES[1]])
            more, room = add(total, number), sub(integer(goal), mine)
            changes += ((total, ite(ge(sub(more, room), 0), room, more)),)
        return Action("face", (("number", number),), None, needs, changes, f"a {number} is rolled", odds=1)

    def won(side: str) -> Term:
        return and_(eq(TURN.fluent, side), not_(ge(rolls.fluent, 1)), ge(add(points[side], total), goal))

    side = (Parameter("side", Domain(SIDE)),)
    events = (
        Schema("roll", side, roll, "the die is rolled", decided_by="the side on turn"),
        Schema("hold", side, hold, "a turn ends", decided_by="the side on turn"),
        Schema("face", (Parameter("number", range(1, faces + 1)),), face, "what comes up"),
    )
    start: dict[Term, Value] = {points[s]: 0 for s in SIDES}
    return _rules((points, held, rolls), {**start, total: 0, rolls.fluent: 0}, won, events)
