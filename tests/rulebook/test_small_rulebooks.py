"""Rulebooks of a few lines, each about one thing that the language promises."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.game import Game
from vclogic.query.test.rulings import test_all as try_all

SIDES = "sides Reds, Blues\nturn is one event\n"


def game_of(folder: Path, text: str) -> Game:
    """The game of a rulebook's lines."""
    file = folder / "rules.md"
    file.write_text(f"```vclogic\n{text}\n```\n", encoding="utf-8")
    return vclogic.load(str(file))


def legal_in(game: Game) -> list[str]:
    """The kinds of legal events."""
    return sorted({name for name, _ in game.legal().events()})


def test_a_game_can_last_one_round(tmp_path: Path) -> None:
    text = SIDES + "rounds 1\npass always\nReds win late at the end if round == 1"
    game = game_of(tmp_path, text).apply("pass")
    assert (game.value("round"), game.value("turn"), game.winner) == (1, "Blues", None)
    assert game.apply("pass").winner == "Reds"


def test_a_game_can_have_one_side_and_one_phase(tmp_path: Path) -> None:
    text = "sides Me\nturn is work\nrounds 2\nfact n: 0 to 9\nevent add by side in work\n  then n rises by 1\n"
    game = game_of(tmp_path, text + "Me wins all at the end if n >= 2 and turn == Me and phase == work")
    for event in ("add", "add", "end_phase", "end_phase"):
        game = game.apply(event)
    assert game.winner == "Me"


def test_chance_decides_first_only_where_one_of_its_cases_is_legal(tmp_path: Path) -> None:
    text = "sides Reds, Blues\nturn is march, fire\nfact n: 0 to 1, starts {}\nfact quiet\n"
    text += "event storm by chance in fire\n  needs not quiet\n  then n rises by 1\n"
    text += "event rest by side\n  then quiet becomes true"
    game = game_of(tmp_path, text.format(0))
    assert legal_in(game) == ["end_phase", "rest"]
    assert legal_in(game.apply("end_phase")) == ["storm"]
    full = game_of(tmp_path, text.format(1)).apply("end_phase")
    assert legal_in(full) == ["end_phase", "rest"]  # the fact has no room for another storm


def test_what_changes_at_once_does_so_after_an_event_that_changes_the_same_fact(tmp_path: Path) -> None:
    text = SIDES + "fact lost\nfact home: side or nobody, starts Blues\n  becomes Reds at once if not lost\n"
    game = game_of(tmp_path, text + "event leave by side\n  then home becomes nobody")
    assert game.value("home") == "Reds"
    assert game.apply("leave").value("home") == "Reds"


def test_a_group_ends_before_the_condition_of_a_line(tmp_path: Path) -> None:
    text = SIDES + "grid spot\n  A1 B1\ngroup the front: A1\nfact n: 0 to 9\nfact held(spot)\n"
    text += "event hold by side\n  then held(spot) becomes true for spot in the front if n >= 0"
    text += '\nevery event needs no(spot in the front where held(spot)) else "it is held"'
    game = game_of(tmp_path, text).apply("hold")
    assert [game.value(f"held({s})") for s in ("A1", "B1")] == [True, False]
    with pytest.raises(vclogic.errors.InputError, match="it is held"):
        game.apply("hold")


@pytest.mark.parametrize("waits", ["not seen and n == 1", "loaded and not seen"])
def test_chance_holds_a_turn_open_by_what_changes_at_once(tmp_path: Path, waits: str) -> None:
    text = (
        SIDES
        + f"""fact n: 0 to 1
fact seen
fact loaded
  becomes true at once if n == 1 and not seen
  becomes false at once if seen
event load by side
  then n becomes 1
event look by chance
  needs {waits}
  then seen becomes true"""
    )
    game = game_of(tmp_path, text).apply("load")
    assert (game.value("turn"), legal_in(game)) == ("Reds", ["look"])
    game = game.apply("look")
    assert (game.value("turn"), legal_in(game)) == ("Blues", ["load"])


def test_what_is_at_once_is_judged_with_the_next_side_on_turn(tmp_path: Path) -> None:
    """As it stands after the event; the end of a turn still knows whose it was."""
    text = SIDES + "fact n: 0 to 9\nevent add by side\n  then n rises by 1\n"
    at_once = game_of(tmp_path, text + "side wins it at once if n >= 1 and turn == side").apply("add")
    at_end = game_of(tmp_path, text + "side wins it at the end of a turn if n >= 1 and turn == side").apply("add")
    assert (at_once.winner, at_end.winner) == ("Blues", "Reds")


@pytest.mark.parametrize(
    ("moment", "turn", "number"),
    [
        ("at the end of a turn of Reds", "Reds", 1),
        ("at the end of a round", "Blues", 1),
        ("at the start of a turn of Blues", "Blues", 1),
        ("at the start of a round", "Reds", 2),
    ],
)
def test_a_game_ends_in_the_turn_at_whose_end_or_start_it_is_decided(
    tmp_path: Path, moment: str, turn: str, number: int
) -> None:
    text = SIDES + f"rounds 3\npass always\nReds wins it {moment}"
    game = game_of(tmp_path, text).apply("pass")
    game = game if game.winner else game.apply("pass")
    assert (game.winner, game.value("turn"), game.value("round")) == ("Reds", turn, number)


def test_a_number_that_a_moment_puts_back_where_it_was_stays_there(tmp_path: Path) -> None:
    text = (
        SIDES + "fact n: 0 to 9, starts 5\n  falls by 1 at the end of a turn\nevent add by side\n  then n rises by 1"
    )
    assert game_of(tmp_path, text).apply("add").value("n") == 5


def test_chance_at_any_time_ends_no_turn_and_holds_none_open(tmp_path: Path) -> None:
    """A die as a turn begins, and weather that changes with what a side does."""
    text = (
        SIDES
        + """fact die: 0 to 6
  becomes 0 at the start of a turn
fact wet
fact n: 0 to 9
event throw by chance number 1 to 6, at any time
  needs die == 0
  then die becomes number
event rain by chance, at any time
  needs not wet and die != 0
  then wet becomes true
event dry by side
  then wet becomes false"""
    )
    game = game_of(tmp_path, text)
    assert legal_in(game) == ["throw"]
    game = game.apply("throw", number=3).apply("rain")
    assert (game.value("turn"), legal_in(game)) == ("Reds", ["dry"])
    game = game.apply("dry")
    assert (game.value("turn"), legal_in(game)) == ("Blues", ["throw"])
    game = game.apply("throw", number=1).apply("rain")
    assert (game.value("turn"), legal_in(game)) == ("Blues", ["dry"])


def test_four_in_a_row_as_the_reference_says_it(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rulebook_reference.md").read_text(encoding="utf-8")
    line = "four(side) means" + page.partition("four(side) means")[2].partition("```")[0]
    text = SIDES + "grid square, 6 by 2\nfact mark(square): side or nobody, starts nobody\n" + line
    game = game_of(tmp_path, text + "side wins row at once if four(side)")
    for squares, winner in (
        ("C1 D1 E1 F1", "Reds"),
        ("A1 B1 C1 E1", None),
        ("A1 B1 C1 D2", None),
        ("A2 B2 C2 D2", "Reds"),
    ):
        assert game.at_state({"mark": dict.fromkeys(squares.split(), "Reds")}).winner == winner


def test_turns_of_powers_in_a_row_are_forced_and_played_against_all_others(tmp_path: Path) -> None:
    text = "sides Reds: Rone, Rtwo; Blues: Bone, Btwo\nturn is one event\npass always\nfact gold: 0 to 2\n"
    game = game_of(tmp_path, text + "event dig by power\n  then gold rises by 2")
    found = game.force("gold == 1", side="Reds", within=3)
    assert (found.status, found.reason) == ("refuted", "")
    forced = game.force("gold == 2", side="Blues", within=1)
    assert (forced.status, forced.turns) == ("forced", 1)
    for answer in (found, forced):
        assert answer.checked is not None
        assert answer.checked.every
        assert answer.checked.replies > 1


def test_nothing_is_forced_after_the_game_or_where_a_side_is_stuck(tmp_path: Path) -> None:
    text = (
        SIDES + "rounds 5\nfact n: 0 to {}\nevent add by side\n  then n rises by 1\nReds wins all at once if n >= 2"
    )
    won = game_of(tmp_path, text.format(2))
    assert won.force("round == 3", side="Reds", within=3).status == "refuted"
    stuck = game_of(tmp_path, text.format(1))
    assert stuck.force("round == 2", side="Reds", within=3).status == "refuted"
    assert any("play stops" in line for line in stuck.force("n == 2", side="Reds").assumptions)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("A1 in Front", True),
        ("'C 1' in Front", False),
        ("A1 in spot", True),
        ("A1 in Nowhere", False),
        ("at(Reds) in Nowhere", False),
        ("not (at(Reds) in Nowhere) and at(Reds) in Front", True),
        ("some(spot in Nowhere)", False),
    ],
)
def test_a_place_is_written_out_and_a_group_has_no_members(tmp_path: Path, condition: str, holds: bool) -> None:
    text = (
        SIDES
        + "areas spot, from the table\ngroup Front: A1, B1\ngroup Nowhere: spot where spot == A1 and spot == B1\n"
    )
    text += (
        f"fact at(side): spot or off, starts A1\nevent go by side\n  needs {condition}\n  then at(side) becomes B1"
    )
    file = tmp_path / "rules.md"
    table = "| spot | borders |\n| --- | --- |\n| A1 | B1 |\n| B1 | C 1 |\n| C 1 | |\n"
    file.write_text(f"{table}\n```vclogic\n{text}\n```\n", encoding="utf-8")
    game = vclogic.load(str(file))
    assert game.value(condition) is holds
    assert legal_in(game) == (["go"] if holds else [])


def test_what_is_written_out_before_in_may_be_wrong(tmp_path: Path) -> None:
    game = game_of(
        tmp_path,
        SIDES + "grid spot\n  A1 B1\ngroup Front: A1\nfact n: 0 to 1\nevent add by side\n  then n rises by 1",
    )
    for goal, message in (
        ("A2 in Front", "unknown name 'A2'"),
        ("A1 in Fron", "no group 'Fron'"),
        ("n in Front", "in no group"),
    ):
        with pytest.raises(vclogic.errors.InputError, match=message):
            game.value(goal)


def test_what_is_wrong_with_a_rulebook_is_told_once_for_all_its_rulings(tmp_path: Path) -> None:
    text = SIDES + "fact n: 0 to 1\nevent add by side\n  then m rises by 1"
    file = tmp_path / "rules.md"
    rulings = "\n".join(f"Case {i}\n  play add\n  expect n == 1" for i in range(3))
    file.write_text(f"```vclogic\n{text}\n```\n```ruling\n{rulings}\n```\n", encoding="utf-8")
    with pytest.raises(vclogic.errors.InputError) as caught:
        try_all([str(file)], cites=False)
    assert [d.message for d in caught.value.diagnostics] == ["there is no fact 'm'"]


@pytest.mark.parametrize(("lower", "near"), [("odd", {"A2", "C2", "A1", "C1"}), ("even", {"A2", "C2", "A3", "C3"})])
def test_hexes_are_staggered_both_ways(tmp_path: Path, lower: str, near: set[str]) -> None:
    """The column B is the second one, so it is lower where even columns are."""
    text = SIDES + f"hexes hex, {lower} columns lower, 3 by 3\nfact n: 0 to 1\nevent add by side\n  then n rises by 1"
    game = game_of(tmp_path, text)
    hexes = [f"{c}{r}" for c in "ABC" for r in (1, 2, 3)]
    assert {h for h in hexes if game.value(f"adjacent(B2, {h})")} == {"B1", "B3", *near}
    assert game.value("distance(A1, C3)") == 3


@pytest.mark.parametrize(
    ("a", "b", "level", "ratio"),
    [
        (0, 1, "low", "lost"),
        (1, 1, "low", "even"),
        (2, 1, "middle", "held"),
        (3, 1, "five", "won"),
        (4, 2, "high", "held"),
        (5, 0, "high", ""),
        (4, 1, "high", "won"),
    ],
)
def test_tables_are_read_by_a_level_and_by_a_ratio(tmp_path: Path, a: int, b: int, level: str, ratio: str) -> None:
    text = SIDES + "rounds 1\npass always\nfact a: 0 to 5\nfact b: 0 to 5\ntable level at the end, by a + {}\n{}"
    rows = "  3 or more  Reds wins high\n  2  Blues wins middle\n  3  nobody wins five\n  less than 2  Blues wins low"
    ratios = "  3:1 or more  Reds wins won\n  2:1 or more  Reds wins held\n  1:1 or more  nobody wins even\n"
    ratios += "  less than 1:1  Blues wins lost"
    for by, lines, expected in (("0", rows, level), ("0 : b", ratios, ratio)):
        game = game_of(tmp_path, text.format(by, lines)).by_hand({"a": a, "b": b})
        ended = game.apply("pass").apply("pass")
        assert [o.rule for o in ended.status().outcomes if o.status == "met"] == ([expected] if expected else [])


TOWNS = """hexes hex, 5 by 4
kind town: Ulm, Linz, 'Bad Ems'
kind unit: r1, b1
group Ulm: A1, A2
group Linz: C3
group 'town Bad Ems': D1, E1, D2, E2
group top: hex where row(hex) == 1
fact at(unit): hex or off, starts A2
fact holder(town): side or nobody, starts nobody
fact stood(town): 0 to 9
  rises by 1 at the end of a turn if some(unit where at(unit) in town)
fact used(hex)
event take by side town
  needs some(unit where at(unit) in town)
  then holder(town) becomes side
  then used(hex) becomes true for hex in town
event go by side unit to hex
  then at(unit) becomes to
size(town) means count(hex in town)
open(town) means connected(town, top through hex where no(unit where at(unit) == hex))
"""


def test_a_variable_is_the_group_of_its_name_in_every_line(tmp_path: Path) -> None:
    game = game_of(tmp_path, SIDES + TOWNS)
    towns = ("Ulm", "Linz", "Bad Ems")
    assert [game.value(f"size('{t}')") for t in towns] == [2, 1, 4]
    assert [arguments["town"] for _, arguments in game.legal(event="take").events()] == ["Ulm"]
    game = game.apply("take", town="Ulm")
    assert [game.value(f"used({h})") for h in ("A1", "A2", "C3", "D1")] == [True, True, False, False]
    game = game.apply("go", unit="r1", to="C3").apply("go", unit="b1", to="E2")
    assert [game.value(f"stood('{t}')") for t in towns] == [2, 2, 1]
    assert [game.value(f"open('{t}')") for t in towns] == [True, False, True]
    assert game.value("count(town where open(town) and size(town) >= 2)") == 2
    assert game.value("some(town where size(town) == 4 and at(b1) in town)")
    assert not game.value("some(town where size(town) == 2 and at(b1) in town)")
    with pytest.raises(vclogic.errors.InputError, match="town is a town, which may be several of hex"):
        game.value("count(town where distance(town, A1) <= 2)")
