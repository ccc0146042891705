"""Who has won, who has what, by which clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from vclogic.encode.evaluator import Evaluator, Tracker, interpret
from vclogic.model.fluents import State, Value, value, written
from vclogic.model.rules import Outcome, Table
from vclogic.model.system import System
from vclogic.query.answers import OutcomeStatus, Status, TableStatus
from vclogic.terms.build import or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

UNDECLARED = "undeclared"
"""The value of what a side cannot know."""
_HIDDEN: Mapping[str, Any] = {"status": UNDECLARED, "have": None, "lacks": "", "fulfilled": False}


def seen(system: System, view: str) -> Iterator[tuple[str, Term]]:
    """For each outcome (by number) and each overview expression that may be hidden: whether a side can know it."""
    for i, o in enumerate(system.outcomes):
        if o.seen is not None:
            yield str(i), o.seen(view)
    for name, *arguments in system.overview:
        known = system.vocabulary[name].seen
        if known is not None:
            yield expression(name, *arguments), known(view, *arguments)


class StatusView:
    """The content of `status`, compiled once per system and evaluated for each state.

    Args:
        system: The system.
    """

    def __init__(self, system: System):
        self._system = system
        self._views: dict[str, Evaluator] = {}

    @cached_property
    def _evaluator(self) -> Evaluator:
        terms: dict[str, Term] = {}
        for i, o in enumerate(self._system.outcomes):
            parts = {
                "met": or_(o.won, o.now),
                "defined": or_(o.won, o.condition.defined),
                "fulfilled": o.condition.holds,
                "have": o.have,
                "need": o.need,
            }
            terms |= {f"{i}.{name}": t for name, t in parts.items() if t is not None}
        for name, *arguments in self._system.overview:
            partial, call = self._system.vocabulary[name].partial(*arguments), expression(name, *arguments)
            terms |= {f"value {call}": partial.value, f"defined {call}": partial.defined}
        if self._system.winner is not None:
            terms["winner"] = self._system.winner
        return Evaluator(self._system.layout, terms)

    @cached_property
    def _entries(self) -> Evaluator:
        terms: dict[str, Term] = {}
        for i, table in enumerate(self._system.tables):
            for j, entry in enumerate(table.entries):
                parts = {"row": entry.row, "value": entry.value.value, "shown": entry.value.defined}
                terms |= {f"{i}.{j}.{name}": t for name, t in parts.items()}
        return Evaluator(self._system.layout, terms)

    def tables(self, state: State) -> tuple[TableStatus, ...]:
        """The tables of a state."""
        values = self._entries.evaluate(state)
        return tuple(self._table(i, table, values) for i, table in enumerate(self._system.tables))

    def _table(self, i: int, table: Table, values: Mapping[str, Value]) -> TableStatus:
        rows: dict[str, dict[str, dict[str, Value]]] = {r: {c: {} for c in table.columns} for r in table.rows}
        for j, entry in enumerate(table.entries):
            if values[f"{i}.{j}.shown"]:
                rows[str(values[f"{i}.{j}.row"])][entry.column][entry.label] = values[f"{i}.{j}.value"]
        return TableStatus(table.title, table.head, table.columns, rows, tuple(c.clause for c in table.cites))

    def track(self, state: State) -> Tracker:
        """A tracker of a changing state, whose status is updated cheaply."""
        return self._evaluator.track(state)

    def status(
        self,
        values: Tracker,
        *,
        game: str,
        view: str | None,
        assumptions: tuple[str, ...],
        not_judged: tuple[str, ...] = (),
    ) -> Status:
        """The status of a tracked state."""
        hidden = self._hidden(view, values.state) if view else frozenset()
        winner = values["winner"] if self._system.winner is not None else self._single_winner(values)
        if any(o.side == winner and str(i) in hidden for i, o in enumerate(self._system.outcomes)):
            winner = None
        outcomes = (self._outcome(i, o, values) for i, o in enumerate(self._system.outcomes))
        return Status(
            game=game,
            winner=None if winner in (None, "none") else str(winner),
            view=view,
            outcomes=tuple(replace(o, **_HIDDEN) if str(i) in hidden else o for i, o in enumerate(outcomes)),
            observables={e: UNDECLARED if e in hidden else x for e, x in self._observables(values).items()},
            assumptions=assumptions,
            not_judged=not_judged,
        )

    def _hidden(self, view: str, state: State) -> frozenset[str]:
        """The outcomes (by number) and the expressions of the overview that a side cannot know."""
        if view not in self._views:
            self._views[view] = Evaluator(self._system.layout, dict(seen(self._system, view)))
        return frozenset(name for name, known in self._views[view].evaluate(state).items() if not known)

    def _single_winner(self, values: Tracker) -> str | None:
        sides = {o.side for i, o in enumerate(self._system.outcomes) if values[f"{i}.met"]}
        return sides.pop() if len(sides) == 1 else None

    def _outcome(self, i: int, o: Outcome, values: Tracker) -> OutcomeStatus:
        status: Literal["met", "unmet", "undefined"] = "undefined"
        if values[f"{i}.defined"]:
            status = "met" if values[f"{i}.met"] else "unmet"
        return OutcomeStatus(
            rule=o.name,
            side=o.side,
            level=o.level,
            status=status,
            have=None if o.have is None else int(values[f"{i}.have"]),
            need=None if o.need is None else int(values[f"{i}.need"]),
            cites=tuple(c.clause for c in o.cites),
            text=o.text,
            when=o.when,
            lacks=o.lacks if status == "undefined" else "",
            fulfilled=bool(values[f"{i}.fulfilled"]),
        )

    def _observables(self, values: Tracker) -> Mapping[str, Value | None]:
        calls = (expression(*parts) for parts in self._system.overview)
        return {e: values[f"value {e}"] if values[f"defined {e}"] else None for e in calls}


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
