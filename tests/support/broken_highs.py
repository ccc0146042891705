"""A worker that does what no worker should; the environment says what."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TextIO


def main(engine: str, answers: TextIO) -> None:
    """Go wrong."""

    def _say(**answer: object) -> None:
        print(json.dumps({"id": 1, **answer}), file=answers, flush=True)

    request = json.loads(sys.stdin.readline())
    match os.environ["BROKEN"]:
        case "crash":
            os.abort()
        case "bound, then crash":
            _say(bound=6.2)
            _say(bound=5.9)
            os.abort()
        case "bound, then silence":
            _say(bound=6.2)
            time.sleep(60)
        case "solution, then crash":
            if engine == "plans":
                _say(solution=[hi for _, hi in request["columns"]])
            os.abort()
        case "nonsense":
            print("Warning: not JSON", file=answers, flush=True)
            time.sleep(60)
        case "no memory":
            _say(status="unknown", reason="MemoryError")
        case "false solution":
            _say(solution=[lo for lo, _ in request["columns"]])
            _say(status="optimal")
    sys.exit()
