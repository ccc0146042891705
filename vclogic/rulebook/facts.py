"""Facts that remember, as a text of rules declares them: their values, their start, and their changes."""

from __future__ import annotations

from vclogic.errors import did_you_mean, quoted
from vclogic.model.fluents import Family, Value
from vclogic.rulebook.names import Bindings, Names
from vclogic.rulebook.remembered import Change
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES, FALLS, Fact, Statement
from vclogic.terms import build
from vclogic.terms.atoms import constant, integer
from vclogic.terms.build import gt, lt
from vclogic.terms.domain import Domain
from vclogic.terms.names import BOOL, INT, Bound
from vclogic.terms.sorts import BOOL as TRUTH
from vclogic.terms.sorts import EnumSort, IntSort, Sort, between
from vclogic.terms.syntax import Node, Word
from vclogic.terms.term import Term


class Facts:
    """The facts of some texts.

    Args:
        names: What the texts can speak of; learns the facts.
    """

    def __init__(self, names: Names):
        self._names = names
        for source, statement, fact in names.each(Fact):
            with names.at(source, unknown=fact.name.text):
                self._declare(source, statement, fact)

    def _declare(self, source: RulesSource, statement: Statement, fact: Fact) -> None:
        self._names.new_name(source, fact.name)
        parameters = self._names.parameters(source, fact.parameters)
        sort, values = self._sort(source, fact)
        text = statement.text.partition(" rises ")[0].partition(" becomes ")[0].partition(" falls ")[0]
        indices = tuple(kind.domain for _, kind in parameters)
        least = fact.range[0] if fact.range else None
        family = Family(fact.name.text, sort, text, indices, values, least)
        self._names.families[fact.name.text] = family
        self._names.know(source, statement, fact.name.text, indices, lambda *names: family[names], values)

    def _sort(self, source: RulesSource, fact: Fact) -> tuple[Sort, Domain | None]:
        if fact.range is not None:
            return between(*fact.range), None
        if not fact.names:
            return TRUTH, None
        members: dict[str, None] = {}
        for word in fact.names:
            kind = self._names.kinds.get(word.text)
            members |= dict.fromkeys([word.text] if kind is None else kind.members)
        sort = EnumSort(f"value of {fact.name.text}", tuple(members))
        return sort, Domain(sort)

    def initial(self) -> dict[Term, Value]:
        """The value of each fact at the start."""
        found: dict[Term, Value] = {}
        for source, _, fact in self._names.each(Fact):
            family = self._names.families[fact.name.text]
            found |= dict.fromkeys(family.fluents.values(), _start(source, fact, family))
        return found

    def changes(self) -> list[Change]:
        """The changes of the facts."""
        found: list[Change] = []
        for source, _, fact in self._names.each(Fact):
            if fact.name.text in self._names.families:
                with self._names.at(source):
                    found += self._changes(source, fact)
        return found

    def _changes(self, source: RulesSource, fact: Fact) -> list[Change]:
        names, family = self._names, self._names.families[fact.name.text]
        parameters = names.parameters(source, fact.parameters)
        _start(source, fact, family)
        found: list[Change] = []
        for line in fact.changes:
            happening = names.happening(source, line.moment, line.at)
            for index, fluent in family.fluents.items():
                bound = {n: Bound(k, m) for (n, k), m in zip(parameters, index, strict=True)}
                value = self._value(source, family, fluent, line.kind, line.value, bound)
                condition = names.condition(source, line.condition, bound)
                repeated = line.kind == BECOMES
                found.append(Change(fluent, happening, condition.holds, value, repeated=repeated))
        return found

    def _value(
        self, source: RulesSource, family: Family, fluent: Term, kind: str, node: Node, bound: Bindings
    ) -> Term:
        """What a fact becomes, over the position in which it changes; a number stays within its range."""
        if kind == BECOMES and isinstance(node, Word) and family.values is not None:
            named = bound[node.text].member if node.text in bound else node.text
            member = family.values.find(named)
            if member is not None:
                return constant(family.sort, member)
            help = did_you_mean(named, family.values.sort.members)
            raise source.goal.error(node.at, f"{family.name} can never be {quoted(named)}", help, "wrong-value")
        found = self._names.resolved(source, node, bound)
        wanted = INT if isinstance(family.sort, IntSort) else BOOL
        if found.kind != wanted or (kind != BECOMES and wanted != INT):
            if wanted != INT and kind != BECOMES:
                message, help = (
                    f"{family.name} is true or false: it {kind} nothing",
                    "write becomes true, or becomes false",
                )
            else:
                message, help = f"{found}, and {family.name} {kind} {wanted}", None
            raise source.goal.error(node.at, message, help, "wrong-value")
        value = found.partial.value
        if kind != BECOMES:
            value = build.sub(fluent, value) if kind == FALLS else build.add(fluent, value)
        if not isinstance(family.sort, IntSort):
            return build.ite(found.partial.defined, value, fluent)
        low, high = family.sort.lo, family.sort.hi
        within = build.ite(lt(value, low), integer(low), build.ite(gt(value, high), integer(high), value))
        return build.ite(found.partial.defined, within, fluent)


def _start(source: RulesSource, fact: Fact, family: Family) -> Value:
    """The value of a fact at the start."""
    sort, word = family.sort, fact.starts
    if isinstance(sort, EnumSort):
        found = sort.members[0] if word is None else word.text
        if found in sort.index:
            return found
    elif isinstance(sort, IntSort):
        number = max(sort.lo, min(0, sort.hi)) if word is None else _whole(word.text)
        if number is not None and sort.lo <= number <= sort.hi:
            return number
    elif word is None or word.text in ("true", "false"):
        return word is not None and word.text == "true"
    assert word is not None, "what starts somewhere is said"
    known = did_you_mean(word.text, sort.members) if isinstance(sort, EnumSort) else "it is true or false"
    known = f"it lies between {sort.lo} and {sort.hi}" if isinstance(sort, IntSort) else known
    raise source.goal.error(word.at, f"{family.name} cannot start as {quoted(word.text)}", known, "wrong-value")


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
