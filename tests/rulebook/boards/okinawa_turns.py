"""Player-turns of `okinawa_whole.md`: the planning models that the game in Python has, over the facts of the text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from vclogic_encodings.okinawa.planning.campaign import Campaign
from vclogic_encodings.okinawa.planning.metrics import PlanningModel

from vclogic.model.actions import Action, Event
from vclogic.model.fluents import Value
from vclogic.model.system import Metric, System
from vclogic.terms.sorts import EnumSort


def moves(rules: System) -> Metric:
    """Counts units that move."""
    return PlanningModel(campaign(rules)).metrics()[0]


def turns(rules: System) -> Metric:
    """Counts player-turns."""
    return PlanningModel(campaign(rules)).metrics()[1]


def campaign(rules: System) -> Campaign:
    """The game as player-turns see it."""
    units, hexes, terrain = (rules.vocabulary.kinds[kind] for kind in ("unit", "hex", "terrain"))
    cost = {h: terrain.properties["cost"].get(str(t)) for h, t in hexes.properties["terrain"].items()}
    known = {h: int(points) for h, points in cost.items() if points is not None}
    at = {unit: rules.term("at", unit) for unit in units.members}
    places = next(iter(at.values())).sort
    assert isinstance(places, EnumSort)
    off = ways_off(rules, known)
    anywhere = chosen(rules, "removal_edge") == "any"
    return Campaign(
        side_of={unit: str(side) for unit, side in units.properties["side"].items()},
        movement={unit: int(points) for unit, points in units.properties["movement"].items()},
        controlling=[unit for unit, has in units.properties["zone_of_control"].items() if has],
        at=at,
        on_map={unit: rules.term("on_map", unit) for unit in at},
        elsewhere=[place for place in places.members if place not in hexes.members],
        neighbours={h: hexes.around(h) for h in hexes.members},
        cost=known,
        stacking=int(rules.term("stacking").value),
        ways_off=off,
        removing=(*off,) if anywhere else ("exited",),
        turn=rules.term("turn"),
        removals=rules.term("removals"),
        leaves=partial(leaves, rules),
        remove=lambda unit: event(rules, "remove", unit=unit),
        end_turn=event(rules, "end_turn"),
        end_game=partial(event, rules, "end_game"),
        too_few=chosen(rules, "too_few_to_remove"),
        stops=chosen(rules, "stop_at_zoc") == "on",
        exits=chosen(rules, "exits") == "on",
        early=chosen(rules, "early_end") == "allowed",
        named_edges=len(off) > 2,
    )


def ways_off(rules: System, known: Collection[str]) -> Mapping[str, tuple[Sequence[str], Sequence[str]]]:
    """For each place to which units leave the map the hexes from which they do, and whose may."""
    hexes, edges = rules.vocabulary.kinds["hex"], rules.vocabulary.kinds["edge"]
    edge = [h for h in hexes.members if h in hexes.group("northeast_edge") and h in known]
    elsewhere = {place for h in hexes.members if h not in edge for place in hexes.outside[h]}
    other = sorted(h for h in known if not elsewhere.isdisjoint(hexes.outside[h]))
    sides = edges.several_of["leaves"]
    named = {f"left by {n}": (at, sides.get(n) or ("Japan", "US")) for n, at in edges.several_of["way_off"].items()}
    return {"exited": (edge, ("Japan",)), "left": (other, ("Japan",)), **named}


def leaves(rules: System, unit: str, gone: str) -> Action:
    """The event by which a unit gets to a place off the map."""
    by = {p.name for p in rules.schemas["leave"].parameters} & {"by"}
    where = dict.fromkeys(by, gone.removeprefix("left by ") if gone != "left" else "other")
    return event(rules, "exit", unit=unit) if gone == "exited" else event(rules, "leave", unit=unit, **where)


def event(rules: System, name: str, **given: Value) -> Action:
    """An event of the text."""
    return rules.action(Event(name, tuple(given.items())))


def chosen(rules: System, name: str) -> str:
    """The value of an option or a Reading."""
    return str(rules.term(name).value)
