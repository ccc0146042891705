"""Read plans and witnesses from JSON answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import read_text
from vclogic.model.system import Events
from vclogic.query.answers import Horizon, Step
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.risks import Battles, FoughtBattle

_HELP = "write one with `vclogic plan ... --format json`"
_SCHEMAS = tuple(f"vclogic/{answer}/{number}" for answer in ("plan", "reach") for number in (1, 2))


def read_steps(path: str) -> tuple[tuple[Step, ...], Battles | None]:
    """The steps of an answer in JSON, and its battles with their chances, if it has any.

    Args:
        path: The file, or `-` for standard input.

    Raises:
        InputError: It contains neither a plan nor a witness.
    """
    document, name = _read(path)
    return steps_of(document, name), battles_in(document, name)


def read_plan(path: str, goal: str, game: str) -> Plan:
    """The plan of an answer in JSON; see `plan_of`.

    Args:
        path: The file, or `-` for standard input.
        goal: The goal that was asked for, which is not in the answer.
        game: What it is called.

    Raises:
        InputError: It contains no plan.
    """
    document, name = _read(path)
    return plan_of(document, goal, game, name)


def _read(path: str) -> tuple[Any, str]:
    """The content of a file in JSON, and what to call it."""
    source = read_text(path)
    try:
        return json.loads(source.text), source.name
    except (ValueError, RecursionError) as error:  # ValueError: also a number of more digits than Python reads
        line, column = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (None, None)
        raise InputError(Diagnostic("bad-plan", "this is no JSON", source.name, line, column, _HELP)) from error


def steps_of(document: Any, name: str) -> tuple[Step, ...]:
    """The steps of an answer.

    Args:
        document: The answer as JSON holds it.
        name: What to call it.

    Raises:
        InputError: It contains neither a plan nor a witness.
    """
    if not isinstance(document, dict) or str(document.get("schema")) not in _SCHEMAS:
        raise InputError(Diagnostic("bad-plan", "this is no answer to `plan` or `reach`", name, help=_HELP))
    try:
        steps = tuple(_step(s) for s in document["steps"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(Diagnostic("bad-plan", "its steps are not as vclogic writes them", name)) from error
    if not steps:
        message = f"there are no steps: the answer was {quoted(document.get('status'))}"
        raise InputError(Diagnostic("no-plan", message, name))
    return steps


def battles_in(document: Mapping[str, Any], name: str) -> Battles | None:
    """The battles of an answer to `plan`, with what a picture needs of them; None where it has none.

    Raises:
        InputError: They are not as vclogic writes them.
    """
    found = document.get("battles")
    if found is None:
        return None
    try:
        fought = tuple(_battle(b) for b in found["fought"])
        chance, weakest = found["chance"], found["weakest"]
        if not isinstance(chance, float | int | None) or not isinstance(weakest, int | None):
            raise TypeError("something else where a number belongs")
        numbers = chance, float(found["error"]), weakest, found["losses"], found["value_lost"]
        said = str(found["combined"]), str(found["currency"]), tuple(map(str, found["assumptions"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(Diagnostic("bad-plan", "its battles are not as vclogic writes them", name)) from error
    return Battles(fought, *numbers, *said, "", {})


def _battle(b: Mapping[str, Any]) -> FoughtBattle:
    given = {f.name: b.get(f.name, "") if f.name == "reason" else b[f.name] for f in fields(FoughtBattle)}
    if not all(isinstance(given[name], str) for name in ("attacker", "place", "reason")):
        raise TypeError("a list or mapping where a word belongs")
    if not isinstance(given["n"], int) or not isinstance(given["chance"], float | int | None):
        raise TypeError("something else where a number belongs")
    return FoughtBattle(**{**given, "turn": dict(given["turn"])})


def plan_of(document: Any, goal: str, game: str, name: str) -> Plan:
    """The plan of an answer: its metric and its steps, without what was proved about it.

    Args:
        document: The answer of `plan` as JSON holds it.
        goal: The goal that was asked for, which is not in the answer.
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        name: What to call the answer.

    Raises:
        InputError: It contains no plan.
    """
    steps = steps_of(document, name)
    metric, cost = document.get("metric"), document.get("cost")
    if not isinstance(metric, str) or not isinstance(cost, int):
        raise InputError(Diagnostic("bad-plan", "this is no answer to `plan`", name, help=_HELP))
    return Plan(
        game=game,
        goal=goal,
        heading="",
        status="feasible",
        metric=metric,
        cost=cost,
        lower_bound=None,
        bound_by=None,
        exact=False,
        horizon=Horizon(None, ""),
        events=Events((), ()),
        steps=steps,
        record=None,
        replayed=None,
        assumptions=(),
    )


def _step(s: Mapping[str, Any]) -> Step:
    turn, args, plain = s["turn"] or {}, s["args"], str | int
    if not all(isinstance(x, plain) for x in (s["n"], s["actor"] or "", *turn.values(), *args.values())):
        raise TypeError("a list or mapping where a word or a number belongs")
    cites = tuple(map(str, s["cites"]))
    return Step(s["n"], s["turn"] and dict(turn), s["actor"], str(s["action"]), dict(args), str(s["text"]), cites)
