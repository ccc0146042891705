"""Located trees: a file's content as text, lists and mappings, with the place of each part; and a tree as YAML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import yaml
from yaml.reader import Reader

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.trees.findings import Findings

DEPTH = 100
"""The deepest nesting of lists and mappings."""
MOST_PARTS = 500_000
"""So many keys, values and items a file may hold; a board of 5,000 areas has a fifth of that."""
MOST_TEXT = 10_000
"""So many characters a key or value may have."""


class Quoted(str):
    """Text that stood in quotes (or in a block): never a number or a truth value."""

    __slots__ = ()


class BlockText(Quoted):
    """Text that stood in a block, line for line as in the file."""

    __slots__ = ()


class NotedText(str):
    """Text without quotes that notes the number or truth value as which it is read.

    Attributes:
        value: That value; None: it is read as text.
    """

    value: int | None = None


Tree = None | str | list["Tree"] | dict[str, "Tree"]
"""A file's content. Scalars stay text until a schema types them, `Quoted` or as it stood; None is nothing."""

Path = tuple[str | int, ...]
"""Keys and numbers (counted from 0) that lead to a part of a tree."""


class TextMark(Protocol):
    """A place in a text, counted from 0."""

    line: int
    column: int


class NodePlace:
    """The place of a list or mapping and of its parts.

    Attributes:
        mark: Its beginning.
        keys: For a mapping: where each key begins.
        parts: Where each value or item is: a place for a list or mapping, a mark for a scalar.
    """

    __slots__ = ("keys", "mark", "parts")

    def __init__(self, mark: TextMark, keys: dict[str, TextMark] | None = None):
        self.mark = mark
        self.keys = keys
        self.parts: dict[str | int, NodePlace | TextMark] = {}


@dataclass(frozen=True)
class Locator:
    """Finds line and column of a part of a file.

    Attributes:
        file: The file's name.
        places: Gives the place of the whole, or None where it is not known; asked only when needed.
        prefix: The path of the part that paths begin at.
    """

    file: str
    places: Callable[[], NodePlace | TextMark | None]
    prefix: Path = ()

    def under(self, *path: str | int) -> Locator:
        """The locator of a part."""
        return Locator(self.file, self.places, self.prefix + path) if path else self

    def find(self, path: Path = (), *, key: bool = False) -> tuple[int | None, int | None]:
        """Line and column, counted from 1, of a part or of the nearest part around it that there is.

        Args:
            path: Keys and numbers that lead to it.
            key: Whether the place of its key is meant, not that of its value.
        """
        place = self.places()
        if place is None:
            return None, None
        mark = place.mark if isinstance(place, NodePlace) else place
        for step in self.prefix + path:
            if not isinstance(place, NodePlace) or step not in place.parts:
                break
            label = place.keys.get(str(step)) if key and place.keys else None
            place = place.parts[step]
            mark = label or (place.mark if isinstance(place, NodePlace) else place)
        return mark.line + 1, mark.column + 1

    def diagnostic(
        self, code: str, message: str, path: Path = (), *, key: bool = False, help: str | None = None
    ) -> Diagnostic:
        """A diagnostic with the place of a part; see `find`."""
        return Diagnostic(code, message, self.file, *self.find(path, key=key), help)


@dataclass(frozen=True)
class JoinedLocator(Locator):
    """Finds the parts of what several files make together; `file` and `places` are those of the last of them.

    Attributes:
        parts: Finds what is in each entry.
        overlay: What the last file says it is based on, and what it changes of that, in words.
    """

    parts: Mapping[str | int, Locator] = field(default_factory=dict)
    overlay: tuple[str, str] | None = None

    def _of(self, path: Path) -> tuple[Locator, Path]:
        """The locator that knows a part, and the path by which it does."""
        here: Locator = self
        while isinstance(here, JoinedLocator) and path and path[0] in here.parts:
            here, path = here.parts[path[0]], path[1:]
        return here, path

    def under(self, *path: str | int) -> Locator:
        """See `Locator.under`."""
        here, rest = self._of(path)
        return here if not rest else here.own.under(*rest) if isinstance(here, JoinedLocator) else here.under(*rest)

    @property
    def own(self) -> Locator:
        """The locator of the last file alone."""
        return Locator(self.file, self.places, self.prefix)

    def find(self, path: Path = (), *, key: bool = False) -> tuple[int | None, int | None]:
        """See `Locator.find`."""
        here, rest = self._of(path)
        return Locator.find(here, rest, key=key)

    def diagnostic(
        self, code: str, message: str, path: Path = (), *, key: bool = False, help: str | None = None
    ) -> Diagnostic:
        """See `Locator.diagnostic`."""
        here, rest = self._of(path)
        return Diagnostic(code, message, here.file, *Locator.find(here, rest, key=key), help)


class Node(NamedTuple):
    """A part of a file.

    Attributes:
        tree: What it holds.
        where: Finds the places of its parts.
    """

    tree: Tree
    where: Locator

    def items(self, what: str, findings: Findings) -> dict[str, Node]:
        """The keys and values of a mapping; of nothing: none.

        Args:
            what: What should stand here, for the message if something else does.
            findings: Takes that message.
        """
        if isinstance(self.tree, dict):
            return {key: Node(part, self.where.under(key)) for key, part in self.tree.items()}
        if self.tree is not None:
            message = f"expected {what}, found {describe(self.tree)}"
            findings.add(self.diagnostic("wrong-value", message, help=mended(self.tree, listed=False)))
        return {}

    def parts(self, what: str, findings: Findings) -> list[Node]:
        """The items of a list; of nothing: none. See `items`."""
        if isinstance(self.tree, list):
            return [Node(part, self.where.under(i)) for i, part in enumerate(self.tree)]
        if self.tree is not None:
            message = f"expected {what}, found {describe(self.tree)}"
            findings.add(self.diagnostic("wrong-value", message, help=mended(self.tree, listed=True)))
        return []

    def section(self, name: str) -> Node:
        """The value of a key of a mapping; nothing, with the place of the whole, where it is missing."""
        tree = self.tree.get(name) if isinstance(self.tree, dict) else None
        return Node(tree, self.where.under(name))

    def part(self, step: str | int) -> Node:
        """The value of a key of a mapping, or an item of a list by its number; nothing where it is missing."""
        if isinstance(step, str):
            return self.section(step)
        there = isinstance(self.tree, list) and 0 <= step < len(self.tree)
        return Node(self.tree[step] if there else None, self.where.under(step))  # type: ignore[index]

    def diagnostic(self, code: str, message: str, *, key: bool = False, help: str | None = None) -> Diagnostic:
        """A diagnostic with this part's place, or that of its key."""
        return self.where.diagnostic(code, message, key=key, help=help)

    @property
    def spot(self) -> tuple[str, int | None, int | None]:
        """File, line and column."""
        return self.where.file, *self.where.find()

    @contextmanager
    def catch(self, findings: Findings, *, key: bool = False) -> Iterator[None]:
        """Add an InputError of the block, placed here (or at the key), and continue after the block."""
        try:
            yield
        except InputError as error:
            findings.take(error.at(self.where.file, *self.where.find(key=key)))


BAD_CHARACTER = "a character that nobody sees, and that cannot stand in a file"
_CONTROL: re.Pattern[str] = Reader.NON_PRINTABLE  # PyYAML's own: to compile another takes 10 ms
_BYTE_ORDER_MARK = "\ufeff"


def bad_character(text: str) -> int:
    """The position of the first forbidden character (control, surrogate) of a text, or -1."""
    if text.isprintable():
        return -1
    found = _CONTROL.search(text)
    return found.start() if found else text.find(_BYTE_ORDER_MARK)


def describe(tree: Tree) -> str:
    """A part's kind, in the words of a message."""
    if tree is None:
        return "nothing"
    if isinstance(tree, str):
        return f"the quoted text {quoted(tree)}" if isinstance(tree, Quoted) else quoted(tree)
    if not tree:
        return "an empty list" if isinstance(tree, list) else "nothing in `{}`"
    return "a list" if isinstance(tree, list) else "names with values"


def mended(tree: Tree, *, listed: bool) -> str | None:
    """Advice for a part of the wrong kind, where its meaning can be guessed.

    Args:
        tree: The part.
        listed: Whether a list was expected, or else names with values.
    """
    plain = tree if isinstance(tree, str) and not isinstance(tree, Quoted) else ""
    if listed and isinstance(tree, dict):
        return "write '- ' before each of them"
    if listed and plain.startswith("-"):
        return "write a space after each '-'"
    if not listed and isinstance(tree, list):
        return "write `NAME: VALUE` without '- ' before it, and no '[' ']' around"
    if not listed and ":" in plain:
        return "write a space after ':'"
    return None


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
