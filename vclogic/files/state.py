"""The `state` of a file as values of fluents, and whether a position is well-formed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.findings import Findings
from vclogic.files.hexes import check_list
from vclogic.files.scalars import about, text, truth, whole_number
from vclogic.files.tree import Node, Tree
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import Rule
from vclogic.model.system import System
from vclogic.terms.atoms import constant
from vclogic.terms.domain import Domain
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort
from vclogic.terms.term import Term, variables


class Given(NamedTuple):
    """A fluent's value as a file gives it.

    Attributes:
        value: The value.
        node: Where it stands.
        layer: Number of the file: of two that give a value, the higher one counts.
    """

    value: Value
    node: Node
    layer: int


def read_state(system: System, node: Node, layer: int, findings: Findings) -> dict[Term, Given]:
    """Read the section `state` of a file.

    Args:
        system: The rule set; its families are the keys.
        node: The section.
        layer: Number of the file.
        findings: Takes what is wrong.
    """
    given: dict[Term, Given] = {}
    families = system.layout.families
    for name, part in node.items("a mapping of what to set", findings).items():
        if name in families:
            _read_family(families[name], (), part, layer, given, findings)
        else:
            message = f"a position has no fact {quoted(name)}"
            hint = system.absent.get(name) or did_you_mean(name, families)
            findings.add(part.diagnostic("unknown-name", message, key=True, help=hint))
    return given


def _read_family(
    family: Family,
    index: tuple[str, ...],
    node: Node,
    layer: int,
    given: dict[Term, Given],
    findings: Findings,
) -> None:
    """Read the values for the indices that begin with `index`."""
    if family.whole and len(index) == family.whole:
        there = (f for key, f in family.fluents.items() if key[: family.whole] == index)
        given |= {f: Given(nothing(family), node, layer) for f in there}
    if len(index) == len(family.indices):
        with node.catch(findings):
            given[family.fluents[index]] = Given(family_value(family, node.tree), node, layer)
        return
    domain = family.indices[len(index)]
    if isinstance(node.tree, list) and isinstance(family.sort, BoolSort) and len(family.indices) == 1:
        with node.catch(findings):
            _read_list(family, domain, node, layer, given, findings)
        return
    written: dict[str, str] = {}
    for name, part in node.items(f"a mapping, a value for each {domain.sort.name}", findings).items():
        with part.catch(findings, key=True):
            member = domain.resolve(name)
            if member in written:
                message = f"{family.name}: {quoted(name)} is {quoted(written[member])} again"
                raise InputError(Diagnostic("given-twice", message, help="give each one once"))
            written[member] = name
            _read_family(family, (*index, member), part, layer, given, findings)


def _read_list(
    family: Family, domain: Domain, node: Node, layer: int, given: dict[Term, Given], findings: Findings
) -> None:
    """Read a Bool family given as a list: the listed indices are true, all others false.

    Raises:
        InputError: It holds hexes without quotes.
    """
    check_list(node.tree, domain.sort.members)
    listed: set[str] = set()
    for part in node.parts(f"a list, each {domain.sort.name} once", findings):
        with part.catch(findings):
            member = domain.resolve(text(part.tree))
            if member in listed:
                raise InputError(Diagnostic("given-twice", f"{family.name}: {quoted(member)} stands here twice"))
            listed.add(member)
            given[family[member]] = Given(True, part, layer)
    for member in domain.sort.members:
        if member not in listed:
            given[family[member]] = Given(False, node, layer)


def nothing(family: Family) -> Value:
    """The value of an index that a file omits from a part of a family that it must list completely."""
    assert isinstance(family.sort, IntSort), "only numbers are given as a whole"
    return family.sort.lo


def family_value(family: Family, tree: Tree) -> Value:
    """A value of a family's fluents.

    For an Int with a smallest number that a file may give, nothing (`~`) stands for what lies below it.

    Raises:
        InputError: It is no such value.
    """
    sort = family.sort
    if isinstance(sort, EnumSort):
        check_list(tree, sort.members)
    try:
        if isinstance(sort, BoolSort):
            return truth(tree)
        if isinstance(sort, IntSort):
            if tree is None and family.least is not None:
                return sort.lo
            return whole_number(tree, sort.lo if family.least is None else family.least, sort.hi)
        name = text(tree)
    except InputError as error:
        raise about(family.name, error) from error
    return (family.values or Domain(sort)).resolve(name)


def value_for_file(family: Family, value: Value) -> Value | None:
    """A value as a file gives it; None for what a file leaves out.

    Raises:
        ValueError: A value that no file can give: an Int below what the family allows in files.
    """
    if family.least is None or not isinstance(value, int) or value >= family.least:
        return value
    if isinstance(family.sort, IntSort) and value == family.sort.lo:
        return None  # what a file leaves out
    raise ValueError(f"{family.name} is {value}: a file can only give numbers from {family.least}")


def check_invariants(
    system: System, values: Mapping[Term, Value], given: Mapping[Term, Given], findings: Findings
) -> None:
    """Check that a position given by files is well-formed.

    Only invariants (and what else positions are held to) with a fluent that a file gave are looked at.

    Args:
        system: The rule set.
        values: The value of each fluent.
        given: What files gave, as far as it counts.
        findings: Takes each invariant that is broken, placed at the last file's value among its fluents.
    """
    if not given:
        return
    rules = ((r, [v for v in variables(r.kept) if v in given]) for r in (*system.invariants, *system.checked))
    touched = [(rule, found) for rule, found in rules if found]
    needed = variables(*(rule.kept for rule, _ in touched))
    substitution = Substitution({v: constant(v.sort, values[v]) for v in needed})
    for rule, found in touched:
        term = substitution(rule.kept)
        if not term.is_const or not term.value:
            findings.add(_broken(rule, found, given))


def _broken(rule: Rule, fluents: Iterable[Term], given: Mapping[Term, Given]) -> Diagnostic:
    ordered = sorted(fluents, key=lambda v: -given[v].layer)
    clauses = ", ".join(str(c) for c in rule.cites)
    message = f"the position cannot occur: {rule.text}" + (f" ({clauses})" if clauses else "")
    shown = ", ".join(f"{v.name} is {given[v].value}" for v in ordered[:4])
    hint = f"rule {quoted(rule.name)}; here {shown}" + (", ..." if len(ordered) > 4 else "")
    return given[ordered[0]].node.diagnostic("broken-invariant", message, help=hint)
