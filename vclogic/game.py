"""`Game`, the stable public interface for Python: a position of a game, and all questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Unpack

from vclogic.encode.evaluator import Tracker
from vclogic.files.position import load_setup, with_overrides
from vclogic.files.record import Step, part_of_event, read_event, read_step
from vclogic.files.setup import Setup
from vclogic.lasting import lasting
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.system import IDLE
from vclogic.query.answers import Plan, Reach, Status
from vclogic.query.answers import Step as PlanStep
from vclogic.query.plan_request import side_for
from vclogic.query.replay import play_record
from vclogic.query.request import Patience, Request, Spending
from vclogic.query.status import StatusView, value_of

if TYPE_CHECKING:
    from vclogic.check.findings import Checked
    from vclogic.draw.svg import SvgText
    from vclogic.model.picture import Picture
    from vclogic.query.comparison import Comparison
    from vclogic.query.explain import Explained, ExplainedEvent
    from vclogic.query.legality import Legal
    from vclogic.query.missing import Missing
    from vclogic.query.rule_book import RuleBook


class Game:
    """A game at one moment. It is immutable: `apply` and `with_options` return another one.

    Attributes:
        setup: The rule set, settings and start.
        state: The state now.
        history: What has happened since the start.
    """

    def __init__(
        self,
        setup: Setup,
        state: State,
        history: tuple[Event, ...],
        view: StatusView,
        kinds: frozenset[str],
        followed: Tracker | None = None,
    ):
        self.setup = setup
        self.state = state
        self.history = history
        self._view = view
        self._kinds = kinds  # of the events in the history
        self._followed = followed  # the status of an earlier moment, where one was asked for

    @staticmethod
    def load(game: str, at: str | None = None, settings: Sequence[tuple[str, str]] = ()) -> Game:
        """Load a game from an encoding, a scenario or a position file; see `vclogic.load`."""
        with lasting():
            setup = load_setup(game, at, settings)
            return Game._started(setup, tuple(setup.record))

    @staticmethod
    def _started(setup: Setup, record: Sequence[Step]) -> Game:
        state = play_record(setup.system, setup.initial, record)
        view = StatusView(setup.system)
        history = tuple(s.event for s in record)
        return Game(setup, state, history, view, frozenset(e.name for e in history))

    # ---- moving on

    def apply(self, event: str, /, **arguments: Value) -> Game:
        """The game after one more event.

        Args:
            event: Name of the event, as in a record.
            arguments: Its arguments, as in a record.

        Raises:
            InputError: There is no such event, its arguments are wrong, or it breaks a rule.
        """
        step = read_step(self.setup.system, event, arguments)
        state = play_record(self.setup.system, self.state, [step])
        history, kinds = (*self.history, step.event), self._kinds | {event}
        return Game(self.setup, state, history, self._view, kinds, self._followed)

    def with_options(self, **settings: int | str) -> Game:
        """The same game under other options and Readings; its record is judged again.

        Raises:
            InputError: There is no such option, Reading or value, or the record breaks a rule under it.
        """
        setup = with_overrides(self.setup, [(name, str(v)) for name, v in settings.items()])
        return Game._started(setup, [Step(e) for e in self.history])

    # ---- questions

    def value(self, expression: str) -> Value | None:
        """The value of an expression of the goal language; None if it is undefined.

        Raises:
            InputError: The expression is wrong.
        """
        from vclogic.terms.resolve import compile_value

        found = compile_value(expression, self.setup.system.vocabulary, "expression").partial
        return value_of(self.setup.system, self.state, found)

    def status(self, view: str | None = None, *, tables: bool = False) -> Status:
        """Who has won, who has what.

        Args:
            view: Show only what this side can know.
            tables: Whether to add the game's tables, which takes longer.

        Raises:
            InputError: There is no such side.
        """
        if view is not None:
            view = side_for(self.setup.system, (), view, IDLE)
        rests_on = {"assumptions": self.setup.chosen_in_words, "not_judged": self._not_judged}
        with lasting():
            self._followed = self._follow()
            found = self._view.status(self._followed, game=self.setup.game, view=view, **rests_on)
            return replace(found, tables=self._view.tables(self.state)) if tables else found

    def rules(self) -> RuleBook:
        """What the rule set holds: outcomes, observables, events, Readings, clauses, rulings.

        Raises:
            InputError: A file with rulings or `coverage.yaml` has a wrong form.
        """
        from vclogic.query.rule_book import rule_book

        return rule_book(self.setup)

    def explain(self, goal: str | None = None) -> tuple[Explained, ...]:
        """Explain why each outcome is met or not, or why a goal holds or not, down to the deciding facts.

        Raises:
            InputError: The goal is wrong.
        """
        from vclogic.query.explain import Explainer, explain_outcomes

        if goal is None:
            return explain_outcomes(self.setup.system, self.state)
        term = self._request({}).goal(goal).term
        return (Explainer(self.setup.system, self.state, [term]).explained(term, goal),)

    def explain_event(self, event: str, /, **arguments: Value) -> ExplainedEvent:
        """Explain why an event is allowed here or not.

        Args:
            event: Its name, as in `apply`; or the whole event as in a record, `place: {power: Germans, ...}`.
            arguments: Its arguments, if `event` is only a name.

        Raises:
            InputError: There is no such event, or its arguments are wrong.
        """
        from vclogic.query.explain import explain_event

        system = self.setup.system
        found = read_step(system, event, arguments).event if arguments else read_event(system, event, "--event")
        return explain_event(self.setup.game, system, self.state, found, self._request({}).assumptions)

    def legal(
        self,
        side: str | None = None,
        event: str | None = None,
        *,
        why_not: int = 0,
        **arguments: Value,
    ) -> Legal:
        """The legal events.

        Args:
            side: The side or power that decides; None: all events, including forced ones.
            event: A kind of event, or one with some arguments as in a record, such as `place: {power: Germans}`;
                None: every kind.
            why_not: How many refused events of each kind to list too, with the reasons.
            arguments: Some of the event's arguments, if `event` is only a name; write an argument called `side` as in
                a record.

        Returns:
            Every event that `apply` accepts. For a kind with too many events, only their number; give some arguments
            to list them.

        Raises:
            InputError: There is no such side, power or event, or an argument is wrong.
        """
        from vclogic.query.legal import legal

        node = None if event is None else part_of_event(event, arguments)
        rests_on = self._request({}).assumptions
        return legal(self.setup.game, self.setup.system, self.state, side, node, why_not, rests_on)

    def plan(
        self,
        goal: str | None = None,
        *,
        maximize: str | None = None,
        side: str | None = None,
        minimize: str | None = None,
        within: int | None = None,
        opponent: str = IDLE,
        certify: bool = False,
        **spending: Unpack[Spending],
    ) -> Plan:
        """The cheapest plan for a goal, or for the largest value of an expression.

        Args:
            goal: The goal, in the goal language; or instead
            maximize: A numeric expression, in the goal language.
            side: The side that plans; optional if the goal names only one side.
            minimize: A metric of the game; by default its first one.
            within: The horizon: the largest number of counted steps.
            opponent: `idle`, or `helps` for one that makes any legal steps that help (`any` is another name for it).
            certify: Whether z3 must confirm what was proved in floating point, in the time left.
            spending: Time limit and the like; see `Spending`.

        Returns:
            The plan with its proof; `impossible` or `unknown` if there is none.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        asked = self._request(spending)  # what follows counts

        from vclogic.query.questions import plan  # solvers are loaded where one is asked

        return plan(
            asked,
            goal,
            maximize,
            side=side,
            minimize=minimize,
            within=within,
            opponent=opponent,
            certify=certify,
        )

    def reach(
        self,
        goal: str,
        *,
        side: str | None = None,
        within: int | None = None,
        opponent: str = IDLE,
        by: str | None = None,
        **spending: Unpack[Spending],
    ) -> Reach:
        """Whether a goal can be reached at all.

        Args:
            goal: The goal, in the goal language; `before`, `happens` and `actor` refer to the last event.
            side: The side that moves; None with `opponent="helps"`: every side.
            within: The horizon: the largest number of counted steps.
            opponent: As in `plan`.
            by: The events: None for all, under what the game assumes beyond its rules; `rules` for all, without these
                assumptions; or a metric, for the steps of its planning model.
            spending: Time limit and the like; see `Spending`.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        asked = self._request(spending)

        from vclogic.query.questions import reach

        return reach(asked, goal, side=side, within=within, opponent=opponent, by=by)

    def check(
        self,
        *,
        scope: Literal["positions", "reachable"] = "positions",
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        **patience: Unpack[Patience],
    ) -> Checked:
        """Check the rule set for faults; `docs/findings.md` explains the codes.

        Args:
            scope: All well-formed positions; or `reachable`, to search for play from this moment to each finding.
            select: Codes or prefixes of codes to check; none: all.
            ignore: Codes or prefixes of codes to leave out.
            patience: Time limit and progress; see `Patience`.

        Raises:
            InputError: There is no such code, or the encoding's `checks.yaml` is wrong.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.check.of_game import check

        return check(asked, scope, (select, ignore))

    def missing(
        self, goal: str, *, keep: Sequence[str] = (), limit: int = 10, **spending: Unpack[Spending]
    ) -> Missing:
        """What is missing for a goal: the fewest facts to change, or why no well-formed position satisfies it.

        Args:
            goal: The goal, in the goal language.
            keep: Facts that must stay as they are: families or single fluents by name.
            limit: How many minimal sets of changes (or of conflicting rules) to find.
            spending: Time limit and the like; see `Spending`.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        asked = self._request(spending)

        from vclogic.query.questions import missing

        return missing(asked, goal, keep=keep, limit=limit)

    def compare(
        self,
        other: Game,
        on: str | None = None,
        *,
        within: int | None = None,
        numbers: int = 1,
        **spending: Unpack[Spending],
    ) -> Comparison:
        """Compare the rules of this game with those of another, from the position of each.

        Args:
            other: The same game under other settings, another scenario, or another game.
            on: What to compare: an outcome, an observable, an event or an expression; None: everything.
            within: The horizon: the largest number of counted steps.
            numbers: How many values of each numeric argument to compare, from the smallest.
            spending: Time limit and the like; see `Spending`.

        Returns:
            The nearest position in which they disagree, with a record that leads there; or a proof that they never
            do.

        Raises:
            InputError: A choice is wrong, or nothing in both is called so.
        """
        asked = self._request(spending)

        from vclogic.query.questions import compare

        return compare(asked, other._request({}), on, within=within, numbers=numbers)

    def written(self, record: Iterable[Event] = ()) -> str:
        """This moment as the text of a position file, with the events since the start as its record.

        Args:
            record: Further events, such as those of a plan.
        """
        from vclogic.files.write import write_position

        return write_position(self.setup, record=(*self.history, *record))

    # ---- pictures

    def picture(self, plan: Plan | Reach | Sequence[PlanStep] = (), step: int | None = None) -> Picture:
        """The picture of this moment, and of a plan's moves on it, as data.

        Args:
            plan: A plan or witness found from this moment, or its steps.
            step: Only one turn of it, by the number on its arrows; None: all of it.

        Raises:
            InputError: The game has no picture, the plan is of another game, or there is no such turn.
        """
        from vclogic.query.picture import picture

        steps = plan.steps if isinstance(plan, Plan | Reach) else plan
        return picture(self.setup.system, self.setup.game, self.state, steps, step)

    def svg(self, plan: Plan | Reach | Sequence[PlanStep] = (), step: int | None = None) -> SvgText:
        """The picture as SVG text, which notebooks display; arguments as in `picture`."""
        from vclogic.draw.svg import svg

        return svg(self.picture(plan, step))

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows; None if the game has none."""
        return self.svg() if self.setup.system.drawing is not None else None

    # ---- parts

    def _follow(self) -> Tracker:
        """The status of this moment, updated from that of an earlier moment if there is one."""
        if self._followed is None:
            return self._view.track(self.state)
        return self._followed if self._followed.state is self.state else self._followed.fork(self.state)

    @property
    def _not_judged(self) -> tuple[str, ...]:
        """What was taken from the record unchecked."""
        kinds = (s.not_judged for s in self.setup.system.events if s.name in self._kinds)
        return tuple(dict.fromkeys(x for x in kinds if x))

    def _request(self, spending: Spending) -> Request:
        return Request(self.setup, self.state, spending)
