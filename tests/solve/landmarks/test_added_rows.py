"""Programs to which rows are added while they are solved: what is proved with them, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.pace import examples
from tests.toys.gain_only import METRIC, aim, gaining
from vclogic.encode.linear.affine import Affine, Row
from vclogic.encode.linear.affine import Program as Exact
from vclogic.encode.linear.delete_free import delete_free
from vclogic.encode.linear.network import flags, founded
from vclogic.solve.backends.branch_and_bound import BranchTree
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.highs_program import HighsProgram, LpRelaxation, in_parts
from vclogic.solve.landmarks.program import Cuts
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.task import relevant
from vclogic.solve.searches.delete_free_search import task_of

ROWS = [Row(((0, 1), (1, 1)), 1, None), Row(((0, 1), (1, -1)), 0, None)]
"""One of two columns is 1; the second is not without the first."""
EXACT = Exact(((0, 1), (0, 1)), ROWS, Affine({0: 3, 1: 1}))


def program(exact: Exact) -> HighsProgram:
    """The program as HiGHS takes it."""
    return HighsProgram(
        {
            "columns": exact.columns,
            "rows": [(row.weights, row.lo, row.hi) for row in exact.rows],
            "objective": list(exact.objective.weights.items()),
        }
    )


def test_a_relaxation_goes_on_with_rows_that_are_added() -> None:
    solved = program(replace(EXACT, rows=ROWS[:1]))
    relaxation = solved.relaxed
    first = relaxation.solve({})
    assert first is not None
    assert (first.value, list(first.solution)) == (1, [0, 1])
    more = [(ROWS[1].weights, ROWS[1].lo, ROWS[1].hi)]
    solved.add(more)
    relaxation.add(more)
    second = relaxation.solve({})
    assert second is not None
    assert second.value == pytest.approx(2)
    assert not solved.satisfied(np.array([0.0, 1.0]))
    assert solved.satisfied(np.array([1.0, 0.0]))


def test_what_begins_anew_with_fewer_columns_has_the_rows_too() -> None:
    solved = program(replace(EXACT, rows=ROWS[:1]))
    relaxation = solved.relaxed
    assert relaxation.solve({}) is not None
    more = [(ROWS[1].weights, ROWS[1].lo, ROWS[1].hi)]
    solved.add(more)
    relaxation.add(more)
    assert relaxation.solve({}) is not None
    found = relaxation.without(np.array([True, False])).solve({})
    assert found is not None
    assert found.value == np.inf  # the second alone breaks the row that was added


def test_a_proof_needs_the_rows_that_it_names() -> None:
    told = Certificate()
    told.take({"closed": 0, "parts": in_parts(np.array([2.0, 1.0]))})
    assert told.proves(EXACT, 2)
    assert told.rows == {0, 1}
    weaker = replace(EXACT, rows=[ROWS[0], replace(ROWS[1], lo=-1)])
    assert not told.proves(weaker, 2)
    assert not told.proves(EXACT, 3.5)


def test_what_adds_up_to_nothing_is_no_reason() -> None:
    told = Certificate()
    told.take({"closed": 0, "parts": [], "ray": True})
    assert not told.proves(EXACT, np.inf)


@pytest.mark.parametrize(
    ("columns", "rows", "fixed"),
    [
        ([(0, 0), (0, 0)], [(((0, 1), (1, 1)), 1, None)], {}),
        ([(0, 0), (0, 1)], [(((0, 1),), 1, None), (((1, 1),), 0, 1)], {}),
        ([(0, 0), (0, 0)], [(((0, 1), (1, -1)), None, -1)], {}),
        ([(0, 1), (0, 1)], [(((0, 1), (1, 1)), 2, None)], {0: (0, 0)}),
        ([(0, 1), (0, 1)], [(((0, 1), (1, 1)), None, 1)], {0: (1, 1), 1: (1, 1)}),
    ],
)
def test_that_no_row_can_hold_has_its_reason(columns: list, rows: list, fixed: dict) -> None:  # type: ignore[type-arg]
    found = HighsProgram({"columns": columns, "rows": rows, "objective": []}).relaxed.solve(fixed)
    assert found is not None
    assert found.value == np.inf
    assert found.multipliers is not None
    exact = Exact(columns, [Row(*row) for row in rows], Affine({}))
    told = Certificate()
    told.take({"closed": 0, "parts": in_parts(found.multipliers), "ray": True})
    bounds = [fixed.get(c, own) for c, own in enumerate(columns)]
    assert told.proves(replace(exact, columns=bounds), np.inf)


def test_what_can_hold_has_no_such_reason() -> None:
    relaxation = LpRelaxation(program(EXACT), np.array([0, 1]))
    assert relaxation._row_alone() is None


@examples(80)
@given(st.randoms(use_true_random=True))
def test_a_tree_proves_its_cost_and_no_more(rng: Random) -> None:
    system = gaining(rng)
    free = delete_free(system.actions, system.constants, METRIC)
    goal = aim(rng, system)
    truth = system.cheapest(goal)
    if free is None or truth is None:
        return
    task = task_of(system.problem(goal), free)
    on = founded(task.network, flags(task.network, task.network.choices))
    possible = flags(task.network, (c for c in on if c in task.network.choices))
    with patch.object(Rounding, "plan", lambda self, prices: None):
        cuts = Cuts(task, relevant(task, possible), lambda plan: 10**6, lambda value: None)
        if cuts.impossible:
            return

        def tell(**line: Any) -> None:
            cuts.certificate.take(line)

        tree = BranchTree(cuts, cuts.best, [cuts.scores], effort(30).deadline.end, tell)
        assert tree.search() == {"status": "closed"}
    least = cuts.best.cost
    assert least + cuts.constant == truth[0]
    exact = replace(cuts._exact, rows=cuts._written_rows)
    assert cuts.proved()
    assert not cuts.certificate.proves(exact, least + 1)
    added = [r for r in cuts.certificate.rows if r >= cuts._base]
    event(f"rows added: {len(added)}")
    for r in added:  # a row that says less, or what is no landmark
        weaker = [replace(row, lo=-1) if n == r else row for n, row in enumerate(exact.rows)]
        if cuts.certificate.proves(replace(exact, rows=weaker), least):
            assert cheapest_by_trying(replace(exact, rows=weaker)) >= least
        wrong = [m if n != r - cuts._base else replace(m, before=frozenset()) for n, m in enumerate(cuts._landmarks)]
        with patch.object(cuts, "_landmarks", wrong):
            assert not cuts.proved()


def cheapest_by_trying(exact: Exact) -> float:
    """The least cost of all values of the columns, without the constant."""
    assert np.prod([hi - lo + 1 for lo, hi in exact.columns]) <= 2**16
    costs = []
    for values in product(*(range(lo, hi + 1) for lo, hi in exact.columns)):
        sums = ((sum(k * values[c] for c, k in row.weights), row) for row in exact.rows)
        if all((row.lo is None or row.lo <= n) and (row.hi is None or n <= row.hi) for n, row in sums):
            costs.append(sum(k * values[c] for c, k in exact.objective.weights.items()))
    return min(costs, default=np.inf)
