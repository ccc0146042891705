"""Read files into frozen dataclasses.

The types of a plain dataclass become a schema of `pydantic_core`, pydantic's own engine. `TypeAdapter` on top of it
costs 0.15 s more at start-up, accepts `1_000` and `3.0` as whole numbers, and ignores extra keys in nested
dataclasses without pydantic configuration.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic_core import SchemaValidator, ValidationError
from pydantic_core import core_schema as cs

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.trees.findings import MOST, Findings
from vclogic.files.trees.located import Locator, Node, Path, describe
from vclogic.files.trees.scalars import number, split_in_list, truth, unquoted_hex, whole_number, word

T = TypeVar("T")
Texts = Annotated[tuple[str, ...], "one or several"]
"""In a dataclass: a list of texts, for which one text may stand without its list."""

Number = Annotated[float, "with or without a fraction"]
"""In the keys of a request: a number of seconds. Files of games have whole numbers only."""

_HELP = (
    "a file holds str, int, bool, Literal of texts, tuples and mappings (from str) of these, dataclasses of these, "
    "and each with None"
)


def check_as(cls: type[T], node: Node) -> T:
    """Read a part of a file as an instance of a dataclass.

    Args:
        cls: A dataclass whose fields are `str`, `int`, `bool`, `Literal` of texts, another such dataclass,
            `Mapping` or `dict` from text, `tuple` of one kind or of a fixed length, `X | None`, or `Any`
            (the bare tree). A key without a value is an empty list or mapping.
        node: The part.

    Raises:
        InputError: Every unknown or missing key and every value of another type; or the dataclass has a field of
            another kind (`broken-encoding`, at that field).
    """
    key: Any = cls  # mypy takes `type[T]` for not hashable
    try:
        result: T = _validator(key).validate_python(node.tree)
    except ValidationError as error:
        findings = Findings()
        for item in error.errors(include_url=False)[:MOST]:
            for diagnostic in _diagnostics(cls, item, node):
                findings.add(diagnostic)
        findings.stop()
        raise
    return result


def faulty_parts(cls: type, node: Node) -> list[Path]:
    """The parts of a file without which it would have the form of a dataclass, as far as can be told at once.

    Args:
        cls: The dataclass; see `check_as`.
        node: The part.

    Returns:
        Keys and numbers that lead to each; what misses a key is itself such a part.
    """
    try:
        _validator(cls).validate_python(node.tree)
    except ValidationError as error:
        return list(dict.fromkeys(map(_faulty_part, error.errors(include_url=False))))
    return []


def _faulty_part(error: Any) -> Path:
    path: Path = error["loc"]
    return path[:-1] if path[-1:] == (_KEY,) or error["type"] == "missing" else path


def check_class(cls: type) -> None:
    """Check that files can be read into a dataclass.

    Raises:
        InputError: They cannot, because of the field at the given place.
    """
    _validator(cls)


# ---- from types to a schema


@functools.cache
def _validator(cls: type) -> SchemaValidator:
    return SchemaValidator(_dataclass_schema(cls, ()))


def _dataclass_schema(cls: type, outer: tuple[type, ...]) -> cs.CoreSchema:
    """The schema of a dataclass nested in others."""
    hints = fields_of(cls)
    if cls in outer:
        raise _UnreadableType
    arguments = []
    for f in (f for f in dataclasses.fields(cls) if f.init):
        try:
            schema = _field_schema(f, hints[f.name], (*outer, cls))
        except _UnreadableType:
            raise unreadable(cls, f.name, hints[f.name]) from None
        arguments.append(cs.dataclass_field(f.name, schema, kw_only=f.kw_only is True))
    return cs.dataclass_schema(
        cls,
        cs.dataclass_args_schema(cls.__name__, arguments, extra_behavior="forbid"),
        list(hints),
        post_init=hasattr(cls, "__post_init__"),
        slots="__slots__" in vars(cls),
    )


class _UnreadableType(Exception):
    """No file can be read into a value of this type."""


def _field_schema(field: dataclasses.Field[Any], hint: Any, outer: tuple[type, ...]) -> cs.CoreSchema:
    schema = _schema(hint, outer)
    if field.default is not dataclasses.MISSING:
        return cs.with_default_schema(schema, default=field.default)
    if field.default_factory is not dataclasses.MISSING:
        return cs.with_default_schema(schema, default_factory=field.default_factory)
    return schema


def _schema(hint: Any, outer: tuple[type, ...]) -> cs.CoreSchema:
    origin, arguments = get_origin(hint), get_args(hint)
    scalar = next((schema for kind, schema in _SCALARS.items() if hint is kind), None)
    if scalar is not None:
        return scalar
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _dataclass_schema(hint, outer)
    if origin is Literal and all(isinstance(a, str) for a in arguments):
        return cs.no_info_plain_validator_function(lambda tree: word(tree, arguments))
    if origin in (Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        return cs.nullable_schema(_schema(_without_none(hint), outer))
    if origin in (dict, Mapping) and arguments and (arguments[0] is str or get_origin(arguments[0]) is Literal):
        return _or_empty(cs.dict_schema(_schema(arguments[0], outer), _schema(arguments[1], outer)), {})
    if hint == Number:
        return cs.no_info_plain_validator_function(number)
    if hint == Texts:
        return cs.no_info_before_validator_function(_listed, cs.tuple_variable_schema(cs.str_schema()))
    if origin is tuple and arguments[1:] == (...,):
        return _or_empty(cs.tuple_variable_schema(_schema(arguments[0], outer)), [])
    if origin is tuple and arguments:
        return cs.tuple_positional_schema([_schema(a, outer) for a in arguments])
    raise _UnreadableType


_SCALARS: dict[Any, cs.CoreSchema] = {
    str: cs.str_schema(),
    int: cs.no_info_plain_validator_function(whole_number),
    bool: cs.no_info_plain_validator_function(truth),
    Any: cs.any_schema(),
}


def _listed(tree: Any) -> Any:
    return [tree] if isinstance(tree, str) else [] if tree is None else tree


def _or_empty(schema: cs.CoreSchema, empty: Any) -> cs.CoreSchema:
    return cs.no_info_before_validator_function(lambda tree: empty if tree is None else tree, schema)


# ---- from pydantic's errors to diagnostics


def _diagnostics(cls: type, error: Any, node: Node) -> list[Diagnostic]:
    where = node.where
    path: Path = error["loc"]
    kind: str = error["type"]
    key = path[-1:] == (_KEY,)
    path = path[:-1] if key else path
    cause = error.get("ctx", {}).get("error")
    if kind == "unexpected_keyword_argument":
        there = functools.reduce(Node.part, path[:-1], node).tree
        beside = there if isinstance(there, dict) else {}
        near = did_you_mean(str(path[-1]), fields_of(_hint_at(cls, path[:-1])), there=beside)
        message = f"{quoted(path[-1])} cannot stand here{_inside(path)}"
        return [where.diagnostic("unknown-entry", message, path, key=True, help=near)]
    if kind == "missing" and isinstance(path[-1], str):
        message = f"`{path[-1]}:` is missing{_inside(path)}"
        return [where.diagnostic("missing-entry", message, path[:-1], key=True, help=f"add `{path[-1]}: ...`")]
    # An item of a list of fixed length is missing: the list is at fault.
    if kind == "missing":
        path = path[:-1]
    if isinstance(cause, InputError):
        return [_named(d, path, where, key=key) for d in cause.diagnostics]
    if cause is not None:
        return [_named(Diagnostic("bad-value", str(cause)), path, where)]
    if kind in ("missing", "too_long"):
        wanted = get_args(_hint_at(cls, path))
        help = _split_hex(error["input"]) if str in wanted else None
        return [
            _named(Diagnostic("wrong-value", f"expected a list of exactly {len(wanted)}", help=help), path, where)
        ]
    message = f"expected {_WANTED.get(kind, kind)}, found {describe(error['input'])}"
    help = _split_hex(error["input"]) if kind == "string_type" else None
    return [_named(Diagnostic("wrong-value", message, help=help), path, where)]


def _split_hex(tree: Any) -> str | None:
    """The help for a list that may be unquoted hexes."""
    found = split_in_list(tree) if isinstance(tree, list) else None
    return unquoted_hex(found[1]) if found else None


_WANTED = {
    "string_type": "text",
    "tuple_type": "a list",
    "dict_type": "names with values: `NAME: VALUE`",
    "dataclass_type": "names with values: `NAME: VALUE`",
}


_KEY = "[key]"  # pydantic ends the path so where a key itself is wrong


def _named(diagnostic: Diagnostic, path: Path, where: Locator, *, key: bool = False) -> Diagnostic:
    message = f"{label(path)}: {diagnostic.message}" if path else diagnostic.message
    return where.diagnostic(diagnostic.code, message, path, key=key, help=diagnostic.help)


def _inside(path: Path) -> str:
    return f" in {label(path[:-1])}" if path[:-1] else ""


def label(path: Path) -> str:
    """The name of a part of a file in messages, such as `'owner' of 'Caucasus'` or `item 3 of 'neighbours'`."""
    if not path:
        return "the file"
    *before, last = path
    names = [step for step in before if isinstance(step, str)]
    name = f"item {last + 1}" if isinstance(last, int) else quoted(last)
    return f"{name} of {quoted(names[-1])}" if names else name


def _hint_at(hint: Any, path: Path) -> Any:
    """The type of a part of a dataclass."""
    for step in path:
        hint = _without_none(hint)
        if get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            hint = fields_of(hint)[str(step)]
            continue
        arguments = get_args(hint)
        if get_origin(hint) is not tuple:
            hint = arguments[1]
        else:
            hint = arguments[0] if arguments[1:] == (...,) else arguments[int(step)]
    return _without_none(hint)


def _without_none(hint: Any) -> Any:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    return next(a for a in get_args(hint) if a is not type(None))


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
