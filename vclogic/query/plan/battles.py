"""The battles of a record, each with its chance by the dice, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import nextafter

from vclogic.clock import ANSWERING, Deadline, TimeUp, grace_period, until
from vclogic.encode.python.evaluator import apply
from vclogic.model.actions import Event
from vclogic.model.battles import Battle, BattleRules, Chance, Conduct, Odds
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.answers import Recorded
from vclogic.query.plan.risks import Battles, FoughtBattle
from vclogic.query.replay import ReplayError, turn_of
from vclogic.query.resolved_question import ResolvedQuestion

COMBINED = "product of the separate chances, with the units sent; losses in earlier battles are not subtracted"
LEFT_OUT = "left out, as the time was up"
LOW = 0.5
"""Below this chance of all battles, an answer says that a plan is no advice."""
_LONGEST = 5.0  # seconds for the chances of one plan
_LEAST, _MOST = nextafter(0.0, 1.0), nextafter(1.0, 0.0)  # of the chances that are neither impossible nor certain
_USUAL = Conduct()
_SMALL = 16  # units in a battle that is counted in fractions to see whether it is certain


def battles_of(resolved: ResolvedQuestion, record: Recorded) -> Battles | None:
    """The battles of a plan with their chances; None where it is no record, or fights none that dice decide.

    Raises:
        ReplayError: The chance of a battle is less than plans must have.
    """
    if record.events is None:
        return None
    found = battles(resolved.system, resolved.state, record.events, resolved.effort.deadline, resolved.metric.name)
    rules = resolved.system.battles
    if found is not None and rules is not None and rules.least:
        _check_chances(rules, found)
    return found


def check_battles(resolved: ResolvedQuestion, record: Recorded) -> None:
    """Check that the battles of a plan have the chances that plans must have, if any.

    Raises:
        ReplayError: One has less.
    """
    if resolved.system.battles is not None and resolved.system.battles.least:
        battles_of(resolved, record)


def _check_chances(rules: BattleRules, found: Battles) -> None:
    """Refuse a plan with a battle whose chance, worked out anew from its record, is too small."""
    for b in found.fought:
        if b.chance is None or b.chance - b.error >= rules.least:
            continue
        battle = Battle(b.attackers, b.defenders, b.guns, b.place, b.attacker, b.at_sea, b.landing)
        if b.chance + b.error < rules.least or won(rules.odds(battle, _USUAL, True)) < rules.least:
            raise ReplayError(f"the battle for {b.place} has a chance of {b.chance:.6f}, less than {rules.least}")


def battles(
    system: System, state: State, events: Sequence[Event], deadline: Deadline, metric: str = ""
) -> Battles | None:
    """The battles of a record with their chances.

    Args:
        state: The state before the record.
        events: The record, each event of which the rules accept.
        deadline: When to answer. A little time is granted beyond it; chances that are not worked out by then are
            left out.
        metric: What the plan saves; the game's advice depends on it.

    Returns:
        The battles; None where there is none that dice decide.
    """
    rules = system.battles
    if rules is None or not any(event.name in rules.deciding for event in events):
        return None
    found: list[FoughtBattle] = []
    with until(deadline.part(most=_LONGEST)), grace_period(ANSWERING):
        fought = list(_fought(system, rules, state, events))
        for n, (battle, plain) in enumerate(fought, 1):
            found.append(replace(_with_chance(rules, battle, plain), n=n))
    return _all(rules, found, metric) if found else None


def _fought(
    system: System, rules: BattleRules, state: State, events: Iterable[Event]
) -> Iterator[tuple[Battle, FoughtBattle]]:
    """Each battle of a record, as it is shown but without its chance."""
    for number, event in enumerate(events, 1):
        values = system.layout.values(state)
        battle = rules.decided(values, event) if event.name in rules.deciding else None
        if battle is not None:
            yield battle, _shown(battle, number, system, state)
        state = apply(system, state, system.action_in(state, event))


def _shown(battle: Battle, event: int, system: System, state: State) -> FoughtBattle:
    return FoughtBattle(
        n=0,
        event=event,
        turn=turn_of(system, system.layout.values(state)),
        attacker=battle.attacker,
        place=battle.place,
        at_sea=battle.at_sea,
        landing=battle.landing,
        attackers=battle.attackers,
        guns=battle.guns,
        defenders=battle.defenders,
        chance=None,
        error=0.0,
        losses=None,
        value_lost=None,
        reason=LEFT_OUT,
    )


def _with_chance(rules: BattleRules, battle: Battle, shown: FoughtBattle) -> FoughtBattle:
    try:
        odds = rules.odds(battle, _USUAL, False)
        chance = won(odds)
        if not odds.error < chance < 1 - odds.error and _size(battle) <= _SMALL:
            chance = won(rules.odds(battle, _USUAL, True))
    except TimeUp:
        return shown
    units, value = float(odds.attacker.units), float(odds.attacker.value)
    return replace(shown, chance=_told(chance), error=odds.error, losses=units, value_lost=value, reason="")


def _told(chance: Chance) -> float:
    """A chance as a float; it is 0 or 1 only where the chance is known to be that."""
    return (
        float(chance) if chance in (0, 1) and isinstance(chance, Fraction) else min(max(float(chance), _LEAST), _MOST)
    )


def won(odds: Odds) -> Chance:
    """The chance that a plan needs in a battle: that the place is taken, at sea that it is cleared by who is left.

    Whoever carries or clears must outlive the battle, so a draw wins nothing.
    """
    return odds.take


def _size(battle: Battle) -> int:
    return sum(sum(units.values()) for units in (battle.attackers, battle.guns, battle.defenders))


def _all(rules: BattleRules, found: Sequence[FoughtBattle], metric: str) -> Battles:
    chance, high = 1.0, 1.0
    for battle in found:
        chance *= battle.chance or 0.0
        high *= (battle.chance or 0.0) + battle.error
    known = [b for b in found if b.chance is not None and b.chance < 1]
    weakest = min(known, key=lambda b: b.chance or 0.0).n if len(found) > 1 and known else None
    whole = all(b.chance is not None for b in found)
    return Battles(
        fought=tuple(found),
        chance=chance if whole else None,
        error=high - chance if whole else 0.0,
        weakest=weakest,
        losses=sum(b.losses or 0.0 for b in found) if whole else None,
        value_lost=sum(b.value_lost or 0.0 for b in found) if whole else None,
        combined=COMBINED,
        currency=rules.currency,
        assumptions=rules.assumptions,
        advice=rules.advice.get(metric, ""),
        named=rules.words.named,
    )
