"""Tests of plans, for goals by chance: each metric finds plans, and the rules accept them as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from vclogic.conformance.games import NotDecided, RandomPlay, claim, fails, named
from vclogic.conformance.meaning import calls
from vclogic.encode.python.codegen import interpret as values_of
from vclogic.encode.python.evaluator import IllegalStep, OutOfBounds, Stepper, interpret
from vclogic.encode.unroll import Unrolling, choice_of_case, universal_step
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.rules import Observable
from vclogic.model.system import ANY, IDLE, Metric, System
from vclogic.model.transition import Scoped, Transition, actions_of
from vclogic.query.plan.answer import Plan
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

STRIDES = (1, 1, 1, 2, 3)  # how far a number is to move
TRIES = 400  # draws for one goal, most of which are true already, or name what never changes


@dataclass(frozen=True)
class GroundCall:
    """A ground observable.

    Attributes:
        text: Its text in the goal language.
        value: Its value, as a term.
        members: For an Enum: the names that it can be compared with.
    """

    text: str
    value: Partial
    members: tuple[str, ...] = ()

    @staticmethod
    def of(observable: Observable, arguments: Sequence[str]) -> GroundCall:
        """An observable with its arguments."""
        written = ", ".join(f'"{a}"' for a in arguments)
        members = observable.values.sort.members if observable.values else ()
        return GroundCall(
            observable.name + (f"({written})" if written else ""), observable.partial(*arguments), members
        )

    def __call__(self, system: System, state: State) -> int | None:
        """Its value in a state; None if it is undefined."""
        slot = system.layout.slot
        return interpret(self.value.value, slot, state) if interpret(self.value.defined, slot, state) else None

    def goal(self, system: System, state: State) -> str:
        """The goal that it has the value that it has in a state."""
        return self.is_(interpret(self.value.value, system.layout.slot, state))

    def is_(self, x: int) -> str:
        """The goal that it has a given value."""
        sort = self.value.value.sort
        if isinstance(sort, EnumSort):
            return f'{self.text} == "{sort.members[x]}"'
        return f"{self.text} == {x}" if isinstance(sort, IntSort) else self.text if x else f"not {self.text}"

    def other(self, now: int, rng: Random) -> str | None:
        """The goal that it has another value, near the present one; None if there is no other."""
        term = self.value.value
        if isinstance(term.sort, EnumSort):
            others = [m for m in self.members if m in term.sort.members and term.sort.members.index(m) != now]
            return f'{self.text} == "{rng.choice(others)}"' if others else None
        if not isinstance(term.sort, IntSort):
            return self.is_(1 - now) if term.lo < term.hi else None
        far = rng.choice(STRIDES)
        ways = [f"{self.text} >= {now + far}"] * (now + far <= term.hi) + [f"{self.text} <= {now - far}"] * (
            now - far >= term.lo
        )
        return rng.choice(ways) if ways else None


def random_call(system: System, rng: Random) -> GroundCall | None:
    """An observable with random arguments; None if goals cannot use it."""
    observable = rng.choice(list(system.vocabulary.values()))
    call = GroundCall.of(observable, [rng.choice(d.sort.members) for d in observable.parameters])
    return None if isinstance(call.value.value.sort, EnumSort) and not call.members else call


def random_goals(system: System, states: Sequence[State], rng: Random, count: int) -> Iterator[str]:
    """Goals of one or two parts that do not hold now, with values near the present ones or of another state.

    Args:
        states: The present state, and some that play leads to.
        rng: The random generator.
        count: The number of goals; fewer if little changes in the game.
    """
    for _ in range(count):
        near = rng.random() < 0.5
        there = states[0] if near else rng.choice(states)
        parts = [_part(system, states[0], there, rng) for _ in range(rng.choice((1, 1, 2)))]
        found = [p for p in parts if p is not None]
        if found:
            yield " and ".join(found)


def _part(system: System, now: State, there: State, rng: Random) -> str | None:
    """A part of a goal that does not hold now; true in the other state, if that differs."""
    for _ in range(TRIES):
        call = random_call(system, rng)
        x = call(system, now) if call else None
        if call is None or x is None:
            continue
        if there is now:
            goal = call.other(x, rng)
        else:
            y = call(system, there)
            goal = None if y in (None, x) else call.goal(system, there)
        if goal is not None:
            return goal
    return None


GOALS = 2  # random goals for each metric
CHOICES = 8  # that are tried from the start
STEPS = 3  # one after the other, that are built twice
SECONDS = 3.0  # for each; what is not decided by then says nothing


def wishes(system: System) -> list[GroundCall]:
    """The ground observables that goals can use."""
    found = []
    for o, arguments in calls(system):
        if not isinstance(o.partial(*arguments).value.sort, EnumSort) or o.values is not None:
            found.append(GroundCall.of(o, arguments))
    return found


def some(choice: Term, rng: Random) -> int:
    """A random value of a choice that does something."""
    return rng.choice([i for i in range(1, choice.hi + 1) if choice.mask >> i & 1]) if choice.mask else 1


def one_step(play: RandomPlay, metric: Metric, rng: Random) -> tuple[str, str, int]:
    """A side, a goal that one of its steps achieves, and the cost of that step."""
    system, state = play.system, play.start.state
    for side in rng.sample(list(system.sides), len(system.sides)):
        start = system.layout.constants(state)
        transition = metric.transition(side, IDLE, start).at(start)
        stepper = Stepper(system.layout, transition)
        idle = {c: max(c.lo, 0) for c in transition.choices}
        for choice in rng.sample(transition.choices, len(transition.choices)):
            chosen = {**idle, choice: some(choice, rng)}
            try:
                after = stepper.step(state, chosen)
            except (IllegalStep, OutOfBounds):
                continue
            for call in wishes(system):
                if call(system, after) not in (None, call(system, state)):
                    return side, call.goal(system, after), stepper.cost(state, chosen)
    help = "is a choice of it always refused, or what it changes in no observable?"
    return fails(f"no single step of the metric {metric.name} changes anything that can be asked about: {help}")


def goes_on(play: RandomPlay, record: Iterable[Event]) -> Game:
    """The game after a record, each event of which must be accepted."""
    game = play.start
    for event in record:
        game = game.apply(event.name, **dict(event.args))
    return game


def test_each_metric_names_its_events(play: RandomPlay) -> None:
    """A metric lists events of the game; if a step is a single action, exactly those and routine events."""
    system = play.system
    start = system.layout.constants(play.start.state)
    for metric in system.metrics:
        it = f"the metric {metric.name}"
        twice = sorted({n for n in metric.events if metric.events.count(n) > 1})
        claim(not twice, f"{it} lists the event {named(twice)} twice in `events`: once is enough")
        strange = [n for n in metric.events if n not in system.schemas]
        claim(not strange, f"{it} lists {named(strange)} in `events`, which is no event: {named(system.schemas)} are")
        whole = metric.transition(None, ANY, start)
        taken = {a.name for a in actions_of(whole).values()} | ({metric.tail.name} if metric.tail else set())
        left_out = sorted(taken - set(metric.events))
        claim(not left_out, f"steps of {it} are events that its `events` leave out: add {named(left_out)}")
        if actions_of(whole):
            others = [n for n in metric.events if n not in taken and not system.schemas[n].routine]
            claim(not others, f"{it} lists {named(others)} in `events`, which none of its steps is: take it out")


def test_a_metric_of_turns_says_whose_turn_a_step_is(play: RandomPlay) -> None:
    """In a metric whose steps are turns, a step from a known state belongs to one side or power."""
    system = play.system
    start = system.layout.constants(play.start.state)
    for metric in [m for m in system.metrics if m.turns]:
        for side in system.sides:
            mover = metric.transition(side, ANY, start).at(start).mover
            it = f"a step of the metric {metric.name} is a turn"
            if mover is None:
                fails(f"{it}, but does not say whose: give it a `mover`")
            whose = substitute(mover, start)
            claim(whose.is_const, f"{it}, but whose is not known at the start: let `mover` read the state alone")
            who = system.side_of(str(whose.value)) if whose.is_const else None
            claim(who is not None, f"{it} of {whose}, who is no side or power: {named(system.sides)} are")


def test_what_is_true_already_costs_nothing(play: RandomPlay) -> None:
    """A goal that holds at the start has the empty plan."""
    system, state = play.system, play.start.state
    call = next(c for c in wishes(system) if c(system, state) is not None)
    for metric in system.metrics:
        plan = play.start.plan(call.goal(system, state), side=next(iter(system.sides)), minimize=metric.name)
        found = (plan.status, plan.cost, plan.steps, plan.replayed)
        nothing = f"{call.goal(system, state)} holds at the start, but a plan by {metric.name} for it is not empty"
        claim(found == ("optimal", 0, (), True), f"{nothing}: {plan.status}, cost {plan.cost}")


def test_each_metric_finds_a_single_step(play: RandomPlay, rng: Random) -> None:
    """Each metric finds a plan for the effect of a single step, and the rules accept it as a record."""
    for metric in play.system.metrics:
        side, goal, cost = one_step(play, metric, rng)
        it = f"a plan by {metric.name} of {side} for {goal}"
        claim(
            play.start.value(goal) is False, f"a step reaches {goal}, which holds at the start: a mistake in vclogic"
        )
        plan = play.start.plan(goal, side=side, minimize=metric.name)
        claim(plan.status == "optimal", f"a step reaches {goal}, but {it} is {plan.status}: a mistake in vclogic")
        claim(plan.replayed and plan.steps, f"{it} was not played again: a mistake in vclogic")
        claim(plan.cost is not None and plan.cost <= cost, f"{it} costs {plan.cost}, a single step {cost}")
        known = plan.events.included == metric.events
        known &= {*plan.events.included, *plan.events.left_out} == set(play.system.schemas)
        claim(known, f"{it} does not list the events of the metric: a mistake in vclogic")
        strange = {s.action for s in plan.steps} & set(play.system.schemas) - set(metric.events)
        claim(not strange, f"{it} holds {named(sorted(strange))}, which `events` of the metric leaves out: add it")
        is_record(play, plan, side, goal)


def test_steps_from_any_state_hold_those_from_the_start(play: RandomPlay, rng: Random) -> None:
    """The step for all states includes every step from the start, with the same result."""
    system, state = play.system, play.start.state
    start = system.layout.constants(state)
    transition = rng.choice(system.metrics).transition(next(iter(system.sides)), rng.choice((IDLE, ANY)), start)
    whole = universal_step(transition, start) if isinstance(transition, Scoped) else None
    if isinstance(transition, Scoped) and whole is not None:
        told = [start[f] for f in transition.known or ()]
        is_among(play, transition.at(start), whole, told, rng)


def is_among(play: RandomPlay, step: Transition, whole: Transition, told: Sequence[Term], rng: Random) -> None:
    """Check that single choices have the same result in the step from the start and in the step for all states."""
    layout, state = play.system.layout, play.start.state
    stepper, idle = Stepper(layout, step), {c: max(c.lo, 0) for c in step.choices}
    for choice in rng.sample(step.choices, min(len(step.choices), CHOICES)):
        chosen = {**idle, choice: some(choice, rng)}
        try:
            after = stepper.step(state, chosen)
        except (IllegalStep, OutOfBounds):
            continue
        own = {choice_of_case(c, told).name: n for c, n in chosen.items()}
        values = {
            **dict(zip(layout.fluents, state, strict=True)),
            **{c: own.get(c.name, max(c.lo, 0)) for c in whole.choices},
        }
        slot, numbers = {v: i for i, v in enumerate(values)}, list(values.values())
        it = f"the step {choice.name}, built for all states"
        claim(all(values_of(whole.legality, slot, numbers)), f"{it}, is refused at the start, where it is allowed")
        for fluent, new in whole.next.items():
            same = int(values_of([new], slot, numbers)[0]) == after[layout.slot[fluent]]
            claim(same, f"{it}, gives {fluent.name} another value than the one that is built for the start")


def test_a_step_says_the_same_however_much_is_known(play: RandomPlay, rng: Random) -> None:
    """A step built for the possible states at a depth judges choices like the step built for the actual state."""
    system = play.system
    start = system.layout.constants(play.start.state)
    for metric in system.metrics:
        for opponent in (IDLE, ANY):
            side = rng.choice(list(system.sides))
            transition = metric.transition(side, opponent, start)
            if isinstance(transition, Scoped):
                says_the_same(play, transition, rng)


def says_the_same(play: RandomPlay, transition: Transition, rng: Random) -> None:
    """Check that steps for possible states and steps for the actual state judge choices alike."""
    layout, state = play.system.layout, play.start.state
    unrolled = Unrolling(transition, layout.constants(state))
    numbers: dict[Term, int] = {}
    for depth in range(STEPS):
        known, exact = unrolled.states[depth], transition.at(layout.constants(state))
        loose = unrolled.next_step()
        numbers |= {t: state[layout.slot[f]] for f, t in known.items() if not t.is_const}
        now = {**numbers, **dict(zip(layout.fluents, state, strict=True))}
        picked = list(attempts([*exact.choices, *loose.choices], rng))
        results = [[outcome(step, now, chosen) for step in (exact, loose)] for chosen in picked]
        for chosen, (one, other) in zip(picked, results, strict=True):
            same = f"step {depth + 1}, {chosen}: built for what the state can be, it is not what it is for that state"
            claim(one == other, f"{same}: the metric's steps read something that they are not told")
        allowed = [(chosen, one) for chosen, (one, _) in zip(picked, results, strict=True) if one is not None]
        if not allowed:
            return
        chosen, changes = rng.choice(allowed)
        state = tuple(changes.get(f, x) for f, x in zip(layout.fluents, state, strict=True))
        unrolled.extend()
        numbers |= {t: chosen.get(c.name, max(c.lo, 0)) for c, t in unrolled.choices[depth].items()}


def attempts(choices: Sequence[Term], rng: Random) -> Iterator[dict[str, int]]:
    """Random assignments of choices, by name: none, one or two are made."""
    yield {}
    for _ in range(2 * CHOICES if choices else 0):
        yield {c.name: some(c, rng) for c in rng.sample(choices, min(len(choices), rng.choice((1, 1, 2))))}


def outcome(step: Transition, now: Mapping[Term, int], chosen: Mapping[str, int]) -> Mapping[Term, int] | None:
    """The changes if only the named choices are made; None if that is not allowed."""
    values = {**now, **{c: chosen.get(c.name, max(c.lo, 0)) for c in step.choices}}
    known = {c.name for c in step.choices} >= chosen.keys()
    if not known or not all(
        c.lo <= values[c] <= c.hi and (not c.mask or c.mask >> values[c] & 1) for c in step.choices
    ):
        return None
    slot, numbers = {v: i for i, v in enumerate(values)}, list(values.values())
    if not all(values_of(step.legality, slot, numbers)):
        return None
    after = zip(step.next, values_of(list(step.next.values()), slot, numbers), strict=True)
    return {f: int(n) for f, n in after if int(n) != values[f]}


def ignores_turns(play: RandomPlay, metric: Metric, side: str) -> bool:
    """True if a planning model ignores turn order, in a game that has turns."""
    system = play.system
    step = metric.transition(side, IDLE, system.layout.constants(play.start.state))
    return bool(system.schedule) and not any(f in step.next for f in system.schedule)


def is_record(play: RandomPlay, plan: Plan, side: str, goal: str) -> bool:
    """True if the rules accept a plan as a record, after which the goal must hold.

    Only the plan of a model that ignores turn order may have no record, and then it must say why.

    Raises:
        NotDecided: The time was up before a record was found.
    """
    it = f"the plan by {plan.metric} of {side} for {goal}"
    if plan.record is None:
        fails(f"{it} has no record: a mistake in vclogic")
    strange = sorted({e.name for e in plan.record.events or ()} - set(plan.events.included))
    claim(not strange, f"the record of {it} holds {named(strange)}: add it to `events` of the metric")
    if not plan.record.decided:
        raise NotDecided(f"whether the rules accept {it} as a record: {plan.record.reason}")
    if plan.record.events is None:
        metric = play.system.metric(plan.metric)
        assert metric is not None
        claim(plan.record.reason, f"{it} has no record, and no reason: a mistake in vclogic")
        help = "let its steps ask what the events ask"
        message = f"the rules refuse {it} as a record: {plan.record.reason}; {help}"
        claim(ignores_turns(play, metric, side), message)
        return False
    reached = goes_on(play, plan.record.events).value(goal) is True
    claim(reached, f"after the record of {it} the goal does not hold: do its steps and the events change the same?")
    return True


def test_plans_of_random_goals_are_records(play: RandomPlay, rng: Random) -> None:
    """Plans of random goals are accepted as records, and the goal holds at the end."""
    states = [g.state for g in play.games]
    for metric in play.system.metrics:
        for goal in random_goals(play.system, states, rng, GOALS):
            side = rng.choice(list(play.system.sides))
            plan = play.start.plan(goal, side=side, minimize=metric.name, timeout=SECONDS)
            with suppress(NotDecided):
                if plan.cost is not None:
                    is_record(play, plan, side, goal)
