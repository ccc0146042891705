"""A child process that answers: how it starts, what it is told and says, its memory, and its end.

Every process that vclogic starts is one: the solvers, the workers of a server, the servers of the page. How it
starts is said in full, not inherited: what it may import, its environment, its folder and its pipes. It says lines on
its standard output, and is told lines on its standard input, which ends with its owner, however that comes about.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from mmap import PAGESIZE

APART: bool = sys.platform != "emscripten" and hasattr(select, "poll")
"""True if there are processes that can be waited for: not in a browser, and not without POSIX (Windows)."""
_CHUNK = 1 << 16


@dataclass(frozen=True)
class StartMethod:
    """The way in which a process starts.

    Attributes:
        words: Its command line.
        folder: Its working directory; None: that of this process.
        quiet: Whether its standard error goes nowhere, not where that of this process goes.
        group: Whether it is in a process group of its own with what it starts: what ends its owner by the keyboard
            does not reach it.
    """

    words: Sequence[str]
    folder: str | None = None
    quiet: bool = False
    group: bool = False


def at_work(code: str, folder: str | None = None) -> StartMethod:
    """The start of a process that is vclogic itself at work, with the import path of this process.

    Nothing that lies in its working directory is imported, nor comes the path from the environment, in which an empty
    entry stands for that directory.

    Args:
        code: What it runs.
        folder: Its working directory; None: that of this process.
    """
    path = []
    for entry in sys.path:
        with contextlib.suppress(FileNotFoundError):  # a working directory that is gone
            path.append(os.path.abspath(entry) if not entry or os.path.exists(entry) else entry)
    code = "import sys; sys.path[:] = sys.argv[1:]; " + code
    return StartMethod([sys.executable, "-P", "-c", code, *path], folder, group=True)


def isolated(code: str, *words: str) -> StartMethod:
    """The start of an isolated interpreter without site packages, such as a solver's.

    It imports from the places of this process, in their order, so that it uses the same copy of vclogic; but not from
    the working directory or a script's folder, unless vclogic itself is there. Its working directory is the root
    folder, since z3 looks for its library in the working directory first.

    Args:
        code: What it runs.
        words: The first words of `sys.argv` for it.
    """
    code = f"import sys; sys.path += sys.argv[{len(words) + 1}:]; {code}"
    return StartMethod([sys.executable, "-I", "-S", "-c", code, *words, *_folders()], os.sep, quiet=True)


def _folders() -> list[str]:
    own = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    left_out: set[str] = set()
    if script is not None:
        left_out.add(os.path.realpath(os.path.dirname(script)))
    with contextlib.suppress(FileNotFoundError):  # a working directory that is gone
        left_out.add(os.path.realpath(os.getcwd()))
    found = []
    for p in sys.path:
        with contextlib.suppress(FileNotFoundError):
            real = os.path.realpath(p)
            if real == os.path.realpath(own):
                found.append(own)
            elif os.path.isabs(p) and real not in left_out:
                found.append(p)
    return list(dict.fromkeys([*found, own]))


def output_of(words: Sequence[str]) -> bytes | None:
    """The output of a program of the machine, which is told nothing; None where it fails, or is missing."""
    try:
        done = subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


class Child:
    """A process that was started, with the lines that it has not taken yet, and the one that it has begun to say.

    Neither telling nor listening waits: both pipes are to be watched for what they are ready for.

    Args:
        start: How it starts.

    Attributes:
        pid: Its number.
        into: The file descriptor of what it is told; to be watched while there is something unsent.
        out: That of what it says.
        unsent: What it has not taken yet.
        deaf: Whether it reads no more.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, start: StartMethod):
        if not APART:
            raise OSError("there are no processes here that can be waited for")
        pipes: list[int] = []
        try:
            pipes += os.pipe()
            pipes += os.pipe()
            its_in, into, out, its_out = pipes
            os.set_blocking(into, False)
            os.set_blocking(out, False)
            self._popen = subprocess.Popen(
                start.words,
                stdin=its_in,
                stdout=its_out,
                stderr=subprocess.DEVNULL if start.quiet else None,
                cwd=start.folder,
                env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
                process_group=0 if start.group else None,
            )
        except BaseException:
            for pipe in pipes:
                os.close(pipe)
            raise
        os.close(its_in)
        os.close(its_out)
        self._pipes = FileIO(into, "w"), FileIO(out)
        self._group = start.group
        self._received = bytearray()
        self.pid, self.into, self.out = self._popen.pid, into, out
        self.unsent = bytearray()
        self.deaf = False

    @property
    def unfinished(self) -> int:
        """The number of bytes of the line that it has begun to say."""
        return len(self._received)

    @property
    def over(self) -> bool:
        """True if it reads no more, as once it has ended."""
        if not self.deaf:
            poll = select.poll()
            poll.register(self.into, 0)  # an error is told in any case: nobody reads
            self.deaf = bool(poll.poll(0))
        return self.deaf

    def tell(self, line: bytes) -> None:
        """Tell it a line, as far as its pipe takes it; `send` tells the rest."""
        self.unsent += line
        self.send()

    def send(self) -> None:
        """Send what its pipe takes."""
        try:
            with contextlib.suppress(BlockingIOError):
                while self.unsent:
                    del self.unsent[: os.write(self.into, self.unsent[:_CHUNK])]
        except BrokenPipeError:
            self.deaf = True
            self.unsent.clear()

    def lines(self) -> list[bytes] | None:
        """The complete lines that it has said, without their ends; None: it says no more."""
        try:
            chunk = os.read(self.out, _CHUNK)
        except BlockingIOError:
            return []
        if not chunk:
            return None
        self._received += chunk
        if b"\n" not in chunk:
            return []
        *lines, rest = bytes(self._received).split(b"\n")
        self._received = bytearray(rest)
        return lines

    def kill(self) -> None:
        """End it at once with all that it has started."""
        if self._popen.returncode is not None:  # another process may have its number by now
            return
        kill(self.pid)
        if self._group:  # what it has started may be there still where it has ended by itself
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """End it, and wait until it has; returns its exit code, which is negative where a signal ended it."""
        self.kill()
        for pipe in self._pipes:
            pipe.close()
        return self._popen.wait()


# ---- a process and all below it


def with_all_below(pid: int) -> Iterator[int]:
    """A process and those that it has started, and they in turn; that one alone where the system does not tell."""
    yield pid
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as stream:
                children = stream.read().split()
            for child in children:
                yield from with_all_below(int(child))
    except OSError:  # it has ended
        return


def memory(pid: int) -> int:
    """The bytes of memory that a process and all below it use; 0 where that cannot be told."""
    return sum(map(_memory, with_all_below(pid)))


def kill(pid: int) -> None:
    """End a process and all below it at once; it comes last, since it may be this one."""
    for one in reversed([*with_all_below(pid)]):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGKILL)


def _memory(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as stream:
            return int(stream.read().split()[1]) * PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


def end_with_owner(told: int) -> None:
    """From now on this process ends with all that it has started once its owner does, even in a call without end.

    Args:
        told: The file descriptor of what it is told by its owner.
    """

    def wait() -> None:
        poll = select.poll()
        poll.register(told, 0)  # its end is told in any case: nobody writes
        poll.poll()
        kill(os.getpid())

    threading.Thread(target=wait, daemon=True).start()
