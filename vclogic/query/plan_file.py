"""Read plans and witnesses from JSON answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import read_text
from vclogic.query.answers import Step

_SCHEMAS = tuple(f"vclogic/{answer}/{number}" for answer in ("plan", "reach") for number in (1, 2))


def read_steps(path: str) -> tuple[Step, ...]:
    """The steps of an answer in JSON.

    Args:
        path: The file, or `-` for standard input.

    Raises:
        InputError: It contains neither a plan nor a witness.
    """
    source = read_text(path)
    help = "write one with `vclogic plan ... --format json`"
    try:
        document = json.loads(source.text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of more digits than Python reads
        line, column = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (None, None)
        raise InputError(Diagnostic("bad-plan", "this is no JSON", source.name, line, column, help)) from error
    if not isinstance(document, dict) or str(document.get("schema")) not in _SCHEMAS:
        raise InputError(Diagnostic("bad-plan", "this is no answer to `plan` or `reach`", source.name, help=help))
    try:
        steps = tuple(_step(s) for s in document["steps"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(Diagnostic("bad-plan", "its steps are not as vclogic writes them", source.name)) from error
    if not steps:
        message = f"there are no steps: the answer was {quoted(document.get('status'))}"
        raise InputError(Diagnostic("no-plan", message, source.name))
    return steps


def _step(s: Mapping[str, Any]) -> Step:
    turn, args, plain = s["turn"] or {}, s["args"], str | int
    if not all(isinstance(x, plain) for x in (s["n"], s["actor"] or "", *turn.values(), *args.values())):
        raise TypeError("a list or mapping where a word or a number belongs")
    cites = tuple(map(str, s["cites"]))
    return Step(s["n"], s["turn"] and dict(turn), s["actor"], str(s["action"]), dict(args), str(s["text"]), cites)
