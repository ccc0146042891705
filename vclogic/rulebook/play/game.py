"""Rules of play: whose events these are, how turns end and are passed, and the steps of plans."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from vclogic.errors import did_you_mean, quoted
from vclogic.model.actions import Action, Event, Requirement, Schema
from vclogic.model.citation import Cites
from vclogic.model.fluents import Family
from vclogic.model.rules import Rule
from vclogic.model.system import IDLE, Metric
from vclogic.model.transition import Chosen, SingleActions, Transition, one_at_a_time, plain
from vclogic.rulebook.board.world import END_PHASE, END_TURN, OVER, World, loose
from vclogic.rulebook.declarations import Effect, EventRule, EveryEvent, Need, TurnIs, TurnOrder
from vclogic.rulebook.declarations import PassRule as PassingRule
from vclogic.rulebook.meaning.names import Bindings, Statements, TextNames, taken
from vclogic.rulebook.meaning.remembered import Memory
from vclogic.rulebook.play.doing import circles
from vclogic.rulebook.play.effects import EffectLine, Effects, targets
from vclogic.rulebook.play.events import COST, EventMeaning
from vclogic.rulebook.play.timing import PAIR, Passing, Timing
from vclogic.rulebook.play.wording import told
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import RememberedFact, Statement
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import all_of, and_, any_of, eq, implies, ite, not_, or_
from vclogic.terms.expressions.line import Argument
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Call, Word
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind

TURNS = "turns"
STOPS = "where a side can do nothing in its turn, play stops: the rules know no pass"
PASS = "pass"
NO_PASS = "the opponent, who has to do something in its turn since the rules know no pass, makes any legal moves"
MUST_MOVE = "the opponent, who may pass only where it can do nothing else, makes any legal moves"
OTHERS = {
    NO_PASS: "the others, who have to do something in their turns since the rules know no pass, make any legal moves",
    MUST_MOVE: "the others, who may pass only where they can do nothing else, make any legal moves",
}
"""The same of more than two sides."""


def possible(action: Action) -> bool:
    """True if an event asks for nothing that is never so."""
    return not any(r.term is FALSE for r in action.requirements)


class Play(Statements):
    """The events of a rulebook together.

    Args:
        world: What it declares.
        timing: Its time.
        names: What its lines can speak of.
        memory: How its facts change by themselves; None: something is wrong with it.
        like: The events under other Readings, of which those are taken that are the same; None: there are none.

    Attributes:
        events: Its events by name.

    Raises:
        InputError: All that is wrong with them.
    """

    def __init__(
        self, world: World, timing: Timing, names: TextNames, memory: Memory | None, like: Play | None = None
    ):
        super().__init__(names.sources)
        self._unknown = names._unknown  # what is wrong with these names is told already
        self.world, self.timing, self.names, self._memory = world, timing, names, memory
        over = timing.over if timing.ends else None
        told = (f for f in (timing.turn, timing.round, timing.phase, over) if f is not None)
        self.families: dict[str, Family] = {**names.families, **{f.name: f for f in told}}
        self._restrictions = list(self.each(EveryEvent))
        self.events: dict[str, EventMeaning] = {}
        same = {} if like is None else self._same(like)
        for source, statement, rule in self.each(EventRule):
            with self.at(source):
                if rule.name.text in same:
                    self.events[rule.name.text] = same[rule.name.text].beside(self)
                    continue
                names.new_name(source, rule.name)
                self._refuse_taken(source, rule.name)
                self.events[rule.name.text] = EventMeaning(rule, source, statement, self)
        if names.common is None:
            circles(self)
        self._check({e for e in self.events if e not in same})
        self.check()

    def _refuse_taken(self, source: RulesSource, name: Word) -> None:
        """Refuse an event that is there already, or is one of ours which no line calls so."""
        if name.text in self.events or name.text == PASS:
            raise taken(source, name, "an event")
        own = self.world.ends if self.world.ends else (END_TURN, END_PHASE)
        if name.text in own and name.text not in [w.text for w in self.world.turn.ends if w]:
            message = f"{quoted(name.text)} means something already: an event"
            help = f"give it another name; if it is how a turn or a phase ends, write turn is ... until {name.text}"
            raise source.goal.error(name.at, message, help, "taken-name")

    def _same(self, like: Play) -> Mapping[str, EventMeaning]:
        """The events whose lines are the same as under other Readings."""
        if not self.names.keeps(*(content for _, _, content in self._restrictions)):
            return {}
        return {n: e for n, e in like.events.items() if self.names.keeps(e.rule)}

    def _check(self, new: Collection[str]) -> None:
        """Report wrong names of events and phases, and what is wrong with the lines of each event.

        Args:
            new: The events that are not the same as under other Readings.
        """
        known = [*dict.fromkeys((*self.events, *self.world.ends, END_TURN, END_PHASE, PASS))]
        for source, _, content in self._restrictions:
            if content.of is not None:
                with self.at(source):
                    where = f"write the line below the event: event {content.of.text} ..."
                    raise source.goal.error(content.of.at, "what one event needs stands below it", where)
            for word in content.but:
                with self.at(source):
                    if word.text not in known:
                        help = did_you_mean(word.text, known)
                        raise source.goal.error(
                            word.at, f"there is no event {quoted(word.text)}", help, "unknown-name"
                        )
        for event in [event for name, event in self.events.items() if name in new]:
            phase = event.rule.phase
            with self.at(event.source):
                if phase is not None and phase.text not in self.timing.phases:
                    help = did_you_mean(phase.text, self.timing.phases) or "write turn is PHASE, PHASE"
                    message = f"there is no phase {quoted(phase.text)}"
                    raise event.source.goal.error(phase.at, message, help, "unknown-name")
                wrong = 0
                for line in event.lines():
                    with self.at(event.source):
                        wrong += 1
                        line()
                        wrong -= 1
                for given in islice(event.some(), 0 if wrong else 1):
                    tuple(event.action(**given).effects)

    # ---- what an event needs to know of the rest

    def family(self, source: RulesSource, fact: Call | Word) -> Family:
        """The fact that a line changes.

        Raises:
            InputError: There is none of that name.
        """
        if fact.text in self.names.lacking:
            return self.names.lacking[fact.text]
        if fact.text not in self.families:
            help = did_you_mean(fact.text, self.families) or "a fact is declared: fact NAME(KIND): 0 to 2"
            raise source.goal.error(fact.at, f"there is no fact {quoted(fact.text)}", help, "unknown-name")
        return self.families[fact.text]

    def targets(self, source: RulesSource, fact: Call | Word, bound: Bindings) -> Iterator[tuple[Term, Term]]:
        """The fluents that a line can change, each with when it is that one.

        Raises:
            InputError: It names none.
        """
        lines = self.arguments(source, fact, {name: b.kind for name, b in bound.items()})
        return targets(self.family(source, fact), lines, bound)

    def arguments(
        self, source: RulesSource, fact: Call | Word, kinds: Mapping[str, CountedKind]
    ) -> Sequence[Argument]:
        """The arguments of the fact that a line changes.

        Raises:
            InputError: It is asked of something else.
        """
        return self.names.arguments(source, fact, self.family(source, fact), kinds)

    def cites_of(self, fluent: Term) -> Cites:
        """The sentence that declares a fact."""
        name = fluent.name.partition("[")[0]
        return next((s.cites(at) for s, at, fact in self.each(RememberedFact) if fact.name.text == name), ())

    @cached_property
    def turn_cites(self) -> Cites:
        """The sentences about turns."""
        about = (s.cites(at) for kind in (TurnOrder, TurnIs) for s, at, _ in self.each(kind))
        return next(about, ())

    def common_requirements(self, event: EventMeaning, actor: str | None) -> Iterator[Requirement]:
        """The requirements of every event: its turn, its phase, that the game goes on, that chance has decided."""
        turn = None if event.rule.any_time or event.rule.at_once or event.on_turn else actor
        yield from self._general_requirements(event.name, turn, chance=event.chance, owed=event.rule.at_once)
        phases = (event.rule.phase.text,) if event.rule.phase else self.world.ends.get(event.name, ())
        yield from self._in_phase(event.name, phases, event.cites)

    def _in_phase(self, name: str, phases: Sequence[str], cites: Cites) -> Iterator[Requirement]:
        """The requirement that it is one of some phases; none: any."""
        if phases and self.timing.phase is not None and {*phases} != {*self.timing.phases}:
            here = any_of(eq(self.timing.phase.fluent, p) for p in phases)
            yield Requirement(here, f"{name} belongs to the phase {' or '.join(phases)}", cites)

    def _general_requirements(
        self, name: str, mover: str | None, *, chance: bool = False, owed: bool = False
    ) -> Iterator[Requirement]:
        if mover is not None:
            yield Requirement(
                self.timing.turn_of(mover), f"it is not the turn of {mover}", self.turn_cites, "turn order"
            )
        if self.timing.ended is not FALSE:
            yield Requirement(not_(self.timing.ended), *self._over)
        if not chance and self.chance_is_due is not FALSE:
            names = " or ".join(e.name for e in self._chances)
            yield Requirement(not_(self.chance_is_due), f"chance decides first: {names}")
        if not chance and not owed and self.decision_is_due is not FALSE:
            names = " or ".join(e.name for e in self._urgent_events)
            yield Requirement(not_(self.decision_is_due), f"something else is to be decided first: {names}")
        for source, statement, content in self._needed_by(name):
            yield self._restriction(source, statement, content.asks)

    @cached_property
    def _over(self) -> tuple[str, Cites]:
        """The words for a player where the game has ended, and the sentences that end it."""
        if not self.timing.ends:
            return "the game is over: the last round has been played", ()
        return "the game is over", self.timing.end_cites

    def _restriction(self, source: RulesSource, statement: Statement, need: Need) -> Requirement:
        holds = self.names.condition(source, need.condition, {}).holds
        said, made = told(self.names, source, need, {}), source.made(need.at)
        return Requirement(holds, said, source.cites(statement), made=made)

    def common_changes(self, name: str) -> Sequence[tuple[RulesSource, Effect]]:
        """The changes that every event makes, each with its block."""
        return [
            (source, content.effect)
            for source, _, content in self._restrictions
            if content.effect is not None and name not in [w.text for w in content.but]
        ]

    # ---- chance

    @property
    def _chances(self) -> list[EventMeaning]:
        return [e for e in self.events.values() if e.chance]

    @cached_property
    def chance_is_due(self) -> Term:
        """Bool: whether chance has something to decide: one of its cases is legal."""
        return self._can_happen(self._chances)

    @property
    def _urgent_events(self) -> list[EventMeaning]:
        """The events that come before anything else, and that somebody decides."""
        return [e for e in self.events.values() if e.rule.at_once and not e.chance]

    @cached_property
    def decision_is_due(self) -> Term:
        """Bool: whether somebody has something to decide before anything else."""
        return self._can_happen(self._urgent_events)

    @cached_property
    def _turn_waits(self) -> Term:
        """Bool: whether something is to be decided that belongs to the turn, which ends with it."""
        return self._can_happen([e for e in (*self._chances, *self._urgent_events) if not e.rule.any_time])

    def _can_happen(self, events: Iterable[EventMeaning]) -> Term:
        return any_of(e.can_happen(given) for e in events for given in e.every())

    def effects_and_turn(self, event: EventMeaning, actor: str | None, changed: Effects) -> Mapping[Term, Term]:
        """The effects of an event, and what follows for whose turn it is."""
        rule, timing = event.rule, self.timing
        turn, number = timing.turn.fluent, timing.round.fluent if timing.round else None
        whole = self.world.turn.one and not rule.any_time and (bool(event.actors) or event.chance)
        phases = self.world.ends.get(event.name)
        whole = whole or phases == ()
        given = changed.when.get(turn, FALSE)
        rises = stays = FALSE
        if number is not None and number in changed.when:
            same = eq(changed.new[number], number)
            rises, stays = (and_(changed.when[number], so) for so in (not_(same), same))
        effects = {f: x for f, x in changed.new.items() if f not in (turn, number)}
        if not (whole or phases) and given is FALSE and rises is FALSE and self.world.has_turns is None:
            return effects
        playing = self._playing(effects)
        to = changed.new.get(turn) if given is not FALSE else None
        out = any_of(self._out(p, playing) for p in playing)
        again = FALSE if to is None else and_(given, eq(to, turn), not_(out))
        own = (loose(rule, one=self.world.turn.one) or rule.at_once) and phases is None
        said = Passing(given, to, rises, None if number is None else changed.new.get(number), stays, playing)
        passed = timing.turn_ends(None if own else actor, said)
        ends: Term = TRUE if whole else or_(given, out)
        ends = and_(ends, not_(again))
        over = self._ends_the_game(changed)
        if whole and phases is None and (self._chances or self._urgent_events):  # over when all is decided
            waits = Substitution(dict(self._settled(effects)))(self._turn_waits)
            ends = and_(ends, or_(not_(waits), given))
        ends = or_(ends, rises)
        if phases and timing.phases[-1] in phases and timing.phase is not None:
            ends = or_(ends, and_(eq(timing.phase.fluent, timing.phases[-1]), not_(again)))
        ends = and_(ends, not_(over))
        found = {**effects, **{fluent: ite(ends, new, effects.get(fluent, fluent)) for fluent, new in passed.items()}}
        said_phase = FALSE if timing.phase is None else changed.when.get(timing.phase.fluent, FALSE)
        if timing.phase is not None and (phases or said_phase is not FALSE):
            phase = timing.phase.fluent
            then = ite(ends, passed.get(phase, phase), self._next_phase() if phases else phase)
            then = ite(over, phase, then)
            found[phase] = ite(said_phase, changed.new.get(phase, phase), then)
        if loose(rule, one=self.world.turn.one) and timing.began is not None and to is not None:
            found |= self._opening(to, and_(given, not_(over)), rises, playing, found)
        return found

    def _ends_the_game(self, changed: Effects) -> Term:
        """Bool: whether an event ends the game; turn, round and phase then stay."""
        over = self.timing.over
        if over is None or over.fluent not in changed.when:
            return FALSE
        return and_(changed.when[over.fluent], changed.new[over.fluent])

    def _opening(
        self, to: Term, given: Term, rises: Term, playing: Mapping[str, Term], found: Mapping[Term, Term]
    ) -> dict[Term, Term]:
        """The changes where an event of no turn gives the first turn of a round to somebody, who begins it then."""
        timing = self.timing
        assert timing.began is not None, "that is asked before"
        assert timing.round is not None, "else nobody begins one"
        began, turn, number = timing.began.fluent, timing.turn.fluent, timing.round.fluent
        here = and_(given, timing.opened(playing), not_(rises))
        stays = {number: number, timing.over.fluent: timing.over.fluent} if timing.over else {number: number}
        first = timing.resolved(to, playing)
        new = {**stays, turn: first, began: first}
        return {f: ite(here, x, found.get(f, f)) for f, x in new.items()}

    def _settled(self, effects: Mapping[Term, Term]) -> Mapping[Term, Term]:
        """The facts after some effects, with what changes at once."""
        memory = self._memory
        return effects if memory is None or memory.unchanged(effects) else memory.at_once(effects)

    def _playing(self, effects: Mapping[Term, Term]) -> Mapping[str, Term]:
        """For each side or power whether it has turns after some effects; nothing is said where all have."""
        if self.world.has_turns is None:
            return {}
        source, condition = self.world.has_turns
        after, movers = Substitution(dict(self._settled(effects))), self.world.movers
        with self.at(source):
            return {
                n: after(self.names.condition(source, condition, {movers.name: BoundVariable(movers, n)}).holds)
                for n in self.world.order
            }
        self.check()
        return {}

    def _out(self, name: str, playing: Mapping[str, Term]) -> Term:
        """Bool: whether somebody is on turn who has no turns, and another has."""
        others = any_of(x for n, x in playing.items() if n != name)
        return and_(self.timing.turn_of(name), not_(playing[name]), others)

    # ---- ends of turns and phases, and passing

    def schemas(self) -> Iterator[Schema]:
        """All kinds of events."""
        for event in self.events.values():
            if event.impossible is not None or event.lacks:
                continue
            obliged = not self._can_idle and bool(event.actors) and not event.rule.any_time
            schema = event.schema()
            yield replace(schema, obliged=schema.obliged or obliged)
        movers = self.world.movers
        actor = (self.timing.mover(movers.name),)
        touches = tuple((f.name,) for f in self.timing.families)
        decided = f"the {movers.name} on turn"
        for name, text, cites in self.own_events():
            yield Schema(
                name,
                actor,
                lambda name=name, cites=cites, **given: self.own(name, str(given[movers.name]), cites),
                text,
                cites,
                decided_by=decided,
                routine=name != PASS,
                obliged=True,
                touches=touches,
                made=(),
            )

    @property
    def absent(self) -> dict[str, str]:
        """The events that there are not under these settings, with what they need."""
        gone = ((e.name, e.impossible) for e in self.events.values())
        lacking = {e.name: f"the board has no {e.lacks}" for e in self.events.values() if e.lacks}
        return {name: f"it needs {need.text}" for name, need in gone if need is not None} | lacking

    def own_events(self) -> Iterator[tuple[str, str, Cites]]:
        """The events that the rulebook's lines about turns bring: name, what it is, and the sentences."""
        for name, phases in self.world.ends.items():
            if name not in self.events:
                some = phases and {*phases} != {*self.timing.phases}
                of = " or ".join(phases) if some else "a phase"
                last = "; after the last one the turn does" if self.timing.phases[-1:] == phases[-1:] else ""
                text = f"{of} ends{last}" if phases else "a turn ends"
                yield name, text, self.turn_cites
        for source, statement, content in self.each(PassingRule):
            if content is self.world.passing:
                yield PASS, "a turn goes by without anything else", source.cites(statement)

    def own(self, name: str, actor: str, cites: Cites) -> Action:
        """One of the events that the lines about turns bring."""
        phases = self.world.ends.get(name, ())
        requirements = [*self._general_requirements(name, actor), *self._in_phase(name, phases, cites)]
        if name == PASS and self.world.passing is not None and not self.world.passing.always:
            requirements.append(Requirement(not_(self._can_do_else(actor)), "something else is legal", cites))
        movers = self.world.movers
        lines = [EffectLine(e, source, self, {movers.name: movers}) for source, e in self.common_changes(name)]
        changed = Effects(lines, lines, self, cites, {movers.name: BoundVariable(movers, actor)})
        passing = Passing(playing=self._playing(changed.new))
        over = self.timing.turn_ends(actor, passing)
        effects = {**changed.new, **(self._phase_ends(over) if phases else over)}
        requirements += changed.asked
        said = "pass" if name == PASS else "the phase ends" if phases else "the turn ends"
        arguments = ((self.world.movers.name, actor),)
        text = f"{actor}: {said}"
        return Action(name, arguments, actor, tuple(requirements), tuple(effects.items()), text, {COST: 1}, cites)

    def _phase_ends(self, over: Mapping[Term, Term]) -> Mapping[Term, Term]:
        """The changes by the end of a phase, given those by that of the turn."""
        assert self.timing.phase is not None, "else there is no such event"
        phase, phases = self.timing.phase.fluent, self.timing.phases
        last = eq(phase, phases[-1])
        new = ite(last, over.get(phase, phase), self._next_phase())
        following = {**{f: ite(last, x, f) for f, x in over.items()}, phase: new}
        return {f: x for f, x in following.items() if not f.is_const}

    def _next_phase(self) -> Term:
        """The phase that comes after the one that it is."""
        assert self.timing.phase is not None, "there are phases"
        phase, phases = self.timing.phase.fluent, self.timing.phases
        new: Term = phase
        for here, then in zip(phases, (*phases[1:], phases[0]), strict=True):
            new = ite(eq(phase, here), constant(phase.sort, then), new)
        return new

    def can_act(self, actor: str) -> Term:
        """Bool: whether somebody on turn has a legal event, passing and ending a turn aside."""
        own = (e for e in self.events.values() if actor in e.actors and e.name not in self.world.ends)
        return any_of(e.action(**given).guard for e in own for given in e.every([actor]))

    def can(self, actor: str, name: str = "") -> Term:
        """Bool: whether somebody could do anything, or some event, if it were the turn of theirs, in this phase."""
        turn, found = self.timing.turn.fluent, []
        for event in self.events.values():
            asked_about = event.name == name if name else not event.rule.at_once and event.name not in self.world.ends
            if actor in event.actors and asked_about:
                here: Term = TRUE
                if event.rule.phase is not None and self.timing.phase is not None:
                    here = eq(self.timing.phase.fluent, event.rule.phase.text)
                asked = all_of(self._restriction(s, at, c.asks).term for s, at, c in self._needed_by(event.name))
                found += [and_(here, asked, event.open_to(given)) for given in event.every([actor])]
        own = {} if turn.is_const else {turn: constant(turn.sort, actor)}
        return Substitution(own)(any_of(found))

    def _needed_by(self, name: str) -> Iterator[tuple[RulesSource, Statement, EveryEvent]]:
        """The lines about every event that say what one needs."""
        for source, statement, content in self._restrictions:
            if content.need is not None and name not in [w.text for w in content.but]:
                yield source, statement, content

    def _can_do_else(self, actor: str) -> Term:
        """Bool: whether an event is legal that somebody decides, passing and ending a turn aside."""
        any_time = [e for e in self.events.values() if e.actors and (e.rule.any_time or e.rule.at_once)]
        others = (e.action(**given).guard for e in any_time for given in e.every())
        return or_(self.can_act(actor), *others)

    def stuck(self, over: Term) -> Rule:
        """Bool: whoever is on turn can do nothing, chance has nothing to decide, and the game is not over.

        Args:
            over: Bool: whether the game has ended by an outcome.
        """
        nothing = any_of(and_(self.timing.turn_of(p), not_(self._can_go_on(p))) for p in self.timing.movers)
        anybodys = [e for e in self.events.values() if e.rule.any_time or e.rule.at_once]
        nobodys = [e for e in self.events.values() if not e.actors and not e.chance]
        other = any_of(e.action(**given).guard for e in (*anybodys, *nobodys) for given in e.every())
        term = and_(nothing, not_(other), not_(self.chance_is_due), not_(self.timing.ended), not_(over))
        made = next((s.made(at.at) for s, at, _ in self.each(TurnIs)), ())
        return Rule("stuck", term, "whoever is on turn can do nothing", self.turn_cites, made=made)

    def _can_go_on(self, actor: str) -> Term:
        """Bool: whether somebody on turn has a legal event, passing and ending a turn included."""
        own = (self.own(name, actor, cites).guard for name, _, cites in self.own_events())
        ends = (e for e in self.events.values() if e.name in self.world.ends and actor in e.actors)
        said = (e.action(**given).guard for e in ends for given in e.every([actor]))
        return or_(self.can_act(actor), *own, *said)

    def invariants(self) -> Iterator[Rule]:
        """The invariants of the time: the last round alone ends the game."""
        round, over = self.timing.round, self.timing.over
        if round is not None and over is not None and not self.timing.ends:
            last = eq(round.fluent, integer(round.fluent.hi))
            text = "if the last round has been played, it is the last round"
            yield Rule(OVER, implies(over.fluent, last), text, self.turn_cites, made=())

    @property
    def can_be_stuck(self) -> bool:
        """True if the rules know no pass, and a turn does not end by itself; or if they refuse either."""
        refused = any(content.need is not None for _, _, content in self._restrictions)
        return (self.world.turn.one and self.world.passing is None) or refused or bool(self.common_changes(PASS))

    # ---- plans

    def metrics(self) -> Iterator[Metric]:
        """The planning models: single events, and turns that others answer, where a turn is one event of one side."""
        one = self.world.turn.one
        text = "the events of both sides" + ("" if one else ", ends of turns included")
        names = tuple(s.name for s in self.schemas())
        yield Metric(COST, "event", "", text, self.step, self._assumptions, events=names, clock=self.timing.clock)
        moves = [e.name for e in self.events.values() if e.actors and not e.rule.any_time]
        own = [n for n in names if n == PASS or n in moves]
        if one and not self._chances and not self._urgent_events and not self.timing.irregular:
            text = "the turns of both sides"
            clock = self.timing.clock if {*own} == {*names} else ()
            yield Metric(
                TURNS, "turn", "", text, self.turn, self._assumptions, events=tuple(own), turns=True, clock=clock
            )

    def turn(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        """A turn: one event of the side on turn; where nothing is legal, as when the game is over, there is none."""
        single = self.step(side, opponent, start)
        can = any_of(a.guard for a in single.actions.values())
        clock = self.timing.turn_ends(None)
        following = {f: new for f, new in single.next.items() if f not in clock}
        return replace(
            plain(single),
            legality=(*single.legality, can, any_of(single.choices)),
            next={**following, **clock},
            mover=self.timing.turn.fluent,
            events=lambda chosen: [Event(a.name, a.args) for c, a in single.actions.items() if chosen[c]],
            taken=single.actions,
            one_choice=True,
        )

    @property
    def decides_first(self) -> bool:
        """True if chance, or somebody at once, can have something to decide before the turn goes on."""
        return bool(self._chances or self._urgent_events)

    def side_of(self, name: str) -> str:
        """The side that a side's or power's name stands for."""
        return next(side for side, powers in self.world.sides.items() if name in (side, *powers))

    @property
    def _can_idle(self) -> bool:
        passing = self.world.passing
        return not self.world.turn.one or (passing is not None and passing.always)

    def _assumptions(self, side: str | None, opponent: str) -> tuple[str, ...]:
        return (STOPS,) if self.world.turn.one and self.world.passing is None else ()

    @property
    def busy(self) -> str:
        """Why even an idle opponent makes moves."""
        said = "" if self._can_idle else MUST_MOVE if self.world.passing is not None else NO_PASS
        return said if len(self.world.sides) <= PAIR else OTHERS.get(said, said)

    def step(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> SingleActions:
        """One event: of a side that moves any, of an idle one only what it has to do."""
        return self.rather_passing(one_at_a_time(list(self.choosable(side, opponent)), COST))

    def rather_passing(self, step: SingleActions) -> SingleActions:
        """The step of a player who passes before doing what serves nothing, where passing costs as much."""
        passes = [taken for taken, action in step.actions.items() if action.name == PASS]
        if not passes:
            return step

        def rather(chosen: Chosen) -> Iterator[Chosen]:
            if not any(chosen.get(taken) for taken in passes):
                yield from ({taken: 1} for taken in passes)

        return replace(step, hints=replace(step.hints, rather=rather))

    def choosable(self, side: str | None, opponent: str) -> Iterable[Action]:
        """The events of which steps are made; arguments as in `step`."""
        idle = side is not None and opponent == IDLE and self._can_idle
        moving = self.world.sides.get(side or "", ()) if idle else self.world.movers.members
        willing = self.world.sides.get(side or "", ()) if opponent == IDLE and side is not None else moving
        return self._actions(moving, willing)

    def _actions(self, moving: Sequence[str], willing: Sequence[str]) -> Iterable[Action]:
        """All events.

        Args:
            moving: Who makes those of a turn.
            willing: Who makes those that may happen at any time, which nobody has to make.
        """
        for event in self.events.values():
            owed = self.world.movers.members if event.rule.at_once or event.rule.obliged else moving
            for given in event.every(willing if event.rule.any_time else owed):
                action = event.action(**given)
                if event.on_turn and {*owed} != {*self.world.movers.members}:
                    here = any_of(self.timing.turn_of(p) for p in owed)
                    asked = Requirement(here, "it is not the turn of who moves", self.turn_cites, "turn order")
                    action = replace(action, requirements=(*action.requirements, asked))
                if possible(action):
                    yield action
        for name, _, cites in self.own_events():
            for actor in self.timing.movers:
                yield self.own(name, actor, cites)
