"""The questions to a game at one moment: explanations, plans, proofs, faults of the rules, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Unpack

from vclogic.files.record import Events, read_event, read_step
from vclogic.model.fluents import Value
from vclogic.model.system import IDLE
from vclogic.moment.moment import Moment
from vclogic.query.answers import Plan, Reach
from vclogic.query.plan_request import check_numbers
from vclogic.query.request import Patience, Spending

if TYPE_CHECKING:
    from vclogic.check.findings import Checked
    from vclogic.query.compare import Comparison
    from vclogic.query.explain import ExplainedEvent
    from vclogic.query.explanation import Explained
    from vclogic.query.missing import Missing
    from vclogic.query.ruling.answer import Ruled


class Questions(Moment):
    """A game at one moment, and the questions about one side's possibilities and about the rules."""

    __slots__ = ()

    def explain(self, goal: str | None = None) -> tuple[Explained, ...]:
        """Explain why each outcome is met or not, or why a goal holds or not, down to the deciding facts.

        Args:
            goal: The goal, in the goal language; None: every outcome.

        Raises:
            InputError: The goal is wrong.
        """
        from vclogic.query.explain import Explainer, explain_outcomes

        if goal is None:
            return explain_outcomes(self.loaded.setup.system, self.state)
        term = self._request({}).goal(goal).term
        return (Explainer(self.loaded.setup.system, self.state, [term]).explained(term, goal),)

    def ask(
        self, question: str, *, explain: bool = False, all_readings: bool = False, **patience: Unpack[Patience]
    ) -> Ruled:
        """The ruling of the rules on a question here: facts, clauses, and the Readings that would change it.

        Args:
            question: An expression of the goal language; an event as in a record, such as
                `place: {power: Germans, ...}`; or an outcome with its side, such as `major_victory Axis`.
            explain: Whether to tell everything that the answer rests on too, met or not.
            all_readings: Whether to list each other value of each Reading too, with the answer under it.
            patience: Time limit and progress; see `Patience`. What is not known by then is left open, and the answer
                says what.

        Raises:
            InputError: The question is wrong.
        """
        request = self._request(Spending(dump=None, **patience))

        check_numbers(request.timeout)

        from vclogic.query.ruling.ask import ask

        not_judged = self.loaded.not_judged(self._kinds)
        return ask(
            self.setup,
            self._steps(),
            question,
            not_judged=not_judged,
            explain=explain,
            all_readings=all_readings,
            timeout=request.timeout,
            progress=request.progress,
        )

    def explain_event(self, event: str, /, **arguments: Value) -> ExplainedEvent:
        """Explain why an event is allowed here or not.

        Args:
            event: Its name, as in `apply`; or the whole event as in a record, `place: {power: Germans, ...}`.
            arguments: Its arguments, if `event` is only a name.

        Raises:
            InputError: There is no such event, or its arguments are wrong.
        """
        from vclogic.query.explain import explain_event

        system = self.loaded.setup.system
        found = read_step(system, event, arguments).event if arguments else read_event(system, event, "event")
        return explain_event(self.loaded.setup.game, system, self.state, found, self._request({}).assumptions)

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
        plans: int = 1,
        without: Sequence[Events] = (),
        on_better: Callable[[Plan], object] | None = None,
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
            plans: How many plans of the same least cost to find, none of which holds all that another one holds.
            without: Events that the plan must not hold, as in a record; arguments left out can have any value.
            on_better: Called with each better plan for a goal while a cheaper one is looked for, replayed, in this
                thread.
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
            plans=plans,
            without=without,
            on_better=on_better,
        )

    def reach(
        self,
        goal: str,
        *,
        side: str | None = None,
        within: int | None = None,
        opponent: str = IDLE,
        by: str | None = None,
        without: Sequence[Events] = (),
        **spending: Unpack[Spending],
    ) -> Reach:
        """Find a record that reaches a goal, or prove that there is none.

        Args:
            goal: The goal, in the goal language; `before`, `happens` and `actor` refer to the last event.
            side: The side that moves; None with `opponent="helps"`: every side.
            within: The horizon: the largest number of counted steps.
            opponent: As in `plan`.
            by: The events: None for all, under what the game assumes beyond its rules; `rules` for all, without these
                assumptions; or a metric, for the steps of its planning model.
            without: Events that must not happen, in the form of `plan`.
            spending: Time limit and the like; see `Spending`.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        asked = self._request(spending)

        from vclogic.query.questions import reach

        return reach(asked, goal, side=side, within=within, opponent=opponent, by=by, without=without)

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
        self,
        goal: str,
        *,
        keep: Sequence[str] = (),
        change: Sequence[str] = (),
        limit: int = 10,
        **spending: Unpack[Spending],
    ) -> Missing:
        """Find the fewest facts to change for a goal, or prove that no well-formed position satisfies it.

        Args:
            goal: The goal, in the goal language.
            keep: Facts that must stay as they are: families or single fluents by name.
            change: Families of facts that tell of earlier turns and may change too; by default these only change
                where nothing else is enough.
            limit: How many minimal sets of changes (or of conflicting rules) to find.
            spending: Time limit and the like; see `Spending`.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        asked = self._request(spending)

        from vclogic.query.questions import missing

        return missing(asked, goal, keep=keep, change=change, limit=limit)

    def compare(
        self,
        other: Moment,
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
