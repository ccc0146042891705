"""What of the tests notices a defect of the engine: those that run the changed lines, the cheapest first.

Each defect is planted into a copy of vclogic, the encodings and the tests, in which pytest runs until one fails.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mutants.covered import Covered, covered
from mutants.lists import ENGINE, ROOT, Mutant, mutants
from mutants.sandbox import Verdict

DETECTORS = ("usual", "slow")
"""The tests of a usual run; where none of them notices a defect, those of a long one."""
SHARE = {"usual": 90.0, "slow": 600.0}
"""Seconds of processor time that the tests of each may have taken in all when it was noted what they run."""
PATIENCE = 10
"""So many times as long a busy machine may take; what does not end by then hangs, and that is noticed too."""
SPINNING = 3
"""So many times its share of the processor it may take: what loops for ever ends soon, also on a busy machine."""
_LOOK = 0.5  # seconds; they are counted, for a machine may be stopped for a while
_COPIED = ("vclogic", "encodings", "tests", "mutants", "benchmarks")
_SLOW = ("-m", "slow or not slow")
_MORE = "20"  # times as many examples in a long run


def pytest_configure() -> None:
    """As a plugin of these runs: an example that fails is enough, a smaller one is not looked for."""
    from hypothesis import Phase, settings

    settings.register_profile("any example", phases=[Phase.explicit, Phase.generate])
    settings.load_profile("any example")


@contextmanager
def planted(mutant: Mutant | None) -> Iterator[Path]:
    """A copy of what tests need, with a defect; removed afterwards.

    Raises:
        Misplaced: The defect cannot be planted.
    """
    with TemporaryDirectory(prefix="vclogic-mutant-") as name:
        folder = Path(name)
        for part in ROOT.iterdir():
            if part.name in _COPIED:
                shutil.copytree(part, folder / part.name)
            elif part.name[0] != "." and part.name != "build":
                (folder / part.name).symlink_to(part)
        if mutant is not None:
            mutant.plant(folder)
        yield folder


def tried(mutant: Mutant | None, detectors: Sequence[str]) -> Mapping[str, Verdict]:
    """What the tests say of the engine with a defect, each kind of run only where the one before noticed nothing.

    Args:
        mutant: The defect; None: none, and all tests are run that are known to notice one.
        detectors: Some of `DETECTORS`.
    """
    verdicts: dict[str, Verdict] = {}
    notes = covered()
    with planted(mutant) as folder:
        for detector in detectors:
            if mutant is None:
                tests = sorted({m.noticed for m in mutants(ENGINE) if m.noticed}) if detector == "usual" else []
            else:
                tests = chosen(mutant, notes, detector)
            verdicts[detector] = ran(folder, tests, detector)
            if verdicts[detector].caught:
                break
    return verdicts


def chosen(mutant: Mutant, notes: Iterable[Covered], detector: str) -> list[str]:
    """The tests that may notice a defect: the one that did, those that run its lines, those that run its file.

    Each of the latter from the cheapest on, those of its namesake and of its folder first, as many as take no more
    than their share. A long run takes the files of tests, for what is slow was not noted.
    """
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    first = text[: text.index(mutant.old)].count("\n") + 1
    lines = frozenset(range(first, first + mutant.old.rstrip("\n").count("\n") + 1))
    folder, _, name = mutant.file.replace("vclogic/", "tests/", 1).removesuffix(".py").rpartition("/")
    namesake = f"{folder}/test_{name}.py"
    near = sorted(
        (not lines & there, not c.test.startswith(namesake), not c.test.startswith(folder), c.seconds, c.test)
        for c in notes
        if (there := c.lines.get(mutant.file)) is not None
    )
    found, spent = dict.fromkeys([mutant.noticed] if mutant.noticed else []), 0.0
    for *_, seconds, test in near:
        spent += seconds
        if spent > SHARE[detector]:
            break
        found[test] = None
    tests = list(found) if detector == "usual" else [test.partition("::")[0] for test in found]
    return list(dict.fromkeys(tests))


def ran(folder: Path, tests: Sequence[str], detector: str) -> Verdict:
    """Run some tests in a copy until one fails."""
    if not tests:
        return Verdict(False, "no test is known to run it")
    path = os.pathsep.join((str(folder), str(folder / "encodings")))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "--no-header", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "mutants.tested"]
    if detector == "slow":
        env["MORE_EXAMPLES"] = _MORE
        options += _SLOW
    (folder / "tests.txt").write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", *options, "@tests.txt"]
    code, seconds = waited_for(command, folder, env, SHARE[detector])
    if code is None:
        return Verdict(True, "it does not end", seconds)
    if code == 4:
        return Verdict(False, "pytest does not know these tests: note anew what they run", seconds)
    if code in (0, 5):  # 5: of what was asked for nothing was to be run
        return Verdict(False, "", seconds)
    out = (folder / "said.txt").read_text(encoding="utf-8", errors="replace")
    failed = [line.partition(" ")[2] for line in out.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    what = failed[0].partition(" - ")[0] if failed else f"broken: exit code {code}"
    known = [t for t in tests if failed and "[" in t and failed[0].startswith(t)]  # what is in [] may hold " - "
    return Verdict(True, max(known, key=len) if known and detector == "usual" else what, seconds)


def waited_for(
    command: Sequence[str], folder: Path, env: Mapping[str, str], share: float
) -> tuple[int | None, float]:
    """The exit code of a command (None: it does not end) and its processor time in seconds; what is left is ended.

    Args:
        command: Its words.
        folder: Where it runs; `said.txt` there is what it says.
        env: Its environment.
        share: Seconds that it is expected to take.
    """
    spinning = max(int(SPINNING * share), 1)
    with (folder / "said.txt").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=said, stderr=said, start_new_session=True)
    with contextlib.suppress(ProcessLookupError):  # it has ended already
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (spinning, spinning + 1))
    code = None
    for _ in range(int(share * PATIENCE / _LOOK)):
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            code = process.returncode = os.waitstatus_to_exitcode(status)
            break
        time.sleep(_LOOK)
    with contextlib.suppress(ProcessLookupError, PermissionError):  # a group of its own
        os.killpg(process.pid, signal.SIGKILL)
    if code is None:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    ended_by_limit = code in (-signal.SIGXCPU, -signal.SIGKILL)
    return None if ended_by_limit else code, round(used.ru_utime + used.ru_stime, 1)
