"""The rulebooks of the examples: what they say holds, what play keeps to, and what is known of each game."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.pace import MORE, cases
from vclogic.cli.main import run
from vclogic.conformance import claims
from vclogic.game import Game
from vclogic.model.fluents import value
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

FOLDER = Path(__file__).parents[2] / "examples" / "rulebooks"
FILES = sorted(path.name for path in FOLDER.glob("*.md"))
WITHOUT_BOARD = ("high_card.md", "by_the_cards.md", "majority.md", "nim.md", "race.md", "sealed_orders.md")
KNOWN = {
    # who wins with best play, how many positions there are, and in how many nothing is legal though nobody has won
    "bridgehead.md": ("Crossers", 24_732, 49),
    "fox_and_geese.md": ("Fox", 27_751, 0),
    "majority.md": ("Blues", 239, 0),
    "mill.md": ("endless", 5_470, 0),
    "mu_torere.md": ("endless", 1_180, 0),
    "nim.md": ("First", 232, 0),
    "sealed_orders.md": ("draw", 224, 0),
    "tic_tac_toe.md": ("draw", 5_478, 0),
}


def _true(game: Game, term: Term) -> bool:
    """Whether a law holds in a position."""
    slot = game.setup.system.layout.slot
    now = {f: constant(f.sort, value(f.sort, game.state[slot[f]])) for f in variables(term)}
    return Substitution(now)(term) is TRUE


@pytest.fixture(scope="module", params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    """The file of an example."""
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> Game:
    """Its game."""
    return vclogic.load(str(FOLDER / name))


def test_its_rulings_hold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", str(FOLDER / name)]) == 0, capsys.readouterr()
    assert "passed" in capsys.readouterr().out


def test_its_rulings_try_every_event_outcome_and_reading(name: str) -> None:
    claims.test_rulings_try_every_event_and_outcome(str(FOLDER / name))
    claims.test_every_value_of_a_reading_has_a_ruling(str(FOLDER / name))


@pytest.mark.parametrize("name", cases(FILES, "bridgehead.md", "by_the_cards.md", "race.md"))
def test_it_meets_every_demand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", "--all", str(FOLDER / name), "--timeout", "3600"]) == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FILES if n not in ("skirmish.md",)])
def test_check_finds_nothing_in_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(FOLDER / name)]) == 0, capsys.readouterr()


@pytest.mark.parametrize("name", ["majority.md", "nim.md"])
def test_check_finds_nothing_in_a_small_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(FOLDER / name)]) == 0, capsys.readouterr()


def test_its_picture_is_drawn(name: str, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(["render", str(FOLDER / name), "-o", str(tmp_path / "x.svg")])
    if name in WITHOUT_BOARD:
        assert (done, (tmp_path / "x.svg").exists()) == (2, False)
        return
    assert done == 0, capsys.readouterr()
    texts = " ".join(ElementTree.parse(tmp_path / "x.svg").getroot().itertext())
    assert all(side in texts for side in game.setup.system.sides)
    assert not {"True", "False", "None"} & {*re.findall(r"\w+", texts)}


def test_random_play_keeps_its_laws(game: Game) -> None:
    random, now = Random(7), game
    for _ in range(30 if MORE else 12):
        events = [] if now.winner else list(now.legal().events())
        if not events:
            assert now is not game, "nothing can be done at the start"
            now, events = game, list(game.legal().events())
        event, arguments = random.choice(events)
        now = now.apply(event, **arguments)
        assert all(_true(now, rule.kept) for rule in game.setup.system.invariants)


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in ("bridgehead.md", "fox_and_geese.md") else n for n in KNOWN],
)
def test_best_play_is_what_is_known_of_the_game(name: str) -> None:
    who, positions, stuck = KNOWN[name]
    found = vclogic.load(str(FOLDER / name)).solve(timeout=300)
    assert (found.winner or found.value, found.positions, found.stuck, found.checked) == (who, positions, stuck, True)


def test_who_begins_wins_hex_on_three_by_three(tmp_path: Path) -> None:
    text = (FOLDER / "hex.md").read_text()
    rows = text[text.index("  .....--") : text.index("  marks")]
    for was, now in (
        (rows, "  ...-\n  ...-\n  -...\n"),
        ("row(hex) == 5", "row(hex) == 3"),
        ("A1, A2, B3, B4, C5", "A1, A2, B3"),
        ("E1, E2, F3, F4, G5", "C1, C2, D3"),
    ):
        text = text.replace(was, now)
    (tmp_path / "hex.md").write_text(text.partition("```ruling")[0])
    found = vclogic.load(str(tmp_path / "hex.md")).solve()
    assert (found.winner, found.stuck) == ("White", 0)


def test_places_that_should_be_adjacent_are_told_in_words() -> None:
    found = vclogic.load(str(FOLDER / "bridgehead.md")).legal(why_not=99)
    told = {lack.text for kind in found.kinds for refused in kind.refused for lack in refused.lacks}
    assert "SW is not adjacent to C" in told
    assert not [text for text in told if "adjacent(S" in text]
