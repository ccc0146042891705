"""The orders of a turn as a player reads them: battle by battle, those at sea first, then what fights nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.axis_allies.armies.orders import orders

from tests.encodings.test_army_battles import first_turn
from vclogic.model.step_text import StepText
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.rewrite import Substitution


def told(power: str, chosen: Mapping[str, int]) -> list[StepText]:
    turn = first_turn(power)
    names = {c.name: c for c in (*(f.count for f in turn.flows), *turn.flags.values())}
    return orders(turn, {names[name]: n for name, n in chosen.items()})


def by_heading(steps: list[StepText]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for s in steps:
        assert s.under is not None
        found.setdefault(s.under.heading, []).append(s.under.text)
    return found


def test_a_landing_is_told_with_its_ships_before_aircraft_and_capitals_come_last() -> None:
    steps = told(
        "Germans",
        {
            "march armour West Russia > Russia": 1,
            "capture Russia": 1,
            "sortie fighter Norway > Russia": 1,
            "return fighter Russia > West Russia": 1,
            "carry transport 14 Sea Zone > 14 Sea Zone > 16 Sea Zone": 1,
            "load infantry Southern Europe > 14 Sea Zone (16 Sea Zone, transport)": 2,
            "land infantry 16 Sea Zone > Caucasus (14 Sea Zone, transport)": 2,
            "capture Caucasus": 1,
            "sail battleship 14 Sea Zone > 16 Sea Zone": 1,
            "bombard battleship 16 Sea Zone > Caucasus": 1,
            "carry transport 5 Sea Zone > 5 Sea Zone > 7 Sea Zone": 1,
        },
    )
    assert by_heading(steps) == {
        "Germans take Caucasus (Stalingrad, 3 VCP)": [
            "2 infantry from Southern Europe by sea (14 Sea Zone and 16 Sea Zone)",
            "1 transport carrying from 14 Sea Zone to 16 Sea Zone",
            "1 battleship from 14 Sea Zone to 16 Sea Zone",
            "1 battleship in 16 Sea Zone supports the landing",
        ],
        "Germans take Russia (Moscow, 5 VCP)": [
            "1 armour from West Russia",
            "1 fighter from Norway, landing in West Russia",
        ],
        "Germans also move": ["1 transport from 5 Sea Zone to 7 Sea Zone"],  # nothing aboard: it carries nothing
    }
    assert [s.under.place for s in steps if s.under] == ["Caucasus"] * 4 + ["Russia"] * 2 + [""]


def test_aircraft_fly_to_a_battle_only_where_there_is_one() -> None:
    """However moves are counted: a plan that is not the cheapest may else hold flights that no player can make."""
    turn = first_turn("Germans")
    flights = [flow for flow in turn.flows if flow.kind == "sortie"]
    assert len(flights) > 20
    for flight in flights:
        won = turn.flags.get(f"capture {flight.target}", turn.flags.get(f"clear {flight.target}"))
        assert won is not None
        here = Substitution({flight.count: integer(1), won: FALSE})
        assert FALSE in {here(law) for law in turn.laws}, flight.count.name
