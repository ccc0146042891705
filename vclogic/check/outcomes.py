"""Outcomes and rules: contradictions, gaps, what has no meaning, and what can never be met."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey, Witness
from vclogic.check.oracle import Oracle
from vclogic.encode.python.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.model.rules import NOBODY, LevelTable, Outcome, Rule
from vclogic.provenance import TYPED
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import add, and_, any_of, eq, not_, or_, scale
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term, variables
from vclogic.words import joined


def name_of(o: Outcome) -> str:
    """An outcome as findings and suppressions name it."""
    return f"{o.name}[{o.side}]"


def winner_of(o: Outcome) -> str:
    """The winner by an outcome, in a sentence."""
    return NOBODY if o.side == NOBODY else f"the {o.side} side"


def key_of(code: str, o: Outcome) -> FindingKey:
    """The key of a finding on one outcome."""
    return FindingKey(code, name_of(o), o.cites, o.made)


def rivals(oracle: Oracle) -> Iterator[tuple[Outcome, Outcome]]:
    """Pairs of outcomes that different sides win, but those that a line gives to them together."""
    return (
        (a, b)
        for a, b in combinations(oracle.system.outcomes, 2)
        if a.side != b.side and not (a.together and b.together and a.name == b.name and a.made == b.made)
    )


def pair(code: str, a: Outcome, b: Outcome) -> FindingKey:
    """The key of a finding on two outcomes."""
    typed = next((o.made for o in (a, b) if o.made and o.made[0].function == TYPED), a.made)  # the user's own line
    return FindingKey(code, f"{name_of(a)} and {name_of(b)}", (*a.cites, *b.cites), typed)


def fresh(oracle: Oracle) -> Term:
    """A Bool term: nobody has won yet."""
    open_ = [not_(or_(o.won, o.lost)) for o in oracle.system.outcomes]
    winner = oracle.system.winner
    return and_(*open_, *([] if winner is None else [eq(winner, "none")]))


# ---- what can never be met, or is met from the start


def holds(rule: Rule) -> Term | None:
    """The condition of a rule about positions that is true or false; None for any other rule."""
    if rule.step:
        return None
    term = rule.term.holds if isinstance(rule.term, Partial) else rule.term
    return term if term.is_bool else None


def claims(oracle: Oracle, code: str) -> Iterator[tuple[FindingKey, Term, bool | None, str]]:
    """Everything that is met or not: what it is about, when it is met, how long it lasts, its name in a sentence."""
    for o in oracle.system.outcomes:
        yield key_of(code, o), o.condition.holds, o.lasting, f"{o.name} of {winner_of(o)}"
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


@looks_for("VC201", over="outcomes that can never be met", cost=LookCost.POSITIONS)
def impossible(oracle: Oracle) -> Iterator[Finding]:
    """VC201: what no well-formed position satisfies."""
    if not oracle.wants("VC201"):
        return
    for o in (o for o in oracle.system.outcomes if not o.implied):
        can = "the game can never end without a winner" if o.side == NOBODY else f"{winner_of(o)} can never win"
        who = f"{winner_of(o)} wins by {o.name}"
        yield from _never(oracle, key_of("VC201", o), o.now, f"{can} by {o.name}", o.condition.defined, who, o.lacks)
    for r in oracle.system.rules:
        term = holds(r)
        if term is not None:
            about = FindingKey("VC201", r.name, r.cites, r.made)
            partial = r.term if isinstance(r.term, Partial) else Partial(term)
            yield from _never(
                oracle, about, term, f"rule {r.name} never holds", partial.defined, f"rule {r.name} holds"
            )
    for r in oracle.system.exceptions:
        term = holds(r)
        # Under another setting one may apply that does not under this one.
        if term is not None and term is not TRUE and oracle.settled.isdisjoint(re.findall(r"\w+", r.text)):
            about = FindingKey("VC201", r.name, r.cites, r.made)
            yield from _never(oracle, about, term, f"this exception never applies: {r.text}", TRUE, "it applies")
    for table in oracle.system.levels:
        for row, condition in table.rows.items():
            about = FindingKey("VC201", f"{table.name}[{row}]", table.cites, table.made)
            what = f"the row {row} of {table.name}"
            met = and_(table.timing, condition.holds)
            yield from _never(oracle, about, met, f"{what} never applies", condition.defined, f"{what} applies")


def _never(
    oracle: Oracle, about: FindingKey, term: Term, message: str, defined: Term, what: str, lacks: str = ""
) -> Iterator[Finding]:
    """The finding that nothing satisfies a term, or that it has no meaning anywhere, which is not the same.

    Args:
        oracle: The positions.
        about: The key of the finding.
        term: Bool, over fluents.
        message: That it never holds.
        defined: Bool: where it has a meaning.
        what: What it says, after "whether".
        lacks: What is missing where it has none, in a few words.
    """
    answer = oracle.possible(term)
    if answer.verdict == "unknown":
        oracle.give_up(about, oracle.bound(answer))
    elif answer.verdict == "unsat":
        if confirmed := oracle.never(term):
            if defined is not TRUE and oracle.never(defined):
                message = f"whether {what} is undefined in every position" + (f": {lacks}" if lacks else "")
            yield about.finding(message, proof=f"no position that could stand on the board does ({confirmed})")
        else:
            oracle.give_up(about, "a fresh run of z3 did not confirm in time that no position meets it")


@looks_for("VC202", over="outcomes at the start", cost=LookCost.START)
def at_the_start(oracle: Oracle) -> Iterator[Finding]:
    """VC202: outcomes that are met before the first move."""
    if not oracle.wants("VC202"):
        return
    for o in oracle.system.outcomes:
        if interpret(or_(o.won, o.now), oracle.system.layout.slot, oracle.rules.state):
            witness = oracle.witness(oracle.rules.state, minimal=True)
            message = f"{winner_of(o)} wins by {o.name} before anybody has moved"
            yield key_of("VC202", o).finding(message, scope="reachable", witness=witness)


# ---- two at once, and none


@looks_for("VC101", over="contradictions", cost=LookCost.POSITIONS)
def contradictions(oracle: Oracle) -> Iterator[Finding]:
    """VC101: two sides win at one moment."""
    if not oracle.wants("VC101"):
        return
    unlatched = fresh(oracle)
    for a, b in rivals(oracle):
        if a.name == b.name and _shared(oracle, a):
            continue
        message = f"{winner_of(a)} wins by {a.name} and {winner_of(b)} by {b.name} at one moment"
        yield from oracle.exhibit(pair("VC101", a, b), message, a.now, b.now, unlatched)


_SHARED = re.compile(r"\bshare[sd]?\b|\bjoint|\bboth (?:sides )?(?:have )?w[io]n\b", re.IGNORECASE)


def _shared(oracle: Oracle, o: Outcome) -> bool:
    """True if the sentence about an outcome says that several may have it together."""
    clauses = {c.clause for c in o.cites}
    said = (p.text for p in oracle.system.passages if clauses & {c.clause for c in p.cites})
    return any(map(_SHARED.search, said))


@looks_for("VC106", over="values without a meaning", cost=LookCost.POSITIONS)
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
        who = joined([f"{winner_of(o)} wins by {o.name}" for o in same], "or")
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


@looks_for("VC103", over="the end of the game", cost=LookCost.POSITIONS)
def gaps(oracle: Oracle) -> Iterator[Finding]:
    """VC103: the game ends without an outcome."""
    ends = oracle.system.ends
    if ends is None or not oracle.wants("VC103"):
        return
    about = FindingKey("VC103", "end of the game", (), ())
    nobody = not_(any_of(or_(o.won, o.now) for o in oracle.system.outcomes))
    found: Iterator[tuple[Witness | None, State]] = oracle.shown(about, ends, nobody)
    if oracle.follows(ends, nobody):
        answer = oracle.possible(ends, nobody)
        if answer.verdict == "unknown":
            oracle.give_up(about, oracle.bound(answer))
        fluents = variables(ends, nobody, *oracle.bearing(ends, nobody))
        found = iter([(None, oracle.position(answer, fluents))] if answer.verdict == "sat" else [])
    for witness, state in found:
        judged = [o for o in oracle.system.outcomes if interpret(o.timing, oracle.system.layout.slot, state)]
        message = "the game is over and nobody has won"
        if judged:
            nearest = min(judged, key=lambda o: _lacking(oracle, o, state))
            cites = tuple(c for o in judged for c in o.cites)
            about = replace(about, cites=cites, places=nearest.made)
            message += f"; {nearest.name} of the {nearest.side} side is judged then and not met"
        yield about.finding(message, witness=witness, goal=and_(ends, nobody))


@looks_for("VC702", over="sides that can do nothing", cost=LookCost.POSITIONS)
def stuck(oracle: Oracle) -> Iterator[Finding]:
    """VC702: whoever is on turn can do nothing, and the rules know no pass."""
    made = oracle.system.stuck
    if made is None or not oracle.wants("VC702"):
        return
    rule = made()
    message = f"{rule.text}, and the rules do not say what happens then"
    yield from oracle.exhibit(FindingKey("VC702", rule.name, rule.cites, rule.made), message, rule.kept)


def _lacking(oracle: Oracle, o: Outcome, state: State) -> float:
    """The amount that a side lacks for an outcome; infinite where the outcome counts nothing."""
    if o.have is None or o.need is None:
        return math.inf
    return interpret(add(o.need, scale(o.have, -1)), oracle.system.layout.slot, state)


@looks_for("VC104", "VC105", over="level tables", cost=LookCost.POSITIONS)
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


# ---- Readings that decide who wins
