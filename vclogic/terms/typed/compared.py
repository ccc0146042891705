"""Comparisons of the typed form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic.terms import atoms, build
from vclogic.terms.atoms import FALSE, TRUE, boolean, in_var
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.named import SharedNames
from vclogic.terms.expressions.syntax import Operation
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, Sort
from vclogic.terms.term import Op, Term
from vclogic.terms.typed.form import BOOL, Cased, Env, Expression, Slot, cases_of

EQUALITIES: dict[str, Callable[[Term, Term], Term]] = {"==": build.eq, "!=": build.ne}
TESTS = {**EQUALITIES, "<": build.lt, "<=": build.le, ">": build.gt, ">=": build.ge}


class ComparisonExpression(Expression):
    """A comparison; false where one of its values is undefined.

    Args:
        node: The operation.
        a: Its left side.
        b: Its right side.
    """

    def __init__(self, node: Operation, a: Expression, b: Expression):
        self.operator = node.operators[0]
        super().__init__(node, BOOL, (a, b))

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        a, b = parts
        sorts = a.values and a.values.sort, b.values and b.values.sort
        self.strange = sorts[0] is not None and sorts[1] is not None and sorts[0] != sorts[1]
        self._names_of_both: SharedNames | None = None
        self._alikes: dict[tuple[Term, Term, int], Partial] = {}
        self._masks: dict[Term, tuple[Sort, int | None]] = {}
        self._names: dict[int, tuple[Mapping[Term | None, int], dict[str, int]]] = {}

    def holds(self, env: Env) -> Term:
        """When it is defined and true."""
        a, b = self.parts
        x, y = a.of(env), b.of(env)
        if x.defined is FALSE or y.defined is FALSE:
            return FALSE
        if x.defined is y.defined is TRUE and y.value.op is Op.CONST and x.value.op is Op.VAR:
            mask = self._mask_of(y, x.value.sort)
            if mask is not None:
                return in_var(x.value, mask)
        if self.strange:
            x, y = self._alike(x, y)
        if not isinstance(x, Cased) and not isinstance(y, Cased):
            found = self._tested(x.value, y.value)
            if x.defined is TRUE and y.defined is TRUE:
                return found
            return build.all_of((x.defined, y.defined, found))
        # A value in cases is compared in each: comparing it with all of them at once is harder to decide.
        return build.any_of(
            build.all_of((when, other, p.defined, q.defined, self._tested(p.value, q.value)))
            for when, p in cases_of(x)
            for other, q in cases_of(y)
        )

    def _mask_of(self, name: Partial, sort: Sort) -> int | None:
        """The names of a sort for which it holds beside a constant on the right; None: that is none of the sort."""
        known = self._masks.get(name.value)
        if known is None or known[0] is not sort:
            domain = self.parts[0].values if self.strange else None
            value = (name if domain is None else self._as_one_of(name, domain)).value
            same = value.mask if value.sort == sort and value.mask and self.operator in EQUALITIES else None
            mask = same if same is None or self.operator == "==" else ~same
            known = self._masks[name.value] = sort, mask
        return known[1]

    def _tested(self, a: Term, b: Term) -> Term:
        if a.op is Op.CONST and b.op is Op.CONST:
            return boolean(self._constant(a, b))
        if a.sort is not b.sort and a.sort != b.sort and isinstance(a.sort, EnumSort):
            a_kind, b_kind = (p.values.sort if p.values else None for p in self.parts)
            # A name that the other side can never be equals nothing there.
            same = self._shared.equal(a, b) if (a.sort, b.sort) == (a_kind, b_kind) else FALSE
            return same if self.operator == "==" else build.not_(same)
        return TESTS[self.operator](a, b)

    def _constant(self, a: Term, b: Term) -> bool:
        """True if it holds of two constants."""
        operator = self.operator
        if operator in EQUALITIES:
            return (a is b) == (operator == "==")
        if operator in ("<", "<="):
            return a.lo < b.lo or (operator == "<=" and a.lo == b.lo)
        return a.lo > b.lo or (operator == ">=" and a.lo == b.lo)

    def _alike(self, x: Partial, y: Partial) -> tuple[Partial, Partial]:
        """Two names, a constant as one of those that the other can be."""
        a, b = (p.values for p in self.parts)
        assert a is not None, "both are names"
        assert b is not None, "both are names"
        if x.value.op is Op.CONST:
            return self._as_one_of(x, b), y
        if y.value.op is Op.CONST:
            return x, self._as_one_of(y, a)
        return x, y

    @property
    def _shared(self) -> SharedNames:
        """The names that both sides can be."""
        if self._names_of_both is None:
            a, b = (p.values for p in self.parts)
            assert a is not None, "both are names"
            assert b is not None, "both are names"
            self._names_of_both = SharedNames(a, b)
        return self._names_of_both

    def _as_one_of(self, name: Partial, domain: Domain) -> Partial:
        """A name as one of those of a domain, where it is one of them."""
        key = name.value, name.defined, id(domain)
        known = self._alikes.get(key)
        if known is None:
            found = domain.find(str(name.value.value))
            known = name if found is None else Partial(atoms.member(domain.sort, found), name.defined)
            self._alikes[key] = known
        return known

    # ---- for all that a variable can stand for

    def _sides(self, over: Slot) -> tuple[Expression, Expression] | None:
        """The side that speaks of a variable, and the other; None: both do, or none does."""
        a, b = self.parts
        if (over.place in a.slots) == (over.place in b.slots):
            return None
        return (a, b) if over.place in a.slots else (b, a)

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        if over.place not in self.slots:
            return True
        sides = self._sides(over)
        if sides is None or not self.fixed:
            return False
        return sides[0].tabled(over)

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        sides = self._sides(over)
        if sides is None or not self.indexed(over):
            return super().mask(over, env)
        grouped, other = sides
        y = other.of(env)
        if y.defined is FALSE:
            return 0
        groups = grouped.groups(over, env)
        if self.operator in EQUALITIES and (not self.strange or not self._aliases):
            if self.strange:
                name = str(y.value.value)
                found = self._by_name(over, groups).get(name, 0)
            else:
                found = groups.get(y.value, 0)
            return found if self.operator == "==" else over.full & ~found & ~groups.get(None, 0)
        found = 0
        for value, members in groups.items():
            if value is not None:
                p, q = (value, y.value) if grouped is self.parts[0] else (y.value, value)
                if self.strange:
                    p, q = (t.value for t in self._alike(Partial(p), Partial(q)))
                if self._constant(p, q):
                    found |= members
        return found

    @property
    def _aliases(self) -> bool:
        return any(p.values is not None and bool(p.values.aliases) for p in self.parts)

    def _by_name(self, over: Slot, groups: Mapping[Term | None, int]) -> Mapping[str, int]:
        kept = self._names.get(over.place)
        if kept is None or kept[0] is not groups:
            kept = self._names[over.place] = groups, {str(v.value): m for v, m in groups.items() if v is not None}
        return kept[1]
