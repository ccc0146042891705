"""Explain the value of a term in a state by a set of facts that imply it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic.encode.python.codegen import interpret
from vclogic.terms.reach import Graph
from vclogic.terms.term import Op, Term, Walk, postorder, run_walk, variables

Terms = frozenset[Term]
_NONE: Terms = frozenset()


def ends(reason: Iterable[Term]) -> frozenset[Term]:
    """The variables that a reason leads to."""
    return frozenset(v for t in reason if t.op in (Op.VAR, Op.IN) for v in variables(t))


class Reasons:
    """Reasons for the values of Bool terms in one state.

    A reason is a set of subterms that leads to some variables: as long as those variables keep their values, the term
    keeps its value. It is small but not always minimal: of several sufficient parts the one with the smallest reason
    is taken, and of a sum as few summands as its bound needs.

    Args:
        terms: The terms to explain.
        slot: Place of each variable in a state.
        state: The state.
    """

    def __init__(self, terms: Sequence[Term], slot: Mapping[Term, int], state: Sequence[int]):
        nodes = [t for t in postorder(terms) if t.op is not Op.FIX]
        self._values = dict(zip(nodes, map(int, interpret(nodes, slot, state)), strict=True))
        self._place: dict[Term, int] = {}
        self._found: dict[Term, Terms] = {}
        self._bounds: dict[tuple[Term, int, bool], Terms] = {}
        for t in nodes:  # from the leaves up: what a term needs is there
            places = (self._place[a] for a in t.args if a in self._place)
            self._place[t] = slot[t] if t.op is Op.VAR else min(places, default=len(slot))
            if t.is_bool:
                self._found[t] = self._of(t)

    def value(self, term: Term) -> int:
        """A term's value, as a number."""
        return self._values[term]

    def place(self, term: Term) -> int:
        """The first variable that a term reads, by its place in a state.

        Summands are looked at in this order: in the term they stand as they were made, also for other games before.
        """
        return self._place[term]

    def __call__(self, term: Term) -> Terms:
        """The subterms that imply a Bool term's value, the term itself included."""
        return self._found[term]

    def _of(self, t: Term) -> Terms:
        holds = bool(self._values[t])
        match t.op:
            case Op.CONST:
                return _NONE
            case Op.NOT:
                return self._found[t.args[0]] | {t}
            case Op.AND | Op.OR:
                if holds is (t.op is Op.AND):
                    return _NONE.union(*(self._found[a] for a in t.args)) | {t}
                alike = [self._found[a] for a in t.args if bool(self._values[a]) is holds]
                return min(alike, key=len) | {t}
            case Op.ITE:
                condition, *branches = t.args
                way = self._found[condition] | self._found[branches[0] if self._values[condition] else branches[1]]
                if self._values[branches[0]] == self._values[branches[1]]:
                    way = min(way, self._found[branches[0]] | self._found[branches[1]], key=len)
                return way | {t}
            case Op.GE:
                bound = t.payload if holds else t.payload - 1
                return run_walk(self._bounded(t.args[0], bound, holds)) | {t}
            case Op.REACH:
                return self._reached(t, holds) | {t}
            case _:  # a variable, or a test of one
                return frozenset({t})

    # ---- numbers

    def _bounded(self, t: Term, bound: int, least: bool) -> Walk[Terms]:
        """Why a number is not below a bound (`least`), or not above it."""
        if t.lo >= bound if least else t.hi <= bound:
            return _NONE
        if t.is_bool:
            return self._found[t]
        key = t, bound, least
        if key not in self._bounds:
            self._bounds[key] = (yield self._within(t, bound, least)) | {t}
        return self._bounds[key]

    def _within(self, t: Term, bound: int, least: bool) -> Walk[Terms]:
        found = _NONE
        match t.op:
            case Op.LIN:
                found = yield self._sum(t, bound, least)
            case Op.ITE:
                condition, then, otherwise = t.args
                branch = then if self._values[condition] else otherwise
                found = self._found[condition] | (yield self._bounded(branch, bound, least))
            case Op.DIV:
                inner = bound * t.payload + (0 if least else t.payload - 1)
                found = yield self._bounded(t.args[0], inner, least)
        return found

    def _sum(self, t: Term, bound: int, least: bool) -> Walk[Terms]:
        """The summands that imply a bound of a sum; those that could change it least are dropped first."""
        coefficients, _ = t.payload
        harms = []
        for k, a in zip(coefficients, t.args, strict=True):
            worst = a.lo if (k > 0) is least else a.hi
            harms.append(abs(k) * abs(self._values[a] - worst))
        slack = abs(self._values[t] - bound)
        found = _NONE
        for harm, k, a in sorted(
            zip(harms, coefficients, t.args, strict=True), key=lambda item: (item[0], self._place[item[2]])
        ):
            if harm <= slack:
                slack -= harm
            else:
                found |= yield self._bounded(a, self._values[a], (k > 0) is least)
        return found

    # ---- reachability

    def _reached(self, t: Term, holds: bool) -> Terms:
        """Why a node of a graph is reached: a path to it; or why not: a cut that separates it from the sources."""
        fix = t.args[0]
        graph: Graph[object] = fix.payload
        n = len(graph.nodes)
        sources, free = fix.args[:n], fix.args[n:]
        if holds:
            return self._path(graph, sources, free, t.payload)
        found, queue, seen = _NONE, [t.payload], {t.payload}
        while queue:
            node = queue.pop()
            found |= self._found[sources[node]]
            if not self._values[free[node]]:
                found |= self._found[free[node]]
                continue
            before = [p for p in graph.predecessors[node] if p not in seen]
            seen.update(before)
            queue += before
        return found

    def _path(self, graph: Graph[object], sources: Sequence[Term], free: Sequence[Term], target: int) -> Terms:
        came: dict[int, int | None] = {i: None for i, s in enumerate(sources) if self._values[s]}
        queue = list(came)
        while target not in came:
            node = queue.pop(0)
            for after in graph.successors[node]:
                if after not in came and self._values[free[after]]:
                    came[after] = node
                    queue.append(after)
        found, node_ = _NONE, target
        while (before := came[node_]) is not None:
            found |= self._found[free[node_]]
            node_ = before
        return found | self._found[sources[node_]]
