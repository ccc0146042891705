"""Names of a map as a rulebook writes them: quoted where they are no plain words; single words for definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAP = ".xml"
"""The ending of the name of a map's file."""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")
_WORDS = """
    and or not in of to by for where if is some no count sum max min true false means becomes rises falls starts
    needs then else says weight wins loses side power turn round phase other through with nobody alone at the end
    start over met happens before after holds connected adjacent distance enemy every except group kind areas fact
    event never always table otherwise reading option include python left mark accept sides rounds pass grid hexes
    from default under given play expect refused row column terrain allowed can
"""
_STRANGE = str.maketrans({"|": "/", "\\": "/", "*": "+", "`": "'", '"': "'", "<": "(", ">": ")"})
_RESERVED = frozenset(_WORDS.split())


def quoted_name(name: str) -> str:
    """A name as an expression has it: as it stands where it is a plain word, else in quotes."""
    if _PLAIN.match(name) and name.lower() not in _RESERVED:
        return name
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}"


def plain(text: str) -> str:
    """A name of a map without the characters that no table or line of a rulebook takes, and with single spaces."""
    return " ".join(text.translate(_STRANGE).split())


def cell(name: str) -> str:
    """A name as a cell of a table has it."""
    return name.replace("|", "/").replace("\n", " ")


def prose(text: str) -> str:
    """A text of the map as a sentence shows it: without what Markdown would read as more than letters."""
    return re.sub(r"[*`\[\]<>|\\#\n]", " ", text).replace("{", "(").replace("}", ")")


class Words:
    """Single words that stand for names, each once.

    Args:
        taken: Words that mean something already.
    """

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*taken, *_RESERVED}
        self._known: dict[str, str] = {}

    def word(self, name: str, *, what: str = "") -> str:
        """The word for a name: its letters and digits, with a number behind them where another one has these.

        Args:
            name: The name.
            what: Names of different kinds of things have words of their own.
        """
        known = f"{what} {name}"
        if known not in self._known:
            base = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "it"
            base = base if base[0].isalpha() else f"n_{base}"
            word, number = base, 2
            while word.lower() in self._taken:
                word, number = f"{base}_{number}", number + 1
            self._taken.add(word.lower())
            self._known[known] = word
        return self._known[known]


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Names as a sentence lists them."""
    all_of = [prose(n) for n in names]
    return f"{', '.join(all_of[:-1])} {joint} {all_of[-1]}" if len(all_of) > 1 else "".join(all_of)
