"""A random search for files of rulings that break the program."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run
from tests.hostile.test_random import altered, reshaped, written

FOLDER = Path(__file__).parents[1] / "rulings"
FILES = sorted(FOLDER.glob("*.yaml"))
FIRST = int(os.environ.get("FIRST_EXAMPLE", "0"))
EACH = 60 * int(os.environ.get("MORE_EXAMPLES", "1"))


def changed(rng: random.Random) -> tuple[str, str]:
    """Name and text of a file like one of those in `tests/rulings`."""
    text = rng.choice(FILES).read_text(encoding="utf-8")
    if rng.random() < 0.3:
        return "p.yaml", altered(rng, text)
    return written(rng, reshaped(rng, yaml.safe_load(text)))


@pytest.mark.parametrize("tenth", range(10))
def test_files_of_rulings(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tenth: int) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(FIRST + tenth, FIRST + EACH, 10):
        name, text = changed(random.Random(f"rulings {number}"))
        Path(name).write_text(text, encoding="utf-8", errors="surrogatepass")
        found = run("test", name, *(("--format", "json") if number % 3 == 0 else ()))
        assert found.code in (0, 1, 2), (number, text, found.err)
        assert (found.code == 2) == ("error" in found.err or '"vclogic/error/' in found.out), (number, text)
