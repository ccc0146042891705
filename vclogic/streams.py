"""Standard input and output of a process, kept for requests and answers alone.

Games and libraries print what they like, in Python or straight to file descriptor 1. So each process of vclogic that
answers on standard output takes it away from them, once, when it begins. It never gives it back, since what a C
library keeps in its buffer is written at the end. A Python program that uses vclogic keeps what is its own.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_answers: list[int] = []
"""The file descriptor for answers, once standard output is taken."""


def own_output() -> int:
    """Take standard output for answers alone.

    Returns:
        The file descriptor for them; nothing is read there if there is no standard output. What is written to
        standard output from now on, by `print` or to descriptor 1, goes to standard error, or nowhere if that is
        closed.
    """
    elsewhere = os.open(os.devnull, os.O_WRONLY) if sys.__stderr__ is None else os.dup(2)
    answers = os.dup(elsewhere if sys.__stdout__ is None else 1)
    os.dup2(elsewhere, 1)
    if elsewhere > 2:  # else it has taken the place of one that was closed
        os.close(elsewhere)
    sys.stdout = sys.stderr
    _answers[:] = [answers]
    return answers


def as_started(path: str) -> str:
    """The path of what a path named when the process began: `/dev/stdout` is still where answers go."""
    if not _answers:
        return path
    at = path
    while True:
        folder, name = os.path.split(at)
        if name == "1" and os.path.isabs(folder) and os.path.realpath(folder) == os.path.realpath("/dev/fd"):
            return f"/dev/fd/{_answers[0]}"
        if not os.path.islink(at) or not os.path.exists(at):  # links in a circle lead to nothing that exists
            return path
        at = os.path.join(folder, os.readlink(at))


def is_output(there: os.stat_result) -> bool:
    """True if standard output, standard error or the answers of this process go to a file."""
    for number in (1, 2, *_answers):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), there):
                return True
    return False


def own_input() -> int:
    """Take standard input for requests alone; returns its file descriptor. For all others it is empty from now on."""
    requests, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return requests
