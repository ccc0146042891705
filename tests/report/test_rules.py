"""`games` and `rules`: what is gathered, and both reports on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import RenderableType

from tests.fixtures.pace import examples
from vclogic.errors import Diagnostic, InputError
from vclogic.files.coverage import Coverage
from vclogic.files.position import load_setup
from vclogic.files.registry import encoding_names
from vclogic.files.rulings.cases import Case, Ending
from vclogic.files.setup import Memo
from vclogic.files.trees.located import Locator, Node
from vclogic.query import rule_index as gathered
from vclogic.query.rule_index import RuleIndex, installed, rule_index, said_of
from vclogic.report import json
from vclogic.report.text.designing.entry import alike
from vclogic.report.text.designing.rules import cut, games, rules

Piped = Callable[[RenderableType], str]
KEYS = [
    "schema",
    "game",
    "rules",
    "outcomes",
    "clauses",
    "functions",
    "readings",
    "options",
    "observables",
    "kinds",
    "moments",
]
KEYS += ["events", "metrics", "objectives"]
LISTS = [*KEYS[2:], "cases"]


def a_case(name: str, *cites: str) -> Case:
    node = Node(None, Locator("cases.yaml", lambda: None))
    return Case("axis_allies", name, cites, (Ending(node, ("round == 1",), None),), node, (), Memo())


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> RuleIndex:
    """The book of Axis & Allies, with rulings and coverage of our own."""
    cases = (a_case("forty points win", "victory-major/1"), a_case("[a] second", "victory/1", "only-a-case/1"))
    clauses = ("victory-major/1", "later/1", "title/1", "example/1")
    coverage = Coverage(
        "Victory Cities", clauses, ("example/1",), {"title/1": "a heading"}, {"later/1": "in the next part"}
    )
    monkeypatch.setattr(gathered, "load_cases", lambda name: cases)
    monkeypatch.setattr(gathered, "load_coverage", lambda name: coverage)
    return rule_index(load_setup("axis_allies", None, [("sea_range", "1")]))


def names(document: Mapping[str, object], key: str) -> set[str]:
    found = document[key]
    assert isinstance(found, list)
    return {x["name"] for x in found}


def test_the_document_has_every_list(book: RuleIndex) -> None:
    found = json.document("rules", book)
    assert list(found) == [*KEYS, "cases"]
    assert all(found[key] for key in LISTS if key != "functions")
    assert {"vcp", "owner", "controls", "territories", "ipc", "holds", "round", "turn"} <= names(found, "observables")
    assert {"victory", "legality", "treasury", "level", "sea_range"} <= names(found, "options")
    assert {"capture", "end_turn"} <= names(found, "events")
    assert {o["name"]: (o["value"], o["default"]) for o in found["options"]}["sea_range"] == (1, 2)
    owner = next(o for o in found["observables"] if o["name"] == "owner")
    assert owner["value"]["kind"] == "power"
    assert len(owner["arguments"][0]["names"]) == 63


def test_objectives_say_who_can_have_them_and_what_they_bring(book: RuleIndex) -> None:
    found = {o["name"]: o for o in json.document("rules", book)["objectives"]}
    assert found["Caucasus"] == {
        "name": "Caucasus",
        "kind": "victory city",
        "sides": ["Allies", "Axis"],
        "places": ["Caucasus"],
        "worth": {"Allies": "Stalingrad, 3 points", "Axis": "Stalingrad, 3 points"},
        "main": True,
    }
    assert not found["Libya"]["main"]
    assert found["Libya"]["worth"] == {}


def test_what_an_objective_brings_is_told_for_each_side_where_that_differs(piped: Piped) -> None:
    moscow = " ".join(piped(rules(rule_index(load_setup("moscow/small")))).split())
    assert "Moscow place German: 30 points if taken and held; Soviet: 10 points if held" in moscow
    assert "Minsk place Soviet: 8 points if captured" in moscow


def test_clauses_know_their_rules_and_rulings(book: RuleIndex) -> None:
    clauses = {c["name"]: c for c in json.document("rules", book)["clauses"]}
    major = clauses["victory-major/1"]
    assert major["source"] == "Victory Cities"
    assert "major_victory" in major["rules"]
    assert clauses["example/1"]["example"]
    assert not major["example"]
    assert major["cases"] == ["forty points win"]
    assert clauses["only-a-case/1"]["cases"] == ["[a] second"]
    assert clauses["later/1"]["planned"] == "in the next part"
    assert clauses["title/1"]["out_of_scope"] == "a heading"


def test_without_coverage_the_citations_are_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "has_file", lambda name, path: False)
    found = rule_index(load_setup("axis_allies"))
    assert {"victory/1", "victory-major/1", "victory-total/1"} <= {c.clause for c in found.clauses}


def test_a_broken_coverage_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Coverage:
        raise InputError(Diagnostic("unknown-entry", "what?", "coverage.yaml", 1, 1))

    monkeypatch.setattr(gathered, "load_coverage", broken)
    with pytest.raises(InputError, match="what"):
        rule_index(load_setup("axis_allies"))


def test_a_name_leaves_what_it_is_and_rests_on(book: RuleIndex) -> None:
    found = json.document("rules", book.about("major_victory"))
    assert list(found) == [*KEYS, "cases"]
    assert names(found, "outcomes") == {"major_victory"}
    assert {"victory/1", "victory-major/1", "victory-major/2"} == names(found, "clauses")
    assert names(found, "cases") == {"forty points win", "[a] second"}
    assert not found["options"]


def test_a_clause_leaves_what_cites_it(book: RuleIndex) -> None:
    found = json.document("rules", book.about("victory-total/1"))
    assert {"total_victory"} == names(found, "outcomes")
    assert "every_territory" in names(found, "readings")
    assert names(found, "clauses") == {"victory-total/1"}
    both = json.document("rules", book.about("victory-major"))
    assert names(both, "clauses") == {"victory-major/1", "victory-major/2"}


def test_a_ruling_can_be_asked_for(book: RuleIndex) -> None:
    found = json.document("rules", book.about("forty points win"))
    assert names(found, "cases") == {"forty points win"}
    assert names(found, "clauses") == {"victory-major/1"}


@pytest.mark.parametrize(
    ("wrong", "near"), [("vpc", "vcp"), ("victory-major/9", "victory-major/1"), ("sea_rang", "sea_range")]
)
def test_an_unknown_name_has_near_ones(book: RuleIndex, wrong: str, near: str) -> None:
    with pytest.raises(InputError) as caught:
        book.about(wrong)
    (found,) = caught.value.diagnostics
    assert found.code == "unknown-name"
    assert near in (found.help or "")


def test_the_overview_names_everything(book: RuleIndex, piped: Piped) -> None:
    shown = piped(rules(book))
    for title in ("Outcomes", "Rules", "Options", "Readings", "Observables", "Events", "Metrics", "Objectives"):
        assert f"\n{title}" in shown
    grouped = [*book.functions, *book.objectives, *book.rules, *book.invariants]
    for thing in book.named:
        assert thing.name in shown or thing in grouped, thing.name
    for rule in (*book.rules, *book.invariants):
        assert rule.name.partition("[")[0] in shown
    assert "units[TERRITORY]     63: Archangel" in shown
    assert "when the turn of the Americans has just ended, a round is" in shown
    assert "victory city  25: Russia" in shown
    assert "vcp(side or power)" in shown
    assert "capture: {power, territory, destroy_complex}" in shown
    assert "63 in all: `vclogic rules axis_allies owner`" in shown
    assert "2 rulings" in shown
    assert "(1 planned, 1 out of scope)" in shown


@pytest.mark.parametrize("game", encoding_names())
def test_the_overview_is_short(game: str, piped: Piped) -> None:
    shown = piped(rules(rule_index(load_setup(game))))
    assert len(shown.splitlines()) <= 190
    assert max(map(len, shown.splitlines())) <= 110


def test_families_are_told_once() -> None:
    kinds = {"side": frozenset({"Red", "Blue"}), "hex": frozenset({"1,1", "1,2", "2,1"}), "all": frozenset("abc")}
    told = alike(
        [
            ("over", "the game ends"),
            ("one[1,1]", "one unit in 1,1"),
            ("one[1,2]", "one unit in 1,2"),
            ("stack[Red, 1,1]", "Red has 1,1 and more"),
            ("stack[Blue, 2,1]", "Blue has 2,1 or more"),
            ("odd[x]", "what x is"),
            ("odd[y]", "what y is"),
        ],
        kinds,
    )
    assert [(t.name, t.text, t.spread) for t in told] == [
        ("over", "the game ends", ""),
        ("one[HEX]", "one unit in HEX", "2: 1,1; 1,2"),
        ("stack[SIDE, HEX]", "SIDE has HEX ... more", "2: Red, 1,1; Blue, 2,1"),
        ("odd[...]", "what ... is", "2: x, y"),
    ]


# ---- by words


def test_words_find_names_and_texts(book: RuleIndex, piped: Piped) -> None:
    found = book.found("Infantry", "city")
    assert found.subject is None
    speaking = [x for x in book.named if "infantry" in said_of(x).lower() and "city" in said_of(x).lower()]
    assert list(found.named) == speaking
    assert "emergency_infantry" in {o.name for o in found.observables}
    assert not found.metrics
    shown = piped(rules(found))
    assert shown.startswith("What speaks of Infantry city\n")
    assert "  emergency_infantry(territory)" in shown
    assert len(shown.splitlines()) < 60


def test_a_name_or_a_clause_comes_before_words(book: RuleIndex) -> None:
    assert book.found("sea_range") == book.about("sea_range")
    assert book.found("victory-major/1") == book.about("victory-major/1")
    assert book.found("forty", "points", "win") == book.about("forty points win")


def test_what_nothing_speaks_of_has_near_names(book: RuleIndex) -> None:
    with pytest.raises(InputError) as caught:
        book.found("sea_rnge")
    assert "sea_range" in (caught.value.diagnostics[0].help or "")
    with pytest.raises(InputError, match="no text"):
        book.found("infantry", "xyzzy")


@given(st.text("abc ", max_size=40), st.integers(12, 30), st.lists(st.sampled_from(["abc", "cab", "b"]), max_size=2))
@examples(300)
def test_what_is_cut_keeps_its_width_and_the_first_word(text: str, width: int, words: list[str]) -> None:
    shown = cut(text, width, words)
    assert len(shown) <= width
    there = [w for w in words if w in text]
    if there:
        first = min(there, key=lambda w: (text.index(w), len(w)))
        assert first in shown


def test_one_clause_in_full(book: RuleIndex, piped: Piped) -> None:
    shown = piped(rules(book.about("victory-major/1")))
    assert "outcome major_victory (Axis)" in shown
    encoded = "in the rules: victory.judged_now, victory.major_victory, major_victory"
    assert f"\n  victory-major/1 of Victory Cities\n    - {encoded}" in shown
    assert "    - exercised by 1 ruling\n" in shown
    assert "\nRulings\n  - forty points win [victory-major/1]\n" in shown
    assert "not in the rules yet: in the next part" in piped(rules(book.about("later/1")))
    assert "out of scope: a heading" in piped(rules(book.about("title/1")))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "owner",
            ["observable owner", "write: owner(territory); value: power", "Karelia S.S.R. (or Karelia, Leningrad)"],
        ),
        ("sea_range", ["option sea_range", "value: 1; default: 2; allowed: 0 to 20"]),
        ("capture", ["event capture", "{power: ..., territory: ..., destroy_complex: ...}", "power: a power"]),
        ("turns", ["metric turns", "--within counts player-turns"]),
        ("every_territory", ["every_territory = ownable (default)", "- all: "]),
        ("points[Axis]", ["rule points[Axis]", "city-Berlin/1"]),
        (
            "Karelia S.S.R.",
            [
                "objective Karelia S.S.R. victory city who can have it: Allies, Axis",
                "what it brings: Leningrad, 2 points where: Karelia S.S.R.",
            ],
        ),
        ("[a] second", ["- [a] second [victory/1, only-a-case/1]"]),
    ],
)
def test_one_thing_in_full(book: RuleIndex, piped: Piped, name: str, lines: list[str]) -> None:
    shown = " ".join(piped(rules(book.about(name))).split())
    assert [line for line in lines if line not in shown] == []


def test_a_broken_encoding_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch, piped: Piped) -> None:
    monkeypatch.setattr(gathered, "encoding_names", lambda: ("axis_allies", "gone"))
    found = installed()
    assert [e.name for e in found] == ["axis_allies", "gone"]
    document = json.document("games", found)
    assert list(document) == ["schema", "games"]
    assert "axis_allies/revised-1942" in document["games"][0]["scenarios"]
    assert document["games"][1] == {"name": "gone", "title": None, "scenarios": []}
    shown = piped(games(found))
    assert "axis_allies/revised-1942" in shown
    assert "gone  broken\n  there is no game 'gone'\n" in shown


def test_no_games_at_all(piped: Piped) -> None:
    assert piped(games(())) == "No game is installed.\n"
