"""Random small Axis & Allies boards, positions on them and goals, each with its meaning in plain Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from vclogic_encodings.axis_allies import fluents
from vclogic_encodings.axis_allies.board import Board, Canal, City, Power, Territory, flaws
from vclogic_encodings.axis_allies.encoding import ENCODING
from vclogic_encodings.axis_allies.events import turns

from tests.fixtures.efforts import effort
from tests.oracles.captures import Moment, Wish, World, movers, passes_to
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import ANYTHING, Goal
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Term

LANDS = ("Oslo", "New York", "Karelia S.S.R.", "Île|Bar", "50% Land", "t!1", "A=B")
ZONES = ("1 Sea Zone", "2 Sea Zone", "Lake ♥", "a\\b")
DESERT = "Sahara"
POWERS = ("Germans", "Japanese", "Russians", "British")
SIDES = ("Axis", "Allies")
RANKS: tuple[str, ...] = ("capital", "major", "moderate", "minor")
OUTCOMES = ("total_victory", "major_victory", "minor_victory")
TESTS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, repr=False)
class SmallMap:
    """A game on a small board at some moment.

    Attributes:
        board: The board.
        chosen: The options and readings.
        world: The same facts for the brute force.
        start: The moment.
        system: The encoding's system.
    """

    board: Board
    chosen: Mapping[str, int | str]
    world: World
    start: Moment
    system: System

    def __repr__(self) -> str:
        return f"{self.world}\n{self.start}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    @property
    def state(self) -> State:
        """The start as a state of the system."""
        values: dict[Term, Value] = {}
        fluent = self.system.layout.by_name
        for territory, power in self.world.owner(self.start).items():
            values[fluent[f"owner[{territory}]"]] = power
        values[fluent["turn"]] = self.start.turn
        values[fluent["round"]] = self.start.round
        values[fluent["bid"]] = self.world.bid
        values[fluent["ended"]] = self.start.ended
        for outcome, side in self.start.won:
            values[fluent[f"won[{outcome}]"]] = side
            values[fluent["winner"]] = side
        return self.system.layout.state(self.system.completed(values))

    def ask(
        self,
        side: str | None,
        opponent: str,
        metric: str = "captures",
        within: int | None = None,
        timeout: float = 5.0,
        *,
        wish: Wish | None = None,
    ) -> ResolvedQuestion:
        """A question about what can happen from the start."""
        found = self.system.metric(metric)
        assert found
        return ResolvedQuestion(
            "small",
            self.system,
            self.state,
            (),
            side,
            opponent,
            found,
            effort(timeout),
            within,
            goal=ANYTHING if wish is None else self.goal(wish),
        )

    def goal(self, wish: Wish) -> Goal:
        """The goal, compiled."""
        return compile_goal(wish.text, self.system.vocabulary)

    def term(self, wish: Wish) -> Term:
        """The goal as a term."""
        return self.goal(wish).term


# ---- boards


@st.composite
def boards(draw: st.DrawFn, most_land: int = 7, most_powers: int = 4) -> Board:
    """A board of a few regions, without flaws."""
    lands = LANDS[: draw(st.integers(4, most_land))]
    zones = ZONES[: draw(st.integers(1, 4))]
    deserts = (DESERT,) if draw(st.booleans()) else ()
    powers = draw(st.permutations(POWERS))[: draw(st.integers(2, most_powers))]
    sides = {p: SIDES[i] if i < 2 else draw(st.sampled_from(SIDES)) for i, p in enumerate(powers)}
    some = st.sampled_from
    pairs = [(a, b) for i, a in enumerate(lands) for b in lands[i + 1 :]]
    coasts = [(a, z) for a in lands for z in zones]
    channels = [(y, z) for i, y in enumerate(zones) for z in zones[i + 1 :]]
    waters = draw(st.lists(some(channels), unique=True, max_size=5)) if channels else []
    connections = [
        *draw(st.lists(some(pairs), unique=True, min_size=1, max_size=8)),
        *draw(st.lists(some(coasts), unique=True, min_size=2, max_size=9)),
        *waters,
        *((d, x) for d in deserts for x in draw(st.lists(some([*lands, *zones]), unique=True, max_size=4))),
    ]
    narrow = draw(st.lists(some(waters), unique=True, max_size=2)) if waters else []
    canals = {
        f"Canal {i}": Canal(edge, tuple(draw(st.lists(some(lands), unique=True, min_size=1, max_size=2))))
        for i, edge in enumerate(narrow)
    }
    ranks = dict(zip(RANKS, draw(st.permutations((5, 3, 2, 1))), strict=True))
    territories = {z: Territory("sea") for z in zones} | {d: Territory("impassable") for d in deserts}
    for i, name in enumerate(lands):
        rank = draw(some((None, *RANKS)))
        city = City(f"City {i}", rank, powers[0]) if rank else None
        territories[name] = Territory("land", draw(some(powers)), draw(st.integers(0, 4)), city=city)
    points = sum(ranks[t.city.rank] for t in territories.values() if t.city)
    need = draw(st.integers(1, points + 1))
    board = Board(
        powers={p: Power(sides[p], p) for p in powers},
        turn_order=tuple(draw(st.permutations(powers))),
        judged_after=draw(some(powers)),
        ranks=ranks,
        # Not both at once: the rules do not say who wins then.
        major_victory={"Axis": need, "Allies": draw(st.integers(points - need + 1, points + 2))},
        territories={n: territories[n] for n in draw(st.permutations(list(territories)))},
        connections=tuple(connections),
        canals=canals,
    )
    assert not list(flaws(board))
    return board


def world_of(board: Board, chosen: Mapping[str, int | str], bid: int) -> World:
    """The facts of a board for the brute force."""
    lands = [n for n, t in board.territories.items() if t.kind == "land"]
    zones = [n for n, t in board.territories.items() if t.kind == "sea"]
    edges = {*board.connections, *((b, a) for a, b in board.connections)}
    victory = chosen.get("victory", "all")
    literal = chosen.get("every_territory", "ownable") == "all"
    return World(
        land=tuple(lands),
        borders=frozenset(frozenset(e) for e in edges if e[0] in lands and e[1] in lands),
        coasts=frozenset(e for e in edges if e[0] in lands and e[1] in zones),
        seas=frozenset(frozenset(e) for e in edges if e[0] in zones and e[1] in zones),
        canals=tuple((frozenset(c.zones), c.land) for c in board.canals.values()),
        side_of={name: p.side for name, p in board.powers.items()},
        order=board.turn_order,
        judged_after=board.judged_after,
        points={n: board.ranks[c.rank] if (c := board.territories[n].city) else 0 for n in lands},
        ipc={n: board.territories[n].ipc for n in lands},
        major=board.major_victory,
        outcomes=OUTCOMES if victory == "all" else (f"{victory}_victory",),
        everything=len(board.territories) if literal else len(lands),
        sea_range=int(chosen.get("sea_range", 2)),
        bid=bid,
        per_turn=int(chosen.get("captures_per_turn", 3)),
        per_source=int(chosen.get("captures_per_source", 1)),
    )


@st.composite
def small_maps(draw: st.DrawFn, most_land: int = 7, most_powers: int = 4) -> SmallMap:
    """A board with settings and a position on it."""
    board = draw(boards(most_land, most_powers))
    chosen: dict[str, int | str] = {"sea_range": draw(st.integers(0, 3))}
    if draw(st.booleans()):
        chosen |= {"captures_per_turn": draw(st.integers(1, 5)), "captures_per_source": draw(st.integers(1, 3))}
    if draw(st.integers(0, 3)) == 0:
        chosen["victory"] = draw(st.sampled_from(("total", "major", "minor")))
    if draw(st.integers(0, 5)) == 0:
        chosen["every_territory"] = "all"
    world = world_of(board, chosen, draw(st.integers(0, 4)))
    place = draw(st.integers(0, len(world.order) - 1))
    just_ended = draw(st.booleans())
    won = [(o, draw(st.sampled_from(SIDES))) for o in world.outcomes if draw(st.integers(0, 9)) == 0]
    owners = draw(st.tuples(*(st.sampled_from(world.order) for _ in world.land)))
    start = Moment(
        owners=owners,
        turn=world.order[place],
        round=draw(st.integers(1, 3)) + (just_ended and place == 0),
        ended=world.order[place - 1] if just_ended else "none",
        won=frozenset(won),
    )
    return SmallMap(board, chosen, world, start, short_system(board, chosen))


def short_system(board: Board, chosen: Mapping[str, int | str]) -> System:
    """The encoding's system, with rounds counted up to 40 only: what follows a thousand rounds is tried elsewhere."""
    with patch.object(fluents, "LAST_ROUND", 40), patch.object(turns, "LAST_ROUND", 40):
        return ENCODING.build(board, ENCODING.settings(chosen))


# ---- goals


def quoted(name: str) -> str:
    """A name as the goal language takes any name."""
    return f'"{name}"' if "\\" not in name else name


@st.composite
def wishes(draw: st.DrawFn, m: SmallMap, depth: int = 2) -> Wish:
    """A goal over the observables of a map."""
    kind = draw(st.integers(0, 9)) if depth else 9
    if kind == 0:
        inner = draw(wishes(m, depth - 1))
        return Wish(f"not ({inner.text})", lambda w, at: not inner.met(w, at), inner.timed, inner.latest)
    if kind <= 3:
        parts = draw(st.lists(wishes(m, depth - 1), min_size=2, max_size=3))
        word = draw(st.sampled_from(("and", "and", "or")))
        return joined(word, parts)
    world = m.world
    atom: Wish = draw(
        st.one_of(
            _comparisons(world),
            _comparisons(world),
            _owners(world),
            _equalities(world),
            _controls(world),
            _holds(world),
            _times(world),
        )
    )
    return atom


def joined(word: str, parts: Sequence[Wish]) -> Wish:
    """Goals joined by `and` or `or`."""
    quantifier: Callable[[list[bool]], bool] = all if word == "and" else any
    return Wish(
        f" {word} ".join(f"({p.text})" for p in parts),
        lambda w, at: quantifier([p.met(w, at) for p in parts]),
        any(p.timed for p in parts),
        max(p.latest for p in parts),
    )


@st.composite
def aims(draw: st.DrawFn, m: SmallMap, side: str | None, opponent: str) -> Wish:
    """A goal that is true after some captures, most likely not before."""
    world = m.world
    costs = movers(world, side, opponent)
    owners = m.start.owners
    for _ in range(draw(st.integers(1, 6))):
        possible = [(p, t) for p in costs for t in world.captures(owners, p, own_only=False)]
        if not possible:
            break
        power, target = draw(st.sampled_from(possible))
        owners = world.taken(owners, power, (target,))
    there = replace(m.start, owners=owners, ended="none")
    changed = [i for i, t in enumerate(world.land) if owners[i] != m.start.owners[i]]
    return joined("and", draw(st.lists(_facts(m, there, changed), min_size=1, max_size=4)))


@st.composite
def _facts(draw: st.DrawFn, m: SmallMap, there: Moment, changed: list[int]) -> Wish:
    world = m.world
    kind = draw(st.integers(0, 5))
    if kind == 0:
        wish = draw(_holds(world))
        return wish if passes_to(world, there, wish) is not None else draw(_times(world))
    if kind <= 2:
        text, value, _ = draw(numbers(world))
        number, test = value(world, there), draw(st.sampled_from((">=", ">=", "==", "<=")))
        return Wish(f"{text} {test} {number}", lambda w, at: TESTS[test](value(w, at), number))
    i = draw(st.sampled_from(changed)) if changed else 0
    land, power = world.land[i], there.owners[i]
    if kind == 3:
        return Wish(f"{power} == owner({quoted(land)})", lambda w, at: w.owner(at)[land] == power)
    side = world.side_of[power]
    return Wish(f"controls({side}, {quoted(land)})", lambda w, at: land in w.lands(at.owners, side))


@st.composite
def questions(draw: st.DrawFn, opponent: str, *, most_land: int = 7) -> tuple[SmallMap, str, Wish]:
    """A map, the side that moves, and a goal: mostly one that can be reached."""
    m = draw(small_maps(most_land))
    side = draw(st.sampled_from(SIDES))
    wish = draw(st.one_of(aims(m, side, opponent), wishes(m)))
    return m, side, wish


Number = tuple[str, Callable[[World, Moment], int], int]
"""An expression, its value, and the most that it can be."""


def numbers(world: World) -> st.SearchStrategy[Number]:
    """Counts that a goal can speak of."""
    sides, powers = st.sampled_from(SIDES), st.sampled_from(world.order)

    def vcp(side: str) -> Number:
        return f"vcp({side})", lambda w, at: w.vcp(at.owners, side), sum(world.points.values())

    def territories(side: str) -> Number:
        return f"territories({side})", lambda w, at: len(w.lands(at.owners, side)), len(world.land)

    def ipc(power: str) -> Number:
        total = sum(world.ipc.values())
        return f"ipc({power})", lambda w, at: sum(w.ipc[t] for t in w.own(at.owners, power)), total

    return st.one_of(sides.map(vcp), sides.map(territories), powers.map(ipc))


@st.composite
def _comparisons(draw: st.DrawFn, world: World) -> Wish:
    text, value, most = draw(numbers(world))
    test = draw(st.sampled_from((">=", ">=", ">=", *TESTS)))
    if draw(st.integers(0, 2)):
        number = draw(st.integers(0, most + 1))
        return Wish(f"{text} {test} {number}", lambda w, at: TESTS[test](value(w, at), number))
    text2, value2, _ = draw(numbers(world))
    factor, number = draw(st.integers(-2, 2)), draw(st.integers(-3, 3))
    return Wish(
        f"{text} + {factor} * {text2} {test} {number}",
        lambda w, at: TESTS[test](value(w, at) + factor * value2(w, at), number),
    )


@st.composite
def _owners(draw: st.DrawFn, world: World) -> Wish:
    land, power = draw(st.sampled_from(world.land)), draw(st.sampled_from(world.order))
    test = draw(st.sampled_from(("==", "==", "!=")))
    return Wish(f"owner({quoted(land)}) {test} {power}", lambda w, at: (w.owner(at)[land] == power) is (test == "=="))


@st.composite
def _equalities(draw: st.DrawFn, world: World) -> Wish:
    a, b = draw(st.sampled_from(world.land)), draw(st.sampled_from(world.land))
    test = draw(st.sampled_from(("==", "!=")))
    return Wish(
        f"owner({quoted(a)}) {test} owner({quoted(b)})",
        lambda w, at: (w.owner(at)[a] == w.owner(at)[b]) is (test == "=="),
    )


@st.composite
def _controls(draw: st.DrawFn, world: World) -> Wish:
    side, land = draw(st.sampled_from(SIDES)), draw(st.sampled_from(world.land))
    return Wish(f"controls({side}, {quoted(land)})", lambda w, at: land in w.lands(at.owners, side))


@st.composite
def _holds(draw: st.DrawFn, world: World) -> Wish:
    outcome, side = draw(st.sampled_from(world.outcomes)), draw(st.sampled_from(SIDES))
    return Wish(f"holds({outcome}, {side})", lambda w, at: w.holds(outcome, side, at), timed=True)


@st.composite
def _times(draw: st.DrawFn, world: World) -> Wish:
    if draw(st.booleans()):
        power = draw(st.sampled_from(world.order))
        return Wish(f"turn == {power}", lambda w, at: at.turn == power, timed=True)
    name, test = draw(st.sampled_from(("round", "bid"))), draw(st.sampled_from(tuple(TESTS)))
    number = draw(st.integers(1, 5))
    if name == "round":
        return Wish(f"round {test} {number}", lambda w, at: TESTS[test](at.round, number), True, number)
    return Wish(f"bid {test} {number}", lambda w, at: w.bid > 0 and TESTS[test](w.bid, number))
