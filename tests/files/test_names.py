"""A name on a board can be used everywhere, or it is refused at its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.report import json

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "encodings" / "vclogic_encodings"
BOARDS = {
    "axis_allies": ROOT / "examples" / "two_islands.yaml",
    "asl": GAMES / "asl" / "22u3.yaml",
    "moscow": GAMES / "moscow" / "small.yaml",
    "napoleonics": GAMES / "napoleonics" / "sankt_veit.yaml",
    "okinawa": GAMES / "okinawa" / "small.yaml",
}
WORDS = """
    none nobody true yes no null all any and not or before turn off on eliminated exited undefined holds happens side
    accident between movement Axis 7 -3 1.5 A,B A:B A=B A.B A/B [x] x] {x} (x) a(b # * $x `x` a|b % ? 日本 Ünï
"""
NAMES = (*WORDS.split(), "A to B", "unit A", "  ", " x", "it's", 'say "x"', "both ' and \"", "a\\b", "", "x" * 201)


def renamed(part: Any, old: str, new: str) -> Any:
    """A board on which something has another name."""
    if isinstance(part, dict):
        return {renamed(key, old, new): renamed(value, old, new) for key, value in part.items()}
    if isinstance(part, list):
        return [renamed(item, old, new) for item in part]
    return new if part == old else part


def named(part: Any) -> set[str]:
    """All texts on a board."""
    if isinstance(part, dict | list):
        inside = [*part, *part.values()] if isinstance(part, dict) else part
        return set().union(*map(named, inside))
    return {part} if isinstance(part, str) else set()


def use(game: Game, name: str) -> None:
    """Says everything of a name that can be said, in goals, in files and in answers."""
    for answer in (game.status(position=True, whole=True), game.legal()):
        assert json.document(type(answer).__name__.lower(), answer)
    assert game.at_state(game.state_dict()).state == game.state
    written = yaml.safe_load(game.written())
    assert Game.load(written).state == game.state
    mark = "'" if '"' in name else '"'
    for observable in game.setup.system.observables:
        members = [name if name in d.sort.index else d.sort.members[0] for d in observable.parameters]
        if name in members:
            game.value(f"{observable.name}({', '.join(f'{mark}{m}{mark}' for m in members)})")


@pytest.mark.slow
@pytest.mark.parametrize("of", BOARDS)
def test_each_name_can_be_used_everywhere_or_is_refused(of: str) -> None:
    board = yaml.safe_load(BOARDS[of].read_text())
    board = board.get("board", board)
    domains = [d for o in Game.load({"game": of, "board": board}).setup.system.observables for d in o.parameters]
    there = named(board)
    olds = {d.sort.name: next((m for m in d.sort.members if m in there), None) for d in domains}
    for old in dict.fromkeys(old for old in olds.values() if old is not None):
        for name in NAMES:
            try:
                game = Game.load({"game": of, "board": renamed(board, old, name)})
            except InputError:
                continue
            use(game, name)


@pytest.mark.parametrize("old", ["Outpost", "Blues"])
@pytest.mark.parametrize("name", ["none", "", "a\\b", "both ' and \"", "x" * 201])
def test_a_name_that_cannot_be_used_is_refused_at_its_place(old: str, name: str, tmp_path: Path) -> None:
    board = yaml.safe_load(BOARDS["axis_allies"].read_text())["board"]
    file = tmp_path / "islands.yaml"
    file.write_text(yaml.safe_dump({"game": "axis_allies", "board": renamed(board, old, name)}))
    with pytest.raises(InputError) as raised:
        Game.load(str(file))
    found = raised.value.diagnostics[0]
    assert (found.code, found.file) == ("bad-board", str(file))
    assert found.line is not None
    assert repr(name)[1:20] in found.message


@pytest.mark.parametrize("name", ["true", "not", "A to B", "it's", "x]", " ", "7"])
def test_a_name_that_is_a_word_of_goals_or_files_is_as_good_as_another(name: str) -> None:
    board = yaml.safe_load(BOARDS["axis_allies"].read_text())["board"]
    use(Game.load({"game": "axis_allies", "board": renamed(board, "Outpost", name)}), name)
