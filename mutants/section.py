"""A page with one of its sections written anew."""

from __future__ import annotations

import re


def with_section(page: str, section: str) -> str:
    """A page with a section in place of the one with the same heading, or before the last one."""
    heading = section.partition("\n")[0]
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    kept = [part for part in parts if part.partition("\n")[0] != heading]
    place = next((i for i, part in enumerate(parts) if part not in kept), len(kept) - 1)
    text = "".join((*kept[:place], section.strip() + "\n\n", *kept[place:]))
    return text.rstrip("\n") + "\n"
