"""Relaxed distances: how many events lead from a state to a goal if nothing that was gained is ever lost.

What does not hold in a state is followed backwards to the events that bring it about, to what these need that does
not hold either, and so on, until all of it can be built up from events that are allowed now. Costs add up (h-add),
and the events that make up the cheapest way to the goal are its relaxed plan. It is a guide and proves nothing: of
many events alike some stand for all, and sums are filled up in the order in which their parts come cheapest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from math import inf

from vclogic.clock import check_deadline
from vclogic.encode.grounding import Admits, Given, changing, places
from vclogic.encode.python.codegen import interpret
from vclogic.encode.relaxed_costs import CostNode, NodeKind, Part, RelaxedCosts, price
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import fits, some_choices
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import any_of, ge, in_mask, not_, sub
from vclogic.terms.reach import Graph
from vclogic.terms.sorts import BOOL, EnumSort, members_of
from vclogic.terms.term import Op, Term, intern_term

_ALIKE = 16  # events of a kind that stand for all that bring the same about
_BUILT = 60  # events of a kind among which these are looked for
_LAYERS = 40  # events in a row that are followed backwards
_NODES = 60_000  # of one estimate


_Change = tuple[Event, int, list[Term], Term]
"""An event, its price, what it needs, and the new value of a fluent."""


@dataclass(frozen=True)
class Estimate:
    """An estimate of what leads from a state to a goal.

    Attributes:
        distance: The price of the events of the relaxed plan; infinite if there is none.
        helpful: Those of them that are allowed at once, each with how often.
    """

    distance: float
    helpful: tuple[tuple[Event, int], ...] = ()


class RelaxedDistance:
    """Estimates of what leads to a goal.

    Args:
        system: The rule set.
        admits: Which events may happen, and what they need.
        goal: Bool, over fluents.

    Attributes:
        work: The number of nodes that were looked at so far.
    """

    def __init__(self, system: System, admits: Admits, goal: Term):
        self._system = system
        self._admits = admits
        self._slot = system.layout.slot
        self._where = places(system.layout)
        self._nodes: dict[Term | tuple[Term, bool], CostNode] = {}
        self._goal = self._node(goal)
        self.work = 0

    def __call__(self, state: State) -> Estimate:
        """The estimate for a state."""
        holds: dict[CostNode, bool] = {}
        needed: dict[CostNode, None] = {}
        frontier = self._false([self._goal], state, holds)
        if not frontier:
            return Estimate(0)
        for _ in range(_LAYERS):
            frontier = self._followed(frontier, state, holds, needed)
            self.work += len(needed)
            numbered = {n: n.number for n in needed if n.number is not None}
            values = interpret(list(numbered.values()), self._slot, state)
            costs = RelaxedCosts(needed, holds, dict(zip(numbered, map(int, values), strict=True)))
            if self._goal in costs.paid:
                return self._plan(costs)
            if not frontier or len(needed) > _NODES:
                break
        return Estimate(inf)

    # ---- what does not hold, followed backwards

    def _followed(
        self, frontier: list[CostNode], state: State, holds: dict[CostNode, bool], needed: dict[CostNode, None]
    ) -> list[CostNode]:
        """Add what may lead to some conditions by one more event; returns what that needs and does not hold."""
        later: list[CostNode] = []
        while frontier:
            check_deadline()
            fresh = [n for n in frontier if n not in needed]
            needed.update(dict.fromkeys(fresh))
            for n in fresh:
                if n.parts is None:
                    n.parts = tuple(self._parts(n))
            children = dict.fromkeys(part for n in fresh for part, _, _ in n.parts or ())
            self._false(children, state, holds)
            # Where one of all parts is a fact that no event brings about, nobody need follow the others.
            alive = [n for n in fresh if not _is_dead(n, holds)]
            frontier = []
            for p in dict.fromkeys(p for n in alive for p, _, _ in n.parts or () if not holds[p] and p not in needed):
                (later if _is_fact(p) else frontier).append(p)  # what it takes one more event to bring about waits
        return list(dict.fromkeys(later))

    def _false(self, nodes: Iterable[CostNode], state: State, holds: dict[CostNode, bool]) -> list[CostNode]:
        """The nodes that do not hold in a state, or that are only made of parts."""
        asked = [n for n in nodes if n not in holds]
        tested = [n for n in asked if n.term is not None]
        values = interpret([n.term for n in tested if n.term is not None], self._slot, state)
        holds.update(dict.fromkeys(asked, False))
        holds.update(zip(tested, map(bool, values), strict=True))
        return [n for n in nodes if not holds[n]]

    def _plan(self, costs: RelaxedCosts) -> Estimate:
        """The events of the cheapest way to the goal."""
        times: dict[tuple[Event, float], tuple[int, int]] = {}
        seen: set[CostNode] = set()
        stack = [(self._goal, 1)]
        while stack:
            n, repeated = stack.pop()
            if n.event is not None:
                key = n.event, costs.paid[n]
                times[key] = n.price, max(times.get(key, (0, 0))[1], repeated)
            if n not in seen:
                seen.add(n)
                passed = repeated if n.kind in (NodeKind.ANY, NodeKind.RISING) else 1
                stack += [(part, again * passed) for part, again in costs.used.get(n, ())]
        distance = sum(each * n for each, n in times.values())
        return Estimate(distance, tuple((e, n) for (e, paid), (each, n) in times.items() if paid == each))

    # ---- conditions and what they are made of

    def _node(self, term: Term) -> CostNode:
        found = self._nodes.get(term)
        if found is None:
            found = self._nodes[term] = CostNode(term)
        return found

    def _rising(self, fluent: Term, up: bool) -> CostNode:
        """A number rises (or falls)."""
        found = self._nodes.get((fluent, up))
        if found is None:
            found = self._nodes[fluent, up] = CostNode(kind=NodeKind.RISING, number=fluent)
        return found

    def _all(self, terms: Iterable[Term], more: Iterable[CostNode] = ()) -> CostNode:
        """All of some conditions."""
        parts = chain((self._node(t) for t in terms if t is not TRUE), more)
        return CostNode(kind=NodeKind.ALL, parts=[(n, 1, False) for n in dict.fromkeys(parts)])

    def _parts(self, n: CostNode) -> Iterator[Part]:
        if n.term is None:
            assert n.number is not None
            up = self._nodes.get((n.number, True)) is n
            yield from ((act, 1, False) for act in self._raised(n.number, up))
            return
        t, positive = n.term, True
        while t.op is Op.NOT:
            t, positive = t.args[0], not positive
        match t.op:
            case Op.AND | Op.OR:
                n.kind = NodeKind.ALL if (t.op is Op.AND) is positive else NodeKind.ANY
                yield from ((self._node(a if positive else not_(a)), 1, False) for a in t.args)
            case Op.ITE:
                condition, *branches = (t.args[0], *(a if positive else not_(a) for a in t.args[1:]))
                yield self._all([condition, branches[0]]), 1, False
                yield self._all([not_(condition), branches[1]]), 1, False
            case Op.GE:
                number, least = t.args[0], t.payload
                n.kind, n.number = NodeKind.SUM, sub(number, least) if positive else sub(least - 1, number)
                yield from self._summands(number, positive)
            case Op.REACH:
                yield from self._reached(t, positive)
            case Op.VAR | Op.IN:
                yield from ((act, 1, False) for act in self._made(t, positive))

    def _summands(self, number: Term, up: bool) -> Iterator[Part]:
        """The events that raise (or lower) a number, each with how much, and if it can do so again and again."""
        stack: list[tuple[Term, int, tuple[Term, ...]]] = [(number, 1 if up else -1, ())]
        while stack:
            t, k, path = stack.pop()
            sign, weight = k > 0, abs(k)
            if t.is_bool:
                yield (
                    self._all([t if sign else not_(t), *path]) if path else self._node(t if sign else not_(t)),
                    weight,
                    False,
                )
            elif t.op is Op.LIN:
                stack += [(a, k * c, path) for c, a in zip(t.payload[0], t.args, strict=True)]
            elif t.op is Op.DIV:
                stack.append((t.args[0], k // t.payload or (1 if sign else -1), path))
            elif t.op is Op.ITE:
                condition, *branches = t.args
                for branch, so in zip(branches, (condition, not_(condition)), strict=True):
                    gain = branch.hi - t.lo if sign else t.hi - branch.lo
                    if gain > 0 and so is not FALSE:
                        yield self._all([*path, so]), max(1, gain * weight), False
                        if not branch.is_const:
                            stack.append((branch, k, (*path, so)))
            elif t.op is Op.VAR:
                yield self._all(path, [self._rising(t, sign)]) if path else self._rising(t, sign), weight, True

    def _reached(self, t: Term, positive: bool) -> Iterator[Part]:
        """A place of a graph is reached, or cut off."""
        fix, place = t.args[0], t.payload
        graph: Graph[object] = fix.payload
        half = len(graph.nodes)
        if positive:
            before = [intern_term(Op.REACH, (fix,), i, BOOL, 0, 1, 0) for i in graph.predecessors[place]]
            yield self._node(fix.args[place]), 1, False
            yield self._all([fix.args[half + place], any_of(before)]), 1, False
        else:  # of the ways that lead there one is closed: a guess
            closed = self._nodes.get((fix, False))
            if closed is None:
                parts = [(self._node(not_(a)), 1, False) for a in fix.args if a is not TRUE]
                closed = self._nodes[fix, False] = CostNode(parts=parts)
            yield closed, 1, False

    # ---- events

    def _made(self, test: Term, positive: bool) -> Iterator[CostNode]:
        """The events that make a test of one fluent true (or false)."""
        fluent, wanted = (test.args[0], test.payload) if test.op is Op.IN else (test, 0)
        wanted = wanted if positive else fluent.mask & ~wanted
        names = {fluent.sort.members[i] for i in members_of(wanted)} if isinstance(fluent.sort, EnumSort) else set()
        found = []
        for event, paid, needs, new in self._changing(fluent, names):
            after = in_mask(new, test.payload) if test.op is Op.IN else new
            after = after if positive else not_(after)
            if after is not FALSE:
                found.append(self._act(event, paid, [*needs, after]))
        yield from _spread(found)

    def _raised(self, fluent: Term, up: bool) -> Iterator[CostNode]:
        """The events that raise (or lower) a number."""
        found = []
        for event, paid, needs, new in self._changing(fluent):
            stack: list[tuple[Term, tuple[Term, ...]]] = [(new, ())]
            while stack:
                t, path = stack.pop()
                if t.op is Op.ITE:
                    condition, then, otherwise = t.args
                    stack += [(then, (*path, condition)), (otherwise, (*path, not_(condition)))]
                    continue
                rise = sub(t, fluent) if up else sub(fluent, t)
                if rise.hi > 0 and FALSE not in path:
                    found.append(self._act(event, paid, [*needs, *path, ge(rise, 1)], rise))
        yield from _spread(found)

    def _act(self, event: Event, paid: int, needs: Sequence[Term], rise: Term | None = None) -> CostNode:
        return CostNode(None, NodeKind.EVENT, self._all(needs).parts, rise, event, paid)

    def _changing(self, fluent: Term, names: Set[str] = frozenset()) -> Iterator[_Change]:
        """Events that change a fluent, with what they need and the new value.

        Args:
            names: The members that are wanted of it: events with one of these as an argument come first.
        """
        tried: dict[Event, Schema] = {}
        for schema in (s for s in self._system.events if not s.viewed):
            for given in changing(schema, [fluent], self._where):
                for args in chain(*(self._some(schema, part) for part in _naming(schema, given, names))):
                    numbers = {p.name: min(p.values) for p in schema.parameters if p.term}
                    tried[schema.event({**numbers, **args})] = schema
        self.work += len(tried)
        for event, schema in tried.items():
            check_deadline()
            action = self._admits(schema, self._system.action(event))
            new = None if action is None else dict(action.effects).get(fluent)
            if action is not None and new is not None:
                needs = [r.term for r in action.requirements] + [fits(f, x) for f, x in action.effects]
                if FALSE not in needs:
                    yield event, price(schema), needs, new

    def _some(self, schema: Schema, given: Given) -> Iterable[dict[str, Value]]:
        """Some of the events of a kind, spread evenly over all."""
        return some_choices(schema, given, most=_BUILT)


def _spread(acts: Sequence[CostNode]) -> Iterator[CostNode]:
    """Of the events of each kind a few, spread evenly over all."""
    kinds: dict[str, list[CostNode]] = {}
    for act in acts:
        assert act.event is not None
        kinds.setdefault(act.event.name, []).append(act)
    for alike in kinds.values():
        yield from alike[:: max(1, len(alike) // _ALIKE)]


def _is_fact(n: CostNode) -> bool:
    """True if single events bring a node about."""
    if n.term is None:
        return n.kind is NodeKind.RISING
    return (n.term.args[0] if n.term.op is Op.NOT else n.term).op in (Op.VAR, Op.IN)


def _is_dead(n: CostNode, holds: Mapping[CostNode, bool]) -> bool:
    """True if one of all that a node takes is a fact that no event brings about."""
    needs = n.parts or () if n.kind in (NodeKind.ALL, NodeKind.EVENT) else ()
    return any(p.parts == () and not holds[p] for p, _, _ in needs)


def _naming(schema: Schema, given: Given, names: Set[str]) -> list[Given]:
    """Arguments of which some value is among some names; if no argument can be, defaults, then all."""
    free = [p for p in schema.parameters if not p.term and p.name not in given]
    named = [(p, [x for x in p.values if x in names]) for p in free] if names else []
    found: list[Given] = [{**given, p.name: some} for p, some in named if 0 < len(some) < len(p.values)]
    usual = {p.name: (p.default,) for p in free if p.default is not None}
    return found or ([{**given, **usual}, given] if usual else [given])
