"""Arguments of a question, checked by the types that its method declares, before anything is asked."""

from __future__ import annotations

import builtins
import inspect
import math
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, wraps
from inspect import CO_VARKEYWORDS
from numbers import Real
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, Self, TypeVar, Union, get_args, get_origin

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted, shown
from vclogic.words import joined

LARGEST = 10**9
"""No number is larger, or smaller than its negative, as in files."""
_NO: Any = object()
"""The result of a reader for a value that it does not take."""
_CALLED = {
    "Askable": "a game",
    "AtState": "a game",
    "Event": "an event",
    "Game": "a game",
    "Node": "what a file holds",
    "Objectives": "an answer of `objectives`",
    "Plan": "an answer of `plan`",
    "Reach": "an answer of `reach`",
    "Ruled": "an answer of `ask`",
    "Step": "a step of a plan",
}
T = TypeVar("T", bound=type)


class ArgumentKind(NamedTuple):
    """The values that an argument takes.

    Attributes:
        words: The same in words.
        read: Reads a value; `_NO` for one that it does not take.
    """

    words: str
    read: Callable[[Any], Any]


def checked(cls: T) -> T:
    """Have all public methods of a class check what they are given.

    A question is refused by an `InputError` that names each argument that there is not, each that is missing, and
    each value of another type. Methods that take the arguments of an event, and nothing by name, are left out: the
    reader of events checks these.
    """
    for name in dir(cls):
        found = inspect.getattr_static(cls, name)
        method = found.__func__ if isinstance(found, classmethod) else found
        if name.startswith("_") or not isinstance(method, FunctionType):
            continue
        asking = checked_method(method, cls, name)
        setattr(cls, name, classmethod(asking) if isinstance(found, classmethod) else asking)
    return cls


def checked_method(method: Any, owner: type, name: str) -> Any:
    """A method of a class that checks what it is given; one that takes the arguments of an event is left as it is.

    Args:
        method: The function.
        owner: The class.
        name: The name of the method; that of one that asks a question is its class's till now.
    """
    method.__name__ = name
    arguments = Arguments(method, owner)
    return method if arguments.of_an_event else _checking(method, arguments)


def _checking(method: FunctionType, arguments: Arguments) -> Callable[..., Any]:
    """A method that checks what it is given. What is given most often, nothing or one text, costs next to nothing."""

    @wraps(method)
    def for_one(self: Any, /, given: Any = _NO, *more: Any, **named: Any) -> Any:
        if given.__class__ is str and not more and not named:
            return method(self, given)
        some, rest = arguments.read((() if given is _NO else (given, *more)), named)
        return method(self, *some, **rest)

    @wraps(method)
    def for_any(self: Any, /, *some: Any, **named: Any) -> Any:
        if some or named or arguments.needed:
            some, named = arguments.read(some, named)
        return method(self, *some, **named)

    return for_one if arguments.one_text else for_any


class Arguments:
    """The arguments of a method.

    Args:
        method: The method.
        owner: Its class, for which `Self` stands.
    """

    def __init__(self, method: FunctionType, owner: type):
        question = getattr(method, "question", None)
        plain: Any = method if question is None else question.__init__
        code = plain.__code__
        self._method = method
        self._owner = owner
        self._places = code.co_varnames[1 : code.co_argcount]
        self._by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        if question is not None:  # of a dataclass the fields of the classes above it come first
            self._by_name = tuple(n for n in inspect.signature(method).parameters if n in self._by_name)
        self._open = bool(code.co_flags & CO_VARKEYWORDS)
        given = len(self._places) - len(plain.__defaults__ or ())
        self.needed = (*self._places[:given], *(n for n in self._by_name if n not in (plain.__kwdefaults__ or ())))
        self.one_text = [plain.__annotations__[name] for name in self.needed] == ["str"]
        self.of_an_event = self._open and not self._by_name and code.co_posonlyargcount == code.co_argcount

    @cached_property
    def _taken(self) -> dict[str, ArgumentKind]:
        found = {name: hint_of(self._method, name) for name in (*self._places, *self._by_name)}
        return {name: _taken(hint, self._owner) for name, hint in found.items()}

    def read(self, some: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, given by place and by name, as the method gets them.

        Raises:
            InputError: Everything that is wrong with it.
        """
        wrong: list[Diagnostic] = []
        places = self._places
        if len(some) > len(places):
            wrong.append(self._too_many(len(some), places))
        twice = [name for name in places[: len(some)] if name in named and name in self._taken]
        wrong += [Diagnostic("given-twice", f"{name} is given twice", choice(name)) for name in twice]
        by_place = [self._value(name, x, wrong) for name, x in zip(places, some, strict=False)]
        by_name = {name: self._value(name, x, wrong) for name, x in named.items()}
        for name in self.needed:
            if name not in by_name and name not in places[: len(some)]:
                message = f"`{self._method.__name__}` needs {name}: {self._taken[name].words}"
                wrong.append(Diagnostic("missing-entry", message, choice(name)))
        if wrong:
            raise InputError(wrong)
        return tuple(by_place), by_name

    def _value(self, name: str, given: Any, wrong: list[Diagnostic]) -> Any:
        taken = self._taken.get(name)
        if taken is None:
            if not self._open:
                wrong.append(nothing_called(name, self._method.__name__, self._taken))
            return given
        try:
            value = taken.read(given)
        except _TooLarge:
            message = f"{name}: no number is beyond {LARGEST:,}"
            wrong.append(Diagnostic("out-of-range", message, choice(name)))
            return given
        if value is _NO:
            message = f"{name}: expected {taken.words}, found {shown(given)}"
            wrong.append(Diagnostic("wrong-value", message, choice(name)))
        return value

    def _too_many(self, n: int, places: Sequence[str]) -> Diagnostic:
        name = self._method.__name__
        known = [n for n in self._taken if n not in places]
        most = f"only {joined(places)} without a name" if places else "nothing without a name"
        help = f"name the others: {name}(..., {known[0]}=...)" if known else "leave out the others"
        return Diagnostic("usage", f"`{name}` takes {most}, and {n} are given", help=help)


def nothing_called(name: str, method: str, known: Iterable[str]) -> Diagnostic:
    """The message for an argument that a method does not take."""
    message = f"`{method}` takes nothing called {quoted(name)}"
    return Diagnostic("unknown-entry", message, help=did_you_mean(name, known))


# ---- types


class _Unloaded(type):
    """Stands for a class that is known by its name only; what is none of its instances has no such class above."""

    def __instancecheck__(cls, given: object) -> bool:
        return any(c.__name__ == cls.__name__ for c in type(given).__mro__)


class _Names(dict[str, Any]):
    """The names in annotations; a class that is imported only for type checkers is known by its name."""

    def __missing__(self, name: str) -> type:
        return _Unloaded(name, (), {})


def hint_of(method: Callable[..., Any], name: str) -> Any:
    """The type that a method declares for an argument, or its question for a field."""
    plain: Any = inspect.unwrap(method)
    place, names = plain, getattr(plain, "__globals__", {})
    if (question := getattr(plain, "question", None)) is not None:
        place = next(cls for cls in question.__mro__ if name in vars(cls).get("__annotations__", ()))
        names = vars(sys.modules[place.__module__])
    annotation = place.__annotations__[name]
    return eval(annotation, {}, _Names(vars(builtins) | names)) if isinstance(annotation, str) else annotation


def _taken(hint: Any, owner: type) -> ArgumentKind:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return _ANYTHING
    if hint in _SCALARS:
        return _SCALARS[hint]
    # None comes last, so that a message names the values before the way to leave them out.
    if origin in (Union, UnionType):
        return _either([_taken(h, owner) for h in sorted(inner, key=lambda h: h is NoneType)])
    if origin is Literal:
        return ArgumentKind(
            joined([repr(x) for x in inner], "or"), lambda x: x if x.__class__ is str and x in inner else _NO
        )
    if origin is Sequence:
        return _several(_taken(inner[0], owner))
    if origin is Mapping:
        return _instances(Mapping, "a mapping")
    if origin is tuple:
        return (
            _instances(tuple, "a state (`Game.state`)")
            if Ellipsis in inner
            else _row([_taken(h, owner) for h in inner])
        )
    if origin is Iterable:
        each = _taken(inner[0], owner)
        return ArgumentKind(
            f"several, each {each.words}", lambda x: x if isinstance(x, Iterable) and type(x) is not str else _NO
        )
    if isinstance(origin, type) and issubclass(origin, Callable):  # type: ignore[arg-type]
        return ArgumentKind("a function", lambda x: x if callable(x) else _NO)
    cls = owner if hint is Self else hint
    return _instances(cls, _CALLED.get(cls.__name__, f"a {cls.__name__}"))


def _instances(cls: Any, words: str) -> ArgumentKind:
    return ArgumentKind(words, lambda x: x if isinstance(x, cls) else _NO)


def _either(of: Sequence[ArgumentKind]) -> ArgumentKind:
    def read(given: Any) -> Any:
        return next((x for taken in of if (x := taken.read(given)) is not _NO), _NO)

    return ArgumentKind(joined(list(dict.fromkeys(taken.words for taken in of)), "or"), read)


def _several(each: ArgumentKind) -> ArgumentKind:
    """A list, for which one may stand without its list."""

    def read(given: Any) -> Any:
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            alone = _NO if each is _ANYTHING else each.read(given)
            return alone if alone is _NO else (alone,)
        items = [each.read(x) for x in given]
        return _NO if any(x is _NO for x in items) else tuple(items)

    return ArgumentKind("a list" if each is _ANYTHING else f"a list ({each.words} each)", read)


def _row(parts: Sequence[ArgumentKind]) -> ArgumentKind:
    def read(given: Any) -> Any:
        if not isinstance(given, list | tuple) or len(given) != len(parts):
            return _NO
        row = [part.read(x) for part, x in zip(parts, given, strict=True)]
        return _NO if any(x is _NO for x in row) else tuple(row)

    return ArgumentKind(joined([part.words for part in parts]), read)


def _whole(given: Any) -> Any:
    if isinstance(given, bool):
        return _NO
    try:
        number = operator.index(given)
    except TypeError:
        return _NO
    if abs(number) > LARGEST:
        raise _TooLarge
    return number


def _seconds(given: Any) -> Any:
    if isinstance(given, bool) or not isinstance(given, Real):
        return _NO
    try:
        return float(given)
    except OverflowError:
        return math.inf


class _TooLarge(Exception):
    """A whole number is too large for any use."""


_ANYTHING = ArgumentKind("anything", lambda x: x)
_SCALARS: dict[Any, ArgumentKind] = {
    str: ArgumentKind("a text", lambda x: x if isinstance(x, str) else _NO),
    bool: ArgumentKind("True or False", lambda x: x if isinstance(x, bool) else _NO),
    int: ArgumentKind("a whole number", _whole),
    float: ArgumentKind("a number", _seconds),
    NoneType: ArgumentKind("None", lambda x: x if x is None else _NO),
}
