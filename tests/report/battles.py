"""Odds of battles made by hand, for the reports and pictures to show."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from vclogic.model.battles import BattleEnd, Chance, Conduct, Losses, Odds
from vclogic.query.odds.question import BattleOdds
from vclogic.query.plan.risks import Battles, FoughtBattle

NAMED = {"infantry": ("infantry", "infantry"), "armour": ("armour", "armour"), "fighter": ("fighter", "fighters")}
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
ENDINGS = (
    BattleEnd({"armour": 1}, {}, HALF),
    BattleEnd({}, {"infantry": 1}, QUARTER),
    BattleEnd({}, {}, QUARTER),
)


def battle(
    *,
    endings: tuple[BattleEnd, ...] = ENDINGS,
    take: Chance = HALF,
    clear: Chance = 3 * QUARTER,
    draw: Chance = QUARTER,
    exact: bool = True,
) -> BattleOdds:
    """One armour that attacks one infantry: it takes the place in half of all battles."""

    def written(x: Chance) -> Chance:
        return x if exact else float(x)

    found = Odds(
        take=written(take),
        clear=written(clear),
        draw=written(draw),
        attacker=Losses(written(HALF), written(5 * HALF), {"armour": written(HALF)}),
        defender=Losses(written(3 * QUARTER), written(9 * QUARTER), {"infantry": written(3 * QUARTER)}),
        endings=tuple(BattleEnd(e.attackers, e.defenders, written(e.chance)) for e in endings),
        error=0.0 if exact else 1e-12,
    )
    return BattleOdds(
        game="skirmish/spring",
        status="computed",
        place="Hill",
        attacker="Red",
        at_sea=False,
        landing=False,
        attackers={"armour": 1},
        guns={},
        defenders={"infantry": 1},
        conduct=Conduct(),
        odds=found,
        hold=1 - found.clear,
        both=written(Fraction(0)),
        currency="gold",
        assumptions=("each unit rolls one die",),
        elapsed_s=0.25,
        reason="",
        named=NAMED,
    )


def fought(n: int = 1, place: str = "Hill", chance: float | None = 0.25, **changes: object) -> FoughtBattle:
    """A battle of a plan."""
    fields: dict[str, object] = {
        "n": n,
        "event": 3 * n,
        "turn": {"round": 1, "turn": "Red"},
        "attacker": "Red",
        "place": place,
        "at_sea": False,
        "landing": False,
        "attackers": {"armour": 1, "fighter": 2},
        "guns": {},
        "defenders": {"infantry": 3},
        "chance": chance,
        "error": 0.0,
        "losses": None if chance is None else 1.5,
        "value_lost": None if chance is None else 12.5,
        "reason": "left out, as the time was up" if chance is None else "",
    }
    return FoughtBattle(**{**fields, **changes})  # type: ignore[arg-type]


def of_a_plan(*found: FoughtBattle, weakest: int | None = None, advice: str = "") -> Battles:
    """The battles of a plan."""
    chances = [b.chance for b in found]
    known = [x for x in chances if x is not None]
    return Battles(
        fought=found,
        chance=prod(known) if len(known) == len(chances) else None,
        error=0.0,
        weakest=weakest,
        losses=sum(b.losses or 0.0 for b in found) if len(known) == len(chances) else None,
        value_lost=sum(b.value_lost or 0.0 for b in found) if len(known) == len(chances) else None,
        combined="the product; each by itself",
        currency="gold",
        assumptions=("each unit rolls one die",),
        advice=advice,
        named=NAMED,
    )
