"""Overlays: a board or a position that says `based_on: NAME`, and what of that is changed, added or removed.

A mapping is laid over a mapping entry by entry, anything else takes the place of what stood there, and nothing
(`Kiev:`) removes an entry. Items of lists are put in under `add:` and taken out under `remove:`, each under the
names that lead to the list. What is wrong is told where it stands: in the overlay, or in what it is based on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import JoinedLocator, Locator, Node, Tree, describe

BASED_ON, ADD, REMOVE = "based_on", "add", "remove"
OWN = (BASED_ON, ADD, REMOVE)
"""The entries that only overlays have."""
_DEEPEST = 8
"""So many files may be based on one another."""
_UNSAID = (BASED_ON, "game", "title")
_SHOWN = 4
"""So many changed entries of a section are named."""


def is_overlay(node: Node) -> bool:
    """True if a board or position says what it is based on."""
    return isinstance(node.tree, dict) and BASED_ON in node.tree


def overlaid(node: Node, base_of: Callable[[Node], Node]) -> Node:
    """A board or a position; an overlay is laid over what it is based on, which may be an overlay too.

    Args:
        node: The board or position.
        base_of: Reads what is named under `based_on`.

    Raises:
        InputError: There is no such base, it leads back to itself, or something that is to be removed is not there.
    """
    over = [node]
    while is_overlay(over[-1]):
        named = over[-1].section(BASED_ON)
        if len(over) > _DEEPEST:
            message = f"more than {_DEEPEST} files are based on one another here"
            raise InputError(named.diagnostic("limit", message, help="does one lead back to itself?"))
        over.append(base_of(named))
    found = over.pop()
    for layer in reversed(over):
        found = _laid(found, layer)
    return found


def _laid(base: Node, over: Node) -> Node:
    """An overlay laid over its base."""
    findings = Findings()
    assert isinstance(over.tree, dict), "an overlay is a mapping"
    if not isinstance(base.tree, dict):
        message = f"nothing can be changed of this: it is {describe(base.tree)}"
        raise InputError(over.section(BASED_ON).diagnostic("wrong-value", message))
    own: dict[str, Tree] = {key: part for key, part in over.tree.items() if key not in OWN}
    found = _merged(base, Node(own, over.where), findings)
    found = _edited(found, over.section(REMOVE), _without, findings)
    found = _edited(found, over.section(ADD), _with, findings)
    findings.stop()
    where = found.where
    overlay = (str(over.section(BASED_ON).tree), _in_words(over.tree))
    parts = where.parts if isinstance(where, JoinedLocator) else {}
    return Node(found.tree, JoinedLocator(over.where.file, over.where.places, over.where.prefix, parts, overlay))


def _joined(own: Locator, parts: Iterable[tuple[str | int, Node]], tree: Tree) -> Node:
    located = {step: part.where for step, part in parts}
    return Node(tree, JoinedLocator(own.file, own.places, own.prefix, located))


def _mapping(own: Locator, parts: Mapping[str, Node]) -> Node:
    return _joined(own, parts.items(), {key: part.tree for key, part in parts.items()})


def _merged(base: Node, over: Node, findings: Findings) -> Node:
    """A part of an overlay over the same part of its base."""
    if not isinstance(base.tree, dict) or not isinstance(over.tree, dict):
        return over
    parts = base.items("", findings)
    for key, part in over.items("", findings).items():
        if part.tree is not None:
            parts[key] = _merged(parts[key], part, findings) if key in parts else part
        elif parts.pop(key, None) is None:
            help = did_you_mean(key, base.tree)
            message = f"there is no {quoted(key)} that could be removed"
            findings.add(part.diagnostic("unknown-entry", message, key=True, help=help))
    return _mapping(over.where, parts)


Edit = Callable[[Node, Node, Findings], Node]
"""Changes a list, or the entries of a mapping, by what a list names."""


def _edited(node: Node, change: Node, edit: Edit, findings: Findings) -> Node:
    """The node under `add` or `remove`, done to what it leads to."""
    if change.tree is None:
        return node
    if not isinstance(change.tree, dict):
        return edit(node, change, findings)
    parts = node.items("names with values", findings)
    for key, part in change.items("", findings).items():
        if key in parts or edit is _with:
            parts[key] = _edited(parts.get(key, Node(None, part.where)), part, edit, findings)
        else:
            message = f"there is no {quoted(key)} here"
            findings.add(part.diagnostic("unknown-entry", message, key=True, help=did_you_mean(key, parts)))
    return _mapping(node.where, parts)


def _with(node: Node, change: Node, findings: Findings) -> Node:
    """A list with more items."""
    if not isinstance(change.tree, list) or not (node.tree is None or isinstance(node.tree, list)):
        message = "items are added to a list, as a list: what has a name is written beside `based_on:`"
        findings.add(change.diagnostic("wrong-value", message))
        return node
    items = [*node.parts("a list", findings), *change.parts("a list", findings)]
    return _joined(node.where, enumerate(items), [item.tree for item in items])


def _without(node: Node, change: Node, findings: Findings) -> Node:
    """A list without some items, or a mapping without some entries."""
    unwanted = change.parts("a list", findings) if isinstance(change.tree, list) else [change]
    if isinstance(node.tree, dict):
        parts = node.items("", findings)
        for part in unwanted:
            if not isinstance(part.tree, str) or parts.pop(part.tree, None) is None:
                findings.add(_not_there(part, parts))
        return _mapping(node.where, parts)
    items = node.parts("a list", findings)
    for part in unwanted:
        kept = [item for item in items if item.tree != part.tree]
        if len(kept) == len(items):
            findings.add(_not_there(part, [str(item.tree) for item in items if isinstance(item.tree, str)]))
        items = kept
    return _joined(node.where, enumerate(items), [item.tree for item in items])


def _not_there(part: Node, known: Iterable[str]) -> Diagnostic:
    """The report for something that is to be removed and is not there."""
    named = part.tree if isinstance(part.tree, str) else ""
    message = f"there is no {quoted(named)} to remove here" if named else "there is no such item to remove"
    return part.diagnostic("unknown-entry", message, help=did_you_mean(named, known) if named else None)


def _in_words(tree: Mapping[str, Tree]) -> str:
    """The sections that an overlay changes, each with the first entries of it."""
    said = []
    for key, part in tree.items():
        if key not in _UNSAID:
            names = [*part] if isinstance(part, dict) else []
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            said.append(f"{key} ({', '.join(names[:_SHOWN])}{more})" if names else key)
    return ", ".join(said) or "nothing"
