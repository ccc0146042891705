"""Counted nouns, such as `2 captures`."""

from __future__ import annotations

from collections.abc import Sequence


def amount(n: int, name: str) -> str:
    """A number with its noun, such as `1 capture` or `2 rounds of marches`.

    Args:
        n: The number.
        name: What they are called, in the singular or in the plural.
    """
    return f"{n} {_singular(name) if n == 1 else plural(name)}"


def plural(name: str) -> str:
    """The plural of a noun; of `round of marches` it is `rounds of marches`."""
    noun, of, rest = _singular(name).partition(" of ")
    return f"{noun}s{of}{rest}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Parts as in a sentence: `a, b and c`."""
    return f" {last} ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def _singular(name: str) -> str:
    noun, of, rest = name.partition(" of ")
    return noun.removesuffix("s") + of + rest
