"""The process that runs cvc5: reads requests from standard input, one JSON line each, and answers in the same form.

It is separate from vclogic so that it can be killed: when standard input closes, because its owner has died or needs
no answer, the process ends at once, whatever cvc5 is doing. A request is `{"id", "text", "seconds"}`: a script of
SMT-LIB with one `(check-sat)`, and the time limit.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any, TextIO

_VERDICTS = ("sat", "unsat")


def _read(requests: queue.Queue[dict[str, Any]]) -> None:
    try:
        for line in sys.stdin:
            requests.put(json.loads(line))
    finally:
        os._exit(0)


def verdict(text: str, seconds: float) -> str:
    """The answer of cvc5 to a script: `sat`, `unsat` or `unknown`."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(max(int(seconds * 1000), 1)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "claim")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said
    return said if said in _VERDICTS else "unknown"


def main(engine: str, answers: TextIO) -> None:
    """Answer requests from standard input.

    Args:
        engine: Its name.
        answers: The stream for the answers.
    """
    requests: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    while True:
        request = requests.get()
        try:
            answer = {"status": verdict(request["text"], request["seconds"]), "reason": "no answer in time"}
        except Exception as error:  # whatever goes wrong, there is just no second opinion
            answer = {"status": "unknown", "reason": str(error) or type(error).__name__}
        if answer["status"] == "sat":
            answer["model"] = {}  # type: ignore[assignment]
        answers.write(json.dumps({"id": request["id"], **answer}) + "\n")
        answers.flush()
