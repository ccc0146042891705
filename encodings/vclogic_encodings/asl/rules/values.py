"""26.21: what units are worth, by 26.211 to 26.213 of the later edition or by 26.21 of the earlier one."""

from __future__ import annotations

from vclogic_encodings.asl.board import LANDED, Unit
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.names import ELIMINATED, WORKING
from vclogic_encodings.asl.rules.unit_status import Units

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, and_, eq, ite, linear, not_
from vclogic.terms.term import Term

SQUAD = CREW = 2  # 26.211/1
HALF_SQUAD = LANDING_CRAFT_CREW = 1  # 26.211/2, 26.211/1x1
LEADER = NEGATIVE_MODIFIER = 1  # 26.211/3
HERO_BY_SEA = 1  # 26.211/4
GUN = AIRCRAFT = 2  # 26.212/1
VEHICLE = MAIN_ARMAMENT = ARMOUR = 1  # 26.212/2
ARMOUR_STEP = 5  # 26.212/2: so many armour factors bring the points of ARMOUR
UNCOUNTED = ("motorcycle", "goliath", "boat", "glider")  # 26.212/2, 26.212/1x1
UNCOUNTED_EARLIER = ("motorcycle", "boat", "glider", "aircraft")  # 26.21/1, 26.21/4


@memoized
def value(units: Units, unit: str) -> Term:
    """Casualty points for a unit if it were eliminated now, with its inherent crew, without passengers."""
    counter = units.counters[unit]
    if counter.value is not None or counter.kind in LANDED:
        return linear([(1, without_crew(units, unit)), (crew_value(units, unit), crew_lost(units, unit))])
    match counter.kind:
        case "squad" | "crew":
            points = squad_or_crew(units, counter)
            whole = integer(outside(points) if unit in units.fluents.vehicle_of else points)
            return ite(units.now(units.fluents.reduced[unit]), integer(half_squad()), whole)
        case "half-squad":
            return integer(half_squad())
        case "leader" | "armour-leader":
            return leader(units, unit)
        case "hero":
            return hero(by_sea=False)
        case "gun" | "aircraft" | "glider":
            return gun_or_aircraft(units, counter)
    return integer(0)


# ---- 26.211: Infantry


@encodes("26.21/1", "26.211/1")
def squad_or_crew(units: Units, counter: Unit) -> int:
    """Each squad or crew is worth two points."""
    return landing_craft_crew(units) if counter.lc_crew else SQUAD


@encodes("26.211/1x1")
def landing_craft_crew(units: Units) -> int:
    """The crew of a landing craft is worth one point; in the earlier edition two, as any crew."""
    return CREW if units.reads("edition", "earlier") else LANDING_CRAFT_CREW


@encodes("26.21/2", "26.211/2")
def half_squad() -> int:
    """Each half-squad is worth one point."""
    return HALF_SQUAD


@encodes("26.21/3", "26.211/3")
def leader(units: Units, unit: str) -> Term:
    """A leader is worth one point, and one for each negative leadership modifier, wounded or not."""
    counter = units.counters[unit]
    return wounded_leader(units, unit, LEADER + NEGATIVE_MODIFIER * max(0, -counter.modifier))


@encodes("26.211/3x1")
def wounded_leader(units: Units, unit: str, unwounded: int) -> Term:
    """A wounded Japanese leader is worth what his own rules say; any other as much as before."""
    own = units.counters[unit].wounded_value
    if own is None or units.reads("edition", "earlier"):
        return integer(unwounded)
    return ite(units.now(units.fluents.wounded[unit]), integer(own), integer(unwounded))


@encodes("26.211/4")
def hero(*, by_sea: bool) -> Term:
    """A Hero is worth nothing, but one exit point in a Seaborne Evacuation."""
    return integer(HERO_BY_SEA if by_sea else 0)


# ---- 26.212: vehicles and equipment


@encodes("26.21/1", "26.212/1")
def gun_or_aircraft(units: Units, counter: Unit) -> Term:
    """Each Gun that is no vehicle is worth two points, dismantled or not, and so is each aircraft."""
    if counter.kind in uncounted(units):
        return integer(0)
    return integer(GUN if counter.kind == "gun" else AIRCRAFT)


@encodes("26.21/4", "26.212/1x1", "26.212/2")
def uncounted(units: Units) -> tuple[str, ...]:
    """Gliders, motorcycles, Goliaths and boats are worth nothing; the earlier edition counts Goliaths."""
    return UNCOUNTED_EARLIER if units.reads("edition", "earlier") else UNCOUNTED


def without_crew(units: Units, unit: str) -> Term:
    """The worth of a vehicle without its inherent crew."""
    counter = units.counters[unit]
    if counter.value is not None:
        return integer(by_other_rules(counter.value))
    return integer(0) if counter.kind in uncounted(units) else vehicle(units, unit)


@encodes("26.212/3")
def by_other_rules(given: int) -> int:
    """Landing craft, and Guns and vehicles in the desert, are worth what their own rules say."""
    return given


@encodes("26.21/4", "26.212/2")
def vehicle(units: Units, unit: str) -> Term:
    """A vehicle is worth one point, and more for its armour and for a main armament that works."""
    return linear([(main_armament(), _works(units, unit))], VEHICLE + armour(units.counters[unit]))


@encodes("26.21/4", "26.212/2")
def armour(counter: Unit) -> int:
    """Each multiple of five armour factors brings one point, fractions rounded up, and 0 armour factors one."""
    return 0 if counter.armour is None else ARMOUR * max(1, -(-counter.armour // ARMOUR_STEP))


@encodes("26.212/2", "26.213/1x1")
def main_armament() -> int:
    """A Gun that is the main armament of a vehicle brings one point."""
    return MAIN_ARMAMENT


def _works(units: Units, unit: str) -> Term:
    """True if a vehicle has a main armament that works."""
    armed = units.counters[unit].main_armament
    return eq(units.now(units.fluents.armament[unit]), WORKING) if armed else FALSE


# ---- 26.213: crews inside


@encodes("26.213/1")
def crew_value(units: Units, unit: str) -> int:
    """An inherent crew or half-squad is worth as much as a counter of its kind."""
    counter = units.counters[unit]
    if units.reads("edition", "earlier"):
        return crew_bonus()
    if counter.kind == "landing-craft":
        return landing_craft_crew(units)
    if counter.inherent == "crew":
        return CREW
    return carrier_half_squad() if counter.carrier else half_squad()


@encodes("26.213/1x1")
def carrier_half_squad() -> int:
    """The half-squad in a Carrier is worth two points."""
    return CREW


@encodes("26.213/1")
def outside(points: int) -> int:
    """A crew that has left its vehicle is worth as much as it is inside."""
    return points


@encodes("26.21/4")
def crew_bonus() -> int:
    """In the earlier edition a vehicle brings two points more if its inherent crew did not survive."""
    return CREW


def crew_lost(units: Units, unit: str) -> Term:
    """True if a vehicle's inherent crew is lost with it; in the earlier edition also if it was lost outside."""
    counter, inside = units.counters[unit], units.now(units.fluents.crewed[unit])
    if counter.crew is None or not units.reads("edition", "earlier"):
        return inside
    return add(inside, and_(not_(inside), eq(units.now(units.fluents.at[counter.crew]), ELIMINATED)))
