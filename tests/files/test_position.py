"""Setting up a game from names, position files, records and switches."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from vclogic.errors import Diagnostic
from vclogic.files.position import is_path, load_setup, with_overrides
from vclogic.files.setup import Setup
from vclogic.model.actions import Event
from vclogic.model.fluents import Value

Wrong = Callable[..., tuple[Diagnostic, ...]]
pytestmark = pytest.mark.usefixtures("game")


def values(setup: Setup) -> dict[str, Value]:
    return {v.name: x for v, x in setup.system.layout.values(setup.initial).items()}


def write(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def spots(found: tuple[Diagnostic, ...]) -> list[tuple[str, str | None, int | None, int | None]]:
    return [(d.code, d.file, d.line, d.column) for d in found]


# ---- scenarios and precedence


def test_default_scenario() -> None:
    setup = load_setup("skirmish")
    assert setup.game == "skirmish/spring"
    assert values(setup)["turn"] == 2
    assert values(setup)["owner[Hill]"] == "Blue"
    assert setup.settings.options == {"length": 12, "weather": "fair", "even": 0}
    assert setup.settings.readings == {"ties": "none"}
    assert setup.record == ()


def test_named_scenario() -> None:
    setup = load_setup("skirmish/winter")
    assert (values(setup)["turn"], values(setup)["frozen"], values(setup)["owner[Ford]"]) == (1, True, "Blue")


def test_precedence() -> None:
    position = write("p.yaml", "game: skirmish\noptions: {length: 11, even: 2, weather: rain}\nstate: {turn: 3}\n")
    above = write("a.yaml", "options: {even: 4}\nreadings: {ties: red}\nstate: {turn: 4}\n")
    assert load_setup("skirmish").settings.options["length"] == 12
    one = load_setup(position)
    assert one.settings.options == {"length": 11, "even": 2, "weather": "rain"}
    two = load_setup(position, above)
    assert two.settings.options == {"length": 11, "even": 4, "weather": "rain"}
    assert two.settings.readings == {"ties": "red"}
    assert values(two)["turn"] == 4
    three = load_setup(position, above, [("even", "6"), ("weather", "no"), ("even", "8"), ("ties", "none")])
    assert three.settings.options == {"length": 11, "even": 8, "weather": "no"}
    assert three.settings.readings == {"ties": "none"}
    assert with_overrides(two, [("even", "10")]).settings.options["even"] == 10
    assert load_setup("skirmish/winter", above).scenario == "winter"


def test_record_laid_over_is_appended() -> None:
    position = write("p.yaml", "game: skirmish\nrecord:\n- end_turn\n")
    record = write("r.yaml", "- roll\n- {roll: {side: Blue, dice: 2}}\n")
    setup = load_setup(position, record)
    assert [s.event for s in setup.record] == [
        Event("end_turn"),
        Event("roll", (("side", "Red"), ("dice", 6))),
        Event("roll", (("side", "Blue"), ("dice", 2))),
    ]
    assert [s.spot for s in setup.record] == [
        ("p.yaml", 3, 3),
        ("r.yaml", 1, 3),
        ("r.yaml", 2, 3),
    ]


def test_arguments_are_canonical_and_in_order() -> None:
    record = write("r.json", '[{"capture": {"area": "Red Home", "side": "Reds"}}, {"end_turn": {}}, "end_turn"]')
    setup = load_setup("skirmish", record)
    assert setup.record[0].event == Event("capture", (("side", "Red"), ("area", "Home")))
    assert [s.spot[1:] for s in setup.record] == [(1, 2), (1, 53), (1, 71)]


# ---- what GAME can be


def test_standard_input(monkeypatch: pytest.MonkeyPatch, wrong: Wrong) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"game": "skirmish", "state": {"turn": 7}}'))
    assert values(load_setup("-"))["turn"] == 7
    monkeypatch.setattr(sys, "stdin", io.StringIO("game: skirmish\nstate: {trun: 7}"))
    assert spots(wrong(load_setup, "-")) == [("unknown-name", "<stdin>", 2, 9)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("- end_turn"))
    assert len(load_setup("skirmish", "-").record) == 1
    assert [d.code for d in wrong(load_setup, "-", "-")] == ["bad-value"]


def test_paths_and_names() -> None:
    Path("skirmish").mkdir()
    Path("folder").mkdir()
    Path("plain").touch()
    for path in ("-", "x.yaml", "x.yml", "x.json", "./x", "../x", "/x", "plain", "folder"):
        assert is_path(path), path
    for name in ("skirmish", "skirmish/winter", "x", "a/b", ""):
        assert not is_path(name), name


def test_unknown_games(wrong: Wrong) -> None:
    Path("postion.yaml").touch()
    Path("folder").mkdir()
    (d,) = wrong(load_setup, "position")
    assert (d.code, d.help) == ("unknown-game", "known: absent, broken, skirmish; near files: postion.yaml")
    assert [d.help for d in wrong(load_setup, "skirmis")] == ["did you mean 'skirmish'?"]
    assert [d.help for d in wrong(load_setup, "skirmish/wintr")] == ["did you mean 'winter'?"]
    assert [d.code for d in wrong(load_setup, "folder")] == ["is-a-directory"]
    assert [d.code for d in wrong(load_setup, "broken")] == ["broken-encoding"]
    (d,) = wrong(load_setup, "position.yaml")
    assert (d.code, d.help) == ("no-such-file", "did you mean 'postion.yaml'?")


def test_game_in_files(wrong: Wrong) -> None:
    assert spots(wrong(load_setup, write("p.yaml", "state: {}"))) == [("missing-entry", "p.yaml", 1, 1)]
    assert spots(wrong(load_setup, write("p.yaml", "\ngame: skirmsh"))) == [("unknown-game", "p.yaml", 2, 7)]
    assert spots(wrong(load_setup, write("p.yaml", "game: skirmish/wntr"))) == [("unknown-game", "p.yaml", 1, 7)]
    assert spots(wrong(load_setup, write("p.yaml", "game: [a]"))) == [("wrong-value", "p.yaml", 1, 7)]
    assert spots(wrong(load_setup, write("p.yaml", "- end_turn"))) == [("wrong-value", "p.yaml", 1, 1)]
    assert spots(wrong(load_setup, "skirmish", write("a.yaml", "word"))) == [("wrong-value", "a.yaml", 1, 1)]


def test_game_of_the_file_laid_over(wrong: Wrong) -> None:
    above = write("a.yaml", "game: skirmish/winter\n")
    assert load_setup("skirmish", above).scenario == "winter"
    assert load_setup("skirmish/spring", above).scenario == "spring"
    other = write("b.yaml", "state: {}\ngame: absent\n")
    assert spots(wrong(load_setup, "skirmish", other)) == [("wrong-game", "b.yaml", 2, 7)]


def test_mistakes_of_both_files_come_together(wrong: Wrong) -> None:
    position = write("p.yaml", "game: skirmish\nstat: {}\nstate: {trun: 1}")
    above = write("a.yaml", "x: [")
    assert spots(wrong(load_setup, position, above, [("nothing", "1")])) == [
        ("unknown-entry", "p.yaml", 2, 1),
        ("unknown-name", "p.yaml", 3, 9),
        ("not-yaml", "a.yaml", 1, 5),
        ("unknown-name", "settings", None, None),
    ]


# ---- options and readings


@pytest.mark.parametrize(
    ("pair", "code", "help"),
    [
        (("lenght", "3"), "unknown-name", "did you mean 'length'?"),
        (("tie", "3"), "unknown-name", "did you mean 'ties'?"),
        (("length", "0"), "out-of-range", None),
        (("length", "21"), "out-of-range", None),
        (("length", "x"), "wrong-value", None),
        (("length", "1_0"), "wrong-value", None),
        (("length", ""), "wrong-value", None),
        (("even", "3"), "out-of-range", None),
        (("weather", "sun"), "bad-value", None),
        (("weather", ""), "bad-value", None),
        (("ties", "Red"), "bad-value", None),
    ],
)
def test_bad_overrides(pair: tuple[str, str], code: str, help: str | None, wrong: Wrong) -> None:
    (d,) = wrong(load_setup, "skirmish", None, [pair])
    assert (d.code, d.file, d.help) == (code, "settings", help)


def test_bad_settings_in_files(wrong: Wrong) -> None:
    text = "game: skirmish\noptions: {length: 99, wether: no, ties: red}\nreadings: [a]\n"
    assert spots(wrong(load_setup, write("p.yaml", text))) == [
        ("out-of-range", "p.yaml", 2, 19),
        ("unknown-name", "p.yaml", 2, 23),
        ("unknown-name", "p.yaml", 2, 35),
        ("wrong-value", "p.yaml", 3, 11),
    ]
    (d,) = wrong(load_setup, "skirmish", None, [("weather", "sun")])
    assert d.message == "weather: expected fair or rain or no, found 'sun'"
    assert (
        load_setup(write("p.yaml", "game: skirmish\noptions: {weather: no}\nreadings:\n")).settings.word("weather")
        == "no"
    )


# ---- state


def test_state() -> None:
    text = """\
game: skirmish
state:
  owner: {Hilltop: Reds, No: Red}
  turn: 3
  to_move: Blue
  supplied: {Blue: {Ford: no, Red Home: off}, Red: }
  score: {Red: ~, Blue: 0}
  frozen: yes
"""
    found = values(load_setup(write("p.yaml", text)))
    assert found["owner[Hill]"] == found["owner[No]"] == "Red"
    assert (found["turn"], found["to_move"], found["frozen"]) == (3, "Blue", True)
    assert (found["supplied[Blue, Ford]"], found["supplied[Blue, Home]"]) == (False, False)
    assert found["supplied[Red, Ford]"] is True
    assert (found["score[Red]"], found["score[Blue]"]) == (-1, 0)


def test_bad_state(wrong: Wrong) -> None:
    text = """\
game: skirmish
state:
  owner: {Hilltop: Rds, Hill: Red, Hull: Red, Home: Green}
  turn: 30
  trun: 3
  supplied: {Blue: {Ford: 3}, Red: no}
  score: {Red: -1, Blue: 5.5}
  frozen: [a]
  to_move: ~
"""
    found = wrong(load_setup, write("p.yaml", text))
    assert spots(found) == [
        ("unknown-name", "p.yaml", 3, 20),
        ("given-twice", "p.yaml", 3, 25),
        ("unknown-name", "p.yaml", 3, 36),
        ("wrong-kind", "p.yaml", 3, 53),
        ("out-of-range", "p.yaml", 4, 9),
        ("unknown-name", "p.yaml", 5, 3),
        ("wrong-value", "p.yaml", 6, 27),
        ("wrong-value", "p.yaml", 6, 36),
        ("out-of-range", "p.yaml", 7, 16),
        ("wrong-value", "p.yaml", 7, 26),
        ("wrong-value", "p.yaml", 8, 11),
        ("wrong-value", "p.yaml", 9, 12),
    ]
    assert found[0].help == "did you mean 'Reds' or 'Red'?"
    assert found[4].message == "turn: expected a whole number from 1 to 20, found 30"
    assert found[5].help is None  # `turn` is there already


def test_invariants(wrong: Wrong) -> None:
    (d,) = wrong(load_setup, write("p.yaml", "game: skirmish\nstate:\n  turn: 15\n"))
    assert (d.code, d.line, d.column) == ("impossible-position", 3, 9)
    assert d.message == "the position cannot occur: the game has ended by then (3.1)"
    assert d.help == "change what the file says: turn is 15"
    assert values(load_setup("p.yaml", None, [("length", "15")]))["turn"] == 15
    # placed in the file laid over last
    found = wrong(load_setup, "skirmish/winter", write("a.yaml", "state: {turn: 6}"))
    assert spots(found) == [("impossible-position", "a.yaml", 1, 15)]
    assert found[0].help == "change what the file says: turn is 6; frozen is true"


def test_invariant_that_is_not_defined_holds(wrong: Wrong) -> None:
    load_setup(write("p.yaml", "game: skirmish\nstate: {to_move: Blue, owner: {Home: Blue}}"))
    found = wrong(load_setup, write("p.yaml", "game: skirmish\nstate: {owner: {Home: Blue}}"))
    assert spots(found) == [("impossible-position", "p.yaml", 2, 23)]


def test_scenario_breaks_an_invariant(game: Path, wrong: Wrong) -> None:
    (game / "scenarios" / "spring.yaml").write_text("title: S\nstate: {turn: 11}\n")
    (d,) = wrong(load_setup, "skirmish/spring")
    assert (d.code, d.line, d.column) == ("impossible-position", 2, 15)
    assert str(d.file).endswith("scenarios/spring.yaml")


# ---- record


def test_bad_record(wrong: Wrong) -> None:
    text = """\
- {capture: {side: Blue, aera: Home}}
- end_tun
- {roll: {dice: 7}, end_turn: }
- {roll: {dice: 7, side: Bleu}}
- [a]
- end_turn: 3
-
- {}
- {capture: }
- {end_turn: {x: 1}}
- {capture: {side: Red, area: Hull}}
"""
    found = wrong(load_setup, "skirmish", write("r.yaml", text))
    assert [(d.code, d.line, d.column) for d in found] == [
        ("missing-entry", 1, 4),
        ("unknown-entry", 1, 26),
        ("unknown-name", 2, 3),
        ("wrong-value", 3, 3),
        ("out-of-range", 4, 17),
        ("unknown-name", 4, 26),
        ("wrong-value", 5, 3),
        ("wrong-value", 6, 13),
        ("wrong-value", 7, 2),
        ("wrong-value", 8, 3),
        ("missing-entry", 9, 4),
        ("missing-entry", 9, 4),
        ("unknown-entry", 10, 15),
        ("unknown-name", 11, 31),
    ]
    assert found[1].help == "did you mean 'area'?"
    assert found[2].help == "did you mean 'end_turn'?"


def test_record_that_is_no_list(wrong: Wrong) -> None:
    found = wrong(load_setup, write("p.yaml", "game: skirmish\nrecord: end_turn"))
    assert spots(found) == [("wrong-value", "p.yaml", 2, 9)]


# ---- boards

SMALL = "title: Small\nareas: {Home: {owner: Red}, Ford: {owner: Red}}\n"


def test_board_beside_the_position() -> None:
    Path("sub").mkdir()
    write("sub/small.yaml", SMALL)
    setup = load_setup(write("sub/p.yaml", "game: skirmish\nboard: small.yaml\n"))
    assert "owner[Hill]" not in values(setup)


def test_board_inline() -> None:
    text = "game: skirmish\nboard:\n" + "".join(f"  {line}\n" for line in SMALL.splitlines())
    assert "owner[Hill]" not in values(load_setup(write("p.yaml", text)))


def test_bad_board_inline(wrong: Wrong) -> None:
    text = """\
game: skirmish
board:
  title: Small
  areas:
    Home: {owner: Read}
    Ford: {owner: Red, naer: [Home]}
"""
    assert spots(wrong(load_setup, write("p.yaml", text))) == [
        ("bad-value", "p.yaml", 5, 19),
        ("unknown-entry", "p.yaml", 6, 24),
    ]
    text = "game: skirmish\nboard: {title: Small, areas: {Home: {owner: Red, near: [Home, Hme]}}}\n"
    (d,) = wrong(load_setup, write("p.yaml", text))
    assert (d.code, d.line, d.column, d.help) == ("bad-board", 2, 63, "did you mean 'Home'?")
    assert spots(wrong(load_setup, write("p.yaml", "game: skirmish\nboard: {title: S, areas: {}}"))) == [
        ("bad-board", "p.yaml", 2, 19)
    ]


def test_a_board_in_a_folder_below() -> None:
    Path("mine/maps/old").mkdir(parents=True)
    write("mine/maps/old/small.yaml", SMALL)
    position = write("mine/p.yaml", "game: skirmish\nboard: maps/old/small.yaml\n")
    assert load_setup(position).files[1] == "mine/maps/old/small.yaml"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir("mine")
        assert load_setup("p.yaml").files[1] == "maps/old/small.yaml"
        assert load_setup({"game": "skirmish", "board": "maps/old/small.yaml"}).files[1] == "maps/old/small.yaml"


def test_board_files_that_cannot_be_read(wrong: Wrong) -> None:
    write("small.yaml", SMALL)
    (d,) = wrong(load_setup, write("p.yaml", "game: skirmish\nboard: smal.yaml\n"))
    assert (d.code, d.file, d.line, d.column) == ("no-such-file", "p.yaml", 2, 8)
    assert d.help == "did you mean 'small.yaml'?"
    for name in ("../x.yaml", "/etc/passwd", ".", "a\\b", "''", "m/../small.yaml", "./small.yaml", "m//small.yaml"):
        (d,) = wrong(load_setup, write("p.yaml", f"game: skirmish\nboard: {name}\n"))
        assert (d.code, d.line, d.column) == ("bad-value", 2, 8), name
    Path("away").mkdir()
    Path("away/small.yaml").write_text(SMALL)
    Path("mine").mkdir()
    os.symlink("../away", "mine/link")
    text = "game: skirmish\nboard: link/small.yaml\nstate: {owner: {Home: Red}}\n"
    Path("mine/plain").mkdir()
    Path("mine/plain/small.yaml").write_text(SMALL)
    for held in (os.supports_dir_fd, set()):  # whether a folder can be held open while one looks into it
        with patch.object(os, "supports_dir_fd", held):
            (d,) = wrong(load_setup, write("mine/p.yaml", text))
            assert (d.code, d.file, d.line, d.column) == ("cannot-read", "mine/p.yaml", 2, 8)
            assert load_setup(write("mine/q.yaml", text.replace("link", "plain"))).files[1] == "mine/plain/small.yaml"
    write("broken.yaml", "title: Small\nareas: [\n")
    found = wrong(load_setup, write("p.yaml", "game: skirmish\nboard: broken.yaml\n"))
    assert spots(found) == [("not-yaml", "broken.yaml", 2, 9)]


def test_board_mistakes_come_with_the_settings(wrong: Wrong) -> None:
    text = "game: skirmish\noptions: {x: 1}\nboard: [a]\nstate: {trun: 1}\n"
    assert spots(wrong(load_setup, write("p.yaml", text))) == [
        ("unknown-name", "p.yaml", 2, 11),
        ("wrong-value", "p.yaml", 3, 8),
    ]


# ---- many mistakes


def test_thousands_of_mistakes_are_cut_short(wrong: Wrong) -> None:
    steps = "".join(f"- {{capture: {{side: Bleu, area: Hull{i}}}}}\n" for i in range(3000))
    found = wrong(load_setup, "skirmish", write("r.yaml", steps))
    assert len(found) == 101
    assert (found[0].line, found[-1].code) == (1, "too-many")
    areas = "".join(f"  A{i}: {{owner: Green}}\n" for i in range(3000))
    found = wrong(load_setup, write("p.yaml", f"game: skirmish\nboard:\n title: x\n areas:\n{areas}"))
    assert len(found) == 101


def test_wrong_game_says_nothing_else(wrong: Wrong) -> None:
    other = write("b.yaml", "game: absent\nstate: {x: 1}\n")
    assert spots(wrong(load_setup, "skirmish", other)) == [("wrong-game", "b.yaml", 1, 7)]


FAULTY = """\
game: skirmish
board:
  title: Small
  areas:
    Home: {owner: Red, near: [Fort, Hill]}
    Hill: {owner: Bleu}
    Ford: {owner: Blue, value: many}
state:
  owner: {Home: Read, Hill: Red, Hil: Red}
  turm: 3
record:
  - {capture: {side: Red, area: Home}}
  - {capture: {side: Red, area: Homme}}
  - {captur: {side: Red, area: Hill}}
  - {roll: {dice: 9}}
"""


def test_faults_of_board_state_and_record_are_in_one_report(wrong: Wrong) -> None:
    """What is no fault but for the board's own ones is left out: of Hill nobody knows more than that it is there."""
    form = [("bad-value", "p.yaml", 6, 19), ("wrong-value", "p.yaml", 7, 32)]
    rest = [
        ("unknown-name", "p.yaml", 9, 17),
        ("unknown-name", "p.yaml", 9, 34),
        ("unknown-name", "p.yaml", 10, 3),
        ("unknown-name", "p.yaml", 13, 33),
        ("unknown-name", "p.yaml", 14, 6),
        ("out-of-range", "p.yaml", 15, 19),
    ]
    assert spots(wrong(load_setup, write("p.yaml", FAULTY))) == [*form, *rest]
    found = FAULTY.replace("Bleu", "Blue").replace("many", "2")
    assert spots(wrong(load_setup, write("p.yaml", found))) == [("bad-board", "p.yaml", 5, 31), *rest]
    sound = found.replace("Fort", "Ford")
    assert spots(wrong(load_setup, write("p.yaml", sound))) == rest


def test_what_only_follows_from_a_faulty_board_is_not_told(wrong: Wrong) -> None:
    areas = "{A: {owner: Red}, B: {owner: Grey}, C: {owner: Blue, nera: [A]}}"
    board = f"game: skirmish\nboard: {{title: S, areas: {areas}}}\nstate: {{owner: {{B: Blue}}}}\n"
    rest = "record:\n  - {capture: {side: Red, area: B}}\n  - {capture: {side: Red, area: C}}\n"
    assert [d.line for d in wrong(load_setup, write("p.yaml", board + rest))] == [2, 2]


def test_a_board_of_no_form_is_reported_alone(wrong: Wrong) -> None:
    for board in ("[a]", "7", "{title: x}", "{areas: {}}"):
        text = f"game: skirmish\nboard: {board}\nstate: {{trun: 1}}\nrecord: [{{captur: ~}}]\n"
        assert {d.line for d in wrong(load_setup, write("p.yaml", text))} == {2}, board
