"""Rephrase YAML syntax errors for people who rarely write YAML."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from vclogic.errors import Diagnostic, quoted
from vclogic.files.source import Source
from vclogic.files.tree import TextMark


class _YamlWords(NamedTuple):
    message: str
    help: str | None = None
    at_context: bool = False


_INDENT = "begin this line as far to the right as its neighbours"
_OPEN = "look for a bracket or a quote that is left out, in this line or below"
_QUOTE = "put it in quotes"
_QUOTES = "is a quote left out before it? an apostrophe in single quotes is written ''"
_CLOSE = "write the same quote again where the text ends"
_PAIR = "write `NAME: VALUE`, or `NAME:` and more below it"
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
