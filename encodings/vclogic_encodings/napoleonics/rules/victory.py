"""Who has won, what each objective says, and what every well-formed position satisfies."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import NONE, Kind
from vclogic_encodings.napoleonics.citing import cite
from vclogic_encodings.napoleonics.game import Context
from vclogic_encodings.napoleonics.names import BETWEEN, MOVEMENT
from vclogic_encodings.napoleonics.observables import ALL_KINDS, KIND_CLAUSES

from vclogic.model.pieces import alone
from vclogic.model.rules import Outcome, Rule
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, eq, implies, is_in, le, ne, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

SAID: dict[Kind, str] = {
    "temporary": "has the banner of {name}: it keeps it while a unit of its own is there",
    "turn_start_temporary": "has the banner of {name}: a unit of its own was there as its turn began, and one is",
    "turn_start_majority": "has the banner of {name}: it had more of its hexes as its turn began, and still does",
    "permanent": "has the banner of {name}: a unit of its own was the first there",
    "turn_start_permanent": "has the banner of {name}: a unit of its own was there as its turn began",
    "last_to_occupy": "has the banner of {name}: a unit of its own was the last to occupy it",
}


LASTING = {
    "temporary": False,
    "turn_start_temporary": False,
    "turn_start_majority": False,
    "permanent": True,
    "turn_start_permanent": True,
}
"""Whether the text calls a kind of objective permanent or temporary; it says neither of the last to occupy."""


def outcomes(c: Context) -> Iterable[Outcome]:
    """Victory, for each side: at any moment, in whoever's turn."""
    for side in c.board.sides:
        need = c.board.banners[side]
        yield Outcome(
            "victory",
            side,
            condition=Partial(c.f.wins(side)),
            timing=TRUE,
            when="at every moment, in either side's turn",
            text=f"the {side} side has {need} Victory Banners",
            cites=cite("general/1", "general-p2/1", "general-p2/2", "general-p3/1", "general-p3/2"),
            won=FALSE,
            lost=FALSE,
            have=c.f.banners(side),
            need=integer(need),
        )


def rules(c: Context) -> Iterable[Rule]:
    """What each side has, and from where."""
    for side in c.board.sides:
        text = f"the banners of the {side} side: for eliminated enemies, objectives and battle notes"
        cites = (*cite("general/1", "general-p2/1", "general-p2/2"), *ALL_KINDS)
        yield Rule(f"banners[{side}]", c.f.banners(side), text, cites)
    for name, o in c.board.objectives.items():
        for side in c.f.holders_of(name):
            text = f"the {side} side " + SAID[c.f.judged(name)].format(name=name)
            lasting = LASTING.get(o.kind)
            yield Rule(f"objective[{side}, {name}]", c.f.has(side, name), text, KIND_CLAUSES[o.kind], lasting=lasting)


# ---- what positions satisfy


def invariants(c: Context) -> Iterable[Rule]:
    """All of them."""
    yield from _stacking(c)
    yield from _turns(c)
    for name in c.board.objectives:
        yield from _holders(c, name)
    for h in c.f.watched:
        yield _vacated(c, h)
    for name, note in c.board.battle_objectives.items():
        text = f"{name} is scored {note.times} times at the most"
        yield Rule(f"times[{name}]", le(c.f.scored[name], note.times), text, cite("general-p2/2"))


def _stacking(c: Context) -> Iterable[Rule]:
    f, board = c.f, c.board
    units = {u: f.at[u] for u in board.pieces(leaders=False)}
    leaders = {s: board.pieces(s, leaders=True) for s in board.sides}
    for h in board.hexes:
        laws = alone(units, [h])
        for s, names in leaders.items():
            enemies = any_of(eq(f.at[e], h) for e in board.pieces(board.enemy(s)))
            laws += [not_(and_(any_of(eq(f.at[u], h) for u in names), enemies))] if names else []
        yield Rule(f"one[{h}]", all_of(laws), f"one unit stands on {h}, and leaders with no enemy", ())


def _turns(c: Context) -> Iterable[Rule]:
    f = c.f
    for side in c.board.sides:
        on_turn = and_(eq(f.turn.fluent, side), ne(f.phase.fluent, BETWEEN))
        ordered = any_of(f.ordered[u] for u in c.board.pieces(side))
        text = f"units of the {side} side are ordered in a turn of the {side} side alone"
        yield Rule(f"ordered[{side}]", implies(ordered, on_turn), text, cite("movement-note/1"))
    moving = eq(f.phase.fluent, MOVEMENT)
    for u in c.board.units if f.watched else ():
        text = f"{u} has moved only if it has been ordered, while movement is open"
        law = implies(f.moved[u], and_(f.ordered[u], moving))
        yield Rule(f"moved[{u}]", law, text, cite("movement-note/1"))


def _holders(c: Context, name: str) -> Iterable[Rule]:
    f, o = c.f, c.board.objectives[name]
    now, kind = f.objective[name], o.kind
    if o.side is not None:
        text = f"{name} is an objective of the {o.side} side alone"
        known = and_(*(is_in(x, (NONE, o.side)) for x in _records(c, name)))
        yield Rule(f"appropriate[{name}]", known, text, KIND_CLAUSES[kind])
    for s in f.holders_of(name):
        theirs, has = eq(now, s), f"the {s} side has {name}"
        if kind in ("temporary", "turn_start_temporary"):
            text = f"{has} only while a unit of theirs is there"
            yield Rule(f"kept[{s}, {name}]", implies(theirs, f.keeps(s, name)), text, KIND_CLAUSES[kind])
        if kind == "turn_start_majority" and f.reads("majority_lost", "at_once"):
            text = f"{has} only with more of its hexes than the enemy"
            yield Rule(f"kept[{s}, {name}]", implies(theirs, f.majority(s, name)), text, KIND_CLAUSES[kind])
        if f.judged(name) == "temporary":
            only = and_(*(f.is_there(t, name) if t == s else not_(f.is_there(t, name)) for t in f.holders_of(name)))
            text = f"{has} where units of theirs alone are there"
            yield Rule(f"taken[{s}, {name}]", implies(only, theirs), text, KIND_CLAUSES[kind])


def _records(c: Context, name: str) -> tuple[Term, ...]:
    f = c.f
    return (f.objective[name], *((f.gained[name], f.dropped[name]) if name in f.losable else ()))


def _vacated(c: Context, hex_: str) -> Rule:
    """A hex is being vacated by the side on turn while its movement is open, and nobody has come in."""
    f = c.f
    left = f.vacated[hex_]
    laws = []
    for s in c.board.sides:
        now = and_(eq(f.phase.fluent, MOVEMENT), eq(f.turn.fluent, s), f.to_come(s))
        empty = not_(any_of(f.occupies(t, hex_) for t in c.board.sides))
        laws.append(or_(ne(left, s), and_(now, empty)))
    text = f"{hex_} is being vacated only by the side on turn, while its movement is open and no unit is there"
    if f.reads("vacated_when", "nobody_ordered"):
        text += ", and another one that has been ordered has yet to move"
    return Rule(f"vacated[{hex_}]", and_(*laws), text, cite("movement-note/1"))
