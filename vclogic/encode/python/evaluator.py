"""Evaluate the rules in Python, without a solver: status in microseconds, replay of records and plans.

States are tuples of numbers in the order of a system's `Layout`. Terms are compiled to Python functions; terms that
may be needed only once, such as those of a record's actions, are interpreted until they have been used often.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from vclogic.encode.python.codegen import ReturnForm, build_function
from vclogic.encode.python.codegen import interpret as interpret_all
from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.system import System
from vclogic.model.transition import Chosen, Transition
from vclogic.terms.term import Op, Term

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

    def __init__(self, terms: Sequence[Term], slot: Mapping[Term, int], form: ReturnForm):
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


def compiled_later(
    terms: Sequence[Term], slot: Mapping[Term, int], form: ReturnForm = ReturnForm.VALUE
) -> Callable[[Sequence[int]], tuple[Value, ...]]:
    """A function of a state for the values of some terms, which is compiled once it has been called often.

    Args:
        terms: Terms of any sort.
        slot: Place of each variable in a state.
        form: The form of the values: bool, int, or a member's name, if nothing else is said.
    """
    return _Terms(tuple(terms), slot, form)


# ---- Named terms


class Evaluator:
    """Named terms over the fluents of a system, such as its rules and observables.

    Attributes:
        layout: The system's fluents.
        terms: The terms by name.
    """

    def __init__(self, layout: Layout, terms: Mapping[str, Term]):
        self.layout = layout
        self.terms = dict(terms)
        self._all = _Terms(tuple(self.terms.values()), layout.slot, ReturnForm.VALUE)

    def evaluate(self, state: Sequence[int]) -> dict[str, Value]:
        """The value of every term in a state: bool, int, or a member's name."""
        return dict(zip(self.terms, self._all(state), strict=True))


# ---- Actions


class Assignments(NamedTuple):
    """The effect of an action on several fluents in a row: constants are set, or other fluents are copied.

    Attributes:
        first: The place of the first of them.
        after: The place after the last.
        source: The place of the first that is copied; None for constants.
        constants: The constants.
    """

    first: int
    after: int
    source: int | None
    constants: bytes


class Prepared:
    """An action over the fluents of one system.

    Attributes:
        slot: The place of each fluent.
        blocks: What it does to fluents in a row, where that does not depend on the state or is only copied.
    """

    def __init__(self, action: Action, slot: Mapping[Term, int]):
        self.slot = slot
        self.requirements = action.requirements
        self._guards = _Terms([r.term for r in action.requirements], slot, ReturnForm.RAW)
        effects = {slot[f]: (f, new) for f, new in action.effects}
        self.blocks = _blocks(effects, slot)
        in_a_row = {place for b in self.blocks for place in range(b.first, b.after)}
        others = {place: e for place, e in effects.items() if place not in in_a_row}
        self._places = tuple(others)
        self._effects = _Terms([new for _, new in others.values()], slot, ReturnForm.NUMBER)
        self._loose = [(place, f) for place, (f, new) in others.items() if not _always_fits(f, new)]

    def failed(self, state: Sequence[int]) -> list[Requirement]:
        """The requirements that do not hold in a state; empty if the action is allowed."""
        met = self._guards(state)
        return [] if all(met) else [r for r, ok in zip(self.requirements, met, strict=True) if not ok]

    def others(self, state: Sequence[int]) -> dict[int, int]:
        """The changes of the action beside its blocks, whether or not its requirements hold.

        Raises:
            OutOfBounds: An effect leaves its fluent's sort.
        """
        found = dict(zip(self._places, self._effects(state), strict=True))
        if self._loose:
            _check(self._loose, found)
        return found

    def changes(self, state: Sequence[int]) -> dict[int, int]:
        """All changes of the action in a state; see `others`."""
        found = self.others(state)
        for first, after, source, constants in self.blocks:
            new = constants if source is None else state[source : source + after - first]
            found.update(zip(range(first, after), new, strict=True))
        return found


_IN_A_ROW = 4  # that many effects make a block: fewer are as fast one by one


def _blocks(effects: Mapping[int, tuple[Term, Term]], slot: Mapping[Term, int]) -> tuple[Assignments, ...]:
    """The effects on fluents in a row that set constants of a byte or copy fluents in a row."""
    found: list[Assignments] = []
    for place, (fluent, new) in sorted(effects.items()):
        if not _always_fits(fluent, new) or (new.is_const and not 0 <= int(new.payload) < 256):
            continue
        if not new.is_const and new.op is not Op.VAR:
            continue
        source = None if new.is_const else slot[new]
        constants = bytes((int(new.payload),)) if new.is_const else b""
        last = found[-1] if found and found[-1].after == place else None
        if last is not None and source is None is last.source:
            found[-1] = last._replace(after=place + 1, constants=last.constants + constants)
        elif last is not None and source is not None and last.source == source - (place - last.first):
            found[-1] = last._replace(after=place + 1)
        else:
            found.append(Assignments(place, place + 1, source, constants))
    return tuple(b for b in found if b.after - b.first >= _IN_A_ROW)


_ACTIONS: dict[int, tuple[weakref.ref[Action], Prepared]] = {}
"""By the identity of actions, which are not hashable, for as long as they live."""


def prepare(system: System, action: Action) -> Prepared:
    """An action over the fluents of a system; kept for as long as the action lives."""
    place, slot = id(action), system.layout.slot
    found = _ACTIONS.get(place)
    if found is None or found[1].slot is not slot:
        kept = weakref.ref(action, lambda _: _ACTIONS.pop(place, None))
        found = _ACTIONS[place] = kept, Prepared(action, slot)
    return found[1]


def failed(system: System, state: Sequence[int], action: Action) -> list[Requirement]:
    """The requirements of an action that do not hold in a state; empty if the action is allowed."""
    return prepare(system, action).failed(state)


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
    return prepare(system, action).changes(state)


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


_STEPPERS: dict[int, tuple[weakref.ref[Transition], Stepper]] = {}
"""By the identity of transitions, which are not hashable, for as long as they live."""


def stepper_of(layout: Layout, transition: Transition) -> Stepper:
    """A transition prepared for many steps; kept for as long as the transition lives, so it is compiled once."""
    place = id(transition)
    found = _STEPPERS.get(place)
    if found is None or found[1].slot is not layout.slot:
        kept = weakref.ref(transition, lambda _: _STEPPERS.pop(place, None))
        found = _STEPPERS[place] = kept, Stepper(layout, transition)
    return found[1]


class Stepper:
    """A transition over the fluents of a system, prepared for many steps."""

    def __init__(self, layout: Layout, transition: Transition):
        n = len(layout.fluents)
        self.slot = layout.slot
        self._choices = transition.choices
        self._legality = transition.legality
        slot = {**layout.slot, **{c: n + i for i, c in enumerate(transition.choices)}}
        self._legal = _Terms(transition.legality, slot, ReturnForm.RAW)
        self._places = [layout.slot[f] for f in transition.next]
        self._after = _Terms(tuple(transition.next.values()), slot, ReturnForm.NUMBER)
        self._cost = _Terms((transition.cost,), slot, ReturnForm.NUMBER)
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
