"""The fields of a file's dataclass, and the error if no file can be read into it."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from typing import Any, get_type_hints

from vclogic.errors import Diagnostic, InputError

_HELP = (
    "a file holds str, int, bool, Literal of texts, tuples and mappings (from str) of these, dataclasses of these, "
    "and each with None"
)


@functools.cache
def fields_of(cls: type) -> dict[str, Any]:
    """The type of each field of a dataclass.

    Raises:
        InputError: It is not a dataclass, or names types that do not exist; at the class.
    """
    if not dataclasses.is_dataclass(cls):
        raise _broken(cls, f"{_name(cls)} is read from files, and is no dataclass")
    try:
        hints = get_type_hints(cls, include_extras=True)
    except Exception as error:  # the annotations are code of whoever wrote the class
        message = f"the types of the fields of {_name(cls)} cannot be told: {type(error).__name__}: {error}"
        raise _broken(cls, message) from error
    return {f.name: hints[f.name] for f in dataclasses.fields(cls)}


def unreadable(cls: type, field: str, hint: Any) -> InputError:
    """The error for a field of a dataclass that no file can be read into, at its line."""
    shown = hint.__name__ if isinstance(hint, type) and not hasattr(hint, "__args__") else str(hint)
    return _broken(cls, f"no file can be read into the field {field!r} of {_name(cls)}: its type is {shown}", field)


def _broken(cls: type, message: str, field: str | None = None) -> InputError:
    return InputError(Diagnostic("broken-encoding", message, *_place(cls, field), help=_HELP))


def _place(cls: type, field: str | None) -> tuple[str | None, int | None]:
    """File and line of a class, or of a field in it."""
    try:
        file = inspect.getsourcefile(cls)
        lines, first = inspect.getsourcelines(cls)
    except (OSError, TypeError):  # it was made by a program, not in a file
        return None, None
    pattern = re.compile(rf"\s*{field}\s*:") if field else re.compile(r"\s*class\b")
    return file, next((first + i for i, line in enumerate(lines) if pattern.match(line)), first)


def _name(cls: type) -> str:
    return f"the class {cls.__module__}.{cls.__qualname__}"
