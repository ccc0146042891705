"""Places that a plan exposes: after each of its turns, those that each enemy can take back in its next turn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from vclogic.clock import TIME_UP, Deadline, TimeUp, granted, stopped, until
from vclogic.model.battles import Named, Units, in_words
from vclogic.model.counter import Counterattacks
from vclogic.model.fluents import State
from vclogic.model.system import IDLE, System
from vclogic.query.plan_request import Ask
from vclogic.query.plan_risks import BattleBefore, Counterattack, ExposedPlace, Exposure, TurnExposed
from vclogic.query.replay import ReplayError, turn_of
from vclogic.solve.backends.highs import Engines
from vclogic.solve.searches.strongest import Strongest, Threats
from vclogic.words import percent

FLOOR = 0.05
"""Attacks with no greater chance than this are not listed."""
_SHARE, _MOST = 3 / 4, 10.0  # of the time left, and in seconds,
_LEAST = 0.6  # but so much work where nobody said stop, without programs: a plan is hard to judge without it


def exposure(ask: Ask, states: Sequence[State], floor: float = FLOOR) -> Exposure | None:
    """The places that a plan exposes.

    Args:
        states: The state after each step of the plan.
        floor: Attacks with no greater chance than this are left out; of plans that hold what they take, none is.

    Returns:
        It turn by turn, as far as the time allows; None where the game does not say how enemies answer, or where they
        are not idle until then.
    """
    counter = ask.system.counter
    if counter is None or ask.side is None or ask.opponent != IDLE:
        return None
    deadline = ask.effort.deadline.part(_SHARE, _MOST)
    floor = 0.0 if counter.holding.level else floor
    turns: list[TurnExposed] = []
    try:
        with until(deadline), granted(0.0 if stopped() else _LEAST), closing(Engines()) as engines:
            for before, after in zip((ask.state, *states), states, strict=False):
                look = _TurnLook(ask.system, counter, ask.side, engines, deadline, floor)
                found = look.after(before, after)
                if found is not None:
                    turns.append(found)
    except TimeUp:
        return Exposure(tuple(turns), floor, False, TIME_UP)
    return Exposure(tuple(turns), floor, True)


def check_held(ask: Ask, found: Exposure) -> None:
    """Check that a plan holds what it takes, where that is asked for.

    Raises:
        ReplayError: It does not.
    """
    counter = ask.system.counter
    if counter is None or not counter.holding.level:
        return
    granted_ = float(1 - counter.holding.level) + 2 * counter.error
    for turn in found.turns:
        for place in turn.places:
            if place.taken and any(a.chance > granted_ for a in place.attacks):
                raise ReplayError(f"the plan does not hold {place.place}")


@dataclass(frozen=True)
class _TurnLook:
    """A look at one turn of a plan."""

    system: System
    counter: Counterattacks
    side: str
    engines: Engines
    deadline: Deadline
    floor: float

    def after(self, before: State, after: State) -> TurnExposed | None:
        """The places that a turn exposes; None if it takes and leaves nothing."""
        constants = self.system.layout.constants
        then, now = constants(before), constants(after)
        exposed = self.counter.exposed(then, now, self.side)
        if not (exposed.taken or exposed.left):
            return None
        threats = Threats(self.counter, now, self.engines)
        places = [(place, True) for place in exposed.taken] + [(place, False) for place in exposed.left]
        places.sort(key=lambda p: (-self.counter.worth(p[0]), not p[1]))
        found = [
            self._place(threats, place, taken, self.counter.garrison(now, place, self.side))
            for place, taken in places
        ]
        turn = turn_of(self.system, self.system.layout.values(before))
        listed = tuple(p for p in found if p.attacks)
        return TurnExposed(turn, len(exposed.taken), len(exposed.left), listed)

    def _place(self, threats: Threats, place: str, taken: bool, garrison: Units) -> ExposedPlace:
        attacks = []
        for power in self.counter.enemies(self.side):
            found = threats.on(place, power, self.deadline, self.floor)
            if found is not None:
                attacks.append(counterattack(found, power, self.counter.named))
        attacks.sort(key=lambda a: -a.at_most)
        held = in_words(garrison, self.counter.named)
        return ExposedPlace(place, self.counter.note(place), taken, garrison, held, tuple(attacks))


def counterattack(found: Strongest, power: str, named: Named) -> Counterattack:
    """The strongest attack of a power as an answer tells it."""
    if not found.forces:
        return Counterattack(power, 0.0, {}, {}, (), "", found.at_most)
    here, *first = found.forces
    text = in_words(here.attackers, named)
    if here.guns:
        text += f", bombarded by {in_words(here.guns, named)}"
    before = tuple(BattleBefore(f.fight.place, f.attackers, f.chance) for f in first)
    for f in first:
        text += f", once {in_words(f.attackers, named)} have won {f.fight.place} ({percent(f.chance, 0)})"
    return Counterattack(power, found.chance, here.attackers, here.guns, before, text, found.at_most)
