"""Readings: those that nothing depends on, and those that decide who wins."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice, product
from math import prod

from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import fresh
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import Action, Event
from vclogic.model.rules import Outcome, Reading
from vclogic.model.system import System
from vclogic.solve.backends.session import Answer
from vclogic.terms.build import and_, any_of, xor
from vclogic.terms.term import Term, variables

_MOST = 10_000  # events or values of one kind that are compared; where there are more, a Reading is not told of


@looks_for("VC503", over="Readings that nothing depends on", cost=LookCost.TEXT)
def idle(oracle: Oracle) -> Iterator[Finding]:
    """VC503: Readings that nothing depends on.

    Of a rulebook, which is one game on one board, the rules under each value are compared. Of a game in Python
    its code is read: which scenarios, of those that players may write, have what a Reading is about nobody knows.
    """
    if oracle.system.passages:
        for reading, others in _asked(oracle, "VC503"):
            if all(_same(oracle.system, make(), oracle.rules.read) for make in others.values()):
                message = (
                    f"nothing depends on the Reading {reading.name}: under each of its values the rules are the same"
                )
                yield _about("VC503", reading).finding(message, scope="rules")
    elif oracle.wants("VC503"):
        spoken = {folder: _spoken(folder) for folder in {_package(r) for r in oracle.rules.readings} if folder}
        for reading in oracle.rules.readings:
            if spoken.get(_package(reading), Counter())[reading.name] == 1:  # where it is declared
                message = f"no line of the game asks for the Reading {reading.name}, so that nothing depends on it"
                yield _about("VC503", reading).finding(message, scope="rules")


def _package(reading: Reading) -> str:
    """The folder of the game's code that declares a Reading; empty where that is not known."""
    folder = os.path.dirname(reading.made[0].file) if reading.made else ""
    while os.path.exists(os.path.join(os.path.dirname(folder), "__init__.py")):
        folder = os.path.dirname(folder)
    return folder if os.path.exists(os.path.join(folder, "__init__.py")) else ""


def _spoken(folder: str) -> Counter[str]:
    """For each text, the number of times that the code in a folder says it."""
    found: Counter[str] = Counter()
    for at, _, files in os.walk(folder):
        for file in (f for f in files if f.endswith(".py")):
            with open(os.path.join(at, file), encoding="utf-8") as opened:
                tree = ast.parse(opened.read())
            found.update(n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return found


# ---- whether two rule sets are the same


def _same(mine: System, other: System, read: Mapping[str, str]) -> bool:
    """True if two rule sets are the same in all that they say, but for the Readings themselves."""
    parts = zip(_parts(mine, read), _parts(other, read), strict=True)
    return all(here is not None and here == there for here, there in parts)


def _parts(system: System, read: Mapping[str, str]) -> Iterator[object]:
    """The parts of a rule set, the cheap first; None where that is too much to compare."""
    yield system.layout.state(system.completed({}))
    yield [f.name for f in system.layout.fluents]
    yield [(o.name, o.side, o.condition, o.timing) for o in system.outcomes]
    yield [r.kept for r in system.laws]
    yield (system.ends,)  # a game without an end says as much under each value
    for schema in sorted(system.events, key=lambda s: s.name):
        values = [[(p.name, v) for v in p.values] for p in schema.parameters]
        few = prod(map(len, values)) <= _MOST
        yield [_said(system.action(Event(schema.name, args))) for args in product(*values)] if few else None
    for value in system.observables:
        if value.name not in read:
            names = list(islice(product(*(d.sort.members for d in value.parameters)), _MOST + 1))
            yield [value.partial(*n) for n in names] if len(names) <= _MOST else None


def _said(action: Action) -> object:
    return action.actor, [r.term for r in action.requirements], action.effects, action.agreed, action.odds


# ---- who wins


@looks_for("VC502", over="Readings that decide who wins", cost=LookCost.READINGS)
def deciding(oracle: Oracle) -> Iterator[Finding]:
    """VC502: Readings that decide who wins, the first such value of each."""
    for reading, others in _asked(oracle, "VC502"):
        value, reasons = oracle.rules.read[reading.name], dict.fromkeys(others, "")
        for look in (oracle.glance, oracle.possible):  # it may be easy under another value
            for other in reasons:
                found = _decides(oracle, look, reading, (value, other), others[other]())
                if isinstance(found, Finding):
                    yield found
                    reasons = {}
                    break
                reasons[other] = found
            reasons = {other: reason for other, reason in reasons.items() if reason}
        for reason in dict.fromkeys(reasons.values()):
            oracle.give_up(_about("VC502", reading), reason)


def _asked(oracle: Oracle, code: str) -> Iterator[tuple[Reading, Mapping[str, Callable[[], System]]]]:
    """Each Reading with the rule sets under its other values; those for which there is no time are undecided."""
    build = oracle.rules.under
    if build is None or not oracle.wants(code):
        return
    for reading in oracle.rules.readings:
        if oracle.time_is_up:
            oracle.give_up(_about(code, reading), "the time for checks of this kind is up")
        else:
            others = [v for v in reading.values if v != oracle.rules.read[reading.name]]
            yield reading, {v: partial(build, reading.name, v) for v in others}


def _about(code: str, reading: Reading) -> FindingKey:
    return FindingKey(code, f"reading {reading.name}", reading.cites, reading.made)


def _decides(
    oracle: Oracle, look: Callable[[Term], Answer], reading: Reading, values: tuple[str, str], system: System
) -> Finding | str:
    """A position in which a side wins under one value and not under the other; or why none is known, if that is open.

    What both rule sets ask of positions has to hold.
    """
    mine, theirs = oracle.system.outcomes, system.outcomes
    wins = {side: (_wins(mine, side), _wins(theirs, side)) for side in oracle.system.sides}
    differ = {side: xor(here, there) for side, (here, there) in wins.items() if here is not there}
    laws = [law for law in (r.kept for r in system.laws) if law not in oracle.laws]
    unknown = [v for v in variables(*differ.values(), *laws) if v not in oracle.system.layout.slot]
    if unknown and differ:
        return f"under {values[1]} there are other fluents, such as {unknown[0].name}"
    bearing = set(variables(*differ.values()))
    extra = [t for t in laws if bearing & set(variables(t))]
    wanted = and_(fresh(oracle), *extra, any_of(differ.values()))
    answer = look(wanted)
    if answer.verdict != "sat":
        return oracle.bound(answer) if answer.verdict == "unknown" else ""
    witness, state = oracle.smallest(wanted, answer)
    slot = oracle.system.layout.slot
    who = " or ".join(f"the {side} side" for side, t in differ.items() if interpret(t, slot, state))
    message = f"the Reading {reading.name} decides whether {who} wins: {' and '.join(values)} differ here"
    return _about("VC502", reading).finding(message, witness=witness, goal=wanted)


def _wins(outcomes: tuple[Outcome, ...], side: str) -> Term:
    return any_of(o.now for o in outcomes if o.side == side)
