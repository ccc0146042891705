"""Evaluate the rules in Python, without a solver: status in microseconds, replay of records and plans.

States are tuples of numbers in the order of a system's `Layout`. Terms are compiled to Python functions; terms that
may be needed only once, such as those of a record's actions, are interpreted until they have been used often.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import is_not
from typing import Any

from vclogic.encode.codegen import Form, build_function
from vclogic.encode.codegen import interpret as interpret_all
from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.system import System
from vclogic.model.transition import Chosen, Transition
from vclogic.terms.term import Term, variables

_OFTEN = 10
"""Calls after which a term is compiled: that costs as much as interpreting it 8 to 20 times."""

Changes = Mapping[int, int]
"""Numbers for some places of a state."""


class IllegalStep(ValueError):
    """A step that the rules do not allow.

    Attributes:
        term: The legality term that does not hold, or the choice whose value its sort does not have.
        index: Position of that legality term in the transition; None for a choice.
    """

    def __init__(self, term: Term, index: int | None, message: str):
        self.term = term
        self.index = index
        super().__init__(message)


class OutOfBounds(ValueError):
    """A fluent's next value is outside its sort, so the rule set does not describe the step.

    Attributes:
        fluent: The fluent.
        number: The value it would take, as a state's number.
    """

    def __init__(self, fluent: Term, number: int):
        self.fluent = fluent
        self.number = number
        super().__init__(f"{fluent} would become {number}, outside {fluent.sort}")


# ---- Terms as functions


def compile_terms(
    terms: Sequence[Term], slot: Mapping[Term, int]
) -> Callable[[Sequence[int]], tuple[int | bool, ...]]:
    """Compile several terms to one function of a state; shared subterms are computed once.

    Args:
        terms: Terms of any sort; an Enum term gives the member's number, a Bool term a bool or 0 or 1.
        slot: Place of each variable in a state.

    Raises:
        KeyError: A variable without a slot.
    """
    return build_function(terms, slot)


def compile_term(term: Term, slot: Mapping[Term, int]) -> Callable[[Sequence[int]], int]:
    """The function of a state for one term; see `compile_terms`."""
    return build_function([term], slot, single=True)


def interpret(term: Term, slot: Mapping[Term, int], state: Sequence[int]) -> int:
    """The value of a term in a state without compiling it; see `compile_terms`."""
    return int(interpret_all([term], slot, state)[0])


class _Terms:
    """A function of a state for some terms: interpreted at first, compiled once that pays."""

    def __init__(self, terms: Sequence[Term], slot: Mapping[Term, int], form: Form):
        self._terms = terms
        self._slot = slot
        self._form = form
        self._calls = 0
        self._function: Callable[[Sequence[int]], tuple[Any, ...]] | None = None

    def __call__(self, state: Sequence[int]) -> tuple[Any, ...]:
        if self._function is None:
            self._calls += 1
            if self._calls <= _OFTEN:
                return interpret_all(self._terms, self._slot, state, self._form)
            self._function = build_function(self._terms, self._slot, self._form)
        return self._function(state)


# ---- Named terms, and those that a change touches


class Evaluator:
    """Named terms over the fluents of a system, such as its rules and observables.

    Attributes:
        layout: The system's fluents.
        terms: The terms by name.
    """

    def __init__(self, layout: Layout, terms: Mapping[str, Term]):
        self.layout = layout
        self.terms = dict(terms)
        self._all = _Terms(tuple(self.terms.values()), layout.slot, Form.VALUE)
        self._one: dict[str, Callable[[Sequence[int]], Any]] = {}
        self._calls: dict[str, int] = {}

    def evaluate(self, state: Sequence[int]) -> dict[str, Value]:
        """The value of every term in a state: bool, int, or a member's name."""
        return dict(zip(self.terms, self._all(state), strict=True))

    def value(self, name: str, state: Sequence[int]) -> Value:
        """The value of one term in a state.

        Raises:
            KeyError: There is no term of that name.
        """
        function = self._one.get(name)
        if function is None:
            terms, slot = [self.terms[name]], self.layout.slot
            calls = self._calls[name] = self._calls.get(name, 0) + 1
            if calls <= _OFTEN:
                once: Value = interpret_all(terms, slot, state, Form.VALUE)[0]
                return once
            function = self._one[name] = build_function(terms, slot, Form.VALUE, single=True)
        result: Value = function(state)
        return result

    def track(self, state: Sequence[int]) -> Tracker:
        """A `Tracker` that starts at a state."""
        return Tracker(self, state)

    @cached_property
    def readers(self) -> tuple[tuple[str, ...], ...]:
        """For each position in a state the names of the terms that read it."""
        names: list[list[str]] = [[] for _ in self.layout.fluents]
        for name, term in self.terms.items():
            for v in variables(term):
                names[self.layout.slot[v]].append(name)
        return tuple(tuple(n) for n in names)


class Tracker:
    """A changing state with the values of an evaluator's terms.

    A term is evaluated again only if it reads a changed fluent, and only when its value is asked for.

    Attributes:
        state: The present state.
    """

    def __init__(self, evaluator: Evaluator, state: Sequence[int]):
        self.state: State = tuple(state)
        self._evaluator = evaluator
        self._values: dict[str, Value] = dict.fromkeys(evaluator.terms, False)
        self._stale = set(evaluator.terms)

    def update(self, state: Sequence[int]) -> None:
        """Move to another state."""
        old, self.state = self.state, tuple(state)
        # Identity is a quick test that may take an equal number for a change, never a change for none.
        for i in compress(range(len(old)), map(is_not, old, self.state)):
            self._stale.update(self._evaluator.readers[i])

    def change(self, changes: Mapping[Term, int]) -> None:
        """Change the values of some fluents, given as a state's numbers."""
        new = list(self.state)
        for fluent, x in changes.items():
            i = self._evaluator.layout.slot[fluent]
            if new[i] != x:
                new[i] = x
                self._stale.update(self._evaluator.readers[i])
        self.state = tuple(new)

    def fork(self, state: Sequence[int]) -> Tracker:
        """A tracker of a changed state that shares all values the change does not affect; this one stays as it is."""
        other = Tracker(self._evaluator, self.state)
        other._values, other._stale = dict(self._values), set(self._stale)
        other.update(state)
        return other

    def __getitem__(self, name: str) -> Value:
        """The value of one term in the present state.

        Raises:
            KeyError: There is no term of that name.
        """
        if name in self._stale:
            self._values[name] = self._evaluator.value(name, self.state)
            self._stale.remove(name)
        return self._values[name]

    def values(self) -> dict[str, Value]:
        """The value of every term in the present state."""
        if 2 * len(self._stale) > len(self._values):
            self._values = self._evaluator.evaluate(self.state)  # together they share what they have in common
        else:
            for name in self._stale:
                self._values[name] = self._evaluator.value(name, self.state)
        self._stale.clear()
        return dict(self._values)


# ---- Actions


class _Prepared:
    """An action over the fluents of one system."""

    def __init__(self, action: Action, slot: Mapping[Term, int]):
        self.slot = slot
        self.requirements = action.requirements
        self.guards = _Terms([r.term for r in action.requirements], slot, Form.RAW)
        self.places = [slot[fluent] for fluent, _ in action.effects]
        self.effects = _Terms([new for _, new in action.effects], slot, Form.NUMBER)
        self.loose = [(slot[f], f) for f, new in action.effects if not _always_fits(f, new)]


_ACTIONS: dict[int, tuple[weakref.ref[Action], _Prepared]] = {}
"""By the identity of actions, which are not hashable, for as long as they live."""


def _prepare(system: System, action: Action) -> _Prepared:
    place, slot = id(action), system.layout.slot
    found = _ACTIONS.get(place)
    if found is None or found[1].slot is not slot:
        kept = weakref.ref(action, lambda _: _ACTIONS.pop(place, None))
        found = _ACTIONS[place] = kept, _Prepared(action, slot)
    return found[1]


def failed(system: System, state: Sequence[int], action: Action) -> list[Requirement]:
    """The requirements of an action that do not hold in a state; empty if the action is allowed."""
    prepared = _prepare(system, action)
    met = prepared.guards(state)
    return [] if all(met) else [r for r, ok in zip(prepared.requirements, met, strict=True) if not ok]


def apply(system: System, state: Sequence[int], action: Action) -> State:
    """The state after an action, whether or not its requirements hold (see `failed`).

    All effects are taken over the state before; of two effects on one fluent the last counts.

    Raises:
        OutOfBounds: An effect leaves its fluent's sort.
    """
    return changed(state, changes(system, state, action))


def changes(system: System, state: Sequence[int], action: Action) -> Changes:
    """The changes of an action, whether or not its requirements hold; see `apply`.

    Raises:
        OutOfBounds: An effect leaves its fluent's sort.
    """
    prepared = _prepare(system, action)
    found = dict(zip(prepared.places, prepared.effects(state), strict=True))
    _check(prepared.loose, found)
    return found


def changed(state: Sequence[int], changes: Changes) -> State:
    """A state with some of its numbers replaced."""
    after = list(state)
    for place, x in changes.items():
        after[place] = x
    return tuple(after)


def _always_fits(fluent: Term, new: Term) -> bool:
    return fluent.lo <= new.lo and new.hi <= fluent.hi and not new.mask & ~fluent.mask


def _fits(v: Term, x: int) -> bool:
    return v.lo <= x <= v.hi and (not v.mask or bool(v.mask >> x & 1))


def _check(loose: Sequence[tuple[int, Term]], state: Sequence[int] | Changes) -> None:
    for place, fluent in loose:
        if not _fits(fluent, state[place]):
            raise OutOfBounds(fluent, state[place])


# ---- Transitions


class Stepper:
    """A transition over the fluents of a system, prepared for many steps."""

    def __init__(self, layout: Layout, transition: Transition):
        n = len(layout.fluents)
        self.slot = layout.slot
        self._choices = transition.choices
        self._legality = transition.legality
        slot = {**layout.slot, **{c: n + i for i, c in enumerate(transition.choices)}}
        self._legal = _Terms(transition.legality, slot, Form.RAW)
        self._places = [layout.slot[f] for f in transition.next]
        self._after = _Terms(tuple(transition.next.values()), slot, Form.NUMBER)
        self._cost = _Terms((transition.cost,), slot, Form.NUMBER)
        self._loose = [(layout.slot[f], f) for f, new in transition.next.items() if not _always_fits(f, new)]

    def step(self, state: Sequence[int], chosen: Chosen) -> State:
        """The state after a step.

        Args:
            state: The state before.
            chosen: The number of every choice.

        Raises:
            IllegalStep: A legality term does not hold, or a choice has no such value.
            OutOfBounds: A fluent would leave its sort.
            KeyError: A choice is missing.
        """
        inputs = self._inputs(state, chosen)
        for choice, x in zip(self._choices, inputs[len(state) :], strict=True):
            if not _fits(choice, x):
                raise IllegalStep(choice, None, f"{choice} = {x} is outside {choice.sort}")
        legal = self._legal(inputs)
        if not all(legal):
            index = next(i for i, ok in enumerate(legal) if not ok)
            raise IllegalStep(self._legality[index], index, f"not legal: {self._legality[index]} does not hold")
        after = list(state)
        for place, x in zip(self._places, self._after(inputs), strict=True):
            after[place] = x
        _check(self._loose, after)
        return tuple(after)

    def cost(self, state: Sequence[int], chosen: Chosen) -> int:
        """The cost of a step."""
        return int(self._cost(self._inputs(state, chosen))[0])

    def _inputs(self, state: Sequence[int], chosen: Chosen) -> State:
        return (*state, *[chosen[c] for c in self._choices])
