"""The cheapest plan for a goal with its proof, other plans that cost as much, and the places that it exposes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace, grace_period, stopped, until
from vclogic.encode.conditions import still_true
from vclogic.model.actions import Event
from vclogic.model.battles import Named, Units, in_words
from vclogic.model.counter import Counterattacks
from vclogic.model.fluents import State
from vclogic.model.system import IDLE, System
from vclogic.model.transition import Scoped, SingleActions, Transition, Wanted
from vclogic.query.answers import Recorded
from vclogic.query.plan.answer import OnePlan, Plan, Plans
from vclogic.query.plan.battles import battles_of
from vclogic.query.plan.luck import NOT_COUNTED, said_of_chance
from vclogic.query.plan.planning import Better, Planning
from vclogic.query.plan.preferred import replay_preferred
from vclogic.query.plan.risks import BattleBefore, Counterattack, ExposedPlace, Exposure, TurnExposed
from vclogic.query.plan_search import find
from vclogic.query.replay import ReplayError, as_events, turn_of
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.highs import Engines
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.solve.searches.strongest import Strongest, Threats
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, and_, eq, ge, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term
from vclogic.words import percent


def plan(
    resolved: ResolvedQuestion,
    known: SearchResult = NOTHING,
    on_better: Callable[[Plan], object] | None = None,
    *,
    of: Problem | None = None,
) -> Plan:
    """The cheapest plan for a goal.

    Args:
        known: A plan that is already known, if any.
        on_better: Called with each better plan while a cheaper one is looked for; what is said of its battles and of
            what it leaves exposed waits for the answer.
        of: The problem whose plan is known, if it is another one.

    Returns:
        The plan; `impossible` with the proof; or `unknown` with the reason.
    """
    tell: Better | None = None if on_better is None else lambda better, _: on_better(better)
    planning = _FullPlanning(resolved, tell, known)
    if of is not None:
        with until(resolved.effort.deadline):
            planning.take_better(known, of)
    found = planning.answer()
    more = found.battles.assumptions if found.battles is not None else ()
    counter = resolved.system.counter
    if counter is not None and (counter.holding.level or (found.exposed is not None and found.exposed.turns)):
        more = (*more, *counter.assumptions)
    if found.record is not None and found.record.events:
        luck = NOT_COUNTED
        with suppress(TimeUp), grace_period(grace()):
            luck = said_of_chance(resolved.system, resolved.state, found.record.events)
        more = (*more, luck) if luck else more
    return replace(found, assumptions=(*found.assumptions, *more)) if more else found


class _FullPlanning(Planning):
    """A question for a plan with all that there is to say of it: its battles, what it exposes, other plans."""

    def final_answer(self, found: SearchResult, problem: Problem | None) -> Plan:
        """The answer with a plan as a player would rather have it.

        Raises:
            TimeUp: The time is up before it is played, and before it is seen whether it holds what it is to hold.
        """
        resolved = self.resolved
        if problem is None:
            said, one = self.as_answer(found, (), Recorded(())), OnePlan((), Recorded(()))
            return replace(said, plans=Plans((one,), True)) if resolved.plans > 1 else said
        made = replay_preferred(resolved, problem.plain, found)
        record = self.record_of(made, problem)
        exposed = None if resolved.system.counter is None else exposure(resolved, made.states)
        if exposed is not None:
            check_held(resolved, exposed)
        self.best = self.as_answer(found, made.steps, record)  # whatever becomes of what else there is to say
        battles = battles_of(resolved, record)
        one = OnePlan(made.steps, record, battles)
        plans = several(self, problem, found, one) if resolved.plans > 1 else None
        return replace(self.best, plans=plans, battles=battles, exposed=exposed)


# ---- several cheapest plans, of which none holds all that another one holds


ENOUGH = "as many as were asked for"
NOT_CHEAPEST = "the plan is not proved to be a cheapest one"


def several(planning: Planning, problem: Problem, found: SearchResult, first: OnePlan) -> Plans:
    """Further plans of the cost of a cheapest plan.

    Each search asks for a plan that leaves out something of each plan so far. Events that are interchangeable for the
    goal count as one, and those that another event is never worse than are left out (`encode/dominance.py`).

    Args:
        planning: The question, with the number of plans.
        problem: The planning problem.
        found: The cheapest plan.
        first: The same, as the answer shows it.
    """
    if found.cost is None or found.cost != found.lower_bound:
        return Plans((first,), False, NOT_CHEAPEST)
    resolved, deadline = planning.resolved, planning.resolved.effort.deadline
    plans, blocked = [first], [marks(problem.transition, found.steps or ())]
    seen = [_decided(resolved, as_events(first.steps))]
    while len(plans) < resolved.plans and blocked[-1]:
        resolved.progress(f"looking for plan {len(plans) + 1} of {resolved.plans}", found.cost, found.cost)
        try:
            with until(deadline):
                next_ = find(resolved, without(problem, blocked), effort=resolved.effort)
                if next_.exhausted or (next_.lower_bound is not None and next_.lower_bound > found.cost):
                    return Plans(tuple(plans), True)
                if next_.cost != found.cost or next_.steps is None:
                    return Plans(tuple(plans), False, TIME_UP if deadline.left <= 0 else next_.reason)
            other = replay_preferred(resolved, problem, next_)
            with grace_period(ANSWERING):
                decided = _decided(resolved, other.events)
                if not any(decided >= before for before in seen):  # else the plans differ in what is no event
                    seen.append(decided)
                    record = planning.record_of(other, problem)
                    plans.append(OnePlan(other.steps, record, battles_of(resolved, record)))
        except TimeUp:
            return Plans(tuple(plans), False, TIME_UP)
        blocked.append(marks(problem.transition, next_.steps or ()))
    return Plans(tuple(plans), True) if not blocked[-1] else Plans(tuple(plans), False, ENOUGH)


def _decided(resolved: ResolvedQuestion, events: Iterable[Event]) -> frozenset[Event]:
    """The events that somebody decides."""
    schemas = resolved.system.schemas
    return frozenset(e for e in events if e.name not in schemas or not schemas[e.name].routine)


def without(problem: Problem, blocked: list[frozenset[Mark]]) -> Problem:
    """The problem of a plan that does not hold all of any of some plans."""
    chosen = frozenset().union(*blocked)
    differs = all_of(map(not_all, blocked))
    later = problem.regressions
    fresh: Mapping[Term, Term] = {memory(m): FALSE for m in chosen}
    return replace(
        problem,
        start={**problem.start, **fresh},
        whole_start={**problem.whole_start, **fresh},
        transition=remembering(problem.transition, chosen),
        regressions=replace(later, goals={and_(g, differs): k for g, k in later.goals.items()}),
        unconditioned=replace(problem, unconditioned=None),
        loose=True,
    )


Mark = tuple[str, int]
"""The name of a choice and the number that is chosen; where a step says which events it comes to: an event, and 1."""


def memory(mark: Mark) -> Term:
    """The Bool fluent that says whether a choice has been made, in any step."""
    name, number = mark
    return var(f"chosen: {name} {number}", BOOL)


def marks(transition: Transition, steps: Iterable[Mapping[Term, int]]) -> frozenset[Mark]:
    """The choices of a plan in any of its steps."""
    if transition.taken is None:
        return frozenset((choice.name, n) for step in steps for choice, n in step.items() if n)
    found: set[Mark] = set()
    for step in steps:
        chosen = Substitution({c: TRUE if step.get(c) else FALSE for c in transition.choices})
        found.update((a.key, 1) for condition, a in transition.taken.items() if chosen(condition) is TRUE)
    return frozenset(found)


def not_all(chosen: frozenset[Mark]) -> Term:
    """Bool, over these fluents: a plan does not choose all of this."""
    return not_(all_of(memory(m) for m in sorted(chosen)))


def remembering(transition: Transition, chosen: frozenset[Mark]) -> Transition:
    """The same steps, with the fluents that say which of some choices have been made."""
    if isinstance(transition, SingleActions):
        actions = {
            taken: replace(a, effects=(*a.effects, (memory((taken.name, 1)), TRUE)))
            if (taken.name, 1) in chosen
            else a
            for taken, a in transition.actions.items()
        }
        seen = transition.looked_at
        return transition.over(actions, None if seen is None else seen | {memory(m) for m in chosen})
    if isinstance(transition, Scoped):
        scope = transition.scope
        own = frozenset(memory(m) for m in chosen)

        def remembered(state: Mapping[Term, Term], wanted: Wanted | None) -> Transition:
            return _marked(scope(state, None if wanted is None else frozenset(wanted) - own), chosen)

        return replace(transition, scope=remembered, hints=still_true(transition.hints))
    return _marked(transition, chosen)


def _marked(step: Transition, chosen: frozenset[Mark]) -> Transition:
    by_name: dict[str, list[int]] = {}
    for name, n in chosen:
        by_name.setdefault(name, []).append(n)
    following = dict(step.next)
    for condition, action in (step.taken or {}).items():
        if action.key in by_name:
            fluent = memory((action.key, 1))
            following[fluent] = or_(fluent, condition)
    for choice in () if step.taken is not None else step.choices:
        for n in by_name.get(choice.name, ()):
            fluent = memory((choice.name, n))
            following[fluent] = or_(fluent, _made(choice, n))
    return replace(step, next=following, hints=still_true(step.hints))


def _made(choice: Term, n: int) -> Term:
    """A Bool term: the choice is made; of numbers, it is at least `n`."""
    if choice.is_bool:
        return choice
    return eq(choice, choice.sort.members[n]) if isinstance(choice.sort, EnumSort) else ge(choice, n)


# ---- the places that a plan exposes: after each of its turns, those that each enemy can take back in its next turn


FLOOR = 0.05
"""Attacks with no greater chance than this are not listed, but of plans that hold what they take."""
_SHARE, _MOST = 3 / 4, 10.0  # of the time left, and in seconds,
_LEAST = 0.6  # but so much work where nobody said stop, without programs: a plan is hard to judge without it


def exposure(resolved: ResolvedQuestion, states: Sequence[State]) -> Exposure | None:
    """The places that a plan exposes.

    Args:
        states: The state after each step of the plan.

    Returns:
        It turn by turn, as far as the time allows; None where the game does not say how enemies answer, or where they
        are not idle until then.
    """
    counter = resolved.system.counter
    if counter is None or resolved.side is None or resolved.opponent != IDLE:
        return None
    deadline = resolved.effort.deadline.part(_SHARE, _MOST)
    floor = 0.0 if counter.holding.level else FLOOR
    turns: list[TurnExposed] = []
    try:
        with until(deadline), grace_period(0.0 if stopped() else _LEAST), closing(Engines()) as engines:
            for before, after in zip((resolved.state, *states), states, strict=False):
                look = _TurnLook(resolved.system, counter, resolved.side, engines, deadline, floor)
                found = look.after(before, after)
                if found is not None:
                    turns.append(found)
    except TimeUp:
        return Exposure(tuple(turns), floor, False, TIME_UP)
    return Exposure(tuple(turns), floor, True)


def check_held(resolved: ResolvedQuestion, found: Exposure) -> None:
    """Check that a plan holds what it takes, where that is asked for.

    Raises:
        ReplayError: It does not.
    """
    counter = resolved.system.counter
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
