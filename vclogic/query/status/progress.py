"""The winner and each side's progress, clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, Literal

from vclogic.collector_paused import collector_paused
from vclogic.encode.python.evaluator import Evaluator, compiled_later, interpret
from vclogic.explore.endings import endings
from vclogic.files.record import RecordStep
from vclogic.model.fluents import State, Value, value, written
from vclogic.model.grounded import number_of
from vclogic.model.memoized import keep
from vclogic.model.rules import NOBODY, Outcome, Table
from vclogic.model.system import System
from vclogic.query.replay import play_record
from vclogic.query.status.answer import Changed, Status, TableStatus, TracedStep
from vclogic.query.status.outcomes import OutcomeStatus
from vclogic.query.status.position import UNDECLARED
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

_LOOKS = 20
"""In so many positions events are looked at one by one, before what all of them need is one function."""
_MOST_COMPILED = 5_000
"""Of more events that is never made: it would take longer than a look at one after the other in many positions."""
_KEPT = 1_000
"""So many standings of an outcome are kept, to be shown again."""
_HIDDEN: Mapping[str, Any] = {"status": UNDECLARED, "have": None, "count": None, "lacks": "", "fulfilled": False}


def seen(system: System, view: str) -> Iterator[tuple[str, Term]]:
    """For each outcome (by number) and each overview expression that may be hidden: whether a side can know it."""
    for i, o in enumerate(system.outcomes):
        if o.seen is not None:
            yield str(i), o.seen(view)
    for name, *arguments in system.overview:
        known = system.vocabulary[name].seen
        if known is not None:
            yield expression(name, *arguments), known(view, *arguments)


class _Standing:
    """The progress towards one outcome, from the values of its terms; each is made once.

    Args:
        outcome: The outcome.
        count: The expression of the overview that says how far the side is; None: none does.
    """

    def __init__(self, outcome: Outcome, count: str | None):
        o = self.outcome = outcome
        self._count = count
        parts = {
            "met": or_(o.won, o.now),
            "defined": or_(o.won, o.condition.defined),
            "fulfilled": o.condition.holds,
            "have": o.have,
            "need": o.need,
        }
        self.terms = {name: t for name, t in parts.items() if t is not None and not t.is_const}
        """The terms that depend on the state; the rest is known."""
        self._known = {name: None if t is None else t.value for name, t in parts.items() if t is None or t.is_const}
        self._made: dict[tuple[Value, ...], OutcomeStatus] = {}

    def status(self, values: tuple[Value, ...]) -> OutcomeStatus:
        """The outcome where its terms have some values."""
        found = self._made.get(values)
        if found is None:
            found = self._made_of({**self._known, **dict(zip(self.terms, values, strict=True))})
            keep(self._made, values, found, _KEPT)
        return found

    def _made_of(self, parts: Mapping[str, Any]) -> OutcomeStatus:
        o = self.outcome
        status: Literal["met", "unmet", "undefined"] = "undefined"
        if parts["defined"]:
            status = "met" if parts["met"] else "unmet"
        return OutcomeStatus(
            rule=o.name,
            side=o.side,
            level=o.level,
            status=status,
            have=None if parts["have"] is None else int(parts["have"]),
            need=None if parts["need"] is None else int(parts["need"]),
            count=None if parts["have"] is None else self._count,
            cites=tuple(c.clause for c in o.cites),
            text=o.text,
            when=o.when,
            lacks=o.lacks if status == "undefined" else "",
            fulfilled=bool(parts["fulfilled"]),
            together=o.together,
            all_lose=o.all_lose,
        )


class _StatusFunction:
    """The terms that `status` shows of a state, as one function, and the place of each value in it.

    Args:
        system: The system.
    """

    def __init__(self, system: System):
        calls = {expression(*parts): system.vocabulary[parts[0]].partial(*parts[1:]) for parts in system.overview}
        of = {p.value: call for call, p in reversed(calls.items())}
        self._outcomes = tuple(_Standing(o, None if o.have is None else of.get(o.have)) for o in system.outcomes)
        self._standings: dict[tuple[Value, ...], tuple[OutcomeStatus, ...]] = {}
        terms = [t for outcome in self._outcomes for t in outcome.terms.values()]
        self._of_outcomes = len(terms)
        self._expressions = tuple(calls)
        terms += [p.value for p in calls.values()]
        partly = {call: p.defined for call, p in calls.items() if p.defined is not TRUE}
        self._partly = {call: len(terms) + i for i, call in enumerate(partly)}
        """The places of the values that tell whether an expression is defined, for those that may be undefined."""
        terms += partly.values()
        self.latched = system.winner is not None
        terms += [endings(system).over]
        terms += [] if system.winner is None else [system.winner]
        self.values = compiled_later(terms, system.layout.slot)

    def outcomes(self, values: tuple[Value, ...]) -> tuple[OutcomeStatus, ...]:
        """The progress towards each outcome."""
        own = values[: self._of_outcomes]
        found = self._standings.get(own)
        if found is None:
            left = iter(own)
            found = tuple(o.status(tuple(islice(left, len(o.terms)))) for o in self._outcomes)
            keep(self._standings, own, found, _KEPT)
        return found

    def observables(self, values: tuple[Value, ...]) -> dict[str, Value | None]:
        """The expressions of the overview; None where one is undefined."""
        found: dict[str, Value | None] = dict(zip(self._expressions, values[self._of_outcomes :], strict=False))
        for call, place in self._partly.items():
            if not values[place]:
                found[call] = None
        return found

    def winners(self, values: tuple[Value, ...], outcomes: Sequence[OutcomeStatus]) -> tuple[str, ...]:
        """The side that was first to win; where the rules latch no winner, all that meet an outcome."""
        if self.latched:
            side = str(values[-1])
            return () if side == "none" else (side,)
        return tuple(dict.fromkeys(o.side for o in outcomes if o.status == "met" and o.side != NOBODY))

    def over(self, values: tuple[Value, ...]) -> bool:
        """True if the rules say that the game is over, whoever has won."""
        return bool(values[-2 if self.latched else -1])


class StatusView:
    """The content of `status`, compiled once per system and evaluated for each state.

    Args:
        system: The system.
    """

    def __init__(self, system: System):
        self._system = system
        self._views: dict[str, Evaluator] = {}
        self._looks = 0

    def _nothing_legal(self, state: State) -> bool:
        """True if whoever is on turn can do nothing: looked at event by event, and compiled once that pays."""
        if self._system.stuck is None:
            return False
        from vclogic.query.legal.events import Legality  # most rules do not tell: they have a status sooner

        self._looks += 1
        if self._looks > _LOOKS and number_of(self._system.events) <= _MOST_COMPILED:
            return any(self._stuck(state))
        return not Legality(self._system, state, None).anything()

    @cached_property
    def _stuck(self) -> Callable[[Sequence[int]], tuple[Value, ...]]:
        """A test of positions: can whoever is on turn do nothing, where the rules can tell."""
        terms = [] if self._system.stuck is None else [self._system.stuck().kept]
        return compiled_later(terms, self._system.layout.slot)

    @cached_property
    def _compiled(self) -> _StatusFunction:
        with collector_paused():
            return _StatusFunction(self._system)

    @cached_property
    def _entries(self) -> Evaluator:
        terms: dict[str, Term] = {}
        for i, table in enumerate(self._system.tables):
            for j, entry in enumerate(table.entries):
                parts = {"row": entry.row, "value": entry.value.value, "shown": entry.value.defined}
                terms |= {f"{i}.{j}.{name}": t for name, t in parts.items()}
        return Evaluator(self._system.layout, terms)

    def tables(self, state: Sequence[int]) -> tuple[TableStatus, ...]:
        """The tables of a state."""
        values = self._entries.evaluate(state)
        return tuple(self._table(i, table, values) for i, table in enumerate(self._system.tables))

    def _table(self, i: int, table: Table, values: Mapping[str, Value]) -> TableStatus:
        rows: dict[str, dict[str, dict[str, Value]]] = {r: {c: {} for c in table.columns} for r in table.rows}
        for j, entry in enumerate(table.entries):
            if values[f"{i}.{j}.shown"]:
                rows[str(values[f"{i}.{j}.row"])][entry.column][entry.label] = values[f"{i}.{j}.value"]
        return TableStatus(table.title, table.head, table.columns, rows, tuple(c.clause for c in table.cites))

    def status(
        self,
        state: Sequence[int],
        *,
        game: str,
        view: str | None,
        assumptions: tuple[str, ...],
        not_judged: tuple[str, ...] = (),
    ) -> Status:
        """The status of a state."""
        compiled = self._compiled
        values = compiled.values(state)
        outcomes = compiled.outcomes(values)
        winners, over = compiled.winners(values, outcomes), compiled.over(values)
        observables, hidden = compiled.observables(values), set[str]()
        if view is not None:
            hidden = self._hidden(view, state)
            # That a side has won by what is hidden is not told.
            secret = any(o.side in winners and str(i) in hidden for i, o in enumerate(outcomes))
            winners, over = ((), False) if secret else (winners, over)
            outcomes = tuple(replace(o, **_HIDDEN) if str(i) in hidden else o for i, o in enumerate(outcomes))
            observables = {e: UNDECLARED if e in hidden else x for e, x in observables.items()}
        stuck = not winners and not over and not hidden and self._nothing_legal(tuple(state))
        found = object.__new__(Status)
        vars(found).update(  # the constructor of a frozen dataclass takes three times as long
            game=game,
            winner=winners[0] if len(winners) == 1 else None,
            winners=winners,
            over=bool(winners) or over or stuck,
            stuck=stuck,
            view=view,
            outcomes=outcomes,
            observables=observables,
            turn={f.name: value(f.sort, state[self._system.layout.slot[f]]) for f in self._system.schedule},
            assumptions=assumptions,
            tables=(),
            explanations=(),
            not_judged=not_judged,
            position=(),
        )
        return found

    def _hidden(self, view: str, state: Sequence[int]) -> set[str]:
        """The numbers of outcomes and the expressions that a side cannot know."""
        if view not in self._views:
            self._views[view] = Evaluator(self._system.layout, dict(seen(self._system, view)))
        return {name for name, known in self._views[view].evaluate(state).items() if not known}


def value_of(system: System, state: State, partial: Partial) -> Value | None:
    """The value of a term in a state; None where it is undefined."""
    slot = system.layout.slot
    defined = interpret(partial.defined, slot, state)
    return value(partial.value.sort, interpret(partial.value, slot, state)) if defined else None


def shown(x: Value | None) -> str:
    """A value as files have it, or `undefined`."""
    return "undefined" if x is None else written(x)


def expression(name: str, *arguments: str) -> str:
    """A call, in the syntax of the goal language."""
    return f"{name}({', '.join(arguments)})" if arguments else name


def states_of(system: System, initial: State, record: Sequence[RecordStep]) -> list[State]:
    """The state before a record, and the state after each of its steps.

    Raises:
        InputError: A step breaks a rule.
    """
    found = [initial]
    for number, step in enumerate(record, 1):
        found.append(play_record(system, found[-1], [step], first=number))
    return found


def changed_facts(system: System, before: State, after: State) -> tuple[Changed, ...]:
    """The facts that differ between two states, in the order of the layout."""
    pairs = zip(system.layout.fluents, before, after, strict=True)
    return tuple(_fact(system, v, a, b) for v, a, b in pairs if a != b)


def _fact(system: System, fluent: Term, before: int, after: int) -> Changed:
    now = value(fluent.sort, after)
    return Changed(fluent.name, value(fluent.sort, before), now, *system.in_words.said(fluent.name, now))


def traced(
    system: System, states: Sequence[State], record: Sequence[RecordStep], view: StatusView
) -> tuple[TracedStep, ...]:
    """The changes by each step of a record.

    Args:
        states: The state before the record, and after each of its steps; see `states_of`.
        view: What `status` shows of a state.
    """
    shown = [view.status(state, game="", view=None, assumptions=()) for state in states]
    steps = enumerate(zip(record, pairwise(states), pairwise(shown), strict=True), 1)
    return tuple(
        TracedStep(number, str(step.event), changed_facts(system, *two), *_changed(before, after))
        for number, (step, two, (before, after)) in steps
    )


def _changed(before: Status, after: Status) -> tuple[tuple[Changed, ...], tuple[Changed, ...]]:
    """The values and the outcomes that differ."""
    values = tuple(_differing(before.observables, after.observables))
    return values, tuple(_differing(_standings(before), _standings(after)))


def _standings(status: Status) -> Mapping[str, Value | None]:
    return {f"{o.rule} {o.side}": o.status for o in status.outcomes}


def _differing(before: Mapping[str, Value | None], after: Mapping[str, Value | None]) -> Iterator[Changed]:
    return (Changed(name, before[name], x) for name, x in after.items() if x != before[name])
