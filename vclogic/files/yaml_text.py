"""YAML as this project writes it: in quotes exactly where it has to be, or was."""

from __future__ import annotations

from typing import Any

import yaml

from vclogic.files.tree import BlockText, Quoted, Tree

_WIDE = 10**6
"""No line is so long that it has to be broken."""


def in_line(content: Any) -> str:
    """Content of a file as YAML in one line, such as an event of a record."""
    style: dict[str, Any] = {"default_flow_style": True, "sort_keys": False, "allow_unicode": True, "width": _WIDE}
    return str(yaml.dump(content, Dumper=DUMPER, **style)).removesuffix("...\n").rstrip("\n")


class BlockMapping(dict[str, Any]):
    """A mapping with a line for each key."""


class _Plain(str):
    """Text to write without quotes, as it was read."""

    __slots__ = ()


def as_written(tree: Tree) -> Any:
    """A tree of a file for `in_line`, which is written with quotes exactly where it was read with quotes."""
    if isinstance(tree, dict):
        return {key: as_written(part) for key, part in tree.items()}
    if isinstance(tree, list):
        return [as_written(part) for part in tree]
    return tree if tree is None or isinstance(tree, Quoted) else _Plain(tree)


def _write_block(dumper: Any, block: BlockMapping) -> yaml.Node:
    node: yaml.Node = dumper.represent_mapping("tag:yaml.org,2002:map", block, flow_style=False)
    return node


def _write_plain(dumper: Any, text: _Plain) -> yaml.Node:
    tag = dumper.resolve(yaml.ScalarNode, str(text), (True, False))  # its own tag: so none is written
    node: yaml.Node = dumper.represent_scalar(tag, str(text))
    return node


def _write_lines(dumper: Any, text: BlockText) -> yaml.Node:
    node: yaml.Node = dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")
    return node


def _write_quoted(dumper: Any, text: Quoted) -> yaml.Node:
    node: yaml.Node = dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="'")
    return node


DUMPER: Any = type(
    "Dumper",
    (getattr(yaml, "CSafeDumper", yaml.SafeDumper),),  # SafeDumper: a PyYAML without libyaml
    {"ignore_aliases": lambda dumper, data: True},
)
DUMPER.add_representer(BlockMapping, _write_block)
DUMPER.add_representer(_Plain, _write_plain)
DUMPER.add_representer(BlockText, _write_lines)
DUMPER.add_representer(Quoted, _write_quoted)
