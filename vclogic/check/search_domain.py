"""The positions that local search tries: of each fluent the values that the rules tell apart, and a few more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from vclogic.clock import look
from vclogic.encode.sum_abstraction import tests_in
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.solve.searches.local_search import LocalSearch
from vclogic.terms.atoms import var
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Term

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
        look()
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
