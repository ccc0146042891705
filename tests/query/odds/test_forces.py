"""Units as players write them."""

from __future__ import annotations

import pytest

from vclogic.files.trees.findings import Findings
from vclogic.model.battles import BattleWords
from vclogic.query.odds.forces import MOST, Forces, read_force, read_order
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

KINDS = ("infantry", "armour", "aa_gun", "fighter")
WORDS = BattleWords(
    kinds=Domain(EnumSort("kind of unit", KINDS), {"tank": "armour"}, {"complex": "it does not fight"}),
    places=Domain(EnumSort("place", ("Karelia", "Kiev"))),
    named={u: (u, f"{u}s") for u in KINDS},
    naval=frozenset(),
    refused=lambda battle, conduct: (),
)


def read(given: Forces) -> tuple[dict[str, int], list[str]]:
    """The units, and what is wrong with them."""
    findings = Findings()
    found = read_force(given, "--attack", WORDS, findings)
    try:
        findings.stop()
    except ValueError as error:
        return found, [f"{d.message} ({d.help})" if d.help else d.message for d in error.diagnostics]  # type: ignore[attr-defined]
    return found, []


@pytest.mark.parametrize(
    "given",
    [
        "armour: 3, fighter: 2",
        "  Armour : 3 ,FIGHTERS=2;",
        "3 armours, 2 Fighters",
        "3x tanks, 2 fighter",
        "tank 3\nfighter 2",
        "armour: 3, fighter: 2, infantry: 0,",
        {"fighter": 2, "Tanks": 3},
    ],
)
def test_units_are_read_as_players_write_them(given: Forces) -> None:
    assert read(given) == ({"armour": 3, "fighter": 2}, [])


@pytest.mark.parametrize("given", ["aa_gun: 1", "AA guns: 1", "aa-gun 1", "1 aa gun", {"AA gun": 1}])
def test_words_of_a_kind_are_joined_in_any_way(given: Forces) -> None:
    assert read(given) == ({"aa_gun": 1}, [])


@pytest.mark.parametrize("given", ["infantries: 1", "1 Infantry", "infantrys 1"])
def test_plurals(given: str) -> None:
    assert read(given) == ({"infantry": 1}, [])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("armor: 3", "unknown kind of unit 'armor' (did you mean 'armour'?)"),
        ("armour: -1", "armour: expected a whole number from 0 to 999, found -1"),
        (f"armour: {MOST + 1}", "armour: expected a whole number from 0 to 999, found 1000"),
        ("armour: 500, fighter: 500", "1,000 units: at most 999 are counted"),
        ("armour: " + "9" * 50, "armour: expected a whole number from 0 to 999, found '" + "9" * 50 + "'"),
        ("armour: ³", "'armour: ³' is no kind of unit with a number (write kinds with their numbers: "),
        ("armour: ３", "'armour: ３' is no kind of unit with a number (write kinds with their numbers: "),
        ("armour: 1.5", "'armour: 1.5' is no kind of unit with a number (write kinds with their numbers: "),
        ("armour", "'armour' is no kind of unit with a number (write kinds with their numbers: "),
        ("3", "'3' is no kind of unit with a number (write kinds with their numbers: "),
        (": 3", "': 3' is no kind of unit with a number (write kinds with their numbers: "),
        ("armour: 1, tanks: 2", "armour is named twice (write armour once, with the whole number)"),
        ("complex: 1", "'complex' is no kind of unit: it does not fight"),
        ({"armour": True}, "armour: expected a whole number, found 'True'"),
        ({"armour": 1.0}, "armour: expected a whole number, found '1.0'"),
        ("armour: 1," * 101, "101 parts: at most 100 are read"),
    ],
)
def test_what_is_wrong_is_said(given: Forces, message: str) -> None:
    found = read(given)[1]
    assert len(found) == 1
    assert found[0].startswith(message)


def test_everything_wrong_is_said_at_once() -> None:
    assert len(read("tonk: 1, armour: -2, x, fighter: 2, fighter: 3")[1]) == 4


def test_orders_of_kinds() -> None:
    findings = Findings()
    assert read_order("Infantry, fighters", "--attackers-fall", WORDS, findings) == ("infantry", "fighter")
    assert read_order(["tank"], "--attackers-fall", WORDS, findings) == ("armour",)
    assert read_order("", "--attackers-fall", WORDS, findings) is None
    assert not findings
    read_order("tank, armour, tonk", "--attackers-fall", WORDS, findings)
    assert len(findings) == 2
