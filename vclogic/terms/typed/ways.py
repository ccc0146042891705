"""`reaches` and `cheapest` in the typed form: ways over places, each of which costs something to enter.

A way enters places that qualify and may end in one where it has to stop. From a place it costs nothing to begin; from
a group a way begins by entering one of its places. What the board alone decides is found by Dijkstra's algorithm, for
each place where a way can begin; else there is a layer for each cost: reached for so much, or from a place that is
reached for less and is gone on from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from heapq import heappop, heappush

from vclogic.errors import InputError
from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.expressions.names import of_kind
from vclogic.terms.expressions.syntax import REACHES, Form, Word
from vclogic.terms.partial import Partial
from vclogic.terms.reach import reach
from vclogic.terms.term import Term
from vclogic.terms.typed.asked import Alternatives, ChangingName, alternatives
from vclogic.terms.typed.form import BOOL, INT, Copying, Env, Expression, Slot, Variable
from vclogic.terms.typed.looped import Group, Members
from vclogic.terms.vocabulary import CountedKind

MOST_COST = 300
"""So much a way may cost at most where what it meets changes in play."""
Failed = Callable[[str, str], InputError]
"""The error for what shows only as the expression is worked out: a message, and help."""
Entering = Mapping[str, tuple[tuple[str, Term, Term, Term], ...]]
"""For each place the ways into it: from where, when, at what cost, and whether a way stops there."""


@dataclass(frozen=True)
class End:
    """The end of a way: a place, or any place of a group.

    Attributes:
        place: The place; None: it is a group.
        named: The variable that is the group, where one is.
        group: The group.
    """

    place: Expression | None = None
    named: Expression | None = None
    group: Group | None = None

    @property
    def parts(self) -> list[Expression]:
        """The expressions in it."""
        return [e for e in (self.place, self.named) if e is not None]

    def with_parts(self, left: list[Expression]) -> End:
        """The same with other expressions, which are taken from a list."""
        place = left.pop(0) if self.place is not None else None
        return End(place, left.pop(0) if self.named is not None else None, self.group)

    def places(self, kind: CountedKind, env: Env, known: dict[int, tuple[tuple[str, int], ...]]) -> Alternatives:
        """The places, each with when it is that one."""
        if self.place is not None:
            return alternatives(kind.domain, self.place, env, known)
        assert self.group is not None, "it is a place or a group"
        among = self.group("" if self.named is None else str(self.named.of(env).value.value))
        return [(m, TRUE) for m in kind.members if m in among]


class Way(Expression):
    """`reaches` or `cheapest`.

    Args:
        node: The form.
        ends: Where ways begin, and where they lead.
        members: The variable of a place that is entered.
        last: The variable of the place before it; None: nothing speaks of it.
        said: What a way may cost, what it costs to enter a place, and whether it stops there; None: not said.
        failed: Makes an error.
    """

    def __init__(
        self,
        node: Form,
        ends: tuple[End, End],
        members: Members,
        last: Slot | None,
        said: tuple[Expression | None, Expression | None, Expression | None],
        failed: Failed,
    ):
        self._ends, self.members, self._last, self._failed = ends, members, last, failed
        self._within, self._cost, self._stop = said
        self._word = node.word
        within = [] if self._within is None else [self._within]
        super().__init__(node, BOOL if node.word == REACHES else INT, [*ends[0].parts, *ends[1].parts, *within])

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        left = list(parts)
        self._ends = self._ends[0].with_parts(left), self._ends[1].with_parts(left)
        self._within = left.pop(0) if self._within is not None else None
        inside = [e for e in (self._cost, self._stop) if e is not None]
        self.fixed = self.fixed and self.members.fixed and all(e.fixed for e in inside)
        self.own = frozenset({self.members.slot.place, *(() if self._last is None else (self._last.place,))})
        self._others = tuple(self.members.slots.union(*(e.slots for e in inside)) - self.own)
        self.slots |= frozenset(self._others)
        self._named: tuple[dict[int, tuple[tuple[str, int], ...]], ...] = ({}, {})
        self._known_places: dict[tuple[int, Term, Term], tuple[Alternatives, Term]] = {}
        self._ways: dict[tuple[str, ...], Entering] = {}
        self._far: dict[tuple[object, ...], Mapping[str, int]] = {}
        self._layers: dict[tuple[object, ...], list[Mapping[str, Term]]] = {}

    def below(self) -> Iterable[Expression]:
        """Its ends, and the conditions on the places that are entered."""
        said = (*self.parts, *self.members.below, self._cost, self._stop)
        return [e for e in said if e is not None]

    # ---- its value

    def of(self, env: Env) -> Partial:
        """Its value."""
        begins, begun = self._places(0, env)
        leads, led = self._places(1, env)
        there = build.and_(begun, led)
        costs = self._costs(env, begins, leads)
        if self._word == REACHES:
            assert self._within is not None, "it is said"
            most = self._within.of(env)
            found = build.any_of(build.and_(when, build.ge(most.value, n)) for n, when in costs)
            return Partial(found, build.and_(there, most.defined))
        least: Term = integer(0)
        for n, when in reversed(costs):
            least = build.ite(when, integer(n), least)
        return Partial(least, build.any_of(when for _, when in costs))

    def _places(self, end: int, env: Env) -> tuple[Alternatives, Term]:
        """The places at an end, and Bool: whether it is any of them; worked out once for a value that changes."""
        found = self._ends[end].places(self.members.slot.kind, env, self._named[end])
        if not isinstance(found, ChangingName):
            return found, build.any_of(w for _, w in found)
        key = end, found.partial.value, found.partial.defined
        if key not in self._known_places:
            each = tuple(found)
            self._known_places[key] = each, build.any_of(w for _, w in each)
        return self._known_places[key]

    def _costs(self, env: Env, begins: Alternatives, leads: Alternatives) -> list[tuple[int, Term]]:
        """The possible costs of a way, the least first, each with when there is one for so much."""
        key = tuple([env[p] for p in self._others])
        entering = self._ways.get(key)
        if entering is None:
            entering = self._ways[key] = self._entering(env)
        if all(w.is_const and c.is_const and s.is_const for ways in entering.values() for _, w, c, s in ways):
            return self._by_board(key, entering, begins, leads)
        first = key, *begins
        layers = self._layers.setdefault(first, [])
        most = self._most(env, entering)
        while len(layers) <= most:
            layers.append(self._layer(entering, begins, layers))
        found = []
        for n, layer in enumerate(layers[: most + 1]):
            found.append((n, build.any_of(build.and_(when, layer.get(place, FALSE)) for place, when in leads)))
        return [(n, when) for n, when in found if when is not FALSE]

    def _most(self, env: Env, entering: Entering) -> int:
        """The most that a way can cost that may count."""
        if self._within is not None:
            most = self._within.of(env).value.hi
        else:
            most = sum(max((c.hi for _, w, c, _ in ways if w is not FALSE), default=0) for ways in entering.values())
        if most > MOST_COST:
            help = f"write reaches(A, B within NUMBER through ...), with a number up to {MOST_COST}, or lower costs"
            raise self._failed(f"a way may cost more than {MOST_COST} here, and what it meets changes in play", help)
        return int(most)

    @property
    def reaches(self) -> bool:
        """True if it asks for a way within a cost."""
        return self._word == REACHES

    def route(self, env: Env, value: Callable[[Term], object]) -> tuple[str, ...]:
        """The places that a cheapest way leads through where all facts are known, its ends left out.

        Of ways that cost the same it is a shortest one.

        Args:
            env: The values of the variables.
            value: The value of a term.
        """
        kind = self.members.slot.kind
        begins, leads = (
            [p for p, when in end.places(kind, env, known) if value(when)]
            for end, known in zip(self._ends, self._named, strict=True)
        )
        ways = {p: [(w[0], w[2], w[3]) for w in into if value(w[1])] for p, into in self._entering(env).items()}
        graph, done = kind.graph, set[str]()
        queue: list[tuple[int, int, tuple[str, ...], bool]] = [(0, 0, (p,), False) for p in begins]
        while queue:
            paid, length, route, stops = heappop(queue)
            here = route[-1]
            if here in leads:
                return route[1:-1]
            if here in done or stops:
                continue
            done.add(here)
            for place in (graph.nodes[i] for i in graph.successors[graph.index[here]]):
                for before, cost, stop in ways[place]:
                    if before in (here, ""):
                        dearer = paid + int(str(value(cost)))
                        heappush(queue, (dearer, length + 1, (*route, place), bool(value(stop))))
        return ()

    # ---- the ways into each place

    def _entering(self, env: Env) -> Entering:
        kind, place = self.members.slot.kind, self.members.slot.place
        graph, found = kind.graph, {}
        for i, name in enumerate(graph.nodes):
            near = [graph.nodes[j] for j in graph.predecessors[i]] if self._last is not None else [""]
            ways = []
            for before in near:
                if self._last is not None:
                    env[self._last.place] = before
                env[place] = name
                when = self._qualifies(env, name)
                if when is FALSE:
                    continue
                env[place] = name
                cost = Partial(integer(1)) if self._cost is None else self._cost.of(env)
                env[place] = name
                stop = FALSE if self._stop is None else self._stop.holds(env)
                if cost.value.lo < 0:
                    raise self._failed("a place may cost less than nothing here", "let it cost 0 or more")
                ways.append((before, build.and_(when, cost.defined), cost.value, stop))
            found[name] = tuple(ways)
        return found

    def _qualifies(self, env: Env, name: str) -> Term:
        """When a place may be entered."""
        members, kind = self.members, self.members.slot.kind
        if (
            not members.allowed([str(e.of(env).value.value) for e in members.named]) >> kind.domain.sort.index[name]
            & 1
        ):
            return FALSE
        members.worked()
        found = []
        for part in members.where:
            env[members.slot.place] = name
            found.append(part.holds(env))
        return build.all_of(found)

    # ---- what the board alone decides

    def _by_board(
        self, key: tuple[str, ...], entering: Entering, begins: Alternatives, leads: Alternatives
    ) -> list[tuple[int, Term]]:
        each: dict[int, list[Term]] = {}
        if self._ends[0].place is None:
            starts = [(frozenset(name for name, _ in begins), TRUE)]
        else:
            starts = [(frozenset({name}), when) for name, when in begins]
        for names, when in starts:
            far = self._far.get((key, names))
            if far is None:
                far = self._far[key, names] = self._dijkstra(entering, names)
            for place, that in leads:
                if place in far:
                    each.setdefault(far[place], []).append(build.and_(when, that))
        return [(n, build.any_of(each[n])) for n in sorted(each)]

    def _dijkstra(self, entering: Entering, begins: frozenset[str]) -> Mapping[str, int]:
        """The least cost to each place, by Dijkstra's algorithm."""
        graph = self.members.slot.kind.graph
        enters = self._ends[0].place is None
        into = {name: [w for w in ways if w[1] is TRUE] for name, ways in entering.items()}
        far: dict[str, int] = {}
        queue: list[tuple[int, str, bool]] = [] if enters else [(0, name, False) for name in sorted(begins)]
        for name in begins if enters else ():
            for _, _, cost, stop in into[name]:
                heappush(queue, (cost.lo, name, stop is TRUE))
        gone: set[str] = set()
        while queue:
            paid, here, stops = heappop(queue)
            far.setdefault(here, paid)
            if here in gone or stops:
                continue
            gone.add(here)
            for i in graph.successors[graph.index[here]]:
                place = graph.nodes[i]
                for before, _, cost, stop in into[place]:
                    if before in ("", here):
                        heappush(queue, (paid + cost.lo, place, stop is TRUE))
        return far

    # ---- what changes in play

    def _layer(
        self, entering: Entering, begins: Alternatives, before: list[Mapping[str, Term]]
    ) -> Mapping[str, Term]:
        """When each place is reached for so much as the next layer's number; those before it are given.

        What can be gone on from is kept beside, under the place's name with a sign before it.
        """
        kind, n = self.members.slot.kind, len(before)
        graph, enters = kind.graph, self._ends[0].place is None
        starts = dict(begins)
        reached: dict[str, Term] = {}
        going: dict[str, Term] = {}
        free: dict[str, Term] = {}
        for i, name in enumerate(graph.nodes):
            came, on = [], []
            if n:
                came.append(before[-1].get(name, FALSE))
                on.append(before[-1].get(_ON + name, FALSE))
            elif not enters and name in starts:
                came.append(starts[name])
                on.append(starts[name])
            zero = []
            for place, when, cost, stop in entering[name]:
                near = [place] if place else [graph.nodes[j] for j in graph.predecessors[i]]
                for paid in range(max(1, cost.lo), min(n, cost.hi) + 1):
                    some = build.any_of(before[n - paid].get(_ON + p, FALSE) for p in near)
                    now = build.all_of((when, build.eq(cost, paid), some))
                    came.append(now)
                    on.append(build.and_(now, build.not_(stop)))
                if enters and name in starts:
                    now = build.all_of((starts[name], when, build.eq(cost, n)))
                    came.append(now)
                    on.append(build.and_(now, build.not_(stop)))
                if cost.lo <= 0:
                    zero.append((place, build.and_(when, build.eq(cost, 0)), stop))
            reached[name], going[name] = build.any_of(came), build.any_of(on)
            if zero:
                if zero[0][0]:
                    help = "let it cost 1 or more, or let it depend on the place that is entered alone"
                    raise self._failed("what it costs may be 0 here, and depends on where one comes from", help)
                free[name] = zero[0][1]
        if any(t is not FALSE for t in free.values()):
            stops = {name: entering[name][0][3] if entering[name] else FALSE for name in graph.nodes}
            passing = {p: build.and_(t, build.not_(stops[p])) for p, t in free.items()}
            going = reach(graph, going, passing)
            for i, name in enumerate(graph.nodes):
                beside = build.any_of(going[graph.nodes[j]] for j in graph.predecessors[i])
                reached[name] = build.any_of((reached[name], going[name], build.and_(free.get(name, FALSE), beside)))
        found = {p: t for p, t in reached.items() if t is not FALSE}
        return found | {_ON + p: t for p, t in going.items() if t is not FALSE}

    # ---- copies

    def copy(self, copying: Copying) -> Expression:
        """A copy."""
        made = copy(self)
        made.members = self.members.copy(copying)
        if self._last is not None:
            made._last = copying.new_slot(self._last.kind)
            variable = Variable(Word(made._last.kind.name, 0), of_kind(made._last.domain.sort.name), made._last)
            copying.slots[self._last.place] = variable
            made.members = self.members.copy(copying)
        made._cost = None if self._cost is None else copying.of(self._cost)
        made._stop = None if self._stop is None else copying.of(self._stop)
        made._take(tuple(map(copying.of, self.parts)))
        return made


_ON = "\0"
