"""Units that move along edges in bounded numbers: z3, the Python evaluator and brute force agree on them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.fixtures.plan_methods import step_by_step
from tests.fixtures.smt_checker import refuted, tight
from tests.toys.unit_flows import Edge, Flow, flows, questions, replayed, sums, wishes
from vclogic.clock import Deadline
from vclogic.encode.python.evaluator import IllegalStep, Stepper
from vclogic.query.plan.maximize import maximize_bounded
from vclogic.solve.backends.session import FAST, PLAIN, Session
from vclogic.terms.atoms import TRUE


@examples(36)
@given(st.data())
def test_every_step_is_what_the_evaluator_says(data: st.DataObject) -> None:
    flow = data.draw(flows())
    stepper = Stepper(flow.layout, flow.transition)
    moment = data.draw(st.sampled_from(sorted(flow.costs(1))))
    for moved in product(*(range(-e.most - 1, e.most + 2) for e in flow.edges)):
        chosen = {e.choice: n for e, n in zip(flow.edges, moved, strict=True)}
        in_range = all(abs(n) <= e.most and (n >= 0 or e.both) for e, n in zip(flow.edges, moved, strict=True))
        after = flow.after(moment, moved) if in_range else None
        if after is None:
            with pytest.raises(IllegalStep) as error:
                stepper.step(flow.state(moment), chosen)
            assert (error.value.index is None) == (not in_range)
        else:
            assert stepper.step(flow.state(moment), chosen) == flow.state(after)
            cost = sum(abs(n) * e.toll for e, n in zip(flow.edges, moved, strict=True))
            assert stepper.cost(flow.state(moment), chosen) == cost


@examples(60)
@given(st.data())
def test_the_cheapest_plan(data: st.DataObject) -> None:
    flow, within, wish, best = data.draw(questions())
    problem = flow.prepared(wish.term(flow), within)
    with local_sessions(30), Session(Deadline(30), data.draw(st.sampled_from((FAST, PLAIN)))) as session:
        found = step_by_step(problem, session)
    assert found.reason == ""
    assert found.cost == best
    assert found.exhausted == (best is None)
    if best is not None:
        assert found.lower_bound == best
        moment, cost = replayed(flow, found)
        assert cost == best
        assert wish.met(moment)


@examples(24)
@given(st.data())
def test_the_cheapest_plan_without_a_limit(data: st.DataObject) -> None:
    flow = data.draw(flows().filter(lambda f: not f.times))
    reached = flow.costs(30)
    wish = data.draw(wishes(flow, reached))
    best = wish.cheapest(reached)
    if best is None or best > 6:
        return  # no end to it, or a long way to it
    with local_sessions(30), Session(Deadline(30), PLAIN) as session:
        found = step_by_step(flow.prepared(wish.term(flow), None), session)
    assert (found.cost, found.lower_bound) == (best, best)
    moment, cost = replayed(flow, found)
    assert cost == best
    assert wish.met(moment)


@examples(48)
@given(st.data())
def test_the_largest_value(data: st.DataObject) -> None:
    flow = data.draw(flows())
    within = data.draw(st.integers(0, 1 if flow.times else 3))
    reached = flow.costs(within)
    weighed = data.draw(sums(flow))
    wish = data.draw(st.one_of(st.none(), wishes(flow, reached)))
    values = [weighed.value(m) for m in reached if wish is None or wish.met(m)]
    objective = weighed.term(flow)
    most = data.draw(st.sampled_from((objective.hi, max(values, default=objective.hi))))
    problem = flow.prepared(TRUE if wish is None else wish.term(flow), within, keep=(objective,))
    with local_sessions(30), Session(Deadline(30), data.draw(st.sampled_from((FAST, PLAIN)))) as session:
        found = maximize_bounded(problem, objective, most, session, lambda *told: None)
    assert found.reason == ""
    assert found.value == max(values, default=None)
    if values:
        assert found.upper_bound == found.value
        assert found.claims or found.value == most
        assert refuted(found.claims)
        assert tight(found.claims) or not found.claims


@pytest.mark.parametrize("engines", [FAST, PLAIN])
def test_a_chain_with_real_processes(engines: tuple[str, ...]) -> None:
    """Four units from one end of a chain to the other, two at a time, with room for three on the way."""
    edges = tuple(Edge(i, i + 1, 2, 1, False) for i in range(3))
    flow = Flow(edges, (6, 3, 3, 6), (4, 0, 0, 0), 4, False)
    for within, cost in ((3, None), (4, 12), (5, 12)):
        assert min((c for m, c in flow.costs(within).items() if m[1][3]), default=None) == cost
        with Session(Deadline(30), engines) as session:
            found = step_by_step(flow.prepared(flow.held[3], within), session)
        assert (found.cost, found.exhausted) == (cost, cost is None)
        if cost is not None:
            moment, paid = replayed(flow, found)
            assert (moment[0], paid) == ((0, 0, 0, 4), cost)
    with Session(Deadline(30), engines) as session:
        problem = flow.prepared(TRUE, 3, keep=(flow.units[3],))
        found_value = maximize_bounded(problem, flow.units[3], 6, session, lambda *told: None)
    assert (found_value.value, found_value.upper_bound, found_value.reason) == (2, 2, "")
