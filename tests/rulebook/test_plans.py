"""Plans for what a text says cost what plans for the same said as a goal cost; what is remembered takes its time."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import vclogic
from vclogic.errors import InputError
from vclogic.rulebook.meaning.names import moments_of
from vclogic.rulebook.statements import MOMENTS

ENCODINGS = Path(__file__).parents[2] / "encodings" / "vclogic_encodings"
GOALS = (
    ("okinawa/small", "Japan", "vp_at_end(Japan) >= 11", "over"),
    ("okinawa/small", "US", "units_in(US, Central) >= 5 and vp_at_end(US) >= 5", "over"),
    ("asl/points", "Russian", "cvp(Russian) >= 8", ""),
    ("asl/22u3", "Russian", "controls_location(Russian, 22V2/0)", ""),
    ("axis_allies", "Axis", "vcp(Axis) >= 36", ""),
    ("moscow/small", "German", "vp(German) >= 3", ""),
)


def _cost(game: str, side: str, goal: str, outcomes: str = "") -> tuple[str, int | None]:
    found = vclogic.load({"game": game, **({"outcomes": outcomes} if outcomes else {})})
    plan = found.plan(goal, side=side, timeout=300)
    return plan.status, plan.cost


QUICK = ("asl/22u3", "axis_allies")
CASES = [pytest.param(*g, marks=() if g[0] in QUICK else pytest.mark.slow, id=f"{g[0]} {g[2]}") for g in GOALS]


@pytest.mark.parametrize(("game", "side", "goal", "ended"), CASES)
def test_a_text_costs_what_the_goal_costs(game: str, side: str, goal: str, ended: str) -> None:
    wanted = _cost(game, side, goal)
    assert wanted[0] in ("optimal", "impossible")
    assert _cost(game, side, f"holds(typed, {side})", f"{side} wins typed at once if {goal}") == wanted
    named = f"so means {goal}\n{side} wins typed at once if so"
    assert _cost(game, side, f"holds(typed, {side})", named) == wanted
    if ended:
        at_end = _cost(game, side, f"{goal} and {ended}")
        assert _cost(game, side, f"holds(typed, {side})", f"{side} wins typed at the end if {goal}") == at_end


@pytest.mark.parametrize(
    ("game", "side", "of", "metric", "fewest"),
    [  # who begins: Japan, the Germans, the French, the Russians and then the Germans
        pytest.param("napoleonics/erlenbach", "Allied", "Allied", "turns", 2, marks=pytest.mark.slow),
        ("napoleonics/erlenbach", "Allied", "French", "turns", 1),
        pytest.param("napoleonics/erlenbach", "French", "Allied", "turns", 2, marks=pytest.mark.slow),
        ("okinawa/small", "US", "US", "turns", 2),
        ("okinawa/small", "US", "Japan", "turns", 2),
        ("okinawa/small", "Japan", "US", "turns", 3),
        ("moscow/small", "German", "German", "turns", 2),
        ("moscow/small", "German", "Soviet", "turns", 2),
        ("axis_allies", "Axis", "Germans", "turns", 3),
        ("axis_allies", "Axis", "Russians", "turns", 2),
    ],
)
def test_turns_are_counted_as_they_are_played(game: str, side: str, of: str, metric: str, fewest: int) -> None:
    """Two turns of somebody take as many turns of the side as come before the second of them is over."""
    text = f"fact n: 0 to 9\n  rises by 1 at the end of a turn of {of}"
    found = vclogic.load({"game": game, "outcomes": text})
    plan = found.plan("n >= 2", side=side, minimize=metric, timeout=300)
    assert plan.status == "optimal"
    assert plan.cost == fewest


@pytest.mark.slow
def test_a_fact_over_many_turns_is_planned_where_most_units_are_off_the_map(tmp_path: Path) -> None:
    """Proofs over all steps leave out the moves of units that do not bear on it."""
    (tmp_path / "strip.yaml").write_text((ENCODINGS / "okinawa" / "strip.yaml").read_text("utf-8"), "utf-8")
    text = "fact a: 0 to 4\n  falls by round at the end of a round if at(Marines) == '5,0'\n"
    text += "  rises by 1 at the start of a round if 2 >= round"
    file = tmp_path / "position.yaml"
    position = {"game": "okinawa", "board": "strip.yaml", "state": {"at": {"Marines": "3,1"}}, "outcomes": text}
    file.write_text(yaml.safe_dump(position), "utf-8")
    plan = vclogic.load(str(file)).plan("a == 4", side="US", minimize="turns", timeout=300)
    assert plan.status == "impossible"


GAMES = ("asl/points", "axis_allies", "moscow/small", "napoleonics/erlenbach", "okinawa/small")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_game_has_the_moments_that_it_names(game: str, moment: str) -> None:
    """As the reference page of each game shows them."""
    has = moments_of(vclogic.load(game).setup.system)
    text = f"fact n: 0 to 9\n  rises by 1 {moment}\nside wins example {moment} if true"
    if moment in has:
        assert any(o.rule == "example" for o in vclogic.load({"game": game, "outcomes": text}).status().outcomes)
        return
    with pytest.raises(InputError) as caught:
        vclogic.load({"game": game, "outcomes": text})
    assert all("this game has no" in d.message for d in caught.value.diagnostics)


def test_others_stand_still_and_what_happens_by_itself_happens() -> None:
    game = vclogic.load(str(Path(__file__).parent / "said" / "alone_in_the_water.md"))
    game = game.at_state({"at": {"A": "C1", "B": "C2"}})
    still = game.plan("at(B) == sunk", side="Red", without=["go: {unit: B}"])
    assert still.status == "optimal"
    assert still.record is not None
    assert still.record.events is not None
    assert [dict(e.args)["unit"] for e in still.record.events if e.name == "go"] == ["A"]
    both = game.plan("at(B) == sunk", side="Red", without=["go: {unit: B}", "go: {unit: A}"])
    assert both.status == "impossible"
    assert any("idle" in a for a in both.assumptions)
