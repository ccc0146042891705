"""The processes that answer searches: they are started when needed, kept, and ended where a question is."""

from __future__ import annotations

import math
import select
import time
from collections import deque
from collections.abc import Iterable

from vclogic.child_process import Child, at_work
from vclogic.serve.answering import CANCEL, CANCELLED
from vclogic.serve.protocol import Id, answer_line, fault_document, no_process, out_of_time
from vclogic.serve.tasks import ANSWER, UnansweredQuestion

GRACE = 5.0
"""Seconds, and a tenth of its time limit, after which a question that has not kept its time limit is ended."""
PROMPT = 10.0
"""Seconds in which a question that was cancelled has to end by itself, before its process is ended."""
_START = "from vclogic.serve.tasks import main; main()"
_IN, _OUT = select.POLLIN, select.POLLOUT


class WorkerProcess:
    """A process that answers one question after the other.

    Attributes:
        child: The process.
        task: The question that it works on; None: it waits for one.
        planners: The numbers of the planners that it was asked about.
    """

    def __init__(self) -> None:
        self.child = Child(at_work(_START))
        self.task: UnansweredQuestion | None = None
        self.planners: set[int] = set()
        self._asked = 0.0  # when it began its question
        self._cancelled: float | None = None  # when that was cancelled

    @property
    def end_at(self) -> float:
        """When its question has to be ended, on the clock of `time.monotonic`."""
        if self.task is None:
            return math.inf
        took = 1.1 * self.task.timeout
        end = GRACE + (self._asked + took if self.task.waits else max(self.task.arrived + took, self._asked))
        return end if self._cancelled is None else min(end, self._cancelled + PROMPT)

    @property
    def was_cancelled(self) -> bool:
        """True if its question was cancelled."""
        return self._cancelled is not None

    @property
    def watched(self) -> dict[int, int]:
        """The events of `select.poll` to wait for, by file descriptors."""
        return {self.child.out: _IN, **({self.child.into: _OUT} if self.child.unsent else {})}

    def ask(self, task: UnansweredQuestion) -> None:
        """Let it work on a question."""
        self.task, self._asked, self._cancelled = task, time.monotonic(), None
        if task.planner is not None:
            self.planners.add(task.planner.number)
        self.child.tell(task.told())

    def cancel(self) -> None:
        """Let it end its question; the answer says what is known."""
        if self.task is not None and self._cancelled is None:
            self._cancelled = time.monotonic()
            self.child.tell(self.task.taken_back())


class Pool:
    """Answers questions in processes, as many at once as there are processes, the others in the order of arrival.

    Args:
        most: The most processes.
    """

    def __init__(self, most: int):
        self._most = most
        self._waiting: deque[UnansweredQuestion] = deque()
        self._workers: list[WorkerProcess] = []

    @property
    def tasks(self) -> list[UnansweredQuestion]:
        """The questions that are not answered yet."""
        return [*(w.task for w in self._workers if w.task is not None), *self._waiting]

    @property
    def watched(self) -> dict[int, int]:
        """The events of `select.poll` to wait for, by file descriptors."""
        return {fd: events for worker in self._workers for fd, events in worker.watched.items()}

    @property
    def patience(self) -> float | None:
        """Seconds until a question has to be ended; None if there is none."""
        end = min((w.end_at for w in self._workers), default=math.inf)
        return None if end == math.inf else max(end - time.monotonic(), 0.0)

    def add(self, task: UnansweredQuestion) -> None:
        """Take a question."""
        self._waiting.append(task)
        self._hand_out()

    def handle(self, ready: Iterable[int]) -> None:
        """Do what file descriptors are ready for, and end questions that have not kept their time limit."""
        by_pipe = {pipe: worker for worker in self._workers for pipe in worker.watched}
        for pipe in by_pipe.keys() & set(ready):
            self._serve(by_pipe[pipe])
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.task is not None and worker.end_at < now:
                if worker.was_cancelled:
                    self._give_up(worker, CANCEL, CANCELLED)
                else:
                    self._give_up(worker, "time-up", out_of_time(worker.task.timeout))
        self._hand_out()

    def cancel(self, id: Id) -> bool:
        """End a question; its answer says that it was cancelled, or what is known.

        Returns:
            Whether it was there, not answered yet.
        """
        for task in self._waiting:
            if task.request.id == id:
                self._waiting.remove(task)
                _fail(task, CANCEL, CANCELLED)
                return True
        for worker in self._workers:
            if worker.task is not None and worker.task.request.id == id:
                worker.cancel()
                return True
        return False

    def cancel_all(self) -> None:
        """End all questions at once."""
        for task in self.tasks:
            _fail(task, CANCEL, CANCELLED)
        self.end()

    def end(self) -> None:
        """End all processes, without an answer to what they work on."""
        self._waiting.clear()
        while self._workers:
            self._workers.pop().child.end()

    def _hand_out(self) -> None:
        """Let processes that wait for a question work on those that wait for a process."""
        while self._waiting:
            worker = self._free_for(self._waiting[0])
            if worker is None and len(self._workers) >= self._most:
                return
            if worker is None:
                try:
                    worker = WorkerProcess()
                except OSError as error:
                    if any(w.task is not None for w in self._workers):
                        return  # it can wait for one of these
                    _fail(self._waiting.popleft(), "shortage", no_process(error))
                    continue
                self._workers.append(worker)
            worker.ask(self._waiting.popleft())

    def _free_for(self, task: UnansweredQuestion) -> WorkerProcess | None:
        """A process that waits for a question: one that has the question's planner, else one with the fewest."""
        wanted = None if task.planner is None else task.planner.number
        free = [w for w in self._workers if w.task is None]
        return min(free, key=lambda w: (wanted not in w.planners, len(w.planners)), default=None)

    def _serve(self, worker: WorkerProcess) -> None:
        if worker not in self._workers:
            return  # it has ended, as its other pipe has told
        worker.child.send()
        lines = worker.child.lines()
        if lines is None:
            self._lost(worker)
            return
        for line in lines:
            if worker.task is not None:
                worker.task.reply(line[1:] + b"\n")
                worker.task = None if line.startswith(ANSWER) else worker.task

    def _lost(self, worker: WorkerProcess) -> None:
        """Take leave of a process that has ended by itself."""
        task = worker.task
        self._workers.remove(worker)
        code = worker.child.end()
        if task is not None:
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            _fail(task, "internal", f"the process that worked on this question ended unexpectedly ({how})")

    def _give_up(self, worker: WorkerProcess, code: str, message: str) -> None:
        task = worker.task
        self._workers.remove(worker)
        worker.child.end()
        assert task is not None
        _fail(task, code, message)


def _fail(task: UnansweredQuestion, code: str, message: str) -> None:
    task.reply(answer_line(task.request.id, fault_document(code, message), cancelled=code == CANCEL))
