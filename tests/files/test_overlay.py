"""Overlays: what is laid over what, where mistakes are told, and that the result is as if it were written whole."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.files.scenario import load_scenario
from vclogic.files.source import Source
from vclogic.files.trees.located import Node
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.overlay import overlaid
from vclogic.query.test.rulings import test_all as try_files

CITIES = """
game: axis_allies
title: other cities
board:
  based_on: axis_allies
  territories:
    Germany: {city: {name: Berlin, rank: minor, nation: Germany}}
    India: {city: {name: Calcutta, rank: capital, nation: UK}}
    Kwantung: {city: }
    Archangel: {city: {name: Archangelsk, rank: major, nation: Russia}}
"""


def node(text: str, name: str = "over.yaml") -> Node:
    return parse(Source(name, text))


def laid(over: str, **bases: str) -> Node:
    return overlaid(node(over), lambda named: node(bases[str(named.tree)], f"{named.tree}.yaml"))


BASE = "a: {b: 1, c: {d: 2, e: 3}}\nlist: [x, y, [p, q]]\nlast: z\n"


@pytest.mark.parametrize(
    ("over", "tree"),
    [
        ("based_on: base", {"a": {"b": "1", "c": {"d": "2", "e": "3"}}, "list": ["x", "y", ["p", "q"]], "last": "z"}),
        (
            "{based_on: base, a: {c: {e: 4}}, list: [w], last: }",
            {"a": {"b": "1", "c": {"d": "2", "e": "4"}}, "list": ["w"]},
        ),
        ("{based_on: base, a: , more: {n: 1}, last: }", {"list": ["x", "y", ["p", "q"]], "more": {"n": "1"}}),
        (
            "{based_on: base, a: {c: q}, remove: {list: [y, [p, q]]}, add: {list: [[r, s]], new: [t]}, last: }",
            {"a": {"b": "1", "c": "q"}, "list": ["x", ["r", "s"]], "new": ["t"]},
        ),
        ("{based_on: base, remove: {a: [b]}, list: }", {"a": {"c": {"d": "2", "e": "3"}}, "last": "z"}),
    ],
)
def test_an_overlay_changes_adds_and_removes_entries(over: str, tree: Any) -> None:
    assert laid(over, base=BASE).tree == tree


def test_overlays_of_overlays_are_laid_one_over_the_other() -> None:
    found = laid("{based_on: middle, a: {b: 3}}", middle="{based_on: base, a: {b: 2, n: 2}, last: }", base=BASE)
    assert found.tree == {"a": {"b": "3", "n": "2", "c": {"d": "2", "e": "3"}}, "list": ["x", "y", ["p", "q"]]}
    spots = {key: found.section("a").section(key).spot for key in ("b", "n", "c")}
    assert {key: spot[0] for key, spot in spots.items()} == {"b": "over.yaml", "n": "middle.yaml", "c": "base.yaml"}


def test_each_part_is_found_in_the_file_that_has_it() -> None:
    found = laid("based_on: base\na:\n  c: {e: 4}\nadd:\n  list: [new]\n", base=BASE)
    where = found.where
    assert found.section("a").section("c").section("e").spot == ("over.yaml", 3, 10)
    assert found.section("a").section("c").section("d").spot == ("base.yaml", 1, 18)
    assert [part.spot[0] for part in found.section("list").parts("", None)] == ["base.yaml"] * 3 + ["over.yaml"]  # type: ignore[arg-type]
    assert where.diagnostic("x", "y", ("a", "c", "d"), key=True).file == "base.yaml"
    assert where.under("a").under("c").diagnostic("x", "y", ("e",), key=True).column == 7
    assert where.find(("list", 3)) == (5, 10)


@pytest.mark.parametrize(
    ("over", "line", "column", "message", "help"),
    [
        ("based_on: base\nlst: \n", 2, 1, "there is no 'lst' that could be removed", "did you mean 'list'"),
        ("based_on: base\nremove: {list: [w]}\n", 2, 17, "there is no 'w' to remove here", ""),
        ("based_on: base\nremove: {lits: [x]}\n", 2, 10, "there is no 'lits' here", "did you mean 'list'"),
        ("based_on: base\nremove: {a: [f]}\n", 2, 14, "there is no 'f' to remove here", ""),
        ("based_on: base\nadd: {last: [w]}\n", 2, 13, "items are added to a list", ""),
        ("based_on: base\nadd: {list: w}\n", 2, 13, "items are added to a list", ""),
        ("based_on: words\n", 1, 11, "nothing can be changed of this", ""),
        ("based_on: itself\n", 1, 11, "more than 8 files are based on one another", "lead back to itself"),
    ],
)
def test_mistakes_are_told_in_the_overlay(over: str, line: int, column: int, message: str, help: str) -> None:
    with pytest.raises(InputError) as caught:
        laid(over, base=BASE, words="[x]", itself="based_on: itself")
    found = caught.value.diagnostics[0]
    assert (found.line, found.column) == (line, column)
    assert message in found.message
    assert help in (found.help or "")


leaves = st.sampled_from(["x", "y", "1"])
trees: st.SearchStrategy[Any] = st.recursive(
    leaves, lambda below: st.dictionaries(st.sampled_from("abc"), below, max_size=3) | st.lists(below, max_size=2)
)
mappings = st.dictionaries(st.sampled_from("abc"), trees, max_size=3)


def by_hand(base: Any, over: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    found = copy.deepcopy(base)
    for key, part in over.items():
        found[key] = by_hand(base[key], part) if key in base else part
    return found


@given(mappings, mappings)
@examples(300)
def test_random_mappings_are_joined_as_by_hand(base: dict[str, Any], over: dict[str, Any]) -> None:
    text = yaml.safe_dump({"based_on": "base", **over}, default_style="'")
    found = laid(text, base=yaml.safe_dump(base, default_style="'"))
    assert found.tree == by_hand(base, over)
    queue = [found]
    while queue:  # every part is found in one of the files
        part = queue.pop()
        assert part.spot[0] in ("base.yaml", "over.yaml")
        assert part.spot[1] is not None
        queue += [part.part(step) for step in (part.tree if isinstance(part.tree, dict) else ())]


def test_another_value_of_four_cities_takes_less_than_ten_lines(tmp_path: Path) -> None:
    (tmp_path / "cities.yaml").write_text(CITIES)
    assert len(CITIES.split("\n")) - 2 < 10
    game, usual = vclogic.load(str(tmp_path / "cities.yaml")), vclogic.load("axis_allies")
    points = {name: (game.value(f"vcp({name})"), usual.value(f"vcp({name})")) for name in ("Axis", "Allies")}
    assert points == {"Axis": (20, 26), "Allies": (45, 39)}
    plan = game.plan("vcp(Axis) >= 25", side="Axis")
    assert (plan.status, plan.replayed) == ("optimal", True)
    assert (
        "board based on axis_allies, changed: territories (Germany, India, Kwantung, Archangel)" in plan.assumptions
    )


def test_a_position_may_be_based_on_another_one(tmp_path: Path) -> None:
    (tmp_path / "cities.yaml").write_text(CITIES)
    (tmp_path / "later.yaml").write_text("based_on: cities.yaml\nstate: {owner: {Karelia S.S.R.: Germans}}\n")
    first, later = (vclogic.load(str(tmp_path / f"{name}.yaml")) for name in ("cities", "later"))
    assert [game.value("controls(Axis, Karelia S.S.R.)") for game in (first, later)] == [False, True]
    assert [later.value("vcp(Axis)"), first.value("vcp(Axis)")] == [22, 20]


@pytest.mark.parametrize("name", ["../cities.yaml", "/etc/passwd", "[x]", "axis_allies", "nowhere.yaml", "over.yaml"])
def test_a_position_is_based_on_files_beside_it_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / "cities.yaml").write_text(CITIES)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "over.yaml").write_text(f"title: x\nbased_on: {name}\n")
    with pytest.raises(InputError) as caught:
        vclogic.load(str(tmp_path / "below" / "over.yaml"))
    (wrong, *_) = caught.value.diagnostics
    assert (Path(str(wrong.file)).name, wrong.line) == ("over.yaml", 2)


def test_rulings_are_based_on_a_position_file(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text(CITIES)
    over = tmp_path / "rulings.yaml"
    text = "based_on: card.yaml\nrulings:\n- {name: the card's cities count, expect: vcp(Axis) == %s}\n"
    over.write_text(text % vclogic.load(str(tmp_path / "card.yaml")).value("vcp(Axis)"))
    assert [c.status for c in try_files([str(tmp_path)], cites=False).cases] == ["passed"]
    over.write_text(text % 99)
    assert [c.status for c in try_files([str(over)], cites=False).cases] == ["failed"]


def test_what_is_wrong_with_a_changed_board_is_told_at_the_change(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text(CITIES.replace("rank: minor", "rank: minr"))
    with pytest.raises(InputError) as caught:
        vclogic.load(str(tmp_path / "wrong.yaml"))
    (found,) = caught.value.diagnostics
    assert (Path(str(found.file)).name, found.line) == ("wrong.yaml", 7)


SCENARIOS = {
    "first": "title: First\nboard: small.yaml\nstate: {retreats: 3, round: 2}\n",
    "second": "based_on: first\ntitle: Second\nstate: {retreats: 5}\n",
    "third": "based_on: secnd\n",
}


def test_a_scenario_may_be_based_on_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(encoding: str, path: str) -> Source:
        return Source(path, SCENARIOS[path.partition("/")[2].removesuffix(".yaml")])

    monkeypatch.setattr("vclogic.files.scenario.scenario_names", lambda encoding: tuple(SCENARIOS))
    monkeypatch.setattr("vclogic.files.scenario.data_source", read)
    found = load_scenario("okinawa", "second").content
    assert (found.title, found.board, found.state) == ("Second", "small.yaml", {"retreats": "5", "round": "2"})
    with pytest.raises(InputError) as caught:
        load_scenario("okinawa", "third")
    (wrong,) = caught.value.diagnostics
    assert (wrong.line, wrong.column, wrong.help) == (1, 11, "did you mean 'second'?")
