"""Okinawa as text and as Python, on the same boards: both allow the same records, and say the same of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from tests.oracles.okinawa import READINGS, SIDES
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.fluents import Value

seeds = st.integers(0, 10**9)
ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "encodings" / "vclogic_encodings" / "okinawa"
SETTINGS = {name: values for name, values in READINGS.items() if name != "removal_edge"}  # it knows one edge alone
SETTINGS |= {"early_end": ("allowed", "refused")}
OF_SIDES = (
    "vp",
    "vp_at_end",
    "margin",
    "elimination_points",
    "retreat_points",
    "exit_points",
    "zone_points",
    "units_on_map",
)
ALONE = ("cut_off_points", "automatic", "without_loc(US)", "exited", "removed", "removals")
WON = ("holds(victory, Japan)", "holds(victory, US)", "holds(automatic_victory, Japan)")


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with positions of both kinds on some boards."""
    folder = tmp_path_factory.mktemp("okinawa")
    text = Path(__file__).parent / "boards" / "okinawa_whole.md"
    (folder / text.name).write_text(text.read_text())
    for name in ("strip", "small"):
        (folder / f"{name}.yaml").write_text((BOARDS / f"{name}.yaml").read_text())
        (folder / f"text_{name}.yaml").write_text(f"game: {text.name}\nboard: {name}.yaml\n")
        (folder / f"python_{name}.yaml").write_text(f"game: okinawa\nboard: {name}.yaml\n")
    return folder


def names(game: Game, event: str, argument: str) -> list[str]:
    schema = game.setup.system.schemas[event]
    return [str(x) for p in schema.parameters if p.name == argument for x in p.values]


def differences(old: Game, new: Game) -> dict[str, tuple[object, object]]:
    """The expressions of which the two games have different values, with these."""
    units, hexes = names(old, "move", "unit"), names(old, "move", "to")
    asked = [f"{name}({side})" for name in OF_SIDES for side in SIDES] + [*ALONE, *WON]
    asked += [f"units_in({side}, {zone})" for side in SIDES for zone in ("Southern", "Central", "Northern")]
    asked += [f'{name}("{unit}")' for unit in units for name in ("at", "on_map", "value")]
    asked += [f'{name}("{h}")' for h in hexes for name in ("usable", "zoc", "joined")]
    ours = names(old, "remove", "unit")
    side = old.setup.system.vocabulary.kinds["unit"].properties["side"]
    asked += [f'loc("{u}")' for u in ours if side[u] == "US" and old.value(f'on_map("{u}")')]
    both = {text: (old.value(text), new.value(text)) for text in asked}
    return {text: pair for text, pair in both.items() if pair[0] != pair[1]}


def some_event(rng: Random, game: Game) -> tuple[str, dict[str, Value]]:
    """An event that the rules may allow, or not."""
    units, hexes = names(game, "move", "unit"), names(game, "move", "to")
    there = [u for u in units if game.value(f'on_map("{u}")')]
    unit = rng.choice(units if not there or rng.random() < 0.3 else there)
    if game.value("removals") and rng.random() < 0.6:
        return "remove", {"unit": unit}
    kinds = ("move", "retreat", "eliminate", "exit", "remove", "end_turn", "end_game")
    kind = rng.choices(kinds, (8, 4, 2, 3, 2, 2, 0.2))[0]
    args: dict[str, Value] = {} if kind in ("end_turn", "end_game") else {"unit": unit}
    if kind in ("move", "retreat"):
        args["to"] = rng.choice(hexes)
    if kind == "retreat":
        args["hexes"] = rng.randint(1, 4)
    if kind == "eliminate" and rng.random() < 0.4:
        args["same_result"] = rng.choice(("yes", "no", "auto"))
    return kind, args


def after(game: Game, event: str, args: dict[str, Value]) -> Game | None:
    try:
        return game.apply(event, **args)
    except InputError:
        return None


@examples(60)
@given(seed=seeds, board=st.sampled_from(("strip", "small")))
def test_both_allow_and_say_the_same(boards: Path, seed: int, board: str) -> None:
    rng = Random(seed)
    settings: dict[str, int | str] = {name: rng.choice(values) for name, values in SETTINGS.items()}
    old = vclogic.load(str(boards / f"python_{board}.yaml"), settings=settings)
    new = vclogic.load(str(boards / f"text_{board}.yaml"), settings=settings)
    assert differences(old, new) == {}
    for _ in range(25):
        event, args = some_event(rng, old)
        then, now = after(old, event, args), after(new, event, args)
        assert (then is None) == (now is None), (event, args, old.happened(), settings)
        if then is not None and now is not None:
            old, new = then, now
            assert differences(old, new) == {}, (event, args, settings)
