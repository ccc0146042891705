"""Player-turns as steps of plans: the parts of a turn in their order, the ends of phases, and the end of the turn.

What facts remember is looked at after each part, and at each end. Where an outcome is met on the way the game is
over: the rest of the step changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from vclogic.model.actions import Action, Event
from vclogic.model.fluents import Value
from vclogic.model.memoized import Latest
from vclogic.model.objectives import following
from vclogic.model.picture import Known
from vclogic.model.step_text import StepText, step_text
from vclogic.model.transition import Chosen, Hints, Scoped, Transition
from vclogic.rulebook.meaning.remembered import Memory
from vclogic.rulebook.plans.part_events import Part, PartEvents, changed_by, possible
from vclogic.rulebook.plans.stages import Deed, Stage, Subject
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import add, and_, count, eq, ite, le, not_, or_, scale
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term, variables

State = Mapping[Term, Term]
Following = dict[Term, Term]
_KEPT = 4  # steps: searches and replay ask for the same


@dataclass(frozen=True)
class Course:
    """The parts that turns of a game are made of.

    Attributes:
        turn: The fact that says whose turn it is.
        phase: The phase; None: there are none.
        phases: The phases in their order.
        order: Who has turns, in their order.
        sides: The side of each.
        ends: The event that ends a phase, or the turn where there are none, given who is on turn, and the phase.
        memory: The facts that remember.
        over: Bool: whether the game has ended.
    """

    turn: Term
    phase: Term | None
    phases: Sequence[str]
    order: Sequence[str]
    sides: Mapping[str, str]
    ends: Callable[[str, str], Action]
    memory: Memory
    over: Term

    @property
    def every_end(self) -> list[tuple[str, str, Action]]:
        """All events that end a phase or a turn, each with who is on turn and the phase."""
        each = ((mover, phase) for mover in self.order for phase in self.phases or ("",))
        return [(mover, phase, self.ends(mover, phase)) for mover, phase in each]


@dataclass(frozen=True)
class TurnPlan:
    """The turns of a plan.

    Attributes:
        course: What turns are made of.
        parts: The parts of a turn.
        most: The most events of a turn; None: any number.
        turns: Whether turns are counted, not events.
        rounds: Whether a step is a round.
    """

    course: Course
    parts: Sequence[Part]
    most: int | None
    turns: bool
    rounds: bool

    def steps(self, side: str | None, moving: Sequence[str], *, resting: bool = False) -> Scoped:
        """The step.

        Args:
            side: Whose costs count; None: those of all.
            moving: Those whose events are chosen; others only let their turns pass.
            resting: Whether nothing is chosen.
        """
        course = self.course
        changed = dict.fromkeys(f for p in moving for part in self.parts for f in changed_by(part.deeds(p)))
        reads = tuple(dict.fromkeys(self._reads(moving)))
        known = tuple(f for f in (course.turn, course.phase) if f is not None and not f.is_const)
        then = {**{f: f for f in changed}, **self.passing}
        grounds: dict[tuple[Term, ...], PartEvents] = {}
        made: Latest[tuple[tuple[Term, Term], ...], Transition] = Latest(
            _KEPT
        )  # searches and replay ask for the same

        def ground(state: State) -> PartEvents:
            fixed = {f: x for f, x in state.items() if x.is_const and f not in then}
            key = tuple(x for pair in fixed.items() for x in pair)
            if key not in grounds:
                grounds[key] = PartEvents(self.parts, Substitution(fixed))
            return grounds[key]

        def step(state: State) -> Transition:
            return self._step(side, moving, state, ground(state), resting=resting)

        return Scoped(
            next=then,
            legality=() if course.over is FALSE else (not_(course.over),),
            scope=lambda state, wanted: made.get((*state.items(),), partial(step, state)),
            reads=lambda state: reads,
            known=known,
            hints=Hints(
                fewest_choices=True,
                resting=None if resting or not self._dear(side, moving) else self.steps(side, moving, resting=True),
            ),
        )

    def _dear(self, side: str | None, moving: Sequence[str]) -> bool:
        """True if whatever is done costs at least 1."""
        if self.turns:
            return False
        deeds = ((p, d) for p in moving for part in self.parts for each in part.deeds(p).values() for d in each)
        return all(d.cost >= 1 and side in (None, self.course.sides[p]) for p, d in deeds)

    def _reads(self, moving: Sequence[str]) -> Iterator[Term]:
        course = self.course
        yield from (f for f in (course.turn, course.phase) if f is not None and not f.is_const)
        every = (d for part in self.parts for mover in moving for each in part.deeds(mover).values() for d in each)
        both = (d for deed in every for d in ((deed, deed.before) if deed.before else (deed,)))
        yield from variables(*dict.fromkeys(t for d in both for t in (*d.asks, *(new for _, new in d.effects))))
        yield from variables(course.over, *(end.guard for *_, end in course.every_end))

    @cached_property
    def passing(self) -> Mapping[Term, Term]:
        """The facts after the end of a phase, or of a turn where there are none, if nothing else happens."""
        course, found = self.course, dict[Term, Term]()
        for mover, phase, end in course.every_end:
            here = eq(course.turn, mover)
            here = here if course.phase is None else and_(here, eq(course.phase, phase))
            then = dict(end.effects)
            for fact, new in {**then, **course.memory.further({}, then)}.items():
                found[fact] = ite(here, new, found.get(fact, fact))
        return found

    def _step(
        self, side: str | None, moving: Sequence[str], state: State, ground: PartEvents, *, resting: bool
    ) -> Transition:
        on_turn = _known(state, self.course.turn)
        phase = "" if self.course.phase is None else _known(state, self.course.phase)
        made = _Made(self, side, moving, state, ground, resting)
        order = self.course.order
        made.turn(on_turn, phase)
        if self.rounds:
            for mover in order[order.index(on_turn) + 1 :]:
                made.turn(mover, self.course.phases[0] if self.course.phases else "")
        now = made.now
        return Transition(
            choices=tuple(made.choices),
            legality=(not_(self.course.over), *(t for t in made.laws if t is not TRUE)),
            next={f: new for f, new in now.items() if new is not state.get(f, f)},
            cost=add(integer(0), *made.costs),
            describe=lambda chosen, values: made.described(chosen, values),
            mover=None if self.rounds or self.course.turn.is_const else self.course.turn,
            hints=Hints(fewest_choices=True),
            events=made.events,
            taken=made.taken,
        )


@dataclass
class _Done:
    """A part that was put into a step: the stage of its events, and of what comes before them.

    Attributes:
        mover: Who is on turn.
        stage: Its events.
        first: For each event of each subject what comes before it.
    """

    mover: str
    stage: Stage
    first: Stage | None


@dataclass
class _Made:
    """A step that is being made.

    Attributes:
        plan: The plan.
        side: Whose costs count.
        moving: Those whose events are chosen.
        state: What is known of the state before it.
        ground: The events.
        resting: Whether none of them is chosen.
        now: The facts that are others by now, over fluents before the step and choices.
    """

    plan: TurnPlan
    side: str | None
    moving: Sequence[str]
    state: State
    ground: PartEvents
    resting: bool
    now: Following = field(default_factory=dict)
    choices: list[Term] = field(default_factory=list)
    laws: list[Term] = field(default_factory=list)
    costs: list[Term] = field(default_factory=list)
    taken: dict[Term, Action] = field(default_factory=dict)
    done: list[_Done] = field(default_factory=list)
    over: Term = FALSE
    """Bool: whether the game has ended within the step."""

    @property
    def here(self) -> Following:
        """The facts by now, as far as they are known or others than before the step."""
        return {**self.state, **self.now}

    @cached_property
    def memory(self) -> Memory:
        """The memory of facts, as far as it matters."""
        return self.plan.course.memory.only(self.state.keys())

    # ---- what happens in it

    def turn(self, mover: str, phase: str) -> None:
        """A turn, from one of its phases on."""
        course, here = self.plan.course, phase
        acting: list[Term] = []
        for part in self.plan.parts if mover in self.moving else ():
            if part.phase and course.phases.index(part.phase) < course.phases.index(here):
                continue
            while part.phase and here != part.phase:
                here = self._ends(mover, here)
            acting += self._part(mover, part)
        if self.plan.most is not None and len(acting) > self.plan.most:
            self.laws.append(le(count(acting), self.plan.most))
        while here or not course.phases:
            here = self._ends(mover, here)
            if not here:
                break
        if self.plan.turns and self.side in (None, course.sides[mover]):
            self.costs.append(integer(1))

    def _ends(self, mover: str, phase: str) -> str:
        """The end of a phase, or of the turn; the phase after it, none where the turn has ended."""
        course, end = self.plan.course, self.plan.course.ends(mover, phase)
        at = Substitution(self.here)
        self.laws.append(or_(self.over, at(end.guard)))
        self._becomes({f: at(new) for f, new in end.effects})
        left = [*course.phases[course.phases.index(phase) + 1 :]] if phase else []
        following = course.order[(course.order.index(mover) + 1) % len(course.order)]
        self._passes(course.turn, mover if left else following)
        if course.phase is not None:
            self._passes(course.phase, left[0] if left else course.phases[0])
        return left[0] if left else ""

    def _passes(self, fact: Term, then: str) -> None:
        """Make turn and phase known after each step: where the game may have ended, too."""
        if not fact.is_const:
            assert isinstance(fact.sort, EnumSort), "it says whose turn it is, or the phase"
            now = self.here.get(fact, fact)
            self.now[fact] = now if now.is_const else member(fact.sort, then)

    def _part(self, mover: str, part: Part) -> list[Term]:
        """A part of a turn; whether each subject acts in it."""
        subjects = [] if self.resting else list(self._subjects(mover, part))
        was, first = self.over, _first(subjects, self.here)
        before, changed = self.ground.changed(part, mover)
        if first is not None:
            self.laws += first.laws()
        self._looked_at(before, {} if first is None else first.effects())
        stage = Stage(subjects, self.here, most=self.plan.most)
        self.laws += stage.laws()
        self._looked_at(changed, stage.effects())
        if not subjects:
            return []
        self.choices += stage.choices
        counted = self.side in (None, self.plan.course.sides[mover]) and not self.plan.turns
        for subject in subjects:
            if was is not FALSE:
                self.laws.append(not_(and_(was, subject.does)))
            for n, deed in enumerate(subject.deeds):
                self.taken[subject.taken([n])] = deed.action
            if counted:
                self.costs += _costs(subject)
        for subject in first.subjects if first else ():
            self.taken |= {subject.taken([n]): d.action for n, d in enumerate(subject.deeds)}
        self.done.append(_Done(mover, stage, first))
        return [s.does for s in subjects]

    def _looked_at(self, facts: Sequence[Term], new: Mapping[Term, Term]) -> None:
        """Take in what becomes of facts that a part may change: they are looked at whatever happens."""
        if facts:
            self._becomes({**{f: self.here.get(f, f) for f in facts}, **new})

    def _subjects(self, mover: str, part: Part) -> Iterator[Subject]:
        """The subjects that may act, with the events that what is known of the state allows."""
        every = self.ground.deeds(part, mover)
        writers: dict[Term, set[str]] = {}
        for name, deeds in every.items():
            for fact in changed_by({name: deeds}):
                writers.setdefault(fact, set()).add(name)
        for name, deeds in every.items():
            free = {f for f, by in writers.items() if by != {name}} | {*self.now}
            known = Substitution({f: x for f, x in self.state.items() if f not in free})
            stay = [*possible(deeds, known)]
            if stay:
                called = f"{mover}, {name}" if self.plan.rounds else name
                yield Subject(called, stay, self.ground.key(part, mover, name))

    def _becomes(self, new: Mapping[Term, Term]) -> None:
        """Take in changes, with what facts remember, unless the game was over."""
        course, was, before = self.plan.course, self.over, self.here
        then = {**self.now, **{f: x for f, x in new.items() if f in self.state}}
        if self.memory.fluents and not self.memory.unchanged(new):
            then |= {f: x for f, x in self.memory.further(before, {**before, **then}).items() if f in self.state}
        if was is not FALSE:
            then = {f: ite(was, before.get(f, f), x) for f, x in then.items()}
        self.now = then
        if course.over is not FALSE:
            self.over = or_(was, Substitution(self.here)(course.over))

    # ---- what it is for a reader

    def _in_order(self, chosen: Chosen) -> Iterator[tuple[list[Action], list[Action]]]:
        """The events of each part, after those that come before them."""
        for done in self.done:
            acting = [s.deeds[n] for _, s in done.stage.in_order(chosen) if (n := s.made(chosen)) is not None]
            first = {d.before.action.key: d.before.action for d in acting if d.before is not None}
            yield [*first.values()], [d.action for d in acting]

    def events(self, chosen: Chosen) -> Sequence[Event]:
        """The events of a record."""
        return [Event(a.name, a.args) for first, then in self._in_order(chosen) for a in (*first, *then)]

    def described(self, chosen: Chosen, values: Mapping[Term, Value]) -> Sequence[StepText]:
        """The events in words."""
        found: list[StepText] = []
        for first, then in self._in_order(chosen):
            for action in first:
                values = following(values, action.effects)
            for action in _as_they_stand(then, values):
                found.append(step_text(action, values))
                values = following(values, action.effects)
        if found:
            return found
        mover = _known(self.state, self.plan.course.turn)
        end = self.plan.course.ends(mover, next(iter(self.plan.course.phases), ""))
        return [StepText(mover, end.name, {}, f"{mover}: the turn passes without a move")]


def _as_they_stand(actions: list[Action], values: Mapping[Term, Value]) -> list[Action]:
    """Events in the order of their names, as far as the rules accept them so and they lead to the same."""
    left, found, now = sorted(actions, key=lambda a: a.key), list[Action](), values
    while left:
        known = Known(now)
        open_ = next((a for a in left if known(a.guard)), None)
        if open_ is None:
            return actions
        left.remove(open_)
        found.append(open_)
        now = following(now, open_.effects)
    as_planned = values
    for action in actions:
        as_planned = following(as_planned, action.effects)
    return found if now == as_planned else actions


def _costs(subject: Subject) -> Iterator[Term]:
    """The costs of a subject's event."""
    by_cost: dict[int, list[int]] = {}
    for n, deed in enumerate(subject.deeds):
        by_cost.setdefault(deed.cost, []).append(n)
    for cost, numbers in by_cost.items():
        if cost:
            yield scale(ite(subject.taken(numbers), integer(1), integer(0)), cost)


def _first(subjects: Sequence[Subject], here: Mapping[Term, Term]) -> Stage | None:
    """The stage before the events of some subjects, in the order of these; None: there is none.

    Args:
        subjects: The subjects.
        here: What facts are before it.
    """
    found = []
    for subject in subjects:
        numbers: dict[str, list[int]] = {}
        before: dict[str, Deed] = {}
        for n, deed in enumerate(subject.deeds):
            if deed.before is not None:
                key = deed.before.action.key
                before[key] = deed.before
                numbers.setdefault(key, []).append(n)
        if before:
            taken = [subject.taken(numbers[key]) for key in before]
            found.append(Subject(subject.name, [*before.values()], taken=taken))
    return Stage(found, here, ranked=False) if found else None


def _known(state: State, fact: Term) -> str:
    """The value of a fact that is known."""
    found = fact if fact.is_const else state[fact]
    assert found.is_const, "turns go in order from a known one"
    return str(found.value)
