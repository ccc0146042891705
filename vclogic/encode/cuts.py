"""Cuts of an unrolled plan: those that its steps declare, and those derived from how its steps change a fluent."""

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
    """All cuts of an unrolling.

    Args:
        unrolled: The steps.
        hints: Those of the transition that was unrolled.
    """
    found = [Cut(c.family, taken.here(c.term), c.argued) for taken in unrolled.taken for c in taken.step.hints.cuts]
    return [*found, *taken_once(unrolled), *(hints.cuts_of_all(unrolled.taken) if hints.cuts_of_all else ())]


@dataclass
class _Latch:
    """A fluent whose changes so far all move it from outside a set of values into it, for good.

    Attributes:
        inside: The set of values, as a mask.
        before: Whether it had one of them at the start.
        flags: The choices that moved it.
    """

    inside: int
    before: bool
    flags: list[Term] = field(default_factory=list)


def taken_once(unrolled: Unrolling) -> Iterator[Cut]:
    """Cuts for Enum fluents that enter a set of values once: in the set from the start, or since one flag was set.

    By induction over the steps: a step leaves the fluent unchanged, or moves it into the set where a flag is set, and
    the laws of the step allow the flag only outside the set. So at most one flag is ever set, and the number of flags
    set so far (0 or 1) says whether the fluent is in the set. Each part of the argument is checked on the terms: a
    fluent that changes in any other way gets no cut.
    """
    latches: dict[Term, _Latch | None] = {}
    for depth, taken in enumerate(unrolled.taken):
        excluded = dict(_excluded(taken.step))
        for fluent, new in taken.step.next.items():
            start = unrolled.states[0].get(fluent)
            if start is None or new is fluent or not isinstance(fluent.sort, EnumSort):
                continue
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
    """The flag and the new value of a change that happens only where the flag is set."""
    if new.op is Op.ITE and new.args[0].op is Op.VAR and new.args[2] is fluent:
        return new.args[0], new.args[1]
    return None


def _excluded(step: Transition) -> Iterable[tuple[tuple[Term, Term], int]]:
    """For each flag and each fluent that it constrains, the values that the fluent must not have."""
    for law in step.legality:
        if law.op is Op.OR and len(law.args) == 2:
            for a, b in (law.args, law.args[::-1]):
                if a.op is Op.NOT and a.args[0].op is Op.VAR and b.op is Op.IN:
                    fluent = b.args[0]
                    yield (a.args[0], fluent), fluent.mask & ~b.payload
