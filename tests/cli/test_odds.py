"""`odds`: what a player asks, what is refused, and what programs get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GAME = "axis_allies"


def test_one_tank_against_one_infantry(run: Run) -> None:
    """By hand: of 4 rounds in which anybody is hit, the infantry alone falls in 2, both in 1, the tank in 1."""
    found = run("odds", GAME, "--attack", "armour: 1", "--defend", "infantry: 1", "--exact")
    assert (found.code, found.err) == (0, "")
    assert "the attacker takes the territory  50.0 %  1/2" in found.out
    assert "attacker           0.50  2.50  0.50 armour" in found.out


def test_the_document_has_fractions_as_text_and_floats_as_numbers(run: Run) -> None:
    words = ("odds", GAME, "--attack", "1 tank", "--defend", "1 Infantry", "--format", "json")
    document = run(*words).document
    assert document["schema"] == "vclogic/odds/1"
    assert document["attackers"] == {"armour": 1}
    assert document["odds"]["take"] == pytest.approx(0.5, abs=1e-9)
    exact = run(*words, "--exact").document
    assert (exact["odds"]["take"], exact["odds"]["draw"], exact["hold"], exact["both"]) == ("1/2", "1/4", "1/4", "0")
    assert exact["odds"]["error"] == 0


@pytest.mark.parametrize("place", ["India", "calcutta", " INDIA "])
def test_who_stands_at_a_place_defends(run: Run, place: str) -> None:
    document = run("odds", GAME, "--attack", "fighter: 2", "--at", place, "--format", "json").document
    assert document["place"] == "India"
    assert document["defenders"] == {"infantry": 3, "aa_gun": 1}
    assert document["odds"]["take"] == 0  # aircraft take no land
    assert "the attacker takes the territory" in run("odds", GAME, "--attack", "fighter: 2", "--at", place).out


def test_a_sea_zone_is_fought_for_at_sea(run: Run) -> None:
    document = run("odds", GAME, "--attack", "2 fighters", "--at", "2 sea zone", "--format", "json").document
    assert document["at_sea"]
    assert document["defenders"] == {"transport": 1, "battleship": 1}
    assert document["odds"]["take"] > 0


def test_ships_without_a_place_fight_at_sea(run: Run) -> None:
    at_sea = run("odds", GAME, "--attack", "fighter: 1", "--defend", "transport: 1", "--format", "json").document
    assert at_sea["at_sea"]
    landing = ("--attack", "infantry: 1", "--guns", "battleship: 1", "--defend", "infantry: 1", "--format", "json")
    document = run("odds", GAME, *landing).document
    assert (document["at_sea"], document["landing"]) == (False, True)


def test_defenders_that_are_named_stand_in_for_those_there(run: Run) -> None:
    words = ("--attack", "armour: 1", "--at", "India", "--defend", "infantry: 1", "--exact", "--format", "json")
    document = run("odds", GAME, *words).document
    assert (document["place"], document["odds"]["take"]) == ("India", "1/2")


def test_a_position_file_says_who_is_where(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        f"game: {GAME}\noptions: {{level: armies}}\nstate: {{units: {{India: {{British: {{armour: 1}}}}}}}}\n"
    )
    document = run("odds", str(file), "--attack", "armour: 2", "--at", "India", "--format", "json").document
    assert document["defenders"] == {"armour": 1}
    misplaced = run("odds", GAME, "--attack", "armour: 2", "--at", str(file))
    assert misplaced.code == 2
    assert "a position file is the GAME" in misplaced.err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (("--attack", "armour: 3"), ["who defends? neither units nor a place are named"]),
        (("--attack", "", "--defend", "infantry: 1"), ["nobody attacks"]),
        (("--attack", "armour: 0", "--defend", "infantry: 1"), ["nobody attacks"]),
        (
            ("--attack", "tonk: 3, armour: -1", "--defend", "infntry: 1", "--at", "Indai", "--rounds", "0"),
            ["'tonk'", "armour: expected", "'infntry'", "'Indai'", "--rounds", "did you mean 'India' or"],
        ),
        (("--attack", "infantry: 1", "--defend", "battleship: 1"), ["infantry cannot attack at sea"]),
        (
            ("--attack", "battleship: 1, armour: 1", "--at", "India"),
            ["battleship cannot attack on land; ships bombard a landing"],
        ),
        (("--attack", "aa_gun: 1", "--at", "India"), ["aa gun cannot attack"]),
        (("--attack", "fighter: 1", "--at", "India", "--landing"), ["a landing takes land units"]),
        (("--attack", "fighter: 1", "--at", "India", "--guns", "battleship: 1"), ["a landing takes land units"]),
        (
            ("--attack", "armour: 1", "--at", "India", "--guns", "carrier: 1"),
            ["carrier cannot bombard; battleship can"],
        ),
        (("--attack", "fighter: 1", "--at", "2 Sea Zone", "--guns", "battleship: 1"), ["there is no landing at sea"]),
        (
            ("--attack", "armour: 2", "--at", "India", "--landing", "--rounds", "1"),
            ["land units that come from the sea cannot retreat"],
        ),
        (("--attack", "armour: 2", "--at", "India", "--side", "Allies"), ["nobody stands against the"]),
        (("--attack", "armour: 2", "--at", "India", "--side", "Axs"), ["unknown side 'Axs'", "did you mean 'Axis'?"]),
        (("--attack", "armour: 2", "--at", "India", "--timeout", "-1"), ["-1 seconds"]),
        (("--attack", "armour: 2", "--at", "Switzerland"), ["is no territory or sea zone: nobody can enter it"]),
    ],
)
def test_everything_wrong_is_said_in_one_report(run: Run, words: tuple[str, ...], messages: list[str]) -> None:
    found = run("odds", GAME, *words)
    assert found.code == 2
    said = " ".join(found.err.split())
    assert [m for m in messages if m not in said] == []


def test_a_game_without_battles_says_so(run: Run) -> None:
    found = run("odds", "moscow", "--attack", "armour: 1", "--defend", "infantry: 1")
    assert found.code == 2
    assert "no dice decide battles in moscow" in found.err


def test_no_time_is_unknown(run: Run) -> None:
    found = run(
        "odds", GAME, "--attack", "infantry: 999", "--defend", "infantry: 999", "--exact", "--timeout", "0.05"
    )
    assert found.code == 3
    assert "unknown: the time is up" in found.out


def test_a_chart_is_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    found = run("odds", GAME, "--attack", "armour: 3", "--at", "India", "--svg", str(file))
    assert found.code == 0
    assert file.read_text().startswith("<svg ")
    assert f"Bar chart: {file}" in found.out.replace("\n", "")
    refused = run("odds", GAME, "--attack", "armour: 3", "--at", "India", "--svg", str(tmp_path / "no" / "a.svg"))
    assert refused.code == 2


@pytest.mark.parametrize(
    ("attack", "defend", "shown"),
    [
        ("infantry: 1", "infantry: 100", ["takes the territory under 0.1 %", "the defender holds over 99.9 %"]),
        ("submarine: 1", "fighter: 1", ["takes the sea zone 0 %", "holds 100 %", "100 % 1 fighter of the defender"]),
        ("infantry: 1", "aa_gun: 1", ["takes the territory 100 %", "on either side 0 %", "the defender holds 0 %"]),
        ("fighter: 200", "infantry: 3", ["takes the territory 0 %", "the defender holds under 0.1 %"]),
    ],
)
def test_certain_and_impossible_are_told_from_what_is_nearly_so(
    run: Run, attack: str, defend: str, shown: list[str]
) -> None:
    said = " ".join(run("odds", GAME, "--attack", attack, "--defend", defend).out.split())
    assert [words for words in shown if words not in said] == []


def test_retreat_leaves_both_sides(run: Run) -> None:
    document = run(
        "odds",
        GAME,
        "--attack",
        "armour: 2",
        "--defend",
        "infantry: 2",
        "--rounds",
        "1",
        "--exact",
        "--format",
        "json",
    ).document
    assert document["conduct"]["rounds"] == 1
    assert document["both"] not in ("0", 0)
    assert json.dumps(document).count('"armour"') > 2
