"""Local search for a state in Python: fast if solutions are frequent, but no proof if it finds none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from random import Random

from vclogic.clock import ANSWERING, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.abstractions import tests_in
from vclogic.encode.distance import penalty
from vclogic.encode.python.evaluator import compile_term
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
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
            check_deadline()
            state = list(near[turn % len(near)])
            for at, n in random.sample(moves, min(len(moves), turn // len(near) * _KICK)):
                state[at] = n
            there, changes = self._downhill(state, missing, moves, random)
            if there:
                with grace_period(ANSWERING):
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
                check_deadline()
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


# ---- the positions of a rule set that it tries: of each fluent the values that the rules tell apart, and a few more


WIDE = 16
"""A fluent with more values than this has too many to try each."""
_MOST = 64  # values of one fluent
_MORE = 3  # values at random beside those that are told apart
_NEAR = 8  # numbers on each side of a number at the start


def walk_of(system: System, start: State, laws: Iterable[Term]) -> LocalSearch:
    """Local search among the positions of a rule set, from its start.

    Args:
        laws: What every well-formed position satisfies.
    """
    told = tests_in(_judged(system))
    values: dict[Term, list[int]] = {}
    narrowed: dict[Term, Term] = {}
    for i, f in enumerate(system.layout.fluents):
        check_deadline()
        if not isinstance(f.sort, EnumSort):
            values[f] = _numbers(f, start[i])
            continue
        values[f] = members_of(f.mask)
        if len(values[f]) > WIDE:
            values[f] = sorted(_told_apart(f, start[i], told.get(f, ()), Random(i)))
            narrowed[f] = var(f.name, f.sort, mask=sum(1 << n for n in values[f]))
    return LocalSearch(system.layout.slot, start, values, Substitution(narrowed), laws)


def _judged(system: System) -> Iterator[Term]:
    """The conditions and values of outcomes and tables."""
    for o in system.outcomes:
        yield from (o.now, o.won, o.condition.value, o.condition.defined)
    for table in system.levels:
        yield from (row.value for row in table.rows.values())


def _told_apart(f: Term, start: int, tests: Iterable[int], random: Random) -> set[int]:
    """The start's value, one of each kind of values that no test tells apart, and a few at random."""
    members, tests = members_of(f.mask), list(tests)
    kinds: dict[tuple[int, ...], list[int]] = {}
    for n in members:
        kinds.setdefault(tuple(mask >> n & 1 for mask in tests), []).append(n)
    found = [random.choice(kind) for kind in kinds.values()]
    found = random.sample(found, _MOST) if len(found) > _MOST else found
    return {start, *found, *random.sample(members, _MORE)}


def _numbers(f: Term, start: int) -> list[int]:
    """All of a number's values, or where they are many those near the start and its ends, and powers of two."""
    if f.hi - f.lo < _MOST:
        return list(range(f.lo, f.hi + 1))
    doubled = (f.lo + (1 << k) for k in range((f.hi - f.lo).bit_length()))
    near = range(max(f.lo, start - _NEAR), min(f.hi, start + _NEAR) + 1)
    return sorted({f.lo, f.hi, *doubled, *near})
