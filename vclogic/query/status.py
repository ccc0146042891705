"""Who has won, who has what, by which clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from vclogic.encode.evaluator import Evaluator, compiled_later, interpret
from vclogic.lasting import lasting
from vclogic.model.fluents import State, Value, value, written
from vclogic.model.rules import Outcome, Table
from vclogic.model.system import System
from vclogic.query.answers import OutcomeStatus, Status, TableStatus
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

UNDECLARED = "undeclared"
"""The value of what a side cannot know."""
_KEPT = 1_000
"""So many standings of an outcome are kept, to be shown again."""
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


@dataclass(frozen=True)
class _Parts:
    """Where the value of each part of an outcome stands among the values of the compiled terms."""

    outcome: Outcome
    first: int
    after: int
    known: dict[tuple[Value, ...], OutcomeStatus] = field(default_factory=dict)

    def status(self, values: tuple[Value, ...]) -> OutcomeStatus:
        """The outcome under the values of the compiled terms."""
        own = values[self.first : self.after]
        found = self.known.get(own)
        return found if found is not None else self._made(own)

    def _made(self, own: tuple[Value, ...]) -> OutcomeStatus:
        met, defined, fulfilled, *numbers = own
        o, left = self.outcome, iter(numbers)
        status: Literal["met", "unmet", "undefined"] = "undefined"
        if defined:
            status = "met" if met else "unmet"
        made = OutcomeStatus(
            rule=o.name,
            side=o.side,
            level=o.level,
            status=status,
            have=None if o.have is None else int(next(left)),
            need=None if o.need is None else int(next(left)),
            cites=tuple(c.clause for c in o.cites),
            text=o.text,
            when=o.when,
            lacks=o.lacks if status == "undefined" else "",
            fulfilled=bool(fulfilled),
        )
        if len(self.known) < _KEPT:
            self.known[own] = made
        return made


class _Compiled:
    """What `status` shows of a state: all its terms as one function, and where each value of it belongs.

    Args:
        system: The system.
    """

    def __init__(self, system: System):
        terms: list[Term] = []
        outcomes: list[_Parts] = []
        for o in system.outcomes:
            parts = [or_(o.won, o.now), or_(o.won, o.condition.defined), o.condition.holds, o.have, o.need]
            first = len(terms)
            terms += [t for t in parts if t is not None]
            outcomes.append(_Parts(o, first, len(terms)))
        self.outcomes = tuple(outcomes)
        calls = {expression(*parts): system.vocabulary[parts[0]].partial(*parts[1:]) for parts in system.overview}
        self.expressions = tuple(calls)
        self.first = len(terms)
        terms += [p.value for p in calls.values()]
        self.after = len(terms)
        self.partly: dict[str, int] = {}
        """Where it stands whether an expression is defined, for each that may be undefined."""
        for call, partial in calls.items():
            if partial.defined is not TRUE:
                self.partly[call] = len(terms)
                terms.append(partial.defined)
        self.winner = None if system.winner is None else len(terms)
        terms += [] if system.winner is None else [system.winner]
        self.values = compiled_later(terms, system.layout.slot)

    def observables(self, values: tuple[Value, ...]) -> dict[str, Value | None]:
        """The expressions of the overview; None where one is undefined."""
        found: dict[str, Value | None] = dict(zip(self.expressions, values[self.first : self.after], strict=True))
        for call, place in self.partly.items():
            if not values[place]:
                found[call] = None
        return found

    def first_winner(self, values: tuple[Value, ...]) -> str | None:
        """The side that was first to win; where the rules latch no winner, the only one that meets an outcome."""
        if self.winner is not None:
            side = str(values[self.winner])
            return None if side == "none" else side
        sides = {parts.outcome.side for parts in self.outcomes if values[parts.first]}
        return sides.pop() if len(sides) == 1 else None


class StatusView:
    """The content of `status`, compiled once per system and evaluated for each state.

    Args:
        system: The system.
    """

    def __init__(self, system: System):
        self._system = system
        self._views: dict[str, Evaluator] = {}

    @cached_property
    def _compiled(self) -> _Compiled:
        with lasting():
            return _Compiled(self._system)

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
        found = Status(
            game=game,
            winner=compiled.first_winner(values),
            view=view,
            outcomes=tuple([parts.status(values) for parts in compiled.outcomes]),
            observables=compiled.observables(values),
            assumptions=assumptions,
            not_judged=not_judged,
        )
        return found if view is None else self._seen(found, view, state)

    def _seen(self, found: Status, view: str, state: Sequence[int]) -> Status:
        """What a side can know of a status."""
        if view not in self._views:
            self._views[view] = Evaluator(self._system.layout, dict(seen(self._system, view)))
        hidden = {name for name, known in self._views[view].evaluate(state).items() if not known}
        outcomes = [(o, str(i) in hidden) for i, o in enumerate(found.outcomes)]
        secret = any(o.side == found.winner and unknown for o, unknown in outcomes)
        return replace(
            found,
            winner=None if secret else found.winner,
            outcomes=tuple(replace(o, **_HIDDEN) if unknown else o for o, unknown in outcomes),
            observables={e: UNDECLARED if e in hidden else x for e, x in found.observables.items()},
        )


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
