"""26.2 and 26.22: casualty points for what is eliminated (26.221) and captured (26.222)."""

from __future__ import annotations

from vclogic_encodings.asl.board import INFANTRY, LANDED, Unit
from vclogic_encodings.asl.citing import encodes
from vclogic_encodings.asl.fluents import Changes
from vclogic_encodings.asl.names import ELIMINATED, NONE
from vclogic_encodings.asl.rules.unit_status import Units
from vclogic_encodings.asl.rules.values import half_squad, squad_or_crew, value

from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import add, and_, eq, ite, linear, not_
from vclogic.terms.term import Term

OWN_SIDE_KILLS = 2
"""The factor on the value of a prisoner whom his own side eliminates."""
CAPTIVE, CHINESE_CAPTIVE = 2, 4
"""The factor on the value of a captured unit at the end of the game."""


@encodes("26.2/2", "26.22/1")
def casualty_points(units: Units, side: str, *, doubled: bool = True) -> Term:
    """A side has the points for all enemy units and equipment that are eliminated or captured."""
    found: list[Term] = [units.now(units.fluents.earlier_cvp[side])]
    for unit, counter in units.counters.items():
        if counter.side != side:
            found += [for_elimination(units, unit), for_capture(units, unit, doubled=doubled)]
            found.append(for_reduction(units, unit))
    return add(*found)


# ---- eliminated


@encodes("26.221/1", "26.221/3")
def for_elimination(units: Units, unit: str) -> Term:
    """A unit brings points once it is eliminated, and none for being broken, wounded, malfunctioned or the like."""
    scored = units.now(units.fluents.scored[unit])
    if not units.fluents.scored[unit].is_const:
        return scored
    return ite(eq(units.now(units.fluents.at[unit]), ELIMINATED), value(units, unit), scored)


@encodes("26.211/2", "26.221/1", "26.221/3")
def for_reduction(units: Units, unit: str) -> Term:
    """A squad that becomes a half-squad brings what it is worth less than before: at once, or never."""
    counter = units.counters[unit]
    if counter.value is not None or units.reads("reduction_points", "remaining"):
        return integer(0)
    return linear([(squad_or_crew(units, counter) - half_squad(), units.now(units.fluents.reduced[unit]))])


@encodes("26.222/7")
def eliminated(units: Units, unit: str, when: Term, by: str) -> Changes:
    """An eliminated unit is no longer captured, and brings its points instead of those for the capture."""
    fluents = units.fluents
    new: Changes = {
        fluents.at[unit]: fluents.place(ELIMINATED),
        fluents.scored[unit]: killed_prisoner(units, unit, by),
    }
    new |= {**captured_no_longer(units, unit), fluents.bypass[unit]: FALSE}
    new[fluents.with_[unit]] = constant(fluents.with_.sort, NONE)
    return units.when(when, new)


@encodes("26.222/7x1")
def killed_prisoner(units: Units, unit: str, by: str) -> Term:
    """A prisoner whom his own side eliminates brings his captors double points."""
    counter, worth = units.counters[unit], value(units, unit)
    if by != counter.side or counter.kind not in INFANTRY:
        return worth
    return ite(units.captured(unit), linear([(OWN_SIDE_KILLS, worth)]), worth)


# ---- captured


@encodes("26.222/3", "26.222/4")
def for_capture(units: Units, unit: str, *, doubled: bool) -> Term:
    """A unit brings points once it is captured, and they are lost when it is captured no longer."""
    captured = units.captured(unit)
    if captured is FALSE:
        return integer(0)
    points = at_the_end(units, unit) if doubled else during_play(units, unit)
    return ite(captured, points, integer(0))


@encodes("26.222/5")
def during_play(units: Units, unit: str) -> Term:
    """In the course of play what is captured brings its normal value."""
    return value(units, unit) if units.reads("captured_worth", "now") else units.now(units.fluents.worth[unit])


@encodes("26.21/5", "26.222/6")
def at_the_end(units: Units, unit: str) -> Term:
    """As soon as the scenario has ended, what is captured brings twice its value."""
    worth = during_play(units, unit)
    return ite(units.now(units.fluents.ended.fluent), linear([(times_captured(units.counters[unit]), worth)]), worth)


@encodes("26.222/6x1")
def times_captured(counter: Unit) -> int:
    """Captured Chinese Guns and vehicles bring four times their value."""
    chinese = counter.nationality == "Chinese" and counter.kind in (*LANDED, "gun")
    return CHINESE_CAPTIVE if chinese else CAPTIVE


@encodes("26.222/3")
def taken(units: Units, unit: str, when: Term) -> Changes:
    """A captured unit brings its worth at that moment."""
    fluents, fresh = units.fluents, and_(when, not_(units.captured(unit)))
    new = units.when(when, {fluents.captured[unit]: TRUE})
    return new | units.when(fresh, {fluents.worth[unit]: value(units, unit)})


@encodes("26.222/2")
def in_hands(units: Units, unit: str, side: str) -> Changes:
    """A Gun or vehicle is captured if the opponent was the last to take it, also when nobody mans it any more."""
    own = units.counters[unit].side == side
    return captured_no_longer(units, unit) if own else taken(units, unit, TRUE)


@encodes("26.222/4")
def captured_no_longer(units: Units, unit: str) -> Changes:
    """A unit that is captured no longer brings nothing for its capture."""
    return {units.fluents.captured[unit]: FALSE, units.fluents.worth[unit]: integer(0)}


@encodes("26.222/7")
def gone(units: Units, unit: str) -> Changes:
    """A unit that counts as eliminated is no longer captured."""
    return captured_no_longer(units, unit)


@encodes("26.222/3")
def worth_as_it_stands(units: Units, unit: str) -> Term:
    """A unit that a position gives as captured was worth as much then as it is there."""
    return ite(units.captured(unit), value(units, unit), integer(0))


def most_scored(units: Units, unit: str) -> Term:
    """The most casualty points that the elimination of a unit brings."""
    worth = value(units, unit)
    return linear([(OWN_SIDE_KILLS, worth)]) if units.counters[unit].kind in INFANTRY else integer(worth.hi)
