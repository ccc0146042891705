"""Pictures of briefings: marks, legend and arrows say what an answer says, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from tests.fixtures.games import loaded
from vclogic.draw.svg import svg
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.picture import Picture, RegionNote
from vclogic.model.system import Events
from vclogic.query.answers import Horizon, Recorded, Step
from vclogic.query.objectives.answer import (
    Cost,
    Denial,
    DenialSet,
    Landmark,
    Landmarks,
    Next,
    Objectives,
    ObjectiveValue,
    Threat,
    Winning,
    WinningSet,
)
from vclogic.query.objectives.legend import ObjectiveNotes
from vclogic.query.plan.answer import OnePlan

WITHIN = Horizon(4, "round of marches")
LEAST = Cost("optimal", 3, difference=0)
NOTHING = Winning((), complete=True, all_cheapest=True)


def value(name: str, cost: Cost | None, *, held: bool = False) -> ObjectiveValue:
    given = {"lost" if held else "closed": cost}
    return ObjectiveValue(name, "place", (), "", None, held, **given)  # type: ignore[arg-type]


def more(difference: int) -> Cost:
    return Cost("optimal", 3 + difference, difference=difference)


@cache
def game() -> Game:
    return loaded("moscow/small")


@cache
def march(side: str, goal: str) -> OnePlan:
    found = game().plan(goal, side=side, minimize="moves")
    return OnePlan(found.steps, Recorded(None))


def answer(*values: ObjectiveValue, **other: object) -> Objectives:
    given = Objectives(
        game="moscow/small",
        side="German",
        goal="vp(German) >= 5",
        heading="",
        metric="moves",
        scale=1,
        status="optimal",
        cost=LEAST,
        horizon=WITHIN,
        events=Events((), ()),
        objectives=values,
        winning=NOTHING,
        landmarks=Landmarks(()),
        denial=Denial((), complete=True),
        threats=(),
        next=None,
        conditions=(),
        assumptions=(),
        elapsed_s=0.0,
    )
    return replace(given, **other)  # type: ignore[arg-type]


def picture(*values: ObjectiveValue, **other: object) -> Picture:
    return game().picture(answer(*values, **other))


def marks(found: Picture) -> Mapping[str, RegionNote]:
    return {m.name: m for m in found.marks}


def legend(found: Picture) -> list[str]:
    return [line.words for line in found.legend]


def samples(found: Picture) -> list[list[tuple[str, str, int | None]]]:
    return [[(s.kind, s.text, s.shade) for s in line.samples] for line in found.legend if line.samples]


# ---- values


@pytest.mark.parametrize(
    ("cost", "text", "shade", "words"),
    [
        (more(0), "+0", 0, "no moves more without it"),
        (more(2), "+2", 2, "2 moves more without it"),
        (Cost("impossible"), "no plan", 4, "no plan without it"),
        (Cost("impossible", horizon=WITHIN), "no plan", 4, "no plan without it within 4 rounds of marches"),
        (Cost("feasible", 5), "\u2264 +2", 2, "at most 2 moves more without it"),
        (Cost("unknown", lower_bound=4), "?", None, "the cost of the goal without it is not known"),
    ],
)
def test_the_value_of_a_place_that_the_side_has_not(cost: Cost, text: str, shade: int | None, words: str) -> None:
    found = marks(picture(value("Smolensk", cost), value("Moscow", more(5))))
    assert (found["Smolensk"].text, found["Smolensk"].shade, found["Smolensk"].words) == (text, shade, words)
    assert found["Smolensk"].regions == ("3,3",)
    assert (found["Moscow"].text, found["Moscow"].shade) == ("+5", 3)
    assert found["Moscow"].regions == ("6,3", "7,3")


def test_the_value_of_a_place_that_the_side_has() -> None:
    found = marks(picture(value("Minsk", more(1), held=True), value("Moscow", None, held=True)))
    assert found.keys() == {"Minsk"}
    assert found["Minsk"].text == "lost: +1"
    assert found["Minsk"].words == "1 move more once an enemy has it"


def test_a_loss_that_saves_moves() -> None:
    found = marks(picture(value("Minsk", more(-2), held=True)))
    assert (found["Minsk"].text, found["Minsk"].shade) == ("lost: -2", 0)
    assert found["Minsk"].words == "2 moves fewer once an enemy has it"


@pytest.mark.parametrize(("difference", "shade"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3)])
def test_shades_grow_with_values(difference: int, shade: int) -> None:
    found = marks(picture(value("Minsk", more(difference)), value("Moscow", more(7))))
    assert found["Minsk"].shade == shade


@pytest.mark.parametrize(("most", "shades"), [(1, [2]), (2, [2, 3]), (3, [1, 2, 3])])
def test_few_values_differ_in_shade(most: int, shades: list[int]) -> None:
    found = [picture(value("Minsk", more(n)), value("Moscow", more(most))) for n in range(1, most + 1)]
    assert [marks(p)["Minsk"].shade for p in found] == shades


def test_parts_of_one() -> None:
    costs = (Cost("optimal", 4250, difference=1250), Cost("optimal", 3000, difference=0))
    found = picture(value("Minsk", costs[0]), value("Moscow", costs[1]), scale=1000, cost=Cost("optimal", 3000))
    assert [m.text for m in found.marks] == ["+1.250", "+0.000"]
    assert legend(found)[0].startswith(
        "Goal of the German side: vp(German) >= 5; the cheapest plan takes 3.000 moves"
    )


def test_without_a_proof_of_the_cheapest_plan_values_are_whole_costs() -> None:
    costs = (Cost("feasible", 6), Cost("unknown"))
    known = Cost("feasible", 3)
    found = picture(value("Minsk", costs[0]), value("Moscow", costs[1]), status="feasible", cost=known)
    assert [(m.text, m.shade) for m in found.marks] == [("\u2264 6 in all", None), ("?", None)]
    assert "the best plan known takes 3 moves" in legend(found)[0]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("impossible", "Goal of the German side: vp(German) >= 5; there is no plan within 4 rounds of marches"),
        (
            "unknown",
            "Goal of the German side: vp(German) >= 5; not known whether there is a plan within 4 rounds of marches",
        ),
    ],
)
def test_without_a_plan_nothing_has_a_value(status: str, words: str) -> None:
    found = picture(value("Minsk", Cost("impossible")), status=status, cost=Cost("impossible"))
    assert found.marks == ()
    assert legend(found) == [words]


# ---- landmarks and denial sets


def sets(*keeps: tuple[str, ...], total: int = 0) -> Denial:
    return Denial(tuple(DenialSet(k, "z3", True, ()) for k in keeps), complete=True, total=total)


def test_landmarks_have_a_double_line_whether_they_are_objectives_or_not() -> None:
    found = picture(
        value("Moscow", Cost("impossible")),
        value("Smolensk", more(0)),
        landmarks=Landmarks((Landmark("Moscow", True, "z3", True), Landmark("Minsk", False, "z3", True))),
    )
    assert {m.name: m.double for m in found.marks} == {"Moscow": True, "Smolensk": False, "Minsk": True}
    assert marks(found)["Minsk"].text == ""
    assert marks(found)["Minsk"].words == "every plan takes it"
    assert [("double", "", None)] in samples(found)


def test_members_of_denial_sets_have_dashes_and_numbers() -> None:
    found = picture(denial=sets(("Moscow",), ("Smolensk", "Minsk")), objectives=[value(n, more(0)) for n in NAMES])
    assert {m.name: (m.dashed, m.text) for m in found.marks} == {
        "Moscow": (False, "+0"),
        "Minsk": (True, "+0 D2"),
        "Smolensk": (True, "+0 D2"),
    }
    assert marks(found)["Minsk"].words == "no moves more without it; in D2"
    (words,) = (w for w in legend(found) if w.startswith("dashes"))
    assert words == "dashes, D2: while all places with this number are kept from the German side, there is no plan"


def test_a_few_denial_sets_are_shown() -> None:
    pairs = [("Moscow", "Minsk"), ("Minsk", "Smolensk"), ("Smolensk", "Moscow"), ("Moscow", "Minsk", "Smolensk")]
    found = picture(denial=sets(*pairs, total=9), objectives=[value(n, None) for n in NAMES])
    assert {m.name: m.text for m in found.marks} == {"Moscow": "D1 D3", "Minsk": "D1 D2", "Smolensk": "D2 D3"}
    (words,) = (w for w in legend(found) if w.startswith("dashes"))
    assert words.startswith("dashes, D1, D2 and D3: while all places with one of these numbers are kept from")
    assert words.endswith("; 6 more such sets are not shown")


NAMES = ("Moscow", "Minsk", "Smolensk")

# ---- the legend


def test_the_legend_holds_what_is_there_and_nothing_else() -> None:
    assert legend(picture()) == [
        "Goal of the German side: vp(German) >= 5; the cheapest plan takes 3 moves, the limit is 4 rounds of marches"
    ]
    found = picture(value("Moscow", more(2)))
    assert samples(found) == [[("text", "+2", 3)]]
    assert len(legend(found)) == 2


def test_the_legend_has_each_shade_once_with_the_numbers_of_the_map() -> None:
    found = picture(
        value("Moscow", more(1)), value("Smolensk", more(9)), value("Minsk", Cost("impossible", horizon=WITHIN))
    )
    assert samples(found) == [[("text", "+1", 1), ("text", "+9", 3), ("text", "no plan", 4)]]
    assert legend(found)[-1] == "no plan: there is none within 4 rounds of marches"
    found = picture(value("Moscow", more(8)), value("Smolensk", more(9)), value("Minsk", Cost("impossible")))
    assert samples(found) == [[("text", "+8 to +9", 3), ("text", "no plan", 4)]]
    assert legend(found)[-1] == "no plan: there is none of any length"


def test_the_legend_says_what_is_not_known() -> None:
    found = picture(value("Moscow", Cost("unknown")), value("Minsk", Cost("feasible", 4), held=True))
    assert legend(found)[-1] == "\u2264: so many or fewer; ?: not found out in the time given"
    assert samples(found) == [[("text", "?", None)], [("text", "lost: \u2264 +1", 2)]]
    assert (
        legend(found)[2]
        == "the same for what the German side has already, once an enemy has taken it with all that stands there"
    )


def test_objectives_off_the_map_are_in_the_legend() -> None:
    found = loaded("napoleonics").picture(
        answer(value("Baggage", more(2)), side="Allied", goal="banners(Allied) >= 1", metric="turns")
    )
    assert found.marks == ()
    assert legend(found)[-1] == "Baggage, not on the map: 2 turns more without it"
    assert found.legend[-1].samples[0].text == "+2"


ZONE = "Northern zone"
UNITS = tuple(f"{n} unit in Northern" for n in ("2nd", "3rd", "4th", "5th"))


def zone(*values: ObjectiveValue) -> Picture:
    return loaded("okinawa").picture(answer(*values, side="Japan", goal="vp(Japan) >= 14"))


def test_objectives_in_one_wide_place_share_a_mark() -> None:
    found = zone(value(ZONE, more(2), held=True), *(value(n, more(i // 2)) for i, n in enumerate(UNITS)))
    (mark,) = found.marks
    assert (mark.text, mark.shade) == ("lost: +2, +0, +1", 3)
    assert mark.words.startswith(
        "Northern zone: 2 moves more once an enemy has it; 2nd unit in Northern: no moves more"
    )
    assert any(words.startswith("commas: values of several objectives in one place") for words in legend(found))


@pytest.mark.parametrize("count", [2, 4, 5])
def test_a_few_objectives_in_one_region_have_marks_of_their_own(count: int) -> None:
    asked = answer(*(value(f"level {n}", more(n % 2)) for n in range(count)))
    told = ObjectiveNotes(game().setup.system, asked)
    told.places = {f"level {n}": ("3,3",) for n in range(count)}
    found = [*told.marks({"3,3"})]
    assert len(found) == (count if count <= 4 else 1)
    assert found[0].text == ("+0" if count <= 4 else "+0, +1")


def test_objectives_off_the_map_share_a_line() -> None:
    found = zone(*(value(n, more(0)) for n in ("2nd US line", "3rd US line")), value("4th US line", more(1)))
    assert legend(found)[-2:] == [
        "2nd US line and 3rd US line, not on the map, each: no moves more without it",
        "4th US line, not on the map: 1 move more without it",
    ]


# ---- moves


def ways(side: str, goal: str) -> Winning:
    plan = march(side, goal)
    return Winning((WinningSet(1, (), LEAST, True, True, plan),), complete=True, all_cheapest=True)


GERMAN = ("German", "vp(German) >= 5")
SOVIET = ("Soviet", "vp(Soviet) >= 11")


def test_what_is_next_and_a_threat() -> None:
    plan = march(*GERMAN)
    following = Next(plan.steps[:1], Recorded(None), plan, LEAST, ())
    threat = Threat(*SOVIET, WITHIN, LEAST, ways(*GERMAN), None)
    found = picture(next=following, threats=(threat,))
    assert [a.hollow for a in found.arrows] == [False] * 1 + [True] * len(plan.steps)
    assert found.arrows[0] == replace(found.arrows[1], hollow=False)
    assert [c.hollow for c in found.captions] == [False] + [True] * (len(found.captions) - 1)
    assert found.captions[1].head.startswith("threat of the Soviet side, 3 moves; round")
    assert [s[0][0] for s in samples(found)] == ["arrow", "hollow"]
    assert legend(found)[-1].endswith(
        "the cheapest plan of the Soviet side if nobody stops it, its goal: vp(Soviet) >= 11"
    )
    assert "threat of the Soviet side" in svg(found)
    way = replace(ways(*GERMAN).sets[0], cheapest=False)
    found = picture(threats=(replace(threat, winning=replace(NOTHING, sets=(way,))),))
    assert ": a plan of the Soviet side if nobody stops it" in legend(found)[-1]


def test_the_cheapest_of_several_threats() -> None:
    dear = replace(ways(*GERMAN).sets[0], cost=Cost("optimal", 9))
    threats = [
        Threat("Soviet", "one", WITHIN, LEAST, replace(NOTHING, sets=(dear,)), None),
        Threat("Finns", "two", WITHIN, LEAST, ways(*GERMAN), None),
        Threat("Third", "three", WITHIN, Cost("impossible"), NOTHING, None),
    ]
    found = picture(threats=tuple(threats))
    assert legend(found)[-1].endswith(
        "the cheapest plan of the Finns side if nobody stops it, its goal: two; 1 other side can win too"
    )


def test_a_goal_that_holds_already() -> None:
    threat = Threat("Soviet", "vp(Soviet) >= 10", WITHIN, Cost("optimal", 0), NOTHING, None)
    values = (value("Moscow", more(0)), value("Minsk", more(1), held=True))
    found = picture(*values, cost=Cost("optimal", 0, difference=0), threats=(threat,))
    assert {m.name: m.text for m in found.marks} == {"Minsk": "lost: +1"}
    assert legend(found)[0] == "Goal of the German side: vp(German) >= 5; it holds already"
    assert legend(found)[-1] == "the Soviet side has its goal already: vp(Soviet) >= 10"


def test_no_moves_no_arrows() -> None:
    found = picture(threats=(Threat("Soviet", "x", WITHIN, Cost("impossible"), NOTHING, None),))
    assert (found.arrows, found.captions) == ((), ())
    assert samples(found) == []


def test_steps_of_another_game() -> None:
    step = Step(1, None, None, "capture", {"power": "Germans"}, "x", ())
    other = OnePlan((step,), Recorded(None))
    with pytest.raises(InputError):
        picture(next=Next((step,), Recorded(None), other, LEAST, ()))
