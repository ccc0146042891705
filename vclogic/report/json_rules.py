"""The JSON document of what a rule set holds."""

from __future__ import annotations

from typing import Any

from vclogic.model.actions import Parameter, Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.rules import Observable, Option, Outcome, Reading, Rule
from vclogic.query.rule_book import ClauseUse, RuleBook, cites, sort_of
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, EnumSort

Document = dict[str, Any]


def rules(book: RuleBook) -> Document:
    """What a rule set holds, or the part of it that was asked for."""
    settings = book.setup.settings
    return {
        "schema": "vclogic/rules/1",
        "game": book.setup.game,
        "rules": [_rule(r) for r in (*book.rules, *book.invariants)],
        "outcomes": [_outcome(o) for o in book.outcomes],
        "clauses": [_clause(c) for c in book.clauses],
        "functions": [_function(f) for f in book.functions],
        "readings": [_reading(r, settings.readings[r.name]) for r in book.readings],
        "options": [_option(o, settings.options[o.name]) for o in book.options],
        "observables": [_observable(o) for o in book.observables],
        "events": [_event(s) for s in book.events],
        "metrics": [{"name": m.name, "unit": m.unit, "heading": m.heading, "text": m.text} for m in book.metrics],
        "cases": [{"name": c.name, "cites": list(c.cites)} for c in book.cases],
    }


def _clause(c: ClauseUse) -> Document:
    uses = {"rules": list(c.rules), "cases": list(c.cases)}
    left_out = {"out_of_scope": c.out_of_scope, "planned": c.planned}
    return {"name": c.clause, "source": c.source, **uses, "example": c.example, **left_out}


def _function(f: CitedFunction) -> Document:
    return {"name": f.name, "text": f.text, "file": f.file, "line": f.line, "cites": list(cites(f))}


def _rule(r: Rule) -> Document:
    return {"name": r.name, "text": r.text, "cites": list(cites(r))}


def _outcome(o: Outcome) -> Document:
    return {
        "name": o.name,
        "side": o.side,
        "level": o.level,
        "text": o.text,
        "when": o.when,
        "cites": list(cites(o)),
    }


def _reading(r: Reading, value: str) -> Document:
    return {
        "name": r.name,
        "value": value,
        "default": r.default,
        "values": dict(r.values),
        "reason": r.reason,
        "cites": list(cites(r)),
    }


def _option(o: Option, value: int | str) -> Document:
    return {
        "name": o.name,
        "value": value,
        "default": o.default,
        "values": _range(o.values) if isinstance(o.values, range) else list(o.values),
        "text": o.text,
        "cites": list(cites(o)),
    }


def _observable(o: Observable) -> Document:
    return {
        "name": o.name,
        "arguments": [_names(d) for d in o.parameters],
        "value": _value(o),
        "text": o.text,
        "cites": list(cites(o)),
    }


def _value(o: Observable) -> Document:
    """The sort of an observable's value."""
    sort = sort_of(o)
    if isinstance(sort, EnumSort):
        return {"sort": "Enum", "kind": sort.name, "names": list(sort.members)}
    return {"sort": "Bool" if isinstance(sort, BoolSort) else "Int"}


def _event(s: Schema) -> Document:
    return {
        "name": s.name,
        "arguments": [_parameter(p) for p in s.parameters],
        "text": s.text,
        "decided_by": s.decided_by or None,
        "forced": s.forced,
        "not_judged": s.not_judged or None,
        "cites": list(cites(s)),
    }


def _parameter(p: Parameter) -> Document:
    values = _range(p.domain) if isinstance(p.domain, range) else _names(p.domain)
    return {"name": p.name, **values, "default": p.default, "each": p.each}


def _names(d: Domain) -> Document:
    return {"kind": d.sort.name, "names": list(d.sort.members)}


def _range(numbers: range) -> Document:
    return {"least": min(numbers), "most": max(numbers), "step": abs(numbers.step)}
