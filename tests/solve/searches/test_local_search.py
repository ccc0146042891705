"""Walks to a state: what is found is one, and it is found where there are many."""

from __future__ import annotations

import math

from vclogic.clock import Deadline
from vclogic.solve.searches.local_search import LocalSearch
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import all_of, and_, count, eq, ge, implies, is_in, le, ne, scale, total, xor
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort

HEXES = EnumSort("hex", (*(f"h{i}" for i in range(30)), "lost"))
UNITS = tuple(var(f"unit {i}", HEXES) for i in range(24))
OVER = var("over", BOOL)
FLUENTS = (*UNITS, OVER)
SLOT = {f: i for i, f in enumerate(FLUENTS)}
LAWS = [le(count(eq(u, h) for u in UNITS), 1) for h in HEXES.members[:-1]]
START = (*range(24), 0)


def walk() -> LocalSearch:
    values = {f: list(range(31 if f is not OVER else 2)) for f in FLUENTS}
    return LocalSearch(SLOT, START, values, Substitution({}), LAWS)


def holds(terms: list[object], state: tuple[int, ...]) -> bool:
    from vclogic.encode.python.codegen import interpret

    return all(interpret(terms, SLOT, state))  # type: ignore[arg-type]


def test_a_state_is_found_and_no_more_is_changed_than_it_takes() -> None:
    reds, blues = (total((i % 5 + 1, eq(u, "lost")) for i, u in enumerate(UNITS[a::2])) for a in (0, 1))
    wanted = and_(OVER, ge(reds, scale(blues, 3)), ge(blues, 2), le(reds, scale(blues, 4)))
    found = walk().find(wanted, Deadline(20))
    assert found is not None
    assert holds([wanted, *LAWS], found)
    for i, n in enumerate(START):
        if found[i] != n:
            assert not holds([wanted, *LAWS], (*found[:i], n, *found[i + 1 :]))


def test_a_rare_state_beside_a_known_one() -> None:
    inside = [is_in(u, HEXES.members[5:9]) for u in UNITS]
    only = and_(ge(count(inside[:12]), 1), *(implies(t, OVER) for t in inside), all_of(ne(u, "lost") for u in UNITS))
    wanted = xor(only, and_(only, ge(count(inside[:11]), 1)))  # of the first twelve, only the last one is inside
    known = list(START)
    found = walk().find(wanted, Deadline(20), [tuple(known)])
    assert found is not None
    assert holds([wanted, *LAWS], found)


def test_where_there_is_none_it_gives_up_in_time() -> None:
    assert walk().find(and_(*(eq(u, "h7") for u in UNITS[:2])), Deadline(0.3)) is None
    assert walk().find(FALSE, Deadline(0.1)) is None


def test_it_gives_up_after_so_many_changes_on_any_machine() -> None:
    never = and_(*(eq(u, "h7") for u in UNITS[:2]))
    assert walk().find(never, Deadline(math.inf), most=2_000) is None
    assert walk().find(eq(UNITS[0], "lost"), Deadline(math.inf), most=2_000) is not None
