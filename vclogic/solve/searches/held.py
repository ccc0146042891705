"""Plans that hold what they take: lemmas on demand from the counter-attacks that break them.

A solution is looked at turn by turn: each place that it takes is held, right after that turn, if no enemy has an
attack on it with a greater chance than is granted. Where one has, the lemma says: whoever takes this place in a turn
leaves a garrison that holds it against these attackers, or breaks a condition of their attack, such as that their
units still stand where they come from. It holds in all plans and for each of their turns, since the conditions are
the laws of the enemy's turn; so what breaks it is never held. More lemmas come from the attacks that are left once
some of the attackers' units are gone: what is needed against few of them is needed as long as these are there.
"""

from __future__ import annotations

import itertools
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from vclogic.clock import Deadline, TimeUp, check_deadline
from vclogic.encode.linear.terms import compile_program
from vclogic.encode.python.codegen import interpret
from vclogic.encode.unroll import defining
from vclogic.model.counter import Counterattacks, Garrisons, Known
from vclogic.model.fluents import numbered
from vclogic.model.transition import Chosen, Judged, Lemmas, TakenStep
from vclogic.progress import untold
from vclogic.solve.backends.highs import Engines, Minimization, minimize
from vclogic.solve.searches.strongest import Strongest, Threats
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, all_of, any_of, ge, le, linear, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term, variables

_REPAIR, _REPAIR_MOST = 1 / 4, 15.0  # of the time, and in seconds each, for plans near solutions that are none
_CLOSE = 4  # times the error of a chance, within which fractions decide


class HoldingCheck:
    """Says which places a plan takes and does not hold.

    Args:
        counter: How the enemies can answer.
        side: The side that plans; all others are idle.
        start: The state in which the plan begins.
        deadline: When to stop.
        repair: Whether a plan is looked for near a solution that breaks a lemma; not where costs depend on what other
            lemmas say.
    """

    def __init__(self, counter: Counterattacks, side: str, start: Known, deadline: Deadline, *, repair: bool = False):
        self._counter, self._side, self._start, self._deadline = counter, side, start, deadline
        self._holding = counter.holding
        self._granted = 1 - counter.holding.level
        self._engines = Engines()
        self._tracked: list[Term] | None = None
        self._repair, self._began, self._spent = repair, time.monotonic(), 0.0
        self._made: dict[tuple[object, ...], Term] = {}
        self._judged: dict[tuple[int, ...], tuple[TakenStep, ...]] = {}
        weakref.finalize(self, self._engines.close)

    @property
    def lemmas(self) -> Lemmas:
        """The same as hints take it."""
        return Lemmas(lambda steps: (), self.judge)

    def judge(self, steps: Sequence[TakenStep], values: Chosen) -> Judged:
        """Return a lemma for each captured place that a counter-attack would retake."""
        found = self._broken(steps, values)
        if not found:
            return Judged()
        return Judged((all_of(found),), self._near(steps, values) if self._repair else None)

    def _near(self, steps: Sequence[TakenStep], values: Chosen) -> Mapping[Term, int] | None:
        """A plan near a solution that breaks lemmas, if one is found soon; now and then."""
        began = time.monotonic()
        if self._spent > _REPAIR * (began - self._began):
            return None
        ids = tuple(map(id, steps))
        known = [lemma for key, lemma in self._made.items() if key[-1] == ids]
        seconds = self._deadline.part(_REPAIR, _REPAIR_MOST)

        def told(found: Chosen) -> Sequence[Term]:
            return self._broken(steps, found)

        found = repair_plan(steps, values, self._tracked or (), known, told, seconds, self._engines)
        self._spent += time.monotonic() - began
        return found

    def _broken(self, steps: Sequence[TakenStep], values: Chosen) -> list[Term]:
        """Lemmas from all places that some steps take and do not hold."""
        states = self._states(steps, values)
        found: list[Term] = []
        for before, then in pairwise(states):
            check_deadline()
            for place in self._counter.exposed(before, then, self._side).taken:
                threats = Threats(self._counter, then, self._engines)
                for power in self._counter.enemies(self._side):
                    for attack in self._attacks(threats, place, power):
                        found.append(self._lemma(steps, place, attack))
        return found

    # ---- the states of a solution

    def _states(self, steps: Sequence[TakenStep], values: Chosen) -> list[Known]:
        """The state before each step, and after the last."""
        if self._tracked is None:
            self._tracked = [f for f in self._start if steps and steps[0].here(f) is not f]
        slot, numbers = {v: i for i, v in enumerate(values)}, list(values.values())
        states: list[Known] = []
        for i in range(len(steps) + 1):
            terms = [after(steps, i - 1, f) for f in self._tracked] if i else [self._start[f] for f in self._tracked]
            known = {f: t for f, t in zip(self._tracked, terms, strict=True) if t.is_const}
            open_ = {f: t for f, t in zip(self._tracked, terms, strict=True) if not t.is_const}
            found = interpret(list(open_.values()), slot, numbers)
            known |= {f: numbered(f, int(n)) for f, n in zip(open_, found, strict=True)}
            states.append({**self._start, **known})
        return states

    # ---- attacks that break a plan

    def _attacks(self, threats: Threats, place: str, power: str) -> Iterable[Strongest]:
        """An attack against which a place is not held, if there is one; and attacks with fewer of its units."""
        strongest = self._broken_by(threats, place, power)
        if strongest is None:
            return
        yield strongest
        for order in (1, -1):
            here, attack, tried = threats, strongest, set[Term]()
            while True:
                fewer = self._fewer(here, place, power, attack, order, tried)
                if fewer is None:
                    break
                here, attack = fewer
                yield attack

    def _fewer(
        self, threats: Threats, place: str, power: str, attack: Strongest, order: int, tried: set[Term]
    ) -> tuple[Threats, Strongest] | None:
        """The strongest attack once units that an attack needs are gone, if it still breaks the plan."""
        for condition in self._conditions(attack)[::order]:
            if condition in tried:
                continue
            tried.add(condition)
            state = self._holding.beaten(threats.state, condition, power)
            if state is None:
                continue
            weaker = Threats(self._counter, state, self._engines)
            found = self._broken_by(weaker, place, power)
            if found is not None:
                return weaker, found
        return None

    def _broken_by(self, threats: Threats, place: str, power: str) -> Strongest | None:
        """An attack whose chance is greater than what is granted, mostly the strongest; None if there is none.

        Raises:
            TimeUp: The time was up before that was known.
        """
        close = _CLOSE * self._counter.error
        granted = float(self._granted)
        found = threats.on(place, power, self._deadline, granted - close, granted + close)
        if found is None or found.chance > granted + close:
            return found
        if found.at_most > found.chance and found.at_most > granted - close:
            raise TimeUp
        if found.chance < granted - close:
            return None
        exact = Fraction(1)
        for force in found.forces:
            exact *= self._counter.exact(force.fight, force.attackers, force.guns)
        return found if exact > self._granted else None

    def _conditions(self, attack: Strongest) -> tuple[Term, ...]:
        """The conditions of an attack: the laws of its turn, and no more defenders in the battles before."""
        more = [
            le(n, force.fight.defenders.get(u, 0))
            for force in attack.forces[1:]
            for u, n in self._holding.stands(force.fight.place, self._side).items()
        ]
        return (*self._holding.conditions(self._start, attack.step, attack.chosen), *more)

    # ---- lemmas

    def _lemma(self, steps: Sequence[TakenStep], place: str, attack: Strongest) -> Term:
        """Whoever takes the place holds it against an attack, or breaks a condition of it; for each turn."""
        conditions = self._conditions(attack)
        forces = tuple((*sorted(f.attackers.items()), None, *sorted(f.guns.items())) for f in attack.forces)
        ids = tuple(map(id, steps))
        key = place, conditions, forces, ids
        self._judged.setdefault(ids, tuple(steps))  # which keeps them, so that no others have these ids
        if key not in self._made:
            self._made[key] = self._against(steps, place, attack, conditions)
        return self._made[key]

    def _against(
        self, steps: Sequence[TakenStep], place: str, attack: Strongest, conditions: tuple[Term, ...]
    ) -> Term:
        """The same, made anew."""
        stands = self._holding.stands(place, self._side)
        asked = variables(*conditions, *stands.values())
        told = []
        for i, step in enumerate(steps):
            took = step.here(self._holding.took(step.step, place))
            if took is FALSE:
                continue
            then = Substitution({f: after(steps, i, f) if f in self._known else self._start[f] for f in asked})
            broken = [not_(c) for c in map(then, conditions) if c is not TRUE]
            if TRUE not in broken:
                there = {u: n for u, n in ((u, then(n)) for u, n in stands.items()) if n.hi > 0}
                told += self._held(attack, there, [not_(took), *broken])
        return all_of(told)

    @property
    def _known(self) -> set[Term]:
        return set(self._tracked or ())

    def _held(self, attack: Strongest, there: Mapping[str, Term], otherwise: Sequence[Term]) -> list[Term]:
        """The garrison holds against an attack, or something else is the case."""
        garrisons = self._garrisons(attack, {u: n.hi for u, n in there.items()})
        if not garrisons.possible:
            return [any_of(otherwise)]
        numbers = [add(integer(0), *(there[u] for u in kinds)) for kinds in garrisons.classes]
        told = []
        for weights, total in garrisons.sums:
            parts = [*zip(weights, numbers, strict=True), *((total, other) for other in otherwise)]
            told.append(ge(linear(parts), total))
        for short in garrisons.short:
            told.append(any_of([*otherwise, *(ge(n, k + 1) for n, k in zip(numbers, short, strict=True))]))
        return told

    def _garrisons(self, attack: Strongest, most: Mapping[str, int]) -> Garrisons:
        place, *first = attack.forces
        limit = self._granted
        for force in first:  # no more than their chance, so that the limit is no less: fractions take long at sea
            limit /= Fraction(force.chance) * (1 - _CLOSE * Fraction(self._counter.error))
        return self._holding.garrisons(place.fight, place.attackers, place.guns, most, limit)


def after(steps: Sequence[TakenStep], i: int, fluent: Term) -> Term:
    """A fluent after a step, over the variables of the steps."""
    if i + 1 < len(steps):
        return steps[i + 1].here(fluent)
    return steps[i].here(steps[i].step.next.get(fluent, fluent))


# ---- a plan near a solution that breaks lemmas: the same conditions are chosen, and the numbers anew
#
# Where a solver has found steps that are no plan, such as captures without garrisons, most of what it decided is
# right. With its Bool choices fixed the program is small; solved together with the lemmas, again and again, it gives
# a plan soon: an upper bound long before the whole program does.

_ROUNDS = 8
_LONGEST = 100  # steps: with more, programs are not small even with Bool choices fixed
Told = Callable[[Chosen], Sequence[Term]]
"""The lemmas that a solution breaks, and others; none where it is a plan."""


def repair_plan(
    steps: Sequence[TakenStep],
    values: Chosen,
    fluents: Iterable[Term],
    known: Iterable[Term],
    told: Told,
    deadline: Deadline,
    engines: Engines,
) -> Mapping[Term, int] | None:
    """A plan with the same Bool choices as a solution, or with more of them; None if none is found soon.

    Args:
        values: The solution.
        fluents: The fluents that the steps keep track of.
        known: Lemmas that are known.
        told: Says what a solution breaks.
        engines: The processes that solve programs.

    Returns:
        The value of each variable of the steps.
    """
    if len(steps) > _LONGEST:
        return None
    laws = [*_laws(steps, tuple(fluents)), *known]
    cost = add(integer(0), *(step.here(step.step.cost) for step in steps))
    flags = [v for step in steps for v in map(step.here, step.step.choices) if v.is_bool and v.op is Op.VAR]
    # With the same battles first; then others may be added, such as one that clears a way.
    for fixed in (flags, [v for v in flags if values.get(v)]):
        here = Substitution({v: TRUE if values.get(v) else FALSE for v in fixed})
        try:
            found = _solved(list(map(here, laws)), here, cost, told, values, fixed, deadline.part(1 / 2), engines)
        except TimeUp:
            continue
        if found is not None:
            return found
    return None


def _solved(
    laws: list[Term],
    here: Substitution,
    cost: Term,
    told: Told,
    values: Chosen,
    fixed: Sequence[Term],
    deadline: Deadline,
    engines: Engines,
) -> Mapping[Term, int] | None:
    """A solution of some laws that breaks no lemma."""
    for _ in range(_ROUNDS):
        claimed = [law for law in laws if law is not TRUE]
        if FALSE in claimed or deadline.left <= 0:
            return None
        outcome = minimize(Minimization(compile_program(claimed, here(cost)), claimed), deadline, untold, engines)
        if not outcome.values:
            return None
        found = {**values, **outcome.values, **{v: int(bool(values.get(v))) for v in fixed}}
        lemmas = told(found)
        if not lemmas:
            return found
        laws += map(here, lemmas)
    return None


def _laws(steps: Sequence[TakenStep], fluents: Sequence[Term]) -> Iterable[Term]:
    """The laws of steps, and what becomes of the fluents from step to step."""
    for step in steps:
        yield from map(step.here, step.step.legality)
    for step, following in itertools.pairwise(steps):
        for fluent in fluents:
            then = following.here(fluent)
            becomes = step.here(step.step.next.get(fluent, fluent))
            if then is not becomes:
                yield defining(then, becomes)
