"""Boards in YAML that fill a text: those of our own games, as their own code reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from vclogic_encodings.moscow.board import Board as MoscowBoard
from vclogic_encodings.napoleonics.board import Board as Battle
from vclogic_encodings.okinawa.board import Board as Island

from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.terms.vocabulary import CountedKind

TEXTS = Path(__file__).parent / "boards"
ROOT = Path(__file__).parents[2]
GAMES = ROOT / "encodings" / "vclogic_encodings"
STRIP = (GAMES / "okinawa" / "strip.yaml").read_text()


def position(folder: Path, text: str, board: str | Mapping[str, Any], more: str = "") -> Path:
    """A position on a board, beside the text."""
    name = f"{text}.md"
    (folder / name).write_text((TEXTS / name).read_text())
    file = folder / "position.yaml"
    if isinstance(board, str):
        (folder / "board.yaml").write_text(board)
        file.write_text(f"game: {name}\nboard: board.yaml\n{more}")
    else:
        file.write_text(yaml.safe_dump({"game": name, "board": board}, sort_keys=False, width=10_000) + more)
    return file


def board_of(file: Path) -> str:
    """A board of the repository, without a text of rules that stands in it."""
    text = file.read_text()
    if text.startswith("#") and "\nboard:\n" in text:
        inside = text.partition("\nboard:\n")[2].partition("\nrecord:")[0]
        return "".join(line.removeprefix("  ") for line in inside.splitlines(keepends=True)) + "\n"
    return text.partition("\noutcomes:")[0] + "\n"


def kinds(game: Game) -> Mapping[str, CountedKind]:
    return game.setup.system.vocabulary.kinds


def both(folder: Path, text: str, game: str, file: Path) -> tuple[Game, Any]:
    """The text on a board, and the board as the game in Python reads it."""
    ours = position(folder, text, board_of(file))
    theirs = folder / "theirs.yaml"
    theirs.write_text(f"game: {game}\nboard: board.yaml\n")
    return Game.load(str(ours)), Game.load(str(theirs)).setup.board_read


def said(kind: CountedKind, column: str) -> dict[str, Any]:
    return dict(kind.properties[column])


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {n: x for n, x in values.items() if x is not None}


def same_map(ours: CountedKind, grid: Any) -> None:
    assert ours.members == grid.hexes
    around = {h: {*near} for h, near in (ours.neighbours or {}).items()}
    assert around == {h: {*near} for h, near in grid.neighbours.items()}
    assert all(
        ours.straight is not None and ours.straight(ours.members[0], h) == grid.distance(ours.members[0], h)
        for h in grid.hexes
    )


@pytest.mark.parametrize("name", ["strip.yaml", "small.yaml", "island.yaml"])
def test_boards_of_okinawa_fill_a_text(name: str, tmp_path: Path) -> None:
    game, board = both(tmp_path, "okinawa", "okinawa", GAMES / "okinawa" / name)
    assert isinstance(board, Island)
    found = kinds(game)
    same_map(found["hex"], board.grid)
    assert {h: board.letter(h) for h in board.grid.hexes} == said(found["hex"], "terrain")
    cost = said(found["terrain"], "cost")
    assert {h: cost[t] for h, t in said(found["hex"], "terrain").items() if t in cost} == dict(board.cost)
    units = board.all_units
    assert found["unit"].members == tuple(units)
    for column, key in {
        "start": "at",
        "defence": "",
        "attack": "",
        "barrage": "",
        "fpf": "",
        "movement": "",
        "zone_of_control": "",
    }.items():
        assert said(found["unit"], column) == given({n: getattr(u, key or column) for n, u in units.items()})
    assert said(found["unit"], "side") == dict(board.side_of)
    zones = found["zone"]
    for zone, there in board.zones.items():
        hexes = {*zones.several_of["hexes"].get(zone, ()), *zones.several_of["spans"].get(zone, ())}
        assert hexes == {*board.zone_hexes(there)}
    assert {*found["hex"].groups["northeast_edge"]} == {*board.northeast_edge}
    assert game.setup.system.initial[game.setup.system.layout.families["turn"].fluent] == board.first
    assert all(
        game.ask(f"stacking == {board.stacking} and at({u!r}) == {unit.at!r}").value
        for u, unit in [*units.items()][:5]
    )


@pytest.mark.parametrize("name", ["bare.yaml", "small.yaml"])
def test_boards_of_moscow_fill_a_text(name: str, tmp_path: Path) -> None:
    game, board = both(tmp_path, "moscow", "moscow", GAMES / "moscow" / name)
    assert isinstance(board, MoscowBoard)
    found = kinds(game)
    same_map(found["hex"], board.grid)
    terrain = {h: name for name, hexes in board.terrain.items() for h in hexes}
    assert said(found["hex"], "terrain") == {h: terrain.get(h, "clear") for h in board.grid.hexes}
    assert {p: {*v} for p, v in found["place"].several_of["hexes"].items()} == {
        n: {*p.hexes} for n, p in board.places.items()
    }
    assert said(found["place"], "owner") == {n: p.owner or "nobody" for n, p in board.places.items()} | {}
    for column in ("side", "strength", "defence", "size", "bracketed", "eb", "allowance"):
        assert said(found["unit"], column) == given({n: getattr(u, column) for n, u in board.units.items()})
    assert said(found["unit"], "start") == {n: u.at for n, u in board.units.items()}
    rates = board.eliminated
    assert said(found["side"], "rate") == {"German": 1, "Soviet": 1} | {s: r.points for s, r in rates.items()}
    assert said(found["side"], "per") == {"German": 1, "Soviet": 1} | {s: r.per for s, r in rates.items()}
    awards = found["award"]
    assert [said(awards, "place")[m] for m in awards.members] == [a.place for a in board.awards]
    assert [awards.several_of["to"][m] for m in awards.members] == [a.to for a in board.awards]
    assert game.ask("at(Militia) == off" if name == "bare.yaml" else "at('3rd Panzer') == '1,2'").value


BATTLES = (
    GAMES / "napoleonics" / "ford.yaml",
    GAMES / "napoleonics" / "double.yaml",
    ROOT / "examples" / "crossroads.yaml",
    ROOT / "examples" / "scenarios" / "boards" / "sellen.yaml",
    ROOT / "examples" / "scenarios" / "boards" / "hainfeld.yaml",
)


@pytest.mark.parametrize("file", BATTLES, ids=lambda f: f.stem)
def test_boards_of_napoleonics_fill_a_text(file: Path, tmp_path: Path) -> None:
    game, board = both(tmp_path, "napoleonics", "napoleonics", file)
    assert isinstance(board, Battle)
    found = kinds(game)
    same_map(found["hex"], board.grid)
    assert game.setup.system.sides == {s: (s,) for s in board.sides}
    assert said(found["side"], "banners") == dict(board.banners)
    ground = {h: name for h, (name, _) in board.ground.items()}
    assert said(found["hex"], "terrain") == ground
    assert said(found["ground"], "blocks") == {n: t.blocks for n, t in board.terrain_types.items()}
    assert {n: {*v} for n, v in found["ground"].several_of["blocks_kinds"].items()} == {
        n: {*t.blocks_kinds} for n, t in board.terrain_types.items()
    }
    assert said(found["unit"], "arm") == {n: u.kind for n, u in board.units.items()}
    assert said(found["unit"], "worth") == {n: u.banners for n, u in board.units.items()}
    assert found["objective"].members == tuple(board.objectives)
    assert {n: {*v} for n, v in found["objective"].several_of["hexes"].items()} == {
        n: {*o.hexes} for n, o in board.objectives.items()
    }
    assert said(found["objective"], "only") == given({n: o.side for n, o in board.objectives.items()})
    assert found["exit"].members == tuple(board.exits)
    spread = {n: {*board.spread(x.hexes)} for n, x in board.exits.items()}
    assert {n: {*v} for n, v in found["exit"].several_of["exit_hexes"].items()} == spread
    assert said(found["exit"], "astray") == {n: x.lost for n, x in board.exits.items()}
    assert {n: {*v} for n, v in found["section"].several_of["section_hexes"].items()} == {
        n: {*board.spread(h)} for n, h in board.sections.items()
    }


def test_a_record_of_a_game_in_python_is_read_over_a_text(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "crossroads.yaml").read_text()
    (tmp_path / "napoleonics.md").write_text((TEXTS / "napoleonics.md").read_text())
    file = tmp_path / "crossroads.yaml"
    file.write_text(text.replace("game: napoleonics", "game: napoleonics.md"))
    ours, theirs = Game.load(str(file)), Game.load(str(ROOT / "examples" / "crossroads.yaml"))
    assert ours.state_dict()["at"] == theirs.state_dict()["at"]
    assert [s.event.name for s in ours.setup.record] == [s.event.name for s in theirs.setup.record]


def test_a_board_is_based_on_another(tmp_path: Path) -> None:
    (tmp_path / "strip.yaml").write_text((GAMES / "okinawa" / "strip.yaml").read_text())
    over = {"based_on": "strip.yaml", "units": {"US": {"Marines": {"at": "2,2"}, "Army": None}}, "stacking": 2}
    game = Game.load(str(position(tmp_path, "okinawa", over)))
    assert game.ask("at(Marines) == '2,2' and stacking == 2 and no(unit of US where attack(unit) == 9)").value
    assert "Army" not in kinds(game)["unit"].members


def test_a_rulebook_includes_a_board(tmp_path: Path) -> None:
    for name in ("okinawa.md",):
        (tmp_path / name).write_text((TEXTS / name).read_text())
    (tmp_path / "strip.yaml").write_text((GAMES / "okinawa" / "strip.yaml").read_text())
    file = tmp_path / "strip.md"
    file.write_text("# A strip\n\n```vclogic\ninclude okinawa.md\ninclude strip.yaml\nboard stacking is 3\n```\n")
    game = Game.load(str(file))
    assert game.ask("stacking == 3 and count(unit) == 9 and turn == Japan").value
    (tmp_path / "strip.yaml").write_text(
        (GAMES / "okinawa" / "strip.yaml").read_text().replace("first: Japan", "first: US")
    )
    assert Game.load(str(file)).ask("turn == US").value
    other = tmp_path / "other.yaml"
    other.write_text("game: strip.md\nboard: {based_on: strip.yaml, turns: 3}\n")
    assert Game.load(str(other)).ask("round == 1").value


def test_a_board_stands_in_the_rulebook_itself(tmp_path: Path, run: Run) -> None:  # noqa: F811
    file = tmp_path / "towns.md"
    ruling = "Red takes all\n  play take by Red 'Bonn, old'\n  expect holds(all, Red)\n"
    whole = f"{TOWNS}\nThe land:\n\n```board\n{LAND}```\n\n```ruling\n{ruling}```\n"
    file.write_text(whole)
    assert Game.load(str(file)).ask("owner(Trier) == Blue and count(road) == 2").value
    assert run("test", str(file)).out.endswith("1 ruling passed.\n")
    assert run("format", "--check", str(file)).code == 0
    document, again = tmp_path / "towns.json", tmp_path / "again.md"
    assert run("format", str(file), "-o", str(document)).code == 0
    assert run("format", str(document), "-o", str(again)).code == 0
    assert again.read_text() == whole
    over = tmp_path / "over.md"
    over.write_text("# Over\n\n```vclogic\ninclude towns.md\n```\n")
    assert Game.load(str(over)).ask("owner(Trier) == Blue").value
    (tmp_path / "land.yaml").write_text(LAND)
    over.write_text(
        "# Over\n\n```vclogic\ninclude towns.md\n```\n\n"
        "```board\nbased_on: land.yaml\ntowns: {Ulm: {worth: 9}}\n```\n"
    )
    assert Game.load(str(over)).ask("worth(Ulm) == 9 and owner(Ulm) == Red").value
    for old, new, line, message in (
        ("worth: 4", "wort: 4", whole.count("\n", 0, whole.index("worth: 4")) + 1, "'wort' cannot stand here"),
        (
            "worth: 4",
            "worth: 40",
            whole.count("\n", 0, whole.index("worth: 4")) + 1,
            "a number from 0 to 9 is needed",
        ),
        (
            "```ruling",
            "```board\n```\n\n```ruling",
            whole.count("\n", 0, whole.index("```ruling")) + 1,
            "a board stands in line",
        ),
    ):
        file.write_text(whole.replace(old, new))
        with pytest.raises(InputError) as caught:
            Game.load(str(file))
        (found,) = caught.value.diagnostics
        assert (found.file, found.line) == (str(file), line)
        assert message in found.message


def test_a_column_of_two_kinds_has_a_value_for_each_pair(tmp_path: Path, run: Run) -> None:  # noqa: F811
    spans = "Central: {spans: [['2,0', '4,2']]"
    board = STRIP.replace(spans, f"{spans}, points: {{Japan: 2, US: 3}}")
    assert board != STRIP
    game = Game.load(str(position(tmp_path, "okinawa", board)))
    assert game.ask("points(Central, Japan) == 2 and points(Central, US) == 3").value
    assert game.ask("not (points(Northern, US) >= 0)").value
    assert game.ask("sum(points(zone, US) for zone where points(zone, US) >= 0) == 3").value
    found = run("format", str(tmp_path / "board.yaml"), "-o", str(tmp_path / "made.md"))
    assert "has a value for each of two kinds, which no table has" in found.err
    for old, new, message in (
        ("US: 3", "USA: 3", "expected Japan or US, found 'USA'"),
        ("US: 3", "US: 300", "a number from 0 to 99 is needed, not 300"),
        ("US: 3", "US: many", "expected a whole number, found 'many'"),
        ("points: {Japan: 2, US: 3}", "points: 3", "expected names with values"),
    ):
        with pytest.raises(InputError, match=re.escape(message)) as caught:
            Game.load(str(position(tmp_path, "okinawa", board.replace(old, new))))
        assert {d.line for d in caught.value.diagnostics} == {STRIP.count("\n", 0, STRIP.index("Central")) + 1}


def test_a_text_without_its_board_says_what_one_has_to_give(tmp_path: Path) -> None:
    position(tmp_path, "okinawa", {})
    with pytest.raises(InputError) as caught:
        Game.load(str(tmp_path / "okinawa.md"))
    (found,) = caught.value.diagnostics
    assert (found.code, found.file) == ("no-board", str(tmp_path / "okinawa.md"))
    assert found.help is not None
    assert "units" in found.help
    assert "board: FILE.yaml" in found.help


def test_rulings_about_a_text_name_a_board_each(tmp_path: Path, run: Run) -> None:  # noqa: F811
    position(tmp_path, "okinawa", {})
    (tmp_path / "strip.yaml").write_text(STRIP)
    rulings = (
        "game: okinawa.md\nrulings:\n"
        "- {name: one, position: {board: strip.yaml}, expect: 'count(unit of US) == 5'}\n"
        "- {name: two, position: {board: {based_on: strip.yaml, turns: 3}}, expect: 'turns == 3'}\n"
    )
    (tmp_path / "rulings.yaml").write_text(rulings)
    found = run("test", str(tmp_path / "rulings.yaml"))
    assert found.code == 0, found.out + found.err
    (tmp_path / "rulings.yaml").write_text(rulings + "- {name: three, expect: 'count(unit of US) == 5'}\n")
    found = run("test", str(tmp_path / "rulings.yaml"))
    assert found.code == 1
    assert "this rulebook is played on a board, and has none of its own" in found.out
    assert "1 ruling failed, 2 passed" in " ".join(found.out.split())


MORE = "edges: {East: {hexes: ['7,0', '7,1'], sides: US}}\n"
WRITTEN = [
    ("okinawa", GAMES / "okinawa" / "strip.yaml", ""),
    ("okinawa", GAMES / "okinawa" / "strip.yaml", MORE),
    ("okinawa", GAMES / "okinawa" / "island.yaml", ""),
    ("moscow", GAMES / "moscow" / "bare.yaml", ""),
    (
        "moscow",
        GAMES / "moscow" / "small.yaml",
        "absent: ['0,0', '7,6']\nbarriers: [['3,3', '3,4']]\nhome: {German: ['0,1']}\n",
    ),
    *(("napoleonics", file, "") for file in BATTLES),
]


@pytest.mark.parametrize(("text", "file", "more"), WRITTEN)
def test_a_board_that_is_written_as_markdown_fills_the_text_as_before(
    text: str,
    file: Path,
    more: str,
    tmp_path: Path,
    run: Run,  # noqa: F811
) -> None:
    before = Game.load(str(position(tmp_path, text, board_of(file) + more)))
    made = tmp_path / "made.md"
    assert run("format", str(tmp_path / "board.yaml"), "-o", str(made)).code == 0
    after = Game.load(str(made))
    assert run("format", "--check", str(made)).code == 0
    for name, kind in kinds(before).items():
        again = kinds(after)[name]
        assert (again.members, again.neighbours) == (kind.members, kind.neighbours)
        assert again.properties == kind.properties
        assert {n: {m: v for m, v in of.items() if v} for n, of in again.several_of.items()} == {
            n: {m: v for m, v in of.items() if v} for n, of in kind.several_of.items()
        }
        assert {n: {*g} for n, g in again.groups.items()} == {n: {*g} for n, g in kind.groups.items()}
        assert {n: {*e} for n, e in again.edges.items()} == {n: {*e} for n, e in kind.edges.items()}
    assert after.setup.system.initial == before.setup.system.initial
    assert after.state_dict() == before.state_dict()
    document, again_made = tmp_path / "made.json", tmp_path / "again.md"
    assert run("format", str(made), "-o", str(document)).code == 0
    assert run("format", str(document), "-o", str(again_made)).code == 0
    assert again_made.read_text() == made.read_text()


def test_a_board_is_written_over_the_text_that_is_named(tmp_path: Path, run: Run) -> None:  # noqa: F811
    file = position(tmp_path, "okinawa", (GAMES / "okinawa" / "strip.yaml").read_text())
    out = tmp_path / "made.md"
    assert run("format", str(tmp_path / "okinawa.md"), str(tmp_path / "board.yaml"), "-o", str(out)).code == 0
    text = out.read_text()
    assert run("format", str(file), "-o", str(out)).code == 0
    assert out.read_text().partition("\n")[2] == text.partition("\n")[2]
    (tmp_path / "two.md").write_text((TEXTS / "okinawa.md").read_text())
    found = run("format", str(tmp_path / "board.yaml"), "-o", str(out))
    assert "several rulebooks beside it take this board" in found.err
    assert "vclogic format RULES.md BOARD.yaml" in found.err
    (tmp_path / "elsewhere").mkdir()
    found = run(
        "format",
        str(tmp_path / "okinawa.md"),
        str(tmp_path / "board.yaml"),
        "-o",
        str(tmp_path / "elsewhere" / "x.md"),
    )
    assert "includes what stands beside it or below" in found.err
    (tmp_path / "bad.yaml").write_text(
        (GAMES / "okinawa" / "strip.yaml").read_text().replace("attack: 3", "atack: 3")
    )
    found = run("format", str(tmp_path / "okinawa.md"), str(tmp_path / "bad.yaml"), "-o", str(out))
    assert "'atack' cannot stand here" in found.err
    (tmp_path / "record.yaml").write_text("game: okinawa.md\nboard: board.yaml\nrecord: [end_turn]\n")
    assert "here stands 'record'" in run("format", str(tmp_path / "record.yaml"), "-o", str(out)).err


TOWNS = """# Towns

```vclogic
sides Red, Blue
turn is one event
areas town, from towns of the board
column worth(town): 0 to 9, default 1
column owner(town): side, nobody, default nobody
kind road, from roads of the board, numbered, default nothing
column ends(road): several town
fact held(town): side or nobody, starts owner(town)
event take by side town
  needs some(other town where adjacent(other, town) and held(other) == side)
  then held(town) becomes side
side wins all at once if sum(worth(town) for town where held(town) == side) >= 5
```
"""
LAND = """towns:
  Ulm: {borders: ["Bonn, old", Trier], owner: Red}
  "Bonn, old": {worth: 4}
  Trier: {owner: Blue}
roads: [{ends: [Ulm, Trier]}, {ends: Ulm}]
"""


def towns(folder: Path, board: str) -> Path:
    (folder / "towns.md").write_text(TOWNS)
    (folder / "land.yaml").write_text(board)
    file = folder / "position.yaml"
    file.write_text("game: towns.md\nboard: land.yaml\n")
    return file


def test_areas_and_what_they_touch_stand_on_a_board(tmp_path: Path, run: Run) -> None:  # noqa: F811
    game = Game.load(str(towns(tmp_path, LAND)))
    assert game.ask("adjacent(Trier, Ulm) and not adjacent(Trier, 'Bonn, old') and count(road) == 2").value
    assert game.ask("count(town in ends('road 1')) == 2 and count(town in ends('road 2')) == 1").value
    assert game.apply("take", side="Red", town="Bonn, old").status().winner == "Red"
    made = tmp_path / "made.md"
    assert run("format", str(tmp_path / "land.yaml"), "-o", str(made)).code == 0
    again = Game.load(str(made))
    assert kinds(again)["town"].neighbours == kinds(game)["town"].neighbours
    assert again.apply("take", side="Red", town="Bonn, old").status().winner == "Red"
    with pytest.raises(InputError, match="Ulm borders on 'Trire', which is not on the board"):
        Game.load(str(towns(tmp_path, LAND.replace("Trier], owner", "Trire], owner"))))
