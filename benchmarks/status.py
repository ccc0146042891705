"""Who has won, state by state: compiled terms against hand-written Python and against z3.

One evaluation is the victory city points of both sides and the conditions of the six outcomes. Each contender gets
the state in the form that suits it; converting one form to another is not timed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import z3

import vclogic
from benchmarks.questions import GAME
from benchmarks.runner import Comparison, side_by_side
from vclogic.encode.python import Evaluator, Tracker
from vclogic.files.nodes import parse
from vclogic.files.registry import data_source
from vclogic.files.setup import read_board
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.terms.sorts import BoolSort
from vclogic.terms.term import Op, Term, postorder

AIM = "as fast as hand-written Python, 1,000 times as fast as z3"
_CAPTURES = 32
_BID = 3
_POINTS = "vcp(Axis)"

Contender = tuple[Callable[[Any], object], Sequence[Any]]
"""What evaluates one state, and the states in the form that it takes."""


def run() -> Iterator[Comparison]:
    """A whole status, and one number of it."""
    game = vclogic.load(GAME)
    system = game.setup.system
    hand = ByHand(read_board(game.setup.encoding, parse(data_source(game.setup.request.name, "board.yaml"))))
    states = _walk(system, game.state)
    named = [_named(system, state) for state in states]
    changes = _changes(system, states)
    terms = _terms(system)
    evaluator, solver = Evaluator(system.layout, terms), InZ3(system, terms)
    yield _compare(
        "one status: vcp of both sides and the conditions of six outcomes",
        {
            "vclogic, compiled": (evaluator.evaluate, states),
            "vclogic, incremental, after one capture": (partial(_follow, evaluator.track(states[-1])), changes),
            "Python by hand, dict of names": (hand.status, named),
            "Python by hand, list of numbers, tuned": (hand.tuned, [_numbers(system, s) for s in states]),
            "z3, substitute and simplify": (solver.status, states),
            "z3, the same in one call, constants ready": (solver.prepared, [solver.constants(s) for s in states]),
        },
    )
    solver = InZ3(system, {_POINTS: terms[_POINTS]})
    yield _compare(
        f"one number: {_POINTS}",
        {
            "vclogic, compiled": (partial(evaluator.value, _POINTS), states),
            "vclogic, incremental, after one capture": (partial(_points, evaluator.track(states[-1])), changes),
            "Python by hand, dict of names": (lambda state: hand.points("Axis", state[0]), named),
            "z3, substitute and simplify": (lambda state: solver.status(state)[_POINTS], states),
        },
    )


def _compare(title: str, contenders: Mapping[str, Contender]) -> Comparison:
    calls = {name: partial(_each, *contender) for name, contender in contenders.items()}
    answers = {name: call() for name, call in calls.items()}
    first, expected = next(iter(answers.items()))
    for name, answer in answers.items():
        assert answer == expected, f"{name} and {first} differ"
    return Comparison(title, side_by_side(calls, per=len(expected)))


def _each(evaluate: Callable[[Any], object], states: Sequence[Any]) -> list[object]:
    return [evaluate(state) for state in states]


# ---- states


def _walk(system: System, state: State) -> list[State]:
    """States of which each is one capture from the next, and the first from the last."""
    chance = random.Random(1942)
    slot = system.layout.slot
    now = list(state)
    now[slot[system.layout.by_name["bid"]]] = _BID
    states = [tuple(now)]
    for fluent in chance.sample(list(_owners(system).values()), _CAPTURES):
        now[slot[fluent]] = chance.choice([n for n in range(fluent.hi + 1) if n != now[slot[fluent]]])
        states.append(tuple(now))
    return states + states[-2:0:-1]


def _owners(system: System) -> dict[str, Term]:
    return {territory: f for (territory,), f in system.layout.families["owner"].fluents.items()}


def _changes(system: System, states: Sequence[State]) -> list[dict[Term, int]]:
    """What each state changes in the one before it."""
    found = []
    for before, after in zip([states[-1], *states[:-1]], states, strict=True):
        pairs = zip(system.layout.fluents, before, after, strict=True)
        found.append({fluent: new for fluent, old, new in pairs if old != new})
    return found


def _named(system: System, state: State) -> tuple[dict[str, Value], int]:
    """The owner of each territory by name, and the bid."""
    values = system.layout.values(state)
    return {territory: values[f] for territory, f in _owners(system).items()}, _BID


def _numbers(system: System, state: State) -> tuple[list[int], int]:
    """The number of each territory's owner, and the bid."""
    return [state[system.layout.slot[f]] for f in _owners(system).values()], _BID


# ---- vclogic


def _terms(system: System) -> dict[str, Term]:
    points = {f"vcp({side})": system.vocabulary["vcp"].partial(side).value for side in system.sides}
    return points | {f"{o.name} {o.side}": o.condition.holds for o in system.outcomes}


def _follow(tracker: Tracker, capture: Mapping[Term, int]) -> Mapping[str, Value]:
    tracker.change(capture)
    return tracker.values()


def _points(tracker: Tracker, capture: Mapping[Term, int]) -> Value:
    tracker.change(capture)
    return tracker[_POINTS]


# ---- by hand


class ByHand:
    """The same rules as the author of an AI would write them, for this game alone."""

    def __init__(self, board: Any):
        self.city_points = {t: board.points(t) for t in board.cities}
        self.sides = {side: frozenset(powers) for side, powers in board.sides.items()}
        self.cities = [(board.land.index(t), points) for t, points in self.city_points.items()]
        self.axis = frozenset(list(board.powers).index(p) for p in board.sides["Axis"])

    def points(self, side: str, owner: Mapping[str, Value]) -> int:
        """The points that a side controls."""
        powers = self.sides[side]
        return sum(points for city, points in self.city_points.items() if owner[city] in powers)

    def territories(self, side: str, owner: Mapping[str, Value]) -> int:
        """How many territories a side controls."""
        powers = self.sides[side]
        return sum(1 for power in owner.values() if power in powers)

    def status(self, state: tuple[Mapping[str, Value], int]) -> dict[str, Value]:
        """A status from a dict of owners."""
        owner, bid = state
        axis, allies = self.points("Axis", owner), self.points("Allies", owner)
        return _judged(axis, allies, self.territories("Axis", owner), self.territories("Allies", owner), bid)

    def tuned(self, state: tuple[Sequence[int], int]) -> dict[str, Value]:
        """A status from a list of owners' numbers, knowing that what the Axis do not have, the Allies have."""
        owner, bid = state
        axis = self.axis
        points = sum([points for i, points in self.cities if owner[i] in axis])
        territories = sum([power in axis for power in owner])
        return _judged(points, 65 - points, territories, 63 - territories, bid)


def _judged(axis: int, allies: int, axis_land: int, allies_land: int, bid: int) -> dict[str, Value]:
    return {
        "vcp(Axis)": axis,
        "vcp(Allies)": allies,
        "total_victory Allies": allies_land == 63,
        "total_victory Axis": axis_land == 63,
        "major_victory Allies": allies >= 50,
        "major_victory Axis": axis >= 40,
        "minor_victory Allies": bid > 0 and allies >= 33,
        "minor_victory Axis": bid > 0 and axis >= 33,
    }


# ---- z3


class InZ3:
    """The same terms as z3 expressions, an owner an integer."""

    def __init__(self, system: System, terms: Mapping[str, Term]):
        self._slot = system.layout.slot
        made: dict[Term, Any] = {}
        for t in postorder(terms.values()):
            made[t] = _expression(t, [made[a] for a in t.args])
        self._variables = {t: made[t] for t in made if t.op is Op.VAR}
        self._expressions = {name: made[t] for name, t in terms.items()}
        together = z3.Function("status", *(e.sort() for e in self._expressions.values()), z3.BoolSort())
        self._together = together(*self._expressions.values())

    def constants(self, state: State) -> list[tuple[Any, Any]]:
        """A state as z3 wants it."""
        return [(v, z3.IntVal(state[self._slot[fluent]])) for fluent, v in self._variables.items()]

    def status(self, state: State) -> dict[str, Value]:
        """The value of each term."""
        constants = self.constants(state)
        return {n: _value(z3.simplify(z3.substitute(e, *constants))) for n, e in self._expressions.items()}

    def prepared(self, constants: Sequence[tuple[Any, Any]]) -> dict[str, Value]:
        """The value of each term, all being arguments of one expression."""
        found = z3.simplify(z3.substitute(self._together, *constants)).children()
        return dict(zip(self._expressions, map(_value, found), strict=True))


def _value(x: Any) -> Value:
    return int(x.as_long()) if z3.is_int_value(x) else bool(z3.is_true(x))


def _expression(t: Term, args: Sequence[Any]) -> Any:
    match t.op:
        case Op.VAR:
            return z3.Bool(t.name) if isinstance(t.sort, BoolSort) else z3.Int(t.name)
        case Op.CONST:
            return z3.BoolVal(t.payload) if isinstance(t.sort, BoolSort) else z3.IntVal(t.payload)
        case Op.NOT:
            return z3.Not(args[0])
        case Op.AND:
            return z3.And(*args)
        case Op.OR:
            return z3.Or(*args)
        case Op.LIN:
            factors, constant = t.payload
            numbers = (z3.If(a, 1, 0) if z3.is_bool(a) else a for a in args)
            return z3.Sum(*(k * n for k, n in zip(factors, numbers, strict=True)), constant)
        case Op.GE:
            return args[0] >= t.payload
        case Op.IN:
            return z3.Or(*(args[0] == n for n in range(t.payload.bit_length()) if t.payload >> n & 1))
    raise AssertionError(f"no term of a status is a {t.op}")
