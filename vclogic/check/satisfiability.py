"""Whether outcomes and rules can be met, and whether they are met from the start."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Finding
from vclogic.check.oracle import Desk
from vclogic.check.outcomes import topic
from vclogic.encode.evaluator import interpret
from vclogic.model.rules import Rule
from vclogic.terms.build import and_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term


def holds(rule: Rule) -> Term | None:
    """Where a rule about positions that is true or false holds; None for any other rule."""
    if rule.step:
        return None
    term = rule.term.holds if isinstance(rule.term, Partial) else rule.term
    return term if term.is_bool else None


def claims(desk: Desk, code: str) -> Iterator[tuple[Topic, Term, bool | None, str]]:
    """Everything that is met or not: what it is about, when it is met, how long it lasts, its name in a sentence."""
    for o in desk.system.outcomes:
        yield topic(code, o), o.condition.holds, o.lasting, f"{o.name} of the {o.side} side"
    for r in desk.system.rules:
        term = holds(r)
        if term is not None:
            yield Topic(code, r.name, r.cites, r.made), term, r.lasting, f"rule {r.name}"


def impossible(desk: Desk) -> Iterator[Finding]:
    """VC201: what no well-formed position satisfies."""
    if not desk.wants("VC201"):
        return
    for o in desk.system.outcomes:
        yield from _never(desk, topic("VC201", o), o.now, f"the {o.side} side can never win by {o.name}")
    for r in desk.system.rules:
        term = holds(r)
        if term is not None:
            about = Topic("VC201", r.name, r.cites, r.made)
            yield from _never(desk, about, term, f"rule {r.name} never holds")
    for table in desk.system.levels:
        for row, condition in table.rows.items():
            about = Topic("VC201", f"{table.name}[{row}]", table.cites, table.made)
            message = f"the row {row} of {table.name} never applies"
            yield from _never(desk, about, and_(table.timing, condition.holds), message)


def _never(desk: Desk, about: Topic, term: Term, message: str) -> Iterator[Finding]:
    answer = desk.possible(term)
    if answer.verdict == "unknown":
        desk.give_up(about, desk.bound(answer))
    elif answer.verdict == "unsat":
        if desk.never(term):
            yield about.finding(message, proof="no well-formed position does (a fresh solver has checked it)")
        else:
            desk.give_up(about, "a fresh solver did not confirm in time that no well-formed position meets it")


def at_the_start(desk: Desk) -> Iterator[Finding]:
    """VC202: outcomes that are met before the first move."""
    if not desk.wants("VC202"):
        return
    for o in desk.system.outcomes:
        if interpret(or_(o.won, o.now), desk.system.layout.slot, desk.subject.state):
            witness = desk.witness(desk.subject.state, minimal=True)
            message = f"the {o.side} side wins by {o.name} before anybody has moved"
            yield topic("VC202", o).finding(message, scope="reachable", witness=witness)
