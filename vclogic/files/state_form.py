"""States as plain values, in the form that `state:` has in a position file, and back; fast, for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from vclogic.encode.python.codegen import interpret
from vclogic.encode.python.evaluator import compiled_later
from vclogic.files.state import Given, check_invariants, nothing, read_state, value_for_file
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.nodes import MAPPING, mapping_node
from vclogic.model.fluents import Family, State, value
from vclogic.model.system import System
from vclogic.terms.atoms import constant, number
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort
from vclogic.terms.term import Term

StateMapping = dict[str, Any]
"""A state: by family, then by each index, down to bool, int, text or None."""
_Places = int | dict[str, Any]
"""The place of a fluent in a state; or by the next index, places."""


class StateForm:
    """The form of the states of a rule set.

    Args:
        system: The rule set.
    """

    def __init__(self, system: System):
        self._system = system
        self._families = {f.name: _FamilyForm(f, system) for f in system.families if f.fluents}
        rules = [r.kept for r in system.laws]
        self._holds = compiled_later(rules, system.layout.slot)

    def mapping(self, state: Sequence[int]) -> StateMapping:
        """A whole state as plain values, which JSON can hold.

        Raises:
            ValueError: A value that no file can give: an Int below what its family allows in files.
        """
        return {name: family.written(family.places, state) for name, family in self._families.items()}

    def changed(self, state: Sequence[int], content: Mapping[str, Any]) -> State:
        """A state in which some values are replaced.

        Args:
            content: The new values; all others stay.

        Raises:
            InputError: Everything that is wrong: names, values, and rules on positions that the new state breaks, as
                far as they read a value that is another one now.
        """
        return self._allowed(state, content, self._replaced(state, content, listed=True), listed=True)

    def by_hand(self, state: Sequence[int], content: Mapping[str, Any]) -> State:
        """A state in which some facts are changed by hand, with what follows from that.

        Args:
            content: The facts that change; what files list completely is not listed here.

        Raises:
            InputError: As `changed` does.
        """
        followed = self._followed(tuple(state), self._replaced(state, content, listed=False))
        return self._allowed(state, content, followed, listed=False)

    def _replaced(self, state: Sequence[int], content: Mapping[str, Any], *, listed: bool) -> State:
        """A state with the new values, allowed or not; see `read_state` about what is listed."""
        after = list(state)
        plain = isinstance(content, dict) and all(
            name in self._families and self._families[name].read(part, after, listed=listed)
            for name, part in content.items()
        )
        if plain:
            return tuple(after)
        layout = self._system.layout
        values = {fluent: given.value for fluent, given in self._given(state, content, listed=listed).items()}
        return layout.state({**layout.values(state), **values})

    def _allowed(self, state: Sequence[int], content: Mapping[str, Any], found: State, *, listed: bool) -> State:
        """A state, if the rules on positions allow it."""
        if found != tuple(state) and not all(self._holds(found)):
            findings = Findings()
            given = self._given(state, content, listed=listed)
            check_invariants(self._system, self._system.layout.values(found), given, findings)
            findings.stop()
        return found

    def _given(self, state: Sequence[int], content: Mapping[str, Any], *, listed: bool) -> dict[Term, Given]:
        """The new values as a file is read: names in all their forms, and what is wrong with each part.

        Raises:
            InputError: Everything that is wrong with names and values.
        """
        findings, system = Findings(), self._system
        given = read_state(system, mapping_node(content, MAPPING, findings), 1, findings, listed=listed)
        findings.stop()
        before = system.layout.values(state)
        return {fluent: g for fluent, g in given.items() if g.value != before[fluent]}

    def _followed(self, state: State, wanted: State) -> State:
        """A state with the wanted values, and with what follows from each in turn; see `System.by_hand`."""
        system, layout = self._system, self._system.layout
        if system.by_hand is None:
            return wanted
        now = state
        changed = [(f, slot) for f, slot in layout.slot.items() if wanted[slot] != state[slot]]
        for fluent, slot in changed:
            new = constant(fluent.sort, value(fluent.sort, wanted[slot]))
            effects = dict(system.by_hand(system.view(now), fluent, new))
            after = list(now)
            for f, x in zip(effects, interpret([*effects.values()], layout.slot, now), strict=True):
                after[layout.slot[f]] = x
            after[slot] = wanted[slot]
            now = tuple(after)
        result = list(now)
        for _, slot in changed:
            result[slot] = wanted[slot]
        return tuple(result)


class _FamilyForm:
    """The values of one family, in plain form.

    Attributes:
        places: The places of its fluents, by index.
    """

    def __init__(self, family: Family, system: System):
        self.places: _Places = {}
        self._family = family
        for (*path, last), fluent in family.fluents.items() if family.indices else ():
            part: Any = self.places
            for key in path:
                part = part.setdefault(key, {})
            part[last] = system.layout.slot[fluent]
        if not family.indices:
            self.places = system.layout.slot[family.fluent]
        self._number = _numbers(family)
        self._empty = number(family.sort, nothing(family)) if family.whole else 0

    def read(self, given: Any, after: list[int], *, listed: bool) -> bool:
        """Set what is given, as far as it is written in the plainest form; returns whether all of it is."""
        beyond = self._family.whole + 1  # where nothing is listed completely
        return self._read(self.places, given, 0 if listed else beyond, after)

    def _read(self, places: _Places, given: Any, depth: int, after: list[int]) -> bool:
        if isinstance(places, int):
            found = self._number(given)
            if found is None:
                return False
            after[places] = found
            return True
        if not isinstance(given, dict):
            return False
        if depth == self._family.whole > 0:  # what is not given is nothing
            for place in _all_of(places):
                after[place] = self._empty
        for key, part in given.items():
            if key not in places or not self._read(places[key], part, depth + 1, after):
                return False
        return True

    def written(self, places: _Places, state: Sequence[int]) -> Any:
        """The values at some places."""
        if isinstance(places, int):
            return value_for_file(self._family, value(self._family.sort, state[places]))
        return {key: self.written(part, state) for key, part in places.items()}


def _all_of(places: _Places) -> Iterator[int]:
    if isinstance(places, int):
        yield places
    else:
        for part in places.values():
            yield from _all_of(part)


def _numbers(family: Family) -> Callable[[Any], int | None]:
    """The number that a state holds for a value in its plainest form; None for any other form of a value."""
    sort = family.sort
    if isinstance(sort, EnumSort):
        known = family.values.sort.index if family.values else sort.index
        members = {name: sort.index[name] for name in known if name in sort.index}
        return lambda given: members.get(given) if given.__class__ is str else None
    if isinstance(sort, BoolSort):
        return lambda given: int(given) if given.__class__ is bool else None
    assert isinstance(sort, IntSort)
    least, lo, hi = family.least, sort.lo, sort.hi
    first = lo if least is None else least

    def whole(given: Any) -> int | None:
        if given.__class__ is int and first <= given <= hi:
            return int(given)
        return lo if given is None and least is not None else None

    return whole
