"""Readings that decide who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from vclogic.check.checked_rules import FindingKey
from vclogic.check.findings import Finding
from vclogic.check.oracle import Oracle
from vclogic.check.outcomes import fresh
from vclogic.encode.evaluator import interpret
from vclogic.model.rules import Outcome, Reading
from vclogic.model.system import System
from vclogic.solve.backends.session import Answer
from vclogic.terms.build import and_, any_of, xor
from vclogic.terms.term import Term, variables


def deciding(oracle: Oracle) -> Iterator[Finding]:
    """VC502: Readings that decide who wins, the first such value of each."""
    for reading, others in _asked(oracle):
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
            oracle.give_up(_about(reading), reason)


def _asked(oracle: Oracle) -> Iterator[tuple[Reading, Mapping[str, Callable[[], System]]]]:
    """Each Reading with the rule sets under its other values; those for which there is no time are undecided."""
    build = oracle.rules.under
    if build is None or not oracle.wants("VC502"):
        return
    for reading in oracle.rules.readings:
        if oracle.time_is_up:
            oracle.give_up(_about(reading), "the time for checks of this kind is up")
        else:
            others = [v for v in reading.values if v != oracle.rules.read[reading.name]]
            yield reading, {v: partial(build, reading.name, v) for v in others}


def _about(reading: Reading) -> FindingKey:
    return FindingKey("VC502", f"reading {reading.name}", reading.cites, reading.made)


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
    return _about(reading).finding(message, witness=witness, goal=wanted)


def _wins(outcomes: tuple[Outcome, ...], side: str) -> Term:
    return any_of(o.now for o in outcomes if o.side == side)
