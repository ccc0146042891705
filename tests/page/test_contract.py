"""The questions of the README, put to the command, to the local server and to the page's Web Worker alike."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.fixtures import pages
from tests.fixtures.as_request import as_request
from tests.fixtures.pace import cases
from tests.page.conftest import ROOT, TIMEOUT, profile, replies_of
from vclogic.game import Game

if TYPE_CHECKING:
    from playwright.sync_api import Page

README = (ROOT / "README.md").read_text()
OTHERS = (
    "vclogic status asl/22u3",
    "vclogic status moscow/small",
    "vclogic status napoleonics",
    "vclogic status okinawa",
    "vclogic missing axis_allies --goal 'vcp(Axis) >= 30'",
    "vclogic reach axis_allies --goal 'vcp(Axis) >= 70'",
    "vclogic reach napoleonics/sankt-veit --goal 'gained_and_lost(Church) == French' --within 2 --by moves",
    "vclogic plan moscow/small --goal 'uncovered_rows(German) == 0'",
)
"""Questions beside those of the README, so that each game is asked about."""
ARMIES = {"game": "axis_allies", "settings": {"level": "armies"}, "steps": []}
PLAN = {"goal": "vcp(Axis) >= 28", "minimize": "moves", "within": 1, "timeout": 3}
CROSSROADS = yaml.safe_load((ROOT / "examples" / "crossroads.yaml").read_text())
EXCEPTIONS: dict[str, dict[str, Any]] = {
    "plans with armies": {"ask": "plan", "moment": ARMIES, **PLAN},
    "games solved": {"ask": "solve", "moment": {"game": CROSSROADS, "settings": {}, "steps": []}},
}
"""What the Web Worker does not settle for lack of NumPy and HiGHS, and says so. The README's demo is of the first."""
ODDS = {"ask": "odds", "moment": ARMIES, "attack": {"infantry": 3}, "defend": {"infantry": 2}}
KEYS = ("schema", "status", "winner", "value", "cost", "lower_bound")


def questions() -> list[str]:
    """The questions of the README."""
    consoles = [block for block in pages.blocks(README) if block.language == "console"]
    found = [command.words for block in consoles for command in pages.commands(block)]
    return [words for words in found if words.startswith("vclogic ")]


def asked_lines(*kinds: str) -> list[Any]:
    """A usual run asks the first question of each of the kinds, `make slow` all."""
    lines = [*questions(), *OTHERS]
    first = {as_request(line, ROOT)["ask"]: line for line in reversed(lines) if "karelia" not in line}
    return cases(lines, *(first[kind] for kind in kinds))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the questions name."""
    found = tmp_path_factory.mktemp("readme")
    pages.files(README, found)
    (found / "examples").symlink_to(ROOT / "examples")
    return found


def verdict(answer: dict[str, Any]) -> dict[str, Any]:
    """What must be the same, whoever answers."""
    met = [[o[key] for key in ("rule", "side", "status", "have", "need")] for o in answer.get("outcomes", ())]
    sizes = [repair["size"] for repair in answer.get("repairs", ())]
    return {key: answer.get(key) for key in KEYS} | {"outcomes": met, "sizes": sizes}


def said_by_command(line: str, folder: Path) -> dict[str, Any]:
    words = [sys.executable, "-m", *shlex.split(line), "--format", "json"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def said_by_server(request: dict[str, Any], address: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(replies_of(request, address)[-1])["answer"]
    return found


ASK = """async request => {
    const { worker } = await import("./backend/worker.mjs");
    globalThis.backend ??= worker({}, () => {});
    try { return await (await globalThis.backend).ask(request); } catch (error) { return { errors: error.faults }; }
}"""


@pytest.fixture(scope="module")
def in_worker(request: pytest.FixtureRequest) -> Any:
    """Asks the Web Worker of one page, which is loaded once."""
    browser, static = request.getfixturevalue("browser"), request.getfixturevalue("static")
    page: Page = profile(browser).new_page()
    page.goto(static)
    yield lambda asked: page.evaluate(ASK, asked)
    page.context.close()


def reaches(answer: dict[str, Any], asked: dict[str, Any]) -> bool:
    """Whether the record of an answer, where it has one, is legal and ends where its goal holds."""
    if not answer.get("record") or "goal" not in asked:
        return True
    game, settings = asked["moment"]["game"], asked["moment"]["settings"]
    start = {"game": game} if isinstance(game, str) else game
    played = [*start.get("record", ()), *answer["record"]]
    return bool(Game.load({**start, "record": played}, settings=[*settings.items()]).value(asked["goal"]))


def test_the_readme_asks_some() -> None:
    assert {as_request(line, ROOT)["ask"] for line in questions() if "karelia" not in line} >= {
        "status",
        "plan",
        "reach",
    }


@pytest.mark.parametrize("line", asked_lines("status", "plan", "missing"))
def test_command_and_server_say_the_same(line: str, folder: Path, address: str) -> None:
    asked = as_request(line, folder)
    command, server = said_by_command(line, folder), said_by_server(asked, address)
    assert verdict(command) == verdict(server)
    assert reaches(command, asked)
    assert reaches(server, asked)


@pytest.mark.parametrize("line", asked_lines("status", "plan"))
def test_the_worker_says_the_same(line: str, folder: Path, in_worker: Any) -> None:
    asked = as_request(line, folder)
    command, worker = said_by_command(line, folder), in_worker(asked)
    assert verdict(command) == verdict(worker)
    assert reaches(worker, asked)


@pytest.mark.parametrize("asked", EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_the_worker_says_what_it_cannot_answer(asked: dict[str, Any], in_worker: Any) -> None:
    worker = in_worker(asked)
    if "errors" in worker:
        assert (worker["errors"][0]["code"], len(worker["errors"])) == ("not-here", 1)
    else:
        assert worker["status"] in ("unknown", "feasible")
        assert worker["reason"]


def test_the_worker_counts_odds_in_fractions(in_worker: Any, address: str) -> None:
    worker, server = in_worker(ODDS), said_by_server({**ODDS, "exact": True}, address)
    assert worker["status"] == "computed"
    assert {**worker, "elapsed_s": 0} == {**server, "elapsed_s": 0}
