"""`mark "NAME" for KIND where CONDITION`: what a rulebook draws over its board is what its condition says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.games import ROOT, loaded
from tests.fixtures.pace import examples
from vclogic.model.picture import RegionNote
from vclogic.query.board import overlays
from vclogic.rulebook.document import book_document, book_of

FORD = "examples/rulebooks/ford.md"
HEXES = [f"{column}{row}" for column in "ABCDE" for row in range(1, 5)]
UNITS = ("Guards", "Line", "Scouts", "Rifles", "Militia", "Hussars")
CONDITIONS = (
    "zone(Red, hex)",
    "zone(Red, hex) and not zone(Blue, hex)",
    "terrain(hex) == wood or some(unit where at(unit) == hex)",
    "connected(hex, woods through step hex where no(unit where at(unit) == step))",
    "count(unit of Blue where distance(at(unit), hex) <= 2) >= 2",
)


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> vclogic.game.Game:
    """The ford with a mark of each condition, and a definition that says the same."""
    lines = ["group woods: hex where terrain(hex) == wood"]
    for n, condition in enumerate(CONDITIONS):
        lines += [
            f"said_{n}(hex) means {condition}",
            f'mark "{n}" {"with lines " * (n % 2)}for hex where {condition}',
        ]
    text = (ROOT / FORD).read_text()
    file = tmp_path_factory.mktemp("marks") / "ford.md"
    file.write_text(text.replace("## 2 Play", "```vclogic\n" + "\n".join(lines) + "\n```\n\n## 2 Play"))
    return vclogic.load(str(file))


@cache
def told(game: vclogic.game.Game) -> Callable[[vclogic.game.Game], Any]:
    """What the definitions say, for every hex."""
    return game.compile([f"said_{n}({h})" for n in range(len(CONDITIONS)) for h in HEXES])


def marks(game: vclogic.game.Game, *names: str) -> list[RegionNote]:
    return list(game.picture(overlays=names).marks)


@examples(6)
@given(places=st.lists(st.sampled_from([*HEXES, "lost"]), min_size=6, max_size=6))
def test_a_mark_is_its_condition_at_each_place(ford: vclogic.game.Game, places: list[str]) -> None:
    free = [p if p not in places[:i] else "lost" for i, p in enumerate(places)]
    at = dict(zip(UNITS, free, strict=True))
    game = ford.at_state({"at": at})
    said = iter(told(ford)(game))
    for mark in marks(game, *map(str, range(len(CONDITIONS)))):
        assert {*mark.regions} == {h for h in HEXES if next(said)}


def test_zones_of_control_are_drawn_of_each_side_in_another_way() -> None:
    game = loaded(FORD)
    red, blue = marks(game, "Red zones of control", "Blue zones of control")
    assert {*blue.regions} == {"D1", "D2", "D3", "D4", "E1", "E2", "E3"}
    assert red.laid != blue.laid
    shown = {o.name: o for o in overlays.shown(game.setup.system)}
    assert shown["Red zones of control"].cites == ("2.2",)
    assert "The zone of control of a unit is the hexes next to it." in shown["Red zones of control"].says


def test_lines_join_the_places_beside_each_other(ford: vclogic.game.Game) -> None:
    (mark,) = marks(ford, "3")
    near = {p for p in combinations(sorted(mark.regions), 2) if ford.value(f"adjacent({p[0]}, {p[1]})")}
    assert near
    assert {tuple(sorted(p)) for p in mark.pairs} == near


def test_an_outcome_draws_the_marks_that_it_depends_on() -> None:
    game = loaded("examples/rulebooks/okinawa_victory.md")
    assert "US lines of communications" in {m.name for m in marks(game, "victory Japan")}


@pytest.mark.parametrize("line", ['mark "held" for hex where zone(Red, hex)', "mark 'a \"b\"' with lines for hex"])
def test_it_is_written_as_it_was_read(line: str) -> None:
    text = f"```vclogic\n{line}\n```\n"
    found = book_document(text, "rules.md")
    assert book_document(book_of(found, "rules.json"), "rules.md") == found
    (part,) = found["parts"]
    assert part["rules"][0]["is"] == "mark"


def test_a_fact_may_be_called_mark() -> None:
    assert loaded("examples/rulebooks/tic_tac_toe.md").value("mark(A1) == nobody")
