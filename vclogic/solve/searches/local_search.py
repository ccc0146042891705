"""Local search for a state in Python: fast if solutions are frequent, but no proof if it finds none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from random import Random

from vclogic.clock import ANSWERING, Deadline, TimeUp, granted, look, until
from vclogic.encode.evaluator import compile_term
from vclogic.encode.penalty import penalty
from vclogic.model.fluents import State
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

_PAIRS = 0.3  # how often two fluents are changed at once
_LEVEL = 0.3  # how often a step that makes nothing better is taken
_KICK = 3  # changes at random, more of them each time that all beginnings have led nowhere
Evaluate = Callable[[Sequence[int]], int]


class LocalSearch:
    """A local search over states whose fluents have given values.

    Args:
        slot: Position of each fluent in a state.
        start: The initial state.
        values: The values of each fluent, as a state's numbers; the starting value may be left out.
        narrowed: Replaces each fluent of a term by a variable with only these values.
        laws: Terms that every state it finds satisfies.
    """

    def __init__(
        self,
        slot: Mapping[Term, int],
        start: State,
        values: Mapping[Term, Sequence[int]],
        narrowed: Substitution,
        laws: Iterable[Term],
    ):
        self._start = start
        self._narrowed = narrowed
        self._slot = dict(slot)
        for f in values:
            self._slot[narrowed(f)] = slot[f]
        self._values = {slot[f]: values for f, values in values.items()}
        self._broken = self._compiled(narrowed(law) for law in laws)

    def _compiled(self, terms: Iterable[Term]) -> Evaluate:
        return compile_term(penalty(all_of(terms)), self._slot)

    def find(
        self, wanted: Term, deadline: Deadline, begins: Sequence[State] = (), most: float = math.inf
    ) -> State | None:
        """Search for a state that satisfies a Bool term and the laws; None if none is found.

        Args:
            wanted: The term.
            begins: States that satisfy the laws; it starts from the ones of least penalty first.
            most: After so many changes it gives up too, so that what it finds does not depend on the machine.
        """
        try:
            with until(deadline):
                return self._found(wanted, begins, most)
        except TimeUp:
            return None

    def _found(self, wanted: Term, begins: Sequence[State], most: float) -> State | None:
        missing = self._compiled([self._narrowed(wanted)])
        near = sorted(dict.fromkeys((self._start, *begins)), key=missing)
        random = Random(0)
        moves = [(i, n) for i, values in self._values.items() for n in values]
        tried = 0
        for turn in count():
            look()
            state = list(near[turn % len(near)])
            for at, n in random.sample(moves, min(len(moves), turn // len(near) * _KICK)):
                state[at] = n
            there, changes = self._downhill(state, missing, moves, random)
            if there:
                with granted(ANSWERING):
                    return self._tidied(state, missing)
            tried += changes
            if tried >= most:
                break
        return None

    def _downhill(
        self, state: list[int], missing: Evaluate, moves: list[tuple[int, int]], random: Random
    ) -> tuple[bool, int]:
        """Change fluents until the penalty is 0, or no change reduces it; whether it is 0, and the changes tried."""
        now = missing(state) + self._broken(state)
        before, tried = now + 1, 1
        while 0 < now < before:
            before = now
            random.shuffle(moves)
            for i, move in enumerate(moves):
                look()
                tried += 1
                made = [move, moves[i - 1]] if random.random() < _PAIRS else [move]
                old = [(at, state[at]) for at, _ in made]
                for at, n in made:
                    state[at] = n
                then = missing(state)
                if then <= now:
                    then += self._broken(state)
                if then < now or (then == now and random.random() < _LEVEL):
                    now = then
                    if not now:
                        break
                else:
                    for at, n in reversed(old):
                        state[at] = n
        return not now, tried

    def _tidied(self, state: list[int], missing: Evaluate) -> State:
        """Reset fluents to their starting values, one after the other, as long as the penalty stays 0."""
        changed = [i for i, n in enumerate(state) if n != self._start[i]]
        while changed:
            left = []
            for i in changed:
                state[i], n = self._start[i], state[i]
                if missing(state) or self._broken(state):
                    state[i] = n
                    left.append(i)
            if len(left) == len(changed):
                break
            changed = left
        return tuple(state)
