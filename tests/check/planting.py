"""Mistakes as designers make them, planted in rulebooks by a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

SOUND = Path(__file__).parent / "sound"
_WON = re.compile(r"^(?:otherwise )?\S.*? (?:wins?|loses?) \w+", re.MULTILINE)


@dataclass(frozen=True)
class Planted:
    """A rulebook with one mistake.

    Attributes:
        book: The rulebook.
        kind: What kind of mistake it is.
        line: The line that is changed.
        old: What stands there.
        new: What stands there instead; empty: the line is gone.
    """

    book: str
    kind: str
    line: int
    old: str
    new: str

    @property
    def text(self) -> str:
        """The whole rulebook."""
        lines = (SOUND / f"{self.book}.md").read_text(encoding="utf-8").splitlines(keepends=True)
        lines[self.line - 1] = f"{self.new}\n" if self.new else ""
        return "".join(lines)


def _number(line: str, by: int) -> Iterator[str]:
    """The line with each number that is compared changed."""
    for m in re.finditer(r"((?:>=|<=|==|>|<) )(\d+)", line):
        if int(m[2]) + by >= 0:
            yield f"{line[: m.start()]}{m[1]}{int(m[2]) + by}{line[m.end() :]}"


def _swapped(line: str, *pairs: tuple[str, str]) -> Iterator[str]:
    for a, b in pairs:
        for m in re.finditer(a, line):
            yield line[: m.start()] + m.expand(b) + line[m.end() :]


def _time(line: str) -> Iterator[str]:
    yield from _swapped(
        line, (r"\bat once\b", "at the end of a turn"), (r"\bat the end of a \w+(?: of side)?\b", "at once")
    )


Change = Callable[[str, tuple[str, ...]], Iterator[str]]
KINDS: dict[str, tuple[str, Change]] = {
    "threshold": ("won", lambda line, _: (x for by in (-1, 1) for x in _number(line, by))),
    "threshold of a need": ("needs", lambda line, _: (x for by in (-1, 1) for x in _number(line, by))),
    "comparison": ("won", lambda line, _: _swapped(line, (r" > ", " >= "), (r" >= ", " > "))),
    "side swapped": (
        "won",
        lambda line, sides: _swapped(
            line,
            (rf"^{sides[0]} ", f"{sides[1]} "),
            (rf"^{sides[1]} ", f"{sides[0]} "),
            (r"^side wins", "side loses"),
            (r"^side loses", "side wins"),
            (r"enemy\(side\)", "side"),
        ),
    ),
    "never holds": ("won", lambda line, _: _number(line, 40)),
    "judged at another time": ("won", lambda line, _: _time(line)),
    "connective": ("any", lambda line, _: _swapped(line, (r" and ", " or "), (r" or ", " and "))),
    "tie missing": ("otherwise", lambda line, _: iter([""])),
    "need missing": ("needs", lambda line, _: iter([""])),
    "need against itself": (
        "needs",
        lambda line, _: _swapped(line, (r"^(  needs )not ", r"\1"), (r"^(  needs )(\w+\(.*?\))(?=,|$)", r"\1not \2")),
    ),
    "effect missing": ("then", lambda line, _: iter([""])),
    "effect the other way": ("then", lambda line, _: _swapped(line, ("rises", "falls"), ("falls", "rises"))),
    "rounds": ("rounds", lambda line, _: (f"rounds {int(line.split()[1]) + by}" for by in (-1, 1))),
    "counted twice": ("means", lambda line, _: _swapped(line, (r"means (sum\(.*\))$", r"means \1 + \1"))),
}


def _is(what: str, line: str) -> bool:
    if what == "won":
        return bool(_WON.match(line)) and not line.startswith("otherwise")
    if what == "any":
        return line.startswith("  needs") or bool(_WON.match(line))
    if what == "means":
        return " means " in line
    return line.strip().startswith(what)


def plants(book: str) -> list[Planted]:
    """All mistakes of these kinds that a rulebook has room for."""
    found, block, text = [], "", (SOUND / f"{book}.md").read_text(encoding="utf-8")
    named = re.search(r"^sides (\w+), (\w+)", text, re.MULTILINE)
    assert named is not None, book
    for number, line in enumerate(text.splitlines(), 1):
        block = line[3:] if line.startswith("```") else block
        if block != "vclogic":
            continue
        for kind, (what, change) in KINDS.items():
            if _is(what, line):
                found += [
                    Planted(book, kind, number, line, new) for new in change(line, named.groups()) if new != line
                ]
    return found


def drawn(number: int, seed: int) -> list[Planted]:
    """So many mistakes, drawn from all rulebooks and kinds in turn."""
    random, books = Random(seed), sorted(p.stem for p in SOUND.glob("*.md"))
    random.shuffle(books)
    kinds = [*KINDS]
    random.shuffle(kinds)
    chosen: list[Planted] = []
    while len(chosen) < number:
        book, kind = books[len(chosen) % len(books)], kinds[len(chosen) % len(kinds)]
        there = [p for p in plants(book) if p not in chosen]
        chosen.append(random.choice([p for p in there if p.kind == kind] or there))
    return chosen
