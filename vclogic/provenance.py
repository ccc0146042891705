"""Record the line of a game's code that creates a rule, outcome or Reading, for reports that point there."""

from __future__ import annotations

import sys
from dataclasses import dataclass

TYPED = "outcomes"
"""What stands for the function of a line of a text of rules."""
_MOST = 4
_PASSED = frozenset(sys.stdlib_module_names)


@dataclass(frozen=True)
class CodePlace:
    """A line of a game's code.

    Attributes:
        file: The file.
        line: The line, counted from 1.
        function: The function that it stands in, with its module's last name.
    """

    file: str
    line: int
    function: str


Places = tuple[CodePlace, ...]
"""A line and the lines that called it, innermost first."""


def here(*, never_through: str = "") -> Places:
    """The current line of a game's code, and those of the same package that called it.

    Args:
        never_through: A module of the engine; what is made on its behalf has no place.

    Returns:
        At most four lines; none where no code outside the engine takes part.
    """
    found: list[CodePlace] = []
    package = ""
    frame = sys._getframe(1)
    while frame is not None and len(found) < _MOST:
        module = str(frame.f_globals.get("__name__", ""))
        top = module.partition(".")[0]
        if module == never_through:
            return ()
        if top == package or (not package and top != "vclogic" and top not in _PASSED):
            package = top
            code = frame.f_code
            name = f"{module.rpartition('.')[2]}.{code.co_qualname.replace('.<locals>', '')}"
            found.append(CodePlace(code.co_filename, frame.f_lineno, name))
            if code.co_name == "<module>":  # what imports it has no part in it
                break
        elif package and top not in _PASSED and not module.startswith(("vclogic.model.", "vclogic.terms.")):
            break
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(found)
