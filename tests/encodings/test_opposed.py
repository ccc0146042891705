"""The battles that a turn can bring about: who defends, and who can attack."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.opposed import GUNS, fights_of
from vclogic_encodings.axis_allies.armies.turn import TurnStep

from tests.encodings.test_army_battles import first_turn
from tests.fixtures.games import loaded
from vclogic.model.system import IDLE
from vclogic.terms.atoms import constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import variables


def test_fights_of_the_first_turn_of_the_germans() -> None:
    m = first_turn("Germans")
    fights = {f.place: f for f in fights_of(m)}
    egypt, zone = fights["Anglo Egypt"], fights["13 Sea Zone"]
    assert egypt.defenders == {"infantry": 1, "armour": 1, "fighter": 1}
    assert {"infantry", "armour", "fighter", "bomber"} <= set(egypt.attackers)
    assert fights["Caucasus"].most[f"{GUNS}battleship"] == 1
    assert set(variables(*egypt.attackers.values(), *egypt.guns.values())) <= set(variables(*m.laws))
    assert fights["Caucasus"].defenders == {"infantry": 3, "armour": 1, "aa_gun": 1, "artillery": 1}
    assert zone.at_sea
    assert zone.most["transport"] == 2
    assert "Gibraltar" not in fights  # nobody defends it
    assert "35 Sea Zone" not in fights  # nobody can come


def test_who_flew_and_marched_before_the_plan_begins_fights_by_kind() -> None:
    game = loaded("axis_allies", level="armies").apply("end_turn")
    way = {"from": "Norway", "to": "Karelia S.S.R."}
    game = game.apply("fly", power="Germans", unit="fighter", landing="Norway", **way)
    game = game.apply("march", power="Germans", unit="infantry", count=2, **way)
    layout, metric = game.setup.system.layout, game.setup.system.metric("moves")
    start = layout.constants(game.state)
    assert metric
    step = metric.transition("Axis", IDLE, start).at(start)
    assert isinstance(step, TurnStep)
    fight = next(f for f in fights_of(step.turn) if f.place == "Karelia S.S.R.")
    none = {c: constant(c.sort, 0) for c in step.choices if c.sort != BOOL}
    fixed = {u: Substitution(none)(n) for u, n in fight.attackers.items()}
    assert {u: n.value for u, n in fixed.items() if n.value} == {"fighter": 1, "infantry": 2}
