"""The briefing as text: three lines first, tables after, and what is open marked so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import RenderableType

from tests.report import briefings
from tests.report.battles import fought, of_a_plan
from tests.report.briefings import (
    LIMIT,
    NO_SETS,
    NONE,
    OPEN,
    SETS,
    STOP,
    THREAT,
    UNKNOWN,
    briefing,
    cost,
    one_plan,
    value,
    winning_set,
)
from vclogic.query.objectives.answer import Cost, Denial, DenialSet, Landmarks, Leak, Objectives, Winning
from vclogic.report.text.objectives import objectives

Piped = Callable[[RenderableType], str]
Shown = Callable[..., str]


@pytest.fixture
def shown(piped: Piped) -> Shown:
    """The report in one line, for words that may be wrapped."""

    def show(answer: Objectives, *, whole: bool = False) -> str:
        return " ".join(piped(objectives(answer, whole=whole)).split())

    return show


def lines(text: str) -> str:
    """The three lines that come first, from a report in one line."""
    return text[text.index("To win:") :].partition("Winning sets:")[0]


def test_a_briefing_reads_like_this(piped: Piped) -> None:
    assert (
        piped(objectives(briefing()))
        == """\
Briefing for Red: points(Red) >= 2 (control only)
skirmish/spring

 To win:  2 captures, the fewest possible: take Ford (2 points) and Hill (2 points); the only set at that
          cost, of 2 within 3 captures
To deny:  every plan takes Ford; out of reach while Ford is kept from it (one of 2 such sets)
 Threat:  1 capture, with Camp (Blue: points(Blue) >= 3); stopped by 1 capture: Red take Dale from Home

Winning sets: what is enough within 3 captures (2 sets in all)
  No.  Captures  Objectives
  --------------------------------
    1         2  Ford, Hill
    2         3  Ford, Mill, Tower

What every plan takes within 3 captures
  - Ford
  - on the way: Dale

Denial sets: what must be kept from Red within 3 captures (2 sets in all)
  D1  Ford
  D2  Hill, Mill
  Where one of a set falls, a winning set is left: --all names it.

What to take: worth for the goal
  City   Worth     Held by  In cheapest  If first     If closed
  -------------------------------------------------------------
  Ford   2 points  Blue          1 of 1        +0  not within 3
  Hill   2 points  nobody        1 of 1        +0            +1
  Mill   2 points  Blue                        +1            +0
  Tower  2 points  Blue                        +1            +0
  In cheapest: whether it is in the cheapest set. If first: so many captures more if it is taken before any
  other. If closed: so many more if it can never be had.

What to hold: so many captures more once an enemy has taken it, with all that stood there
  +1  Camp

Threat by Blue within 3 captures: points(Blue) >= 3
  Winning sets (the only set)
  No.  Captures  Objectives
  -------------------------
    1         1  Camp
  Stopped by 1 capture, the fewest possible (made before the enemy moves, whoever is on turn):
    1.  Red take Dale from Home [C/1, C/2]

Next (plan 1, which takes Ford and Hill)
  1.  Red take Ford from Home [C/1, C/2]

Plan 1: 2 captures, takes Ford and Hill
  1.  Red take Ford from Home [C/1, C/2]
  2.  Red take Hill from Home [C/1, C/2]

Plan 2: 3 captures, takes Ford, Mill and Tower
  1.  Red take Ford from Home [C/1, C/2]
  2.  Red take Mill from Home [C/1, C/2]
  3.  Red take Tower from Home [C/1, C/2]

Replayed: each plan was played step by step without a solver; every step is legal and leads to the goal.
Proved: the cost, what every plan takes, what denies it, what the enemy threatens and what stops it by z3.

Assumptions
  - events left out: attack
  - armies left out

answered in 0.25 s
"""
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"status": "impossible", "cost": NONE}, "To win: out of reach: there is no plan within 3 captures To deny:"),
        (
            {"status": "impossible", "cost": replace(NONE, lower_bound=5)},
            "out of reach: there is no plan within 3 captures; it takes at least 5 captures",
        ),
        (
            {"status": "unknown", "cost": UNKNOWN},
            "To win: open: the time is up; it takes at least 2 captures To deny: open",
        ),
        (
            {
                "cost": cost(0),
                "next": None,
                "winning": Winning((winning_set(1, least=0),), True, True, "", 1, 1, all_found=True),
            },
            "To win: the goal holds already To deny: it is too late for that",
        ),
        (
            {"winning": Winning((winning_set(1, plan=one_plan("Dale")),), True, True, "", 1, 1, all_found=True)},
            "2 captures, the fewest possible; no objective need be taken; no other set is enough within 3 captures",
        ),
        (
            {"winning": Winning(SETS, complete=True, all_found=True, all_cheapest=True, total=1698, cheapest=4)},
            "take Ford (2 points) and Hill (2 points); one of 4 sets at that cost, of 1,698 within 3 captures",
        ),
        (
            {"winning": Winning(SETS, complete=False, all_cheapest=False, reason=OPEN, total=2, cheapest=1)},
            "take Ford (2 points) and Hill (2 points); one of 2 sets found within 3 captures",
        ),
        (
            {"winning": Winning((), complete=False, all_cheapest=False, reason=OPEN)},
            "2 captures, the fewest possible; which objectives are enough is open",
        ),
        (
            {"status": "feasible", "cost": Cost("feasible", 4, 2, horizon=LIMIT, reason=OPEN)},
            "between 2 and 4 captures (4 found): take Ford (2 points) and Hill (2 points)",
        ),
        ({"status": "feasible", "cost": Cost("feasible", 4)}, "4 captures found; fewer may be enough: take"),
        (
            {
                "status": "feasible",
                "cost": Cost("feasible", 1),
                "winning": Winning((winning_set(1, "Ford", cost=Cost("feasible", 2)),), False, False, OPEN, 1),
            },
            "1 capture found; fewer may be enough; at most 2 captures if of the objectives only Ford is taken",
        ),
        (
            {"scale": 1000, "metric": "losses", "cost": cost(1500)},
            "To win: 1.500 losses, the least possible: take Ford (2 points) and Hill (2 points)",
        ),
        ({"landmarks": Landmarks(())}, "To deny: no objective is in every plan; out of reach while"),
        ({"landmarks": Landmarks((), ("Hill",), OPEN)}, "To deny: what every plan takes is open; out of reach while"),
        (
            {"denial": Denial((), complete=True, all_found=True)},
            "every plan takes Ford; keeping objectives from it does not help",
        ),
        ({"denial": Denial((), complete=False)}, "every plan takes Ford; what must be kept from it is open"),
        ({"objectives": ()}, "To deny: the game declares no objectives for this side"),
        ({"threats": ()}, "Threat: no goal of an enemy is known"),
        (
            {"threats": (replace(THREAT, cost=NONE, winning=NO_SETS, stop=None),)},
            "Threat: none within 3 captures (Blue: points(Blue) >= 3)",
        ),
        ({"threats": (replace(THREAT, cost=UNKNOWN),)}, "Threat: open within 3 captures (Blue: points(Blue) >= 3)"),
        (
            {"threats": (replace(THREAT, cost=cost(0, 0), winning=NO_SETS),)},
            "Threat: it has come already (Blue: points(Blue) >= 3)",
        ),
        (
            {"threats": (replace(THREAT, cost=NONE), replace(THREAT, side="Green"))},
            "Threat: 1 capture, with Camp (Green: points(Blue) >= 3); stopped by 1 capture: Red take Dale from Home"
            " (and 1 more below)",
        ),
        ({"threats": (replace(THREAT, stop=replace(STOP, status="lost")),)}, "no moves stop it"),
        ({"threats": (replace(THREAT, stop=replace(STOP, status="unknown")),)}, "what stops it is open"),
        (
            {"conditions": ("after every step: a", "b")},
            "Only plans count of which this holds: after every step: a; b",
        ),
    ],
)
def test_the_first_lines_say_what_is_known(shown: Shown, changes: dict[str, object], says: str) -> None:
    assert says in shown(briefing(**changes))


def test_what_is_open_is_said_in_place_and_at_the_end(shown: Shown) -> None:
    text = shown(briefings.partly())
    assert "Winning sets: what is enough within 3 captures (1 found; there may be more)" in text
    assert "1 at most 3 Ford, Hill, Mill *" in text
    assert "- not decided: Mill, Tower" in text
    assert "Ford 2 points Blue at most 3 in all not within 3" in text
    assert "Hill 2 points Blue unknown at most 3 in all" in text
    assert "What stops it is not known: the time is up" in text
    end = text[text.index("Not decided") :]
    for what in (
        "costs less",
        "more winning sets",
        "of taking Ford or Hill first",
        "of never having Hill",
        "takes Mill and Tower",
        "more denial sets",
        "the defence against Blue",
    ):
        assert what in end
    assert "Not decided" not in shown(briefing())
    assert "whether there is a plan: the time is up - whether Blue has a plan (points(Blue) >= 9)" in shown(
        briefings.undecided()
    )


def test_a_cost_that_is_not_known_exactly_is_told_as_a_difference_where_that_is_possible(shown: Shown) -> None:
    found = Cost("feasible", 5, 2, horizon=LIMIT, reason=OPEN)
    text = shown(briefing(objectives=(value("Ford", first=found, closed=replace(NONE, horizon=None)),)))
    assert "Ford 2 points Blue at most +3 never" in text


def listed(*sets: tuple[str, ...], total: int | None = None) -> Winning:
    """Winning sets of one cost."""
    found = tuple(winning_set(n, *takes, least=len(takes)) for n, takes in enumerate(sets, 1))
    every = len(sets) if total is None else total
    return Winning(found, complete=True, all_found=True, all_cheapest=True, total=every, cheapest=len(sets))


def test_sets_that_differ_in_one_objective_share_a_row(shown: Shown) -> None:
    found = listed(("Ford", "Hill", "Mill"), ("Ford", "Hill", "Tower"), ("Ford", "Mill", "Tower"))
    text = shown(briefing(winning=found))
    assert "1-2 3 Ford, Hill and any one of: Mill, Tower 3 3 Ford, Mill, Tower" in text
    assert "1 3 Ford, Hill, Mill 2 3 Ford, Hill, Tower" in shown(briefing(winning=found), whole=True)
    assert "1-2 1 any one of: Ford, Hill" in shown(briefing(winning=listed(("Ford",), ("Hill",))))
    extra = replace(found, sets=(replace(found.sets[0], smallest=False), *found.sets[1:]))
    text = shown(briefing(winning=extra))
    assert "1 3 Ford, Hill, Mill * 2 3 Ford, Hill, Tower" in text
    assert "* fewer of these objectives are enough, in plans that cost more" in text
    keeps = tuple(
        DenialSet(("Ford", name), "z3", True, (Leak("Ford", 1), Leak(name, 2))) for name in ("Hill", "Mill")
    )
    denial = Denial(keeps, complete=True, all_found=True, total=2)
    assert "D1-2 Ford and any one of: Hill, Mill Where one of a set falls" in shown(briefing(denial=denial))
    five = DenialSet(("Dale", "Hill", "Mill", "Moor", "Tower"), "z3", True, ())
    longer = replace(denial, sets=(*keeps, five, five, five), total=5)
    assert "and 3 more (--all shows them) Where" in shown(briefing(denial=longer))
    assert "D3 Dale, Hill" in shown(briefing(denial=replace(denial, sets=(*keeps, five), total=3)))
    whole = shown(briefing(denial=denial), whole=True)
    assert "D1 Ford, Hill Ford: no. 1; Hill: no. 2 D2 Ford, Mill Ford: no. 1; Mill: no. 2" in whole


def test_sets_that_are_listed_out_of_turn_keep_their_numbers(shown: Shown) -> None:
    sets = (*SETS, winning_set(7, "Ford", "Mill", "Well"), winning_set(8, "Ford", "Mill", "Pond"))
    found = Winning(sets, complete=False, all_found=True, all_cheapest=True, total=9, cheapest=1)
    text = shown(briefing(winning=found))
    assert "2 3 Ford, Mill, Tower 7-8 3 Ford, Mill and any one of: Well, Pond and 5 more" in text
    assert "(9 sets in all, 4 listed)" in text


def test_long_lists_are_folded_unless_all_is_asked_for(shown: Shown) -> None:
    names = [(f"Hill {n}", f"Mill {n}") for n in range(30)]
    long = briefing(winning=listed(*names, total=40))
    text = shown(long)
    assert "10 2 Hill 9, Mill 9 and 30 more (--all shows 30 of them)" in text
    assert text.count("Plan ") == 3
    assert "The plans of the other 27 winning sets: --all, or --format json" in text
    whole = shown(long, whole=True)
    assert "30 2 Hill 29, Mill 29 and 10 more (--limit lists more)" in whole
    assert whole.count("Plan ") == 30
    some = replace(long, winning=replace(long.winning, complete=False))
    assert "(40 sets in all, 30 listed)" in shown(some)
    assert "Not decided" not in shown(some)
    assert "10 more (--all shows them)" in shown(briefing(winning=listed(*names[:20])))
    assert " more (" not in shown(briefing(winning=listed(*names[:12])))
    plans = tuple(winning_set(n, "Ford", plan=one_plan(*map(str, range(20)))) for n in (1, 2))
    assert shown(briefing(winning=Winning(plans, True, True, "", 2, 2, all_found=True))).count("Plan ") == 1


def test_what_needs_no_plan_shows_none(shown: Shown) -> None:
    nothing = Winning(
        (winning_set(1, least=0),), complete=True, all_found=True, all_cheapest=True, total=1, cheapest=1
    )
    every = value("Hill", first=UNKNOWN, closed=cost(0, 0)), value("Camp", "Red", lost=UNKNOWN)
    text = shown(briefing(cost=cost(0), winning=nothing, next=None, threats=(), objectives=every))
    plans = ("Plan 1", "Replayed", "the cost by", "Winning sets", "What to take", " first:")
    assert [word for word in plans if word in text] == []
    assert "the cost once Camp is lost" in text
    without = winning_set(1, cost=cost(1, 1), plan=one_plan("Dale"))
    text = shown(briefing(threats=(replace(THREAT, winning=replace(nothing, sets=(without,))),)))
    assert "Threat: 1 capture (Blue: points(Blue) >= 3); stopped by" in text
    assert "points(Blue) >= 3 1 capture; no objective need be taken Stopped by 1 capture" in text


def test_plans_with_battles_have_their_chances(shown: Shown) -> None:
    battles = of_a_plan(fought(), advice="ask for more")
    risky = winning_set(1, "Ford", "Hill", plan=replace(one_plan("Ford", "Hill"), battles=battles))
    found = briefing()
    assert found.next is not None
    text = shown(
        replace(
            found,
            winning=Winning((risky, SETS[1]), complete=True, all_found=True, all_cheapest=True, total=2, cheapest=1),
            next=replace(found.next, plan=risky.plan, continued=True),
        )
    )
    assert "No. Captures Chance Objectives" in text
    assert "1 2 25.0 % Ford, Hill 2 3 - Ford, Mill, Tower" in text
    assert "Next (going on with plan 1, which takes Ford and Hill; the chance of its battles is 25.0 %)" in text
    assert "ask for more" in text


def test_objectives_that_are_not_needed_are_counted(shown: Shown) -> None:
    every = (
        value("Ford", cheapest=1),
        *(value(f"Hill {n}", first=f) for n, f in enumerate((None, None, cost(2), cost(2), NONE))),
    )
    text = shown(briefing(objectives=every))
    assert "Ford 2 points Blue 1 of 1 +0 +0 5 others are not needed (--all shows them)" in text
    assert "Hill 4 2 points Blue not within 3 +0 In cheapest:" in shown(briefing(objectives=every), whole=True)
    assert "are not needed" not in shown(briefing(objectives=every[:2]))
    assert "None of these 5 is needed (--all shows them)" in shown(briefing(objectives=every[1:]))


def test_what_is_held_is_told_by_what_its_loss_costs(shown: Shown) -> None:
    lost = {"Camp": cost(3), "Dale": cost(3), "Moor": replace(NONE, horizon=None), "Well": cost(2), "Pond": UNKNOWN}
    text = shown(briefing(objectives=tuple(value(name, "Red", lost=c) for name, c in lost.items())))
    assert "What to take" not in text
    assert "once an enemy has taken it, with all that stood there never Moor unknown Pond +1 Camp, Dale +0" in text
    assert "+0 for each of what is held" in shown(briefing(objectives=(value("Camp", "Red", lost=cost(2)),)))
    assert "What to hold" not in shown(briefing(objectives=(value("Camp", "Red", lost=UNKNOWN), value("Ford"))))
    some = shown(briefing(objectives=(value("Camp", "Red", lost=cost(2)), value("Dale", "Red", lost=None))))
    assert "all that stood there +0 Camp" in some


def test_a_bound_alone_proves_no_cost(shown: Shown) -> None:
    assert "Proved: the cost, what every plan takes" in shown(briefing())
    found = Cost("feasible", 4, 2, None, "z3", True, LIMIT, OPEN)
    text = shown(briefing(status="feasible", cost=found))
    assert "Proved: what every plan takes" in text


def test_a_plan_of_one_turn_is_told_once(shown: Shown) -> None:
    found = briefing()
    assert found.next is not None
    text = shown(replace(found, next=replace(found.next, steps=SETS[0].plan.steps)))
    assert "Next (plan 1, which takes Ford and Hill) all of that plan Plan 1:" in text


def test_kinds_are_named_where_there_are_several(shown: Shown) -> None:
    text = shown(
        briefing(objectives=(value("Ford", cheapest=1), value("Mill", kind="building", worth="", closed=NONE)))
    )
    assert "Objective Worth Held by" in text
    assert "Mill (building) Blue" in text
