"""Whatever the methods of `Game` and `Planner` are given: an answer, or an error in words that names the argument.

They and their arguments are looked up, so that a new one is tried as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.hostile.arguments import WRONG, foreign, methods, parameters
from vclogic.clock import TimeUp
from vclogic.errors import InputError, shown
from vclogic.game import Game
from vclogic.query.planner.planner import Planner

OWN = "examples/two_islands.yaml"
GOAL = "vcp(Axis) >= 1"
METHODS = list(methods())
EACH = [(cls, method, name) for cls, method in METHODS for name in parameters(cls, method)]
OF_AN_EVENT = {"apply", "explain_event"}
"""Their first argument has no name, and the others are those of the event."""
WITH_DICE = "axis_allies"
BESIDE: Mapping[tuple[type, str], Mapping[str, Any]] = {
    (Game, "defend"): {"side": "Axis"},
    (Game, "objectives"): {"goal": GOAL},
    (Game, "odds"): {"at": "Caucasus"},
}
"""What is given beside what is tried, so that it is looked at."""
QUICK = {"timeout": 0.001, "budget_s": 0.001}


def test_nothing_is_left_out() -> None:
    assert len(METHODS) >= 30
    assert len(EACH) >= 100


@cache
def right() -> Mapping[str, Any]:
    """A right value for each argument that must be given."""
    game = loaded(OWN)
    return {
        "attack": "infantry: 1",
        "before": game,
        "event": "end_turn",
        "expression": "round",
        "expressions": "round",
        "facts": {},
        "game": WITH_DICE,
        "goal": GOAL,
        "moments": [game],
        "other": game,
        "plan": game.plan(GOAL, timeout=5),
        "question": "round == 1",
        "state": {},
        "threat": GOAL,
    }


@cache
def planner() -> Planner:
    return loaded(OWN).planner("Axis")


def called(cls: type, method: str, /, **given: Any) -> Any:
    """What a method answers to some arguments, and to right ones where others must be given."""
    asked = parameters(cls, method)
    needed = {n: right()[n] for n, must in asked.items() if must}
    quick = {n: x for n, x in QUICK.items() if n in asked}
    named = {**needed, **BESIDE.get((cls, method), {}), **quick, **given}
    alone = [named.pop("event")] if method in OF_AN_EVENT else []
    of: Any = loaded(WITH_DICE, level="armies") if method == "odds" else loaded(OWN) if cls is Game else planner()
    return getattr(of, method)(*alone, **named)


def places(error: InputError, cls: type, method: str) -> bool:
    """Whether all that an error says is about an argument of a method, by its name or as the file that it names."""
    known = [n.rstrip("s") for n in parameters(cls, method)] + ["no file", "cannot read"] * (method == "load")
    return all(
        str(d.file).startswith("<") or any(n in f"{d.message} {d.file}" for n in known) for d in error.diagnostics
    )


@pytest.mark.parametrize(
    ("cls", "method", "name"), [e for e in EACH if not (e[1] in OF_AN_EVENT and e[2] == "event")]
)
def test_a_misspelled_argument_is_refused_with_its_name(cls: type, method: str, name: str) -> None:
    with pytest.raises(InputError) as refused:
        called(cls, method, **{f"{name[:-1]}_{name[-1]}": right().get(name)})
    assert f"{name[:-1]}_{name[-1]}" in str(refused.value)
    assert f"'{name}'" in str(refused.value)


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("cls", "method", "name"), EACH)
def test_a_wrong_value_is_answered_or_refused_by_the_name_of_its_argument(
    cls: type, method: str, name: str, share: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A usual run tries each fourth value, others for each argument."""
    monkeypatch.chdir(tmp_path)
    wrong = []
    for value in (*WRONG, *foreign_once())[EACH.index((cls, method, name)) % share :: share]:
        try:
            called(cls, method, **{name: value})
        except InputError as error:
            if not places(error, cls, method):
                wrong.append(f"{shown(value)}: {error.diagnostics}")
        except (Exception, TimeUp) as error:
            wrong.append(f"{type(value).__name__}: {type(error).__name__}: {str(error)[:200]}")
    assert not wrong, "\n".join(wrong)


@cache
def foreign_once() -> tuple[Any, ...]:
    return foreign()


def test_what_a_game_is_loaded_from_is_answered_or_refused() -> None:
    for value in WRONG:
        for name in ("game", "at", "settings"):
            given: dict[str, Any] = {"game": WITH_DICE, name: value}
            with suppress(InputError):
                vclogic.load(**given)
