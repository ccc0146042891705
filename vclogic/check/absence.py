"""Outcomes that rest on absence, while what is absent can still come: by set-up, reinforcements, or a carrier."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from vclogic.check.dead_play import cases_of
from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding
from vclogic.check.history import led_to
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import key_of, winner_of
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import GAME_OVER, Action
from vclogic.model.fluents import Family
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.provenance import Places
from vclogic.solve import budgets
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import all_of, and_, any_of, eq, is_in, le, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Op, Term, variables
from vclogic.words import joined

_TO_COME = re.compile(
    r"\b(?:reinforc|still to c|yet to|not yet|arriv|set(?:ting)?[- ]?up|carrie|aboard|unload|deploy)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Arrival:
    """Something that is not on the board, and an event that brings it there.

    Attributes:
        fluent: Where it is, or how many are in a place.
        away: Its value before.
        there: Its value afterwards.
        still: Bool: what it takes that the event can still happen.
        event: The name of the event.
        who: What comes, in words.
        fellows: The facts about all that is of its kind and side, each with the Bool term that it is away.
    """

    fluent: Term
    away: Term
    there: Term
    still: Term
    event: str
    who: str
    fellows: Mapping[Term, Term]

    def decides(self, condition: Term) -> Term:
        """Bool: a condition holds by its absence, and would not if it had come."""
        spoken = variables(condition)
        if self.fluent not in spoken:
            return FALSE
        come = Substitution({self.fluent: self.there})(condition)
        if come is condition:
            return FALSE
        others = all_of(gone for f, gone in self.fellows.items() if f in spoken and f is not self.fluent)
        return and_(eq(self.fluent, self.away), self.still, others, condition, not_(come))


@looks_for("VC211", over="what is still to come", cost=LookCost.PLAY)
def still_to_come(oracle: Oracle) -> Iterator[Finding]:
    """VC211: outcomes of a text that are met since something is not there, which an event can still bring."""
    system = oracle.system
    if not oracle.wants("VC211") or not system.passages:
        return
    arrivals: dict[tuple[str, Term], list[Arrival]] = {}
    for a in _arrivals(oracle):
        arrivals.setdefault((a.who, a.away), []).append(a)
    lines: dict[Places, list[Outcome]] = {}
    for o in system.outcomes if arrivals else ():
        if not o.rest and o.now is not FALSE:
            lines.setdefault(o.made, []).append(o)
    for outcomes in lines.values():
        said, line = _said(system, outcomes[0])
        if _TO_COME.search(said):
            continue
        cases = [
            (o, ways[0], goal)
            for o in outcomes
            for (_, away), ways in arrivals.items()
            if str(away.value) not in said + line and (goal := _goal(system, o, ways)) is not FALSE
        ]
        if cases and (finding := _shown(oracle, cases)) is not None:
            yield finding


def _goal(system: System, o: Outcome, ways: Sequence[Arrival]) -> Term:
    """Bool: an outcome is met by the absence of what can still come, and would not be wherever it came."""
    unlatched = {f: FALSE for f in variables(o.condition.holds) if f in system.written and f.is_bool}
    condition = Substitution(unlatched)(o.condition.holds)
    found = o.now
    for arrival in ways:
        found = and_(found, arrival.decides(condition))
        if found is FALSE:
            break
    return found


def _shown(oracle: Oracle, cases: Sequence[tuple[Outcome, Arrival, Term]]) -> Finding | None:
    """The finding of a line, with the shortest play to it that is found; None: no play is."""
    goal = any_of(g for _, _, g in cases)
    play = oracle.play
    row = -1 if play.found is None else play.first([goal])[0]
    if row >= 0:
        state, steps, nearest = play.state(row), play.steps(row), True
    else:
        led = led_to(oracle, goal, most=budgets.ONE_PLAY) if not play.complete else None
        if led is None or led.state is None:
            return None
        state, steps, nearest = led.state, led.steps, led.cheapest
    slot = oracle.system.layout.slot
    o, a, _ = next(c for c in cases if interpret(c[2], slot, state))
    awaited = list(dict.fromkeys(b.who for p, b, g in cases if p is o and interpret(g, slot, state)))
    are, them = ("are", "them") if len(awaited) > 1 else ("is", "it")
    message = f"{o.name} of {winner_of(o)} is met since {joined(awaited[:3])} {are} not there"
    message += f", and {a.event} can still bring {them}"
    witness = oracle.witness(state, minimal=nearest)
    return key_of("VC211", o).finding(message, scope="reachable", witness=witness, steps=steps)


def _said(system: System, o: Outcome) -> tuple[str, str]:
    """The sentences about an outcome, and its lines."""
    clauses = {c.clause for c in o.cites}
    found = [p for p in system.passages if clauses & {c.clause for c in p.cites}]
    return " ".join(p.text for p in found), " ".join(text for p in found for text, _ in p.lines)


# ---- what can come


def _arrivals(oracle: Oracle) -> Iterator[Arrival]:
    """Units or pieces that events can bring to the board, one for each place to which they do."""
    system = oracle.system
    places = {m for k in system.kinds if k.neighbours is not None for m in k.members}
    seats = {f: (family, key) for family in system.families for key, f in family.fluents.items()}
    known: dict[tuple[Term, Term, Term], Arrival] = {}
    for schema in system.events:
        for action in cases_of(system, schema):
            for fluent, new in action.effects:
                family, key = seats.get(fluent, (None, ()))
                if family is None or fluent in system.written:
                    continue
                found = _whereabouts if isinstance(family.sort, EnumSort) else _numbers
                for a in found(system, places, family, key, action, new, schema.name):
                    before = known.get((a.fluent, a.away, a.there))
                    still = a.still if before is None else or_(before.still, a.still)
                    known[a.fluent, a.away, a.there] = replace(a, still=still)
    yield from known.values()


def _whereabouts(
    system: System,
    places: Set[str],
    family: Family,
    key: tuple[str, ...],
    action: Action,
    new: Term,
    event: str,
) -> Iterator[Arrival]:
    """Of a fact that says where something is: from each value that is no place to one that is."""
    sort, fluent = family.sort, family.fluents[key]
    assert isinstance(sort, EnumSort), "it has names for values"
    here = [m for m in sort.members if m in places]
    if len(here) == len(sort.members) or places.isdisjoint(_values(new)):
        return
    fellows = {f: not_(is_in(f, here)) for f in _alike(system, family, key)}
    for away in (member(sort, m) for m in sort.members if m not in places):
        before = Substitution({fluent: away})
        guard, after = before(_asked(action)), before(new)
        for place in (member(sort, v) for v in dict.fromkeys(_values(after)) if v in here):
            still = _still(system, and_(guard, eq(after, place)))
            if still is not FALSE:
                yield Arrival(fluent, away, place, still, event, joined(list(key)), fellows)


def _numbers(
    system: System,
    places: Set[str],
    family: Family,
    key: tuple[str, ...],
    action: Action,
    new: Term,
    event: str,
) -> Iterator[Arrival]:
    """Of a fact that says how many are in a place: from none to some, where as many leave no other place."""
    fluent = family.fluents[key]
    other = tuple(m for m in key if m not in places)
    if not isinstance(family.sort, IntSort) or family.sort.lo or len(other) == len(key):
        return
    none = integer(0)
    after = Substitution({fluent: none})(new)
    alike = {f: k for k, f in family.fluents.items() if tuple(m for m in k if m not in places) == other}
    moved = any(f in alike and f is not fluent for f, _ in action.effects)
    if moved or not after.is_const or int(after.value) <= 0:
        return
    still = _still(system, Substitution({fluent: none})(_asked(action)))
    if still is not FALSE:
        who = f"{family.name} of {joined(list(other))}" if other else family.name
        yield Arrival(fluent, none, after, still, event, who, {f: eq(f, 0) for f in alike})


def _asked(action: Action) -> Term:
    """Bool: what an event needs, beside that the game is not over."""
    return all_of(r.term for r in action.requirements if r.name != GAME_OVER)


def _values(term: Term) -> Iterator[str]:
    """The names that a term may stand for."""
    if term.is_const:
        yield str(term.value)
    elif term.op is Op.ITE:
        for part in term.args[1:]:
            yield from _values(part)
    elif isinstance(term.sort, EnumSort):
        yield from term.sort.members


def _alike(system: System, family: Family, key: tuple[str, ...]) -> list[Term]:
    """The facts of a family about what is of the same side; all of them where nothing has one."""
    sides = {*system.sides, *(p for powers in system.sides.values() for p in powers)}
    owners = [_owners(system, domain.sort, sides) for domain in family.indices]
    own = [of.get(m) for of, m in zip(owners, key, strict=True)]
    return [f for k, f in family.fluents.items() if [of.get(m) for of, m in zip(owners, k, strict=True)] == own]


def _owners(system: System, sort: EnumSort, sides: Set[str]) -> Mapping[str, str]:
    """The side of each member of a kind; of a side itself."""
    for kind in system.kinds:
        if kind.domain.sort is sort:
            for values in kind.properties.values():
                if values and all(v in sides for v in values.values()):
                    return {m: str(v) for m, v in values.items()}
    return {m: m for m in sort.members if m in sides}


def _still(system: System, guard: Term) -> Term:
    """Bool: the rounds up to the last one in which an event may be allowed; false where it never is."""
    if guard is FALSE:
        return FALSE
    for now in system.schedule:
        if isinstance(now.sort, IntSort) and now in variables(guard):
            rounds = reversed(range(now.sort.lo, now.sort.hi + 1))
            last = next((n for n in rounds if Substitution({now: integer(n)})(guard) is not FALSE), None)
            return FALSE if last is None else le(now, last)
    return TRUE
