"""The `state` of a file as values of fluents, and whether a position is well-formed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from vclogic.encode.python.codegen import interpret
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.scalars import check_hexes, text
from vclogic.files.trees.shorthand import Shorthand, family_value, read_shorthand
from vclogic.model.fluents import Family, Value, written
from vclogic.model.rules import Rule
from vclogic.model.system import System
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, IntSort
from vclogic.terms.term import Term, variables

SECTIONS = ("game", "title", "board", "options", "readings", "outcomes", "state", "record")
"""The parts of a position file."""


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


def read_state(
    system: System, node: Node, layer: int, findings: Findings, *, listed: bool = True
) -> dict[Term, Given]:
    """Read the section `state` of a file.

    Args:
        system: The rule set; its families are the keys.
        node: The section.
        layer: Number of the file.
        listed: Whether what files list completely says something of what is not listed: that it is nothing, or false.
            Else only single facts are given.
    """
    given: dict[Term, Given] = {}
    families, absent = system.layout.families, system.absent.facts
    parts = node.items("facts, each with its value: `FACT: VALUE`", findings)
    for name, part in parts.items():
        if name in families:
            given |= _read_family(families[name], (), part, layer, findings, listed)
        else:
            message = f"a position has no fact {quoted(name)}" + (" here" if name in absent else "")
            hint = absent.get(name) or did_you_mean(name, [*families, *absent], there=parts)
            if name in SECTIONS:
                hint = f"`{name}:` stands beside `state:`, not under it: begin it at the first letter of the line"
            findings.add(part.diagnostic("unknown-name", message, key=True, help=hint))
    return given


def _read_family(
    family: Family, index: tuple[str, ...], node: Node, layer: int, findings: Findings, listed: bool
) -> dict[Term, Given]:
    """Read the values for the indices that begin with `index`."""
    found: dict[Term, Given] = {}
    if listed and family.whole and len(index) == family.whole:
        there = (f for key, f in family.fluents.items() if key[: family.whole] == index)
        found |= {f: Given(nothing(family), node, layer) for f in there}
    if len(index) == len(family.indices):
        with node.catch(findings):
            found[family.fluents[index]] = Given(family_value(family, node.tree), node, layer)
        return found
    domain = family.indices[len(index)]
    if listed and isinstance(node.tree, list) and isinstance(family.sort, BoolSort) and len(family.indices) == 1:
        with node.catch(findings):
            return _read_list(family, domain, node, layer, findings)
        return found
    return found | _of_many(family, index, node, layer, findings, listed)


def _of_many(
    family: Family, index: tuple[str, ...], node: Node, layer: int, findings: Findings, listed: bool
) -> dict[Term, Given]:
    """The facts in a mapping of the members of the next index: of each one by itself, of groups and of all."""
    found: dict[Term, tuple[Shorthand, Given | None]] = {}
    clashes: dict[Term, tuple[Shorthand, Shorthand]] = {}
    for said in read_shorthand(family, len(index), node, findings):
        for member in said.members:
            before = len(findings)
            part = _said_of(family, (*index, member), said, layer, findings, listed)
            if len(findings) > before:
                break  # what is wrong is wrong for each of them
            for fluent, given in part.items():
                other, value = found.get(fluent, (None, None))
                if other is not None and other.rank < said.rank:
                    clashes.pop(fluent, None)
                elif other is not None and (value and value.value) != (given and given.value):
                    clashes[fluent] = other, said
                found[fluent] = said, given
    _report_clashes(family, clashes, findings)
    return {fluent: given for fluent, (_, given) in found.items() if given is not None}


def _said_of(
    family: Family, index: tuple[str, ...], said: Shorthand, layer: int, findings: Findings, listed: bool
) -> Mapping[Term, Given | None]:
    """The facts of the fluents whose indices begin with `index`; None for a fluent that is to stay without any."""
    if said.node is not None:
        return _read_family(family, index, said.node, layer, findings, listed)
    if len(index) == len(family.indices):
        return {family.fluents[index]: None}
    return {fluent: None for key, fluent in family.fluents.items() if key[: len(index)] == index}


def _report_clashes(family: Family, clashes: Mapping[Term, tuple[Shorthand, Shorthand]], findings: Findings) -> None:
    """Report each two groups that say different things of one fact, once."""
    told = set[tuple[str, str]]()
    for fluent, (one, other) in clashes.items():
        if (one.word, other.word) in told:
            continue
        told.add((one.word, other.word))
        what = quoted(fluent.name.removeprefix(family.name).strip("[]"))
        message = f"{family.name}: {what} is in {quoted(one.word)} and in {quoted(other.word)}"
        hint = f"these say different things of it: give {what} by itself, or one of them under `except:`"
        findings.add(other.place.diagnostic("given-twice", message, key=True, help=hint))


def _read_list(family: Family, domain: Domain, node: Node, layer: int, findings: Findings) -> dict[Term, Given]:
    """Read a Bool family given as a list: the listed indices are true, all others false.

    Raises:
        InputError: It holds hexes without quotes.
    """
    check_hexes(node.tree, domain.sort.members)
    found = {family[member]: Given(False, node, layer) for member in domain.sort.members}
    listed: set[str] = set()
    for part in node.parts(f"a list, each {domain.sort.name} once", findings):
        with part.catch(findings):
            members = domain.several(text(part.tree))
            if len(members) == 1 and members[0] in listed:
                raise InputError(Diagnostic("given-twice", f"{family.name}: {quoted(members[0])} stands here twice"))
            listed.update(members)
            found |= {family[member]: Given(True, part, layer) for member in members}
    return found


def nothing(family: Family) -> Value:
    """The value of an index that a file omits from a part of a family that it must list completely."""
    assert isinstance(family.sort, IntSort), "only numbers are given as a whole"
    return family.sort.lo


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
        values: The value of each fluent.
        given: What files gave, as far as it counts.
        findings: Takes each invariant that is broken, placed at the last file's value among its fluents.
    """
    if not given:
        return
    laws = ((rule, term, [v for v in facts if v in given]) for rule, term, facts in _laws(system))
    touched = [(rule, term, found) for rule, term, found in laws if found]
    holds = interpret([term for _, term, _ in touched], system.layout.slot, system.layout.state(values))
    for (rule, _, found), so in zip(touched, holds, strict=True):
        if not so:
            findings.add(_broken(rule, found, given))


def _laws(system: System) -> Sequence[tuple[Rule, Term, Sequence[Term]]]:
    """The laws of a rule set, each with its term and the fluents in it."""

    def made() -> list[tuple[Rule, Term, Sequence[Term]]]:
        terms = [(rule, rule.kept) for rule in system.laws]
        return [(rule, term, variables(term)) for rule, term in terms]

    return system.kept("laws with their fluents", made)


def _broken(rule: Rule, fluents: Iterable[Term], given: Mapping[Term, Given]) -> Diagnostic:
    ordered = sorted(fluents, key=lambda v: -given[v].layer)
    clauses = ", ".join(str(c) for c in rule.cites)
    message = f"the position cannot occur: {rule.text}" + (f" ({clauses})" if clauses else "")
    shown = "; ".join(f"{v.name} is {written(given[v].value)}" for v in ordered[:4])
    hint = f"change what the file says: {shown}" + ("; ..." if len(ordered) > 4 else "")
    return given[ordered[0]].node.diagnostic("impossible-position", message, help=hint)
