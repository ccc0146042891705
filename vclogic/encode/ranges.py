"""The solutions of a condition over a few numbers, as ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from vclogic.encode.codegen import build_function
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

Range = tuple[int, int]
"""The least and the largest of some whole numbers without a gap."""
Box = tuple[tuple[Range, ...], ...]
"""For each number the ranges that it may lie in; every combination is meant."""


def boxes(condition: Term, numbers: Sequence[Term]) -> list[Box]:
    """The solutions of a condition as disjoint boxes.

    Args:
        condition: Bool, over these numbers alone.
        numbers: Int variables.
    """
    if not numbers:
        return [()] if condition is TRUE else []
    holds = build_function([condition], {n: i for i, n in enumerate(numbers)}, single=True)
    return _boxes(condition, numbers, (), holds)


def _boxes(
    here: Term, left: Sequence[Term], before: tuple[int, ...], holds: Callable[[Sequence[int]], bool]
) -> list[Box]:
    """The boxes of the remaining numbers; `here` is the condition for the earlier ones, `holds` tests it for all."""
    if here in (TRUE, FALSE):
        return [tuple(((n.lo, n.hi),) for n in left)] if here is TRUE else []
    first, *others = left
    if not others:
        found = merged([(n, n) for n in range(first.lo, first.hi + 1) if holds((*before, n))])
        return [(found,)] if found else []
    by_rest: dict[Box, list[Range]] = {}
    for lo, hi, inside in _parts(here, first, first.lo, first.hi):
        for rest in _boxes(inside, others, (*before, lo), holds):
            by_rest.setdefault(rest, []).append((lo, hi))
    return [(merged(ranges), *rest) for rest, ranges in by_rest.items()]


def merged(ranges: Sequence[Range]) -> tuple[Range, ...]:
    """Merge adjacent ranges of an ordered sequence."""
    found: list[Range] = []
    for lo, hi in sorted(ranges):
        if found and lo <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(hi, found[-1][1]))
        else:
            found.append((lo, hi))
    return tuple(found)


def _parts(condition: Term, number: Term, lo: int, hi: int) -> Iterator[tuple[int, int, Term]]:
    """Split the range of a number until the condition is decided on each part, or the part is a single number."""
    there = integer(lo) if lo == hi else var(number.name, IntSort(lo, hi))
    here = substitute(condition, {number: there})
    if here in (TRUE, FALSE) or lo == hi:
        yield lo, hi, here
        return
    middle = (lo + hi) // 2
    yield from _parts(condition, number, lo, middle)
    yield from _parts(condition, number, middle + 1, hi)
