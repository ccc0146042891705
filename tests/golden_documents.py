"""The answers of questions as users know them: `python -m tests.interface` writes them anew.

Each file of `FOLDER` has questions, commands (`$ vclogic ...`) and lines of `serve` (`> {...}`, one session for a
file), each with what came back: the keys of the document in their order, one a line. A new question is a line more.

As a program it writes what one file has to hold. It is a process of its own since what stands side by side in an
explanation is in the order in which the process met it, whatever it was asked before.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from tests.fixtures.elsewhere import ENGINES, document, late, timeless
from tests.fixtures.games import ROOT

FOLDER = Path(__file__).parent / "goldens/documents"
_COMMAND, _REQUEST = "$ vclogic ", "> "
PATIENCE = 600
"""Seconds for a question that takes one on an idle machine."""
_LINE_OF_CODE = r'("file": "[^"]*[.]py"), "line": \d+'
"""A place in a game's code, which moves with every line above it."""
_LAST = "the last"
"""Stands in a request for the plan that was answered last."""


def answered(file: str) -> Iterator[str]:
    """The lines of a file: its questions with their answers."""
    command = [sys.executable, "-m", __name__, file]
    found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.removesuffix("\n")
    yield re.sub(_LINE_OF_CODE, r"\1", found.replace(f"{ROOT}/", ""))


def _answers(file: str) -> Iterator[str]:
    ask = {_COMMAND: _command, _REQUEST: _session()}
    for line in (FOLDER / file).read_text(encoding="utf-8").split("\n"):
        for kind, answer in ask.items():
            if line.startswith(kind):
                yield line
                found = answer(line.removeprefix(kind))
                yield from (
                    f"{key}: {json.dumps(_rounded(value), ensure_ascii=False)}" for key, value in found.items()
                )
                yield ""


def _rounded(value: Any) -> Any:
    """Chances as far as each version of Python adds them up to the same."""
    match value:
        case float():
            return round(value, 9)
        case dict():
            return {key: _rounded(part) for key, part in value.items()}
        case list():
            return [_rounded(part) for part in value]
    return value


def _command(line: str) -> dict[str, Any]:
    from vclogic.cli.main import commands

    words = shlex.split(line)
    if any("--timeout" in option.opts for option in commands.commands[words[0]].params):
        words += ["--timeout", str(PATIENCE)]
    code, answer = document(words)
    return {"exit code": code, **answer}


def _session() -> Callable[[str], dict[str, Any]]:
    from vclogic.serve.dispatch import alone
    from vclogic.serve.requests import KINDS

    said: list[bytes] = []
    server = alone(said.append)
    plan: Any = None

    def ask(line: str) -> dict[str, Any]:
        nonlocal plan
        request = json.loads(line)
        if request.get("plan") == _LAST:
            request["plan"] = plan
        if any(key.name == "timeout" for key in fields(KINDS[request["ask"]].keys)):
            request["timeout"] = PATIENCE
        server.receive(json.dumps(request).encode())
        reply: dict[str, Any] = timeless(json.loads(said[-1]))
        if "files" in reply["answer"]:  # of this repository: those that users have, not those that tests come with
            files = reply["answer"]["files"]
            reply["answer"]["files"] = [file for file in files if file["path"].startswith("examples/")]
        plan = reply["answer"] if request["ask"] == "plan" else plan
        return {"answer": reply["answer"]}

    return ask


if __name__ == "__main__":
    from tests.toys import skirmish

    late(ENGINES[0])
    with skirmish.installed():
        print("\n".join(_answers(sys.argv[1])))
