"""A page that leads through work at a shell: its commands are run, its changes made, and what it shows compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command with what it shows; a line `...` stands for any lines, at a line's end for any words."""

    words: str
    shown: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """What the whole output has to look like, but for empty lines and what stands at line ends."""
        lines = [line.rstrip() for line in self.shown.splitlines() if line.strip()]
        parts = [r"(?:.*\n)*?" if line == "..." else _line(line) + r"\n" for line in lines]
        return re.compile("".join(parts))

    def fits(self, output: str) -> bool:
        """Whether an output is what is shown."""
        lines = [line.rstrip() for line in output.splitlines() if line.strip()]
        return self.pattern.fullmatch("".join(f"{line}\n" for line in lines)) is not None


def _line(line: str) -> str:
    return re.escape(line.removesuffix("...")) + ".*" if line.endswith("...") else re.escape(line)


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    return [Block(m[1], m[2], page.count("\n", 0, m.start()) + 1) for m in _BLOCK.finditer(page)]


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block of the language `console`."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        words, _, shown = part.partition("\n")
        yield Command(words, shown)


def change(block: Block, folder: Path) -> None:
    """Makes the change of a block of the language `diff`: its old lines stand once in the file that it names."""
    head, *lines = block.text.splitlines()
    file = folder / head.removeprefix("--- ")
    old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    text = file.read_text()
    assert text.count(old) == 1, f"line {block.line}: not once in {file.name}:\n{old}"
    file.write_text(text.replace(old, new))
