"""A rule set as a transition system, and the encoding that builds it from a board and settings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from vclogic.board.graphs import Movement
from vclogic.errors import did_you_mean, quoted
from vclogic.model.absent import Absent
from vclogic.model.actions import OPEN, Action, Event, Schema
from vclogic.model.battles import BattleRules
from vclogic.model.citation import RuleText
from vclogic.model.fluents import Family, Layout, State, Value, value
from vclogic.model.grounded import Grounded, ground
from vclogic.model.lazy import Noted
from vclogic.model.moments import Moments
from vclogic.model.objectives import Objective
from vclogic.model.picture import Drawing
from vclogic.model.position import Listing
from vclogic.model.rules import LevelTable, Observable, Option, Outcome, Passage, Reading, Rule, Table
from vclogic.model.sayings import InWords, Sayings
from vclogic.model.transition import Transition
from vclogic.model.under import ValuesUnder
from vclogic.model.view import KnownState, View
from vclogic.provenance import CodePlace, Places
from vclogic.terms.atoms import FALSE, boolean, constant
from vclogic.terms.build import any_of
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, variables
from vclogic.terms.vocabulary import CountedKind, Vocabulary, asked_of

if TYPE_CHECKING:
    from vclogic.model.counter import Counterattacks

T = TypeVar("T")
_LISTS = 100  # of events; each kind of event has its own
IDLE = "idle"
ANY = "any"
HELPS = "helps"  # what `any` is called where a user chooses it
BEST = "best"  # answers as well as it can: no behaviour of steps, but a question of its own (`force`)
OPPONENTS = (IDLE, HELPS, ANY)
HOLDS = "holds"  # the observable of whether an outcome is won at this moment


@dataclass(frozen=True)
class Metric:
    """A planning model: the steps of plans and their cost.

    Attributes:
        name: Its name after `--minimize`.
        unit: One step of the horizon, in the singular.
        heading: What a plan of this kind leaves out, for the head of the answer; may be empty.
        text: What it counts, in a line.
        transition: The step, for a moving side (None: every side moves), an opponent, and the constant value of each
            fluent at the start.
        assumptions: What a plan rests on, beyond the rules, for a moving side and an opponent.
        ending: Makes an action without cost that may follow the plan, to lead to when an outcome is judged.
        events: The events of the game, by name, that plans of this kind and their records may hold; all others are
            left out, and answers say so.
        turns: Whether each step is the turn of one side or power where all sides may move (`Transition.mover`), so
            that the others can answer it.
        clock: Where steps are single events, and these are all that can happen: the facts one of which changes when a
            turn ends, unless the game does, first whose turn it is. Empty: they do not say when turns end.
        recorded: Whether the rules accept the events of every such turn, in some order, as a record that leads to the
            same position. Where they do not, the model leaves out what they ask for.
        scale: In what parts of one the cost is counted: 1000 where a cost of 3214 means 3.214.
        counted: What the cost counts, after a number; empty: the metric's name.
        idle_only: Why the opponent must be idle; empty where it need not be.
        refused: Why no plan of this kind can be asked for under these settings; empty where it can.
        answered: The step for questions against best replies, for a moving side and the constant value of each fluent
            at the start, where within a turn another side has something to choose (`Transition.due`); None: nobody
            has, and it is that of `transition` against whoever makes any legal steps.
        open_choices: Given a goal and the constant value of each fluent at the start, why nothing is said of it
            against best replies, since the steps settle what is another's to choose, or nobody's; empty: they settle
            nothing that bears on it.
    """

    name: str
    unit: str
    heading: str
    text: str
    transition: Callable[[str | None, str, Mapping[Term, Term]], Transition]
    assumptions: Callable[[str | None, str], tuple[str, ...]]
    ending: Callable[[], Action] | None = None
    events: tuple[str, ...] = field(kw_only=True)
    turns: bool = field(default=False, kw_only=True)
    clock: tuple[Term, ...] = field(default=(), kw_only=True)
    recorded: bool = field(default=False, kw_only=True)
    scale: int = field(default=1, kw_only=True)
    counted: str = field(default="", kw_only=True)
    idle_only: str = field(default="", kw_only=True)
    refused: str = field(default="", kw_only=True)
    answered: Callable[[str | None, Mapping[Term, Term]], Transition] | None = field(default=None, kw_only=True)
    open_choices: Callable[[Term, Mapping[Term, Term]], str] = field(default=lambda goal, start: "", kw_only=True)

    def steps(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        """The step; see `transition`, for the arguments too.

        Args:
            side: The moving side.
            opponent: `idle`, `any`, or `best`: each side decides what is its to choose.
            start: The constant value of each fluent at the start.
        """
        if opponent != BEST:
            return self.transition(side, opponent, start)
        return self.transition(side, ANY, start) if self.answered is None else self.answered(side, start)

    @cached_property
    def tail(self) -> Action | None:
        """The action that `ending` makes."""
        return None if self.ending is None else self.ending()


@dataclass(frozen=True)
class Events:
    """The names of the events that a planning model or a question includes, and of all others.

    Attributes:
        included: Those that may occur in it.
        left_out: All others.
    """

    included: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """The value of every option and Reading.

    Attributes:
        options: Option name to value.
        readings: Reading name to value.
        without: The outcomes of the game that do not count, since a position or board says what is won instead.
        over: Bool: whether the game has ended by what a position or board says; false where it says nothing.
    """

    options: Mapping[str, int | str]
    readings: Mapping[str, str]
    without: frozenset[str] = frozenset()
    over: Term = FALSE

    def number(self, option: str) -> int:
        """The value of a numeric option."""
        return int(self.options[option])

    def word(self, option: str) -> str:
        """The value of an option of words."""
        return str(self.options[option])


@dataclass(frozen=True)
class System:
    """A rule set over one board under one choice of settings.

    Attributes:
        sides: Each side with the powers that act for it (the side itself where it is undivided).
        families: The fluents.
        initial: A value for every fluent without a default, where the scenario gives none.
        defaults: What a fluent is in a position that does not give it: a term over others, in no circle.
        rules: Named terms with citations; where there are very many, `LazySequence`.
        invariants: What every well-formed position satisfies.
        outcomes: Who wins what.
        observables: What goals speak of.
        events: What a record may hold.
        metrics: What a plan may cost; the first is the default.
        schedule: Fluents that say whose turn it is; a plan's steps carry their values.
        overview: Observables and arguments that `status` shows.
        tables: Tables that `status` shows.
        position: Who is where and who controls what, from the view of the fluents; None where a game does not say it.
        by_hand: What follows when a fact is given another value by hand, by the laws that events follow, such as who
            then holds the place that a unit is put into: takes the view of the fluents, the fluent and its new value,
            and gives effects; None: nothing follows.
        winner: Enum of `none` and the sides: who was first to win, or None where the rules latch no winner.
        absent: What there is under other settings or on other boards only, with what to set or to add.
        drawing: How a state is drawn, or None where the game has no picture.
        checked: What every well-formed position satisfies beside the invariants; too many for proofs to begin with,
            such as one for each hex; where there are very many, `LazySequence`.
        levels: Tables of which exactly one row is meant to apply.
        ends: Bool: whether a state is the moment at which the game ends, whoever has won; None where the rules know
            no end but a win.
        assumed: What questions over all events take for granted beyond the rules, in words; see `Action.assumed`.
        pieces: Int: how many pieces are on the board; the fewer, the smaller the position. None: that is no measure.
        aliases: Other names that sides and powers go by.
        battles: How battles are fought, or None where the rules know no battle that dice decide.
        counter: How enemies can answer a turn by attacks, or None where that is not known.
        objectives: What sides take and hold, in the order in which players name it; mostly `LazySequence`.
        movement: The places that can be entered, and the ways between them, for each kind of what moves; mostly
            `LazySequence`. Empty where the game does not say it.
        sayings: How the facts of families are said in the game's words, by family.
        memories: The families whose facts tell of earlier turns, or of earlier in this one, and not of what is on the
            board: questions about what is missing leave them as they are, unless asked.
        written: The facts that the rules write down for themselves, such as that an outcome was met at its moment.
            They follow from what happened, and nobody can bring them about otherwise. Each with what it would be if
            that were judged in a position.
        kinds: What goals may count and choose from, such as units and hexes, beside what observables are asked of.
        moments: When turns and rounds begin and end; empty where the game has none.
        passages: The numbered sentences of a rulebook, each with the lines that encode it.
        exceptions: The exceptions that texts of rules make, each with whether it applies to anything.
        doubled: The lines of texts of rules that count something twice; the text of each says what.
        left_out: What bears on the answers and is not in the rules, a line each; every answer tells it.
        flaws: The faults of the text that the game was made from; mostly `LazySequence`.
        stuck: Makes the Bool rule that whoever is on turn can do nothing, though the game is not over; None: the
            rules always leave something, or do not say whose turn it is.
        busy: Why even an idle opponent makes moves, in a clause: the rules let nobody pass; empty: it need not.
        out: For each side that can be out while the others go on: Bool, whether it is.
        values_under: Given Readings that note what is looked up: what lines say of a position under them; None, or
            where it gives None: the whole rule set has to be made.
        resting: Given the text of an expression about a position, sets of Readings: whatever several of them change
            together in its value, or in whether there can be such a position, one of the sets has all of these.
            Given None: in what happens in it, too. None, or where it gives None: that is not told.
    """

    sides: Mapping[str, tuple[str, ...]]
    families: tuple[Family, ...]
    initial: Mapping[Term, Value]
    rules: Sequence[Rule]
    invariants: Sequence[Rule]
    outcomes: tuple[Outcome, ...]
    observables: tuple[Observable, ...]
    events: tuple[Schema, ...]
    metrics: tuple[Metric, ...]
    schedule: tuple[Term, ...] = ()
    overview: tuple[tuple[str, ...], ...] = ()
    tables: tuple[Table, ...] = ()
    position: Callable[[View], Sequence[Listing]] | None = None
    defaults: Mapping[Term, Term] = field(default_factory=dict)
    by_hand: Callable[[View, Term, Term], Iterable[tuple[Term, Term]]] | None = None
    winner: Term | None = None
    notes: tuple[str, ...] = ()
    absent: Absent = field(default_factory=Absent)
    drawing: Drawing | None = None
    checked: Sequence[Rule] = ()
    levels: Sequence[LevelTable] = ()
    ends: Term | None = None
    pieces: Term | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    battles: BattleRules | None = None
    counter: Counterattacks | None = None
    objectives: Sequence[Objective] = ()
    movement: Sequence[Movement] = ()
    sayings: Mapping[str, Sayings] = field(default_factory=dict)
    memories: tuple[str, ...] = ()
    written: Mapping[Term, Term] = field(default_factory=dict)
    kinds: Sequence[CountedKind] = ()
    moments: Moments = field(default_factory=Moments)
    passages: Sequence[Passage] = ()
    exceptions: Sequence[Rule] = ()
    doubled: Sequence[Rule] = ()
    left_out: tuple[str, ...] = ()
    flaws: Sequence[TextFlaw] = ()
    stuck: Callable[[], Rule] | None = None
    busy: str = ""
    out: Mapping[str, Term] = field(default_factory=dict)
    values_under: Callable[[Noted], ValuesUnder | None] | None = None
    resting: Callable[[str | None], Sequence[frozenset[str]] | None] | None = None
    _instances: dict[Event, Action] = field(default_factory=dict, compare=False, repr=False)
    _opened: dict[Event, Grounded] = field(default_factory=dict, compare=False, repr=False)
    _steps: dict[tuple[object, ...], Transition] = field(default_factory=dict, compare=False, repr=False)
    _lists: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)
    _kept: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)
    _views: list[KnownState] = field(default_factory=list, compare=False, repr=False)

    @cached_property
    def layout(self) -> Layout:
        """The order of the fluents."""
        return Layout(self.families)

    @cached_property
    def laws(self) -> tuple[Rule, ...]:
        """All that every well-formed position satisfies: the invariants and what else is checked."""
        return (*self.invariants, *self.checked)

    def named_at(self, member: str) -> Places:
        """The places where the text names a member of a kind, such as a place of the map; none if no text does."""
        return next((kind.made[member] for kind in self.kinds if member in kind.made), ())

    @cached_property
    def in_words(self) -> InWords:
        """Says its facts in the game's words."""
        return InWords(self.layout.families, self.sayings)

    @cached_property
    def vocabulary(self) -> Vocabulary[Observable]:
        """Every observable by name, `holds` included."""
        known = {o.name: o for o in (*self.observables, *self._holds())}
        return Vocabulary(known, self._no_observables(), self.kinds)

    @cached_property
    def schemas(self) -> Mapping[str, Schema]:
        """The schema of each event by name."""
        return {s.name: s for s in self.events}

    def opened(self, schema: Schema, given: Mapping[str, Value]) -> Grounded:
        """An event with some numbers symbolic; built once."""
        key = Event(schema.name, tuple(given.items()))
        if key not in self._opened:
            closed = not any(p.term for p in schema.parameters)
            self._opened[key] = Grounded(schema, given, {}, self.action(key)) if closed else ground(schema, given)
        return self._opened[key]

    def listed(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value made from a list of events; the values for the latest lists are kept.

        Args:
            key: Which events.
            make: Makes it.
        """
        found: T | None = self._lists.get(key)
        if found is None:
            found = self._lists[key] = make()
            if len(self._lists) > _LISTS:
                for old in list(self._lists)[: _LISTS // 2]:  # other threads may add some meanwhile
                    self._lists.pop(old, None)
        return found

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """A value that is made once for the rule set and kept as long as it is.

        Args:
            key: What it is; there are few of these.
            make: Makes it.
        """
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def completed(self, given: Mapping[Term, Value]) -> dict[Term, Value]:
        """A value for every fluent: as given, else its default, else as in `initial`."""
        values = {**self.initial, **given}
        while missing := [f for f in self.defaults if f not in values]:
            needed = variables(*(self.defaults[f] for f in missing))
            while first := [f for f in needed if f not in values]:  # what a text remembers may follow from these
                missing, needed = first, variables(*(self.defaults[f] for f in first))
            substitution = Substitution({v: constant(v.sort, values[v]) for v in needed})
            for f in missing:
                default = self.defaults[f]
                if default.op is Op.VAR and default.sort is f.sort:  # as another fluent
                    values[f] = values[default]
                    continue
                found = substitution(default)
                values[f] = value(f.sort, int(found.payload))
        return values

    def metric(self, name: str | None) -> Metric | None:
        """The metric of that name, the default for None, or None if there is no such metric."""
        if name is None:
            return self.metrics[0]
        return next((m for m in self.metrics if m.name == name), None)

    def events_of(self, metric: Metric) -> Events:
        """The events that a planning model knows, and those that it leaves out."""
        return Events(metric.events, tuple(s.name for s in self.events if s.name not in metric.events))

    def steps(self, metric: Metric, side: str | None, opponent: str, state: State) -> Transition:
        """The steps of plans from a state; the latest are cached for further questions about it.

        Args:
            metric: The kind of plans; only those that the rule set itself has are kept.
            side: The moving side; None: every side moves.
            opponent: `idle`, `any` or `best`.
        """
        key = (id(metric), side, opponent, state)
        found = self._steps.get(key)
        if found is None:
            found = metric.steps(side, opponent, self.layout.constants(state))
            if any(metric is m for m in self.metrics):
                self._steps.clear()
                self._steps[key] = found
        return found

    def term(self, name: str, *names: str) -> Term:
        """The term of an observable, such as a fact, for some names.

        Raises:
            NotThere: There is none, or it is not asked of these.
        """
        return asked_of(self.vocabulary, name, names).partial(*names).value

    def action(self, event: Event) -> Action:
        """The ground action of an event; built once."""
        found = self._instances.get(event)
        if found is None:
            found = self.schemas[event.name].action(event.args)
            self._instances[event] = found
        return found

    def action_in(self, state: State, event: Event) -> Action:
        """The ground action of an event, valid for this state only if the schema uses a view."""
        schema = self.schemas[event.name]
        if schema.implied:
            event = self.settled(state, event)
        return schema.action(event.args, self.view(state)) if schema.viewed else self.action(event)

    def settled(self, state: State, event: Event) -> Event:
        """An event with what its record leaves to the position, such as whose turn it is."""
        implied = self.schemas[event.name].implied
        if not implied or OPEN not in (x for _, x in event.args):
            return event
        slot = self.layout.slot
        known = {name: value(f.sort, state[slot[f]]) for name, f in implied.items()}
        return Event(event.name, tuple((n, known[n] if x == OPEN and n in known else x) for n, x in event.args))

    def view(self, state: State) -> KnownState:
        """The view of a state, derived quickly from the previous one if the states differ little."""
        last = self._views[0] if self._views else None
        if last is not None and (last.state is state or last.state == state):
            return last
        found = KnownState(self.layout, state, last)
        self._views[:] = [found]  # never empty again: other threads may look, and share what views find out
        return found

    def not_judged(self, kinds: Set[str]) -> tuple[str, ...]:
        """The parts of a record with some kinds of events that are taken unchecked."""
        said = (s.not_judged for s in self.events if s.name in kinds)
        return tuple(dict.fromkeys(x for x in said if x))

    def side_of(self, name: str) -> str | None:
        """The side that a side's or power's name stands for, or None."""
        if name in self.sides:
            return name
        return next((side for side, powers in self.sides.items() if name in powers), None)

    def decider(self, who: str | None, nobody: int) -> int:
        """The number of the side that somebody acts for; that of nobody where there is none."""
        side = None if who is None else self.side_of(who)
        return nobody if side is None else list(self.sides).index(side)

    def holds(self, outcome: str, side: str) -> Term:
        """A Bool term: a state is the moment at which a side wins an outcome; false where it has no such outcome."""
        return any_of(o.now for o in self.outcomes if o.name == outcome and o.side == side)

    def _won(self, outcome: str, side: str) -> Partial:
        """The same; undefined where the outcome is so in every position."""
        asked = [o for o in self.outcomes if o.name == outcome and o.side == side]
        meant = not asked or any(o.condition.defined is not FALSE for o in asked)
        return Partial(self.holds(outcome, side), boolean(meant))

    def _no_observables(self) -> Mapping[str, str]:
        """Advice for names that are no observables: those of outcomes, events and facts, and absent ones."""
        sides = {o.name: o.side for o in reversed(self.outcomes)}
        found = {f.name: f"`{f.name}` is a fact, which a position gives under `state:`" for f in self.families}
        for s in self.events:
            found[s.name] = f"`{s.name}` is an event, which is asked as a record has it: '{s.form}'"
        found |= {name: f"`{name}` is an outcome: write {HOLDS}({name}, {side})" for name, side in sides.items()}
        if not self.outcomes:
            found[HOLDS] = "nobody can win here: the board has no victory conditions"
        absent = self.absent
        return {**found, **absent.facts, **absent.events, **absent.outcomes, **absent.observables}

    def _holds(self) -> Iterable[Observable]:
        names = tuple(dict.fromkeys(o.name for o in self.outcomes))
        if not names:
            return ()
        outcome = Domain(EnumSort("outcome", names), refused=self.absent.outcomes)
        others = tuple(dict.fromkeys(o.side for o in self.outcomes if o.side not in self.sides))
        side = Domain(EnumSort("side", tuple(self.sides)))
        if others:  # a kind of its own: a variable that stands for each side stands for sides alone
            side = Domain(EnumSort("side or nobody", (*self.sides, *others)))
        cites = tuple(dict.fromkeys(c for o in self.outcomes for c in o.cites))
        text = "the side wins the outcome at this moment"
        return (Observable(HOLDS, (outcome, side), self._won, text, cites),)


@dataclass(frozen=True)
class TextFlaw:
    """A fault of the text that a game was made from, such as the file of a map, found as it was read.

    Attributes:
        code: The code of the finding.
        about: What it is about, by the name that suppressions use.
        message: What is wrong.
        place: The line of the file.
        together: The clauses of outcomes that some position has to meet at once, with relationships as at the start;
            else it is no fault. Of several faults of a code that ask so, one is told.
    """

    code: str
    about: str
    message: str
    place: CodePlace
    together: tuple[str, ...] = ()


@dataclass(frozen=True)
class Flaw:
    """A fault of a board, found by the game's own check.

    Attributes:
        path: Keys and numbers that lead to the place in the file.
        message: What is wrong.
        help: What to do about it.
        key: Whether the place is the last key itself, not its value.
    """

    path: tuple[str | int, ...]
    message: str
    help: str | None = None
    key: bool = False

    @staticmethod
    def unknown(
        path: tuple[str | int, ...], kind: str, name: str, known: Iterable[str], *, key: bool = False
    ) -> Flaw:
        """The fault that a name does not exist.

        Args:
            path: As in the attributes.
            kind: What it should be the name of.
            known: The names there are; the nearest are offered.
            key: As in the attributes.
        """
        return Flaw(path, f"unknown {kind} {quoted(name)}", did_you_mean(name, known), key)


@dataclass(frozen=True)
class Encoding:
    """A game: its texts, switches and board format, and the function that builds its system.

    Attributes:
        name: The folder's name.
        title: The game's name.
        texts: The rule texts that citations name.
        options: Switches.
        readings: Readings.
        board: The dataclass that a board file is read into.
        check_board: What is wrong with a board of that class.
        check_chosen: What is wrong with a board, sound by itself, under some settings.
        build: The system for a board and settings.
        codes: Beginnings of the codes that `check` looks for where none are selected; empty: all.
        version: A digest of the text that it is written as; empty: it is written in Python.
    """

    name: str
    title: str
    texts: tuple[RuleText, ...]
    options: tuple[Option, ...]
    readings: tuple[Reading, ...]
    board: type[Any]
    check_board: Callable[[Any], Iterable[Flaw]]
    build: Callable[[Any, Settings], System]
    check_chosen: Callable[[Any, Settings], Iterable[Flaw]] = lambda board, settings: ()
    codes: tuple[str, ...] = ()
    version: str = ""

    @property
    def is_text(self) -> bool:
        """True if it is written as text, a rulebook."""
        return bool(self.version)

    def settings(self, given: Mapping[str, int | str] | None = None) -> Settings:
        """Settings with defaults for what is not given; the names and values are taken as checked."""
        given = given or {}
        return Settings(
            options={o.name: given.get(o.name, o.default) for o in self.options},
            readings={r.name: str(given.get(r.name, r.default)) for r in self.readings},
        )
