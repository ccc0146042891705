"""The command as a process: streams, signals, what it imports, what it leaves behind."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.bad_workers import Hostile
from tests.fixtures.games import UNSETTLED
from tests.fixtures.pace import HANGS
from tests.fixtures.processes import children, eventually, runs

GAME = "axis_allies"
VCLOGIC = [sys.executable, "-m", "vclogic"]
HARD = [
    *("plan", GAME, "--minimize", "turns", "--goal"),
    UNSETTLED,
]


def vclogic(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    found: subprocess.CompletedProcess[str] = subprocess.run(
        [*VCLOGIC, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        **options,  # type: ignore[call-overload]
    )
    assert "Traceback" not in found.stderr
    return found


def test_the_installed_command() -> None:
    command = Path(sys.executable).with_name("vclogic")
    found = subprocess.run([command, "status", GAME, "--format", "json"], capture_output=True, check=True)
    assert json.loads(found.stdout)["schema"] == "vclogic/status/1"
    assert found.stderr == b""


def test_piped_output_is_plain_and_errors_go_to_standard_error() -> None:
    found = vclogic("status", GAME)
    assert (found.returncode, found.stderr) == (0, "")
    assert "\x1b" not in found.stdout
    found = vclogic("statsu", GAME)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "error[unknown-command]: there is no command 'statsu'\n  help: did you mean 'status'?\n"


def test_a_plan_shows_no_progress_in_a_pipe() -> None:
    found = vclogic("plan", GAME, "--goal", "vcp(Axis) >= 40")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("Fewest captures to vcp(Axis) >= 40 (control only, armies left out)\n")


def test_an_answer_loads_no_solver_no_graphs_and_json_no_rich() -> None:
    code = (
        "import sys; from vclogic.cli.main import run; code = run(sys.argv[1:]);"
        "print(code, sorted({'z3', 'networkx', 'rich', 'pydantic'} & set(sys.modules)), file=sys.stderr)"
    )
    for words, loaded in (
        (["status", GAME], "0 ['rich']\n"),
        (["status", GAME, "--format", "json"], "0 []\n"),
        (["plan", GAME, "--goal", "vcp(Axis) >= 40"], "0 ['rich']\n"),
        (["--help"], "0 []\n"),
    ):
        found = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert found.stderr == loaded


def test_a_plan_loads_nothing_that_other_questions_need() -> None:
    code = "import sys; from vclogic.cli.main import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    words = ["plan", GAME, "--goal", "vcp(Axis) >= 40"]
    found = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    ours = {m.removeprefix("vclogic.query.") for m in found.stderr.split() if m.startswith("vclogic.query.")}
    assert "plan.cheapest" in ours
    others = (
        "reach.all_events",
        "reach.record_search",
        "reach.by_last_event",
        "compare.answer",
        "compare.points",
        "plan.maximize",
        "missing.nearest",
        "reach.by_steps",
    )
    assert not ours & set(others)


def test_help_loads_nothing_of_the_engine() -> None:
    code = "import sys; from vclogic.cli.main import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {m for m in found.stderr.split() if m.startswith("vclogic")}
    rooms = ("main", "asking", "designing", "drawing", "options", "serving", "studying", "terminal")
    commands = {f"vclogic.cli.{name}" for name in rooms}
    others = ("", ".choices", ".cli", ".clock", ".errors", ".shortage", ".streams", ".watchdog")
    assert ours == {f"vclogic{m}" for m in others} | commands


def test_a_reader_who_stops_early_is_no_trouble() -> None:
    for words in (["rules", GAME], ["--help"], ["rules", GAME, "--format", "json"]):
        process = subprocess.Popen([*VCLOGIC, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(HANGS) == 0
        assert process.stderr is not None
        with process.stderr:
            assert process.stderr.read() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_no_bug() -> None:
    for words in (["status", GAME], ["--help"]):
        with open("/dev/full", "w") as full:
            found = subprocess.run([*VCLOGIC, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert found.returncode == 2
        assert found.stderr.startswith("error[cannot-write]: ")


def test_names_in_any_encoding_come_through(tmp_path: Path) -> None:
    path = tmp_path / "Köln 漢字.yaml"
    path.write_text("game: axis_allies\nstate: {turn: Gérmäns}\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    found = vclogic("status", str(path), env=environment)
    assert found.returncode == 2
    assert "Gérmäns" in found.stderr
    document = json.loads(vclogic("status", str(path), "--format", "json", env=environment).stdout)
    assert document["errors"][0]["file"] == str(path)
    undecodable = os.fsdecode(b"\xff\xfe.yaml")
    document = json.loads(vclogic("status", undecodable, "--format", "json").stdout)
    assert document["errors"][0]["file"] == undecodable
    assert vclogic("status", undecodable).returncode == 2


STATUS, PLAN = ["status", GAME], ["plan", GAME, "--goal", "vcp(Axis) >= 33"]


@pytest.mark.parametrize(("words", "closings"), [(STATUS, (">&-", "2>&-", "<&-")), (PLAN, ("<&- >&- 2>&-",))])
def test_closed_streams_are_no_trouble(words: list[str], closings: tuple[str, ...]) -> None:
    for closing in closings:
        line = f'exec "$@" {closing}'
        found = subprocess.run(["sh", "-c", line, "sh", *VCLOGIC, *words], capture_output=True, check=False)
        assert found.returncode == 0
        assert b"Traceback" not in found.stderr


# ---- nothing foreign runs

ARMIES = ["--set", "level=armies", "--set", "theatre=land", "--minimize", "moves", "--within", "1"]
FIRST = "first_turn_done(Germans) and not first_turn_done(Russians)"
ASKED = {
    "no solver": (["status", GAME], 0),
    "z3": (["plan", GAME, "--goal", "vcp(Axis) >= 33"], 0),
    "HiGHS": (["plan", GAME, *ARMIES, "--goal", "vcp(Axis) >= 29"], 0),
    "Spacer": (["reach", GAME, "--by", "captures", "--opponent", "any", "--goal", FIRST], 1),
}


@pytest.mark.parametrize(("words", "code"), ASKED.values(), ids=ASKED)
def test_modules_in_the_working_directory_are_not_run(words: list[str], code: int, tmp_path: Path) -> None:
    hostile = Hostile(tmp_path / "hostile")
    command = Path(sys.executable).with_name("vclogic")
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONSTARTUP": str(hostile.startup)}
    found = subprocess.run(
        [command, *words], cwd=hostile.folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr, hostile.ran) == (code, "", "")


def test_modules_beside_a_script_are_not_run_by_its_solvers(tmp_path: Path) -> None:
    """The script itself may import them, as Python has it."""
    hostile = Hostile(tmp_path / "hostile", stdlib=False, ours=False)
    script = hostile.folder / "script.py"
    script.write_text(
        f"import vclogic; print(vclogic.load({GAME!r}).plan('vcp(Axis) >= 33', minimize='turns').status)\n"
    )
    found = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("optimal\n", "")
    assert hostile.ran == ""


def test_the_package_is_a_command_too(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "vclogic", "--version"]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout.startswith("vclogic ")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_an_interrupt_is_quiet_and_leaves_no_process(sent: signal.Signals, code: int) -> None:
    process = subprocess.Popen([*VCLOGIC, *HARD, "--timeout", "300"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    solvers: list[int] = []
    try:
        assert eventually(lambda: children(process.pid))
        solvers = list(children(process.pid))
        process.send_signal(sent)
        out, err = process.communicate(timeout=HANGS)
        assert (process.returncode, out, err) == (code, b"", b"")
        assert eventually(lambda: not any(map(runs, solvers)))
    finally:
        process.kill()
        process.wait()
        for left in (pid for pid in solvers if runs(pid)):
            os.kill(left, signal.SIGKILL)


def test_a_terminal_sees_progress_after_a_second_and_then_colours() -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="80")
        os.environ.pop("NO_COLOR", None)
        os.execv(VCLOGIC[0], [*VCLOGIC, *HARD, "--timeout", "2.5"])
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 10_000)
        except OSError:
            break
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 3
    progress, _, answer = shown.decode().partition("Fewest turns")
    assert "\x1b[?25l" in progress  # the cursor was hidden
    assert progress.rstrip("\x1b[1m").endswith("\x1b[2K")  # and the line cleared
    assert "\x1b[1;33munknown" in answer
