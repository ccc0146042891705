"""Answers as JSON documents: versioned, with keys that stay, in one order.

The fields of a dataclass say how a document shows them (`vclogic.document_keys`); methods of `_DocumentWriter` write
whatever needs more than that. They go by the names of classes, so that writing one answer does not import the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from vclogic import __version__
from vclogic.document_keys import keys_of
from vclogic.errors import Diagnostic

if TYPE_CHECKING:
    from fractions import Fraction

    from vclogic.check.findings import Witness
    from vclogic.files.rulings.cases import Case
    from vclogic.model.actions import Event, Parameter, Schema
    from vclogic.model.citation import Citation
    from vclogic.model.objectives import Objective
    from vclogic.model.rules import Observable, Option, Outcome, Reading, Rule
    from vclogic.model.system import Metric
    from vclogic.query.answers import Recorded
    from vclogic.query.ask.answer import Ruled
    from vclogic.query.board.answer import Rendered
    from vclogic.query.explanation import Explained
    from vclogic.query.legal.answer import Legal
    from vclogic.query.rule_index import Installed, RuleIndex
    from vclogic.query.test.rulings import Tested
    from vclogic.terms.domain import Domain
    from vclogic.terms.sorts import BoolSort, EnumSort, IntSort
    from vclogic.terms.vocabulary import CountedKind

Document = dict[str, Any]
_NUMBERS = {"plan": 2, "reach": 2, "compare": 2, "error": 2}  # docs/json.md says what changed; all others are 1
_SEVERAL = {"explain": "codes", "games": "games", "explanations": "explanations"}
"""Answers that are several things, with the key of these."""


# ---- documents


def document(kind: str, answer: Any) -> Document:
    """The document of an answer.

    Args:
        kind: The command that was asked; for `explain_event` it is `event`.
        answer: What it answered.
    """
    if kind == "schema":
        return dict(answer)
    return {
        "schema": name_of(kind),
        **_DocumentWriter().write({_SEVERAL[kind]: answer} if kind in _SEVERAL else answer),
    }


def name_of(kind: str) -> str:
    """The key `schema` of a document: its kind with its number."""
    return f"vclogic/{kind}/{_NUMBERS.get(kind, 1)}"


def errors(diagnostics: Iterable[Diagnostic]) -> Document:
    """The document of everything that is wrong with an input."""
    keys = ("file", "line", "column", "code", "message", "help")
    wrong = [{key: getattr(d, key) for key in keys} for d in diagnostics]
    return {"schema": name_of("error"), "status": "error", "errors": wrong}


def dumps(document: Mapping[str, Any]) -> str:
    """A document as text with a newline at the end; characters that could control a terminal are escaped."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    lines = text.split("\n")
    return text + "\n" if all(map(str.isprintable, lines)) else "\n".join(map(_escaped, lines)) + "\n"


def _escaped(line: str) -> str:
    """A line of JSON with unprintable characters escaped, which changes nothing for who parses it."""
    return line if line.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


# ---- their parts


_BARE = frozenset((str, int, float, bool, type(None)))


class _DocumentWriter:
    """Writes one document: a method with the name of a class writes its values, the others go by their attributes."""

    def __init__(self) -> None:
        self._above: set[int] = set()

    def write(self, value: object) -> Any:
        """A value as JSON has it."""
        if value.__class__ in _BARE:
            return value
        return getattr(self, f"_{type(value).__name__}", self._plain)(value)

    def _plain(self, value: object) -> Any:
        """A value as JSON has it, by its attributes or members alone."""
        if isinstance(value, Mapping):
            return {name: self.write(x) for name, x in value.items()}
        if isinstance(value, tuple | list):
            return [self.write(x) for x in value]
        if not is_dataclass(value):
            return value
        found: Document = {}
        for key in keys_of(value.__class__):
            x = getattr(value, key.attribute)
            if x or not key.optional:
                found[key.name] = None if key.nullable and not x else self.write(x)
            if key.name == "record" and x and x.events is None:
                found["no_record"] = x.reason
        return found

    def _Recorded(self, record: Recorded) -> Any:
        return self.write(record.events)

    def _Event(self, event: Event) -> Any:
        return event.written

    def _Fraction(self, number: Fraction) -> str:
        return str(number)

    def _Tested(self, answer: Tested) -> Document:
        return {"passed": answer.passed, "failed": answer.failed, **self._plain(answer)}

    def _Explained(self, node: Explained) -> Document:
        """A node with all below it; one that has come before has `above` in place of its parts."""
        again = bool(node.parts) and id(node) in self._above
        self._above.add(id(node))
        below = {"above": True, "parts": []} if again else {"parts": self.write(node.parts)}
        return {**self._plain(node), **below}

    def _Legal(self, answer: Legal) -> Document:
        found: Document = self._plain(answer)
        for kind in found["events"] if not answer.why_not else ():
            del kind["refused"], kind["more"]
        return found

    def _Witness(self, witness: Witness) -> Document:
        return {**self._plain(witness), "replayed": True}  # the Python evaluator has confirmed it

    def _Rendered(self, answer: Rendered) -> Document:
        return {**self._plain(answer), **({} if answer.file else {"svg": answer.svg})}

    def _Installed(self, game: Installed) -> Document:
        scenarios = [f"{game.name}/{s.name}" for s in game.scenarios]
        return {"name": game.name, "title": game.title, "scenarios": scenarios}

    def _Ruled(self, answer: Ruled) -> Document:
        return {**self._plain(answer), "version": __version__}

    # what a rule set holds

    def _RuleIndex(self, book: RuleIndex) -> Document:
        settings = book.setup.settings
        return {
            "game": book.setup.game,
            **({"overlays": [*book.setup.overlays]} if book.setup.overlays else {}),
            "rules": self.write((*book.rules, *book.invariants)),
            "outcomes": self.write(book.outcomes),
            "clauses": self.write(book.clauses),
            "functions": self.write(book.functions),
            "readings": [self._switch(r, settings.readings[r.name]) for r in book.readings],
            "options": [self._switch(o, settings.options[o.name]) for o in book.options],
            **{
                key: self.write(getattr(book, key))
                for key in ("observables", "kinds", "moments", "events", "metrics", "objectives", "cases")
            },
        }

    def _switch(self, switch: Reading | Option, value: int | str) -> Document:
        why = "text" if hasattr(switch, "text") else "reason"
        return {"name": switch.name, "value": value, **self._some(switch, "default", "values", why, "cites")}

    def _some(self, part: object, *names: str) -> Document:
        """A part of a rule set, by some of its attributes."""
        return {name: self.write(getattr(part, name)) for name in names}

    def _CountedKind(self, kind: CountedKind) -> Document:
        of = {"groups": [*kind.every_group], "properties": [*kind.functions]}
        return {"name": kind.name, "members": [*kind.members], **of}

    def _Case(self, case: Case) -> Document:
        return self._some(case, "name", "cites")

    def _Rule(self, rule: Rule) -> Document:
        return self._some(rule, "name", "text", "cites")

    def _Outcome(self, outcome: Outcome) -> Document:
        return self._some(outcome, "name", "side", "level", "text", "when", "cites")

    def _Metric(self, metric: Metric) -> Document:
        return self._some(metric, "name", "unit", "heading", "text", "scale")

    def _Schema(self, schema: Schema) -> Document:
        return {
            "name": schema.name,
            "arguments": self.write(schema.parameters),
            "text": schema.text,
            "decided_by": schema.decided_by or None,
            "forced": schema.forced,
            "not_judged": schema.not_judged or None,
            "cites": self.write(schema.cites),
        }

    def _Objective(self, objective: Objective) -> Document:
        rest = self._some(objective, "places", "worth", "main")
        return {"name": objective.name, "kind": objective.kind, "sides": list(objective.held), **rest}

    def _Observable(self, observable: Observable) -> Document:
        from vclogic.query.rule_index import sort_of

        return {
            "name": observable.name,
            "arguments": self.write(observable.parameters),
            "value": self.write(sort_of(observable)),
            "text": observable.text,
            "cites": self.write(observable.cites),
        }

    def _Parameter(self, p: Parameter) -> Document:
        return {"name": p.name, **self.write(p.domain), "default": p.default, "each": p.each}

    def _Citation(self, cited: Citation) -> str:
        return cited.clause

    def _Domain(self, domain: Domain) -> Document:
        return {"kind": domain.sort.name, "names": list(domain.sort.members)}

    def _range(self, numbers: range) -> Document:
        return {"least": min(numbers), "most": max(numbers), "step": abs(numbers.step)}

    def _EnumSort(self, sort: EnumSort) -> Document:
        return {"sort": "Enum", "kind": sort.name, "names": list(sort.members)}

    def _BoolSort(self, sort: BoolSort) -> Document:
        return {"sort": "Bool"}

    def _IntSort(self, sort: IntSort) -> Document:
        return {"sort": "Int"}
