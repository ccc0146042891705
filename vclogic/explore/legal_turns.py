"""All legal turns of a planning model from a known state, by trying them: no solver, only the terms of the step."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vclogic.clock import check_deadline
from vclogic.encode.python.batch import ROWS, BatchFunction, batch_function
from vclogic.model.fluents import Layout, State
from vclogic.model.system import System
from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import NEGATIVE, Substitution, polarities
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, conjuncts, variables

Turn = Mapping[str, int]
"""The choices of a turn: the number of each choice that is made, by its name."""
_FEW_NUMBERS = 64  # values of one choice that are all tried
_TRIES = 16  # additions that are tried for one random turn


@dataclass(frozen=True)
class Successor:
    """A legal turn and the state after it.

    Attributes:
        turn: A turn that leads there, with as few choices as any.
        state: The state.
    """

    turn: Turn
    state: State


@dataclass(frozen=True)
class _CompiledStep:
    """A step over states in which the schedule is known.

    Attributes:
        choices: The choices that are not ruled out.
        options: Each choice with each number that it can be made with: its column, its number.
        legal: Whether a turn is legal, over a row of a state and choices.
        after: The state after it: places that change, and the function for them.
        complete: Whether taking choices back leaves a legal turn legal: all turns are found by adding choices.
    """

    choices: Sequence[Term]
    options: Sequence[tuple[int, int]]
    legal: BatchFunction
    places: Sequence[int]
    after: BatchFunction
    complete: bool


class LegalTurns:
    """The legal turns of a planning model.

    Args:
        system: The rule set.
        step: The step, with all that every side may choose.

    Attributes:
        tried: How many turns were tried so far for `all`, legal or not.
    """

    def __init__(self, system: System, step: Transition):
        self._layout: Layout = system.layout
        self._schedule = tuple(system.schedule)
        self._step = step
        self._compiled: dict[tuple[int, ...], _CompiledStep] = {}
        self.tried = 0

    def all(self, state: State, most: int = 100_000) -> Sequence[Successor] | None:
        """Every state that a legal turn leads to, with one such turn; None if there are too many, or it is not sure.

        Args:
            state: The state before.
            most: Legal turns beyond which there are too many.
        """
        step = self._at(state)
        if self._step.one_choice:
            self.tried += len(step.options)
            return self._single(step, state) if len(step.options) <= most else None
        if not step.complete:
            return None
        found: dict[State, Turn] = {}
        sets: Any = np.zeros((1, 0), dtype=np.int32)  # the options of each turn, in ascending order
        tried = 0
        together: Any = None
        while len(sets):
            check_deadline()
            tried += len(sets)
            self.tried += len(sets)
            if tried > most:
                return None
            rows = self._of_options(step, sets)
            legal = self._legal(step, state, rows)
            sets, rows = sets[legal], rows[legal]
            self._note(step, state, rows, found)
            size = sets.shape[1]
            if size == 0:
                sets = np.arange(len(step.options), dtype=np.int32)[:, None] if len(sets) else sets
                continue
            if size == 1:
                alone, columns = sets[:, 0], np.array([c for c, _ in step.options])
                more = [alone[i + 1 :][columns[alone[i + 1 :]] != columns[k]] for i, k in enumerate(alone)]
            else:
                if together is None:
                    together = np.zeros((len(step.options),) * 2, dtype=bool)
                    together[sets[:, 0], sets[:, 1]] = True
                fits = together[sets[:, 0]]
                for k in range(1, size):
                    fits = fits & together[sets[:, k]]
                more = [np.flatnonzero(row).astype(np.int32) for row in fits]
            sizes = [len(m) for m in more]
            if tried + sum(sizes) > most:
                return None
            joined = [np.repeat(sets, sizes, axis=0), np.concatenate([*more, np.zeros(0, np.int32)])[:, None]]
            sets = np.hstack(joined).astype(np.int32)
        return [Successor(turn, after) for after, turn in found.items()]

    def _single(self, step: _CompiledStep, state: State) -> Sequence[Successor]:
        """Every state that a turn of one choice leads to."""
        rows = self._of_options(step, np.arange(len(step.options), dtype=np.int32)[:, None])
        found: dict[State, Turn] = {}
        if len(rows):
            self._note(step, state, rows[self._legal(step, state, rows)], found)
        return [Successor(turn, after) for after, turn in found.items()]

    def _of_options(self, step: _CompiledStep, sets: Any) -> Any:
        """One row of choices for each set of options."""
        rows: Any = np.zeros((len(sets), len(step.choices)), dtype=np.int16)
        columns, numbers = (np.array([o[k] for o in step.options], dtype=np.int32) for k in (0, 1))
        for k in range(sets.shape[1]):
            rows[np.arange(len(sets)), columns[sets[:, k]]] = numbers[sets[:, k]]
        return rows

    def some(self, state: State, dice: random.Random, number: int) -> Sequence[Successor]:
        """Different states that random legal turns lead to: choices are added one by one where that stays legal.

        Args:
            state: The state before.
            dice: Decides.
            number: How many turns are made; some may lead to the same state. Doing nothing is always tried.
        """
        step = self._at(state)
        if self._step.one_choice:
            single = self._single(step, state)
            return dice.sample(single, min(number, len(single)))
        rows: Any = np.zeros((number, len(step.choices)), dtype=np.int16)
        columns, numbers = (np.array([o[k] for o in step.options], dtype=np.int32) for k in (0, 1))
        many = np.array([dice.randint(0, _TRIES) for _ in range(number)])
        many[0] = 0
        for k in range(_TRIES if step.options else 0):
            added = np.array([dice.randrange(len(step.options)) for _ in range(number)])
            tried = rows.copy()
            tried[np.arange(number), columns[added]] = numbers[added]
            taken = self._legal(step, state, tried) & (many > k)
            rows[taken] = tried[taken]
        found: dict[State, Turn] = {}
        self._note(step, state, rows, found)
        return [Successor(turn, after) for after, turn in found.items()]

    # ---- parts

    def _at(self, state: State) -> _CompiledStep:
        """The step from a state, compiled once for each value of the schedule, or for the state where it must be."""
        slot = self._layout.slot
        key = state if self._step.scoped else tuple(state[slot[f]] for f in self._schedule)
        found = self._compiled.get(key)
        if found is None:
            if self._step.scoped:
                self._compiled.clear()
            found = self._compiled[key] = self._compile(state)
        return found

    def _compile(self, state: State) -> _CompiledStep:
        constants = self._layout.constants(state)
        step = self._step.at(constants)
        known = constants if self._step.scoped else {f: constants[f] for f in self._schedule}
        here = Substitution(known)
        laws = [here(law) for law in step.legality]
        choices = list(step.choices)
        never: dict[Term, Term] = {}
        while dead := {v for law in laws for v in _refused(law) if v in choices and v not in never}:
            never |= dict.fromkeys(dead, FALSE)
            gone = Substitution(dict.fromkeys(dead, FALSE))
            laws = [law for law in map(gone, laws) if law is not TRUE]
        choices = [c for c in choices if c not in never]
        gone = Substitution(never)
        after = {f: gone(here(new)) for f, new in step.next.items()}
        width = len(self._layout.fluents)
        slot = {**self._layout.slot, **{c: width + i for i, c in enumerate(choices)}}
        signs = polarities(laws)
        bound = {v for law in laws for v in variables(law)}
        complete = all(c.is_bool and (c not in bound or signs[c] == NEGATIVE) for c in choices)
        options = [(i, n) for i, c in enumerate(choices) for n in _numbers(c)]
        return _CompiledStep(
            choices,
            options,
            batch_function([all_of(laws)], slot),
            [self._layout.slot[f] for f in after],
            batch_function(list(after.values()), slot),
            complete,
        )

    def _values(self, function: BatchFunction, state: State, rows: Any) -> list[Any]:
        """The values of a function for a state and each row of choices."""
        width, parts = len(state), []
        for first in range(0, len(rows), ROWS):
            check_deadline()
            some = rows[first : first + ROWS]
            n = len(some)
            columns = [np.full(n, state[j]) if j < width else some[:, j - width] for j in function.columns]
            parts.append([np.broadcast_to(np.asarray(v), n) for v in function.of_columns(columns, n)])
        return [np.concatenate(values) for values in zip(*parts, strict=True)]

    def _legal(self, step: _CompiledStep, state: State, rows: Any) -> Any:
        return self._values(step.legal, state, rows)[0].astype(bool)

    def _note(self, step: _CompiledStep, state: State, rows: Any, found: dict[State, Turn]) -> None:
        """Note the states after some legal turns, each with the first turn that leads there."""
        if not len(rows):
            return
        columns = self._values(step.after, state, rows)
        changed = np.stack(columns, axis=1).astype(np.int32) if columns else np.zeros((len(rows), 0), dtype=np.int32)
        _, first = np.unique(changed, axis=0, return_index=True)
        for i in sorted(first):
            after = list(state)
            for place, x in zip(step.places, changed[i].tolist(), strict=True):
                after[place] = x
            key = tuple(after)
            if key not in found:
                found[key] = {c.name: int(n) for c, n in zip(step.choices, rows[i], strict=True) if n}


def _refused(law: Term) -> Sequence[Term]:
    """The Bool variables that a law rules out by itself."""
    found: list[Term] = []
    for part in conjuncts(law):
        if part.op is Op.NOT:
            inner = part.args[0]
            found += [v for v in (inner.args if inner.op is Op.OR else (inner,)) if v.op is Op.VAR]
    return found


def _numbers(choice: Term) -> Sequence[int]:
    """The numbers with which a choice is made."""
    if isinstance(choice.sort, EnumSort):
        return [n for n in members_of(choice.mask) if n]
    return [n for n in range(choice.lo, min(choice.hi, choice.lo + _FEW_NUMBERS) + 1) if n]
