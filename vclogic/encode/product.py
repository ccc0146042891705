"""The synchronous product of two rule sets: both take every step, and fluents that cannot differ are shared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Family, State, Value
from vclogic.model.rules import Rule
from vclogic.model.system import Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import all_of, and_, any_of, is_in, ne, not_, or_, xor
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term, conjuncts, variables

STEPS = "steps"
"""The metric of a product's steps."""
_FEW = 2  # facts
_MARK = " (B)"


PARTED = Family("parted", BOOL, "the last step left the two with different values of what both show")


@dataclass(frozen=True)
class ActionPair:
    """The action of each rule set for one event.

    Attributes:
        a: The first one's action.
        b: The second one's.
    """

    a: Action
    b: Action

    def news(self, b: Substitution) -> Mapping[Term, tuple[Term, Term]]:
        """Both new values of each fluent to which the actions may give different ones.

        Args:
            b: Translates the second rule set's terms to the product's fluents.
        """
        of_a, of_b = dict(self.a.effects), dict(self.b.effects)
        new = {f: (of_a.get(f, f), b(of_b.get(f, f))) for f in {**of_a, **of_b}}
        return {f: pair for f, pair in new.items() if pair[0] is not pair[1]}


@dataclass(frozen=True)
class Product:
    """Two systems that take every step together.

    Both share their fluents as long as these have the same value in both. The product ends once a step gives a
    visible fluent two different values: the systems have parted. Fluents that may differ without being visible are
    kept twice, and so are those that only the second system has.

    Attributes:
        a: The first system.
        b: The second one.
        pairs: The events that both systems have.
        copies: The second system's own copy of each fluent that may differ without being visible.
    """

    a: System
    b: System
    pairs: tuple[ActionPair, ...]
    copies: Mapping[Term, Term]

    @staticmethod
    def of(
        a: System, b: System, start_a: State, start_b: State, pairs: Sequence[ActionPair], shown: Set[Term]
    ) -> Product:
        """The product of two systems, from a state of each.

        Args:
            a: The first system.
            b: The second one.
            start_a: Where the first one starts.
            start_b: Where the second one does.
            pairs: The events that both systems have.
            shown: The visible fluents; at the start they are equal in both.
        """
        values_a, values_b = a.layout.values(start_a), b.layout.values(start_b)
        as_is = Substitution({})
        apart = {f for f, x in values_b.items() if f not in values_a or values_a[f] != x}
        apart |= {f for pair in pairs for f in pair.news(as_is) if f in values_b}
        apart = _spread(apart - shown, pairs, shown)
        return Product(a, b, tuple(pairs), {f: _copy(f) for f in b.layout.fluents if f in apart})

    @cached_property
    def of_b(self) -> Substitution:
        """Translates terms of the second system to the product's fluents."""
        return Substitution(self.copies)

    @property
    def families(self) -> tuple[Family, ...]:
        """All fluents: the first system's, the second one's copies, and whether the systems have parted."""
        return (*self.a.families, *self._doubled, PARTED)

    @property
    def _doubled(self) -> tuple[Family, ...]:
        doubled = [f for f in self.b.families if any(x in self.copies for x in f.fluents.values())]
        return tuple(replace(f, name=f.name + _MARK) for f in doubled)

    def values(self, state_a: State, state_b: State) -> dict[Term, Value]:
        """The value of each fluent of the product."""
        values, values_b = dict(self.a.layout.values(state_a)), self.b.layout.values(state_b)
        for family in self._doubled:
            original = self.b.layout.families[family.name.removesuffix(_MARK)].fluents
            values |= {copy: values_b[original[i]] for i, copy in family.fluents.items()}
        return {**values, PARTED.fluent: False}

    def parted(self, pair: ActionPair) -> Term:
        """A Bool term: an event of both gives a visible fluent two different values.

        A fluent that only the first system has cannot differ: what is shown of it does.
        """
        both = {f: news for f, news in pair.news(self.of_b).items() if f in self.b.layout.slot}
        return any_of(differ(x, y) for f, (x, y) in both.items() if f not in self.copies)

    def action(self, pair: ActionPair) -> Action:
        """An event of both as one action over the product's fluents, at a cost of 1."""
        needs = (*pair.a.requirements, *(replace(r, term=self.of_b(r.term)) for r in pair.b.requirements))
        effects = dict(pair.a.effects)
        effects |= {self.copies[f]: self.of_b(new) for f, new in pair.b.effects if f in self.copies}
        parted = self.parted(pair)
        if parted is not FALSE:
            effects[PARTED.fluent] = parted
        return replace(pair.a, requirements=_once(needs), effects=tuple(effects.items()), costs={STEPS: 1})

    def _bearing(self, goal: Term) -> list[Action]:
        """The relevant events: those that change a fluent which the goal or another relevant event reads."""
        queue = {j.a.key: self.action(j) for j in self.pairs}
        needed = set(variables(goal))
        found: list[Action] = []
        while more := [a for a in queue.values() if any(f in needed for f, _ in a.effects)]:
            for action in more:
                del queue[action.key]
                needed.update(variables(action.guard, *(new for f, new in action.effects if f in needed)))
            found += more
        return found

    def system(self, start_a: State, start_b: State, goal: Term) -> System:
        """Both as one system with one metric, its steps: at most one event each, which both must allow.

        Args:
            start_a: Where the first one starts.
            start_b: Where the second one does.
            goal: The goal; events that are irrelevant to it are left out.
        """
        transition = one_at_a_time(self._bearing(goal), STEPS)
        metric = Metric(
            STEPS,
            "step",
            "",
            "what happens",
            lambda side, opponent, start: transition,
            lambda side, opponent: (),
            events=tuple(dict.fromkeys(j.a.name for j in self.pairs)),
        )
        return replace(
            self.a,
            families=self.families,
            initial=self.values(start_a, start_b),
            invariants=self.invariants,
            metrics=(metric,),
            _instances={},
        )

    @property
    def invariants(self) -> tuple[Rule, ...]:
        """The invariants of both systems."""
        return self._of_both(self.a.invariants, self.b.invariants)

    @property
    def laws(self) -> tuple[Rule, ...]:
        """All laws of well-formed positions of both systems."""
        return self._of_both(self.a.laws, self.b.laws)

    def _of_both(self, a: Iterable[Rule], b: Iterable[Rule]) -> tuple[Rule, ...]:
        laws = {self.of_b(r.kept): r for r in b} | {r.kept: r for r in a}
        return tuple(Rule(r.name, t, r.text, r.cites) for t, r in laws.items())


def differ(a: Term, b: Term) -> Term:
    """A Bool term: two terms have different values; Enum terms are compared by their members' names."""
    if a is b:
        return FALSE
    if isinstance(a.sort, EnumSort) and isinstance(b.sort, EnumSort):
        if a.sort == b.sort:
            return ne(a, b)
        both = [m for m in a.sort.members if m in b.sort.index]
        return not_(any_of(and_(is_in(a, [m]), is_in(b, [m])) for m in both))
    return ne(a, b)


def disagree(a: Partial, b: Partial) -> Term:
    """A Bool term: two values differ, or only one of them is defined."""
    return or_(xor(a.defined, b.defined), and_(a.defined, b.defined, differ(a.value, b.value)))


def outline(a: Partial, b: Partial) -> Term:
    """A cheap term that is implied by the difference of two values.

    Of the conjuncts that both share, only those that read few fluents are kept.
    """
    if not a.value.is_bool or a.defined is not b.defined:
        return disagree(a, b)
    parts_a, parts_b = conjuncts(a.value), conjuncts(b.value)
    alike = [t for t in parts_a if t in parts_b]
    only_a, only_b = (all_of(t for t in parts if t not in alike) for parts in (parts_a, parts_b))
    return all_of([xor(only_a, only_b), *(t for t in alike if len(variables(t)) <= _FEW)])


def _spread(apart: Set[Term], pairs: Iterable[ActionPair], shown: Set[Term]) -> set[Term]:
    """The fluents that may differ without being visible, including those whose new value depends on one."""
    readers: dict[Term, set[Term]] = {}
    for pair in pairs:
        for fluent, new in pair.b.effects:
            for v in variables(new):
                if v is not fluent:
                    readers.setdefault(v, set()).add(fluent)
    found, queue = set(apart), list(apart)
    while queue:
        fresh = readers.get(queue.pop(), set()) - found - shown
        found |= fresh
        queue += fresh
    return found


def _copy(fluent: Term) -> Term:
    family, bracket, index = fluent.name.partition("[")
    return var(f"{family}{_MARK}{bracket}{index}", fluent.sort, mask=fluent.mask)


def _once(needs: Sequence[Requirement]) -> tuple[Requirement, ...]:
    """The requirements without repetitions of the same term."""
    return tuple({r.term: r for r in reversed(needs)}.values())[::-1]
