"""Plans of armies as terms, with their cuts; and boards, unit types and starts on which a cut may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import Board, City, Territory, UnitType
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.oracles.integer_arithmetic import Integers
from tests.toys.army_boards import TYPES, boards, landing_boards
from vclogic.conformance.games import legal_event
from vclogic.encode.python.evaluator import apply, failed
from vclogic.encode.unroll import Unrolling, wanted_after
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import IDLE, System
from vclogic.model.transition import Cut, Scoped
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.problem import Problem
from vclogic.solve.searches.plan_groups import cuts
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, any_of, not_
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

BEFORE = ("march", "march", "sail", "carry", "carry", "fly", "bombard", "clear", "capture", "land", "end_turn")
"""Kinds of events with which a record goes on before a plan begins."""
GUNS = ("battleship", "battleship", "destroyer", "carrier")
"""Ships that bombard, or do so on some boards."""


@dataclass(frozen=True)
class Start:
    """Where a plan begins, and whose it is.

    Attributes:
        board: The board.
        chosen: Options and readings.
        system: The game.
        state: The state.
        side: The side that plans; None: both.
        opponent: What the other one does.
        within: The most rounds.
        goal: What the plan is for.
    """

    board: Board
    chosen: Mapping[str, int | str]
    system: System
    state: State
    side: str | None
    opponent: str
    within: int
    goal: str

    @property
    def problem(self) -> Problem:
        """The question for the fewest moves."""
        system, metric = self.system, self.system.metric("moves")
        assert metric
        ask = ResolvedQuestion(
            "tiny", system, self.state, (), self.side, self.opponent, metric, effort(), self.within
        )
        return ask.problem(compile_goal(self.goal, system.vocabulary).term)

    @property
    def steps(self) -> Steps:
        """The plans."""
        return Steps(self.problem, self.within * len(self.board.turn_order))

    def __repr__(self) -> str:
        begin, layout = self.system.layout.state(self.system.completed({})), self.system.layout
        changed = {
            v.name: x for (v, x), old in zip(layout.values(self.state).items(), begin, strict=True) if x != old
        }
        kinds = {n: u for n, u in self.board.unit_types.items() if u != TYPES.get(n)}
        lines = [
            *(f"  {n}: {t.kind} {t.owner or ''} {dict(t.units)}" for n, t in self.board.territories.items()),
            f"  connections {self.board.connections} canals {dict(self.board.canals)}",
            f"  order {self.board.turn_order} sides {dict(self.board.sides)} kinds {kinds}",
            f"  {dict(self.chosen)} side={self.side} {self.opponent} within={self.within} goal={self.goal}",
            f"  {changed}",
        ]
        return "\n" + "\n".join(lines)


class Steps:
    """All plans for a goal as terms.

    Attributes:
        unrolled: The steps: as many player-turns as there are in the rounds.
        laws: What holds of them.
        goal: That the goal holds after one of them, or at the start.
        cost: What they cost.
        cuts: The cuts.
    """

    def __init__(self, problem: Problem, turns: int):
        transition = problem.transition
        assert isinstance(transition, Scoped)
        self.unrolled = Unrolling(transition, problem.start)
        self.laws: list[Term] = []
        for later in wanted_after(transition, problem.start, [problem.goal], turns):
            self.laws += self.unrolled.extend(later)
        self.goal = any_of(self.unrolled.holds(problem.goal, d) for d in range(turns + 1))
        self.cost = add(integer(0), *self.unrolled.costs)
        self.cuts = cuts(self.unrolled, transition.hints)

    @cached_property
    def solver(self) -> Integers:
        """A solver that knows the laws."""
        found = Integers()
        found.add(self.laws)
        return found

    @cached_property
    def broken(self) -> list[Cut]:
        """The cuts that a plan breaks, whatever it is for; the solver that looks for it knows the laws alone."""
        if not self.solver.possible(any_of(not_(cut.term) for cut in self.cuts)):
            return []
        return [cut for cut in self.cuts if self.solver.possible(not_(cut.term))]


# ---- boards


@st.composite
def kinds(draw: st.DrawFn) -> Mapping[str, UnitType]:
    """Kinds of units that a board may have, though the game has not: soldiers without attack, ships that do both."""
    few, rarely = st.integers(0, 2), st.integers(0, 4).map(lambda n: n == 0)
    more: dict[str, Mapping[str, int | bool]] = {
        "infantry": {"attack": draw(few), "supports_infantry": draw(rarely), "cost": 3 * draw(st.integers(0, 1))},
        "artillery": {"attack": draw(few)},
        "armour": {"attack": draw(st.integers(0, 3)), "supported_by_artillery": draw(rarely)},
        "transport": {
            "transport_room": draw(st.sampled_from((5, 5, 1, 3, 6))),
            "bombards": draw(rarely),
            "attack": draw(few),
        },
        "destroyer": {"bombards": draw(st.booleans()), "transport_room": 3 * draw(rarely)},
        "carrier": {"bombards": draw(st.booleans()), "attack": draw(few), "transport_room": 3 * draw(rarely)},
        "battleship": {"attack": draw(st.integers(1, 4))},
    }
    return {**TYPES, **{k: replace(TYPES[k], **some) for k, some in more.items()}}  # type: ignore[arg-type]


@st.composite
def odd_boards(draw: st.DrawFn) -> Board:
    """A small board, perhaps with odd kinds of units, capitals, units where their side is not in control."""
    board = draw(st.one_of(boards(sea=False), boards(sea=True), invasions(), invasions()))
    if draw(st.booleans()):
        board = replace(board, unit_types=draw(kinds()))
    place = dict(board.territories)
    if draw(st.booleans()):
        for power, land in zip(board.powers, draw(st.permutations(board.land)), strict=False):
            place[land] = replace(place[land], city=City(land, "capital", power))
    if draw(st.integers(0, 3)) == 0:
        land, power = draw(st.sampled_from(board.land)), draw(st.sampled_from(list(board.powers)))
        place[land] = _with(place[land], power, "infantry")
    if draw(st.booleans()):
        land = draw(st.sampled_from(board.land))
        place[land] = _with(place[land], str(place[land].owner), "complex")
    treasury = draw(st.integers(0, 8))
    powers = {n: replace(p, treasury=treasury) for n, p in board.powers.items()}
    return replace(board, territories=place, powers=powers)


@st.composite
def invasions(draw: st.DrawFn) -> Board:
    """A board with an island where the Germans have the ships to land and to bombard."""
    board = draw(landing_boards())
    place = dict(board.territories)
    for where, unit in ((board.sea, "transport"), (board.sea, draw(st.sampled_from(GUNS))), (("A",), "infantry")):
        region = draw(st.sampled_from(where))
        place[region] = _with(place[region], "Germans", unit)
    return replace(board, territories=place)


def _with(t: Territory, power: str, unit: str) -> Territory:
    """A territory with one more unit."""
    there = t.units.get(power, {})
    return replace(t, units={**t.units, power: {**there, unit: there.get(unit, 0) + 1}})


SETTINGS: Mapping[str, tuple[int | str, ...]] = {
    "theatre": ("full", "full", "full", "land"),
    "blitz": ("on", "on", "off"),
    "ratio": (1, 1, 1, 2, 3),
    "min_odds": (0, 0, 60, 85),
    "losses": ("none", "defence"),
    "purchases": ("off", "off", "on"),
    "liberated_territory": ("capturer", "first_owner"),
    "captured_complex": ("next_turn", "at_once"),
}
"""What may be chosen, as often as it is tried."""


@st.composite
def starts(draw: st.DrawFn, *, whose: tuple[tuple[bool, str], ...] = ((True, IDLE),)) -> Start:
    """A start on such a board, perhaps within a turn.

    Args:
        draw: Hypothesis's.
        whose: Whether a side plans, and what the other one does.
    """
    board = draw(odd_boards())
    chosen = {"level": "armies", **{name: draw(st.sampled_from(values)) for name, values in SETTINGS.items()}}
    system = ENCODING.build(board, ENCODING.settings(chosen))
    first = draw(st.sampled_from(board.turn_order))
    state = system.layout.state(system.completed({**system.initial, system.layout.by_name["turn"]: first}))
    if draw(st.booleans()):
        rng = draw(st.randoms(use_true_random=False))
        for _ in range(draw(st.integers(1, 6))):
            state = after_one(system, state, rng)
    one, opponent = draw(st.sampled_from(whose))
    side = board.powers[str(system.layout.values(state)[system.layout.by_name["turn"]])].side
    if draw(st.integers(0, 5)) == 0:
        side = board.enemy(side)
    theirs = [t for t in board.land if board.powers[str(board.territories[t].owner)].side != side] or board.land
    aims = [f"controls({side}, {t})" for t in theirs]
    aims += [f"units({t}, {p}, infantry) >= 1" for t in board.land for p in board.sides[side]]
    goal = " and ".join(draw(st.lists(st.sampled_from(aims), min_size=1, max_size=3, unique=True)))
    within = draw(st.sampled_from((1, 1, 2, 2, 3)))
    return Start(board, chosen, system, state, side if one else None, opponent, within, goal)


def after_one(system: System, state: State, rng: Random) -> State:
    """The state after one more legal event of the power on turn; the state itself if none is found."""
    power = str(system.layout.values(state)[system.layout.by_name["turn"]])
    for kind in rng.sample(BEFORE, len(BEFORE)):
        schema = system.schemas.get(kind)
        if kind == "end_turn":
            over = system.action(Event(kind))
            if rng.random() < 0.3 and not failed(system, state, over):
                return apply(system, state, over)
        elif schema is not None:
            one = {"count": 1} if any(p.name == "count" for p in schema.parameters) else {}
            found = legal_event(system, state, schema, rng, {"power": power, **one})
            if found is not None:
                return apply(system, state, system.action(found))
    return state
