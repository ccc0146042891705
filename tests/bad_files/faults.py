"""Files as players get them wrong, and what the program says of each: the data beside this module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from vclogic.files.registry import encoding_names

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "messages.md"
ANY = "any"
"""The file with faults of no game in particular."""
GROUPS = (ANY, *encoding_names())


@dataclass(frozen=True)
class Fault:
    """A file or a question that is wrong.

    Attributes:
        what: What is wrong with it, in a line.
        file: The text of the position file.
        says: All that the program writes.
        ask: What is asked of the position; empty: its status.
        name: What the file is called.
    """

    what: str
    file: str
    says: str
    ask: str = ""
    name: str = "position.yaml"

    @property
    def words(self) -> tuple[str, ...]:
        """The words after `vclogic`."""
        return ("ask", self.name, self.ask) if self.ask else ("status", self.name)


def faults(group: str) -> tuple[Fault, ...]:
    """The faults of a game, or of none."""
    found: list[dict[str, Any]] = yaml.load((HERE / f"{group}.yaml").read_text(), yaml.CSafeLoader)
    return tuple(Fault(**fault) for fault in found)


def page(titles: Callable[[str], str]) -> str:
    """The page that shows them all.

    Args:
        titles: The title of a game.
    """
    parts = [(HERE / "page.md").read_text()]
    for group in GROUPS:
        parts.append(f"\n## {'Any game' if group == ANY else titles(group)}\n")
        for fault in faults(group):
            asked = f"\n`vclogic ask {fault.name} '{fault.ask}'`\n" if fault.ask else ""
            parts.append(f"\n### {fault.what[:1].upper()}{fault.what[1:]}\n{asked}\n```text\n{fault.says}```\n")
    return "".join(parts)
