"""How an answer says what the enemies can take back."""

from __future__ import annotations

from collections.abc import Callable

import jsonschema
from rich.console import RenderableType

from tests.report import answers
from vclogic.query.plan.risks import BattleBefore, Counterattack, ExposedPlace, Exposure, TurnExposed
from vclogic.report import json
from vclogic.report.text.plan import exposed
from vclogic.serve.schemas import answer_schema

Piped = Callable[[RenderableType], str]
WHEN: dict[str, int | str] = {"round": 1, "turn": "Germans"}


def attack(power: str, chance: float, text: str = "3 infantry", at_most: float | None = None) -> Counterattack:
    first = (BattleBefore("S1", {"destroyer": 1}, 0.5),) if "S1" in text else ()
    return Counterattack(power, chance, {"infantry": 3}, {}, first, text, chance if at_most is None else at_most)


def place(name: str, *attacks: Counterattack, taken: bool = True) -> ExposedPlace:
    return ExposedPlace(name, name, taken, {"armour": 1}, "1 armour", attacks)


SAID = Exposure(
    (
        TurnExposed(
            WHEN,
            2,
            1,
            (
                place("Russia (Moscow, 5 VCP)", attack("Russians", 0.9991), attack("British", 0.123)),
                place(
                    "Norway", attack("British", 0.001, "2 infantry, once 1 destroyer has won S1 (50 %)"), taken=False
                ),
                place("Ukraine", attack("Russians", 0.0, "", 0.4)),
            ),
        ),
        TurnExposed({"round": 1, "turn": "Japanese"}, 1, 0, ()),
    ),
    0.05,
    complete=False,
    reason="the time is up",
)


def test_it_reads_like_this(piped: Piped) -> None:
    found = exposed(SAID)
    assert found is not None
    assert (
        piped(found)
        == """\
What the enemy can take back (each power's strongest attack on each place in its next turn)
  round 1, after the Germans:
    Russia (Moscow, 5 VCP), held by 1 armour: Russians over 99 % with 3 infantry; British 12 % with 3 infantry
    Norway, left, now held by 1 armour: British under 1 % with 2 infantry, once 1 destroyer has won S1 (50 %)
    Ukraine, held by 1 armour: Russians at most 40 %
  round 1, after the Japanese: nothing with a chance of more than 5 %
  later turns were not looked at: the time is up
  What is taken is likely to be lost again: --hold 0.5 asks for plans that hold it
"""
    )


def test_into_an_empty_place_the_enemy_walks(piped: Piped) -> None:
    empty = ExposedPlace("Norway", "Norway", False, {}, "nobody", (attack("British", 1.0), attack("Russians", 0.5)))
    found = exposed(Exposure((TurnExposed(WHEN, 0, 1, (empty,)),), 0.05, complete=True))
    assert found is not None
    assert "Norway, left, now held by nobody: British walk in; Russians 50 % with 3 infantry" in piped(found)
    assert "--hold" not in piped(found)  # it is not about places that are left


def test_many_places_are_cut_with_a_count(piped: Piped) -> None:
    turn = TurnExposed(WHEN, 9, 0, tuple(place(f"P{n}", attack("Russians", 0.5)) for n in range(9)))
    found = exposed(Exposure((turn,), 0.05, complete=True))
    assert found is not None
    assert "P5, held" in piped(found)
    assert "P6" not in piped(found)
    assert "and 3 places more, worth less" in piped(found)


def test_nothing_is_said_of_a_plan_without_turns() -> None:
    assert exposed(None) is None
    assert exposed(Exposure((), 0.05, complete=True)) is None


def test_a_document_has_all_of_it() -> None:
    document = json.document("plan", answers.plan(exposed=SAID))
    jsonschema.validate(document, answer_schema("plan"))
    first = document["exposed"]["turns"][0]["places"][0]
    assert (first["place"], first["attacks"][0]["power"]) == ("Russia (Moscow, 5 VCP)", "Russians")
    assert "exposed" not in json.document("plan", answers.plan())
