"""What is said by rule is what is said place by place, for every family of every game; and what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.files.shapes.documents import file_schema
from vclogic.files.source import Source
from vclogic.files.state import read_state
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.nodes import mapping_node, parse
from vclogic.model.fluents import Family
from vclogic.model.system import System
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, BoolSort, EnumSort, IntSort

GAMES = ("asl/22u3", "axis_allies", "moscow/small", "napoleonics", "okinawa/small")
SYSTEMS = {name: loaded(name).setup.system for name in GAMES}


def values(system: System, state: Any, label: str = "<mapping>") -> dict[str, Any]:
    findings = Findings()
    node = parse(Source(label, state)) if isinstance(state, str) else mapping_node(state, label, findings)
    found = read_state(system, node, 1, findings)
    findings.stop()
    return {fluent.name: g.value for fluent, g in found.items()}


def _some_value(family: Family, random: Random) -> Any:
    if isinstance(family.sort, BoolSort):
        return random.random() < 0.5
    if isinstance(family.sort, EnumSort):
        return random.choice(family.sort.members)
    assert isinstance(family.sort, IntSort)
    return random.randint(max(family.sort.lo, family.least or family.sort.lo), min(family.sort.hi, 9))


def _by_rule(family: Family, domain: Domain, random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A mapping by rule, and the same place by place, made by hand: all, then a group, then names."""
    said: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    if random.random() < 0.7:
        value = said["all"] = _some_value(family, random)
        plain |= dict.fromkeys(domain.sort.members, value)
    groups = [g for g in domain.groups if domain.find(g) is None]
    if groups and random.random() < 0.8:
        group = random.choice(groups)
        value = said[group] = _some_value(family, random)
        plain |= dict.fromkeys(domain.groups[group], value)
    for name in random.sample(domain.sort.members, min(3, len(domain.sort.members))):
        value = said[name] = _some_value(family, random)
        plain[name] = value
    items = list(said.items())
    random.shuffle(items)  # the order in which they stand is nothing
    return dict(items), plain


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6))
@examples(40)
def test_by_rule_is_as_place_by_place(name: str, seed: int) -> None:
    system, random = SYSTEMS[name], Random(seed)
    family = random.choice([f for f in system.families if len(f.indices) == 1 and not f.whole])
    said, plain = _by_rule(family, family.indices[0], random)
    assert values(system, {family.name: said}) == values(system, {family.name: plain})


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6))
@examples(20)
def test_names_under_their_value_are_as_place_by_place(name: str, seed: int) -> None:
    system, random = SYSTEMS[name], Random(seed)
    enums = [f for f in system.families if len(f.indices) == 1 and isinstance(f.sort, EnumSort)]
    family = random.choice(enums)
    members = family.indices[0].sort.members
    some = random.sample(members, min(4, len(members)))
    plain = {member: _some_value(family, random) for member in some}
    listed: dict[str, list[str]] = {}
    for member, value in plain.items():
        listed.setdefault(value, []).append(member)
    first = {"all": family.sort.members[0]} if isinstance(family.sort, EnumSort) else {}
    whole = dict.fromkeys(members, first.get("all"))
    assert values(system, {family.name: listed}) == values(system, {family.name: plain})
    assert values(system, {family.name: {**first, **listed}}) == values(system, {family.name: {**whole, **plain}})
    assert values(system, {family.name: {**first, "except": plain}}) == values(
        system, {family.name: {**whole, **plain}}
    )
    rest = {member: value for member, value in whole.items() if member not in plain}
    assert values(system, {family.name: {**first, "except": some}}) == values(system, {family.name: rest})


def test_each_group_is_made_of_members() -> None:
    for name, system in SYSTEMS.items():
        for family in system.families:
            for domain in family.indices:
                for group, members in domain.groups.items():
                    assert {*members} <= {*domain.sort.members}, (name, family.name, group)
                    assert domain.find(group) is None, (name, family.name, group)


def test_ranges_and_rows() -> None:
    asl, hexes = SYSTEMS["asl/22u3"], ("22U3", "22V2", "22V3")
    by_range = values(asl, {"hex_control": {"22U2 to 22V3": "Russian"}})
    assert {f"hex_control[{h}]" for h in hexes} <= {*by_range}
    assert {*by_range.values()} == {"Russian"}
    column = values(asl, {"hex_control": {"column 22V": "Russian"}})
    assert {*column} == {n for n in values(asl, {"hex_control": {"all": "none"}}) if n[12:].startswith("22V")}
    assert values(asl, {"broken": ["side Russian"]})["broken[4-4-7]"] is True


def test_two_indices() -> None:
    moscow = SYSTEMS["moscow/small"]
    found = values(moscow, "taken: {all: {German: no}, Moscow: {Soviet: yes, German: yes}}")
    assert found["taken[Moscow, German]"] is True
    assert found["taken[Moscow, Soviet]"] is True
    others = [n for n in found if n.startswith("taken[") and "Moscow" not in n]
    assert others
    assert {found[n] for n in others} == {False}
    assert all(n.endswith("German]") for n in others)


def test_units_by_rule_replace_a_whole_region() -> None:
    system = loaded("axis_allies", level="armies").setup.system
    armies = next(f for f in system.families if f.whole)
    given = {"units": {"all": {"Russians": {"infantry": 1}}, "Karelia": {"Germans": {"armour": 2}}}}
    found = values(system, given)
    assert len(found) == len(armies.fluents)
    assert found["units[Karelia S.S.R., Russians, infantry]"] == 0
    assert found["units[Karelia S.S.R., Germans, armour]"] == 2
    assert found["units[Caucasus, Russians, infantry]"] == 1


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("asl/22u3", "hex_control: {al: German}", "unknown hex 'al'"),
        ("asl/22u3", "hex_control: {Russians: [22U3]}", "unknown side or none 'Russians'"),
        ("asl/22u3", "hex_control: German", "expected a value for each hex, found 'German'"),
        ("asl/22u3", "hex_control: {area vilage: German}", "unknown hex 'area vilage'"),
        ("asl/22u3", "hex_control: {22U3 to 22ZZ9: German}", "unknown hex '22ZZ9'"),
        ("asl/22u3", "hex_control: {all: Germn}", "unknown side or none 'Germn'"),
        (
            "asl/22u3",
            "hex_control: {Russian: [22U3], 22U3: German}",
            "'22U3' is '22U3' again|'22U3' stands here twice",
        ),
        ("asl/22u3", "hex_control: {column 22V: German, row 22-3: Russian}", "is in 'column 22V' and in 'row 22-3'"),
        ("asl/22u3", "hex_control: {all: German, except: 22U3}", "expected a list of each hex that is excepted"),
        ("napoleonics", "vacated: {French: [4,3]}", "a hex wants quotes"),
        ("okinawa/small", "at: {all: nowhere}", "unknown place 'nowhere'"),
    ],
)
def test_what_is_refused(game: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        values(SYSTEMS[game], text, "position.yaml")
    assert all(d.line for d in caught.value.diagnostics)
    assert len(caught.value.diagnostics) == 1


def test_near_groups_are_offered() -> None:
    with pytest.raises(InputError) as caught:
        values(SYSTEMS["asl/22u3"], {"hex_control": {"colum 22V": "German"}})
    assert "column 22" in str(caught.value.diagnostics[0].help)


def test_a_name_of_the_board_comes_before_the_word_all() -> None:
    family = Family(
        "owner",
        BOOL,
        "whose it is",
        (Domain(EnumSort("place", ("all", "except", "here")), groups={"here": ("all",)}),),
    )
    system = System({"A": ("A",)}, (family,), {}, (), (), (), (), (), ())
    found = values(system, {"owner": {"all": True, "except": False, "here": True}})
    assert found == {"owner[all]": True, "owner[except]": False, "owner[here]": True}


def test_the_schema_of_a_position_knows_it() -> None:
    import jsonschema

    check = jsonschema.Draft202012Validator(file_schema("position", "asl/22u3"))
    said = {"all": "German", "except": {"22U3": "none"}, "Russian": ["22V2", "area building"], "22V2 to 22V3": "none"}
    assert check.is_valid({"game": "asl/22u3", "state": {"hex_control": said, "broken": ["side German"]}})
    assert check.is_valid({"game": "asl/22u3", "state": {"hex_control": {"all": "German", "except": ["22U3"]}}})
    for wrong in (
        {"all": "Germn"},
        {"Germn": ["22V2"]},
        {"Russian": ["22V9999"]},
        {"all": "German", "except": "22U3"},
    ):
        assert not check.is_valid({"game": "asl/22u3", "state": {"hex_control": wrong}}), wrong
