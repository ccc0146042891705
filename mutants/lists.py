"""The lists of planted defects, and how one is planted into a copy of an encoding or of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
LISTS = Path(__file__).parent / "lists"
ENCODINGS = ROOT / "encodings" / "vclogic_encodings"
ENGINE = "engine"
"""What stands for a game where a defect is one of the engine."""


TEXTS = "texts"
"""The same for the rulebooks and conditions of `examples`."""
EXAMPLES = ROOT / "examples"


class Misplaced(Exception):
    """A defect cannot be planted: the text to replace does not stand exactly once in its file."""


@dataclass(frozen=True)
class Mutant:
    """One planted defect.

    Attributes:
        game: The encoding, `ENGINE` or `TEXTS`.
        name: What it is called; unique in its game.
        says: What is wrong with the rule then, in a sentence.
        breaks: Id of the clause that it breaks; of the engine and of texts, the kind of mistake.
        file: The file in `source`.
        old: The text that is replaced; it stands there once.
        new: The text that replaces it.
        why: Of the engine: why an answer is another one then.
        noticed: Of the engine: the test that noticed it last.
        opinion: Of the engine: what was expected of the second opinion alone (`mutants.opinion.GUESSES`), before it
            was asked; empty: it is not asked.
    """

    game: str
    name: str
    says: str
    breaks: str
    file: str
    old: str
    new: str
    why: str = ""
    noticed: str = ""
    opinion: str = ""

    @property
    def source(self) -> Path:
        """The folder of what it spoils: that of the encoding, the root, or the examples."""
        return {ENGINE: ROOT, TEXTS: EXAMPLES}.get(self.game, ENCODINGS / self.game)

    def planted(self, text: str) -> str:
        """A file's text with the defect.

        Raises:
            Misplaced: The text to replace stands there not at all, or more than once.
        """
        found = text.count(self.old)
        if found != 1:
            raise Misplaced(f"{self.game}: {self.name!r}: its text stands {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)

    def plant(self, folder: Path) -> None:
        """Writes the defect into a copy of `source`.

        Args:
            folder: The copy.

        Raises:
            Misplaced: As for `planted`.
        """
        file = folder / self.file
        file.write_text(self.planted(file.read_text(encoding="utf-8")), encoding="utf-8")


def games() -> tuple[str, ...]:
    """The encodings that there is a list for, sorted."""
    return tuple(sorted(file.stem for file in LISTS.glob("*.yaml") if file.stem not in (ENGINE, TEXTS)))


def mutants(game: str) -> Sequence[Mutant]:
    """The defects of an encoding or of the engine, in the order of its list.

    Args:
        game: The encoding, `ENGINE` or `TEXTS`.

    Raises:
        OSError: There is no list for it.
        TypeError: An entry of the list lacks something, or has something unknown.
    """
    entries = yaml.load((LISTS / f"{game}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [Mutant(game=game, **entry) for entry in entries]
