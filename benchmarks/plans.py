"""The fewest captures: vclogic against plain bounded model checking and against breadth-first search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import vclogic
from benchmarks.questions import GAME, problem
from benchmarks.runner import Answer, Comparison, within
from vclogic.clock import Deadline
from vclogic.encode.deletefree import delete_free
from vclogic.encode.python import compile_term, compile_terms
from vclogic.progress import silent, untold
from vclogic.query.game import Game
from vclogic.solve import bounded
from vclogic.solve.fewest import fewest
from vclogic.solve.problem import Problem, Search
from vclogic.solve.session import Effort, Session

AIM = "every plan optimal within 10 s; what is gained over a search step by step"
GOALS = ("vcp(Axis) >= 40", "vcp(Axis) >= 50", "vcp(Axis) >= 60", "territories(Axis) >= 63")
LIMIT = 12.0
MOST_STATES = 2_000_000


def run() -> Iterator[Comparison]:
    """One comparison per goal."""
    game = vclogic.load(GAME)
    for goal in GOALS:
        calls: dict[str, Callable[[float], Answer]] = {
            "vclogic, the whole call": partial(_plan, game, goal),
            "vclogic, the solvers' part, with their start": partial(_solve, problem(goal, "Axis")),
            "bounded model checking, step by step": partial(_step_by_step, problem(goal, "Axis")),
            "breadth-first search, compiled": partial(_breadth_first, problem(goal, "Axis")),
        }
        yield Comparison(f"fewest captures to {goal}", within(LIMIT, calls))


def found(search: Search) -> Answer:
    """A search's result as an answer."""
    if search.cost is not None and search.cost == search.lower_bound:
        return Answer(f"{search.cost} captures")
    most = "" if search.cost is None else f", at most {search.cost}"
    return Answer(f"at least {search.lower_bound or 0}{most}", finished=False)


def _plan(game: Game, goal: str, limit: float) -> Answer:
    plan = game.plan(goal, side="Axis", timeout=limit)
    return Answer(f"{plan.cost} captures", finished=plan.status == "optimal")


def _solve(problem: Problem, limit: float) -> Answer:
    free = delete_free(problem.transition.actions, problem.start, problem.metric)
    assert free is not None, "captures of one side are delete-free"
    return found(fewest(problem, free, Effort(Deadline(limit), silent)))


def _step_by_step(problem: Problem, limit: float) -> Answer:
    with Session(Deadline(limit)) as session:
        *_, last = bounded.search(problem, session, untold)
        assert last is not None
        return found(last)


def _breadth_first(problem: Problem, limit: float) -> Answer:
    """All states in the order of their distance, each once; the start is no goal.

    A state is a string of bytes, which is small and fast to hash.
    """
    end = time.monotonic() + limit
    slot = {fluent: i for i, fluent in enumerate(problem.start)}
    actions = problem.transition.actions.values()
    allowed = compile_terms([a.guard for a in actions], slot)
    effects = [[(slot[f], new.payload) for f, new in a.effects if f in slot] for a in actions]
    is_goal = compile_term(problem.goal, slot)
    frontier = [bytes(value.payload for value in problem.start.values())]
    seen = set(frontier)
    depth = 0
    while frontier:
        reached: list[bytes] = []
        for state in frontier:
            if time.monotonic() > end or len(seen) > MOST_STATES:
                return Answer(f"at least {depth + 1}; {len(seen):,} states", finished=False)
            for ok, changes in zip(allowed(state), effects, strict=True):
                if ok and (after := _changed(state, changes)) not in seen:
                    seen.add(after)
                    reached.append(after)
                    if is_goal(after):
                        return Answer(f"{depth + 1} captures")
        frontier, depth = reached, depth + 1
    return Answer("no plan")


def _changed(state: bytes, changes: list[tuple[int, int]]) -> bytes:
    after = bytearray(state)
    for place, number in changes:
        after[place] = number
    return bytes(after)
