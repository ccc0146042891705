"""Counted nouns, such as `2 captures`, chances, such as `12.5 %`, and numbers that a text says in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_UNCOUNTED = ("infantry", "cavalry", "artillery", "armour")
"""Words without a plural."""
_ENDINGS = re.compile(r"e?s\b")
_HISSING = ("s", "x", "ch", "sh")
_SEVERAL = {"has": "have", "does": "do", "is": "are", "was": "were", "goes": "go"}


def amount(n: int, name: str) -> str:
    """A number with its noun, such as `1 capture` or `2 rounds of marches`.

    Args:
        n: The number.
        name: What they are called, in the singular or in the plural.
    """
    return f"{n} {_singular(name) if n == 1 else plural(name)}"


def spanning(least: str, most: str) -> str:
    """One sentence for two that differ in numbers and plurals alone: `buy 1 to 3 fighters`; else empty.

    Args:
        least: The sentence with the least numbers.
        most: The one with the largest.
    """
    one, other = (re.split(r"(\d+)", text) for text in (least, most))
    if [_ENDINGS.sub("", x) for x in one[::2]] != [_ENDINGS.sub("", x) for x in other[::2]]:
        return ""
    pairs = list(zip(one, other, strict=True))
    return "".join(f"{a} to {b}" if i % 2 and a != b else b for i, (a, b) in enumerate(pairs))


def ordinal(n: int) -> str:
    """A place in a row, such as `1st` or `22nd`."""
    last = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{'th' if n % 100 in (11, 12, 13) else last}"


def plural(name: str) -> str:
    """The plural of a noun; of `round of marches` it is `rounds of marches`."""
    noun, of, rest = _singular(name).partition(" of ")
    if noun in _UNCOUNTED:
        return name
    if noun.endswith("y") and noun[-2:-1] not in "aeou":
        return f"{noun[:-1]}ies{of}{rest}"
    return f"{noun}{'es' if noun.endswith(_HISSING) else 's'}{of}{rest}"


def is_plural(name: str) -> bool:
    """True if a name, such as that of a side, stands for several: `Germans`, but neither `US` nor `Axis`."""
    return name.endswith("s") and not name.endswith(("ss", "is", "us"))


def of_side(name: str) -> str:
    """A side in a sentence: `the Germans`, but `the Japan side`."""
    return f"the {name}" if is_plural(name) else f"the {name} side"


def verb(name: str, one: str) -> str:
    """A verb that agrees with a name: `Red wins`, `Germans win`.

    Args:
        one: The verb with one.
    """
    return (_SEVERAL.get(one) or one.removesuffix("s")) if is_plural(name) else one


def in_parts(n: int, scale: int) -> str:
    """A number that is counted in parts of one, such as `3.214` for 3214 thousandths.

    Args:
        n: The number of parts.
        scale: How many make one: a power of ten.
    """
    return f"{n / scale:.{len(str(scale)) - 1}f}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Parts as in a sentence: `a, b and c`."""
    return f" {last} ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def percent(chance: float | Fraction, places: int = 1) -> str:
    """A chance, such as `12.5 %`; `100 %` only where it is certain, `0 %` only where it is impossible.

    Args:
        places: How many decimals are shown.
    """
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    shown, least = f"{float(100 * chance):.{places}f}", 10**-places
    if float(shown) in (0, 100):
        return f"over {100 - least:.{places}f} %" if float(shown) else f"under {least:.{places}f} %"
    return f"{shown} %"


def expected(number: float | Fraction) -> str:
    """An expected number, such as `1.64`; `0` only where it is nothing."""
    shown = f"{float(number):.2f}"
    return "0" if number == 0 else "under 0.01" if shown == "0.00" else shown


def _singular(name: str) -> str:
    noun, of, rest = name.partition(" of ")
    if noun.endswith("ies"):
        noun = f"{noun[:-3]}y"
    elif noun.endswith(("sses", "xes", "ches", "shes")):
        noun = noun[:-2]
    elif not noun.endswith("ss"):
        noun = noun.removesuffix("s")
    return noun + of + rest


_UNITS = {
    word: n for n, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 1)
}

_TENS = {
    f"{word}ty": 10 * n for n, word in enumerate(["twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"], 2)
}
_OTHERS = {"ten": 10, "eleven": 11, "twelve": 12, "twice": 2, "double": 2, "pair": 2, "thrice": 3, "dozen": 12}
_WORDS = _UNITS | _OTHERS
NUMBER = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_UNITS)}))?|{'|'.join(_WORDS)}|\d+)"
"""The pattern of a whole number in digits or, in small letters, in words."""
_NUMBER = re.compile(rf"(?<![\w.-]){NUMBER}(?![\w-]|\.\d)")


def numbers_in(text: str) -> dict[int, str]:
    """The whole numbers that a text says, each with its word; not those within others, as in `two-thirds` or `A1`."""
    return {number_of(m[0]): m[0] for m in _NUMBER.finditer(text.lower())}


def number_of(word: str) -> int:
    """The number that a word of the pattern `NUMBER` says."""
    tens, _, unit = word.partition("-")
    if word.isdecimal():
        return int(word)
    return _TENS[tens] + _WORDS.get(unit, 0) if tens in _TENS else _WORDS[word]


def bounds(least: str, most: str) -> str:
    """Numbers that something lies between: `at least 4`, `between 4 and 17 moves`, `17`; empty if none is known.

    Args:
        least: The lower one in words; empty: none is known.
        most: The upper one in words; empty: none is known.
    """
    if least and most:
        return f"between {least} and {most}"
    return f"at least {least}" if least else most
