"""Readings: those that never make a difference, and those that decide who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count, islice, product

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Finding
from vclogic.check.instances import instances, number_of
from vclogic.check.oracle import Desk
from vclogic.check.outcomes import fresh
from vclogic.encode.evaluator import interpret
from vclogic.model.rules import Observable, Outcome, Reading
from vclogic.model.system import ANY, System
from vclogic.solve.backends.session import Answer
from vclogic.terms.build import and_, any_of, xor
from vclogic.terms.term import Term, variables

_OBSERVED = 100  # instances of one event that are compared in any case
_WHOLE = 10_000  # of those that have no more instances all are compared, where nothing before shows a difference
_LOOKS = (8, _OBSERVED, _WHOLE)  # values of one observable that are compared, first and after that
Signed = tuple[str, object]


def idle(desk: Desk) -> Iterator[Finding]:
    """VC501: Readings that never make a difference."""
    said = {most: _Pieces(_signature(desk.system, most)) for most in _LOOKS}
    for reading, others in _asked(desk, "VC501"):
        yield from _idle(desk, reading, said, (make() for make in others.values()))


def deciding(desk: Desk) -> Iterator[Finding]:
    """VC502: Readings that decide who wins, the first such value of each."""
    for reading, others in _asked(desk, "VC502"):
        value, reasons = desk.subject.read[reading.name], dict.fromkeys(others, "")
        for look in (
            desk.glance,
            desk.possible,
        ):  # easy under another value?
            for other in reasons:
                found = _decides(desk, look, reading, (value, other), others[other]())
                if isinstance(found, Finding):
                    yield found
                    reasons = {}
                    break
                reasons[other] = found
            reasons = {other: reason for other, reason in reasons.items() if reason}
        for reason in dict.fromkeys(reasons.values()):
            desk.give_up(_about("VC502", reading), reason)


def _asked(desk: Desk, code: str) -> Iterator[tuple[Reading, Mapping[str, Callable[[], System]]]]:
    """Each Reading with the rule sets under its other values; those for which there is no time are taken down."""
    build = desk.subject.under
    if build is None or not desk.wants(code):
        return
    for reading in desk.subject.readings:
        if desk.time_is_up:
            desk.give_up(_about(code, reading), "the time for checks of this kind is up")
        else:
            others = [v for v in reading.values if v != desk.subject.read[reading.name]]
            yield reading, {v: partial(build, reading.name, v) for v in others}


def _about(code: str, reading: Reading) -> Topic:
    return Topic(code, f"reading {reading.name}", reading.cites, reading.made)


# ---- whether there is any difference


def _idle(
    desk: Desk, reading: Reading, said: Mapping[int, Iterable[Signed]], others: Iterable[System]
) -> Iterator[Finding]:
    for other in others:
        try:
            if _differ(desk, other, said):
                return
        except TimeoutError:
            desk.give_up(_about("VC501", reading), "the time for checks of this kind is up")
            return
    kept_back = [s.name for s in desk.system.events if number_of(s) > _WHOLE]
    kept_back += [o.name for o in desk.system.observables if len(list(islice(_arguments(o), _WHOLE + 1))) > _WHOLE]
    about = _about("VC501", reading)
    if kept_back:
        reason = f"no difference in {_OBSERVED} events each of {', '.join(kept_back)}, nor in anything else"
        desk.give_up(about, reason)
        return
    yield about.finding(
        f"the Reading {reading.name} never makes a difference",
        scope="rules",
        proof="rules, outcomes, observables and events are the same terms under each of its values",
    )


class _Pieces:
    """Pieces that are made when they are first looked at, and then kept."""

    def __init__(self, pieces: Iterator[Signed]):
        self._pieces = pieces
        self._known: list[Signed] = []

    def __iter__(self) -> Iterator[Signed]:
        for i in count():
            if i == len(self._known):
                following = next(self._pieces, None)
                if following is None:
                    return
                self._known.append(following)
            yield self._known[i]


def _differ(desk: Desk, b: System, said: Mapping[int, Iterable[Signed]]) -> bool:
    """Whether two rule sets differ in anything that is compared.

    Args:
        desk: Has one of them.
        b: The other.
        said: What the one says, for how many instances are compared.

    Raises:
        TimeoutError: The time for it is up.
    """
    a = desk.system
    if a.layout.fluents != b.layout.fluents or a.initial != b.initial or a.defaults != b.defaults:
        return True
    for most, pieces in said.items():  # the sides are walked together, to stop at the first difference
        for x, y in zip(pieces, _signature(b, most), strict=False):
            if x != y:
                return True
            if desk.time_is_up:
                raise TimeoutError
    return _moves(a) != _moves(b)


def _signature(system: System, most: int) -> Iterator[Signed]:
    """What a rule set says, piece by piece: equal terms are one object, so comparing is cheap."""
    for o in system.outcomes:
        yield o.name, (o.side, o.timing, o.condition, o.won, o.lost, o.have, o.need)
    for r in (*system.rules, *system.invariants):
        yield r.name, r.term
    for observable in system.observables:
        for names in islice(_arguments(observable), most):
            yield observable.name, observable.partial(*names)
    yield "counts", (len(system.outcomes), len(system.rules), len(system.invariants), len(system.events))
    for schema in system.events:
        for action in instances(system, schema, most if number_of(schema) <= most else _OBSERVED).actions:
            yield (
                action.key,
                (tuple(r.term for r in action.requirements), action.effects, tuple(action.costs.items())),
            )


def _arguments(observable: Observable) -> Iterator[tuple[str, ...]]:
    return product(*(d.sort.members for d in observable.parameters))


def _moves(system: System) -> object:
    """The steps of plans, as far as they do not depend on where they start."""
    found = []
    start = system.layout.constants(system.layout.state(system.completed({})))
    for metric in system.metrics:
        t = metric.transition(None, ANY, start)
        found.append((t.choices, tuple(t.legality), tuple(t.next.items()), t.cost))
    return found


# ---- whether it decides who wins


def _decides(
    desk: Desk, look: Callable[[Term], Answer], reading: Reading, values: tuple[str, str], system: System
) -> Finding | str:
    """A position in which a side wins under one value and not under the other; or why none is known, if that is open.

    What both rule sets ask of positions has to hold.
    """
    mine, theirs = desk.system.outcomes, system.outcomes
    wins = {side: (_wins(mine, side), _wins(theirs, side)) for side in desk.system.sides}
    differ = {side: xor(here, there) for side, (here, there) in wins.items() if here is not there}
    laws = [law for law in (r.kept for r in system.invariants) if law not in desk.laws]
    unknown = [v for v in variables(*differ.values(), *laws) if v not in desk.system.layout.slot]
    if unknown and differ:
        return f"under {values[1]} there are other fluents, such as {unknown[0].name}"
    bearing = set(variables(*differ.values()))
    extra = [t for t in laws if bearing & set(variables(t))]
    wanted = and_(fresh(desk), *extra, any_of(differ.values()))
    answer = look(wanted)
    if answer.verdict != "sat":
        return desk.bound(answer) if answer.verdict == "unknown" else ""
    witness, state = desk.smallest(wanted, answer)
    sides = [side for side, t in differ.items() if interpret(t, desk.system.layout.slot, state)]
    message = f"the Reading {reading.name} decides whether {_the(sides)} wins: {' and '.join(values)} differ here"
    return _about("VC502", reading).finding(message, witness=witness, goal=wanted)


def _the(sides: list[str]) -> str:
    return " or ".join(f"the {side} side" for side in sides)


def _wins(outcomes: tuple[Outcome, ...], side: str) -> Term:
    return any_of(o.now for o in outcomes if o.side == side)
