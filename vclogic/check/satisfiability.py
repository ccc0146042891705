"""Findings on outcomes and rules that can never be met, or not from the start."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.check.checked_rules import FindingKey
from vclogic.check.findings import Finding
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import key_of
from vclogic.encode.evaluator import interpret
from vclogic.model.rules import Rule
from vclogic.terms.build import and_, eq, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term


def holds(rule: Rule) -> Term | None:
    """The condition of a rule about positions that is true or false; None for any other rule."""
    if rule.step:
        return None
    term = rule.term.holds if isinstance(rule.term, Partial) else rule.term
    return term if term.is_bool else None


def claims(oracle: Oracle, code: str) -> Iterator[tuple[FindingKey, Term, bool | None, str]]:
    """Everything that is met or not: what it is about, when it is met, how long it lasts, its name in a sentence."""
    for o in oracle.system.outcomes:
        yield key_of(code, o), o.condition.holds, o.lasting, f"{o.name} of the {o.side} side"
    winner = oracle.system.winner
    if winner in oracle.system.layout.slot:  # it records who was first to win
        for side in oracle.system.sides:
            own = [o for o in oracle.system.outcomes if o.side == side]
            cites = tuple(c for o in own for c in o.cites)
            key = FindingKey(code, f"winner[{side}]", cites, own[0].made if own else ())
            yield key, eq(winner, side), True, f"the recorded win of the {side} side"
    for r in oracle.system.rules:
        term = holds(r)
        if term is not None:
            yield FindingKey(code, r.name, r.cites, r.made), term, r.lasting, f"rule {r.name}"


def impossible(oracle: Oracle) -> Iterator[Finding]:
    """VC201: what no well-formed position satisfies."""
    if not oracle.wants("VC201"):
        return
    for o in oracle.system.outcomes:
        yield from _never(oracle, key_of("VC201", o), o.now, f"the {o.side} side can never win by {o.name}")
    for r in oracle.system.rules:
        term = holds(r)
        if term is not None:
            about = FindingKey("VC201", r.name, r.cites, r.made)
            yield from _never(oracle, about, term, f"rule {r.name} never holds")
    for table in oracle.system.levels:
        for row, condition in table.rows.items():
            about = FindingKey("VC201", f"{table.name}[{row}]", table.cites, table.made)
            message = f"the row {row} of {table.name} never applies"
            yield from _never(oracle, about, and_(table.timing, condition.holds), message)


def _never(oracle: Oracle, about: FindingKey, term: Term, message: str) -> Iterator[Finding]:
    answer = oracle.possible(term)
    if answer.verdict == "unknown":
        oracle.give_up(about, oracle.bound(answer))
    elif answer.verdict == "unsat":
        if oracle.never(term):
            yield about.finding(
                message, proof="no position that could stand on the board does (a second solver run confirms it)"
            )
        else:
            oracle.give_up(about, "a second solver run did not confirm in time that no position meets it")


def at_the_start(oracle: Oracle) -> Iterator[Finding]:
    """VC202: outcomes that are met before the first move."""
    if not oracle.wants("VC202"):
        return
    for o in oracle.system.outcomes:
        if interpret(or_(o.won, o.now), oracle.system.layout.slot, oracle.rules.state):
            witness = oracle.witness(oracle.rules.state, minimal=True)
            message = f"the {o.side} side wins by {o.name} before anybody has moved"
            yield key_of("VC202", o).finding(message, scope="reachable", witness=witness)
