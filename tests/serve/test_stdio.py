"""`vclogic serve --stdio` as other programs use it: a process, lines of JSON, and signals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import vclogic
from tests.fixtures.games import UNSETTLED, loaded
from tests.fixtures.pace import BUSY, HANGS
from tests.fixtures.processes import at_work, children, eventually, runs
from tests.fixtures.serving import Json, Talk, codes, talk
from vclogic.report import json as report
from vclogic.serve.schemas import schema_of

GAME, SMALL = "axis_allies", "examples/two_islands.yaml"
HARD = {"ask": "plan", "moment": "start", "goal": UNSETTLED, "minimize": "turns"}
"""A question that takes minutes, most of it in solvers."""


@pytest.fixture(scope="module")
def server() -> Iterator[Talk]:
    with talk("--workers", "2") as found:
        found.ask("load", game=GAME, name="start")
        yield found


def as_json(kind: str, answer: object) -> Any:
    """The document of an answer as a program reads it."""
    return json.loads(json.dumps(report.document(kind, answer)))


def grandchildren(server: Talk) -> list[int]:
    """The solvers of the server's workers."""
    return [pid for worker in children(server.process.pid) for pid in children(worker)]


def cancelled(server: Talk, id: object) -> bool:
    """Whether the answer to a question says that it was cancelled: with what is known, or where it is nothing."""
    answer = server.answer(id)
    said = answer.get("reason") == "the request was cancelled" or codes(answer) == ["cancelled"]
    return said and server.cancelled.pop() == id


# ---- answers


def by_names(document: Any) -> Any:
    """A document with files by their names alone: another process has them so, the test its own by their paths."""
    if isinstance(document, list):
        return [by_names(x) for x in document]
    if not isinstance(document, dict):
        return document
    file = document.get("file")
    named = {"file": os.path.basename(file), "line": None} if isinstance(file, str) else {}
    return {key: by_names(x) for key, x in (document | named).items()}


def test_answers_are_the_documents_of_the_commands(server: Talk) -> None:
    game, small = loaded(GAME), loaded(SMALL)
    server.ask("load", game=SMALL, name="small")
    server.ask("apply", moment="small", events=["end_turn"], name="next")
    server.ask("load", game={"game": GAME, "state": {"round": 2}}, at=["end_turn"], name="given")
    given = vclogic.load({"game": GAME, "state": {"round": 2}}, at=["end_turn"])
    place = {"place": {"unit": "infantry"}}
    expected: list[tuple[str, str, Json, object]] = [
        ("status", "start", {}, game.status()),
        ("status", "start", {"view": "Axis", "tables": True}, game.status("Axis", tables=True)),
        ("status", "given", {}, given.status()),
        ("legal", "start", {"event": place}, game.legal(event="place", unit="infantry")),
        ("legal", "small", {"side": "Axis", "why_not": 2}, small.legal("Axis", why_not=2)),
        ("rules", "small", {}, small.rules()),
        ("ask", "small", {"question": "vcp(Axis)"}, small.ask("vcp(Axis)")),
        ("plan", "start", {"goal": "vcp(Axis) >= 33"}, game.plan("vcp(Axis) >= 33")),
        (
            "odds",
            "start",
            {"attack": {"armour": 2}, "at": "India", "exact": True},
            game.odds("armour: 2", at="India", exact=True),
        ),
        (
            "reach",
            "small",
            {"goal": "vcp(Axis) >= 9", "by": "captures"},
            small.reach("vcp(Axis) >= 9", by="captures"),
        ),
        ("compare", "small", {"other": "next", "on": "owner"}, small.compare(small.apply("end_turn"), "owner")),
    ]
    for ask, moment, keys, answer in expected:
        found = server.ask(ask, moment=moment, **keys)
        told = as_json(ask, answer)
        assert by_names({**found, "elapsed_s": None}) == by_names({**told, "elapsed_s": None}), ask
    lacking = server.ask("missing", moment="small", goal="vcp(Axis) >= 6", limit=1)
    assert (lacking["status"], lacking["least"]) == ("possible", 1)
    assert server.ask("explain", moment="start")["explanations"]
    assert server.ask("explain_event", moment="start", event="end_turn")["allowed"] is True
    assert server.ask("schema", kind="plan") == schema_of("plan")


def test_ids_name_moments_and_all_of_them_stay(server: Talk) -> None:
    before = server.ask("value", moment="start", expressions=["turn", "round", "vcp(Axis)"])["values"]
    later = server.ask("apply", moment="start", events=["end_turn", "end_turn"], name="later")
    assert later == {"schema": "vclogic/moment/1", "moment": "later", "game": f"{GAME}/revised-1942", "events": 2}
    after = loaded(GAME).apply("end_turn").apply("end_turn")
    assert server.ask("value", moment="later", expressions="turn")["values"] == [after.value("turn")]
    assert server.ask("value", moment="start", expressions=["turn", "round", "vcp(Axis)"])["values"] == before
    plan = server.ask("plan", moment="later", goal="vcp(Axis) >= 33")
    assert plan["record"] == as_json("plan", after.plan("vcp(Axis) >= 33"))["record"]
    played = server.ask("apply", moment="later", events=plan["record"])
    assert server.ask("value", moment=played["moment"], expressions=["vcp(Axis) >= 33"])["values"] == [True]
    held = server.ask("drop", moments=[])["moments"]
    assert server.ask("drop", moments=["later", played["moment"]])["moments"] == held - 2
    assert codes(server.ask("status", moment="later")) == ["unknown-name"]


def test_what_is_refused_makes_no_moment(server: Talk) -> None:
    refused = server.ask("apply", moment="start", events=["end_turn", {"place": {"power": "Germens"}}], name="no")
    assert {e["file"] for e in refused["errors"]} == {"events[1]"}
    assert "did you mean 'Germans'" in refused["errors"][0]["help"]
    assert codes(server.ask("status", moment="no")) == ["unknown-name"]
    odd: list[Any] = [5, [], {"a": {}, "b": {}}, {"place": 3}, {"place": {"power": [1.5]}}, None]
    for event in odd:
        found = codes(server.ask("apply", moment="start", events=["end_turn", event]))
        assert {"wrong-value", "unknown-name"} & set(found), (event, found)


def test_an_event_may_list_units_as_a_record_does(server: Talk) -> None:
    start = server.ask("load", game="napoleonics")["moment"]
    events: list[Json] = [{"start_turn": {"side": "French"}}, {"order": {"units": ["1st Line", "Voltigeurs"]}}]
    found = server.ask("apply", moment=start, events=events)
    assert found["events"] == 3, found
    state = server.ask("state", moment=found["moment"])["state"]
    assert [unit for unit, ordered in state["ordered"].items() if ordered] == ["1st Line", "Voltigeurs"]
    events[1] = {"order": {"units": ["1st Line", "Hunters"]}}
    refused = server.ask("apply", moment=start, events=events)
    assert [(e["file"], e["code"]) for e in refused["errors"]] == [("events[1]", "unknown-name")]


def test_quick_questions_do_not_wait_for_long_ones(server: Talk) -> None:
    server.send({"id": "long", **HARD}, {"id": "quick", "ask": "status", "moment": "start"})
    assert server.next()["id"] == "quick"
    assert server.ask("apply", moment="start", events=["end_turn"], name="x")["moment"] == "x"
    assert server.ask("plan", moment="start", goal="vcp(Axis) >= 33")["status"] == "optimal"  # in the other process
    assert server.ask("cancel", request="long") == {"schema": "vclogic/cancel/1", "cancelled": True}
    assert cancelled(server, "long")


def test_what_is_cancelled_leaves_no_solver_at_work(server: Talk) -> None:
    """A worker may keep one that has confirmed its cancellation; the next question is its first."""
    server.send({"id": 1, **HARD, "progress": True}, {"id": 2, **HARD}, {"id": 3, **HARD})
    assert eventually(lambda: len(at_work(grandchildren(server))) >= 2, HANGS)
    for id in (3, 1, 2):  # the first of these waits
        assert server.ask("cancel", request=id)["cancelled"] is True
        assert cancelled(server, id)
    assert eventually(lambda: not at_work(grandchildren(server)))
    assert server.ask("cancel", request=1)["cancelled"] is False
    assert server.ask("plan", moment="start", goal="vcp(Axis) >= 33")["status"] == "optimal"
    assert any(id == 1 and progress["phase"] for id, progress in server.progress)
    assert not any(id in (2, 3) for id, _ in server.progress)


def test_time_counts_from_the_arrival(server: Talk) -> None:
    """Three questions for two processes: the one that waits has no time left when its turn comes."""
    quick = {**HARD, "timeout": 1}
    server.send({"id": 1, **quick}, {"id": 2, **quick}, {"id": 3, **quick})
    answers = {id: server.answer(id) for id in (1, 2, 3)}
    assert {a["status"] for a in answers.values()} <= {"unknown", "feasible"}
    assert answers[3]["status"] == "unknown"
    assert answers[3]["elapsed_s"] < 2


def test_a_second_question_with_the_same_id_is_refused(server: Talk) -> None:
    server.send({"id": 1, **HARD}, {"id": 1, **HARD})
    assert codes(server.answer(1)) == ["duplicate-id"]
    assert server.ask("cancel", request=1)["cancelled"] is True
    assert cancelled(server, 1)


def test_a_plan_is_sent_back_to_ask_whether_it_survives(server: Talk) -> None:
    moment = server.ask("load", game=SMALL, at=["end_turn"])["moment"]
    asked: Json = {"moment": moment, "goal": "vcp(Axis) >= 6"}
    plan = server.ask("plan", **asked, minimize="turns", within=2)
    assert plan["status"] == "optimal"
    found = server.ask("survives", **asked, plan=plan, side="Axis")
    assert (found["schema"], found["status"], found["stopped_at"]) == ("vclogic/survives/1", "stopped", 1)
    for odd in ({}, {**plan, "metric": 5}, {**plan, "steps": [5]}, {**plan, "schema": "vclogic/status/1"}):
        assert codes(server.ask("survives", **asked, plan=odd)) == ["bad-plan"]
    assert codes(server.ask("survives", **asked, plan={**plan, "steps": []})) == ["no-plan"]
    said = server.ask("survives", **asked, plan=plan, report=True)
    assert said["verdict"] == "stopped: after the strongest reply turn 1 of the plan's 1 turn is not legal"


# ---- planners


def test_a_planner_is_made_once_and_asked_often(server: Talk) -> None:
    assert server.ask("planner", moment="start", side="Axis", name="plans")["planner"] == "plans"
    found = server.ask("planner_plan", planner="plans", goal="vcp(Axis) >= 33", budget_s=20)
    assert (found["schema"], found["status"]) == ("vclogic/plan/2", "optimal")
    karelia = {"capture": {"territory": "Karelia"}}
    asked = {"planner": "plans", "goal": "vcp(Axis) >= 40", "budget_s": 20}
    held = server.ask("planner_plan", **asked, require=[karelia])["record"]
    assert any(e.get("capture", {}).get("territory") == "Karelia S.S.R." for e in held if isinstance(e, dict))
    later = server.ask("apply", moment="start", events=found["record"])["moment"]
    there = server.ask("planner_plan", planner="plans", goal="vcp(Axis) >= 33", budget_s=20, moment=later)
    assert (there["cost"], there["steps"]) == (0, [])
    state = server.ask("state", moment=later)["state"]
    there = server.ask("planner_plan", planner="plans", goal="vcp(Axis) >= 33", budget_s=20, state=state)
    assert (there["cost"], there["steps"]) == (0, [])
    assert "wrong-value" in codes(server.ask("planner_plan", **asked, state=[]))
    assert "unknown-name" in codes(server.ask("planner_plan", **asked, avoid=["captre"]))
    assert codes(server.ask("planner_plan", **asked, keep="vcp(Axi) > 1")) == ["unknown-name"]


def test_a_planner_that_cannot_be_made_is_forgotten(server: Talk) -> None:
    assert codes(server.ask("planner", moment="start", side="Axs", name="no")) == ["unknown-name"]
    assert codes(server.ask("planner_plan", planner="no", goal="true")) == ["unknown-name"]
    server.ask("planner", moment="start", side="Allies", name="yes")
    before = server.ask("drop", moments=[])["planners"]
    assert server.ask("drop", planners="yes")["planners"] == before - 1
    assert codes(server.ask("planner_plan", planner="yes", goal="true")) == ["unknown-name"]


def test_better_plans_are_sent_as_they_are_found(server: Talk) -> None:
    server.ask("planner", moment="start", side="Axis", name="better")
    asked = {"planner": "better", "goal": "vcp(Axis) >= 45", "budget_s": 20}
    plain = server.ask("planner_plan", **asked)
    assert server.better == []
    found = server.ask("planner_plan", **asked, progress=True, id="told")
    assert found["cost"] == plain["cost"] == 5
    assert {reply["id"] for reply in server.better} == {"told"}
    assert server.better[-1]["better"]["cost"] == found["cost"]
    assert all(reply["bound"] <= 5 <= reply["better"]["cost"] for reply in server.better)


# ---- lines that are wrong

WRONG: list[tuple[bytes, str]] = [
    (b"nonsense\n", "not-json"),
    (b'{"ask": "status"\n', "not-json"),
    (b'{"id": "p1", "ask": "plan", "moment": "start", "timeout": NaN}\n', "not-json"),
    (b"\xff\xfe\n", "not-utf8"),
    (b"[]\n", "wrong-value"),
    (b"3\n", "wrong-value"),
    (b"{}\n", "missing-entry"),
    (b'{"ask": null}\n', "wrong-value"),
    (b'{"ask": "stattus"}\n', "unknown-name"),
    (b'{"ask": "status"}\n', "missing-entry"),
    (b'{"ask": "version", "id": 1.5}\n', "wrong-value"),
    (b'{"ask": "version", "id": {}}\n', "wrong-value"),
    (b'{"ask": "status", "ask": "version"}\n', "given-twice"),
    (b'{"ask": "status", "moment": "start", "veiw": "Axis"}\n', "unknown-entry"),
    (b'{"ask": "status", "moment": ["start"]}\n', "wrong-value"),
    (b'{"ask": "status", "moment": "strat"}\n', "unknown-name"),
    (b'{"id": "p2", "ask": "plan", "moment": "start", "goal": "vcp(Axi) > 3"}\n', "unknown-name"),
    (b'{"id": "p3", "ask": "plan", "moment": "start", "goal": "vcp(Axis) > 3", "timeout": "3"}\n', "wrong-value"),
    (b'{"id": "p4", "ask": "plan", "moment": "start", "goal": "vcp(Axis) > 3", "timeout": -3}\n', "out-of-range"),
    (b'{"id": "p6", "ask": "plan", "moment": "start", "goal": "vcp(Axis) > 3", "timeout": 1e999}\n', "out-of-range"),
    (b'{"id": "p5", "ask": "plan", "moment": "start"}\n', "missing-goal"),
    (b'{"ask": "load", "game": "axs_allies"}\n', "unknown-game"),
    (b'{"ask": "load", "game": "-"}\n', "cannot-read"),
    (b'{"ask": "load", "game": "axis_allies", "at": "-"}\n', "cannot-read"),
    (b'{"id": "p7", "ask": "status", "moment": "a\\u0000"}\n', "control-character"),
    (b'{"ask": ' + 200 * b"[" + 200 * b"]" + b', "id": "p8"}\n', "too-deep"),
    (b'{"id": "p9", "ask": "status", "moment": "' + 20_000 * b"x" + b'"}\n', "too-big"),
    (b'{"ask": "cancel", "request": ' + 5000 * b"9" + b', "id": "p0"}\n', "not-json"),
]  # fmt: skip


def test_a_line_that_is_wrong_gets_an_answer_and_the_session_goes_on(server: Talk) -> None:
    server.send(*(line for line, _ in WRONG))
    for line, code in WRONG:
        apart = re.search(rb'"id": "(p\d)"', line)
        answer = server.answer(apart[1].decode() if apart else None)
        assert code in codes(answer), line[:80]
    server.send(b"\n", b"  \r\n", b'{"id":"\xc3\xa9","ask":"version"}\r\n')
    assert server.answer("é")["protocol"] == 1


def test_a_line_that_is_too_long_is_skipped(server: Talk) -> None:
    server.send(b'{"id": 1, "ask": "' + (11 << 20) * b"x" + b'"}\n', {"id": 2, "ask": "version"})
    found = server.next()
    assert (found["id"], codes(found["answer"])) == (None, ["too-big"])
    assert server.answer(2)["protocol"] == 1


# ---- ends


def test_at_the_end_of_the_input_what_was_asked_is_answered() -> None:
    with talk() as server:
        server.send(
            {"id": 1, "ask": "load", "game": GAME},
            {"id": 2, "ask": "plan", "moment": "m1", "goal": "vcp(Axis) >= 33"},
            b'{"id": 3, "ask": "version"}',
        )
        code, rest = server.end()
    assert code == 0
    assert [reply["id"] for reply in rest] == [1, 3, 2]
    assert rest[2]["answer"]["status"] == "optimal"


def started(server: Talk) -> list[int]:
    """Lets a server work on a long question; returns its processes once solvers work on it."""
    server.send({"id": 0, "ask": "load", "game": GAME, "name": "start"}, {"id": "long", **HARD})
    assert eventually(lambda: grandchildren(server), HANGS)
    return [*children(server.process.pid), *grandchildren(server)]


def test_shutdown_cancels_and_ends() -> None:
    with talk() as server:
        processes = started(server)
        assert server.answer(0)["moment"] == "start"
        server.send({"id": 1, "ask": "shutdown"}, {"id": 2, "ask": "version"})
        replies: list[Json] = [server.next(), server.next()]
        assert [r["id"] for r in replies] == ["long", 1]
        assert codes(replies[0]["answer"]) == ["cancelled"]
        assert server.process.wait(HANGS) == 0
        assert server.errors() == ""
    assert eventually(lambda: not any(map(runs, processes)))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_signals_leave_no_process(number: signal.Signals, code: int) -> None:
    with talk() as server:
        processes = started(server)
        server.process.send_signal(number)
        assert server.process.wait(HANGS) == code
        assert server.errors() == ""
    assert eventually(lambda: not any(map(runs, processes)))


def test_nobody_reads_the_answers() -> None:
    with talk(reading=False) as server:
        processes = started(server)
        server.hang_up()
        assert server.process.wait(HANGS) == 0
        assert server.errors() == ""
    assert eventually(lambda: not any(map(runs, processes)))


def test_a_worker_that_is_killed_makes_an_error_and_the_session_goes_on(server: Talk) -> None:
    server.send({"id": "long", **HARD})
    busy: list[int] = []

    def seen() -> list[int]:
        busy.extend(pid for pid in children(server.process.pid) if at_work(children(pid)))
        return busy

    assert eventually(seen, 60 + BUSY)
    os.kill(busy[0], signal.SIGKILL)
    found = server.answer("long")
    assert codes(found) == ["internal"]
    assert "signal 9" in found["errors"][0]["message"]
    assert server.ask("plan", moment="start", goal="vcp(Axis) >= 33")["status"] == "optimal"


def test_answers_may_be_read_late() -> None:
    """Two thousand requests are written before one answer is read."""
    with talk(reading=False) as server:
        server.send({"id": 0, "ask": "load", "game": GAME})
        server.send(*({"id": i, "ask": "status", "moment": "m1"} for i in range(1, 2001)))
        code, rest = server.end()
    assert code == 0
    assert [reply["id"] for reply in rest] == list(range(2001))


def test_only_so_many_moments_are_held() -> None:
    with talk("--moments", "3") as server:
        server.ask("load", game="napoleonics")
        for _ in range(2):
            assert codes(server.ask("apply", moment="m1", events=[])) == []
        refused = server.ask("apply", moment="m1", events=[])
        assert codes(refused) == ["too-many"]
        assert "3 moments" in refused["errors"][0]["message"]
        assert codes(server.ask("apply", moment="m1", events=[], name="m2")) == []  # in place of it
        server.ask("drop", moments="m3")
        assert codes(server.ask("apply", moment="m1", events=[])) == []


def test_no_code_of_the_working_directory_runs(tmp_path: Path) -> None:
    """Not in the processes that search, even where the path of the environment has an empty entry."""
    ran = tmp_path / "ran"
    (tmp_path / "sitecustomize.py").write_text(f"open({str(ran)!r}, 'a').write('x')\n")
    start = "import os, sys; os.chdir(sys.argv.pop(1)); from vclogic.__main__ import main; sys.exit(main())"
    words = [sys.executable, "-c", start, str(tmp_path), "serve", "--stdio"]
    path = os.pathsep.join((os.getcwd(), "", os.environ.get("PYTHONPATH", "")))
    search = {"ask": "plan", "moment": {"game": GAME}, "goal": "vcp(Axis) >= 33"}
    done = subprocess.run(
        words, input=json.dumps(search), capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path},
        timeout=HANGS, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["answer"]["status"] == "optimal"
    assert not ran.exists()


ODD = {
    "serve --moments 3": (2, "error[usage]: --moments is for --stdio"),
    "serve --stdio --port 0": (2, "error[usage]: FOLDER, --port and --open are for the page"),
    "serve nowhere": (2, "error[no-such-file]: there is no folder"),
    "serve --port 99999": (2, "error[bad-value]: port 99999"),
    "serve --stdio --workers 0": (2, "error[out-of-range]: expected a whole number from 1 to 64"),
    "serve --stdio --workers 65": (2, "error[out-of-range]: expected a whole number from 1 to 64"),
    "serve --workers 1000000": (2, "each worker is a process"),
    "serve --stdio --moments many": (2, "error[bad-value]"),
    "serve --stdio > /dev/full": (2, "error[cannot-write]: No space left on device"),
    "serve --stdio <&-": (2, "error[cannot-read]: there is no standard input, or no standard output"),
    "serve --stdio >&-": (2, "error[cannot-read]: there is no standard input, or no standard output"),
    "serve --stdio 2>&-": (0, ""),
}


@pytest.mark.parametrize("words", ODD)
def test_what_it_cannot_be_started_with(words: str) -> None:
    command = f'echo \'{{"ask": "version"}}\' | {sys.executable} -m vclogic {words}'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=HANGS, check=False)
    code, said = ODD[words]
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert (json.loads(done.stdout)["answer"]["protocol"] == 1) if code == 0 else not done.stdout


# ---- many


@pytest.mark.slow
def test_ten_thousand_quick_requests_keep_memory_flat() -> None:
    def resident(pid: int) -> int:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1])

    with talk() as server:
        server.ask("load", game=GAME, name="start")
        sizes = []
        for i in range(10_000):
            moment = server.ask("apply", moment="start", events=["end_turn"], name="next")["moment"]
            assert server.ask("value", moment=moment, expressions=["vcp(Axis)"])["values"] == [26]
            if i % 1000 == 999:
                sizes.append(resident(server.process.pid))
        assert sizes[-1] < 1.02 * sizes[0], sizes


@pytest.mark.slow
def test_whatever_is_cancelled_or_killed_each_request_has_one_answer() -> None:
    rng = Random()
    with talk("--workers", "2") as server:
        server.ask("load", game=GAME, name="start")
        server.ask("planner", moment="start", side="Axis", name="plans")
        asked: list[int] = []
        seen: set[int] = set()
        for id in range(150):
            time.sleep(rng.choice((0, 0, 0.05, 0.5)))
            request = rng.choice(
                (
                    {**HARD, "timeout": rng.choice((0.1, 1, 30))},
                    {"ask": "plan", "moment": "start", "goal": "vcp(Axis) >= 33"},
                    {"ask": "planner_plan", "planner": "plans", "goal": f"vcp(Axis) >= {rng.randint(27, 50)}"},
                    {"ask": "status", "moment": "start"},
                    {"ask": "cancel", "request": rng.randint(max(id - 5, 0), id)},
                )
            )
            server.send({**request, "id": id})
            asked.append(id)
            processes = [*children(server.process.pid), *grandchildren(server)]
            seen |= set(processes)
            if processes and rng.random() < 0.1:
                with suppress(ProcessLookupError):
                    os.kill(rng.choice(processes), signal.SIGKILL)
        for id in asked:
            server.send({"ask": "cancel", "request": id})
        code, rest = server.end()
    assert code == 0
    answers = [reply for reply in rest if "answer" in reply and reply["id"] is not None]
    assert sorted(reply["id"] for reply in answers) == asked
    known = {"cancelled", "internal", "time-up"}
    assert {code for reply in answers for code in codes(reply["answer"])} <= known
    assert eventually(lambda: not any(map(runs, seen)))
