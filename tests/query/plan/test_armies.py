"""The fewest unit moves on tiny random boards against brute force that was written from the model's description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hypothesis import assume, given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.board import Board, Power, Territory, UnitType
from vclogic_encodings.axis_allies.encoding import ENCODING

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.oracles.armies import Aim, Reached, TooLarge, War, fewest_moves, reached
from tests.toys.army_boards import POWERS, SIDES, TYPES, ZONES, boards, landing_boards
from vclogic.model.system import IDLE, System
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.cheapest import plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal

MOST = 5_000
"""Sets of orders that the brute force tries."""
OPEN = 0.02
"""The share of the questions that may be left open, or without a proof."""


@dataclass(frozen=True)
class Question:
    """A board with armies, and how few moves are wanted there."""

    board: Board
    chosen: Mapping[str, int | str]
    aim: Aim
    side: str
    first: str
    within: int
    war: War
    found: Reached

    def __repr__(self) -> str:
        board, sides = self.board, {p: x.side for p, x in self.board.powers.items()}
        places = [
            f"  {n}: {t.kind} {t.owner or ''} { {p: dict(u) for p, u in t.units.items()} }"
            for n, t in board.territories.items()
        ]
        lines = [
            *places,
            f"  connections {board.connections}",
            f"  canals {dict(board.canals)}",
            f"  order {board.turn_order}, judged after {board.judged_after}; sides {sides}",
            f"  {dict(self.chosen)} side={self.side} turn={self.first} within={self.within} goal={self.aim.text}",
        ]
        return "\n" + "\n".join(lines)

    def fewest(self) -> int | None:
        """The answer of the brute force."""
        return fewest_moves(self.war, self.found, self.aim)

    @cached_property
    def system(self) -> System:
        """The encoding's system."""
        return ENCODING.build(self.board, ENCODING.settings({"level": "armies", **self.chosen}))

    def answer(self, timeout: float = 8.0 + BUSY) -> Plan:
        """The answer of vclogic."""
        system = self.system
        values = dict(system.initial) | {system.layout.by_name["turn"]: self.first}
        state = system.layout.state(system.completed(values))
        metric = system.metric("moves")
        assert metric
        ask = ResolvedQuestion("tiny", system, state, (), self.side, IDLE, metric, effort(timeout), self.within)
        goal = compile_goal(self.aim.text, system.vocabulary).term
        with local_sessions(timeout):
            return plan(replace(ask, goal=Goal(self.aim.text, goal)))


# ---- boards


def joined(parts: Sequence[Aim]) -> Aim:
    """All goals at once."""
    return Aim(" and ".join(f"({p.text})" for p in parts), lambda o, e: all(p.met(o, e) for p in parts))


def held(board: Board, side: str, land: str) -> Aim:
    """That a side controls a land."""
    return Aim(f"controls({side}, {land})", lambda o, e: board.powers[o[land]].side == side)


def owned(power: str, land: str) -> Aim:
    """That a power owns a land."""
    return Aim(f"owner({land}) == {power}", lambda o, e: o[land] == power)


def total(board: Board, side: str, least: int | None = None) -> Aim:
    """That a side controls so many lands, or every land when victory is judged."""
    sides = {p: x.side for p, x in board.powers.items()}
    if least is not None:
        return Aim(f"territories({side}) >= {least}", lambda o, e: sum(sides[p] == side for p in o.values()) >= least)
    text = f"holds(total_victory, {side})"
    return Aim(text, lambda o, e: e == board.judged_after and all(sides[p] == side for p in o.values()))


@st.composite
def aims(draw: st.DrawFn, board: Board, side: str, found: Reached) -> Aim:
    """A goal: what can be come to, mostly, or a little more."""
    land, kind = board.land, draw(st.integers(0, 14))
    begin = tuple(str(board.territories[t].owner) for t in land)
    changed = sorted((k for k in found if k[0] != begin), key=lambda k: (-found[k], k))
    assume(changed or kind in (2, 3))
    there = draw(st.sampled_from(changed))[0] if changed else begin
    new = [i for i in range(len(land)) if there[i] != begin[i]]
    if kind == 0:
        return total(board, side)
    if kind == 1 and len(land) < 4:  # on more land it takes long to see whether any position has so many
        return total(board, side, sum(board.powers[p].side == side for p in there) + draw(st.integers(0, 1)))
    facts = [held(board, side, land[i]) if draw(st.booleans()) else owned(there[i], land[i]) for i in new]
    if kind in (2, 3) or not facts:
        enemy = [t for t, p in zip(land, there, strict=True) if board.powers[p].side != side]
        facts.append(held(board, side, draw(st.sampled_from(enemy or land))))
    return joined(facts)


@st.composite
def questions(draw: st.DrawFn, *, theatre: str) -> Question:
    """A board, settings and a goal."""
    board = draw(boards(sea=theatre == "full"))
    blitz, ratio = draw(st.sampled_from(("on", "on", "off"))), draw(st.sampled_from((1, 1, 2)))
    losses = draw(st.sampled_from(("none", "defence")))
    side, first = draw(st.sampled_from(SIDES)), draw(st.sampled_from(board.turn_order))
    within = draw(st.sampled_from((1, 1, 1, 2, 2, 0)))
    war = War(board, theatre == "full", blitz == "on", ratio, losses == "defence", MOST)
    found = all_reached(war, side, first, within)
    aim = draw(aims(board, side, found))
    chosen: dict[str, int | str] = {"theatre": theatre, "blitz": blitz, "ratio": ratio, "losses": losses}
    return Question(board, chosen, aim, side, first, within, war, found)


@st.composite
def landings(draw: st.DrawFn) -> Question:
    """A board where the Germans are to land, and a goal for them."""
    board = draw(landing_boards())
    last = board.land[-1]
    aim = joined([held(board, "Axis", t) for t in draw(st.sampled_from((["B"], [last], ["B", last])))])
    losses, within = draw(st.sampled_from(("none", "defence"))), draw(st.sampled_from((1, 1, 2)))
    chosen: dict[str, int | str] = {"theatre": "full", "blitz": "on", "losses": losses}
    chosen["ratio"] = draw(st.sampled_from((1, 1, 1, 2)))
    war = War(board, True, True, int(chosen["ratio"]), losses == "defence", MOST)
    found = all_reached(war, "Axis", "Germans", within)
    assume(fewest_moves(war, found, aim) or not draw(st.integers(0, 3)))
    return Question(board, chosen, aim, "Axis", "Germans", within, war, found)


def all_reached(war: War, side: str, first: str, within: int) -> Reached:
    """What the side can come to, on a board that is small enough."""
    try:
        return reached(war, side, first, within)
    except TooLarge:
        assume(False)
        raise


def agrees(question: Question, best: int | None, answer: Plan) -> None:
    """Whether the answer is that of the brute force; it may have run out of time."""
    match answer.status:
        case "optimal":
            assert answer.cost == best
        case "impossible":
            assert best is None
        case "feasible":
            assert answer.lower_bound is not None
            assert answer.cost is not None
            assert best is not None
            assert answer.lower_bound <= best <= answer.cost
        case "unknown":
            assert answer.reason
    assert (answer.replayed is True) == (answer.cost is not None)


def all_agree(questions: st.SearchStrategy[Question], number: int) -> None:
    """That the answers to random questions are those of the brute force, and hardly any is left open."""
    answers = Counter[str]()

    @examples(number)
    @given(questions)
    def one(question: Question) -> None:
        best, answer = question.fewest(), question.answer()
        agrees(question, best, answer)
        answers[answer.status] += 1

    one()
    assert answers["unknown"] + answers["feasible"] <= OPEN * answers.total(), answers


def test_fewest_moves_on_land() -> None:
    all_agree(questions(theatre="land"), 20)


def test_fewest_moves_with_ships_and_aircraft() -> None:
    all_agree(questions(theatre="full"), 12)


CORNERS = {
    "three tanks do not fit into two transports": (
        "A Germans armour=3; B Russians infantry=4; S1 Germans transport=2",
        "A-S1 B-S1",
        "B",
        None,
    ),
    "a tank and an infantry fit into one": (
        "A Germans armour=2 infantry=2; B Russians infantry=4; S1 Germans transport=2",
        "A-S1 B-S1",
        "B",
        6,
    ),
    "a sortie that lands on a carrier that sails to it": (
        "A Germans infantry=1; B Russians infantry=1; S1 Germans carrier=1 fighter=1 transport=1; S2 Germans",
        "A-S1 S1-S2 B-S2",
        "B",
        3,
    ),
    "no more aircraft than an ally's carrier has room for": (
        "F Germans fighter=2; A Germans infantry=1; B Russians infantry=3; "
        "S1 Germans; S2 Japanese carrier=1 fighter=1",
        "F-S1 S1-S2 S2-B A-B",
        "B",
        3,
    ),
    "ships that were there clear a zone": (
        "A Germans infantry=1; B Russians; S1 Germans transport=1; S2 Germans battleship=1; S2 Russians destroyer=1",
        "A-S1 B-S2 S1-S2",
        "B",
        2,
    ),
    "nothing is loaded beside enemy warships": (
        "A Germans infantry=1; B Russians; S1 Germans transport=1 battleship=1; S1 Russians submarine=1",
        "A-S1 B-S1",
        "B",
        None,
    ),
    "a ship shells one land": (
        "A Germans infantry=2; B Russians infantry=1; C Russians infantry=1; S1 Germans transport=1 battleship=1",
        "A-S1 B-S1 C-S1",
        "B C",
        None,
    ),
    "two ships shell two": (
        "A Germans infantry=2; B Russians infantry=1; C Russians infantry=1; S1 Germans transport=1 battleship=2",
        "A-S1 B-S1 C-S1",
        "B C",
        3,
    ),
    "armour comes back from an empty land": ("A Germans armour=1; B Russians", "A-B", "B", 1),
    "armour takes two empty lands": ("A Germans armour=1; B Russians; C Russians", "A-B B-C", "B C", 1),
    "armour does not pass a gun": ("A Germans armour=1; B Russians aa_gun=1; C Russians", "A-B B-C", "B C", None),
}
"""Boards, what touches what, what the Germans are to take, and the fewest moves."""


def cornered(units: str, edges: str, wanted: str, *, types: Mapping[str, UnitType] = TYPES) -> Question:
    """A question about a board that is written in a line; it is the Germans' turn, and they have one round."""
    territories: dict[str, Territory] = {}
    for place in units.split("; "):
        region, power, *some = place.split()
        here = {k: int(n) for k, n in (unit.split("=") for unit in some)}
        old = territories.get(region, Territory("sea") if region in ZONES else Territory("land", power))
        territories[region] = replace(old, units={**old.units, power: here})
    powers = {p: Power("Allies" if p == "Russians" else "Axis", p) for p in POWERS}
    board = Board(
        powers=powers,
        turn_order=POWERS,
        judged_after="Russians",
        ranks={"capital": 5, "major": 3, "moderate": 2, "minor": 1},
        major_victory={"Axis": 1, "Allies": 1},
        territories=territories,
        connections=tuple((a, b) for a, b in (edge.split("-") for edge in edges.split())),
        unit_types=types,
    )
    war = War(board, True)
    chosen: dict[str, int | str] = {"theatre": "full", "blitz": "on", "losses": "none", "ratio": 1}
    aim = joined([held(board, "Axis", t) for t in wanted.split()])
    return Question(board, chosen, aim, "Axis", "Germans", 1, war, reached(war, "Axis", "Germans", 1))


def test_fewest_moves_of_a_landing() -> None:
    all_agree(landings(), 16)
