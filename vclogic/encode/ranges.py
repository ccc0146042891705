"""The solutions of a condition over a few numbers, as ranges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vclogic.encode.python.codegen import build_function, interpret
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term, postorder

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
    if condition in (TRUE, FALSE):
        return [tuple(((n.lo, n.hi),) for n in numbers)] if condition is TRUE else []
    first, *others = numbers
    if not others:
        found = _single(condition, first)
        return [(found,)] if found else []
    by_rest: dict[Box, list[Range]] = {}
    for lo, hi, inside in _parts(condition, first, first.lo, first.hi):
        for rest in boxes(inside, others):
            by_rest.setdefault(rest, []).append((lo, hi))
    return [(merged(ranges), *rest) for rest, ranges in by_rest.items()]


def _single(condition: Term, number: Term) -> tuple[Range, ...]:
    """The solutions of a condition over one number."""
    turns = _turns(condition, number)
    if turns is None:
        holds = build_function([condition], {number: 0}, single=True)
        return merged([(n, n) for n in range(number.lo, number.hi + 1) if holds((n,))])
    starts = sorted({number.lo, *(n for n in turns if number.lo < n <= number.hi)})
    ends = [*(n - 1 for n in starts[1:]), number.hi]
    slot = {number: 0}
    return merged([r for r in zip(starts, ends, strict=True) if interpret([condition], slot, (r[0],))[0]])


def _turns(condition: Term, number: Term) -> list[int] | None:
    """The numbers from which on a comparison has another value; None if they are not just read off."""
    found: list[int] = []
    for t in postorder([condition]):
        if t.op is Op.GE:
            (a,) = t.args
            (k,), c = a.payload if a.op is Op.LIN and len(a.args) == 1 else ((1,), 0)
            # k * number + c >= payload, from a number on or up to one
            found.append(-((c - t.payload) // k) if k > 0 else (c - t.payload) // -k + 1)
        elif not (t is number or (t.op is Op.LIN and t.args == (number,)) or t.is_bool):
            return None
    return found


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
