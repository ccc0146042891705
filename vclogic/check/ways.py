"""The ways on the board: parts that none joins, places that are the only way to others or that none leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import product
from math import prod

from vclogic.board.graphs import Movement, Part, choke_points, joined, parts
from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey
from vclogic.check.oracle import Oracle
from vclogic.model.objectives import Objective
from vclogic.model.system import System
from vclogic.terms.partial import Partial
from vclogic.words import joined as listed

_NAMED = 6  # places in a list
_SMALL, _MOST_VALUES = 12, 3_000  # members of a kind, and values of one name, that are looked at


@looks_for("VC601", "VC602", "VC603", "VC604", over="the ways on the board", cost=LookCost.TEXT)
def on_the_board(oracle: Oracle) -> Iterator[Finding]:
    """VC601 to VC604: what the ways of all that moves say about the board."""
    if not oracle.wants("VC601", "VC602", "VC603", "VC604"):
        return
    movements = tuple(oracle.system.movement)
    aims = [o.places for o in oracle.system.objectives if o.main]
    found = parts(joined(movements))
    if oracle.wants("VC601"):
        yield from _parts([p for p in found if len(p) > 1])
    if oracle.wants("VC602"):
        yield from _only_ways(movements, {place for aim in aims for place in aim})
    if oracle.wants("VC603"):
        yield from _without_a_way(oracle.system, found, aims)
        yield from _without_a_place(oracle.system)
    if oracle.wants("VC604"):
        yield from _one_sided(movements, oracle.system.objectives)


def _without_a_place(system: System) -> Iterator[Finding]:
    """For each member of a small kind, such as the zones, whether all values asked of it are fixed."""
    asked: dict[tuple[str, str], set[str]] = {}
    open_: set[tuple[str, str]] = set()
    for value in system.observables:
        sorts = [d.sort for d in value.parameters]
        if not sorts or prod(len(s.members) for s in sorts) > _MOST_VALUES:
            continue
        changing = {names for names in product(*(s.members for s in sorts)) if _can_change(value.partial(*names))}
        for i, sort in enumerate(sorts if changing else ()):
            for member in sort.members if len(sort.members) <= _SMALL else ():
                asked.setdefault((sort.name, member), set()).add(value.name)
                if any(names[i] == member for names in changing):
                    open_.add((sort.name, member))
    for (kind, member), values in asked.items():
        if (kind, member) not in open_:
            never = "never change" if len(values) > 1 else "never changes"
            message = (
                f"nothing can happen in the {kind} {member}: {listed(sorted(values))} {never}, unlike for others"
            )
            yield _key("VC603", member, system).finding(message, scope="rules")


def _can_change(value: Partial) -> bool:
    return not (value.value.is_const and value.defined.is_const)


def _parts(found: Sequence[Part]) -> Iterator[Finding]:
    if len(found) > 1:
        message = f"the board falls into {len(found)} parts that no way joins: {'; '.join(map(_named, found))}"
        yield _key("VC601", "").finding(message, scope="rules")


def _only_ways(movements: Sequence[Movement], aims: Set[str]) -> Iterator[Finding]:
    """For each place what it alone leads to, and for what that holds where others get there by other ways."""
    found: dict[tuple[str, Part], list[str]] = {}
    for movement in movements:
        for place, sides in choke_points(movement.around):
            behind = [part for part in sides[1:] if len(part) > 1 or part[0] in aims]
            if behind:
                found.setdefault((place, tuple(p for part in behind for p in part)), []).append(movement.of)
    for (place, behind_it), those in found.items():
        others = (m for m in movements if m.of not in those)
        whom = f", for {listed(those)}" if any(p in m.cost for m in others for p in behind_it) else ""
        message = f"{place} is the only way to {_named(behind_it)}{whom}"
        yield _key("VC602", place).finding(message, scope="rules")


def _without_a_way(system: System, found: Sequence[Part], aims: Iterable[Sequence[str]]) -> Iterator[Finding]:
    """Places that stand alone, and those of what the game is about where nothing can be in any of them."""
    alone = [part[0] for part in found if len(part) == 1 and len(found) > 1]
    known = {place for m in system.movement for place in m.neighbours}
    entered = {place for part in found for place in part}
    closed = (aim for aim in aims if known.issuperset(aim) and entered.isdisjoint(aim))
    for place in dict.fromkeys((*alone, *(place for aim in closed for place in aim))):
        yield _key("VC603", place, system).finding(f"no way leads to {place}: nobody can enter it", scope="rules")


def _one_sided(movements: Sequence[Movement], objectives: Iterable[Objective]) -> Iterator[Finding]:
    """Objectives that a side could hold by the rules, and that nothing which it has can get to."""
    if not any(m.starts for m in movements):
        return
    for o in objectives:
        if not o.main or not o.places:
            continue
        by = [m for m in movements if not o.by or m.of in o.by]
        shut = [s for s in o.held if all(m.reached(s).isdisjoint(o.places) for m in by)]
        others = listed([f"the {s} side" for s in o.held if s not in shut])
        message = f"nothing can get to {o.name} that may take it"
        if others:
            none = listed([f"the {s} side" for s in shut])
            message = f"nothing of {none} can get to {o.name}: it is for {others} alone"
        if shut or not o.held:
            yield _key("VC604", o.name).finding(message, scope="rules")


def _key(code: str, place: str, system: System | None = None) -> FindingKey:
    made = () if system is None else system.named_at(place)
    return FindingKey(code, f"board[{place}]" if place else "board", (), made)


def _named(places: Iterable[str]) -> str:
    names = list(places)
    more = len(names) - _NAMED
    return listed([*names[:_NAMED], f"{more} more"] if more > 1 else names)
