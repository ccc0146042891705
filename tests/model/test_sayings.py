"""Facts in words: every fact of every game has a sentence, and sentences tell values apart."""

from __future__ import annotations

import re

import pytest

import vclogic
from tests.fixtures.games import loaded
from vclogic.files.registry import encoding_names, scenario_names
from vclogic.model.fluents import Family, Value
from vclogic.model.sayings import InWords, Said, Sayings, denied, flag, sentence, sentences, since
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, BoolSort, EnumSort, IntSort

WITH_ALL = {"asl": {"earlier": "on"}, "moscow": {"earlier": "on"}, "napoleonics": {"earlier": "on"}}
WITH_ALL |= {"okinawa": {"earlier": "on"}, "axis_allies": {"level": "armies", "treasury": "on"}}
SCENARIOS = [f"{game}/{scenario}" for game in encoding_names() for scenario in scenario_names(game)]


def values_of(family: Family) -> list[Value]:
    match family.sort:
        case BoolSort():
            return [True, False]
        case IntSort():
            return list(range(family.sort.lo, min(family.sort.hi, family.sort.lo + 4) + 1))
        case EnumSort():
            return list(family.sort.members)
    raise AssertionError(family.sort)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_fact_has_a_sentence_of_its_own(scenario: str) -> None:
    system = loaded(scenario).setup.system
    for family in system.layout.families.values():
        assert family.name in system.sayings, family.name
        some = [v for i, v in enumerate(family.fluents.values()) if i < 3]
        said = [
            sentence([s.about], s.says)
            for v in some
            for x in values_of(family)
            for s in [system.in_words.said(v.name, x)]
        ]
        assert len(set(said)) == len(said), said
        assert not [s for s in said if "{" in s or s != s.strip() or "  " in s], said


@pytest.mark.parametrize("game", WITH_ALL)
def test_facts_of_options_are_said_too_and_numbers_agree(game: str) -> None:
    """Neither the name of a file's key with a value, nor `1 units` and `2 fighter`."""
    system = vclogic.load(game, settings=WITH_ALL[game]).setup.system
    for family in system.layout.families.values():
        assert family.name in system.sayings, family.name
        counted = isinstance(family.sort, IntSort) and family.sort.hi > 1
        for fluent in {index[-1:]: f for index, f in family.fluents.items()}.values() if counted else ():
            one, two = (system.in_words.said(fluent.name, n).says for n in (1, 2))
            assert not re.search(r"\b1 (casualty |exit |Victory )?\w+s\b", one), one
            assert not re.search(r"\b2 (fighter|bomber|transport|unit|point|IPC|turn)\b", two), two


def test_what_is_denied_is_said_plainly() -> None:
    so = ["is broken", "has left the map", "has its weapons", "belongs to the Germans", "is held by nobody"]
    so += ["is in no Melee", "is not on fire", "is neither concealed nor hidden"]
    assert [denied(says) for says in so] == [
        "is not broken",
        "has not left the map",
        "does not have its weapons",
        "does not belong to the Germans",
        "is held by somebody",
        "is in some Melee",
        "is on fire",
        "is concealed or hidden",
    ]


def test_where_a_game_has_no_words_the_names_of_files_are_used() -> None:
    side = Domain(EnumSort("side", ("Red", "Blue")))
    place = Domain(EnumSort("place", ("Ford", "Hill")))
    families = {
        "owner": Family("owner", side.sort, "", (place,), side),
        "is_over": Family("is_over", BOOL, ""),
        "seen": Family("seen", BOOL, "", (place, side)),
        "turn": Family("turn", IntSort(0, 3), ""),
    }
    words = InWords(families, {})
    found = [words.said("owner[Ford]", "Red"), words.said("owner[Hill]", "Red"), words.said("is_over", True)]
    found += [words.said("seen[Ford, Blue]", False), words.said("turn", 2)]
    assert list(sentences(found)) == [
        "owner of Ford and Hill is Red",
        "is over: yes",
        "seen of Ford, Blue: no",
        "turn is 2",
    ]


def test_what_is_said_of_several_is_one_sentence() -> None:
    facts = [Said("A", "is broken"), Said("B", "is broken"), Said("C", "belongs to Red"), Said("", "it is round 2")]
    assert list(sentences(facts)) == ["A and B are broken", "C belongs to Red", "it is round 2"]
    assert since(facts, 1) == ", since A and B are broken; and 2 facts more"
    assert since([]) == ""
    assert (
        sentence([f"U{i}" for i in range(12)], "has gone")
        == "U0, U1, U2, U3, U4, U5, U6, U7, U8 and 3 more have gone"
    )


def test_a_flag_is_denied_in_its_own_words() -> None:
    assert flag("is broken").said(("A",), False) == Said("A", "is not broken")
    assert Sayings("is at {value}", {"off": "is gone"}).said(("A",), "off") == Said("A", "is gone")
