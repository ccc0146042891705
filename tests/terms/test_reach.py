"""`reach` against networkx, on random directed graphs with constant and variable sources and passables."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.encode.python.evaluator import compile_terms, interpret
from vclogic.terms.atoms import FALSE, TRUE, boolean, integer, var
from vclogic.terms.build import and_, count, ge, ite, not_, or_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, postorder

FLAGS = tuple(var(f"r{i}", BOOL) for i in range(4))
SLOT = {v: i for i, v in enumerate(FLAGS)}
LITERALS = [TRUE, FALSE, *FLAGS, *map(not_, FLAGS), and_(*FLAGS[:2]), or_(*FLAGS[2:])]
POSITIVES = [TRUE, FALSE, *FLAGS, and_(*FLAGS[:2]), or_(*FLAGS[2:])]
STATES = list(product((0, 1), repeat=len(FLAGS)))
Case = tuple[Graph[str], dict[str, Term], dict[str, Term]]
MANY = examples(800)


@st.composite
def boards(draw: st.DrawFn, literals: list[Term] = LITERALS) -> Case:
    nodes = [f"n{i}" for i in range(draw(st.integers(1, 6)))]
    node, literal = st.sampled_from(nodes), st.sampled_from(literals)
    # Loops and double edges too; enough of everything that paths come about.
    edges = draw(st.lists(st.tuples(node, node), min_size=len(nodes), max_size=3 * len(nodes)))
    sources = {draw(node): draw(literal) for _ in range(draw(st.integers(0, 3)))}
    passable = {n: draw(literal) for n in nodes if draw(st.integers(0, 9))}
    return Graph(tuple(nodes), tuple(edges)), sources, passable


def holds(t: Term, state: tuple[int, ...]) -> bool:
    return interpret(t, SLOT, state) == 1


def reached(case: Case, state: tuple[int, ...]) -> set[str]:
    """By networkx: a node is entered only if passable; a source is reached, passable or not, and leads on."""
    graph, sources, passable = case
    ways: Any = nx.DiGraph()
    ways.add_nodes_from(graph.nodes)
    ways.add_edges_from((a, b) for a, b in graph.edges if holds(passable.get(b, FALSE), state))
    found: set[str] = set()
    for s, t in sources.items():
        if holds(t, state):
            found |= {s} | nx.descendants(ways, s)
    return found


@MANY
@given(boards())
def test_reach_agrees_with_networkx(case: Case) -> None:
    terms = reach(*case)
    both = [*terms.values(), *map(not_, terms.values())]  # asked for and ruled out
    compiled = compile_terms(both, SLOT)
    for state in STATES:
        want = reached(case, state)
        values = compiled(state)
        at = Substitution({v: boolean(bool(n)) for v, n in zip(FLAGS, state, strict=True)})
        for i, (node, t) in enumerate(terms.items()):
            assert bool(values[i]) == (not values[i + len(terms)]) == (node in want)
            assert holds(t, state) == (node in want)
            assert at(t) is boolean(node in want)
            assert at(not_(t)) is boolean(node not in want)


@MANY
@given(boards(), st.dictionaries(st.sampled_from(FLAGS), st.sampled_from([TRUE, FALSE, *FLAGS]), max_size=3))
def test_partial_constants_fold_and_keep_the_value(case: Case, known: dict[Term, Term]) -> None:
    at = Substitution(known)
    partly = {node: at(t) for node, t in reach(*case).items()}
    graph, sources, passable = case
    again = reach(graph, {n: at(t) for n, t in sources.items()}, {n: at(t) for n, t in passable.items()})
    for state in STATES:
        inner = tuple(interpret(known.get(v, v), SLOT, state) for v in FLAGS)
        want = reached(case, inner)
        for node, t in partly.items():
            assert holds(t, state) == holds(again[node], state) == (node in want)
    for node, t in partly.items():
        assert again[node].is_const == t.is_const


@MANY
@given(boards())
def test_what_is_decided_is_constant(case: Case) -> None:
    """Where no constant board of the variables could say otherwise, no term is left."""
    always = set.intersection(*(reached(case, s) for s in STATES))
    ever = set.union(*(reached(case, s) for s in STATES))
    for node, t in reach(*case).items():
        assert t is not TRUE or node in always
        assert t is not FALSE or node not in ever
        if not any(s.op is Op.VAR for s in postorder([*case[1].values(), *case[2].values()])):
            assert t is boolean(node in always)


@MANY
@given(boards(POSITIVES))
def test_more_sources_and_passables_never_hurt(case: Case) -> None:
    terms = reach(*case)
    signs = polarities(terms.values())
    assert all(signs.get(v, POSITIVE) == POSITIVE for v in FLAGS)
    assert all(polarities([not_(t)]).get(v, NEGATIVE) == NEGATIVE for t in terms.values() for v in FLAGS)
    for state in STATES:
        for i in range(len(FLAGS)):
            more = (*state[:i], 1, *state[i + 1 :])
            assert reached(case, state) <= reached(case, more)
            assert all(holds(t, more) for t in terms.values() if holds(t, state))


def test_a_source_need_not_be_passable_and_leads_on() -> None:
    line = Graph.undirected("abc", [("a", "b"), ("b", "c")])
    a, b = FLAGS[:2]
    found = reach(line, {"a": TRUE}, {"b": b, "c": TRUE})
    assert found["a"] is TRUE
    assert [holds(found["c"], s) for s in ((0, 0, 0, 0), (0, 1, 0, 0))] == [False, True]
    assert reach(line, {"a": a}, {"a": TRUE, "b": TRUE})["c"] is FALSE
    assert reach(line, {}, dict.fromkeys("abc", TRUE)) == dict.fromkeys("abc", FALSE)


def test_reached_nodes_inside_other_terms() -> None:
    line = Graph.undirected(range(5), [(i, i + 1) for i in range(4)])
    found = reach(line, {0: FLAGS[0]}, {i: FLAGS[i % 4] for i in range(1, 5)})
    how_far = count(found.values())
    second = reach(
        line, {4: ge(how_far, 3)}, {i: or_(FLAGS[i % 4], found[i]) for i in range(5)}
    )  # a reach in a reach
    t = ite(second[0], how_far, integer(-1))
    compiled = compile_terms([t, how_far], SLOT)
    for state in STATES:
        far = 0 if not state[0] else next((i for i in range(1, 4) if not state[i]), 5)
        assert compiled(state)[1] == interpret(how_far, SLOT, state) == far
        assert compiled(state)[0] == interpret(t, SLOT, state) == (far if far >= 3 and state[3] else -1)


def test_wrong_boards_are_refused() -> None:
    line = Graph.undirected("ab", [("a", "b")])
    with pytest.raises(KeyError):
        reach(line, {"c": TRUE}, {})
    with pytest.raises(KeyError):
        reach(line, {}, {"c": TRUE})
    with pytest.raises(TypeError):
        reach(line, {"a": integer(1)}, {})


def test_graphs() -> None:
    graph = Graph.undirected("abc", [("a", "b"), ("b", "a"), ("b", "c")])
    assert graph.edges == (("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"))
    assert graph.successors == ((1,), (0, 2), (1,)) == graph.predecessors
    assert graph == Graph(graph.nodes, graph.edges)
    assert hash(graph) == hash(Graph(graph.nodes, graph.edges))
    assert bytes(graph.closure([0], [True, True, False])) == b"\1\1\0"
