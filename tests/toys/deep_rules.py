"""A small game of three hills whose rules hold terms that nest as deep as a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family
from vclogic.model.rules import Observable, Outcome, Rule
from vclogic.model.system import Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.terms.atoms import FALSE, TRUE, constant
from vclogic.terms.build import add, and_, count, eq, floordiv, ge, ite, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

SIDE = EnumSort("side", ("Red", "Blue"))
HILL = Domain(EnumSort("hill", ("North", "Middle", "South")))
OWNER = Family("owner", SIDE, "who holds it", (HILL,), Domain(SIDE))
TURN = Family("turn", SIDE, "who is on turn", (), Domain(SIDE))
STRUCK = Family("struck", BOOL, "whether a hill was taken this turn")


def _junctions(bits: Sequence[Term], t: Term, i: int) -> Term:
    return or_(bits[0], and_(not_(bits[1]), not_(t))) if i % 2 else or_(bits[0], and_(bits[1], t))


def _choices(bits: Sequence[Term], t: Term, i: int) -> Term:
    return ite(bits[0], not_(t), t) if i % 2 else ite(bits[0], t, bits[1])


def _sums(bits: Sequence[Term], t: Term, i: int) -> Term:
    return ge(add(t, *bits[:2]), 2)


def _numbers(bits: Sequence[Term], t: Term, i: int) -> Term:
    return ge(ite(bits[0], add(t, 2, bits[1]), floordiv(add(t, t, 3), 2)), 2)


NESTED: dict[str, Callable[[Sequence[Term], Term, int], Term]] = {
    "conjunctions": _junctions,
    "choices": _choices,
    "sums": _sums,
    "numbers": _numbers,
}
"""For each kind of nesting the next level around a condition, over three others."""


def nested(kinds: Sequence[str], depth: int) -> Term:
    """A condition on who holds what, so many levels deep, of some kinds in turn."""
    bits = [eq(OWNER[h], "Red") for h in HILL.sort.members]
    t = bits[2]
    for i in range(depth):
        t = NESTED[kinds[i % len(kinds)]]((*bits[i % 3 :], *bits[: i % 3]), t, i // len(kinds))
    return t


def deep_system(deep: Term) -> System:
    """The rule set with a term in its outcomes, laws, requirements, effects, rules and observables."""

    def hills(side: str) -> Term:
        return count(eq(OWNER[h], side) for h in HILL.sort.members)

    def take(side: str, hill: str) -> Action:
        needs = (
            Requirement(eq(TURN.fluent, side), "it is the other side's turn"),
            Requirement(not_(STRUCK.fluent), "a hill was taken this turn"),
            Requirement(or_(deep, not_(eq(OWNER[hill], side))), "it is held already"),
        )
        effects = ((OWNER[hill], constant(SIDE, side)), (STRUCK.fluent, TRUE))
        return Action(
            "take", (("side", side), ("hill", hill)), side, needs, effects, f"{side} takes {hill}", {"n": 1}
        )

    def end() -> Action:
        turn = TURN.fluent
        other = ite(eq(turn, "Red"), constant(SIDE, "Blue"), constant(SIDE, "Red"))
        effects = ((turn, other), (STRUCK.fluent, and_(STRUCK.fluent, deep, eq(turn, "Red"))))
        return Action("end", (), None, (), effects, "the turn ends", {"n": 0})

    taking = [take(s, h) for s in SIDE.members for h in HILL.sort.members]
    turns = replace(one_at_a_time([*taking, end()], "n"), mover=TURN.fluent)
    won = {side: ge(hills(side), 2) for side in SIDE.members}
    return System(
        sides={side: (side,) for side in SIDE.members},
        families=(OWNER, TURN, STRUCK),
        initial={**dict.fromkeys(OWNER.fluents.values(), "Red"), TURN.fluent: "Blue", STRUCK.fluent: False},
        rules=(Rule("deep", deep, "what is deep", ()),),
        invariants=(Rule("law", or_(won["Red"], won["Blue"], deep), "somebody has two hills", ()),),
        outcomes=tuple(
            Outcome(
                "hills",
                s,
                Partial(and_(won[s], or_(deep, won[s]))),
                TRUE,
                "at once",
                f"{s} has hills",
                (),
                FALSE,
                FALSE,
            )
            for s in SIDE.members
        ),
        observables=(
            Observable("hills", (Domain(SIDE),), hills, "hills of a side"),
            Observable("deep", (), lambda: deep, "what is deep"),
            Observable("worth", (Domain(SIDE),), lambda side: add(hills(side), deep), "hills, and one for the deep"),
        ),
        events=(
            Schema("take", (Parameter("side", Domain(SIDE)), Parameter("hill", HILL)), take, "takes a hill"),
            Schema("end", (), end, "ends the turn"),
        ),
        metrics=(
            Metric("n", "take", "", "hills", lambda *_: one_at_a_time(taking, "n"), _none, events=("take",)),
            Metric("turns", "turn", "", "turns", lambda *_: turns, _none, events=("take", "end"), turns=True),
        ),
        overview=(("worth", "Red"), ("worth", "Blue")),
    )


def _none(side: str | None, opponent: str) -> tuple[str, ...]:
    return ()
