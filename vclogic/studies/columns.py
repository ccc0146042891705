"""The columns of a study's table: the kind of each is decided once, before the first game; each value is of it."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from types import NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.game import Game
from vclogic.terms.sorts import BoolSort, EnumSort, Sort

if TYPE_CHECKING:
    import pyarrow as pa

LEAST, MOST = -(2**63), 2**63 - 1
"""The whole numbers that a column holds."""
_EXACT = 2**53  # whole numbers up to this are floats without a difference


class ColumnKind(Enum):
    """The meaning of the values of a column, in words."""

    TRUTH = "true or false"
    NUMBER = "a whole number"
    FLOAT = "a number"
    TEXT = "a text"
    TEXTS = "texts"
    COUNTS = "counts by name"

    @property
    def arrow(self) -> pa.DataType:
        """Its type in Parquet."""
        import pyarrow as pa

        counts = pa.map_(pa.string(), pa.int64())
        types = (pa.bool_(), pa.int64(), pa.float64(), pa.string(), pa.list_(pa.string()), counts)
        return dict(zip(ColumnKind, types, strict=True))[self]

    def fits(self, value: Any) -> bool:
        """True if a column of this kind holds a value as it is."""
        match self:
            case ColumnKind.TRUTH:
                return isinstance(value, bool)
            case ColumnKind.NUMBER:
                return isinstance(value, int) and not isinstance(value, bool) and LEAST <= value <= MOST
            case ColumnKind.FLOAT:
                return isinstance(value, float) or (type(value) is int and abs(value) <= _EXACT)
            case ColumnKind.TEXT:
                return isinstance(value, str)
            case ColumnKind.TEXTS:
                return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)
            case _:
                return isinstance(value, Mapping) and all(
                    isinstance(n, str) and ColumnKind.NUMBER.fits(v) for n, v in value.items()
                )


Columns = Mapping[str, ColumnKind]
OF_GAMES: Columns = {
    "seed": ColumnKind.NUMBER,
    "winner": ColumnKind.TEXT,
    "winners": ColumnKind.TEXTS,
    "outcome": ColumnKind.TEXT,
    "ended": ColumnKind.TEXT,
    "events": ColumnKind.NUMBER,
    "first": ColumnKind.TEXT,
    "used": ColumnKind.TEXTS,
    "changed": ColumnKind.COUNTS,
}
"""The columns that every game has, beside those of its cell and what is kept."""


def schema(columns: Columns) -> pa.Schema:
    """The columns as Parquet has them."""
    import pyarrow as pa

    return pa.schema([(name, kind.arrow) for name, kind in columns.items()])


def fitting(row: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """A row as its columns hold it; what is undefined, or has no such part, is empty.

    Raises:
        InputError: A value is of another kind than its column, or too large for it.
    """
    found: dict[str, Any] = {}
    for name, kind in columns.items():
        value = row.get(name)
        if kind is ColumnKind.TEXT and value is not None:
            value = in_words(value)
        if value is not None and not kind.fits(value):
            message = f"the column {quoted(name)} holds {kind.value}, and {in_words(value)} does not fit into it"
            raise InputError(Diagnostic("wrong-value", message))
        found[name] = value
    return found


def in_words(value: Any) -> str:
    """A value as a text, as goals write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- expressions


@dataclass(frozen=True)
class Misfit:
    """Why the values of something are no column."""

    message: str


def of_expression(game: Game, text: str) -> ColumnKind | Misfit:
    """The kind of an expression's values: it follows from its sort.

    Raises:
        InputError: The expression is wrong.
    """
    ((sort, least, most),) = game.compile([text]).ranges
    if least < LEAST or most > MOST:
        return Misfit(f"{quoted(text)} can be from {least} to {most}, and a column holds numbers of 64 bits")
    return _of_sort(sort)


def _of_sort(sort: Sort) -> ColumnKind:
    if isinstance(sort, BoolSort):
        return ColumnKind.TRUTH
    return ColumnKind.TEXT if isinstance(sort, EnumSort) else ColumnKind.NUMBER


# ---- answers


def of_answer(game: Game, question: str, keep: Mapping[str, str]) -> dict[str, ColumnKind | Misfit]:
    """The kinds of what is kept of an answer, by the types of its parts; without `keep` all that are plain values.

    Args:
        game: The game.
        question: The method of `Game` that asks it.
        keep: The paths of parts, by the names of their columns.
    """
    answer = _answer_of(question)
    if keep:
        return {name: _at(game, answer, path.split("."), question) for name, path in keep.items()}
    plain: dict[str, ColumnKind | Misfit] = {}
    for name in _parts(answer):
        leaves = _leaves(_hint(answer, name))
        if name not in _NOT_KEPT and leaves and leaves <= {bool, int, float, str}:
            plain[name] = _joined(leaves)
    return plain


_NOT_KEPT = ("elapsed_s", "game")


def _answer_of(question: str) -> type[Any]:
    method = getattr(Game, question)
    asked = getattr(method, "question", None)
    own = method if asked is None else asked.answer
    module = sys.modules[own.__module__]
    found = _evaluated(own.__annotations__["return"], module)
    assert isinstance(found, type), f"the answer of {question} has a class"
    return found


def _parts(answer: type[Any]) -> list[str]:
    return [name for base in reversed(answer.__mro__) for name in vars(base).get("__annotations__", ())]


def _evaluated(hint: Any, module: Any) -> Any:
    """A type; `Any` where a name in it is found nowhere."""
    names = dict(vars(module))
    while True:
        try:
            return get_type_hints(SimpleNamespace(__annotations__={"it": hint}), names)["it"]
        except NameError as error:  # it is imported for type checkers alone, since that takes long
            name = error.name or ""
            place = _imports(module).get(name)
            if place is None:
                return Any
            names[name] = getattr(import_module(place), name)


@cache
def _imports(module: Any) -> Mapping[str, str]:
    """The modules from which a module takes names, those for type checkers among them."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.name: str(node.module) for node in imports for name in node.names if name.asname is None}


def _hint(owner: type[Any], name: str) -> Any:
    """The type of a part of an answer; None where it has no such part."""
    for base in owner.__mro__:
        module = sys.modules[base.__module__]
        if name in vars(base).get("__annotations__", ()):
            return _evaluated(vars(base)["__annotations__"][name], module)
        part = vars(base).get(name)
        if isinstance(part, property) and part.fget is not None:
            return _evaluated(part.fget.__annotations__.get("return", Any), sys.modules[part.fget.__module__])
    return Any if inspect.getattr_static(owner, name, None) is not None else None


def _leaves(hint: Any) -> set[Any]:
    """The types that a part may have, without None."""
    if get_origin(hint) in (Union, UnionType):
        return {leaf for option in get_args(hint) for leaf in _leaves(option)}
    if get_origin(hint) is Literal:
        return {type(value) for value in get_args(hint)}
    return set() if hint in (None, NoneType) else {hint}


def _at(game: Game, answer: type[Any], path: Sequence[str], question: str) -> ColumnKind | Misfit:
    """The kind of a part of an answer by its path."""
    now: set[Any] = {answer}
    for i, step in enumerate(path):
        following = [_step(of, step) for of in now]
        known = [f for f in following if f is not None]
        if not known:
            parts = sorted({p for of in now if is_dataclass(of) for p in _parts(of)})  # type: ignore[arg-type]
            near = did_you_mean(step, parts) or (f"its parts: {', '.join(parts)}" if parts else "")
            before = f"{'.'.join(path[:i])} of " if i else ""
            return Misfit(f"{before}the answer of {question} has no part {quoted(step)}{f'; {near}' if near else ''}")
        mapped = any(_is(of, Mapping) for of in now)
        now = {leaf for f in known for leaf in _leaves(f)}
        if mapped and len(now & {bool, int, str}) > 1:  # by observables: they have sorts
            try:
                return of_expression(game, step)
            except InputError:
                return ColumnKind.TEXT
    return _joined(now)


def _step(of: Any, step: str) -> Any:
    """The type of a step of a path; None where there is none."""
    if of is Any:
        return Any
    if _is(of, Mapping):
        return (*get_args(of), Any, Any)[1]
    if _is(of, Sequence) and step.isdecimal():
        given = get_args(of)
        if not given:
            return Any
        if get_origin(of) is tuple and Ellipsis not in given:
            return given[int(step)] if int(step) < len(given) else None
        return given[0]
    return _hint(of, step) if isinstance(of, type) else None


def _is(of: Any, kind: type[Any]) -> bool:
    base = get_origin(of) or of
    return isinstance(base, type) and issubclass(base, kind) and not issubclass(base, str)


def _joined(leaves: Iterable[Any]) -> ColumnKind:
    """The kind of a column whose values may have some types: one of texts where these are of several kinds."""
    kinds = {_of_type(leaf) for leaf in leaves}
    return kinds.pop() if len(kinds) == 1 else ColumnKind.TEXT


def _of_type(leaf: Any) -> ColumnKind:
    for plain, kind in _OF_TYPES.items():
        if isinstance(leaf, type) and issubclass(leaf, plain):
            return kind
    return ColumnKind.NUMBER if _is(leaf, Sequence) or _is(leaf, Mapping) else ColumnKind.TEXT  # how many there are


_OF_TYPES = {bool: ColumnKind.TRUTH, int: ColumnKind.NUMBER, float: ColumnKind.FLOAT, str: ColumnKind.TEXT}
