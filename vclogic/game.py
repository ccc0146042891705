"""`Game`, the stable public interface for Python: a position of a game, and all questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final, Literal, Self, overload

from vclogic.check.question import CheckQuestion
from vclogic.choices import choice
from vclogic.collector_paused import collector_paused
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted, shown
from vclogic.files.position import Position, Record, load_setup, with_overrides
from vclogic.files.record import RecordStep, part_of_event, read_event, read_step
from vclogic.files.setup import Setup
from vclogic.files.trees.located import Node
from vclogic.files.trees.scalars import as_text
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value, value
from vclogic.model.sayings import Said
from vclogic.model.system import IDLE
from vclogic.moment import GivenStart, Loaded, Numbers, Past, events_of, full, past_of, small, unpack_game
from vclogic.progress import Listener, silent
from vclogic.query import questions
from vclogic.query.keywords import checked, nothing_called
from vclogic.query.question import GameQuestion, QuestionMethod, Request, steps_since
from vclogic.query.replay import play_record
from vclogic.query.resolved_question import DEFAULT_TIMEOUT, check_numbers, side_for

if TYPE_CHECKING:
    from vclogic.board.graphs import DiGraph, MultiDiGraph
    from vclogic.draw.svg import SvgText
    from vclogic.explore.many_games import ManyGames
    from vclogic.model.picture import Picture
    from vclogic.query.answers import Step
    from vclogic.query.ask.answer import Ruled
    from vclogic.query.board.page import BoardShown, PlaceFacts
    from vclogic.query.explain import ExplainedEvent
    from vclogic.query.explanation import Explained
    from vclogic.query.legal.answer import Legal
    from vclogic.query.objectives.answer import Objectives
    from vclogic.query.plan.answer import Plan
    from vclogic.query.plan.risks import Battles
    from vclogic.query.planner.expressions import Compiled
    from vclogic.query.planner.planner import Planner
    from vclogic.query.reach.answer import Reach
    from vclogic.query.rule_index import RuleIndex
    from vclogic.query.status.answer import Status, TracedStep

_MOST_CHANGES = 8  # sentences


@checked
class Game:
    """A game at one moment. It is immutable: `apply`, `at_state` and `with_options` return another one.

    It can be pickled, and asked by several threads at once.

    Attributes:
        setup: The rule set, settings and start.
        state: The state now.
        history: What has happened since the start.
        loaded: What all moments of the loaded game share.
        numbers: The numbers of the state now, as they are kept: `state` makes a tuple of them.
    """

    __slots__ = ("__weakref__", "_kinds", "_past", "_start", "loaded", "numbers")

    def __init__(
        self,
        loaded: Loaded,
        numbers: Numbers,
        past: Past | None = None,
        kinds: frozenset[str] = frozenset(),
        start: GivenStart | None = None,
    ):
        self.loaded: Final = loaded
        self.numbers: Final = numbers
        self._past = past
        self._kinds = kinds  # of the events since the start
        self._start = start  # None: as in the setup

    @classmethod
    def load(
        cls,
        game: str | Position | Node,
        at: str | Position | Record | None = None,
        settings: Mapping[str, int | str] | Sequence[tuple[str, str]] = (),
        beside: Sequence[str | Position] = (),
    ) -> Self:
        """Load a game from an encoding, a scenario, a position file or a mapping; see `vclogic.load`."""
        pairs = settings.items() if isinstance(settings, Mapping) else settings
        with collector_paused():
            setup = load_setup(game, at, [(str(name), as_text(str(name), x)) for name, x in pairs], beside=beside)
            return cls._started(setup, tuple(setup.record))

    @classmethod
    def _started(cls, setup: Setup, record: Sequence[RecordStep]) -> Self:
        state = play_record(setup.system, setup.initial, record)
        events = tuple(s.event for s in record)
        return cls(Loaded(setup), small(state), past_of(events), frozenset(e.name for e in events))

    def __reduce__(self) -> tuple[Any, ...]:
        start = None if self._start is None else self._start.numbers
        return _unpickled, (type(self), self.loaded.recipe, self.numbers, events_of(self._past), start)

    @property
    def setup(self) -> Setup:
        """The rule set, settings and start."""
        return self.loaded.setup if self._start is None else self._start.setup

    @property
    def state(self) -> State:
        """The state now."""
        return full(self.numbers)

    @property
    def history(self) -> tuple[Event, ...]:
        """The events since the start."""
        return events_of(self._past)

    # ---- moving on

    def apply(self, event: str, /, **arguments: Value) -> Self:
        """The game after one more event.

        Args:
            event: Name of the event, as in a record.
            arguments: Its arguments, as in a record.

        Raises:
            InputError: There is no such event, its arguments are wrong, or it breaks a rule.
        """
        steps = self.loaded.step(event, self._with_implied(event, arguments))
        numbers, happened = steps.after(self.numbers, self._number), steps.event
        kinds = self._kinds if happened.name in self._kinds else self._kinds | {happened.name}
        return type(self)(self.loaded, numbers, Past(happened, self._past), kinds, self._start)

    def _with_implied(self, event: str, arguments: dict[str, Value]) -> dict[str, Value]:
        """The arguments of an event, with those that the position tells where they are left out."""
        system = self.loaded.setup.system
        schema = system.schemas.get(event) if isinstance(event, str) else None
        if schema is None or not schema.implied or schema.implied.keys() <= arguments.keys():
            return arguments
        at, state = system.layout.slot, self.state
        return {**{n: value(f.sort, state[at[f]]) for n, f in schema.implied.items()}, **arguments}

    def at_state(self, state: Mapping[str, Any] | State) -> Self:
        """The game at another state, under the same rules and settings.

        Nothing has happened since: `history` is empty, and `written` writes a position with this state.

        Args:
            state: The state or a part of it, in the form of `state:` of a position file and of `state_dict`; what it
                leaves out stays as it is now. Or the numbers of a whole state (`Game.state`), taken as they are.

        Raises:
            InputError: There is no such fact or name, a value is wrong, or the rules on positions do not allow the
                state.
        """
        if isinstance(state, tuple):
            return self._at(state)
        return self._at(self.loaded.form.changed(self.state, state))

    def by_hand(self, facts: Mapping[str, Any]) -> Self:
        """The game with some facts changed by hand, whether any event could do so or not.

        What follows from a change follows as it does from an event: who is put into a place gains it, and who leaves
        it keeps what lasts. All else stays. As after `at_state`, `history` is empty.

        Args:
            facts: The facts, in the form of `state_dict`. Of what position files list completely, such as the units
                in a place, nothing but what is named changes.

        Raises:
            InputError: As `at_state` does.
        """
        return self._at(self.loaded.form.by_hand(self.state, facts), before=self._number())

    def _at(self, state: State, before: int = 0) -> Self:
        numbers = small(state)
        return type(self)(self.loaded, numbers, start=GivenStart(self.loaded, numbers, before))

    def _number(self) -> int:
        """The number of the next step, for messages."""
        return (0 if self._start is None else self._start.before) + len(self.history) + 1

    def state_dict(self) -> dict[str, Any]:
        """The whole state as plain values: by fact, then by each index, as `state:` of a position file has them.

        Returns:
            A new dict of bool, int, text and None, which JSON can hold; `at_state` takes it.
        """
        return self.loaded.form.mapping(self.numbers)

    def with_options(self, **settings: int | str) -> Self:
        """The same game under other options and Readings; its record is judged again.

        Raises:
            InputError: There is no such option, Reading or value, or the record breaks a rule under it.
        """
        setup = with_overrides(self.setup, [(name, as_text(name, x)) for name, x in settings.items()])
        return self._started(setup, [RecordStep(e) for e in self.history])

    # ---- what holds now

    def value(self, expression: str) -> Value | None:
        """The value of an expression of the goal language; None if it is undefined.

        Raises:
            InputError: The expression is wrong.
        """
        return self.loaded.value(expression, self.numbers)

    def status(
        self,
        view: str | None = None,
        *,
        tables: bool = False,
        position: bool = False,
        whole: bool = False,
        trace: bool = False,
    ) -> Status:
        """The winner, and each side's progress towards each outcome.

        Args:
            view: Show only what this side can know.
            tables: Whether to add the game's tables, which takes longer.
            trace: Whether to add what each step since the start has changed; not with a view, for nothing is hidden
                in it.
            position: Whether to add who is where and who controls what, which takes longer; what is as usual is
                counted where it is much.
            whole: Whether the position names that too.

        Raises:
            InputError: There is no such side, or a trace is asked for with a view.
        """
        loaded = self.loaded
        if view is not None:
            view = side_for(loaded.setup.system, (), view, IDLE, option="view")
        found = loaded.status.status(
            self.numbers,
            game=loaded.game,
            view=view,
            assumptions=loaded.assumptions,
            not_judged=loaded.not_judged(self._kinds),
        )
        if tables:
            found = replace(found, tables=loaded.status.tables(self.numbers))
        if position:
            found = replace(found, position=loaded.position(self.state, view, whole))
        return replace(found, trace=self._traced(view)) if trace else found

    def _traced(self, view: str | None) -> tuple[TracedStep, ...]:
        from vclogic.query.status.progress import states_of, traced

        if view is not None:
            message = "a trace shows the whole record, with all that is hidden from a side"
            raise InputError(Diagnostic("usage", message, choice("trace"), help="leave out one of the two"))
        system, steps = self.loaded.setup.system, steps_since(self.setup, self.history)
        return traced(system, states_of(system, self.setup.initial, steps), steps, self.loaded.status)

    @property
    def winner(self) -> str | None:
        """The side that has won, as in `status`; None as long as none has, or where several have."""
        return self.status().winner

    def __eq__(self, other: object) -> bool:
        """True for the same rules, board and settings at the same state, of which the same side has won."""
        if not isinstance(other, Game):
            return NotImplemented
        if self.state != other.state:
            return False
        same = self.loaded is other.loaded or self.loaded.fingerprint == other.loaded.fingerprint
        return same and self.winner == other.winner

    def __hash__(self) -> int:
        return hash((self.loaded.game, self.state))

    @property
    def mover(self) -> str | None:
        """The side that decides what happens next; None where nobody does or more than one side may.

        `legal` says who must agree to an event of it.
        """
        sides = {self.loaded.setup.system.side_of(a.actor) for k in self.legal().kinds for a in k.allowed if a.actor}
        return next(iter(sides)) if len(sides) == 1 else None

    @property
    def over(self) -> bool:
        """True if a side has won, the rules say that the game is over, or nothing is legal."""
        from vclogic.encode.python.evaluator import interpret
        from vclogic.explore.endings import endings

        system = self.loaded.setup.system
        if interpret(endings(system).final, system.layout.slot, self.state):
            return True
        return not any(k.allowed or k.left_out for k in self.legal().kinds)

    @property
    def returns(self) -> dict[str, int]:
        """For each side 1 if it has won, -1 if only others have or it has lost whoever won, and 0 otherwise.

        It is 0 where all have won, unless the text says that they do so together.
        """
        from vclogic.encode.python.evaluator import interpret
        from vclogic.explore.endings import endings, returns_of

        system = self.loaded.setup.system
        values = [bool(interpret(t, system.layout.slot, self.state)) for t in endings(system).terms]
        return dict(zip(system.sides, returns_of(len(system.sides), values), strict=True))

    def many(self, number: int = 1, *, kinds: Sequence[str] = ()) -> ManyGames:
        """Many games from this moment, to be stepped together with NumPy arrays.

        Args:
            number: How many.
            kinds: The names of the events that may happen; empty: all of the rules.

        Raises:
            InputError: There is no such event, or the rules have too many events to number them.
        """
        from vclogic.explore.events import TooManyEvents, fitting, numbers_of
        from vclogic.explore.many_games import ManyGames

        system = self.loaded.setup.system
        names = [s.name for s in system.events]
        unknown = {kind: f"there is no event {quoted(kind)}" for kind in kinds if kind not in names}
        if unknown:
            where = choice("kinds")
            raise InputError(
                Diagnostic("unknown-name", m, where, help=did_you_mean(k, names)) for k, m in unknown.items()
            )
        try:
            remade = methodcaller("many", kinds=tuple(kinds)), (self,)
            return ManyGames(system, [self.state] * number, kinds, remade)
        except TooManyEvents as error:
            counted = numbers_of(system, kinds)
            most = max(counted, key=lambda kind: counted[kind])
            do = "name the `kinds` of events that may happen"
            do = f"leave out {quoted(most)}, of which there are {counted[most]:,}" if kinds else do
            few = ", ".join(fitting(numbers_of(system)))
            help = f"these are few enough together: {few}" if few else None
            message = f"{error}: {do}"
            raise InputError(Diagnostic("usage", message, choice("kinds"), help=help)) from error

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The sides, each with the powers that act for it: the side itself where it is undivided."""
        return self.loaded.setup.system.sides

    def compile(self, expressions: str | Sequence[str]) -> Compiled:
        """Compile expressions of the goal language, to evaluate them in many states of this game.

        Args:
            expressions: An expression, or several.

        Returns:
            A function of a game at any moment, or of a state (`Game.state`): the value as by `value`, or a tuple of
            the values of several expressions. Its method `batch` does that for all rows of an array.
            It refuses a game of other rules, on another board or with other settings.

        Raises:
            InputError: Everything that is wrong with the expressions.
        """
        from vclogic.query.planner.expressions import compiled

        return compiled(self.loaded, expressions)

    def array(self, moments: Iterable[Game | State | Mapping[str, Any]]) -> Any:
        """States as a NumPy array, for `batch` of what `compile` returns.

        Args:
            moments: Games of this rule set, states of them (`Game.state`), or mappings as for `at_state`, laid over
                this moment.

        Returns:
            A row for each, a column for each fluent in the order of `state`, in the smallest integer type that holds
            all their values. Columns are contiguous (Fortran order).

        Raises:
            InputError: Everything that is wrong with a mapping, or something is no state of this game.
        """
        from vclogic.query.planner.expressions import GivenStates, array_of

        given = GivenStates(self.loaded.setup, "this array", "moments", lambda facts: self.at_state(facts).numbers)
        return array_of(self.loaded.setup.system.layout.fluents, moments, given)

    def rules(self) -> RuleIndex:
        """The contents of the rule set: outcomes, observables, events, Readings, clauses, rulings.

        Raises:
            InputError: A file with rulings or `coverage.yaml` has a wrong form.
        """
        from vclogic.query.rule_index import rule_index

        return rule_index(self.setup)

    def legal(
        self,
        side: str | None = None,
        event: str | None = None,
        *,
        why_not: int = 0,
        place: str | None = None,
        target: str | None = None,
        unplaced: bool = False,
        **arguments: Value,
    ) -> Legal:
        """The legal events.

        Args:
            side: The side or power that decides; None: all events, including forced ones.
            event: A kind of event, or one with some arguments as in a record, such as `place: {power: Germans}`;
                None: every kind.
            why_not: How many refused events of each kind to list too, with the reasons.
            place: Only events that name this place of the board, or something that is there; the answer says which
                other places each names after it (its `targets`).
            target: Of these only events that name this place after it.
            unplaced: Only events that name no place and nothing that may be at one, such as the end of a turn.
            arguments: Some of the event's arguments, if `event` is only a name; write an argument called as one of
                those above as in a record.

        Returns:
            Every event that `apply` accepts. For a kind with too many events, only their number; give some arguments
            to list them.

        Raises:
            InputError: There is no such side, power, event or place, or an argument is wrong.
        """
        from vclogic.query.legal.listed import legal, why_nothing

        if event is None and arguments:
            own = ("side", "event", "why_not", "place", "target", "unplaced")
            raise InputError(nothing_called(name, "legal", own) for name in arguments)
        check_numbers(why_not=why_not)
        node = None if event is None else part_of_event(event, arguments)
        if (place is None and target is not None) or (place is not None and unplaced):
            told = "`target` is for the events of a `place`, and `unplaced` for those of none"
            raise InputError(Diagnostic("usage", told, choice("place")))
        loaded, at = self.loaded, None
        if place is not None or unplaced:
            from vclogic.query.board.page import named_at
            from vclogic.query.board.plain import with_board

            at = named_at(with_board(loaded.setup.system), self._on_board(), self.state, place, target)
        system = loaded.setup.system
        found = legal(loaded.game, system, self.state, side, node, why_not, loaded.rests_on, at)
        if found.allowed or found.left_out:
            return found
        now = self.status()
        return replace(found, reason=now.headline if now.over else why_nothing(system, self.state, found, node))

    def explain(self, goal: str | None = None) -> tuple[Explained, ...]:
        """Explain why each outcome is met or not, or why a goal holds or not, down to the deciding facts.

        Args:
            goal: The goal, in the goal language; None: every outcome.

        Raises:
            InputError: The goal is wrong.
        """
        from vclogic.query.explain import Explainer, explain_outcomes
        from vclogic.terms.expressions.event_words import ONLY_REACH
        from vclogic.terms.expressions.resolve import compile_goal

        system = self.loaded.setup.system
        if goal is None:
            return explain_outcomes(system, self.state)
        term = compile_goal(goal, system.vocabulary, choice("goal"), ONLY_REACH).term
        return (Explainer(system, self.state, [term]).explained(term, goal),)

    def explain_event(self, event: str, /, **arguments: Value) -> ExplainedEvent:
        """Explain why an event is allowed here or not.

        Args:
            event: Its name, as in `apply`; or the whole event as in a record, `place: {power: Germans, ...}`.
            arguments: Its arguments, if `event` is only a name.

        Raises:
            InputError: There is no such event, or its arguments are wrong.
        """
        from vclogic.query.explain import explain_event

        setup = self.loaded.setup
        system = setup.system
        found = read_step(system, event, arguments).event if arguments else read_event(system, event, "event")
        rests_on = (*system.notes, *self.setup.chosen_in_words)
        return explain_event(setup.game, system, self.state, system.settled(self.state, found), rests_on)

    # ---- questions: their fields and what they mean stand in `vclogic/query`

    ask = QuestionMethod(lambda: questions.AskQuestion)
    plan = QuestionMethod(lambda: questions.PlanQuestion)
    reach = QuestionMethod(lambda: questions.ReachQuestion)
    missing = QuestionMethod(lambda: questions.MissingQuestion)
    compare = QuestionMethod(lambda: questions.CompareQuestion)
    check = QuestionMethod(lambda: CheckQuestion)
    objectives = QuestionMethod(lambda: questions.BriefingQuestion)
    odds = QuestionMethod(lambda: questions.OddsQuestion)
    solve = QuestionMethod(lambda: questions.SolveQuestion)
    force = QuestionMethod(lambda: questions.ForceQuestion)
    defend = QuestionMethod(lambda: questions.DefendQuestion)
    survives = QuestionMethod(lambda: questions.SurvivesQuestion)

    def planner(self, side: str | None = None, metric: str | None = None, *, opponent: str = IDLE) -> Planner:
        """A planner for many questions about this game, each with its own state, conditions and budget of time.

        Args:
            side: The side that plans; None: each question whose goal names one side is about that side.
            metric: A metric of the game; by default its first one.
            opponent: As in `plan`.

        Returns:
            The planner. It keeps between questions what does not depend on the state: the steps of the planning model
            where they are the same for all states, compiled goals and conditions, and, where no gain is ever lost
            (captures in axis_allies), the program with its cuts. Steps that are built for their state (units on maps,
            armies) are built anew for each state. Several threads may ask it; it answers one after the other.

        Raises:
            InputError: There is no such side, metric or opponent.
        """
        from vclogic.query.planner.planner import Planner

        made = methodcaller("planner", side, metric, opponent=opponent)
        return Planner(self.setup, self.state, side, metric, opponent, remade=(made, (self,)))

    # ---- as text, as a graph and as a picture

    def written(self, record: Iterable[Event] = ()) -> str:
        """This moment as the text of a position file, with the events since the start as its record.

        Args:
            record: Further events, such as those of a plan.

        Raises:
            InputError: One is no event of this game.
        """
        from vclogic.files.write import write_position

        events = tuple(record)
        for event in events:
            if not isinstance(event, Event) or event.name not in self.setup.system.schemas:
                message = f"record: expected events of {self.setup.game}, found {shown(event)}"
                raise InputError(Diagnostic("wrong-value", message, choice("record")))
        return write_position(self.setup, record=(*self.history, *events))

    @overload
    def graph(self, of: Literal["board"] = "board") -> DiGraph[str]: ...

    @overload
    def graph(
        self,
        of: Literal["positions"],
        *,
        max_positions: int | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        progress: Listener = silent,
    ) -> MultiDiGraph[State]: ...

    def graph(
        self,
        of: Literal["board", "positions"] = "board",
        *,
        max_positions: int | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        progress: Listener = silent,
    ) -> DiGraph[str] | MultiDiGraph[State]:
        """The board, or all positions that play can reach from here, as a graph of networkx.

        Args:
            of: What it is a graph of.
            max_positions: More positions than so many are refused; None: 20,000.
            timeout: Seconds for positions.
            progress: Called with a `Progress` during the work.

        Returns:
            The board as a `DiGraph`. Its nodes are the places that events and facts name; what the picture of this
            moment shows of one are its attributes `label`, `kind`, `pos`, `owner` and `ground`. An edge leads where
            something can move, with `costs`, by what moves, and the least of them as `weight`.

            Or the positions as a `MultiDiGraph`. Its nodes are states (`Game.state`), with `depth` (the fewest events
            from here), `mover` (the side that decides; None: nobody, or several may), `won` (the sides that have won)
            and `over` (whether the game is over otherwise); events do not lead on from either. Its edges are events,
            with `event` and `args` as `apply` takes them, `actor`, `text`, `odds` where chance decides, and 1 as
            `weight`.

        Raises:
            InputError: The game says nothing of ways on its board, or there are too many positions, which is also
                said where the time is up before all are there.
        """
        from vclogic.query.board.graph import MOST, board_graph, position_graph

        if of == "board":
            return board_graph(self.loaded.game, self.loaded.setup.system, self.state)
        most = MOST if max_positions is None else max_positions
        return position_graph(Request(self.setup, self.state, GameQuestion(timeout=timeout, progress=progress)), most)

    def picture(
        self,
        plan: Plan | Reach | Objectives | Ruled | Sequence[Step] = (),
        step: int | None = None,
        battles: Battles | None = None,
        overlays: Sequence[str] = (),
    ) -> Picture:
        """The picture of this moment, and of a plan's moves, a briefing or a ruling on it, as data.

        Args:
            plan: A plan or witness found from this moment, or its steps; or what `objectives` or `ask` answers about
                it.
            step: Only one turn of it, by the number on its arrows; None: all of it, or of a briefing what is next.
            battles: Its battles with their chances; None: those of the plan.
            overlays: What definitions of the rules say of places at this moment, drawn over it; as for `board`.

        Raises:
            InputError: The game has no picture, the plan is of another game, or there is no such turn or overlay.
        """
        from vclogic.query.board.overlays import with_overlays
        from vclogic.query.board.picture import picture

        system = self.loaded.setup.system
        found = picture(system, self.loaded.game, self.state, plan, step, battles)
        return with_overlays(system, self.state, found, overlays)

    def svg(self, plan: Plan | Reach | Objectives | Ruled | Sequence[Step] = (), step: int | None = None) -> SvgText:
        """The picture as SVG text, which notebooks display; arguments as in `picture`."""
        from vclogic.draw.svg import svg

        return svg(self.picture(plan, step))

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows; None if the game has none."""
        return self.svg() if self.loaded.setup.system.drawing is not None else None

    def board(
        self, plan: Plan | Reach | Sequence[Step] = (), step: int | None = None, overlays: Sequence[str] = ()
    ) -> BoardShown:
        """The picture of this moment with places to select; where the game has none, its places as a plain board.

        Args:
            plan: A plan or witness found from this moment, or its steps.
            step: Only one turn of it, by the number on its arrows; None: all of it.
            overlays: What definitions say of places, drawn over it: names of those that the answer lists; or an
                outcome and its side, such as `major_victory Axis`: what it depends on, held places and missing ones.

        Raises:
            InputError: The plan is of another game, or there is no such turn or overlay.
        """
        from vclogic.query.board.overlays import shown, with_overlays
        from vclogic.query.board.page import board
        from vclogic.query.board.picture import turns_of
        from vclogic.query.board.plain import with_board

        steps = plan if isinstance(plan, Sequence) else plan.steps
        system = with_board(self.loaded.setup.system)
        picture = with_overlays(system, self.state, self._on_board(plan, step), overlays)
        return board(picture, turns_of(system, self.state, steps), shown(system))

    def _on_board(self, plan: Plan | Reach | Sequence[Step] = (), step: int | None = None) -> Picture:
        """The picture of this moment as a page shows it."""
        from vclogic.query.board.picture import picture
        from vclogic.query.board.plain import with_board

        return picture(with_board(self.loaded.setup.system), self.loaded.game, self.state, plan, step)

    def place(self, place: str | None = None) -> PlaceFacts:
        """The contents of a place of the board, and the facts that may be changed there by hand.

        Args:
            place: The place, as the board calls it; None: what is recorded of no place, such as whose turn it is.

        Raises:
            InputError: There is no such place on it.
        """
        from vclogic.query.board.page import place as facts_at
        from vclogic.query.board.plain import with_board

        return facts_at(with_board(self.loaded.setup.system), self._on_board(), self.state, place)

    def happened(self, since: Self | None = None) -> tuple[str, ...]:
        """The events since the start, a sentence each.

        Args:
            since: A moment before: only what has happened after it; nothing, where events alone do not lead from it
                to this one. None: since the start.
        """
        began = small(self.setup.initial) if self._start is None else self._start.numbers
        game = since or type(self)(self.loaded, began, start=self._start)
        past, system, told = self._past, self.loaded.setup.system, list[str]()
        events: list[Event] = []
        while past is not None and past is not game._past:
            events.append(past.event)
            past = past.before
        if past is not game._past or (game.loaded, game._start) != (self.loaded, self._start):
            return ()
        for n, event in enumerate(reversed(events)):
            told.append(system.action_in(game.state, event).said(system.layout.values(game.state)))
            if n + 1 < len(events):
                game = game.apply(event.name, **dict(event.args))
        return tuple(told)

    def changes_since(self, before: Self) -> tuple[str, ...]:
        """The facts that are others than at a moment before, in words; of very many only how many there are.

        Args:
            before: The moment before, under the same rules and on the same board.

        Raises:
            InputError: It is one of another game.
        """
        from vclogic.model.sayings import sentences
        from vclogic.query.status.progress import changed_facts

        system = self.loaded.setup.system
        if before.loaded.setup.system.layout.fluents != system.layout.fluents:
            message = "these are moments of different games, or on different boards"
            raise InputError(Diagnostic("not-for-this-game", message, choice("before")))
        changed = changed_facts(system, before.state, self.state)
        return tuple(sentences((Said(c.about, c.says) for c in changed), _MOST_CHANGES))


QUESTIONS: Final = tuple(name for name, method in vars(Game).items() if isinstance(method, QuestionMethod))
"""The methods of `Game` that ask a question, which takes a time limit and tells its progress."""


def _unpickled(
    cls: type[Game], recipe: bytes, numbers: Numbers, events: tuple[Event, ...], start: Numbers | None
) -> Game:
    """A game that was pickled."""
    loaded = unpack_game(recipe)
    began = None if start is None else GivenStart(loaded, start)
    return cls(loaded, numbers, past_of(events), frozenset(e.name for e in events), began)
