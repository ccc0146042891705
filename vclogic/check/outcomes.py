"""Outcomes against each other and against the end of the game: contradictions, gaps, what has no meaning."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from vclogic.check.checked_rules import FindingKey
from vclogic.check.findings import Finding
from vclogic.check.oracle import Oracle
from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.model.rules import LevelTable, Outcome
from vclogic.provenance import TYPED
from vclogic.terms.build import add, and_, any_of, eq, not_, or_, scale
from vclogic.terms.term import Term
from vclogic.words import joined


def name_of(o: Outcome) -> str:
    """An outcome as findings and suppressions name it."""
    return f"{o.name}[{o.side}]"


def key_of(code: str, o: Outcome) -> FindingKey:
    """The key of a finding on one outcome."""
    return FindingKey(code, name_of(o), o.cites, o.made)


def rivals(oracle: Oracle) -> Iterator[tuple[Outcome, Outcome]]:
    """Pairs of outcomes that different sides win."""
    return ((a, b) for a, b in combinations(oracle.system.outcomes, 2) if a.side != b.side)


def pair(code: str, a: Outcome, b: Outcome) -> FindingKey:
    """The key of a finding on two outcomes."""
    typed = next((o.made for o in (a, b) if o.made and o.made[0].function == TYPED), a.made)  # the user's own line
    return FindingKey(code, f"{name_of(a)} and {name_of(b)}", (*a.cites, *b.cites), typed)


def fresh(oracle: Oracle) -> Term:
    """A Bool term: nobody has won yet."""
    open_ = [not_(or_(o.won, o.lost)) for o in oracle.system.outcomes]
    winner = oracle.system.winner
    return and_(*open_, *([] if winner is None else [eq(winner, "none")]))


def contradictions(oracle: Oracle) -> Iterator[Finding]:
    """VC101: two sides win at one moment."""
    if not oracle.wants("VC101"):
        return
    unlatched = fresh(oracle)
    for a, b in rivals(oracle):
        message = f"the {a.side} side wins by {a.name} and the {b.side} side by {b.name} at one moment"
        yield from oracle.exhibit(pair("VC101", a, b), message, a.now, b.now, unlatched)


def gaps(oracle: Oracle) -> Iterator[Finding]:
    """VC103: the game ends without an outcome."""
    ends = oracle.system.ends
    if ends is None or not oracle.wants("VC103"):
        return
    about = FindingKey("VC103", "end of the game", (), ())
    nobody = not_(any_of(or_(o.won, o.now) for o in oracle.system.outcomes))
    for witness, state in oracle.shown(about, ends, nobody):
        judged = [o for o in oracle.system.outcomes if interpret(o.timing, oracle.system.layout.slot, state)]
        message = "the game is over and nobody has won"
        if judged:
            nearest = min(judged, key=lambda o: _lacking(oracle, o, state))
            cites = tuple(c for o in judged for c in o.cites)
            about = replace(about, cites=cites, places=nearest.made)
            message += f"; {nearest.name} of the {nearest.side} side is judged then and not met"
        yield about.finding(message, witness=witness, goal=and_(ends, nobody))


def _lacking(oracle: Oracle, o: Outcome, state: State) -> float:
    """The amount that a side lacks for an outcome; infinite where the outcome counts nothing."""
    if o.have is None or o.need is None:
        return math.inf
    return interpret(add(o.need, scale(o.have, -1)), oracle.system.layout.slot, state)


def undefined(oracle: Oracle) -> Iterator[Finding]:
    """VC106: a condition has no meaning when it is judged."""
    if not oracle.wants("VC106"):
        return
    alike: dict[tuple[Term, Term, str], list[Outcome]] = {}
    for o in oracle.system.outcomes:
        alike.setdefault((o.timing, o.condition.defined, o.lacks), []).append(o)
    for (timing, defined, lacks), same in alike.items():
        cites = tuple(c for o in same for c in o.cites)
        about = FindingKey("VC106", ", ".join(map(name_of, same)), cites, same[0].made)
        who = joined([f"the {o.side} side wins by {o.name}" for o in same], "or")
        message = f"whether {who} is undefined at the moment at which it is judged" + (f": {lacks}" if lacks else "")
        open_ = and_(*(not_(or_(o.won, o.lost)) for o in same))
        yield from oracle.exhibit(about, message, timing, not_(defined), open_)
    for table in oracle.system.levels:
        rows: dict[Term, list[str]] = {}
        for row, condition in table.rows.items():
            rows.setdefault(condition.defined, []).append(row)
        for defined, names in rows.items():
            about = FindingKey("VC106", f"{table.name}[{', '.join(names)}]", table.cites, table.made)
            have = "rows {} have" if len(names) > 1 else "row {} has"
            message = f"the {have.format(joined(names))} no meaning in {table.name}"
            yield from oracle.exhibit(about, message, table.timing, not_(defined))


def tables(oracle: Oracle) -> Iterator[Finding]:
    """VC104 and VC105: rows that overlap, and what no row covers."""
    for table in oracle.system.levels:
        if oracle.wants("VC104"):
            yield from _overlaps(oracle, table)
        if oracle.wants("VC105"):
            about = FindingKey("VC105", table.name, table.cites, table.made)
            defined = and_(*(c.defined for c in table.rows.values()))
            none = not_(any_of(c.value for c in table.rows.values()))
            message = f"no row of {table.name} applies"
            yield from oracle.exhibit(about, message, table.timing, defined, none)


def _overlaps(oracle: Oracle, table: LevelTable) -> Iterator[Finding]:
    for (one, a), (other, b) in combinations(table.rows.items(), 2):
        about = FindingKey("VC104", f"{table.name}[{one}, {other}]", table.cites, table.made)
        message = f"the rows {one} and {other} of {table.name} apply at once"
        yield from oracle.exhibit(about, message, table.timing, a.holds, b.holds)
