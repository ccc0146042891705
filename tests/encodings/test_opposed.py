"""The battles that a turn can bring about: who defends, and who can attack."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.opposed import GUNS, fights_of

from tests.encodings.test_army_battles import first_turn
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
