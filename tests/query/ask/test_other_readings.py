"""What other Readings make of a question, against trying them all."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.toys.many_readings import NAMES, POINTS, READINGS, VALUES, Look, game_of, smallest_by_trying_all
from vclogic.clock import Deadline
from vclogic.errors import InputError
from vclogic.files.blame import check_references
from vclogic.files.position import with_overrides
from vclogic.files.registry import encoding_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Memo, Setup, built
from vclogic.game import Game
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import Rule
from vclogic.moment import Loaded
from vclogic.query.ask import readings
from vclogic.query.ask.answer import OtherReadings
from vclogic.query.ask.readings import other_readings
from vclogic.query.ask.subject import PositionQuestion, answer_of, read_question
from vclogic.query.status.progress import states_of
from vclogic.report.text.ask import answer_in_words
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, ge
from vclogic.terms.sorts import BOOL


def tree() -> st.SearchStrategy[Look | int]:
    """Looks at Readings, in any order."""

    def deeper(inner: st.SearchStrategy[Look | int]) -> st.SearchStrategy[Look]:
        def look(name: str) -> st.SearchStrategy[Look]:
            values = next(r.values for r in READINGS if r.name == name)
            return st.fixed_dictionaries(dict.fromkeys(values, inner)).map(lambda then: Look(name, then))

        return st.sampled_from(NAMES).flatmap(look)

    return st.recursive(st.integers(0, 2), deeper, max_leaves=14)


def asked(setup: Setup, question: str) -> PositionQuestion:
    """A question at the end of a record."""
    states = tuple(states_of(setup.system, setup.initial, setup.record))
    return PositionQuestion(setup, tuple(setup.record), states, read_question(setup.system, question))


def found_in(answer: OtherReadings) -> dict[frozenset[tuple[str, str]], Value | None]:
    """The changing sets with their values."""
    return {frozenset(r.readings.items()): r.value for r in answer.changing}


@examples(200)
@given(tree=tree(), at_once=st.booleans(), used=st.sampled_from(VALUES[:2]))
def test_smallest_sets_are_those_of_trying_all(tree: Look | int, at_once: bool, used: str) -> None:
    game = game_of(tree, at_once=at_once, b=used)
    answer = other_readings(asked(game.setup, "number"))
    assert answer.complete
    assert found_in(answer) == smallest_by_trying_all(tree, game.setup.settings.readings)


@examples(40)
@given(trees=st.lists(tree(), min_size=2, max_size=3))
def test_what_was_asked_before_changes_nothing(trees: list[Look | int]) -> None:
    """Rule sets are kept from one question to the next of a game, not from one game to another."""
    games = [game_of(t) for t in trees]
    for _ in range(2):
        for t, game in zip(trees, games, strict=True):
            answer = other_readings(asked(game.setup, "number"))
            assert found_in(answer) == smallest_by_trying_all(t, game.setup.settings.readings)


def test_every_other_value_of_every_reading_is_listed() -> None:
    both = Look("b", {"usual": 0, "other": 1})
    game = game_of(Look("a", {"usual": 0, "other": both, "third": 2}))
    answer = other_readings(asked(game.setup, "number"), every=True)
    assert [(dict(r.readings), r.value, r.changes) for r in answer.alone] == [
        ({"a": "other"}, 0, False),
        ({"a": "third"}, 2, True),
        ({"b": "other"}, 0, False),
        ({"c": "other"}, 0, False),
        ({"d": "other"}, 0, False),
    ]
    assert [(dict(r.readings), r.value) for r in answer.changing] == [
        ({"a": "third"}, 2),
        ({"a": "other", "b": "other"}, 1),
    ]
    assert answer.changing[1].says == ("a as other", "b as other")
    assert answer.changing[1].clauses == ("a/1", "b/1")


@pytest.mark.parametrize("at_once", [False, True])
def test_rules_that_break_down_under_another_reading_do_not_end_the_rest(
    at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "packages", lambda: ("tests.toys",))
    game = game_of(Look("a", {"usual": Look("b", {"usual": 0, "other": 1}), "third": 2}), at_once=at_once)
    answer = other_readings(asked(game.setup, "number"), every=True)
    broken = next(r for r in answer.changing if r.broken)
    assert (dict(broken.readings), broken.value, broken.changes) == ({"a": "other"}, None, True)
    assert "KeyError: 'other'" in broken.refused
    others = {**found_in(answer)}
    del others[frozenset({("a", "other")})]
    assert others == {frozenset({("a", "third")}): 2, frozenset({("b", "other")}): 1}
    assert [r for r in answer.alone if r.broken] == [broken]
    assert answer.complete
    told = answer_in_words(game.ask("number"), broken)
    assert told.startswith("no answer, since this game is faulty: the ")
    monkeypatch.undo()
    if not at_once:
        with pytest.raises(KeyError):  # nobody's game: a bug is not hidden
            other_readings(asked(game.setup, "number"))


def test_no_answer_since_the_rules_break_down_is_not_that_it_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "packages", lambda: ("tests.toys",))
    game = game_of(Look("a", {"usual": None, "other": 0}))
    answer = other_readings(asked(game.setup, "number"))
    assert found_in(answer) == {frozenset({("a", "other")}): 0, frozenset({("a", "third")}): None}


def test_without_time_nothing_is_claimed() -> None:
    game = game_of(Look("a", {"usual": 0, "other": 1, "third": 0}))
    answer = other_readings(asked(game.setup, "number"), every=True, deadline=Deadline(0))
    assert (answer.changing, answer.alone, answer.complete, answer.up_to) == ((), (), False, 0)
    assert answer.reason == "the time is up"


# ---- the games' rulings

OTHERWISE = [(game, case) for game in ("asl", "okinawa", "napoleonics") for case in load_cases(game) if case.expect]


def differing() -> list[tuple[Case, str]]:
    """Rulings that other Readings than the default ones decide, with the goal, a few of each game."""
    found: dict[str, list[tuple[Case, str]]] = {}
    for game, case in OTHERWISE:
        there = found.setdefault(game, [])
        if len(there) < 3 and case.node.section("readings").tree:
            there.append((case, case.expect[0]))
    return [x for there in found.values() for x in there]


@pytest.mark.parametrize(("case", "goal"), differing(), ids=lambda x: x.name[:40] if isinstance(x, Case) else "")
def test_rulings_by_another_reading_are_found_from_the_default(case: Case, goal: str) -> None:
    """Of a few Readings, those that a ruling sets among them; each set of them is tried by loading the game anew."""
    setup = case.setup()
    own = [r for r in setup.encoding.readings if r.name in setup.chosen]
    few = (*own, *(r for r in setup.encoding.readings if r not in own))[:3]
    default = with_overrides(setup, [(r.name, r.default) for r in own], memo=case.memo)
    default = replace(default, encoding=replace(default.encoding, readings=tuple(few)))
    try:
        question = asked(default, goal)
    except InputError:
        pytest.skip("the record is refused under the default")
    values: dict[frozenset[tuple[str, str]], Value | str | None] = {}
    for size in range(3):
        for names in combinations(few, size):
            for chosen in product(*([v for v in r.values if v != r.default] for r in names)):
                pairs = [(r.name, v) for r, v in zip(names, chosen, strict=True)]
                values[frozenset(pairs)] = _loaded(
                    setup, [*((r.name, r.default) for r in own), *pairs], goal, case.memo
                )
    base = values[frozenset()]
    smallest: dict[frozenset[tuple[str, str]], Value | str | None] = {}
    for s, v in sorted(values.items(), key=lambda x: len(x[0])):
        if v != base and not any(part < s for part in smallest):
            smallest[s] = v
    answer = other_readings(question, every=True)
    got = {frozenset(r.readings.items()): "refused" if r.refused else r.value for r in answer.changing}
    assert {s: v for s, v in got.items() if len(s) <= 2} == smallest


def _loaded(setup: Setup, overrides: list[tuple[str, str]], goal: str, memo: Memo) -> Value | str | None:
    """The answer in the game loaded anew with some Readings."""
    try:
        again = asked(with_overrides(setup, overrides, memo=memo), goal)
    except InputError:
        return "refused"
    return answer_of(again.system, again.state, again.question)


def test_another_moment_of_the_game_is_asked_with_the_same_rule_sets() -> None:
    both = Look("a", {"usual": 0, "other": 1, "third": 0})
    game = game_of(both)
    later = Game(Loaded(game.setup), game.at_state({"points": 2}).numbers)
    setup = replace(game.setup, initial=later.state)
    assert found_in(other_readings(asked(setup, "number"))) == {frozenset({("a", "other")}): 3}
    assert found_in(other_readings(asked(game.setup, "number"))) == {frozenset({("a", "other")}): 1}


@pytest.mark.parametrize("name", encoding_names())
def test_rule_sets_of_one_board_have_the_same_facts(name: str) -> None:
    """Else each look at other Readings would read the position again."""
    setup = loaded(name).setup
    system, _ = built(setup.encoding, setup.board_read, setup.settings)
    assert system.families == setup.system.families
    assert system.initial == setup.system.initial
    assert {r.kept for r in system.invariants} == {r.kept for r in setup.system.invariants}


def test_what_a_rule_set_shares_with_a_checked_one_is_not_looked_at_again() -> None:
    """A term with a variable that is no fluent is found in whatever is not shared, and where fluents are fewer."""
    game = game_of(0).setup.system
    own = Rule("own", ge(POINTS.fluent, 1), "", ())
    missing = var("dawn", BOOL)
    checked = replace(game, invariants=(own,))
    check_references(checked)
    check_references(replace(game, invariants=(own,)), checked)
    for wrong in (missing, and_(own.kept, missing)):
        with pytest.raises(InputError, match="dawn"):
            check_references(replace(game, invariants=(own, Rule("new", wrong, "", ()))), checked)
    fewer = replace(game, families=(Family("dawn", BOOL, "it dawns"),), initial={missing: False}, observables=())
    with pytest.raises(InputError, match="points"):
        check_references(replace(fewer, invariants=(own,)), checked)
