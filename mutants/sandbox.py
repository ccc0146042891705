"""A copy of an encoding in a temporary folder, and processes that see it instead of the installed one.

The folder comes first on the path. In it are the copied package, and metadata of a distribution of vclogic's name
that registers this encoding alone: both hide what is installed, so the working tree is never touched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mutants.lists import ENCODINGS, ROOT, Mutant

DETECTORS = ("rulings", "check", "conformance")
"""What looks for defects."""
LIMIT = 120.0
"""Seconds that each gets."""
_DISTRIBUTION = "vclogic-0.1.0.dist-info"


@dataclass(frozen=True)
class Verdict:
    """What a detector says of an encoding.

    Attributes:
        caught: Whether it finds fault with it.
        what: By what, shortly; empty where it finds nothing.
        seconds: Of processor time, where they are counted.
    """

    caught: bool
    what: str
    seconds: float | None = None


@contextmanager
def sandbox(game: str, mutant: Mutant | None = None) -> Iterator[Path]:
    """A folder with a copy of an encoding, to be put first on the path; removed afterwards.

    Args:
        game: The encoding.
        mutant: The defect that is planted in it; None: none.

    Raises:
        Misplaced: The defect cannot be planted.
    """
    with TemporaryDirectory(prefix="vclogic-mutant-") as name:
        folder = Path(name)
        copy = folder / "vclogic_encodings" / game
        shutil.copytree(ENCODINGS / game, copy, ignore=shutil.ignore_patterns("__pycache__"))
        if mutant is not None:
            mutant.plant(copy)
        registered = folder / _DISTRIBUTION
        registered.mkdir()
        (registered / "METADATA").write_text("Metadata-Version: 2.1\nName: vclogic\nVersion: 0.1.0\n")
        points = f"[vclogic.encodings]\n{game} = vclogic_encodings.{game}\n"
        (registered / "entry_points.txt").write_text(points)
        yield folder


def examined(folder: Path, game: str, detector: str) -> Verdict:
    """What a detector says of the encoding in a sandbox, from a process of its own.

    Args:
        folder: The sandbox.
        game: The encoding in it.
        detector: One of `DETECTORS`, or `ruling`, which stops at the first ruling that fails.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "mutants.detect", detector, game, str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Verdict(False, "the time was up")
    lines = done.stdout.decode().splitlines()
    if done.returncode or not lines:
        said = done.stderr.decode().strip().splitlines()
        return Verdict(True, f"broken: {said[-1] if said else f'exit code {done.returncode}'}")
    return Verdict(**json.loads(lines[-1]))
