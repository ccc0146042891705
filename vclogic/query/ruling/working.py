"""The working of a number: which units, rows or hexes add up to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vclogic.encode.reasons import Reasons, ends
from vclogic.model.fluents import State, value
from vclogic.model.rules import Observable
from vclogic.model.sentences import sentences
from vclogic.model.system import System
from vclogic.query.sentences import Sentences, Summand, at_least
from vclogic.terms.term import Op, Term, variables

_FEW = 3
"""By so many facts at most is a part told that no clause has a sentence for."""


@dataclass(frozen=True)
class Added:
    """A part of a number that adds something to it, or takes something off.

    Attributes:
        adds: How much.
        text: What it is, in a sentence.
        facts: The facts that decide that it does, in the order of the layout.
    """

    adds: int
    text: str
    facts: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Working:
    """The addends of a number.

    Attributes:
        total: The number.
        need: What it is compared with, if the answer rests on that; None: it is itself the answer.
        parts: What adds up to it.
    """

    total: int
    need: int | None
    parts: tuple[Added, ...]


def working(system: System, state: State, term: Term) -> Working | None:
    """The addends of a number, or of the sum that a Bool term compares with a number.

    Returns:
        The working, without parts where the sum is 0 as nothing adds to it; None where there is no sum.
    """
    adding = _Adding(system, state, term)
    inner = term.args[0] if term.op is Op.NOT else term
    bound = at_least(inner)
    if bound is not None:
        parts, need = tuple(adding.of(bound.parts)), bound.need
    elif term.is_bool:
        return None
    else:
        parts, need = tuple(adding.parts(term)), None
    if not parts:
        return Working(0, need, ()) if term.op is Op.LIN or (need or 0) > 1 else None
    return Working(sum(p.adds for p in parts), need, parts) if parts[0].facts != (term,) else None


def of_the_board(observable: Observable, names: Iterable[str]) -> Working | None:
    """The addends of a number that the board alone decides; None where the game does not list them."""
    found = [d.find(name) or name for d, name in zip(observable.parameters, names, strict=False)]
    made = () if observable.parts is None else observable.parts(*found)
    parts = tuple(Added(n, text) for n, text in made if n)
    return Working(sum(p.adds for p in parts), None, parts) if parts else None


class _Adding:
    def __init__(self, system: System, state: State, term: Term):
        self._state, self._slot = state, system.layout.slot
        self._sentences: Sentences = system.listed("sentences", lambda: Sentences(system))
        self._reasons = Reasons([term], self._slot, state)

    def parts(self, term: Term, times: int = 1) -> Iterator[Added]:
        """The addends of a number that counts a number of times."""
        if term.op is Op.ITE:
            condition, then, otherwise = term.args
            branch = then if self._reasons.value(condition) else otherwise
            if not branch.is_const:
                yield from self.parts(branch, times)
            elif worth := self._reasons.value(branch):
                yield self._added(worth * times, condition)
        elif term.op is Op.LIN:
            weights, rest = term.payload
            parts = []
            for weight, part in zip(weights, term.args, strict=True):
                flipped = part.is_bool and weight < 0 and rest >= -weight
                rest += weight if flipped else 0
                parts.append(Summand(-weight if flipped else weight, part, flipped))
            yield from self.of(parts, times)
            yield from [Added(rest * times, "in any case")] if rest else []
        elif worth := self._reasons.value(term):
            yield self._added(worth * times, term)

    def of(self, parts: Iterable[Summand], times: int = 1) -> Iterator[Added]:
        """Those parts of a sum that add something, which counts a number of times."""
        for weight, part, flipped in parts:
            if not part.is_bool:
                yield from self.parts(part, weight * times)
            elif bool(self._reasons.value(part)) is not flipped:
                yield self._added(weight * times, part)

    def _added(self, adds: int, part: Term) -> Added:
        """A part by the one fact that decides it, by what a clause says, or by some of the facts."""
        found = ends(self._reasons(part)) if part.is_bool else variables(part)
        facts = tuple(sorted(found, key=self._slot.__getitem__))
        if part.op is Op.DIV and (inner := list(self.parts(part.args[0]))):
            total = f"{sum(p.adds for p in inner)} divided by {part.payload}, rounded down"
            deciding = tuple(dict.fromkeys(f for p in inner for f in p.facts))
            return Added(adds, f"{total}: {'; '.join(f'{p.adds}: {p.text}' for p in inner)}", deciding)
        named = self._sentences.named(part)
        if named is not None and len(facts) != 1:
            text = named.pattern.format(*named.names)
            so = not part.is_bool or self._reasons.value(part)
            return Added(adds, text if so else f"{text}: no", facts)
        if not facts:
            return Added(adds, "in any case")
        values = {f.name: value(f.sort, self._state[self._slot[f]]) for f in facts}
        return Added(adds, "; ".join(sentences(self._sentences.said(values), _FEW)), facts)
