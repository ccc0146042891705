"""The JSON document of what may be done now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vclogic.encode.ranges import Range
from vclogic.query.legality import Allowed, Legal, LegalKind, Refused

Document = dict[str, Any]


def legal(answer: Legal) -> Document:
    """What may be done now; with `refused` and `more` of each kind where that was asked for."""
    return {
        "schema": "vclogic/legal/1",
        "turn": dict(answer.turn),
        "side": answer.side,
        "event": answer.event,
        "events": [_kind(k, why_not=answer.why_not) for k in answer.kinds],
        "reach_assumes": list(answer.reach_assumes),
        "assumptions": list(answer.assumptions),
    }


def _kind(k: LegalKind, *, why_not: bool) -> Document:
    found: Document = {
        "name": k.event,
        "decided_by": k.decided_by or None,
        "forced": k.forced,
        "not_judged": k.not_judged or None,
        "cites": list(k.cites),
        "allowed": [_allowed(a) for a in k.allowed],
        "left_out": k.left_out,
    }
    if why_not:
        found |= {"refused": [_refused(r) for r in k.refused], "more": k.more}
    return found


def _allowed(a: Allowed) -> Document:
    return {
        "actor": a.actor,
        "agreed": a.agreed,
        "args": dict(a.args),
        "numbers": _numbers(a.numbers),
        "beyond": list(a.beyond),
    }


def _refused(r: Refused) -> Document:
    return {
        "args": dict(r.args),
        "numbers": _numbers(r.numbers),
        "count": r.count,
        "lacks": [{"text": lack.text, "cites": list(lack.cites)} for lack in r.lacks],
    }


def _numbers(numbers: Mapping[str, tuple[Range, ...]]) -> Document:
    """Each number with the ranges that it may lie in, both ends included."""
    return {name: [list(r) for r in ranges] for name, ranges in numbers.items()}
