"""Read scalars: whole numbers, truth values, words; and hexes such as `4,3`, which YAML splits at the comma."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from vclogic.errors import Diagnostic, InputError, did_you_mean, shortened, shown
from vclogic.files.trees.located import NotedText, Quoted, Tree, describe
from vclogic.model.fluents import written
from vclogic.terms.expressions.lexer import is_hex

UNQUOTED = "unquoted-hex"
UNQUOTED_HELP = "without quotes its comma ends the value"
_DIGITS = re.compile(r"[0-9]{1,9}")
_VALUE_BEFORE = re.compile(r":\s*([0-9]{1,9})\s*,\s*$")
_KEY_AFTER = re.compile(r"\s*,\s*([0-9]{1,9})\s*:(?=\s)")
_NO_VALUE = re.compile(r"\s*[,}]")
_NEAR = 60


def unquoted_hex(hex_: str) -> str:
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
    if not _DIGITS.fullmatch(key) or not _NO_VALUE.match(text, end):
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


def check_hexes(tree: Tree, names: Iterable[str]) -> None:
    """Check that a list, where names are expected, contains no split hex.

    Args:
        tree: The list.
        names: The allowed names; without hexes among them there is nothing to check.

    Raises:
        InputError: It contains one; without a place.
    """
    found = split_in_list(tree) if isinstance(tree, list) else None
    if found and any(map(is_hex, names)):
        raise InputError(Diagnostic(UNQUOTED, unquoted_hex(found[1]), help=UNQUOTED_HELP))


def _is_number(tree: Tree) -> bool:
    return isinstance(tree, str) and not isinstance(tree, Quoted) and _DIGITS.fullmatch(tree) is not None


LARGEST = 10**9
"""No number in a file is larger, or smaller than its negative."""

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?", re.ASCII)
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
"""The words for a truth value, in any case."""


def wrong(message: str, help: str | None = None, code: str = "wrong-value") -> InputError:
    """The error for a value, without a place."""
    return InputError(Diagnostic(code, message, help=help))


def as_text(name: str, value: object) -> str:
    """A value that is given in Python, as files write it.

    Raises:
        InputError: It has no text.
    """
    try:
        return written(value)  # type: ignore[arg-type]
    except Exception as error:  # numbers of thousands of digits, and what else has no text
        raise wrong(f"{name}: expected a name or a number, found {shown(value)}") from error


def about(name: str, error: InputError) -> InputError:
    """The same error, each message prefixed by its subject."""
    return InputError(replace(d, message=f"{name}: {d.message}") for d in error.diagnostics)


def whole_number(tree: Tree, lo: int = -LARGEST, hi: int = LARGEST) -> int:
    """Read a whole number, as people write it: `3`, not `3.0`, `1_000`, `0x10`, `03` or `'3'`.

    Args:
        tree: The scalar.
        lo: The smallest allowed number.
        hi: The largest allowed number.

    Raises:
        InputError: It is not a whole number (`wrong-value`), or not from `lo` to `hi` (`out-of-range`).
    """
    limited = (lo, hi) != (-LARGEST, LARGEST)
    wanted = "a whole number" + (f" from {lo} to {hi}" if limited else "")
    if not isinstance(tree, str) or not _WHOLE.fullmatch(tree):
        raise wrong(f"expected {wanted}, found {describe(tree)}")
    if isinstance(tree, Quoted):
        raise wrong(f"expected {wanted}, found {describe(tree)}", f"write {shortened(tree)} without quotes")
    if len(tree) > 11 or not lo <= int(tree) <= hi:
        hint = None if limited else f"no number in a file is beyond {LARGEST}"
        raise wrong(f"expected {wanted}, found {shortened(tree)}", hint, "out-of-range")
    return _noted(tree, int(tree))


def _noted(tree: Tree, value: int) -> int:
    if isinstance(tree, NotedText):
        tree.value = value
    return value


def number_in(tree: Tree, allowed: range) -> int:
    """Read a whole number of a range.

    Raises:
        InputError: It is not a whole number, or not in the range.
    """
    number = whole_number(tree, min(allowed), max(allowed))
    if number not in allowed:
        some = ", ".join(str(n) for n in allowed[:4])
        raise wrong(f"expected one of {some}, ..., found {number}", code="out-of-range")
    return number


def number(tree: Tree) -> float:
    """Read a number, with or without a fraction.

    Raises:
        InputError: It is not a number.
    """
    if not isinstance(tree, str) or isinstance(tree, Quoted) or not _NUMBER.fullmatch(tree):
        raise wrong(f"expected a number, found {describe(tree)}")
    return float(tree)


def truth(tree: Tree) -> bool:
    """Read a truth value: `true` or `false`, or as in YAML 1.1 `yes`, `no`, `on`, `off`, in any case.

    Raises:
        InputError: It is not a truth value.
    """
    value = TRUTH.get(tree.lower()) if isinstance(tree, str) and not isinstance(tree, Quoted) else None
    if value is None:
        quoted = isinstance(tree, Quoted) and tree.lower() in TRUTH
        hint = f"write {tree} without quotes" if quoted else None
        raise wrong(f"expected true or false, found {describe(tree)}", hint)
    return bool(_noted(tree, value))


def text(tree: Tree) -> str:
    """Read text, quoted or not.

    Raises:
        InputError: It is a list, a mapping, or nothing.
    """
    if not isinstance(tree, str):
        several = isinstance(tree, list)
        raise wrong(
            f"expected one name, found {describe(tree)}", "give one alone, without '[' ']'" if several else None
        )
    return str(tree)


def word(tree: Tree, allowed: Iterable[str]) -> str:
    """Read one of a few words.

    Raises:
        InputError: It is none of them (`bad-value`), or not text.
    """
    words = tuple(allowed)
    found = text(tree)
    if found not in words:
        few = len(words) <= 8
        wanted = " or ".join(words) if few else "one of " + ", ".join(words[:8]) + ", ..."
        near = None if few else did_you_mean(found, words)
        raise wrong(f"expected {wanted}, found {describe(tree)}", near, "bad-value")
    return found
