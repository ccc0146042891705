"""Trees from libyaml's events.

Events carry every place, cost a quarter of composed nodes, and cannot be led into deep recursion (libyaml's
composer crashes on 100,000 brackets) or into the growth of aliases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from vclogic.errors import Diagnostic, quoted
from vclogic.files.source import Source
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import (
    BAD_CHARACTER,
    DEPTH,
    MOST_PARTS,
    MOST_TEXT,
    BlockText,
    NodePlace,
    Quoted,
    TextMark,
    Tree,
    bad_character,
)
from vclogic.files.trees.scalars import UNQUOTED, UNQUOTED_HELP, split_in_mapping, unquoted_hex


class _YamlWords(NamedTuple):
    message: str
    help: str | None = None
    at_context: bool = False


_INDENT = "begin this line as far to the right as its neighbours"
_OPEN = "look for a bracket or a quote that is left out, in this line or below"
_QUOTE = "put it in quotes"
_QUOTES = "is a quote left out before it? an apostrophe in single quotes is written ''"
_CLOSE = "write the same quote again where the text ends"
_WORDS: dict[str, _YamlWords] = {  # keys: part of "context: problem" as libyaml has them
    "mapping values are not allowed": _YamlWords(
        "this ':' cannot stand here",
        "begin this line as far to the right as its neighbours; text that holds ': ' needs quotes",
    ),
    "expected ',' or ']'": _YamlWords("this '[' is not closed: ',' or ']' is missing", _OPEN, at_context=True),
    "expected ',' or '}'": _YamlWords("this '{' is not closed: ',' or '}' is missing", _OPEN, at_context=True),
    "flow node: did not find": _YamlWords("a value is missing, or cannot begin like this"),
    "expected node content": _YamlWords("a value cannot begin like this", _QUOTE),
    "quoted scalar: found unexpected": _YamlWords(
        "this quote is never closed", "write the same quote again where the text ends", True
    ),
    "unknown escape": _YamlWords("this '\\' cannot stand here", "in single quotes it stands for itself"),
    "could not find expected ':'": _YamlWords(
        "':' is missing behind this name", "write `NAME: VALUE`, or `NAME:` and more below it", True
    ),
    "did not find expected key": _YamlWords("a name with ':' is missing here", _INDENT),
    "expected '-' indicator": _YamlWords("'- ' is missing here, as in the list above", _INDENT),
    "block sequence entries are not": _YamlWords("a list cannot begin here", "begin it in a line of its own"),
    "mapping keys are not allowed": _YamlWords("a name cannot stand here", _INDENT),
    "<document start>": _YamlWords("nothing more can stand here", _INDENT),
    "alphabetic or numeric character": _YamlWords("text cannot begin with '*' or '&'", _QUOTE),
    "tag": _YamlWords("text cannot begin with '!'", _QUOTE),
}


def syntax_diagnostic(error: yaml.YAMLError, source: Source) -> Diagnostic:
    """The diagnostic for a YAML error, with its place."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Diagnostic("not-yaml", f"this is not YAML: {_plain(str(error))}", source.name)
    problem = error.problem or ""
    whole = f"{error.context or ''}: {problem}"
    unknown = _YamlWords(f"this is not YAML: {_plain(problem)}")
    words = next((w for part, w in _WORDS.items() if part in whole), unknown)
    mark = error.problem_mark
    before, character = _around(source.text, mark)
    if "cannot start any token" in problem:
        words = _no_token(character)
    elif "did not find expected" in problem and before.rstrip().endswith(("'", '"')):
        words = _YamlWords("this follows a closed quote", _QUOTES)
    elif words.at_context and error.context_mark is not None:
        mark = error.context_mark
    place = _inside(source.text, mark)
    return Diagnostic("not-yaml", words.message, source.name, *place, words.help)


def _inside(text: str, mark: TextMark) -> tuple[int, int]:
    """Line and column of a mark; beyond the text, those of its end."""
    lines = text.rstrip().splitlines() or [""]
    if mark.line < len(lines):
        return mark.line + 1, mark.column + 1
    return len(lines), len(lines[-1]) + 1


def _no_token(character: str) -> _YamlWords:
    if character == "\t":
        return _YamlWords("a tab cannot stand here", "begin the line with spaces instead")
    return _YamlWords(f"text cannot begin with {quoted(character)}", "put it in quotes")


def _around(text: str, mark: TextMark) -> tuple[str, str]:
    """The line up to a mark, and the character there."""
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return line[: mark.column], line[mark.column : mark.column + 1]


def _plain(text: str) -> str:
    return " ".join(text.split())


TOO_DEEP = f"lists and mappings are nested deeper than {DEPTH}"
TWICE = "a name stands here twice"
TOO_MANY = f"more than {MOST_PARTS:,} names and values"
TOO_LONG = f"a text of more than {MOST_TEXT:,} characters"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # SafeLoader: a PyYAML without libyaml


def build_tree(source: Source, findings: Findings) -> tuple[Tree, NodePlace | TextMark | None]:
    """The tree of a YAML text and where its parts stand.

    Args:
        findings: Takes what is wrong with it; the tree means nothing if there is anything.
    """
    builder = _TreeBuilder(source, findings)
    try:
        for number, event in enumerate(yaml.parse(source.text, Loader=_LOADER)):
            if number > MOST_PARTS:
                builder.refuse(
                    event.start_mark or _START, "too-big", TOO_MANY, "leave out what is as in the scenario"
                )
                raise _GiveUp
            handler = builder.handlers.get(event.__class__)
            if handler is not None:
                handler(event)
    except yaml.YAMLError as error:
        findings.add(syntax_diagnostic(error, source))
    except _GiveUp:
        pass
    return builder.result()


class _GiveUp(Exception):
    """Parsing cannot continue; the reason is among the findings."""


class _OpenNode:
    """A list or mapping that is being read; `key` is the one whose value comes next."""

    __slots__ = ("flow", "key", "keys", "parts", "tree")

    def __init__(self, tree: Any, place: NodePlace, flow: bool | None = False):
        self.tree = tree
        self.flow = flow
        self.keys: Any = place.keys
        self.parts = place.parts
        self.key: Any = None


_HALF: Any = object()
"""Instead of whether a mapping stands in braces: the next key is the second half of a hex."""
_REFUSED = object()
"""Stands for a key that was refused: its value is read and dropped."""


class _TreeBuilder:
    def __init__(self, source: Source, findings: Findings):
        self.file = source.name
        self.text = source.text
        self.findings = findings
        self.top: list[Tree] = []
        self.frame = _OpenNode(self.top, NodePlace(_START))
        self.stack = [self.frame]
        self.documents = 0
        self.lines: list[str] | None = None
        self.handlers: dict[type[Event], Any] = {
            ScalarEvent: self.scalar,
            MappingStartEvent: self.mapping,
            SequenceStartEvent: self.sequence,
            MappingEndEvent: self.end,
            SequenceEndEvent: self.end,
            AliasEvent: self.alias,
            DocumentStartEvent: self.document,
        }

    def result(self) -> tuple[Tree, NodePlace | TextMark | None]:
        return (self.top[0], self.stack[0].parts[0]) if self.top else (None, None)

    def refuse(self, mark: TextMark, code: str, message: str, help: str | None = None) -> None:
        self.findings.add(Diagnostic(code, message, self.file, mark.line + 1, mark.column + 1, help))

    # ---- events

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            hint = "keep one of them in this file, and remove the line '---'"
            self.refuse(event.start_mark, "several-documents", "here begins a second file", hint)
            raise _GiveUp

    def alias(self, event: Any) -> None:
        message = f"{quoted('*' + event.anchor)} needs quotes: it begins with '*'"
        self.refuse(event.start_mark, "alias", message, "put it in quotes, or write out what it stands for")
        self.put(None, event.start_mark, event.start_mark)

    def scalar(self, event: Any) -> None:
        # Most events come here.
        mark = event.start_mark
        text = event.value
        if event.tag is not None or event.anchor is not None:
            self.refuse_extras(event)
        if len(text) > MOST_TEXT:
            self.refuse(mark, "too-big", TOO_LONG)
            text = text[:MOST_TEXT]
        frame = self.frame
        key = frame.key
        if key is None and frame.keys is not None:
            self.set_key(frame, text, mark, plain=not event.style)
            return
        value: Tree = text
        if event.style:
            value = Quoted(text)
            if event.style == "|":
                value, mark = BlockText(text), self.block(mark)
            if bad_character(text) >= 0:
                message = f"{BAD_CHARACTER} in the text {text[:40]!a}"
                self.refuse(mark, "control-character", message, "remove it")
        elif text in _NULL:
            value = None
        self.put(value, mark, mark)

    def block(self, mark: TextMark) -> TextMark:
        """The beginning of the lines of a block that a `|` announces."""
        if self.lines is None:
            self.lines = self.text.split("\n")
        below = next((x for x in self.lines[mark.line + 1 :] if x.strip()), "")
        return _Spot(mark.line + 1, len(below) - len(below.lstrip(" ")))

    def mapping(self, event: Any) -> None:
        self.begin({}, NodePlace(event.start_mark, {}), event)

    def sequence(self, event: Any) -> None:
        self.begin([], NodePlace(event.start_mark), event)

    def end(self, event: Any) -> None:
        self.stack.pop()
        self.frame = self.stack[-1]

    # ---- parts of them

    def begin(self, tree: list[Tree] | dict[str, Tree], place: NodePlace, event: Any) -> None:
        if event.tag is not None or event.anchor is not None:
            self.refuse_extras(event)
        if len(self.stack) > DEPTH:
            self.refuse(place.mark, "too-deep", TOO_DEEP)
            raise _GiveUp
        self.put(tree, place, place.mark)
        self.frame = _OpenNode(tree, place, event.flow_style)
        self.stack.append(self.frame)

    def put(self, tree: Tree, place: NodePlace | TextMark, mark: TextMark) -> None:
        """Add an item to the current list, or a value to the current mapping."""
        frame = self.frame
        into = frame.tree
        key = frame.key
        if into.__class__ is list:
            frame.parts[len(into)] = place
            into.append(tree)
        elif key is None:
            self.refuse(
                mark, "bad-name", "a name is missing before ':'", "a list cannot be a name; put text in quotes"
            )
            frame.key = _REFUSED
        else:
            if key is not _REFUSED:
                into[key] = tree
                frame.parts[key] = place
            frame.key = None

    def set_key(self, frame: _OpenNode, text: str, mark: TextMark, *, plain: bool) -> None:
        keys = frame.keys
        if plain and frame.flow and text[:1].isdigit() and self.is_half_hex(frame, text, mark):
            return
        if text not in keys and bad_character(text) < 0 and (not plain or (text and text != "<<")):
            keys[text] = mark
            frame.key = text
            return
        frame.key = _REFUSED
        if text in keys:
            message = f"{quoted(text)} stands here twice"
            self.refuse(
                mark, "given-twice", message, f"it stands in line {keys[text].line + 1} already: join the two"
            )
        elif plain and text == "<<":
            self.refuse(mark, "merge", "'<<' cannot be a name", "write out what it stands for")
        elif not text:
            self.refuse(mark, "bad-name", "a name is missing before this ':'")
        else:
            message = f"{BAD_CHARACTER} in the name {text[:40]!a}"
            self.refuse(mark, "control-character", message, "remove it")

    def is_half_hex(self, frame: _OpenNode, text: str, mark: Any) -> bool:
        """True if a key is one half of an unquoted hex; the other half is then skipped too."""
        if frame.flow is _HALF:
            frame.flow, frame.key = True, _REFUSED
            return True
        found = split_in_mapping(self.text, mark.index, text)
        if found is None:
            return False
        at, hex_ = found
        before = self.text.rfind("\n", 0, at)
        place = _Spot(self.text.count("\n", 0, at), at - before - 1)
        self.refuse(place, UNQUOTED, unquoted_hex(hex_), UNQUOTED_HELP)
        frame.flow, frame.key = _HALF if at == mark.index else True, _REFUSED
        return True

    def refuse_extras(self, event: Any) -> None:
        if event.anchor is not None:
            message = f"{quoted('&' + event.anchor)} needs quotes: it begins with '&'"
            self.refuse(event.start_mark, "alias", message, "put the whole text in quotes")
        if event.tag is not None:
            shown = event.tag.replace("tag:yaml.org,2002:", "!!", 1)
            message = f"{quoted(shown)} needs quotes: it begins with '!'"
            self.refuse(event.start_mark, "tag", message, "put the whole text in quotes")


@dataclass
class _Spot:
    line: int
    column: int


_START = _Spot(0, 0)
