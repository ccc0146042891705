"""Calls of the goal language: which function a name stands for, and what is wrong with its arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import permutations

from vclogic.errors import did_you_mean, quoted
from vclogic.terms import atoms
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.names import NameLookup, names_needed, of_kind, written_name
from vclogic.terms.expressions.syntax import Call, Node, Word
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.typed.asked import Asked, spelled
from vclogic.terms.typed.form import BOOL, INT, UNKNOWN, Constant, Expression, Slot, Variable
from vclogic.terms.vocabulary import FixedFunction, Function

_MOST_SWAPPED = 4


class Calls:
    """The calls of one text.

    Args:
        names: Looks names up.
        resolved: Resolves any node.
    """

    def __init__(self, names: NameLookup, resolved: Callable[[Node], Expression]):
        self._names = names
        self._resolved = resolved

    def resolve(self, node: Call) -> Expression:
        """Resolve a call of an observable or a property."""
        names = self._names
        function = names.vocabulary.get(node.text) or self._property(node)
        if function is None:
            names.unknown(node)
            return Constant(node, UNKNOWN)
        return self.asked(node, function)

    def asked(self, node: Call, function: Function) -> Expression:
        """Resolve a call of a function."""
        names, values = self._names, function.values
        node = self._with_calls(node, function)
        failed = Constant(node, of_kind(values.sort.name) if values else UNKNOWN, values=values)
        for name, _ in node.named:
            help = f"`=` stands in events alone: happens(EVENT, {name.text}=...)"
            names.report(name.at, "arguments", f"{node.text} takes names without `=`", help)
        if len(function.parameters) != len(node.arguments) + len(node.named):
            self._miscounted(node, function)
            return failed
        if node.named or self._misnamed(node, function):
            return failed
        each = [self.argument(d, a) for d, a in zip(function.parameters, node.arguments, strict=True)]
        found = [argument for argument in each if argument is not None]
        if len(found) != len(each):
            return failed
        known = None
        if node.text in names.vocabulary and (names.recorded or spelled(function) is None):
            known = names.values.setdefault(node.text, {})
        return Asked(node, function, found, self._like(function, found, known), known)

    def among(self, node: Node, part: Node, group: Call) -> Expression:
        """Resolve `NAME in PROPERTY(MEMBER)`: whether a name is among the values of a property that has several."""
        names, failed = self._names, Constant(node, BOOL)
        relation = next((k.relations[group.text] for k in names.kinds.values() if group.text in k.relations), None)
        if relation is None:
            known = dict.fromkeys(name for k in names.kinds.values() for name in k.relations)
            help = did_you_mean(group.text, known) or "write NAME in GROUP, or column NAME(KIND): several KIND"
            names.report(group.at, "unknown-name", f"{quoted(group.text)} is no column with several values", help)
            return failed
        if len(group.arguments) != 1:
            self._miscounted(group, relation, relation.parameters[:1])
            return failed
        if isinstance(part, Word | Call):
            found = self.argument(relation.among, part)
        else:
            found = self._worth(relation.among, self._resolved(part))
        of = self.argument(relation.domain, group.arguments[0])
        if found is None or of is None:
            return failed
        return Asked(node, relation, [of, found], (BOOL, None, True), None)

    def _like(
        self, function: Function, arguments: list[Expression], known: dict[tuple[str, ...], Partial] | None
    ) -> tuple[str, Domain | None, bool]:
        """The kind of a function's values, the names that they can be, and whether the board alone decides them."""
        meaning = spelled(function)
        if meaning is not None:
            like = meaning.like()
            return like.kind, like.values, meaning.fixed
        fixed, values = isinstance(function, FixedFunction), function.values
        if values is not None and function.parameters:
            return of_kind(values.sort.name), values, fixed
        pairs = zip(function.parameters, arguments, strict=True)
        given = [d.find(str(a.partial.value.value)) if isinstance(a, Constant) else None for d, a in pairs]
        names = tuple(n or d.sort.members[0] for n, d in zip(given, function.parameters, strict=True))
        some = function.partial(*names)
        if known is not None and None not in given:
            known.setdefault(names, some)
        sort, fixed = some.value.sort, fixed or (not names and some.value.is_const and some.defined.is_const)
        if isinstance(sort, EnumSort):
            return of_kind(sort.name), values or Domain(sort), fixed
        return BOOL if isinstance(sort, BoolSort) else INT, None, fixed

    def _with_calls(self, node: Call, function: Function) -> Call:
        """A call of which arguments that are observables asked of nothing, such as `turn`, are calls too."""
        if len(node.arguments) != len(function.parameters):
            return node
        pairs = zip(function.parameters, node.arguments, strict=True)
        arguments = tuple(self._as_call(a) if d.find(a.text) is None else a for d, a in pairs)
        return node if arguments == node.arguments else replace(node, arguments=arguments)

    def _as_call(self, node: Word | Call) -> Word | Call:
        function = self._names.vocabulary.get(node.text) if isinstance(node, Word) else None
        if function is None or function.parameters or node.text in self._names.scope:
            return node
        return Call(node.text, (), node.at)

    def _property(self, node: Call) -> Function | None:
        """The property of members, or of two of them, that a call asks for."""
        some = [k.functions[node.text] for k in self._names.kinds.values() if node.text in k.functions]
        fitting = (f for f in some if node.arguments and self._fits(f.parameters[0], node.arguments[0]))
        return next(fitting, some[0] if some else None)

    def _fits(self, domain: Domain, node: Word | Call) -> bool:
        node = self._as_call(node) if domain.find(node.text) is None else node
        if isinstance(node, Call):
            values = self._resolved(node).values
            return values is not None and shared(domain, values.sort.members)
        slot = self._names.scope.get(node.text)
        return domain.find(node.text) is not None if slot is None else shared(domain, slot.domain.sort.members)

    # ---- mistakes in the number and the order of arguments

    def _miscounted(self, node: Call, function: Function, parameters: Sequence[Domain] | None = None) -> None:
        parameters = function.parameters if parameters is None else parameters
        kinds = [d.sort.name for d in parameters]
        self._names.check_hexes(node.arguments, self._names.domains)
        message = f"{node.text} needs {names_needed(len(kinds))} in parentheses, not {len(node.arguments)}"
        some = ", ".join(written_name(d.sort.members[0]) for d in parameters)
        such = f"write {node.text}({', '.join(kinds)}), such as {node.text}({some})"
        self._names.report(node.at, "arguments", message, such if kinds else f"write {node.text} alone")

    def _misnamed(self, node: Call, function: Function) -> bool:
        """True if the names are in the wrong order, which is one fault, not one for each name."""
        names, kinds = self._names, function.parameters
        words = [a for a in node.arguments if isinstance(a, Word) and a.text not in names.scope]
        if all(d.find(a.text) is not None for d, a in zip(kinds, node.arguments, strict=True) if a in words):
            return False
        names.check_hexes(words, kinds)
        if len(words) < len(kinds) or len(kinds) > _MOST_SWAPPED:
            return False
        for some in permutations(words):
            if all(d.find(w.text) is not None for d, w in zip(kinds, some, strict=True)):
                help = f"write {node.text}({', '.join(written_name(w.text) for w in some)})"
                message = "the names in the parentheses stand in the wrong order"
                names.report(words[0].at, "arguments", message, help)
                return True
        return False

    # ---- arguments

    def argument(self, domain: Domain, node: Word | Call) -> Expression | None:
        """An argument that can be a name of a domain; None, with a report, where it never can."""
        node = self._as_call(node) if domain.find(node.text) is None else node
        if isinstance(node, Call):
            return self._worth(domain, self._resolved(node))
        slot = self._names.scope.get(node.text)
        if slot is None:
            name = self._names.member(domain, node)
            if name is None:
                return None
            return Constant(node, of_kind(domain.sort.name), Partial(atoms.member(domain.sort, name)), domain)
        if self._names.of_several(node, domain):
            return None
        if not shared(domain, slot.domain.sort.members):
            message = f"{node.text} is {of_kind(slot.kind.name)}, not {of_kind(domain.sort.name)}"
            self._names.report(node.at, "wrong-kind", message, self._names.kinds_like(domain))
            return None
        return variable(node, slot)

    def _worth(self, domain: Domain, typed: Expression) -> Expression | None:
        if typed.kind == UNKNOWN:
            return None
        if typed.values is None or not shared(domain, typed.values.sort.members):
            self._names.report(typed.node.at, "wrong-kind", f"{typed}, not {of_kind(domain.sort.name)}")
            return None
        return typed


def variable(word: Word, slot: Slot) -> Variable:
    """A variable as a value."""
    return Variable(word, INT if slot.kind.numbers else of_kind(slot.domain.sort.name), slot)


def shared(domain: Domain, members: Collection[str]) -> bool:
    """True if names are of a domain: some are its own, or most are other names for its members.

    A place is a hex that it names. But a few territories that are called as a power is are no powers.
    """
    if any(m in domain.sort.index for m in members):
        return True
    other = sum(domain.find(m) is not None or m in domain.groups for m in members)
    return 2 * other >= len(members) > 0
