"""Dead play: what no play from the start brings to life, and games that need not end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from vclogic.check.event_rules import by_an_event
from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey
from vclogic.check.history import led_to
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import key_of, name_of, winner_of
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import RANGE, Action, Schema
from vclogic.model.event_terms import happens
from vclogic.model.fluents import Family
from vclogic.model.grounded import events_of
from vclogic.model.rules import NOBODY, Outcome
from vclogic.model.system import System
from vclogic.provenance import Places
from vclogic.solve import budgets
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, not_, or_
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, variables
from vclogic.words import joined

Array = Any
"""A NumPy array."""
_NAMED = 6  # things in a list
_WORD = re.compile(r"\w+")
_MOST_CASES = 2_000  # of an event: those whose needs are looked at


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return joined([*names[:_NAMED], f"{more} more"] if more > 1 else list(names))


# ---- events


@looks_for("VC206", over="events that never happen", cost=LookCost.PLAY)
def never_happen(oracle: Oracle) -> Iterator[Finding]:
    """VC206: events that can never happen from the start, with what forbids them."""
    if not oracle.wants("VC206"):
        return
    play, open_ = oracle.play, []
    found, happened = play.found, play.happened
    can = None if found is None else {e.name for e in found.events}
    for schema in oracle.system.events:
        if schema.name in happened or not schema.made:  # nobody wrote a pass that comes of itself
            continue
        about = FindingKey("VC206", schema.name, schema.cites, schema.made)
        proof = play.looked_at if play.complete else ""
        if can is not None and schema.name not in can:
            proof = "what it needs contradicts itself, or rests on facts that no event changes"
        if not proof and led_to(oracle, happens(schema.name), of_event=True, most=budgets.ONE_PLAY).state is not None:
            continue
        proof = proof or _excluded(oracle, about, schema)
        if proof:
            yield about.finding(f"the event {schema.name} can never happen{_forbidding(oracle, schema)}", proof=proof)
        else:
            open_.append(schema.name)
    if open_:
        oracle.left_open.append(f"whether {_listed(open_)} can ever happen")


def _excluded(oracle: Oracle, about: FindingKey, schema: Schema) -> str:
    """The proof that no position that could stand on the board allows any event of a kind; empty: there is none."""
    undecided = len(oracle.undecided)
    done = by_an_event(oracle, about, happens(schema.name), shown=False)
    del oracle.undecided[undecided:]  # it says nothing of the rules that this is hard
    return f"no position that could stand on the board allows it ({done.excluded})" if done.excluded else ""


def _forbidding(oracle: Oracle, schema: Schema) -> str:
    """The requirement of an event that is never met, in the words in which a player is refused it."""
    cases = list(cases_of(oracle.system, schema))
    if not cases:
        return ""
    start = oracle.system.layout.values(oracle.rules.state)
    never = [r for needs in _aligned(cases) if _nowhere(oracle, any_of(n.term for n in needs)) for r in needs[:1]]
    if never:
        said = joined([f"“{r.said(start)}”" for r in never[:2]])
        case = f", as of {cases[0].key}" if len(cases) > 1 else ""
        return f": it is always refused{case} with {said}"
    return ": never is all of what it needs so at once"


def cases_of(system: System, schema: Schema) -> Iterator[Action]:
    """The events of a kind, so many at most."""
    return map(system.action, islice(events_of(schema), _MOST_CASES))


def _aligned(cases: Sequence[Action]) -> Iterator[tuple[Any, ...]]:
    """The needs of some events of one kind, those that stand in one place together."""
    return zip(*(a.requirements for a in cases), strict=False)


def _nowhere(oracle: Oracle, term: Term) -> bool:
    """True if a Bool term holds in none of the positions that were looked at, or in no position at all."""
    if oracle.play.found is not None:
        return oracle.play.first([term]) == [-1]
    return term is FALSE


# ---- outcomes


@looks_for("VC201", over="outcomes that play never leads to", cost=LookCost.PLAY)
def never_met(oracle: Oracle) -> Iterator[Finding]:
    """VC201: outcomes that a position could meet, and that no play from the start leads to."""
    if not oracle.wants("VC201"):
        return
    open_ = []
    outcomes = [o for o in oracle.system.outcomes if o.now is not FALSE and not o.implied]
    met = oracle.play.met([or_(o.won, o.now) for o in outcomes])
    for o in (o for o, seen in zip(outcomes, met, strict=True) if not seen):
        if oracle.glance(o.now).verdict == "unsat":
            continue  # it is told of as one that no position meets
        proof = oracle.play.looked_at if oracle.play.complete else ""
        if not proof:
            brief = budgets.ONE_PLAY if oracle.scope == "positions" else math.inf
            led = led_to(oracle, o.now, most=brief)
            if led.state is not None:
                continue
            proof = led.proof
            if not proof and oracle.scope == "reachable":
                oracle.give_up(key_of("VC201", o), f"whether play leads there: {led.reason}")
        if proof:
            can = "the game never ends without a winner" if o.side == NOBODY else f"{winner_of(o)} never wins"
            message = f"{can} by {o.name}, however play goes on from this start"
            yield key_of("VC201", o).finding(message, scope="reachable", proof=proof)
        else:
            open_.append(name_of(o))
    if open_:
        oracle.left_open.append(f"whether play leads to {_listed(open_)}")


@looks_for("VC208", over="outcomes that are always met", cost=LookCost.PLAY)
def always_met(oracle: Oracle) -> Iterator[Finding]:
    """VC208: outcomes that are met whenever they are judged."""
    if not oracle.wants("VC208") or not oracle.play.complete:
        return
    asked = [o for o in oracle.system.outcomes if o.condition.holds is not TRUE and not o.rest]
    shown = [o for o in asked if not o.moment]
    judged = [and_(o.timing, not_(or_(o.lost, o.won))) for o in shown]
    unmet = [and_(when, not_(o.condition.holds)) for o, when in zip(shown, judged, strict=True)]
    rows = zip(shown, oracle.play.first(judged), oracle.play.first(unmet), strict=True)
    always = [o for o, when, without in rows if when >= 0 > without]
    always += [o for o in asked if o.moment and _met_at_each_moment(oracle, o)]
    for o in always:
        message = f"{o.name} of {winner_of(o)} is met whenever it is judged: its condition decides nothing"
        yield key_of("VC208", o).finding(message, scope="reachable", proof=oracle.play.looked_at)


def _met_at_each_moment(oracle: Oracle, o: Outcome) -> bool:
    """True if each event of play that comes to the moment of an outcome meets it, and one does.

    The position after the event keeps that it was met; that it was judged and not met the event alone shows.
    """
    import numpy as np

    play = oracle.play
    source, target = play.edges
    happened: Array = np.zeros(len(source), bool)
    for term in o.moment:
        column = play.values(term)
        happened |= (column[target] > column[source]) if term.is_bool else (column[target] != column[source])
    met = play.values(o.now).astype(bool)
    happened |= met[target] & ~met[source]  # where it ends the game the turn need not pass
    return bool(happened.any() and met[target[happened]].all())


# ---- the end of the game


@looks_for("VC207", over="the way to the end of the game", cost=LookCost.PLAY)
def endless(oracle: Oracle) -> Iterator[Finding]:
    """VC207: positions from which the game cannot end; that it need not end is worth a note alone."""
    if not oracle.wants("VC207") or oracle.play.found is None:
        return
    about = FindingKey("VC207", "end of the game", (), ())
    ends = oracle.system.ends
    if ends is not None and not ends.is_const and not interpret(ends, oracle.system.layout.slot, oracle.rules.state):
        changed, proof = _changed(oracle)
        if changed.isdisjoint((*variables(ends), *_rounds(oracle))):
            message = "the game never comes to its last round: no event ends a round"
            yield about.finding(message, scope="reachable", proof=proof)
            return
    if not oracle.play.complete:
        return
    from vclogic.explore.endings import endings

    play, found = oracle.play, oracle.play.found
    assert found is not None
    import numpy as np

    source, target = play.edges
    ends = play.everywhere(endings(oracle.system).final) | (np.diff(found.first) == 0)
    led = _spread(ends, source, target)
    if ends.any() and not led.all():
        row = int((~led).argmax())
        witness = oracle.witness(play.state(row), minimal=True)
        message = "the game can come to where it never ends, whatever is played from there"
        yield about.finding(message, scope="reachable", witness=witness, steps=play.steps(row))
    if not ends.any():
        yield about.finding("the game never ends, whatever is played", scope="reachable", proof=play.looked_at)
    going = ~ends
    while True:  # take away what leads nowhere but to an end
        kept = np.zeros_like(going)
        kept[source[going[source] & going[target]]] = True
        if (kept == going).all():
            break
        going = kept
    if going.any():
        oracle.noted.append("it need not end, for play can come back to a position")


def _rounds(oracle: Oracle) -> list[Term]:
    """The fact that counts rounds, if there is one."""
    return [f for f in oracle.system.schedule if isinstance(f.sort, IntSort)]


def _spread(ends: Array, source: Array, target: Array) -> Array:
    """For each position whether some play leads from it to one of the ends."""
    led = ends.copy()
    while True:
        more = led.copy()
        more[source[led[target]]] = True
        if (more == led).all():
            return led
        led = more


# ---- needs, and cases of chance


@looks_for("VC209", over="needs that forbid nothing", cost=LookCost.PLAY)
def idle_needs(oracle: Oracle) -> Iterator[Finding]:
    """VC209: needs in a text that never forbid anything: wherever all others are so, they are so too."""
    if not oracle.wants("VC209") or not oracle.play.complete:
        return
    idle: dict[Places, dict[str, Schema]] = {}  # of each line the events of which it forbids none
    always: set[Places] = set()
    forbidding: set[Places] = set()  # a line about every event is of use where it forbids one of them
    for schema in oracle.system.events:
        cases = list(cases_of(oracle.system, schema))
        lines = dict.fromkeys(r.made for a in cases for r in a.requirements if r.made)
        if len(cases) == _MOST_CASES:
            forbidding.update(lines)
        elif not _nowhere(oracle, any_of(a.guard for a in cases)):
            so, alone = set(_always_so(oracle, cases)), _forbidden_alone(cases)
            always |= so
            for made in lines:
                if made in so or (made in alone and _nowhere(oracle, any_of(alone[made]))):
                    idle.setdefault(made, {})[schema.name] = schema
                else:
                    forbidding.add(made)
    for made, some in idle.items():
        if made not in forbidding:
            schema, *others = some.values()
            of = "every event" if others else schema.name
            about = FindingKey("VC209", f"{of}[line {made[0].line}]", schema.cites, made)
            said = f"a need of {of} never forbids anything: it is so "
            if made in always:
                yield about.finding(f"{said}in every position", scope="rules")
            else:
                yield about.finding(f"{said}wherever the others are", scope="reachable", proof=oracle.play.looked_at)
    yield from _idle_rounds(oracle)


def _forbidden_alone(cases: Sequence[Action]) -> Mapping[Places, list[Term]]:
    """For each line, Bools: what it forbids of each of some events of a kind that the other lines allow."""
    found: dict[Places, list[Term]] = {}
    for case in cases:
        # What ranges of facts, turns and the end of the game refuse as well is good to be told in words.
        written = [r for r in case.requirements if r.made and r.term is not TRUE]  # nor what the settings decide
        for r in written:
            others = all_of(o.term for o in written if o is not r)
            found.setdefault(r.made, []).append(and_(others, not_(r.term)))
    return found


def _idle_rounds(oracle: Oracle) -> Iterator[Finding]:
    """Finding: the last round never ends the game, though rounds go by."""
    system = oracle.system
    if system.passages and system.ends is not None and not system.ends.is_const and _nowhere(oracle, system.ends):
        changed, proof = _changed(oracle)
        if not changed.isdisjoint(_rounds(oracle)):
            about = FindingKey("VC209", "rounds", (), ())
            message = "the number of rounds limits nothing: no game lasts until the last one is over"
            yield about.finding(message, scope="reachable", proof=proof)


def _always_so(oracle: Oracle, cases: Sequence[Action]) -> Iterator[Places]:
    """The lines of needs that are true of every case, whatever the position is, and speak of no setting."""
    said = {place: text for p in oracle.system.passages for text, place in p.lines}
    terms: dict[Places, set[Term]] = {}
    for case in cases:
        for r in (r for r in case.requirements if r.made):
            terms.setdefault(r.made, set()).add(r.term)
    for made, found in terms.items():
        if found == {TRUE} and oracle.settled.isdisjoint(_WORD.findall(said.get(made, ""))):
            yield made


@looks_for("VC210", over="cases of chance that a range refuses", cost=LookCost.PLAY)
def refused_cases(oracle: Oracle) -> Iterator[Finding]:
    """VC210: cases of chance whose needs are so, and that the range of a fact refuses."""
    if not oracle.wants("VC210") or oracle.play.found is None:
        return
    for schema in oracle.system.events:
        cases = [a for a in cases_of(oracle.system, schema) if a.odds is not None]
        terms = []
        for case in cases:
            within = [r.term for r in case.requirements if r.name == RANGE]
            terms.append(and_(*(r.term for r in case.requirements if r.name != RANGE), not_(all_of(within))))
        asked = [(c, t) for c, t in zip(cases, terms, strict=True) if t is not FALSE]
        rows = oracle.play.first([t for _, t in asked])
        for (case, _), row in zip(asked, rows, strict=True):
            if row >= 0:
                about = FindingKey("VC210", schema.name, schema.cites, schema.made)
                values = oracle.system.layout.values(oracle.play.state(row))
                message = f"chance cannot bring {case.said(values)}, since a fact would leave its range"
                witness = oracle.witness(oracle.play.state(row), minimal=True)
                yield about.finding(message, scope="reachable", witness=witness, steps=oracle.play.steps(row))
                break


# ---- what play never touches


@looks_for("VC606", over="what play never touches", cost=LookCost.PLAY)
def untouched(oracle: Oracle) -> Iterator[Finding]:
    """VC606: places, units and the like of which no play changes anything, while it does of others of their kind."""
    if not oracle.wants("VC606") or oracle.play.found is None:
        return
    changed, proof = _changed(oracle)
    start = oracle.system.layout.values(oracle.rules.state)
    sides = {*oracle.system.sides, *(p for powers in oracle.system.sides.values() for p in powers)}
    still: dict[tuple[str, ...], dict[str, list[str]]] = {}
    alive: set[tuple[tuple[str, ...], str]] = set()
    for family in oracle.system.families:
        if not oracle.system.written.keys().isdisjoint(family.fluents.values()):
            continue  # no word of the rules names it
        moving = {key: start[fluent] for key, fluent in family.fluents.items() if fluent in changed}
        for i, domain in enumerate(family.indices if moving else ()):
            kind = tuple(domain.sort.members)
            for member in kind:
                if any(key[i] == member for key in moving):
                    alive.add((kind, member))
                    continue
                # A place that a side has for good is no fault; one that is empty as others are that get filled is.
                own = {start[f] for k, f in family.fluents.items() if k[i] == member}
                if own.isdisjoint(sides) and (_whereabouts(family, sides) or own & {*moving.values()}):
                    still.setdefault(kind, {}).setdefault(member, []).append(family.name)
    for kind, members in still.items():
        dead = {m: facts for m, facts in members.items() if (kind, m) not in alive}
        if len(dead) < len(kind):
            for facts in dict.fromkeys(tuple(f) for f in dead.values()):
                named = [m for m, f in dead.items() if tuple(f) == facts]
                about = FindingKey("VC606", ", ".join(named), (), oracle.system.named_at(named[0]))
                message = f"no play changes anything about {_listed(named)}: {joined(sorted(set(facts)))}"
                yield about.finding(message, scope="reachable", proof=proof)


def _whereabouts(family: Family, sides: set[str]) -> bool:
    """True if a family says where something is: its values are names, and not those of sides."""
    return isinstance(family.sort, EnumSort) and sides.isdisjoint(family.sort.members)


def _changed(oracle: Oracle) -> tuple[set[Term], str]:
    """The facts that some event may change, and why no other is ever changed."""
    play, system = oracle.play, oracle.system
    assert play.found is not None
    fluents = system.layout.fluents
    if play.complete:
        moving = (play.found.states != play.found.states[0]).any(axis=0)
        return {f for f, moves in zip(fluents, moving, strict=True) if moves}, play.looked_at
    actions = (system.action(e) for e in play.found.events)
    changed = {f for a in actions for f, new in a.effects if new is not f}
    return changed, "no event that can happen changes it"
