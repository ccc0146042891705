"""The planning models that a rulebook's `plan` lines say: what their steps are made of, and what these cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.actions import Action
from vclogic.model.system import IDLE, Metric
from vclogic.model.transition import SingleActions, Transition, one_at_a_time
from vclogic.rulebook.aims import EVENT_STEP, ROUND_STEP, Counted, PlanRule, Used
from vclogic.rulebook.meaning.remembered import Memory
from vclogic.rulebook.plans.part_events import Part
from vclogic.rulebook.plans.stages import Deed
from vclogic.rulebook.plans.turns import Course, TurnPlan
from vclogic.rulebook.play.events import EventMeaning
from vclogic.rulebook.play.game import Play, possible
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Statement
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import or_
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Word
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term
from vclogic.words import amount, joined

_MOST_COST = 9999
State = Mapping[Term, Term]
AS_IT_COMES = "each event of a step is judged by what those before it in the step have left"
LOOKED_AT = "what the rules remember and judge is looked at after each part of a turn, not within it"
UNDECIDED = "nobody chooses {}, and plans take what serves the goal: ask with a plan that leaves it out"
DUE = "turns are left out after which chance or somebody has to decide something first"


def plan_models(play: Play, memory: Memory, over: Term) -> dict[str, tuple[Metric, bool]]:
    """The planning models that lines make by name, in the order of the text, each with whether its steps are turns.

    Steps that are turns know what the rules remember, and when the game is over; single events are still to be told.
    Models that functions in Python make are in `vclogic.rulebook.plans.coded`.

    Args:
        play: Its events.
        memory: Its facts that remember.
        over: Bool: whether the game has ended by an outcome.

    Raises:
        InputError: All that is wrong with the lines.
    """
    found: dict[str, PlanModel] = {}
    names: set[str] = set()
    for source, statement, rule in play.each(PlanRule):
        with play.at(source):
            if rule.name.text in names:
                message = f"there is a plan {quoted(rule.name.text)} already"
                raise source.goal.error(rule.name.at, message, "give it another name", "taken-name")
            names.add(rule.name.text)
            if rule.python is None:
                found[rule.name.text] = PlanModel(rule, source, statement, play)
    play.check()
    ended = or_(over, play.timing.ended)
    return {name: (model.metric(memory, ended), model.by_turns) for name, model in found.items()}


class PlanModel:
    """A planning model of a rulebook.

    Args:
        rule: What the text says of it.
        source: Its block.
        statement: The statement.
        play: The events.

    Raises:
        InputError: What is wrong with it.
    """

    def __init__(self, rule: PlanRule, source: RulesSource, statement: Statement, play: Play):
        self.rule, self.source, self.statement, self.play = rule, source, statement, play
        self._events = play.events
        self._own = [*dict.fromkeys((*play.world.ends, *(name for name, _, _ in play.own_events())))]
        self.by_turns = rule.step != EVENT_STEP
        for used in (u for part in rule.uses for u in part):
            self._event(used.event)
            if used.after is not None:
                self._follows(used)
        for word in rule.without:
            self._event(word)
        self._check_step()
        self.parts = list(self._parts())
        self._keeps = frozenset(self._kept())
        self._prices = dict(self._priced())
        self._made: dict[str, tuple[Action, ...]] = {}
        self._deeds: dict[tuple[int, str], Mapping[str, Sequence[Deed]]] = {}

    # ---- what is wrong with it

    def _wrong(self, word: Word, message: str, help: str | None, code: str = "wrong-value") -> InputError:
        return self.source.goal.error(word.at, message, help, code)

    def _event(self, word: Word) -> None:
        """Check that there is an event of a name."""
        known = [*dict.fromkeys((*self._events, *self._own))]
        if word.text not in known:
            message = f"there is no event {quoted(word.text)}"
            raise self._wrong(word, message, did_you_mean(word.text, known), "unknown-name")

    def _follows(self, used: Used) -> None:
        """Check that what comes before an event is asked of nothing that the event is not."""
        assert used.after is not None, "that is asked before"
        self._event(used.after)
        if not self.by_turns:
            raise self._wrong(used.after, "a step is one event here", "write step is a turn, or leave `after` out")
        for word in (used.event, used.after):
            if word.text in self._own:
                raise self._wrong(word, f"{word.text} comes by itself", "name an event that the text declares")
        one, two = (self._events[w.text] for w in (used.event, used.after))
        more = [n for n in two.arguments if n not in one.arguments or one.arguments[n].name != two.arguments[n].name]
        if more:
            message = f"{used.after.text} is asked of {more[0]}, and {used.event.text} is not"
            raise self._wrong(used.after, message, "what comes before an event has its arguments, called alike")

    def _check_step(self) -> None:
        rule, play = self.rule, self.play
        if not self.by_turns:
            for what in (rule.most, rule.each):
                if what is not None:
                    raise self._wrong(rule.name, "a step is one event here", "write step is a turn, at most 5 events")
            if rule.turns:
                message = "a step is one event here, and turns are counted"
                raise self._wrong(rule.name, message, "write step is a turn")
            return
        if play.world.turn.one:
            message, help = "a turn is one event in this game", "write step is an event"
            raise self._wrong(rule.name, message, help, "not-here")
        if play.timing.irregular:
            message = "whose turn is next can depend on what happens in this game"
            raise self._wrong(rule.name, message, "write step is an event", "not-here")
        kinds = play.names.kinds
        if rule.each is not None and rule.each.text not in kinds:
            message = f"there is no kind {quoted(rule.each.text)}"
            raise self._wrong(rule.each, message, did_you_mean(rule.each.text, kinds), "unknown-name")

    # ---- what it uses

    def _parts(self) -> Iterator[tuple[str, tuple[Used, ...]]]:
        """The parts of a turn, each with its phase."""
        out, phases = {w.text for w in self.rule.without}, self.play.timing.phases
        if self.rule.uses:
            last = -1
            for part in self.rule.uses:
                named = [w for u in part for w in (u.event, u.after) if w is not None and self._phase(w.text)]
                found = {self._phase(w.text): w for w in named}
                phase, *others = found or ("",)
                if others:
                    message = f"{found[others[0]].text} belongs to another phase than {found[phase].text}"
                    raise self._wrong(found[others[0]], message, "write then between them")
                if phase and phases.index(phase) < last:
                    help = "name the events in their order"
                    raise self._wrong(found[phase], f"the phase {phase} comes earlier", help)
                last = phases.index(phase) if phase else last
                stay = tuple(u for u in part if u.event.text not in (*out, *self._own))
                if stay:
                    yield phase, stay
            return
        used = [Used(Word(name, 0)) for name in self._events if name not in (*out, *self._own)]
        for phase in ("", *phases):
            stay = tuple(u for u in used if self._phase(u.event.text) == phase)
            if stay:
                yield phase, stay

    def _phase(self, event: str) -> str:
        found = self._events[event].rule.phase if event in self._events else None
        return "" if found is None else found.text

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The events that it uses, ends of turns and phases included."""
        out = {w.text for w in self.rule.without}
        used = {w.text for _, part in self.parts for u in part for w in (u.event, u.after) if w is not None}
        every = dict.fromkeys((*self._events, *self._own))
        return tuple(s for s in every if s in used or (s in self._own and s not in out))

    def _kept(self) -> Iterator[Term]:
        """The facts that stay as they are."""
        names, play = self.play.names, self.play
        for kept in self.rule.keeps:
            each: Iterable[tuple[Mapping[str, BoundVariable], Term]] = [({}, TRUE)]
            for line in () if kept.binder is None else names.within(self.source, kept.binder, {}):
                each = line.each(each)
            for bound, when in each:
                if when is TRUE:
                    yield from (f for f, _ in play.targets(self.source, kept.fact, bound))

    # ---- what it counts

    def _priced(self) -> Iterator[tuple[str, Counted]]:
        for counted in self.rule.counts:
            for word in counted.events:
                self._event(word)
                if word.text in self._own:
                    raise self._wrong(word, f"{word.text} comes by itself and costs nothing", "count another event")
                yield word.text, counted

    def _cost(self, event: EventMeaning, action: Action) -> int:
        """The cost of an event."""
        if self.rule.turns:
            return 0
        if not self.rule.counts:
            before = {u.after.text for _, part in self.parts for u in part if u.after is not None}
            return int(event.name not in before and not event.chance)
        counted = self._prices.get(event.name)
        if counted is None:
            return 0
        value = self.play.names.resolved(self.source, counted.value, event.bound(dict(action.args))).partial.value
        if not isinstance(value.sort, IntSort) or not value.is_const or not 0 <= value.lo <= _MOST_COST:
            message = f"what {event.name} costs is no number from 0 to {_MOST_COST} that the board decides"
            help = "let it depend on the event's arguments and on columns alone"
            raise self.source.goal.error(counted.value.at, message, help, "wrong-value")
        return int(value.lo)

    # ---- its events

    def actions(self, name: str, actors: Sequence[str]) -> Iterator[Action]:
        """The events of a name that change nothing that stays, with their costs."""
        event = self._events[name]
        owed = self.play.world.movers.members if event.rule.at_once else actors
        for actor in owed if event.actors else ("",):
            key = f"{name} {actor}"
            if key not in self._made:
                self._made[key] = tuple(self._each(event, [actor] if actor else None))
            yield from self._made[key]

    def _each(self, event: EventMeaning, actors: Sequence[str] | None) -> Iterator[Action]:
        with self.play.at(self.source):
            for given in event.every(actors):
                action = event.action(**given)
                if self._keeps.isdisjoint(f for f, _ in action.effects) and possible(action):
                    yield replace(action, costs={self.rule.name.text: self._cost(event, action)})
        self.play.check()

    # ---- as a planning model

    def metric(self, memory: Memory, over: Term) -> Metric:
        """The planning model."""
        rule, play = self.rule, self.play
        name = rule.name.text
        every = [*self._events, *self._own]
        unit = {EVENT_STEP: "event", ROUND_STEP: "round"}.get(rule.step, "turn")
        steps: Callable[[str | None, str, State], Transition] = self._by_events
        if self.by_turns:
            sides = {p: side for side, powers in play.world.sides.items() for p in (side, *powers)}
            course = Course(
                turn=play.timing.turn.fluent,
                phase=None if play.timing.phase is None else play.timing.phase.fluent,
                phases=play.timing.phases,
                order=play.timing.order,
                sides=sides,
                ends=self._end,
                memory=memory,
                over=over,
            )
            parts = tuple(Part(phase, partial(self._deeds_of, n)) for n, (phase, _) in enumerate(self.parts))
            plan = TurnPlan(course, parts, rule.most, rule.turns, rule.step == ROUND_STEP)
            steps = partial(self._by_turns, plan)
        return Metric(
            name,
            unit,
            rule.text,
            self._text,
            steps,
            partial(self._assumptions, bool(memory.fluents)),
            events=self.names,
            turns=unit == "turn",
            clock=() if self.by_turns or self.rule.keeps or {*self.names} != {*every} else play.timing.clock,
            counted=self._counted,
            open_choices=lambda goal, start: self._open,
        )

    def _end(self, mover: str, phase: str) -> Action:
        """The end of a phase, or of a turn where there are none."""
        name = next(n for n, phases in self.play.world.ends.items() if phase in phases or not phases)
        key = f"end {name} {mover}"
        if key not in self._made:
            own = next((e for e in self.play.own_events() if e[0] == name), None)
            if own is not None:
                found = [self.play.own(name, mover, own[2])]
            else:
                found = [self._events[name].action(**given) for given in self._events[name].every([mover])]
            if len(found) != 1:
                message = f"{name} ends a phase, and there are {len(found)} of it for {mover}"
                help = "a step is a turn where one event ends each phase; write step is an event"
                raise InputError(
                    self.source.placed(d) for d in self._wrong(self.rule.name, message, help).diagnostics
                )
            self._made[key] = (found[0],)
        return self._made[key][0]

    def _deeds_of(self, part: int, mover: str) -> Mapping[str, Sequence[Deed]]:
        """The events of a part of somebody's turn, by what has one of them at most."""
        key = part, mover
        if key not in self._deeds:
            found: dict[str, list[Deed]] = {}
            for used in self.parts[part][1]:
                first = {}
                if used.after is not None:
                    first = {a.args: Deed.of(a) for a in self.actions(used.after.text, [mover])}
                for action in self.actions(used.event.text, [mover]):
                    before = None
                    if used.after is not None:
                        names = [n for n, _ in next(iter(first), ())]
                        before = first.get(tuple((n, x) for n, x in action.args if n in names))
                        if before is None:
                            continue
                    cost = sum(a.costs[self.rule.name.text] for a in (action, before.action if before else None) if a)
                    found.setdefault(self._subject(action), []).append(Deed.of(action, before, cost))
            self._deeds[key] = found
        return self._deeds[key]

    def _subject(self, action: Action) -> str:
        """The name of the argument of which an event has one at most."""
        if self.rule.each is not None:
            kinds = self._events[action.name].kinds
            for name, value in action.args:
                if kinds[name].name == self.rule.each.text:
                    return str(value)
        return action.key

    def _by_turns(self, plan: TurnPlan, side: str | None, opponent: str, start: State) -> Transition:
        return plan.steps(side, self._moving(side, opponent))

    def _moving(self, side: str | None, opponent: str) -> Sequence[str]:
        """The sides or powers whose events are chosen."""
        world = self.play.world
        idle = side is not None and opponent == IDLE
        return [p for p in self.play.timing.order if not idle or p in (side, *world.sides.get(side or "", ()))]

    def _by_events(self, side: str | None, opponent: str, start: State) -> SingleActions:
        """One event: of those that the game's own model has, the ones that this uses."""
        found = []
        for action in self.play.choosable(side, opponent):
            ours = side is None or not isinstance(action.actor, str) or self.play.side_of(action.actor) == side
            if action.name in self.names and self._keeps.isdisjoint(f for f, _ in action.effects):
                event = self._events.get(action.name)
                cost = self._cost(event, action) if event is not None and ours else 0
                found.append(replace(action, costs={self.rule.name.text: cost}))
        return self.play.rather_passing(one_at_a_time(found, self.rule.name.text))

    # ---- in words

    @property
    def _counted(self) -> str:
        if self.rule.turns:
            return "turns"
        if not self.rule.counts:
            return "events"
        return ""

    @property
    def _text(self) -> str:
        steps = {EVENT_STEP: "one event", ROUND_STEP: "the turns of a round"}
        what = steps.get(self.rule.step, "the turn of one side")
        counts = "turns" if self.rule.turns else "events" if not self.rule.counts else "what events cost"
        return f"a step is {what}; counted are {counts}"

    @property
    def _open(self) -> str:
        """Why nothing is said against best replies."""
        events = [self._events[n] for n in self.names if n in self._events]
        nobodys = [e.name for e in events if not e.actors]
        return UNDECIDED.format(joined(nobodys, "or")) if nobodys and self.by_turns else ""

    def _assumptions(self, remembers: bool, side: str | None, opponent: str) -> tuple[str, ...]:
        return tuple(self._assumed(remembers))

    def _assumed(self, remembers: bool) -> Iterator[str]:
        rule = self.rule
        if not self.by_turns:
            if rule.keeps:
                yield self._stay
            return
        happen = "happens" if rule.most == 1 else "happen"
        most = "any number of events" if rule.most is None else f"at most {amount(rule.most, 'event')}"
        each = "" if rule.each is None else f", and each {rule.each.text} has one at most in each part of it"
        yield f"in a turn {most} {happen}{each}; {AS_IT_COMES}"
        if len(self.parts) > 1:
            told = (joined([u.event.text for u in part], "and") for _, part in self.parts)
            yield f"the parts of a turn in their order: {', then '.join(told)}"
        for used in (u for _, part in self.parts for u in part if u.after is not None):
            assert used.after is not None, "it is one of these"
            one, two = used.after.text, used.event.text
            yield f"{one} comes before {two}, and all of them before the first {two}"
        if rule.keeps:
            yield self._stay
        if remembers:
            yield LOOKED_AT
        if self.play.decides_first:
            yield DUE

    @property
    def _stay(self) -> str:
        said = (k.fact.text if isinstance(k.fact, Word) else str(k.fact.text) for k in self.rule.keeps)
        return f"no step changes what the plan keeps: {', '.join(dict.fromkeys(said))}"
