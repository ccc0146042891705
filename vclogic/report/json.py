"""Answers as JSON documents: versioned, with keys that stay, in one order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from vclogic.errors import Diagnostic
from vclogic.model.system import Events
from vclogic.query.answers import Plan, ProofText, Reach, Recorded, Status, Step, Tested

if TYPE_CHECKING:
    from vclogic.check.catalogue import Code
    from vclogic.check.findings import Checked
    from vclogic.files.template import NewGame
    from vclogic.query.answers import Rendered
    from vclogic.query.comparison import Comparison
    from vclogic.query.explain import Explained, ExplainedEvent
    from vclogic.query.legality import Legal
    from vclogic.query.missing import Missing, Replacement
    from vclogic.query.rule_book import Installed, RuleBook

Document = dict[str, Any]
PLAN, REACH, COMPARE = "vclogic/plan/2", "vclogic/reach/2", "vclogic/compare/2"  # docs/json.md says what changed
_OUTCOME = ("rule", "side", "level", "status", "have", "need", "cites")


def dumps(document: Mapping[str, Any]) -> str:
    """A document as text that ends with a line end; in it stand escapes for what could change a terminal."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    lines = text.split("\n")
    return text + "\n" if all(map(str.isprintable, lines)) else "\n".join(map(_escaped, lines)) + "\n"


def _escaped(line: str) -> str:
    """A line of JSON with escapes for all that is no plain character; what it stands for is the same."""
    return line if line.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def status(answer: Status) -> Document:
    """Who has won, who has what; with `tables` and `explanations` where there are any."""
    document: Document = {
        "schema": "vclogic/status/1",
        "winner": answer.winner,
        "view": answer.view,
        "outcomes": [{key: _plain(getattr(o, key)) for key in _OUTCOME} for o in answer.outcomes],
        "observables": dict(answer.observables),
        "not_judged": list(answer.not_judged),
        "assumptions": list(answer.assumptions),
    }
    if answer.tables:
        document["tables"] = [asdict(t) for t in answer.tables]
    if answer.explanations:
        document["explanations"] = _explained(answer.explanations)
    return document


def event(answer: ExplainedEvent) -> Document:
    """Whether an event is allowed, and why."""
    return {
        "schema": "vclogic/event/1",
        "event": answer.event,
        "allowed": answer.allowed,
        "not_judged": answer.not_judged or None,
        "requirements": _explained(answer.requirements),
        "assumptions": list(answer.assumptions),
    }


def legal(answer: Legal) -> Document:
    """What may be done now; with `refused` of each kind where it was asked for."""
    from vclogic.report.json_legal import legal as document

    return document(answer)


def plan(answer: Plan) -> Document:
    """A plan; with `maximum` where one was asked for, with `argued` and `reason` where there are such."""
    document = {
        "schema": PLAN,
        "status": answer.status,
        "metric": answer.metric,
        "cost": answer.cost,
        "lower_bound": answer.lower_bound,
        "bound_by": answer.bound_by,
        "exact": answer.exact,
        "horizon": {"n": answer.horizon.n, "unit": answer.horizon.unit},
        "events": _events(answer.events),
        "steps": steps(answer.steps),
        **_record(answer.record),
        "replayed": answer.replayed,
        "assumptions": list(answer.assumptions),
        "elapsed_s": answer.elapsed_s,
    }
    if answer.argued:
        document["argued"] = list(answer.argued)
    if answer.maximum is not None:
        document["maximum"] = asdict(answer.maximum)
    return _with_reason(document, answer.reason)


def reach(answer: Reach) -> Document:
    """Whether a goal can be reached; with `reason` where there is one."""
    document = {
        "schema": REACH,
        "by": answer.by,
        "events": _events(answer.events),
        "status": answer.status,
        "depth": answer.depth,
        "steps": steps(answer.steps),
        **_record(answer.record),
        "proof": _proof(answer.proof),
        "replayed": answer.replayed,
        "assumptions": list(answer.assumptions),
        "elapsed_s": answer.elapsed_s,
    }
    return _with_reason(document, answer.reason)


def missing(answer: Missing) -> Document:
    """What is missing for a goal; with `reason` where there is one."""
    document = {
        "schema": "vclogic/missing/1",
        "status": answer.status,
        "repairs": [{"changes": [_change(c) for c in r.changes], "size": r.size} for r in answer.repairs],
        "least": answer.least,
        "conflicts": [
            {
                "rules": [
                    {key: _plain(getattr(p, key)) for key in ("kind", "name", "text", "cites")} for p in c.parts
                ],
                "cites": list(c.cites),
                "rechecked": c.rechecked,
            }
            for c in answer.conflicts
        ],
        "complete": answer.complete,
        "kept": list(answer.kept),
        "assumptions": list(answer.assumptions),
        "elapsed_s": answer.elapsed_s,
    }
    return _with_reason(document, answer.reason)


def compare(answer: Comparison) -> Document:
    """Where two rule sets part ways; with `reason` where there is one."""
    document = {
        "schema": COMPARE,
        "status": answer.status,
        "on": answer.on,
        "others": list(answer.others),
        "position": None if answer.position is None else dict(answer.position),
        "steps": steps(answer.steps),
        **_record(answer.record),
        "a": asdict(answer.a),
        "b": asdict(answer.b),
        "proof": _proof(answer.proof),
        "replayed": answer.replayed,
        "assumptions": list(answer.assumptions),
        "elapsed_s": answer.elapsed_s,
    }
    return _with_reason(document, answer.reason)


def new(answer: NewGame) -> Document:
    """A game that was written."""
    return {"schema": "vclogic/new/1", "name": answer.name, "folder": answer.folder, "files": list(answer.files)}


def schema(answer: Document) -> Document:
    """The JSON Schema of a file, as it is."""
    return answer


def test(answer: Tested) -> Document:
    """How the rulings came out; `lines` are those of what is expected."""
    keys = ("name", "cites", "status", "expected", "got", "file")
    return {
        "schema": "vclogic/test/1",
        "passed": answer.passed,
        "failed": answer.failed,
        "cases": [
            {key: _plain(getattr(c, key)) for key in keys}
            | {"lines": [line for line, _ in c.places], "problems": [asdict(d) for d in c.problems]}
            for c in answer.cases
        ],
    }


def render(answer: Rendered) -> Document:
    """A picture that was drawn; with `svg` where it was not written to a file."""
    document: Document = {
        "schema": "vclogic/render/1",
        "game": answer.game,
        "file": answer.file,
        "regions": answer.regions,
        "turns": list(answer.turns),
    }
    return document if answer.file else {**document, "svg": answer.svg}


def check(answer: Checked) -> Document:
    """What is wrong with a rule set."""
    from vclogic.report.json_check import check as document

    return document(answer)


def explain(codes: Iterable[Code]) -> Document:
    """What finding codes mean."""
    return {"schema": "vclogic/explain/1", "codes": [asdict(c) for c in codes]}


def games(entries: Iterable[Installed]) -> Document:
    """What is installed, by the names that the other commands take; a broken encoding has no title."""
    return {
        "schema": "vclogic/games/1",
        "games": [
            {"name": e.name, "title": e.title, "scenarios": [f"{e.name}/{s.name}" for s in e.scenarios]}
            for e in entries
        ],
    }


def rules(book: RuleBook) -> Document:
    """What a rule set holds, or the part of it that was asked for."""
    from vclogic.report.json_rules import rules as document  # much to import for what `status` never needs

    return document(book)


def errors(diagnostics: Iterable[Diagnostic]) -> Document:
    """Everything that is wrong with an input."""
    keys = ("file", "line", "column", "code", "message", "help")
    return {
        "schema": "vclogic/error/1",
        "status": "error",
        "errors": [{key: getattr(d, key) for key in keys} for d in diagnostics],
    }


# ---- parts


def _explained(nodes: Iterable[Explained]) -> list[Document]:
    """Nodes with all below them; what has come before has `above` in place of its parts, of which there are many."""
    above: set[int] = set()

    def document(node: Explained) -> Document:
        again = bool(node.parts) and id(node) in above
        above.add(id(node))
        return {
            "text": node.text,
            "value": node.value,
            "deciding": node.deciding,
            "cites": list(node.cites),
            "facts": dict(node.facts),
            **({"least": node.least} if node.least else {}),
            **({"above": True} if again else {}),
            "parts": [] if again else [document(p) for p in node.parts],
        }

    return [document(node) for node in nodes]


def _events(events: Events) -> Document:
    return {"included": list(events.included), "left_out": list(events.left_out)}


def _record(record: Recorded | None) -> Document:
    """The events as a position file has them; or null, with the reason if there is a plan."""
    if record is None or record.events is None:
        return {"record": None, **({"no_record": record.reason} if record else {})}
    return {"record": [e.written for e in record.events]}


def _proof(proof: ProofText | None) -> Document | None:
    if proof is None:
        return None
    horizon = proof.horizon
    return {
        "method": proof.method,
        "k": proof.k,
        "horizon": None if horizon is None else {"n": horizon.n, "unit": horizon.unit},
        "invariant": list(proof.invariant),
        "rechecked": proof.rechecked,
    }


def _change(change: Replacement) -> Document:
    return {"fluent": change.fluent, "from": change.before, "to": change.after, "or": list(change.others)}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _with_reason(document: Document, reason: str) -> Document:
    return {**document, "reason": reason} if reason else document


def steps(taken: Sequence[Step]) -> list[Document]:
    """The steps of a plan or witness."""
    return [
        {
            "n": s.n,
            "turn": None if s.turn is None else dict(s.turn),
            "actor": s.actor,
            "action": s.action,
            "args": dict(s.args),
            "text": s.text,
            "cites": list(s.cites),
        }
        for s in taken
    ]
