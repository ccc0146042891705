"""Fixpoints on demand: what is reached is told to a solver only as far as its answers get it wrong.

A formula for the least fixpoint needs a rank for each node. Here each reached node that a term asks for is a Bool of
its own, free at first. Where an answer gives it the wrong value, the reason is told: a path of passable nodes that
leads there, or the closed nodes that cut it off from all sources. A reason holds in all answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vclogic.encode.codegen import interpret
from vclogic.solve.backends.session import Answer
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, any_of, implies
from vclogic.terms.reach import Graph
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, postorder, variables


class LazyReach:
    """Terms without fixpoints that stand for terms with some."""

    def __init__(self) -> None:
        self._reached: dict[Term, Term] = {}
        self._nodes: dict[Term, list[Term]] = {}

    def free(self, term: Term) -> Term:
        """A term with a Bool of its own for each node that it asks for."""
        nodes = [t for t in postorder([term]) if t.op is Op.REACH]
        if not nodes:
            return term
        for t in nodes:
            self._reached.setdefault(t, var(f"reached {len(self._reached)}", BOOL))
        self._nodes[term] = nodes
        return Substitution({t: self._reached[t] for t in nodes})(term)

    def linked(self, term: Term) -> tuple[Term, list[Term]]:
        """A term over the same Bools where others have asked for its nodes, and laws that keep its meaning.

        The laws say in full what is reached, as far as the term asks: what it needs to be reached is reached, and
        what it needs not to be is not. So what is known of a node for the sake of others bears on this term too.
        """
        signs = polarities([term])
        known = {t: self._reached[t] for t in signs if t in self._reached}
        laws = [implies(t, reached) for t, reached in known.items() if signs[t] & NEGATIVE]
        laws += [implies(reached, t) for t, reached in known.items() if signs[t] & POSITIVE]
        return Substitution(known)(term), laws

    def reasons(self, term: Term, answer: Answer) -> Iterator[Term]:
        """Why nodes that a term asks for are reached or not, where an answer has them wrong.

        Args:
            term: The term, as `free` was given it.
            answer: An answer with a value for each variable; those it leaves out have their least.
        """
        for t in self._nodes.get(term, ()):
            fix, reached = t.args[0], self._reached[t]
            known = {v: answer.values.get(v, v.lo) for v in variables(fix)}
            half = len(fix.args) // 2
            now = interpret(list(fix.args), {v: i for i, v in enumerate(known)}, list(known.values()))
            path = _path(fix.payload, t.payload, now[:half], now[half:])
            if path is not None and not answer.values.get(reached, 0):
                yield implies(all_of((fix.args[path[0]], *(fix.args[half + v] for v in path[1:]))), reached)
            if path is None and answer.values.get(reached, 0):
                cut = _cut(fix.payload, t.payload, now[half:])
                ways = [*(fix.args[v] for v in cut), *(fix.args[half + v] for v in cut if not now[half + v])]
                yield implies(reached, any_of(ways))


def _path(graph: Graph[Any], target: int, src: Sequence[int], free: Sequence[int]) -> list[int] | None:
    """A shortest path of passable nodes from a source to a node; None if there is none."""
    before: dict[int, int | None] = {v: None for v, source in enumerate(src) if source}
    queue = [*before]
    for u in queue:
        for v in graph.successors[u]:
            if free[v] and v not in before:
                before[v] = u
                queue.append(v)
    if target not in before:
        return None
    path: list[int] = []
    node: int | None = target
    while node is not None:
        path.append(node)
        node = before[node]
    return path[::-1]


def _cut(graph: Graph[Any], target: int, free: Sequence[int]) -> list[int]:
    """All nodes from which passable nodes lead to a node, and those that would if they were passable themselves."""
    found = {target: None}
    queue = [target]
    for v in queue:
        for u in graph.predecessors[v] if free[v] else ():
            if u not in found:
                found[u] = None
                queue.append(u)
    return queue
