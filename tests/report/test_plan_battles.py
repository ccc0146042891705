"""The battles of a plan in reports and pictures: each with its chance, the weakest marked, all of them together."""

from __future__ import annotations

import json as standard
from collections.abc import Callable
from xml.etree import ElementTree

import jsonschema
import pytest
from rich.console import RenderableType

from tests.fixtures.pictures import SVG, description, laid_out
from tests.report import answers
from tests.report.battles import fought, of_a_plan
from vclogic.draw.boxes import width
from vclogic.draw.svg import svg
from vclogic.errors import InputError
from vclogic.model.picture import Party, Picture, Region
from vclogic.query.answers import Recorded
from vclogic.query.plan.answer import OnePlan, Plans
from vclogic.query.plan.file import battles_in
from vclogic.query.plan.risks import FoughtBattle
from vclogic.report import json
from vclogic.report.text.plan import plan
from vclogic.serve.schemas import answer_schema

Piped = Callable[[RenderableType], str]
BOUND = "fewest captures are a bound"
LATER = {"round": 2, "turn": "Blue"}
THREE = (
    fought(1, "Hill", 0.25, guns={"armour": 1}),
    fought(2, "Bay", 0.125, at_sea=True),
    fought(3, "Ford", 1.0, attacker="Blue", turn=LATER, attackers={"infantry": 1}, defenders={"fighter": 1}),
)


def test_battles_stand_below_the_steps(piped: Piped) -> None:
    shown = piped(plan(answers.plan(battles=of_a_plan(*THREE, weakest=2))))
    assert (
        """\
2.  Red take Hill [north] from Home [C/1, C/2]

Battles (chances by the dice; antiaircraft fire included)
  round 1  Red take Hill   1 armour, 2 fighters, with 1 armour bombarding, against 3       25.0 %
                           infantry
           Red clear Bay   1 armour, 2 fighters against 3 infantry                         12.5 %  the weakest
  round 2  Blue take Ford  1 infantry against 1 fighter                                     100 %
  all of them: 3.1 %, the product; each by itself
  losses to expect: 4.50 units, worth 37.50 gold

Replayed:"""
        in shown
    )
    assert "bound" not in shown


def test_one_battle_is_not_combined(piped: Piped) -> None:
    shown = piped(plan(answers.plan(battles=of_a_plan(fought()))))
    assert "against 3 infantry  25.0 %\n  losses to expect: 1.50 units, worth 12.50 gold\n\n" in shown
    assert "all of them" not in shown
    assert "weakest" not in shown


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ((0.25, 0.5), "The chance that all 2 battles go as planned is 12.5 %: fewest captures are a bound\n"),
        ((0.25,), "The chance that its battle goes as planned is 25.0 %: fewest captures are a bound\n"),
        (
            (0.25, None),
            "The chance that all 2 battles go as planned is at most 25.0 %: fewest captures are a bound\n",
        ),
        ((1e-7,), "is under 0.1 %: "),
        ((0.5,), None),
        ((0.9, None), None),
    ],
)
def test_a_low_chance_is_in_the_head(piped: Piped, chances: tuple[float | None, ...], said: str | None) -> None:
    found = of_a_plan(*(fought(n, chance=x) for n, x in enumerate(chances, 1)), advice=BOUND)
    head = piped(plan(answers.plan(battles=found))).partition("1.  ")[0]
    assert (BOUND in head) == (said is not None)
    assert said is None or said in head


@pytest.mark.parametrize(
    ("chance", "said"),
    [(0.99999, "over 99.9 %"), (1.0, "100 %"), (1e-9, "under 0.1 %"), (0.0, "0 %"), (0.9954, "99.5 %")],
)
def test_what_is_possible_is_not_shown_as_certain(piped: Piped, chance: float, said: str) -> None:
    shown = piped(plan(answers.plan(battles=of_a_plan(fought(chance=chance), fought(2, chance=1.0)))))
    assert f"  {said}\n" in shown
    assert f"  all of them: {said}, the product" in shown


def test_a_chance_that_is_left_out_says_why(piped: Piped) -> None:
    shown = piped(plan(answers.plan(battles=of_a_plan(fought(), fought(2, chance=None)))))
    assert "?  left out, as the time was up\n" in shown
    assert "losses to expect" not in shown
    assert "all of them: at most 25.0 % (without 1 battle: left out, as the time was up), the product;" in shown


def test_further_plans_have_their_battles(piped: Piped) -> None:
    first = answers.plan(battles=of_a_plan(fought()))
    other = OnePlan(first.steps, Recorded(()), of_a_plan(fought(place="Vale", chance=0.75)))
    shown = piped(plan(answers.plan(plans=Plans((OnePlan(first.steps, Recorded(())), other), True))))
    assert "Red take Vale" in shown.partition("Plan 2")[2]
    assert "75.0 %" in shown


# ---- documents


def document(*found: FoughtBattle, weakest: int | None = None) -> dict[str, object]:
    battles = of_a_plan(*found, weakest=weakest)
    made = json.document(
        "plan", answers.plan(battles=battles, plans=Plans((OnePlan((), Recorded(()), battles),), True))
    )
    return dict(standard.loads(json.dumps(made)))


def test_a_document_has_what_its_schema_says() -> None:
    validator = jsonschema.Draft202012Validator(answer_schema("plan"))
    made = document(*THREE, fought(4, chance=None), weakest=2)
    validator.validate(made)
    battles = made["battles"]
    assert isinstance(battles, dict)
    assert [b["chance"] for b in battles["fought"]] == [0.25, 0.125, 1.0, None]
    assert ["reason" in b for b in battles["fought"]] == [False, False, False, True]
    assert (battles["chance"], battles["weakest"]) == (None, 2)
    assert set(battles) == {
        "fought",
        "chance",
        "error",
        "weakest",
        "losses",
        "value_lost",
        "combined",
        "currency",
        "assumptions",
    }
    battles["fought"][0]["place"] = 3
    assert not validator.is_valid(made)


def test_battles_are_read_from_a_document() -> None:
    found = battles_in(document(*THREE, fought(4, chance=None), weakest=2), "plan.json")
    assert found is not None
    assert found.fought == (*THREE, fought(4, chance=None))
    assert (found.chance, found.weakest, found.overall) == (None, 2, "at most 3.1 %")
    assert battles_in({}, "plan.json") is None


@pytest.mark.parametrize(
    "battles",
    [
        {},
        [],
        7,
        {"fought": [{}]},
        {"fought": 3},
        {"fought": [], "chance": "high"},
        {"fought": [], "chance": 1.0, "error": 0, "weakest": "first"},
        {"fought": [], "chance": 1.0, "error": [], "weakest": None},
    ],
    ids=str,
)
def test_battles_that_are_none_are_refused(battles: object) -> None:
    with pytest.raises(InputError) as wrong:
        battles_in({"battles": battles}, "plan.json")
    assert "its battles are not as vclogic writes them" in wrong.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("key", "odd"), [("place", 7), ("place", None), ("chance", "high"), ("n", "1"), ("turn", 3), ("reason", 1)]
)
def test_a_battle_with_another_value_is_refused(key: str, odd: object) -> None:
    made = document(fought())
    assert isinstance(made["battles"], dict)
    made["battles"]["fought"][0][key] = odd
    with pytest.raises(InputError):
        battles_in(made, "plan.json")


# ---- pictures


def small(*regions: Region) -> Picture:
    return Picture((), (Party("Reds", "R", "Left"),), regions, title="small")


def test_a_box_shows_its_battle() -> None:
    regions = (
        Region("Hill", "land", "Hill", (0, 0), "Reds", battle="25.0 %, over 99.9 %", weakest=True),
        Region("Bay", "sea", "1", (5, 5), battle="100 %"),
        Region("Ford", "land", "Ford", (9, 0)),
    )
    root = ElementTree.fromstring(svg(small(*regions)))
    texts = [t.text for t in root.iter(f"{SVG}text")]
    assert "battle 25.0 %, over 99.9 %, the weakest" in " ".join(map(str, texts))
    assert "battle 100 %" in texts
    assert sum(str(t).startswith("battle ") for t in texts) == 2
    assert any("by the dice" in str(t) for t in texts)
    assert "Hill: battle 25.0 %, over 99.9 %, the weakest; 1: battle 100 %." in description(root)
    for card in laid_out(small(*regions)).cards.values():
        assert all(width(line, 10.5) < card.box.w for line in card.battle)


def test_a_picture_without_battles_says_nothing_of_them() -> None:
    assert "battle" not in svg(small(Region("Hill", "land", "Hill", (0, 0), "Reds")))
