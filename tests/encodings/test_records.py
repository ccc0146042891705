"""Random legal records of Axis & Allies: Python against z3, and positions and records that come back from files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import MORE, examples
from tests.oracles.placement_limits import ORDER
from tests.toys.victory_cities_play import MEMO, Moment, beginning, random_settings, record
from vclogic.conformance.games import random_arguments
from vclogic.conformance.meaning import RuleReader, named_terms, probes
from vclogic.encode.python.evaluator import interpret
from vclogic.files.position import load_setup
from vclogic.files.setup import Setup
from vclogic.files.write import write_position
from vclogic.game import Game
from vclogic.model.actions import Event

GROUND = 3  # ground observables of each kind that are looked at in one example
TERMS = 40 if MORE else 15  # of these, the rules and the outcomes, so many are looked at in one example
LOOKED_AT = 3  # moments of a record that are looked at
EVENTS = 4  # events whose requirements and effects are looked at
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 14)


def sample(moments: list[Moment], rng: Random) -> list[Moment]:
    """The last moment and some others."""
    return [moments[-1], *rng.sample(moments[:-1], min(LOOKED_AT, len(moments)) - 1)]


@examples(9)
@given(seeds, lengths)
def test_python_and_z3_agree_along_a_record(seed: int, length: int) -> None:
    rng = Random(seed)
    moments = record(beginning(random_settings(rng), rng), length, rng)
    system = moments[0].system
    every = named_terms(system, rng, GROUND)
    terms = {name: every[name] for name in rng.sample(sorted(every), TERMS)}
    schemas = rng.sample(system.events, EVENTS)
    for event in [*moments[-1].history[-1:], *(s.event(random_arguments(s, rng)) for s in schemas)]:
        action = system.action(event)
        terms |= {f"{event} needs {i}": r.term for i, r in enumerate(action.requirements)}
        changes = rng.sample(action.effects, min(8, len(action.effects)))
        terms |= {f"{event} makes {f.name}": new for f, new in changes}
    asked = probes(terms)
    reader = RuleReader(asked, portable=rng.random() < 0.5)
    for moment in sample(moments, rng):
        values = {name: interpret(t, system.layout.slot, moment.state) for name, t in asked.items()}
        assert reader.differing(system.layout.constants(moment.state), values) == {}


# ---- files


def load(folder: Path, text: str, form: str) -> Setup:
    """A position file, as it is or as JSON."""
    file = folder / f"position.{form}"
    file.write_text(json.dumps(yaml.safe_load(text)) if form == "json" else text, encoding="utf-8")
    return load_setup(str(file), memo=MEMO)


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_positions_and_records_come_back(form: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("back")

    @examples(8)
    @given(seeds, lengths)
    def come_back(seed: int, length: int) -> None:
        rng = Random(seed)
        moments = record(beginning(random_settings(rng), rng), length, rng)
        setup = moments[0].setup
        for moment in sample(moments, rng):
            assert load(folder, write_position(setup, moment.state), form).initial == moment.state
        last = moments[-1]
        back = load(folder, write_position(setup, last.start, last.history), form)
        assert (back.initial, back.settings) == (last.start, setup.settings)
        assert tuple(s.event for s in back.record) == last.history
        assert Game.load(str(folder / f"position.{form}")).state == last.state

    come_back()


def position(tmp_path: Path, **state: object) -> dict[str, object]:
    """The values in a position that gives some."""
    file = tmp_path / "p.json"
    file.write_text(json.dumps({"game": "axis_allies", "state": state}))
    setup = load_setup(str(file), memo=MEMO)
    return {v.name: x for v, x in setup.system.layout.values(setup.initial).items()}


@pytest.mark.parametrize("turn", ORDER)
@pytest.mark.parametrize("round_", [1, 2, 7])
def test_who_has_had_a_turn_follows_from_round_and_turn(turn: str, round_: int, tmp_path: Path) -> None:
    found = position(tmp_path, turn=turn, round=round_)
    before = ORDER if round_ > 1 else ORDER[: ORDER.index(turn)]
    assert {p for p in ORDER if found[f"first_turn_done[{p}]"]} == set(before)


def test_a_list_says_of_all_powers_whether_they_had_a_turn(tmp_path: Path) -> None:
    for listed in ([], ["Russians"], ["Americans", "Germans"]):
        for turn in ("Russians", "Americans"):
            found = position(tmp_path, turn=turn, round=2, first_turn_done=listed)
            assert {p for p in ORDER if found[f"first_turn_done[{p}]"]} == set(listed)


def test_a_mapping_leaves_the_others_as_they_would_be(tmp_path: Path) -> None:
    found = position(tmp_path, turn="British", first_turn_done={"Russians": False, "Japanese": True})
    assert {p for p in ORDER if found[f"first_turn_done[{p}]"]} == {"Germans", "Japanese"}


def test_the_owner_when_the_turn_began_is_the_present_one_unless_given(tmp_path: Path) -> None:
    found = position(
        tmp_path, owner={"India": "Germans", "China": "Japanese"}, owner_at_turn_start={"China": "British"}
    )
    assert found["owner_at_turn_start[India]"] == "Germans"
    assert (found["owner[China]"], found["owner_at_turn_start[China]"]) == ("Japanese", "British")
    assert found["owner_at_turn_start[Russia]"] == "Russians"


def test_nothing_is_placed_bought_or_attacked_unless_given(tmp_path: Path) -> None:
    found = position(tmp_path, placed={"Moscow": {"infantry": 2}}, attacked=["Karelia"])
    assert [name for name, x in found.items() if name.startswith("placed") and x] == ["placed[Russia, infantry]"]
    assert [name for name, x in found.items() if name.startswith("attacked") and x] == ["attacked[Karelia S.S.R.]"]
    assert not any(x for name, x in found.items() if name.startswith(("bought", "declared", "emergency")))


@examples(18)
@given(seeds, lengths)
def test_a_turn_s_end_forgets_what_belonged_to_the_turn(seed: int, length: int) -> None:
    rng = Random(seed)
    moment = record(beginning((), rng), length, rng)[-1]
    after = moment.after(Event("end_turn"))
    for t in after.land:
        assert (
            after.values[f"owner_at_turn_start[{t}]"] == after.values[f"owner[{t}]"] == moment.values[f"owner[{t}]"]
        )
        assert not after.values[f"attacked[{t}]"]
        assert not after.values[f"failed_attacks[{t}]"]
        assert not after.values[f"declared[{t}]"]
        assert not after.at(t).placed
        assert after.values[f"complexes[{t}]"] == moment.values[f"complexes[{t}]"]
    assert after.values[f"first_turn_done[{moment.turn}]"]
    assert after.turn == ORDER[(ORDER.index(moment.turn) + 1) % len(ORDER)]
    assert after.values["round"] == int(moment.values["round"]) + (moment.turn == ORDER[-1])
