"""A fixed sample of hostile inputs: what is laid out, what is called, and how it must end.

Every entry is one way to break a program that somebody has tried, or that a random search has found; what must hold
for all of them stands in `test_hostile.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

GAME = "axis_allies"
HEAD = "game: axis_allies\n"
GOAL = ("--side", "Axis", "--goal")
Lay = Callable[[str], None]


@dataclass(frozen=True)
class Attempt:
    """One way to break the program.

    Attributes:
        name: What it is.
        words: The words after `vclogic`.
        files: Contents by name; a text or bytes, or a function that makes what is no plain file.
        codes: The exit codes that are right.
        stdin: What stands on standard input.
        writes: Names of the files that it may make or change.
        environment: Variables to set; None: to take away.
        shell: A line for `sh`, in which "$@" is the command; where there is one, it runs as a process.
    """

    name: str
    words: tuple[str, ...]
    files: Mapping[str, str | bytes | Lay] = field(default_factory=dict)
    codes: tuple[int, ...] = (2,)
    stdin: bytes = b""
    writes: tuple[str, ...] = ()
    environment: Mapping[str, str | None] = field(default_factory=dict)
    shell: str | None = None


def position(name: str, text: str | bytes, codes: tuple[int, ...] = (2,), file: str = "p.yaml") -> Attempt:
    """A position file by itself."""
    return Attempt(f"position: {name}", ("status", file), {file: text}, codes)


def state(name: str, text: str, codes: tuple[int, ...] = (2,)) -> Attempt:
    """A section `state` of a position."""
    return position(name, f"{HEAD}state: {text}\n", codes)


def record(name: str, text: str, codes: tuple[int, ...] = (2,), game: str = GAME) -> Attempt:
    """A record laid over a game."""
    return Attempt(f"record: {name}", ("status", game, "--at", "r.yaml"), {"r.yaml": text}, codes)


def board(name: str, text: str | bytes | Lay, codes: tuple[int, ...] = (2,), file: str = "b.yaml") -> Attempt:
    """A board in a file of its own."""
    return Attempt(f"board: {name}", ("status", "p.yaml"), {"p.yaml": f"{HEAD}board: {file}\n", file: text}, codes)


def named(name: str, value: str) -> Attempt:
    """A board that is named in a strange way."""
    return Attempt(f"board named {name}", ("status", "p.yaml"), {"p.yaml": f"{HEAD}board: {value}\n"})


def goal(name: str, text: str, codes: tuple[int, ...] = (2,), game: str = GAME) -> Attempt:
    """A goal to reach."""
    return Attempt(
        f"goal: {name}", ("reach", game, "--side", "Axis", f"--goal={text}", "--timeout", "5"), codes=codes
    )


def words(name: str, *given: str, codes: tuple[int, ...] = (2,), writes: tuple[str, ...] = ()) -> Attempt:
    """Words of a command."""
    return Attempt(f"words: {name}", given, codes=codes, writes=writes)


def around(
    name: str, *given: str, codes: tuple[int, ...] = (0,), shell: str = '"$@"', **environment: str | None
) -> Attempt:
    """A sound question in a strange environment."""
    return Attempt(f"around: {name}", given, codes=codes, environment=environment, shell=shell)
