"""The heaviest questions of each command and game: those that would take long if there were no time limit."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.large_boards import random_areas, two_asl_boards, written
from vclogic.game import Game

_WHOLE_BOARD = Path(__file__).parents[1] / "examples" / "asl_whole_board.yaml"
_FULL = {"level": "armies", "theatre": "full"}
_ARMIES = {"level": "armies", "theatre": "land"}
_BRIDGEHEAD = "controls_building(Russian, 22U3)"


class Question(NamedTuple):
    """A question that would take long.

    Attributes:
        game: A scenario, or the name of a board that is made.
        command: What is asked.
        words: How it is named in the table.
        asked: The arguments.
        settings: Options and readings.
    """

    game: str
    command: str
    words: str
    asked: Mapping[str, Any]
    settings: Mapping[str, Any] = {}


def _more(what: str, more: int) -> Callable[[Game], str]:
    """A goal that asks for more than there is."""
    return lambda game: f"{what} >= {int(game.value(what) or 0) + more}"


QUESTIONS = (
    Question(
        "axis_allies",
        "plan",
        "full theatre, 40 points in 3 rounds",
        {"goal": "vcp(Axis) >= 40", "side": "Axis", "minimize": "moves", "within": 3},
        _FULL,
    ),
    Question(
        "axis_allies",
        "plan",
        "full theatre, most points in 2 rounds",
        {"maximize": "vcp(Axis)", "side": "Axis", "minimize": "moves", "within": 2},
        _FULL,
    ),
    Question("axis_allies", "plan", "50 points by turns", {"goal": "vcp(Axis) >= 50", "minimize": "turns"}),
    Question(
        "axis_allies",
        "plan",
        "40 points, the opponent helps",
        {"goal": "vcp(Axis) >= 40", "side": "Axis", "opponent": "helps"},
    ),
    Question("axis_allies", "reach", "armies, 34 points", {"goal": "vcp(Axis) >= 34", "side": "Axis"}, _FULL),
    Question("axis_allies", "missing", "50 points", {"goal": "vcp(Axis) >= 50", "limit": 1000}),
    Question("axis_allies", "compare", "bought infantry", {"other": ("bought_infantry", 1)}),
    Question("axis_allies", "check", "all codes, armies", {"scope": "reachable"}, _FULL),
    Question(
        "moscow/campaign", "plan", "no row uncovered", {"goal": "uncovered_rows(German) == 0", "side": "German"}
    ),
    Question(
        "moscow/campaign", "reach", "no row uncovered", {"goal": "uncovered_rows(German) == 0", "side": "German"}
    ),
    Question("moscow/campaign", "reach", "Moscow taken", {"goal": "holds(moscow, German)", "side": "German"}),
    Question("moscow/campaign", "missing", "Moscow taken", {"goal": "holds(moscow, German)", "limit": 1000}),
    Question("moscow/campaign", "compare", "rows", {"other": ("rows", 1)}),
    Question("moscow/campaign", "check", "all codes", {"scope": "reachable"}),
    Question(
        "okinawa/island",
        "plan",
        "30 cut off in 2 turns",
        {"goal": "without_loc(US) >= 30", "side": "Japan", "within": 2},
    ),
    Question("okinawa/island", "plan", "best score", {"maximize": "vp_at_end(Japan)", "side": "Japan", "within": 2}),
    Question("okinawa/island", "reach", "80 points", {"goal": "vp_at_end(Japan) >= 80", "side": "Japan"}),
    Question("okinawa/island", "check", "all codes", {"scope": "reachable"}),
    Question(
        "napoleonics/erlenbach",
        "plan",
        "5 banners",
        {"goal": "banners(French) >= 5", "side": "French", "within": 5, "minimize": "turns"},
        {"combat": "adjacent"},
    ),
    Question("napoleonics/erlenbach", "reach", "5 banners", {"goal": "banners(French) >= 5", "side": "French"}),
    Question("napoleonics/erlenbach", "check", "all codes", {"scope": "reachable"}),
    Question("asl/points", "reach", "100 points", {"goal": "cvp(Russian) >= 100", "side": "Russian"}),
    Question("asl/points", "check", "all codes", {"scope": "reachable"}),
    Question("two ASL boards", "plan", "a building", {"goal": _BRIDGEHEAD, "side": "Russian"}),
    Question(
        "two ASL boards", "reach", "a building", {"goal": f"{_BRIDGEHEAD} and cvp(Russian) >= 3", "side": "Russian"}
    ),
    Question(
        "two ASL boards",
        "reach",
        "a building and all points",
        {
            "goal": f"{_BRIDGEHEAD} and cvp(Russian) >= 60",
            "side": "Russian",
        },
    ),
    Question("two ASL boards", "missing", "a building", {"goal": _BRIDGEHEAD, "limit": 1000}),
    Question("two ASL boards", "check", "all codes", {}),
    *(
        Question(game, "solve", "who wins", {})
        for game in ("asl", "axis_allies", "moscow/small", "napoleonics/sankt-veit", "okinawa/small")
    ),
    *(
        Question(game, "ask", question, {"question": question, "all_readings": True, "explain": True})
        for game, question in (
            ("axis_allies", "vcp(Axis) >= 40"),
            ("moscow/campaign", "uncovered_rows(German) == 0"),
            ("okinawa/island", "vp_at_end(Japan) >= 80"),
            ("okinawa/island", "vp_at_end(US) >= 40"),
            ("napoleonics/erlenbach", "banners(French) >= 5"),
            ("asl/points", "cvp(Russian) >= 100"),
        )
    ),
    *(
        Question(game, "objectives", "a briefing", {"side": side})
        for game, side in (
            ("axis_allies", "Axis"),
            ("moscow/campaign", "German"),
            ("moscow/small", "German"),
            ("napoleonics/erlenbach", "French"),
            ("okinawa/island", "Japan"),
        )
    ),
    Question("asl", "objectives", "a building", {"goal": _BRIDGEHEAD, "side": "Russian"}),
    Question("axis_allies", "objectives", "armies, 30 points", {"goal": "vcp(Axis) >= 30", "side": "Axis"}, _ARMIES),
    *(
        Question(game, command, goal, {"goal" if command == "force" else "threat": goal, "side": side, "within": 2})
        for game, command, goal, side in (
            ("axis_allies", "force", "vcp(Axis) >= 30", "Axis"),
            ("axis_allies", "defend", "vcp(Axis) >= 30", "Allies"),
            ("moscow/campaign", "force", "holds(moscow, German)", "German"),
            ("moscow/campaign", "defend", "holds(moscow, Soviet)", "German"),
            ("okinawa/island", "force", "vp_at_end(Japan) >= 80", "Japan"),
            ("okinawa/small", "defend", "vp_at_end(US) >= 20", "Japan"),
            ("napoleonics/erlenbach", "force", "banners(French) >= 2", "French"),
            ("napoleonics/erlenbach", "defend", "banners(Allied) >= 2", "French"),
        )
    ),
    Question(
        "axis_allies",
        "odds",
        "40 units of five kinds a side, in fractions",
        {
            "attack": "infantry: 15, artillery: 5, armour: 8, fighter: 8, bomber: 4",
            "defend": "infantry: 15, artillery: 5, armour: 8, fighter: 8, bomber: 4",
            "at": "Ukraine S.S.R.",
            "side": "Axis",
            "exact": True,
        },
    ),
    *(
        Question(game, "missing", goal, {"goal": goal, "limit": 1000})
        for game, goal in (
            ("okinawa/island", "vp_at_end(Japan) >= 80"),
            ("napoleonics/erlenbach", "banners(French) >= 5"),
            ("asl/points", "cvp(Russian) >= 100"),
        )
    ),
    Question("okinawa/island", "compare", "lines over sea", {"other": ("line_over_sea", 1)}),
    Question("napoleonics/erlenbach", "compare", "who reaches both", {"other": ("both_reach", 1)}),
    Question("asl/points", "compare", "enemies in cellars", {"other": ("cellar_enemy", 1)}),
    *(
        question
        for board in ("2,000 areas", "5,000 areas")
        for question in (
            Question(board, "plan", "10 points more", {"goal": _more("vcp(Axis)", 10), "side": "Axis"}),
            Question(board, "plan", "the most points", {"maximize": "vcp(Axis)", "side": "Axis"}),
            Question(
                board,
                "reach",
                "100 territories more",
                {
                    "goal": _more("territories(Axis)", 100),
                    "side": "Axis",
                },
            ),
            Question(
                board,
                "missing",
                "100 territories more",
                {
                    "goal": _more("territories(Axis)", 100),
                    "limit": 1000,
                },
            ),
            Question(board, "compare", "bought infantry", {"other": ("bought_infantry", 1)}),
            Question(board, "check", "all codes", {}),
            Question(board, "objectives", "10 points more", {"goal": _more("vcp(Axis)", 10), "side": "Axis"}),
            Question(board, "ask", "points", {"question": "vcp(Axis) >= 2", "all_readings": True, "explain": True}),
        )
    ),
    Question(
        "1,000 areas, 400 units",
        "plan",
        "2 territories more in 3 rounds",
        {
            "goal": _more("territories(Axis)", 2),
            "side": "Axis",
            "within": 3,
        },
    ),
)


def file_of(name: str, folder: str) -> str:
    """A scenario's name, or the file of a board that is made."""
    file = str(Path(folder, f"{name}.yaml"))
    if os.path.exists(file):
        return file
    if name == "two ASL boards":
        return written(two_asl_boards(yaml.safe_load(_WHOLE_BOARD.read_text(encoding="utf-8"))), file)
    if "areas" in name:
        units = 400 if "units" in name else 0
        return written(random_areas(int(name.split()[0].replace(",", "")), units=units), file)
    return name


def arguments_of(game: Game, question: Question) -> dict[str, Any]:
    """What a question is asked with, on a board; another game is loaded."""
    asked = dict(question.asked)
    if "other" in asked:
        name, which = asked["other"]
        reading = next(r for r in game.setup.encoding.readings if r.name == name)
        asked["other"] = game.with_options(**{name: list(reading.values)[which]})
    if callable(asked.get("goal")):
        asked["goal"] = asked["goal"](game)
    return asked
