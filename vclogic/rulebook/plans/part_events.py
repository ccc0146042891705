"""The events of the parts of a turn where what never changes is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vclogic.rulebook.plans.stages import Deed, whereto
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Part:
    """A part of a turn, before its deeds are known.

    Attributes:
        phase: The phase that it belongs to; empty: whichever it is.
        deeds: The events of a player-turn in it: for each subject, given who is on turn.
    """

    phase: str
    deeds: Callable[[str], Mapping[str, Sequence[Deed]]]


class PartEvents:
    """The events of the parts of a turn where what never changes is known.

    Args:
        parts: The parts.
        known: What never changes.
    """

    def __init__(self, parts: Sequence[Part], known: Substitution):
        self._parts, self._known = parts, known
        self._found: dict[tuple[int, str], Mapping[str, Sequence[Deed]]] = {}
        self._keys: dict[tuple[int, str, str], Term | None] = {}
        self._changed: dict[tuple[int, str], tuple[tuple[Term, ...], tuple[Term, ...]]] = {}

    def changed(self, part: Part, mover: str) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """The facts that a part of somebody's turn can change: by what comes before its events, and by these."""
        key = self._parts.index(part), mover
        if key not in self._changed:
            deeds = [d for each in self.deeds(part, mover).values() for d in each]
            before = (f for d in deeds if d.before is not None for f, _ in d.before.effects)
            self._changed[key] = (
                tuple(dict.fromkeys(before)),
                tuple(dict.fromkeys(f for d in deeds for f, _ in d.effects)),
            )
        return self._changed[key]

    def key(self, part: Part, mover: str, name: str) -> Term | None:
        """The fact to which each event of a subject gives another value; see `whereto`."""
        key = self._parts.index(part), mover, name
        if key not in self._keys:
            self._keys[key] = whereto(part.deeds(mover)[name])
        return self._keys[key]

    def deeds(self, part: Part, mover: str) -> Mapping[str, Sequence[Deed]]:
        """The events of a part of somebody's turn, for each subject."""
        key = self._parts.index(part), mover
        if key not in self._found:
            made: dict[int, Deed | None] = {}
            every = {n: [d.where(self._known, made) for d in deeds] for n, deeds in part.deeds(mover).items()}
            found = {n: [d for d in deeds if d is not None] for n, deeds in every.items()}
            self._found[key] = {n: deeds for n, deeds in found.items() if deeds}
        return self._found[key]


def possible(deeds: Sequence[Deed], known: Substitution) -> Iterator[Deed]:
    """The events that some position may allow, of those of which something is known."""
    last = 0
    for deed in deeds:
        refused = deed.refused(known, last)
        if refused is None:
            yield deed
        else:
            last = refused


def changed_by(deeds: Mapping[str, Sequence[Deed]]) -> Iterator[Term]:
    """The facts that events change."""
    for of_subject in deeds.values():
        for deed in of_subject:
            yield from (f for f, _ in deed.effects)
            yield from (f for f, _ in deed.before.effects) if deed.before else ()
