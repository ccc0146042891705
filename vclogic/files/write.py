"""Writing a position: as the text of a position file, and as plain values that JSON holds and a program can load."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from vclogic.files.outcomes import OUTCOMES, text_node
from vclogic.files.setup import Setup
from vclogic.files.state import nothing, value_for_file
from vclogic.files.trees.located import DUMPER, BlockMapping, BlockText, Node, NotedText, Quoted, Tree, as_written
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.terms.sorts import BoolSort


def write_position(setup: Setup, state: State | None = None, record: Iterable[Event] | None = None) -> str:
    """A position file, as YAML text, that describes a state completely.

    It holds what differs from the scenario: options, readings, the board (inline) and the values of fluents.

    Args:
        state: The state; None: the one before the setup's record.
        record: Events to follow it; None: the setup's record if no state is given, else none.

    Raises:
        ValueError: A value that no file can give: an Int below what its family allows in files.
    """
    if record is None:
        record = (step.event for step in setup.record) if state is None else ()
    content: dict[str, Any] = BlockMapping(game=setup.reference)
    if setup.title:
        content["title"] = setup.title
    if setup.board is not None:
        content["board"] = as_written(setup.board.tree)
    for section, known in (("options", setup.encoding.options), ("readings", setup.encoding.readings)):
        names = {item.name for item in known}
        if chosen := {n: v for n, v in setup.chosen.items() if n in names}:
            content[section] = chosen
    own = [node for layer in setup.request.layers if (node := layer.section(OUTCOMES)).tree is not None]
    if texts := [str(text_node(node).tree).rstrip("\n") for node in own]:
        content[OUTCOMES] = BlockText("\n".join(texts) + "\n")
    if changed := changed_section(setup, setup.initial if state is None else state):
        content["state"] = changed
    if steps := [e.written for e in record]:
        content["record"] = steps
    style: dict[str, Any] = {"default_flow_style": None, "sort_keys": False, "allow_unicode": True, "width": 110}
    return str(yaml.dump(content, Dumper=DUMPER, **style))


def changed_section(setup: Setup, state: State) -> dict[str, Any]:
    """The section `state` of a file with a state: the differences from the scenario.

    Raises:
        ValueError: As in `write_position`.
    """
    values = setup.system.layout.values(state)
    section: dict[str, Any] = BlockMapping()
    independent = {f: x for f, x in values.items() if f not in setup.system.defaults}
    base = {**setup.system.completed(independent), **setup.base}
    for family in setup.system.families:
        changed = {i: f for i, f in family.fluents.items() if values[f] != base[f]}
        if changed and isinstance(family.sort, BoolSort) and len(family.indices) == 1:
            section[family.name] = [i for (i,), f in family.fluents.items() if values[f]]
            continue
        if family.whole:
            parts = dict.fromkeys(index[: family.whole] for index in changed)
            for part in parts:
                _block(section, (family.name, *part))
            there = {i: f for i, f in family.fluents.items() if i[: family.whole] in parts}
            changed = {i: f for i, f in there.items() if values[f] != nothing(family)}
        for index, fluent in changed.items():
            *path, last = (family.name, *index)
            _block(section, path)[last] = value_for_file(family, values[fluent])
    return section


def _block(section: dict[str, Any], path: Iterable[str]) -> dict[str, Any]:
    """The mapping under some keys, created if it is missing."""
    for key in path:
        section = section.setdefault(key, BlockMapping())
    return section


# ---- to YAML


def noting(node: Node) -> Node:
    """The content of a file whose words without quotes note as what they are read: see `plain`."""
    return Node(_noting(node.tree), node.where)


def plain(node: Node) -> dict[str, Any]:
    """A position file as plain values: what `vclogic.load` makes the same game of.

    A word without quotes is a number, a truth value or a name by where it stands (`off` may be each of the last two),
    which only those know who read it. So it is what it was read as.

    Args:
        node: The content of the file, a mapping, made by `noting`, of which a game was loaded.
    """
    found: dict[str, Any] = _plain(node.tree)
    return found


def _noting(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {key: _noting(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_noting(part) for part in tree]
    return tree if tree is None or isinstance(tree, Quoted) else NotedText(tree)


def _plain(tree: Tree) -> Any:
    if isinstance(tree, dict):
        return {key: _plain(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_plain(part) for part in tree]
    if isinstance(tree, NotedText) and tree.value is not None:
        return tree.value
    return tree if tree is None else str(tree)
