"""Recognise unquoted hexes, which YAML splits at the comma: `4,3` becomes two items."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from vclogic.errors import Diagnostic, InputError
from vclogic.files.tree import Quoted, Tree
from vclogic.terms.lexer import is_hex

UNQUOTED = "unquoted-hex"
HELP = "without quotes its comma ends the value"
_NUMBER = re.compile(r"[0-9]{1,9}")
_VALUE_BEFORE = re.compile(r":\s*([0-9]{1,9})\s*,\s*$")
_KEY_AFTER = re.compile(r"\s*,\s*([0-9]{1,9})\s*:(?=\s)")
_NO_VALUE = re.compile(r"\s*[,}]")
_NEAR = 60


def message(hex_: str) -> str:
    """The message for an unquoted hex."""
    return f"a hex wants quotes: '{hex_}'"


def split_in_mapping(text: str, at: int, key: str) -> tuple[int, str] | None:
    """The hex of which a key in braces is a half: `{A: 4,3}` has a key 3, `{4,3: A}` a key 4, without a value.

    Args:
        text: The file's text.
        at: Where the key stands in it.
        key: The key, as written.

    Returns:
        Where the hex begins and the hex, or None.
    """
    end = at + len(key)
    if not _NUMBER.fullmatch(key) or not _NO_VALUE.match(text, end):
        return None
    near = max(0, at - _NEAR)
    before, after = _VALUE_BEFORE.search(text[near:at]), _KEY_AFTER.match(text, end)
    if before:
        return near + before.start(1), f"{before[1]},{key}"
    return (at, f"{key},{after[1]}") if after else None


def split_in_list(items: list[Tree]) -> tuple[int, str] | None:
    """The first hex that is split into two numbers of a list: its position and the hex; or None."""
    for i, (a, b) in enumerate(pairwise(items)):
        if _is_number(a) and _is_number(b):
            return i, f"{a},{b}"
    return None


def check_list(tree: Tree, names: Iterable[str]) -> None:
    """Check that a list, where names are expected, contains no split hex.

    Args:
        tree: The list.
        names: The allowed names; without hexes among them there is nothing to check.

    Raises:
        InputError: It contains one; without a place.
    """
    found = split_in_list(tree) if isinstance(tree, list) else None
    if found and any(map(is_hex, names)):
        raise InputError(Diagnostic(UNQUOTED, message(found[1]), help=HELP))


def _is_number(tree: Tree) -> bool:
    return isinstance(tree, str) and not isinstance(tree, Quoted) and _NUMBER.fullmatch(tree) is not None
