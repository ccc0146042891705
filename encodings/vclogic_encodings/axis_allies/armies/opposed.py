"""The battles that the choices of a turn can bring about, against defenders who are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.model.battles import Fight, Units
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add
from vclogic.terms.term import Term

GUNS = "guns "
"""Begins the kinds of ships that bombard in `Fight.most`."""


def numbers_of(fight: Fight) -> dict[str, Term]:
    """The number of each kind in a battle, as in `Fight.most`: ships that bombard included."""
    return {**fight.attackers, **{GUNS + u: n for u, n in fight.guns.items()}}


def force_of(kinds: Iterable[str], numbers: Iterable[int]) -> tuple[Units, Units]:
    """The attackers and the ships that bombard, given how many there are of each kind as in `Fight.most`."""
    there = {u: n for u, n in zip(kinds, numbers, strict=True) if n}
    guns = {u.removeprefix(GUNS): n for u, n in there.items() if u.startswith(GUNS)}
    return {u: n for u, n in there.items() if not u.startswith(GUNS)}, guns


def fights_of(turn: Muster) -> Iterable[Fight]:
    """The battles of a turn, once its choices are gathered; none where the enemies may move.

    There is no battle where nobody defends, or nobody can come.
    """
    if turn.begin is None:
        return
    for name, won in turn.flags.items():
        kind, _, region = name.partition(" ")
        defenders = standing(turn, region)
        if kind in ("capture", "clear") and won is not FALSE and defenders:
            fight = _fight(turn, region, won, defenders)
            if fight.attackers:
                yield fight


def fight_for(turn: Muster, region: str) -> Fight | None:
    """The battle for a region, even if nobody defends it; None if nobody can come."""
    names = (f"{kind} {region}" for kind in ("capture", "clear"))
    won = next((turn.flags[name] for name in names if name in turn.flags), FALSE)
    fight = None if won is FALSE else _fight(turn, region, won, standing(turn, region))
    return fight if fight is not None and fight.attackers else None


def standing(turn: Muster, region: str) -> Mapping[str, int]:
    """The enemy units in a region while the enemy holds it, antiaircraft guns included; their positions are known."""
    numbers = {u: turn.standing(region, {u: 1}) for u in turn.roles.defenders(region)}
    return {u: n for u, n in numbers.items() if n}


def _fight(turn: Muster, region: str, won: Term, defenders: Mapping[str, int]) -> Fight:
    attackers, guns = (_sums(turn, region, role) for role in ("unit", "guns"))
    most = {u: _most(turn, u, n) for u, n in attackers.items()}
    return Fight(
        place=region,
        attacker=turn.power,
        at_sea=turn.board.territories[region].kind == "sea",
        won=won,
        attackers=attackers,
        guns=guns,
        most=most | {GUNS + u: _most(turn, u, n) for u, n in guns.items()},
        defenders=defenders,
    )


def _most(turn: Muster, unit: str, count: Term) -> int:
    return min(turn.forces[unit], turn.now(count).hi)


def _sums(turn: Muster, region: str, role: str) -> dict[str, Term]:
    """Per kind how many units have a role in the battle for a region."""
    sums: dict[str, list[Term]] = {}
    for blow in turn.force.get(region, []):
        if blow.role == role:
            sums.setdefault(blow.unit, []).append(blow.count)
    found = {unit: add(integer(0), *counts) for unit, counts in sums.items()}
    return {unit: count for unit, count in found.items() if _most(turn, unit, count) > 0}
