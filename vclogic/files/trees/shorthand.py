"""Shorthand for many at once: `all`, groups and ranges of names, names listed under their value, exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from vclogic.errors import InputError, quoted
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node, Tree, as_written, describe, in_line
from vclogic.files.trees.scalars import about, check_hexes, text, truth, whole_number
from vclogic.model.fluents import Family, Value
from vclogic.terms.domain import ALL, GROUP, NAMED, Domain
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort

EXCEPT = "except"
"""The word before the exceptions, unless it is a name of the board."""
_EXCEPTED = NAMED + 1


class Shorthand(NamedTuple):
    """The entry of a file for some members of an index.

    Attributes:
        rank: Of two that say something of one fact, the higher one counts.
        word: The name as written.
        members: The members that it stands for.
        node: What is said of them; None: that nothing is, whatever a lower rank says.
        place: Where the word stands, as a key of the node or as an item of a list.
    """

    rank: int
    word: str
    members: tuple[str, ...]
    node: Node | None
    place: Node


def read_shorthand(family: Family, depth: int, node: Node, findings: Findings) -> list[Shorthand]:
    """Read what a mapping says of the members of one index of a family, in the order of ranks.

    Args:
        depth: The number of the index.
        node: The mapping.
        findings: Takes what is wrong: unknown names, and names that stand there twice.
    """
    found: list[Shorthand] = []
    written: dict[tuple[int, str], str] = {}
    for said in _read(family, depth, node, findings):
        if said.rank % _EXCEPTED == NAMED:
            (member,), key = said.members, (said.rank, said.members[0])
            if key in written:
                message = f"{family.name}: {quoted(said.word)} is {quoted(written[key])} again"
                if said.word == written[key]:
                    message = f"{family.name}: {quoted(member)} stands here twice"
                findings.add(said.place.diagnostic("given-twice", message, key=True, help="give each one once"))
                continue
            written[key] = said.word
        found.append(said)
    return sorted(found, key=lambda said: said.rank)


def _read(family: Family, depth: int, node: Node, findings: Findings) -> Iterator[Shorthand]:
    domain = family.indices[depth]
    last = depth + 1 == len(family.indices)
    if isinstance(node.tree, str):
        message = f"{family.name}: expected a value for each {domain.sort.name}, found {describe(node.tree)}"
        findings.add(node.diagnostic("wrong-value", message, help=_instead(family, depth, node.tree)))
        return
    for name, part in node.items(f"`NAME: VALUE` for each {domain.sort.name}", findings).items():
        if name == EXCEPT and domain.find(name) is None:
            yield from _exceptions(family, depth, part, findings)
        elif last and isinstance(part.tree, list) and _is_value(family, name):
            with part.catch(findings):
                check_hexes(part.tree, domain.sort.members)
                value = Node(name, part.where)
                for item in part.parts("a list", findings):
                    yield from _said(domain, item, value, findings)
        else:
            with part.catch(findings, key=True):
                if last and isinstance(part.tree, list):
                    _check_value(family, name)
                members = domain.several(name)
                yield Shorthand(domain.rank(name), name, members, part, part)


def _instead(family: Family, depth: int, word: str) -> str:
    """Advice to write a mapping in place of a value or a name alone."""
    domain, left = family.indices[depth], len(family.indices) - depth
    with suppress(InputError):
        family_value(family, word)
        tree: Tree = word
        for _ in range(left):
            tree = {ALL: tree}
        return f"the same for all is `{in_line(as_written(tree))}`"
    with suppress(InputError):
        domain.several(word)
        value = "true" if left == 1 and isinstance(family.sort, BoolSort) else "VALUE"
        return f"write what is so of it: `{in_line({as_written(word): as_written(value)})}`"
    return f"write `NAME: VALUE` for each {domain.sort.name}"


def _exceptions(family: Family, depth: int, node: Node, findings: Findings) -> Iterator[Shorthand]:
    """The exceptions: with values of their own, or as a list of names without any value."""
    domain = family.indices[depth]
    if isinstance(node.tree, list):
        with node.catch(findings):
            check_hexes(node.tree, domain.sort.members)
            found = [s for item in node.parts("a list", findings) for s in _said(domain, item, None, findings)]
            yield from (said._replace(rank=said.rank + _EXCEPTED) for said in found)
        return
    if isinstance(node.tree, str):
        message = f"expected a list of each {domain.sort.name} that is excepted, or a value for each, found "
        help = f"write `{in_line([as_written(node.tree)])}`"
        findings.add(node.diagnostic("wrong-value", message + describe(node.tree), help=help))
        return
    for said in _read(family, depth, node, findings):
        yield said._replace(rank=said.rank + _EXCEPTED)


def _said(domain: Domain, item: Node, value: Node | None, findings: Findings) -> Iterator[Shorthand]:
    """The entry of an item in a list of names."""
    with item.catch(findings):
        word = text(item.tree)
        yield Shorthand(domain.rank(word), word, domain.several(word), value, item)


def _is_value(family: Family, name: str) -> bool:
    """True if a name with a list below it is a value, and the list names its owners."""
    if isinstance(family.sort, EnumSort):
        return _values(family).find(name) is not None
    return family.indices[-1].find(name) is None and name != ALL and name not in family.indices[-1].groups


def _values(family: Family) -> Domain:
    """The values of a family whose sort is an Enum."""
    assert isinstance(family.sort, EnumSort)
    return family.values or Domain(family.sort)


def _check_value(family: Family, name: str) -> None:
    """Check that a name of which a list follows is one of an index, if it is no value.

    Raises:
        InputError: It is none; with the values that may be meant.
    """
    domain = family.indices[-1]
    known = domain.rank(name) != GROUP or name in domain.groups or name in domain.refused
    if isinstance(family.sort, EnumSort) and not known:
        _values(family).resolve(name)


def family_value(family: Family, tree: Tree) -> Value:
    """A value of a family's fluents.

    For an Int with a smallest number that a file may give, nothing (`~`) stands for what lies below it.

    Raises:
        InputError: It is no such value.
    """
    sort = family.sort
    if isinstance(sort, EnumSort):
        check_hexes(tree, sort.members)
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
