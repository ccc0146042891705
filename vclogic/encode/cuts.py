"""Cuts of an unrolled plan: those that its steps name, and those that follow from how its steps change a fluent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from vclogic.encode.unroll import Unrolling
from vclogic.model.transition import Cut, Hints, Transition
from vclogic.terms.build import eq, in_mask, linear
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term

TAKEN_ONCE = "what is taken for good is taken once"


def cuts(unrolled: Unrolling, hints: Hints) -> list[Cut]:
    """All cuts of the steps that an unrolling has taken.

    Args:
        unrolled: The steps.
        hints: Those of the transition that was unrolled.
    """
    found = [Cut(c.family, taken.here(c.term), c.argued) for taken in unrolled.taken for c in taken.step.hints.cuts]
    return [*found, *taken_once(unrolled), *(hints.cuts_of_all(unrolled.taken) if hints.cuts_of_all else ())]


@dataclass
class _Latch:
    """A fluent of which each change so far takes it, for good, from outside of some values to one of them.

    Attributes:
        inside: The values, as a mask.
        before: Whether it had one of them at the start.
        flags: The choices that took it there.
    """

    inside: int
    before: bool
    flags: list[Term] = field(default_factory=list)


def taken_once(unrolled: Unrolling) -> Iterator[Cut]:
    """Of an Enum fluent that flags take to some values for good: it has one from the start, or since a flag was set.

    By induction over the steps: each step leaves it, or sets it to one of these values where a flag is set, and the
    laws of the step allow the flag only where it had none of them. So at most one flag is ever set, and the number
    of flags set so far is whether it has such a value by now. Nothing of this is taken on trust: a fluent that
    changes in any other way gets no cut.
    """
    latches: dict[Term, _Latch | None] = {}
    for depth, taken in enumerate(unrolled.taken):
        excluded = dict(_excluded(taken.step))
        for fluent, new in taken.step.next.items():
            if new is fluent or not isinstance(fluent.sort, EnumSort):
                continue
            start = unrolled.states[0][fluent]
            change = _flagged(fluent, new)
            inside = excluded.get((change[0], fluent)) if change else None
            if not change or inside is None or not start.is_const or change[1].mask & ~inside:
                latches[fluent] = None
                continue
            latch = latches.setdefault(fluent, _Latch(inside, bool(start.mask & inside)))
            if latch is None or latch.inside != inside:
                latches[fluent] = None
                continue
            latch.flags.append(taken.here(change[0]))
            now = unrolled.states[depth + 1][fluent]
            held = in_mask(now, inside)
            yield Cut(TAKEN_ONCE, eq(linear([(1, held)]), linear(((1, f) for f in latch.flags), int(latch.before))))


def _flagged(fluent: Term, new: Term) -> tuple[Term, Term] | None:
    """The flag and the value of a change that is made only where the flag is set."""
    if new.op is Op.ITE and new.args[0].op is Op.VAR and new.args[2] is fluent:
        return new.args[0], new.args[1]
    return None


def _excluded(step: Transition) -> Iterable[tuple[tuple[Term, Term], int]]:
    """Of each flag and each fluent that it asks something of: the values that the fluent must not have."""
    for law in step.legality:
        if law.op is Op.OR and len(law.args) == 2:
            for a, b in (law.args, law.args[::-1]):
                if a.op is Op.NOT and a.args[0].op is Op.VAR and b.op is Op.IN:
                    fluent = b.args[0]
                    yield (a.args[0], fluent), fluent.mask & ~b.payload
