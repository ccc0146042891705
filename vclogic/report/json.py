"""Answers as JSON documents: versioned, with keys that stay, in one order.

A document holds the attributes of the answer's dataclass. `_KEYS` lists the keys of classes for which that is not so;
methods of `_DocumentWriter` write what needs more than that. Both go by the names of classes, so that writing one
answer does not import the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from vclogic import __version__
from vclogic.errors import Diagnostic

if TYPE_CHECKING:
    from fractions import Fraction

    from vclogic.check.findings import Witness
    from vclogic.model.actions import Event, Parameter
    from vclogic.model.citation import Citation
    from vclogic.model.objectives import Objective
    from vclogic.model.rules import Observable, Option, Reading
    from vclogic.query.answers import Recorded, Rendered
    from vclogic.query.explained import Explained
    from vclogic.query.legality import Legal
    from vclogic.query.rule_book import Installed, RuleBook
    from vclogic.query.ruling.answer import Ruled
    from vclogic.terms.domain import Domain
    from vclogic.terms.sorts import BoolSort, EnumSort, IntSort

Document = dict[str, Any]
_NUMBERS = {"plan": 2, "reach": 2, "compare": 2, "error": 2}  # docs/json.md says what changed; all others are 1
_SEVERAL = {"explain": "codes", "games": "games", "explanations": "explanations"}
"""Answers that are several things, with the key of these."""
_KEYS: Mapping[str, str] = {
    "BattleOdds": "status place attacker at_sea landing attackers guns defenders conduct odds hold both currency"
    " assumptions elapsed_s reason?",
    "Battles": "fought chance error weakest losses value_lost combined currency assumptions",
    "Case": "name cites",
    "CaseResult": "name cites status expected got file lines problems source line tried",
    "Change": "fluent from=before to=after",
    "CitedFunction": "name text file line cites",
    "ClauseUse": "name=clause source rules cases example out_of_scope planned",
    "Cost": "status cost lower_bound difference bound_by exact horizon reason?",
    "Comparison": "status on others position steps record a b proof replayed assumptions elapsed_s reason?",
    "Conflict": "rules=parts cites rechecked",
    "Defence": "status side metric moves at_least horizon events defence attack checked assumptions elapsed_s"
    " reason?",
    "Denial": "sets complete all_found total reason?",
    "Explained": "text value deciding cites facts least?",
    "ExplainedEvent": "event allowed not_judged|null requirements assumptions",
    "FoughtBattle": "n event turn attacker place at_sea landing attackers guns defenders chance error losses"
    " value_lost reason?",
    "Finding": "code severity rule cites message places scope witness steps proof|null help suppressed",
    "Force": "status side metric turns at_least horizon events strategy refutation checked assumptions elapsed_s"
    " reason?",
    "LeftOut": "kind number",
    "Listed": "title things left_out usual cites",
    "Landmarks": "found open reason?",
    "Legal": "turn side event events=kinds reach_assumes assumptions",
    "LegalKind": "name=event decided_by|null forced not_judged|null cites allowed left_out refused more",
    "LinesChecked": "positions replies every recorded refused refusal?",
    "Metric": "name unit heading text scale",
    "Missing": "status repairs least conflicts complete kept left assumptions elapsed_s reason?",
    "Objectives": "status side goal metric scale cost horizon conditions events objectives winning landmarks denial"
    " threats next assumptions elapsed_s",
    "Option": "default values text cites",
    "Outcome": "name side level text when cites",
    "OutcomeStatus": "rule side level status have need cites short",
    "Part": "kind name text cites",
    "Placed": "name kind? side? value count notes? parts?",
    "Plan": "status metric cost lower_bound bound_by exact horizon events steps record replayed assumptions elapsed_s"
    " argued? maximum? plans? battles? exposed? reason? scale? counted?",
    "OnePlan": "steps record battles?",
    "Plans": "found complete reason?",
    "ProofText": "method k horizon invariant rechecked positions?",
    "Reach": "by events status depth steps record proof replayed assumptions elapsed_s reason? not_judged?",
    "Reading": "default values reason cites",
    "Rendered": "game file regions turns",
    "Ruled": "game question kind side value text lacks because clauses readings precedents places not_judged"
    " assumptions explanations? elapsed_s reason?",
    "Repair": "changes follows size",
    "Replacement": "fluent from=before to=after or=others says path",
    "Rule": "name text cites",
    "Schema": "name arguments=parameters text decided_by|null forced not_judged|null cites",
    "Solved": "status value winner turns safe keeps odds positions events depth complete stuck stuck_first steps"
    " repeats_from record checked assumptions elapsed_s reason?",
    "Step": "n turn actor action args text cites",
    "Status": "winner view outcomes remarks observables not_judged assumptions tables? position? explanations?"
    " trace?",
    "Stop": "status cost plan by bound_by exact reason?",
    "Survival": "status side metric turns latest stopped_at horizon events line assumptions elapsed_s reason?",
    "Tested": "passed failed cases sources expectations skipped",
    "TurnTaken": "turn actor steps",
    "Variation": "when such_as turns reached then partial?",
    "Winning": "sets complete all_found all_cheapest total cheapest reason?",
    "Witness": "changes minimal pieces then position",
}
"""Keys in their order. `key=attribute`: they differ; `key?`: left out, `key|null`: null, where it says nothing."""


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


class Key(NamedTuple):
    """A key of a document.

    Attributes:
        name: The key.
        attribute: The attribute that holds its value.
        optional: Whether it is left out where the value says nothing.
        nullable: Whether it is null there.
    """

    name: str
    attribute: str
    optional: bool
    nullable: bool


@cache
def keys_of(cls: type) -> tuple[Key, ...]:
    """The keys of a dataclass's document, in their order."""
    words = _KEYS[cls.__name__].split() if cls.__name__ in _KEYS else [f.name for f in fields(cls)]
    found = []
    for word in words:
        name, _, attribute = word.removesuffix("|null").removesuffix("?").partition("=")
        found.append(Key(name, attribute or name, word.endswith("?"), word.endswith("|null")))
    return tuple(found)


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

    def _RuleBook(self, book: RuleBook) -> Document:
        settings = book.setup.settings
        return {
            "game": book.setup.game,
            "rules": self.write((*book.rules, *book.invariants)),
            "outcomes": self.write(book.outcomes),
            "clauses": self.write(book.clauses),
            "functions": self.write(book.functions),
            "readings": [self._switch(r, settings.readings[r.name]) for r in book.readings],
            "options": [self._switch(o, settings.options[o.name]) for o in book.options],
            **{
                key: self.write(getattr(book, key))
                for key in ("observables", "events", "metrics", "objectives", "cases")
            },
        }

    def _switch(self, switch: Reading | Option, value: int | str) -> Document:
        return {"name": switch.name, "value": value, **self._plain(switch)}

    def _Objective(self, objective: Objective) -> Document:
        return {
            "name": objective.name,
            "kind": objective.kind,
            "sides": list(objective.held),
            "places": list(objective.places),
            "worth": dict(objective.worth),
            "main": objective.main,
        }

    def _Observable(self, observable: Observable) -> Document:
        from vclogic.query.rule_book import sort_of

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
