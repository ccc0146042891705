"""Forces in a battle of a record: the one that a capture, or the clearing of a sea zone, decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.game import Rules

from vclogic.model.actions import Event
from vclogic.model.battles import Battle, Units
from vclogic.model.fluents import Value
from vclogic.terms.term import Term

Values = Mapping[Term, Value]
DECIDING = ("capture", "clear")
"""The events that decide battles."""


def decided(game: Rules, values: Values, event: Event) -> Battle | None:
    """The battle that an event decides.

    Args:
        values: The values before the event.
        event: An event of a record.

    Returns:
        The battle. None for an event that decides none, and where nobody fights: nobody defends, or antiaircraft guns
        alone, with no aircraft to fire at. Where there are such aircraft it is a battle, since they may be shot down.
    """
    if not game.fluents.armies or event.name not in DECIDING:
        return None
    args = dict(event.args)
    power, at_sea = str(args["power"]), event.name == "clear"
    place = str(args["zone" if at_sea else "territory"])
    battle = _at_sea(game, values, power, place) if at_sea else _on_land(game, values, power, place)
    return battle if _is_fought(game, battle) else None


def standing(game: Rules, values: Values, place: str, attacker: str) -> Units:
    """The defenders of a place against a power: the units of its enemies that fight there, and antiaircraft guns."""
    units = game.fluents.units
    enemies = game.board.sides[game.board.enemy(game.board.powers[attacker].side)]
    kinds = game.roles.defenders(place)
    return _there((u, sum(int(values[units[place, p, u]]) for p in enemies)) for u in kinds)


def _on_land(game: Rules, values: Values, power: str, territory: str) -> Battle:
    """Those who entered fight, with aircraft; ships bombard; armour that went on through does not fight."""
    underway, roles = game.fluents.underway, game.roles
    helping = {u: int(values[x]) for u, x in underway.helping(territory).items()}
    entered = ((u, int(values[underway.entered[territory, u]])) for u in roles.soldiers)
    coasts = (underway.coast(zone, territory) for zone in game.geography.shores[territory]) if roles.ships else ()
    return Battle(
        attackers=_there([*entered, *((u, helping.get(u, 0)) for u in roles.aircraft)]),
        defenders=standing(game, values, territory, power),
        guns=_there((u, helping.get(u, 0)) for u in roles.bombarding),
        place=territory,
        attacker=power,
        landing=any(bool(values[coast]) for coast in coasts),
    )


def _at_sea(game: Rules, values: Values, power: str, zone: str) -> Battle:
    """All the power's ships there fight, transports too, with aircraft that flew there."""
    units, helping = game.fluents.units, game.fluents.underway.helping(zone)
    ships = ((u, int(values[units[zone, power, u]])) for u in game.roles.ships)
    aircraft = ((u, int(values[helping[u]])) for u in game.roles.aircraft)
    return Battle(
        attackers=_there([*ships, *aircraft]),
        defenders=standing(game, values, zone, power),
        place=zone,
        attacker=power,
        at_sea=True,
    )


def _there(numbers: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Kinds of which there is at least one."""
    return {unit: n for unit, n in numbers if n}


def _is_fought(game: Rules, battle: Battle) -> bool:
    kinds = game.board.units
    fired_at = any(kinds[u].kind == "air" for u in battle.attackers)
    return any(not kinds[u].antiaircraft or fired_at for u in battle.defenders)
