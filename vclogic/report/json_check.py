"""The findings of `check` as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from vclogic.check.findings import Checked, Finding, Witness
from vclogic.report.json import Document, steps


def check(answer: Checked) -> Document:
    """What is wrong with a rule set; suppressed findings too, each with its reason."""
    return {
        "schema": "vclogic/check/1",
        "game": answer.game,
        "scope": answer.scope,
        "findings": [_finding(f) for f in answer.findings],
        "checked": list(answer.checked),
        "unknown": [asdict(u) for u in answer.unknown],
        "cleared": [asdict(c) for c in answer.cleared],
        "assumptions": list(answer.assumptions),
        "elapsed_s": answer.elapsed_s,
    }


def _finding(f: Finding) -> Document:
    return {
        "code": f.code,
        "severity": f.severity,
        "rule": f.rule,
        "cites": list(f.cites),
        "message": f.message,
        "places": [asdict(p) for p in f.places],
        "scope": f.scope,
        "witness": None if f.witness is None else _witness(f.witness),
        "steps": steps(f.steps),
        "proof": f.proof or None,
        "help": f.help,
        "suppressed": f.suppressed,
    }


def _witness(w: Witness) -> dict[str, Any]:
    return {
        "changes": [{"fluent": c.fluent, "from": c.before, "to": c.after} for c in w.changes],
        "minimal": w.minimal,
        "pieces": w.pieces,
        "then": list(w.then),
        "position": w.position,
        "replayed": True,
    }
