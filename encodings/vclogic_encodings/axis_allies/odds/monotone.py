"""Proof that more attackers never have a lower chance: a search for attacks that are good enough may rest on it."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.board import UnitType
from vclogic_encodings.axis_allies.odds.sides import CombatRules


def monotone(rules: CombatRules, at_sea: bool) -> bool:
    """True if it is proved that one more attacker, or one more ship that bombards, never lowers the chance to take.

    True at sea, and on land for every board whose kinds are as usual; the board of 2004 is. The order of losses is
    the game's own. The proof lets the battle with and without the unit more be fought with the same dice:

    - Who falls does so in an order that does not depend on who is there. So the side with more units, which takes no
      more hits, has at any moment all the units of the other battle, or it has lost its extra one and has the same:
      the first to fall among more units is the first among fewer, or is not one of these. The same holds for hits of
      submarines, which pass by aircraft, and for hits that cost a battleship nothing. The defenders, who take no
      fewer hits, are among those of the other battle.
    - So all dice of the attacker in the one battle are there in the other, and none of the defender's is added. A
      destroyer more, or one of the enemy's less, only takes surprise from the enemy or gives it to the attacker.
      Hence no fewer hits are scored and no more taken, round by round: who wins the one battle wins the other.
    - Each aircraft has its own die of antiaircraft fire; if the extra one is shot down, the battles are the same.
    - Artillery helps the strongest infantry first, so with one more unit no die is worse.
    - On land the attacker keeps the most valuable land unit. A unit K' that is more valuable than the unit K kept so
      far takes its place: then K may fall where it stood before, and beside K' there stands another unit X instead
      that falls after K, so hits no less often. This is no worse unless K was helped by artillery, or was artillery
      that helped. The first needs artillery that is no more valuable than K, and K' that is no stronger than K; the
      second a kind that can be helped and falls after K. Where the kinds allow neither, the claim holds.

    One more defender never raises the chance, on any board: by the same dice the attackers are then always among
    those of the other battle, and no unit is kept instead of another, as the same attackers set out.
    """
    land = [u for u in rules.kinds.values() if u.kind == "land" and not u.antiaircraft]
    return at_sea or not any(_can_harm(rules, kept, land) for kept in rules.kinds)


def _can_harm(rules: CombatRules, kept: str, land: Iterable[UnitType]) -> bool:
    """True if it can matter that a more valuable unit is kept instead of this kind."""
    kinds, roles, ranks = rules.kinds, rules.roles, rules.ranks(True)
    unit = kinds[kept]
    if unit.kind != "land" or unit.antiaircraft:
        return False
    instead = [other for other in land if other is not unit and other.cost >= unit.cost]
    weak = any(other.attack <= unit.attack for other in instead)
    if kept in roles.supported and weak and any(kinds[g].cost <= unit.cost for g in roles.supporting):
        return True
    return bool(instead) and kept in roles.supporting and any(ranks[u] > ranks[kept] for u in roles.supported)
