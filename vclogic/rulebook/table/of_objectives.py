"""Objectives, with who has them, where they are and what they bring: how they are read and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.aims import HeldBy, ObjectiveRule, WorthTo
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.of_events import effect_text, read_effect
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import BELOW_OBJECTIVE, Reader

_HELP = (
    'below an objective stand called "...", held by side if ..., lies in hex where ..., worth "...", lost then ...'
)
_HELD = "write held by side if CONDITION"


def _read_objective(r: Reader) -> Mapping[str, Any]:
    found: dict[str, Any] = {"said": r.template("what players call it")}
    for line in r.lines_below(BELOW_OBJECTIVE):
        at = line.lexer.at
        if len(found) == 1 and line.lexer.clause("for"):
            found["binder"] = line.binder(several=True)
        elif line.lexer.clause("called"):
            found["sort"] = line.quoted("what it is, in the singular")
        elif line.lexer.clause("held"):
            line.word("by", _HELD)
            who = line.words("a side", "if")
            line.word("if", _HELD)
            found["held"] = (*found.get("held", ()), HeldBy(who, line.expression()))
        elif line.lexer.clause("lies"):
            line.word("in", "write lies in hex where CONDITION")
            found["places"] = line.binder()
        elif line.lexer.clause("worth"):
            found["worth"] = (*found.get("worth", ()), _read_worth(line))
        elif line.lexer.clause("lost"):
            line.word("then", "write lost then FACT becomes VALUE")
            found["lost"] = (*found.get("lost", ()), read_effect(line, at))
        else:
            raise r.source.error(at, "this belongs to no objective", _HELP)
        line.end()
    if "held" not in found:
        raise r.source.error(r.begin, "nothing says who has the objective", _HELD)
    return found


def _read_worth(r: Reader) -> WorthTo:
    said = r.template("what it brings")
    who = r.words("a side", "if") if r.lexer.clause("to") else None
    return WorthTo(said, who, r.expression() if r.lexer.clause("if") else None)


def _objective(s: ObjectiveRule) -> str:
    return "\n".join((f" {text.template(s.said)}{text.for_clause(s.binder)}", *_lines(s)))


def _lines(s: ObjectiveRule) -> Iterator[str]:
    if s.sort:
        yield f"called {text.text(s.sort)}"
    for held in s.held:
        yield f"held by {text.name(held.who)} if {text.expression(held.condition)}"
    if s.places is not None:
        yield f"lies in {text.binder(s.places)}"
    for worth in s.worth:
        who = "" if worth.who is None else f" to {text.name(worth.who)}"
        yield f"worth {text.template(worth.said)}{who}{text.if_clause(worth.condition)}"
    for effect in s.lost:
        yield f"lost {effect_text(effect)}"


OBJECTIVE = StatementPart(
    _read_objective,
    _objective,
    'text ["for" binder] {"called" text | "held by" side "if" expr | "lies in" binder | "worth" text ["to" side] '
    '["if" expr] | "lost" then}',
)
