"""What is missing, in the games: minimal sets by brute force over some facts, what follows, what is of the past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from tests.fixtures.games import loaded
from vclogic.encode.python.evaluator import compile_term
from vclogic.model.fluents import Value
from vclogic.report.json import document
from vclogic.report.text.missing import missing as report
from vclogic.report.text.page import render
from vclogic.terms.build import all_of
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


def values_of(fluent: Term) -> tuple[Value, ...]:
    return fluent.sort.members if isinstance(fluent.sort, EnumSort) else (False, True)


def by_brute_force(name: str, goal: str, free: Sequence[str]) -> set[frozenset[str]]:
    """The facts of the minimal changes of some facts alone, where all that files leave out follows."""
    game = loaded(name)
    system, start = game.setup.system, game.state
    layout = system.layout
    term = all_of([compile_goal(goal, system.vocabulary).term, *(r.kept for r in system.invariants)])
    holds = compile_term(term, layout.slot)
    now: dict[Term, Value] = {f: x for f, x in layout.values(start).items() if f not in system.defaults}
    fluents = [layout.by_name[n] for n in free]
    good = []
    for values in product(*map(values_of, fluents)):
        given: dict[Term, Value] = dict(zip(fluents, values, strict=True))
        if holds(layout.state(system.completed({**now, **given}))):
            good.append(frozenset((f.name, x) for f, x in given.items() if x != now[f]))
    known = set(good)
    return {frozenset(f for f, _ in g) for g in good if not any(k < g for k in known)}


@pytest.mark.parametrize(
    ("name", "goal", "free"),
    [
        pytest.param(
            *("moscow/small", "holding(German, Moscow)", ("at[3rd Panzer]", "at[1st Moscow Militia]")),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("moscow/small", "holding(German, Smolensk)", ("at[3rd Panzer]", "at[7th Infantry]")),
            marks=pytest.mark.slow,
        ),
        ("okinawa/small", "vp(US) >= 10", ("at[22nd Regiment]", "at[Artillery Group]", "over")),
        pytest.param(
            *("napoleonics", "banners(French) >= 2", ("at[Grenadiers]", "at[1st Line]")), marks=pytest.mark.slow
        ),
    ],
)
def test_all_minimal_sets_of_some_facts_are_those_of_brute_force(name: str, goal: str, free: Sequence[str]) -> None:
    game = loaded(name)
    system = game.setup.system
    kept = [f.name for f in system.layout.fluents if f.name not in free and f not in system.defaults]
    found = game.missing(goal, keep=kept, limit=200)
    assert found.complete
    sets = {frozenset(c.fluent for c in r.changes) for r in found.repairs}
    assert {s for s in sets if s <= set(free)} == by_brute_force(name, goal, free)


def test_what_follows_by_itself_is_no_change_and_is_said() -> None:
    found = loaded("moscow/small").missing("holding(German, Smolensk)", limit=1)
    (repair,) = found.repairs
    assert repair.size == 1
    assert [c.fluent for c in repair.follows] == ["owner[Smolensk]"]
    text = " ".join(render(report(found)).split())
    owned = "Smolensk is held by the German side (now: is held by the Soviet side)"
    assert f"3rd Panzer is in hex 3,3 (now: is in hex 1,2) [then {owned}]" in text
    assert document("missing", found)["repairs"][0]["follows"][0]["to"] == "German"
    many = replace(repair.changes[0], others=tuple(f"0,{n}" for n in range(39)))
    told = " ".join(render(report(replace(found, repairs=(replace(repair, changes=(many,)),)))).split())
    assert (
        f"3rd Panzer is in hex 3,3 (or any of 39 others) (now: is in hex 1,2) [with the values named first {owned}"
        in told
    )


def test_what_is_told_of_earlier_turns_changes_only_if_asked_or_if_nothing_else_is_enough() -> None:
    game, goal = loaded("okinawa/small"), "vp(Japan) >= 4"
    plain = game.missing(goal, limit=1)
    assert "retreats" in plain.left
    assert [c.fluent for r in plain.repairs for c in r.changes] == ["at[22nd Regiment]"]
    asked = game.missing(goal, limit=1, keep=["at"], change=["retreats"])
    assert "retreats" not in asked.left
    assert [c.fluent for r in asked.repairs for c in r.changes] == ["retreats"]
    forced = game.missing(goal, limit=1, keep=["at", "over"])
    assert (forced.status, forced.left) == ("possible", ())
    assert "here it may change" in forced.assumptions[0]
    only = game.missing("vp(Japan) >= 1 and round == 2", keep=["at", "over", "removals"], change=["retreats"])
    assert "that keeps the facts on earlier turns" in " ".join(render(report(only)).split())
