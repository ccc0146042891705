"""Victory conditions of a scenario, avoidance and balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vclogic_encodings.asl.board import Board, Condition, Victory, ratio
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.state import BUILDING, HEX, LOCATION

from vclogic.model.citation import Cites
from vclogic.model.rules import Outcome
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, count, eq, ge, gt, ne, not_, scale, sub
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

VICTORY = "victory"


def provisions(board: Board, settings: Settings) -> dict[str, Victory]:
    """The victory conditions in use, with those of the balance provision if one is chosen."""
    balance = board.balance.get(settings.word("balance"))
    return {**board.victory, **(balance.victory if balance else {})}


def out_of_play(board: Board, settings: Settings) -> frozenset[str]:
    """Units that are not in play under the chosen balance."""
    chosen = settings.word("balance")
    out = {u for side, b in board.balance.items() if side != chosen for u in b.adds}
    if chosen in board.balance:
        out |= set(board.balance[chosen].removes)
    return frozenset(out)


def outcomes(c: Game) -> Iterable[Outcome]:
    """One for each side: its own conditions, or that it avoids the other's."""
    given = provisions(c.f.board, c.f.settings)
    for side in c.f.board.sides:
        if side in given:
            yield _outcome(c, side, given[side])
        elif c.f.board.enemy(side) in given:
            yield _avoidance(c, side, given[c.f.board.enemy(side)])


def _outcome(c: Game, side: str, v: Victory) -> Outcome:
    parts = (*v.all, *v.any)
    at_once = v.when == "immediately"

    def points(s: str) -> Term:  # while the game goes on, captives count once
        return c.points.casualties(s, doubled=not at_once)

    one = any_of(_met(c, side, x, points) for x in v.any) if v.any else TRUE
    met = and_(*(_met(c, side, x, points) for x in v.all), one)
    have, need = _threshold(c, side, v, points)
    return Outcome(
        VICTORY,
        side,
        condition=Partial(met),
        timing=TRUE if at_once else c.f.ended.fluent,
        when="at every moment" if at_once else "at the end of the game",
        text=v.text or f"the {side} side meets its victory conditions",
        cites=_cites(parts),
        won=and_(eq(c.f.winner.fluent, side), TRUE if at_once else c.f.ended.fluent),
        lost=eq(c.f.winner.fluent, c.f.board.enemy(side)),
        have=have,
        need=need,
        seen=lambda view: and_(*(_known(c, view, x) for x in parts)),
    )


def _avoidance(c: Game, side: str, theirs: Victory) -> Outcome:
    """A side without conditions of its own wins if the other has not met its conditions by the end."""
    enemy = c.f.board.enemy(side)
    other = _outcome(c, enemy, theirs)
    return Outcome(
        VICTORY,
        side,
        condition=Partial(and_(not_(other.condition.value), ne(c.f.winner.fluent, enemy))),
        timing=c.f.ended.fluent,
        when="at the end of the game",
        text=f"the {enemy} side does not meet its victory conditions",
        cites=cite("26.3/1"),
        won=FALSE,
        lost=eq(c.f.winner.fluent, enemy),
        seen=other.seen,
    )


def _known(c: Game, view: str, x: Condition) -> Term:
    """Whether a side can know how it stands with a condition."""
    if any(n is not None for n in (x.cvp, x.cvp_lead, x.cvp_ratio, x.exit_vp)):
        return TRUE
    kind, names = _places(c, x)
    return all_of(c.known(view, kind, n) for n in names)


def _met(c: Game, side: str, x: Condition, points: Callable[[str], Term]) -> Term:
    found = _plain(c, side, x, points)
    return not_(found) if x.negate else found


def _plain(c: Game, side: str, x: Condition, points: Callable[[str], Term]) -> Term:
    enemy = c.f.board.enemy(side)
    if x.cvp is not None:
        return ge(points(side), x.cvp)
    if x.cvp_lead is not None:
        return ge(sub(points(side), points(enemy)), x.cvp_lead)
    if x.cvp_ratio is not None:
        ours, theirs = ratio(x.cvp_ratio) or (1, 1)
        return ge(scale(points(side), theirs), scale(points(enemy), ours))
    if x.exit_vp is not None:
        return ge(c.points.exits(side), x.exit_vp)
    kind, names = _places(c, x)
    held = [c.holders.controls(side, kind, n) for n in names]
    if x.more:
        return gt(count(held), count(c.holders.controls(enemy, kind, n) for n in names))
    return all_of(held) if x.at_least is None else ge(count(held), x.at_least)


def _places(c: Game, x: Condition) -> tuple[str, tuple[str, ...]]:
    if x.location or x.locations:
        return LOCATION, x.locations or (str(x.location),)
    if x.hex or x.hexes:
        return HEX, x.hexes or (str(x.hex),)
    buildings = c.f.buildings
    assert buildings is not None
    return BUILDING, tuple(buildings.resolve(n) for n in x.buildings or (str(x.building),))


def _threshold(c: Game, side: str, v: Victory, points: Callable[[str], Term]) -> tuple[Term | None, Term | None]:
    """How far a side is, where it needs one number of something."""
    parts = (*v.all, *v.any)
    if len(parts) != 1 or parts[0].negate or parts[0].more or parts[0].cvp_ratio is not None:
        return None, None
    x = parts[0]
    if x.cvp is not None:
        return points(side), integer(x.cvp)
    if x.exit_vp is not None:
        return c.points.exits(side), integer(x.exit_vp)
    if x.cvp_lead is not None:
        return None, None
    kind, names = _places(c, x)
    need = len(names) if x.at_least is None else x.at_least
    return count(c.holders.controls(side, kind, n) for n in names), integer(need)


def _cites(parts: tuple[Condition, ...]) -> Cites:
    found: list[str] = []
    for x in parts:
        if x.exit_vp is not None:
            found.append("26.23/1")
        elif x.cvp is not None or x.cvp_lead is not None or x.cvp_ratio is not None:
            found.append("26.2/1")
        else:
            found.append("26.1/1")
    return cite(*dict.fromkeys(found))
