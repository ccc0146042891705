"""Studies on a real Dask cluster on the loopback: workers and the scheduler are killed, and the rows are the same."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.study.test_studies import HILLS, as_rows, here
from vclogic.errors import InputError
from vclogic.progress import Progress
from vclogic.studies.answer import study
from vclogic.studies.run import workers

ROOT = Path(__file__).parents[2]
STUDY = """\
game: hills.md
numbers: {rounds 4: 2..9}
players: {Red: [random, greedy, 'slow_player:Slow']}
games: 4
"""
SLOW = """\
import time

class Slow:
    def choose(self, game, events, random):
        time.sleep(0.01)
        return random.choice(events)
"""


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path):
        self._folder, file = folder, folder / f"scheduler-{time.monotonic_ns()}.json"
        own = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.scheduler = started(folder, "distributed.cli.dask_scheduler", *own)
        self.workers = [
            started(
                folder,
                "distributed.cli.dask_worker",
                *("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            )
            for _ in range(2)
        ]
        self.address = self._address(file)

    def _address(self, file: Path) -> str:
        import json

        while not file.exists() or not file.read_text().endswith("}"):
            assert self.scheduler.poll() is None, "the scheduler has ended"
            time.sleep(0.05)
        return str(json.loads(file.read_text())["address"])

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def a_cluster(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()


def after(do: Mapping[int, Callable[[], object]]) -> Callable[[Progress], None]:
    """Does something each time that so many blocks are done."""
    told = 0

    def listener(progress: Progress) -> None:
        nonlocal told
        told += 1
        do.get(told, int)()

    return listener


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("distributed")  # here, so that only the process that needs it takes the time
    (tmp_path / "hills.md").write_text(HILLS)
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "slow_player.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_lost_worker_and_a_lost_scheduler_change_no_row(folder: Path) -> None:
    file = str(folder / "study.yaml")
    local = study(file, str(folder / "local"), executor=here)
    assert local.done == 24
    with a_cluster(folder) as cluster:
        lost = after({3: cluster.workers[0].kill, 12: cluster.scheduler.kill})
        with pytest.raises(InputError, match="a worker was lost") as error:
            study(file, str(folder / "rows"), on=cluster.address, progress=lost)
        assert cluster.workers[0].wait() != 0
        assert "run the study again and it goes on" in str(error.value.diagnostics[0].help)
    answer = study(file, str(folder / "rows"), executor=here)
    assert answer.known >= 12
    assert answer.done == 24 - answer.known
    assert as_rows(answer) == as_rows(local)


def test_nobody_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vclogic.studies.run._PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        study(str(folder / "study.yaml"), str(folder / "rows"), on="tcp://127.0.0.1:9")


BROKEN = """\
class Broken:
    def choose(self, game, events, random):
        with open({file!r}, "a") as file:
            file.write("chosen\\n")
        raise RuntimeError("it always does")
"""


def test_a_block_that_raises_is_not_tried_again_and_all_workers_get_blocks(folder: Path) -> None:
    """Eight threads of this process are the workers: more than `scheduler_info` lists in some versions."""
    from distributed import LocalCluster

    (folder / "broken_player.py").write_text(BROKEN.format(file=str(folder / "tries")))
    (folder / "study.yaml").write_text("game: hills.md\nplayers: {Red: 'broken_player:Broken'}\ngames: 1\n")
    many = LocalCluster(n_workers=8, threads_per_worker=1, processes=False, dashboard_address=None)
    with many as cluster:
        with workers(cluster.scheduler_address, None) as (_, size):
            assert size == 8
        with pytest.raises(RuntimeError, match="it always does"):  # no worker was lost
            study(str(folder / "study.yaml"), str(folder / "rows"), on=cluster.scheduler_address)
    assert (folder / "tries").read_text() == "chosen\n"
