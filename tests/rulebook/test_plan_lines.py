"""Planning models that `plan` lines say: costs as all sequences of events show, and what no plan line changes."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, currently_in_test_context, given, note
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Rulebook
from tests.rulebook.test_random_rulebooks import loaded as loaded_book
from tests.rulebook.test_rulebook_plans import FAR as NEAR
from tests.rulebook.test_rulebook_plans import nearest
from tests.toys.marches import Goal, Marches, made
from vclogic.errors import InputError
from vclogic.game import Game

FAR = 5
BROOK = Path(__file__).parents[2] / "examples" / "rulebooks" / "brook.md"


def loaded(text: str) -> Game:
    """The game of a text; it is told where a test fails."""
    if currently_in_test_context():
        note(text)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.md"
        file.write_text(text, encoding="utf-8")
        return vclogic.load(str(file))


@examples(200, usual=8)
@given(rulebooks())
def test_plans_of_single_events_are_those_of_the_rules(book: Rulebook) -> None:
    """Where a plan uses all events, there is one as soon as any events lead to the goal, whatever facts remember."""
    goal = book.condition((), tuple(book.facts), 1)
    far = None if any(e.by == "chance" for e in book.events) else nearest(book, goal)
    assume(far is not None)
    book.add("plan all_of_them")
    plan = loaded_book(book).plan(goal.text, side=next(iter(book.sides)), opponent="helps", within=NEAR)
    assert plan.metric == "all_of_them"
    assert plan.status == ("impossible" if far == -1 else "optimal"), goal.text


def findings(text: str) -> list[str]:
    """The findings about a text, without their places."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rules.md"
        file.write_text(text, encoding="utf-8")
        return [f"{f.code}: {f.message}" for f in vclogic.load(str(file)).check().findings]


def planned(game: Marches, goal: Goal, side: str) -> None:
    """A plan costs what the cheapest sequence of events costs, and its events are a record."""
    known = game.cheapest(side, goal, FAR)
    plan = loaded(game.text).plan(goal.text, side=side, within=FAR)
    assert (plan.status, plan.cost) == (("impossible", None) if known is None else ("optimal", known)), goal.text
    if plan.record is not None:
        assert plan.record.events is not None, plan.record.reason


@examples(500, usual=12)
@given(st.randoms(use_true_random=False))
def test_plans_cost_what_sequences_of_events_show(random: Random) -> None:
    planned(*made(random))


@examples(120, usual=5)
@given(st.randoms(use_true_random=False))
def test_plans_without_a_limit_are_as_cheap_as_those_of_many_turns(random: Random) -> None:
    """Where a search ends that has no limit, no plan of many turns is cheaper; what waits longer may be."""
    game, goal, side = made(random)
    known = game.cheapest(side, goal, 2 * FAR)
    assume(known is not None)
    plan = loaded(game.text).plan(goal.text, side=side, timeout=6)
    assume(plan.status == "optimal")
    assert plan.cost is not None
    assert plan.cost <= (known or 0), goal.text


def test_a_search_without_a_limit_ends() -> None:
    """What turns forget and count at their ends is the same after one round without events as after two."""
    game = vclogic.load(str(BROOK))
    plan = game.plan("banners(French) >= 2", side="French")
    assert (plan.status, plan.cost) == ("optimal", 2)


def test_a_need_that_an_event_has_twice_is_asked_once() -> None:
    """A march has to lead elsewhere, and says so: once a plan was called impossible whose second march led back."""
    game, _, side = made(Random("12"))
    assert side == "Blue"
    for goal in (Goal(at=(("u1", "a3"),), seen=("a2",)), Goal(at=(("u1", "a3"),), gone=("a0", "a2"))):
        planned(game, goal, side)


@examples(120, usual=4)
@given(st.randoms(use_true_random=False))
def test_a_plan_line_changes_no_other_answer(random: Random) -> None:
    """What can be reached, proofs that nothing leads there, and findings are those of the rules without it."""
    game, goal, _ = made(random)
    planned, bare = loaded(game.text), loaded(game.bare)
    for text in (
        goal.text,
        f"not ({goal.text}) and trips > {game.most_trips - 1}",
        "gone(a0) and holder(a0) == nobody",
    ):
        found, known = (g.reach(text, opponent="helps") for g in (planned, bare))
        assert (found.status, found.proof) == (known.status, known.proof), text
    assert findings(game.text) == findings(game.bare)


BOOK = """```vclogic
sides Red, Blue
turn is march, fight
grid area
  a1 a2 a3
  b1 b2 b3
kind unit: Foot, Horse, Guards
fact at(unit): area or lost, starts a1
fact ready(unit)
  becomes false at the end of a turn
start at(Guards) is b3
owner(unit) means if(unit == Guards, Blue, Red)
event rally by side unit in march
  needs owner(unit) == side
  then ready(unit) becomes true
event move by side unit to area in march
  needs owner(unit) == side and adjacent(at(unit), to)
  then at(unit) becomes to
event hit unit in fight
  needs at(unit) != lost
  then at(unit) becomes lost
PLAN
```
"""


def test_several_plans_stand_in_one_text_and_the_first_is_the_default() -> None:
    game = loaded(
        BOOK.replace(
            "PLAN",
            "plan marches\n  uses move\n  step is a turn, one for each unit\n"
            "plan days\n  uses move\n  step is a turn, one for each unit\n  counts turns\n"
            "plan rounds\n  uses move\n  step is a round, one for each unit\n"
            "plan blows\n  uses move then hit\n  step is a turn, at most 2 events\n  counts 1 for hit\n"
            "plan slow\n  without hit\n  keeps at(Horse)\n  counts 3 for move\n  counts 1 for rally",
        )
    )
    costs = {
        name: game.plan("at(Foot) == a3", side="Red", within=8, minimize=name).cost for name in ("marches", "days")
    }
    assert costs == {"marches": 2, "days": 2}
    assert game.plan("at(Foot) == a3", side="Red", within=8).metric == "marches"
    rounds = game.plan(
        "at(Foot) == a3 and at(Guards) == b1", side="Red", opponent="helps", within=2, minimize="rounds"
    )
    assert (rounds.status, rounds.cost, rounds.horizon.unit) == ("optimal", 2, "round")
    blows = game.plan("at(Guards) == lost and at(Foot) == a2", side="Red", within=3, minimize="blows")
    assert (blows.cost, [s.text for s in blows.steps][-1]) == (1, "hit Guards")
    slow = game.plan("at(Foot) == a2", side="Red", within=4, minimize="slow")
    assert (slow.cost, slow.horizon.unit) == (3, "event")
    assert game.plan("at(Horse) == a2", side="Red", within=4, minimize="slow").status == "impossible"
    assert game.reach("at(Horse) == a2", side="Red").status == "reachable"


def test_assumptions_tell_what_a_plan_leaves_out() -> None:
    game = loaded(
        BOOK.replace(
            "PLAN", "plan marches\n  uses move after rally\n  step is a turn, at most 1 event\n  keeps at(Horse)"
        )
    )
    plan = game.plan("at(Foot) == a3", side="Red", within=4)
    assert plan.cost == 2
    assert plan.events.left_out == ("hit",)
    told = " / ".join(plan.assumptions)
    assert "in a turn at most 1 event happens" in told
    assert "rally comes before move" in told
    assert "no step changes what the plan keeps: at" in told
    assert plan.record is not None
    assert [e.name for e in plan.record.events or ()].count("rally") == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plan", "the name of a plan is missing here"),
        ("plan a\n  uses march", "there is no event 'march'"),
        ("plan a\n  uses move\n  uses hit", "'uses' stands here twice"),
        ("plan a\n  needs move", "this belongs to no plan"),
        ("plan a\n  step is a week", "'a week' is no step"),
        ("plan a\n  step is a turn, at most some events", "this is a whole number from 1 to 999"),
        ("plan a\n  step is a turn, one for each soldier", "there is no kind 'soldier'"),
        ("plan a\n  step is an event, at most 2 events", "a step is one event here"),
        ("plan a\n  counts turns", "a step is one event here, and turns are counted"),
        ("plan a\n  step is a turn\n  counts turns\n  counts 1 for move", "a plan counts turns or events"),
        ("plan a\n  step is a turn\n  counts 1 for end_phase", "end_phase comes by itself and costs nothing"),
        ("plan a\n  step is a turn\n  uses hit then move", "the phase march comes earlier"),
        ("plan a\n  step is a turn\n  uses hit, move", "move belongs to another phase than hit"),
        ("plan a\n  step is a turn\n  uses rally after move", "move is asked of to, and rally is not"),
        ("plan a\n  keeps place(Horse)", "there is no fact 'place'"),
        ("plan a\nplan a", "there is a plan 'a' already"),
    ],
)
def test_what_is_wrong_with_a_plan_is_told_at_its_line(line: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        loaded(BOOK.replace("PLAN", line))


def test_a_cost_is_what_the_board_decides() -> None:
    game = loaded(BOOK.replace("PLAN", "plan a\n  counts count(other unit where at(other) == a1) for move"))
    with pytest.raises(InputError, match="what move costs is no number"):
        game.plan("at(Foot) == a3", side="Red")


def test_turns_of_one_event_have_no_player_turns() -> None:
    text = BOOK.replace("turn is march, fight", "turn is one event").replace(" in march", "").replace(" in fight", "")
    with pytest.raises(InputError, match="a turn is one event in this game"):
        loaded(text.replace("PLAN", "plan a\n  step is a turn"))


def test_a_plan_is_drawn_with_an_arrow_for_each_move_of_a_unit() -> None:
    """Each begins where the one before led, and is called by the unit."""
    game = loaded(BOOK.replace("PLAN", "plan marches\n  uses move after rally\n  step is a turn, one for each unit"))
    plan = game.plan("at(Foot) == a3 and at(Horse) == b1", side="Red", within=4)
    arrows = [(a.source, a.target, a.label) for a in game.picture(plan).arrows]
    assert [a for a in arrows if a[2] == "Foot"] == [("a1", "a2", "Foot"), ("a2", "a3", "Foot")]
    assert [a for a in arrows if a[2] != "Foot"] == [("a1", "b1", "Horse")]


@pytest.mark.parametrize("step", ["an event", "a turn", "a round"])
def test_plans_know_what_changes_by_itself(step: str) -> None:
    """Once it was called impossible that days go by, where a step was a single event."""
    days = "fact days: 0 to 9\n  rises by 1 at the end of a turn\n"
    plan = loaded(BOOK.replace("PLAN", f"{days}plan a\n  uses move\n  step is {step}")).plan(
        "days >= 2 and at(Foot) == a2", side="Red", within=8
    )
    assert (plan.status, plan.cost) == ("optimal", 1)


SKIRMISH = str(Path(__file__).parents[2] / "examples" / "rulebooks" / "skirmish.md")


@pytest.mark.parametrize(
    ("goal", "side", "done"),
    [
        ("holds(victory, Red)", "Red", ["Red moves a unit from a1 to b1"]),
        ("holds(victory, Blue)", "Blue", ["Blue moves a unit from c2 to c1"]),
        ("holds(draw, nobody)", "Blue", []),
        ("number(Blue) == 2 and round == 3", "Red", ["Red moves a unit from a1 to b1", "Red attacks b2"]),
    ],
)
def test_who_may_pass_does_nothing_for_nothing(goal: str, side: str, done: list[str]) -> None:
    """No unit goes to and fro, though a plan of passes alone has as many events."""
    plan = vclogic.load(SKIRMISH).plan(goal, side=side)
    assert plan.status == "optimal"
    assert [step.text for step in plan.steps if step.action != "pass"] == done


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("number(Blue) <= 2", "chance decides 1 event of the plan as serves it: 1 in 3"),
        ("number(Blue) <= 1", "chance decides 2 events of the plan as serves it: all of them together 1 in 9"),
    ],
)
def test_a_plan_tells_how_likely_its_dice_are(goal: str, told: str) -> None:
    """An attack hits on a 5 or 6."""
    start = vclogic.load(SKIRMISH, settings={"attacks": "die"}).at_state({"units": {"Red": {"b1": 1, "c1": 1}}})
    plan = start.plan(goal, side="Red")
    assert plan.cost is not None
    assert [line for line in plan.assumptions if "chance" in line] == [told]


def test_a_plan_without_dice_tells_of_none() -> None:
    plan = vclogic.load(SKIRMISH).plan("number(Blue) <= 2", side="Red")
    assert not [line for line in plan.assumptions if "chance" in line]


CARDS = """# Cards

**1** Red asks for a card, and chance draws one.

```vclogic
sides Red, Blue
turn is any number of events
kind card: King, Queen, Two
fact drawn: nobody or card, starts nobody
fact asked: true or false, starts false
event ask by side
  needs not asked
  then asked becomes true
event draw by chance card
  needs asked and drawn == nobody
  then drawn becomes card
  weight if(card == King, {king}, if(card == Queen, 1, 3))
pass always
```
"""


@pytest.mark.parametrize(
    ("king", "card", "told"),
    [
        (2, "Queen", ": 1 in 6"),
        (0, "Queen", ": 1 in 4"),
        (-1, "Queen", ": 1 in 4"),
        (-9, "Two", ": 75.0 %"),
        (-1, "King", ""),
        (0, "King", ""),
    ],
)
def test_a_weight_below_0_counts_as_0(king: int, card: str, told: str, tmp_path: Path) -> None:
    """It makes no other card likelier than certain, and none has a probability below 0."""
    (tmp_path / "cards.md").write_text(CARDS.format(king=king))
    plan = vclogic.load(str(tmp_path / "cards.md")).plan(f"drawn == {card}", side="Red")
    assert plan.cost is not None
    said = "chance decides 1 event of the plan as serves it" + told
    assert [line for line in plan.assumptions if "chance" in line] == [said]
