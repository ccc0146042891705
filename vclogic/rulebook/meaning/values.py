"""Values that lines give to facts: what a fact becomes, by how much it changes, or what it starts as."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic.errors import did_you_mean, quoted
from vclogic.model.fluents import Family
from vclogic.rulebook.meaning.names import Bindings, TextNames
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.expressions.line import Line as TypedLine
from vclogic.terms.expressions.named import as_one_of
from vclogic.terms.expressions.syntax import Node, Word, in_braces
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.typed.form import BOOL, INT, Constant
from vclogic.terms.vocabulary import CountedKind


def value_of(
    names: TextNames, source: RulesSource, family: Family, kind: str, node: Node, bound: Bindings
) -> Partial:
    """The value that a fact becomes, or by which it changes.

    Args:
        names: What the texts can speak of.
        source: The text.
        family: The fact.
        kind: `becomes`, `rises by` or `falls by`.
        node: The value.
        bound: The variables.

    Raises:
        InputError: It is no value that the fact can have.
    """
    return valued(names, source, family, kind, node, {name: b.kind for name, b in bound.items()})(bound)


def valued(
    names: TextNames, source: RulesSource, family: Family, kind: str, node: Node, kinds: Mapping[str, CountedKind]
) -> Callable[[Bindings], Partial]:
    """The same for any names that variables stand for; arguments and errors as above.

    Args:
        kinds: The variables.
    """
    domain, sort = family.values, family.sort
    line = value_line(names, source, family, kind, node, kinds)
    if line is None:
        assert isinstance(node, Word), "it is a name"
        assert domain is not None, "the fact is one"
        word = node

        def named(bound: Bindings) -> Partial:
            name = bound[word.text].member if word.text in bound else word.text
            return Partial(constant(sort, _member(source, family, word, name)))

        return named
    if isinstance(sort, EnumSort) and domain is not None:
        among = domain
        return lambda bound: as_one_of(line.typed(bound).partial, among)
    if isinstance(sort, IntSort):
        return lambda bound: line.typed(bound).partial
    return lambda bound: Partial(line.typed(bound).partial.holds)  # what is asked of a unit on no place is false


def always_fits(
    names: TextNames, source: RulesSource, family: Family, kind: str, node: Node, kinds: Mapping[str, CountedKind]
) -> bool:
    """True if it shows at once that a fact can have a value, whatever the position; arguments and errors as above."""
    line, sort = value_line(names, source, family, kind, node, kinds), family.sort
    if line is None:
        assert isinstance(node, Word), "it is a name"
        assert family.values is not None, "the fact is one"
        members = kinds[node.text].members if node.text in kinds else (node.text,)
        return all(family.values.find(m) is not None for m in members)
    root = line.root
    if kind != BECOMES or not isinstance(root, Constant) or isinstance(sort, EnumSort):
        return False
    value = root.partial.value
    within = not isinstance(sort, IntSort) or sort.lo <= value.lo <= value.hi <= sort.hi
    return root.partial.defined is TRUE and within


def value_line(
    names: TextNames, source: RulesSource, family: Family, kind: str, node: Node, kinds: Mapping[str, CountedKind]
) -> TypedLine | None:
    """The line of a value; None: it is a name, or a variable that stands for one. Arguments and errors as above.

    Args:
        kinds: The variables.
    """
    domain, sort = family.values, family.sort
    if kind == BECOMES and domain is not None and isinstance(sort, EnumSort):
        inside = in_braces(node.text) if isinstance(node, Word) else ()
        if isinstance(node, Word) and node.text not in kinds and not (inside and {*inside} <= kinds.keys()):
            if domain.find(node.text) or node.text not in names.known:
                _member(source, family, node, node.text)
                return None
        elif isinstance(node, Word) and not inside:
            return None
        line = names.line(source, node, kinds)
        if line.root.values is None:
            raise source.goal.error(node.at, f"{line.root}, and {family.name} is a name", None, "wrong-value")
        return line
    line = names.line(source, node, kinds)
    wanted = INT if isinstance(sort, IntSort) else BOOL
    if wanted != INT and kind != BECOMES:
        said = "a name" if isinstance(sort, EnumSort) else "true or false"
        message = f"{family.name} is {said}: it {kind} nothing"
        help = "write becomes true, or becomes false" if said != "a name" else "write becomes NAME"
        raise source.goal.error(node.at, message, help, "wrong-value")
    if line.root.kind != wanted:
        message = f"{line.root}, and {family.name} {kind} {wanted}"
        raise source.goal.error(node.at, message, None, "wrong-value")
    return line


def _member(source: RulesSource, family: Family, word: Word, name: str) -> str:
    """The value of a fact that a name is."""
    domain = family.values
    assert domain is not None, "the fact is a name"
    member = domain.find(name)
    if member is None:
        help = did_you_mean(name, domain.sort.members)
        raise source.goal.error(word.at, f"{family.name} can never be {quoted(name)}", help, "wrong-value")
    return member
