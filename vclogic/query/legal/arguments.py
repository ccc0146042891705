"""The arguments of events, without those that are refused before an event is built (`Schema.asks`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod

from vclogic.clock import check_deadline
from vclogic.model.actions import Ask, Requirement, Schema
from vclogic.model.fluents import Value

Values = Mapping[str, Sequence[Value]]
"""Arguments, each with the values that it may have."""
_MOST_REFUSED = 1_000
_MOST_LOOKED = 20_000  # combinations of some arguments that are looked at, so that the search for a few events ends


@dataclass(frozen=True)
class RefusedUnbuilt:
    """Events that are refused before they are built.

    Attributes:
        args: The arguments that they have in common.
        count: How many they are.
        failed: What they need and is not so.
    """

    args: Mapping[str, Value]
    count: int
    failed: Sequence[Requirement]


class Unrefused:
    """The arguments of the events of a kind that `Schema.asks` does not refuse.

    They are found one after the other. As soon as all but one of the arguments are known that a requirement is about,
    the values of the last one are looked at: of billions of events only those near to allowed ones are ever met.

    Args:
        schema: The kind.
        values: The values that each argument may have.
        failed: Tells those of some requirements that do not hold.

    Attributes:
        values: Those that are not refused whatever the other arguments are.
        joint: Whether some requirements are about several arguments.
        refused: What was refused; at first what concerns all events, and more as they are gone through.
    """

    def __init__(self, schema: Schema, values: Values, failed: Callable[[Iterable[Requirement]], list[Requirement]]):
        self._failed = failed
        self._place = {name: {value: i for i, value in enumerate(found)} for name, found in values.items()}
        asks: Iterable[tuple[str | tuple[str, ...], Ask]] = schema.asks.items()
        self._asks = [((names,) if isinstance(names, str) else names, ask) for names, ask in asks]
        self._known: dict[Sequence[str], dict[tuple[Value, ...], bool]] = {}
        self.joint = any(len(names) > 1 for names, _ in self._asks)
        self._looked = 0
        self.refused: list[RefusedUnbuilt] = []
        self.values = self._narrowed(values, values)

    @property
    def number(self) -> int:
        """The number of events at the most."""
        return prod(map(len, self.values.values()))

    def few(self, most: int, given: Values | None = None) -> list[dict[str, Value]] | None:
        """The arguments of each event in order; None if there are more, or they are not soon found.

        Args:
            most: The largest number.
            given: Restricts some arguments further.
        """
        self._looked = 0
        found = list(islice(self.each(given), most + 1))
        if len(found) > most or self._looked > _MOST_LOOKED:
            return None
        return sorted(found, key=self._order) if self.joint else found

    def _order(self, args: Mapping[str, Value]) -> tuple[int, ...]:
        return tuple(self._place[name][value] for name, value in args.items())

    def each(self, given: Values | None = None) -> Iterator[dict[str, Value]]:
        """The arguments of each event, those that are decided first by few values first.

        Args:
            given: Restricts some arguments further.
        """
        return self._below(self._narrowed({**self.values, **given}, given) if given else self.values)

    def _below(self, values: Values) -> Iterator[dict[str, Value]]:
        check_deadline()
        opened = [name for name, found in values.items() if len(found) > 1]
        if not all(values.values()) or self._looked > _MOST_LOOKED:
            return
        if not opened:
            yield {name: found[0] for name, found in values.items()}
            return
        name = min(opened, key=lambda n: len(values[n])) if self.joint else opened[0]
        for value in values[name]:
            yield from self._below(self._narrowed({**values, name: (value,)}, (name,)))

    def _narrowed(self, values: Values, fixed: Iterable[str]) -> Values:
        """Take out what is refused now that some arguments have fewer values than before."""
        new = set(fixed)
        while new:
            now, new = new, set()
            for names, ask in self._asks:
                opened = [n for n in names if len(values[n]) > 1]
                if len(opened) > 1 or now.isdisjoint(names) or not all(values[n] for n in names):
                    continue
                name = opened[0] if opened else names[-1]
                kept = self._kept(names, ask, values, name)
                if len(kept) < len(values[name]):
                    values = {**values, name: kept}
                    new.add(name)
        return values

    def _kept(self, names: Sequence[str], ask: Ask, values: Values, name: str) -> Sequence[Value]:
        """The values of an argument with which what is asked of some arguments holds."""
        given = [values[n][0] for n in names]
        known, at = self._known.setdefault(names, {}), names.index(name)
        kept = []
        for value in values[name]:
            given[at] = value
            key = tuple(given)
            holds = known.get(key)
            if holds is None:
                holds = known[key] = self._holds(names, ask, values, key)
            if holds:
                kept.append(value)
        return kept

    def _holds(self, names: Sequence[str], ask: Ask, values: Values, given: tuple[Value, ...]) -> bool:
        self._looked += self.joint
        failed = self._failed(ask(*map(str, given)))
        if failed and len(self.refused) < _MOST_REFUSED:
            others = prod(len(found) for n, found in values.items() if n not in names)
            self.refused.append(RefusedUnbuilt(dict(zip(names, given, strict=True)), others, failed))
        return not failed
