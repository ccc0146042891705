"""Games from the text of a position file."""

from __future__ import annotations

from pathlib import Path

import vclogic
from vclogic.game import Game


def load(folder: Path, text: str) -> Game:
    """The game that a position file says.

    Args:
        folder: Where to write it.
        text: What it says.
    """
    file = folder / "position.yaml"
    file.write_text(text, encoding="utf-8")
    return vclogic.load(str(file))
