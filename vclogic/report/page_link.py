"""Links that open a moment on the page; `page/src/link.mjs` reads them."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from vclogic.files.outcomes import OUTCOMES, text_node
from vclogic.files.trees.located import Node
from vclogic.files.write import noting, plain
from vclogic.game import Game

RECORD = "record"
"""The key of a position file under which its steps stand."""
LONGEST = 8_000
"""Longer links are refused by some programs that pass them on."""


def position_and_steps(node: Node) -> tuple[dict[str, Any], Sequence[Any]]:
    """The content of a position file but for its record, and the steps of its record, as the page has them.

    Raises:
        InputError: It is wrong.
    """
    noted = noting(node)
    Game.load(noted)
    position = plain(noted)
    if isinstance(position.get(OUTCOMES), dict):  # who edits it there types text
        position[OUTCOMES] = str(text_node(node.section(OUTCOMES)).tree)
    return position, position.pop(RECORD) if isinstance(position.get(RECORD), list) else ()


def page_link(page: str, position: Mapping[str, Any], steps: Sequence[Any]) -> str | None:
    """The link that opens the end of a record on a page; None where it is longer than links may be.

    Args:
        page: The address of the page.
        position: What the position file holds but for its record.
        steps: Its record.
    """
    held = json.dumps({"g": position, "s": {}, "t": steps}, ensure_ascii=False, separators=(",", ":"))
    packed = zlib.compress(held.encode(), 9, -zlib.MAX_WBITS)
    link = f"{page.partition('#')[0]}#v1.{urlsafe_b64encode(packed).decode().rstrip('=')}"
    return link if len(link) <= LONGEST else None
