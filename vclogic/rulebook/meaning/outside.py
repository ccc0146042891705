"""Functions in Python that a rulebook names: each is a definition whose value they make out of terms.

A function is called with `value` and with names, one for each kind that it is asked of. `value(NAME, ...)` is the
term of a fact or a definition of the rulebook. What the function returns is a term too; where a number or a name that
it has asked for is undefined, so is that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from traceback import walk_tb
from types import ModuleType
from typing import Any

from vclogic.clock import TimeUp
from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.rules import Observable
from vclogic.rulebook.declarations import PythonFunction, PythonModule
from vclogic.rulebook.meaning.defined import Defined
from vclogic.rulebook.meaning.names import MOST_CASES, TextNames
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition
from vclogic.shortage import shortage
from vclogic.terms.build import all_of
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.line import Typed
from vclogic.terms.expressions.names import names_needed, of_kind
from vclogic.terms.expressions.syntax import Word
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.term import Term, variables
from vclogic.terms.typed.form import BOOL, INT
from vclogic.terms.vocabulary import NotThere, asked_of
from vclogic.watchdog import in_words

BROKEN = "broken-function"
"""The code of what is wrong with a function."""
LOOK = "this is a mistake in the function, not in the rulebook"


def outside(names: TextNames) -> dict[str, Defined]:
    """The functions that rulebooks name, made known as definitions."""
    made: dict[str, Defined] = {}
    for source, statement, content in names.each(PythonModule):
        for function in content.functions:
            with names.at(source, unknown=function.name.text):
                names.new_name(source, function.name)
                variables = names.parameters(source, function.parameters)
                call = _Call(names, source, source.modules[content.module.text], content.module.text, function)
                like = Definition(function.name, function.parameters, function.name, None, False)
                name, defined = function.name.text, Defined(like, source, statement, variables, names, call.typed)
                made[name] = defined
                names.known[name] = Observable(
                    name, defined.parameters, defined.partial, statement.text, source.cites(statement)
                )
    return made


def tried(names: TextNames, functions: Mapping[str, Defined]) -> None:
    """Call each function for all names, so that whatever is wrong with one is told when the game is loaded."""
    for defined in functions.values():
        with names.at(defined.source):
            kinds = [kind.members for _, kind in defined.variables]
            if prod(map(len, kinds)) > MOST_CASES:
                message = f"{defined.content.name.text} is asked of more than {MOST_CASES:,} names together"
                raise defined.source.goal.error(defined.content.name.at, message, "ask of fewer", "limit")
            for members in product(*kinds):
                defined.partial(*members)


def failed(error: BaseException, file: str | None) -> str:
    """The exception of somebody's code, in words, with its line of a file.

    Raises:
        BaseException: It is none of its faults.
    """
    if isinstance(error, KeyboardInterrupt | TimeUp) or shortage(error):
        raise error
    bare = type(error)(error.msg) if isinstance(error, SyntaxError) else error  # its place is told once
    said = str(error) if isinstance(error, NotThere) else in_words(bare)
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    lines += [error.lineno or 0] if isinstance(error, SyntaxError) and error.filename == file else []
    return f"{said} (line {lines[-1]})" if lines else said


def own_function(module: ModuleType, called: str, source: RulesSource, word: Word) -> Callable[..., Any]:
    """The function of a module that a line names.

    Args:
        module: The module.
        called: How the rulebook names it.
        source: The block of the line.
        word: The name of the function in it.

    Raises:
        InputError: The module has none of that name that is its own.
    """
    own = {
        n: f
        for n, f in vars(module).items()
        if callable(f) and not n.startswith("_") and getattr(f, "__module__", "") == module.__name__
    }
    if word.text not in own:
        help = did_you_mean(word.text, own) or "it has no function at all"
        message = f"{called} has no function {quoted(word.text)} of its own"
        raise source.goal.error(word.at, message, help, "unknown-name")
    found: Callable[..., Any] = own[word.text]
    return found


class _Call:
    """A function, as what a definition means.

    Args:
        names: What the rulebook can speak of.
        source: The block that names it.
        module: Where it stands.
        called: How the rulebook names the module.
        function: How the block names it.

    Raises:
        InputError: There is no such function, or it takes other arguments.
    """

    def __init__(
        self, names: TextNames, source: RulesSource, module: ModuleType, called: str, function: PythonFunction
    ):
        self._names, self._source, self._word, self._file = names, source, function.name, module.__file__
        self._called = f"{function.name.text} of {called}"
        self._function = own_function(module, called, source, function.name)
        self._kind: str | None = None
        takes = 1 + len(function.parameters)
        try:
            inspect.signature(self._function).bind(*range(takes))
        except (TypeError, ValueError):
            kinds = ", ".join(("value", *(w.text.replace(" ", "_") for w in function.parameters)))
            message = f"{self._called} takes other arguments than `value` and {names_needed(takes - 1)}"
            raise self._wrong(message, f"write def {function.name.text}({kinds})") from None

    def _wrong(self, message: str, help: str | None) -> InputError:
        return self._source.goal.error(self._word.at, message, help, BROKEN)

    def typed(self, arguments: tuple[str, ...]) -> Typed:
        """The value of the function for some names."""
        asked: list[Partial] = []
        members = [*arguments]
        try:
            found = self._function(lambda name, *given: self._value(asked, name, given), *members)
        except InputError:
            raise
        except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
            raise self._wrong(f"{self._of(members)} fails: {failed(error, self._file)}", LOOK) from error
        return self._typed(found, members, asked)

    def _of(self, members: list[str]) -> str:
        return f"{self._called} for {', '.join(members)}" if members else self._called

    def _value(self, asked: list[Partial], name: str, given: tuple[str, ...]) -> Term:
        """The term of a fact or definition, as a function asks for it."""
        partial = asked_of(self._names.known, name, given).partial(*given)
        asked.append(Partial(partial.holds) if isinstance(partial.value.sort, BoolSort) else partial)
        return asked[-1].value

    def _typed(self, found: object, members: list[str], asked: list[Partial]) -> Typed:
        """The value that a function has returned, if it is a term over the rulebook's facts, always of one kind."""
        if not isinstance(found, Term):
            shown = quoted(" ".join(repr(found).split())[:40])
            raise self._wrong(f"{self._of(members)} returns {shown}, which is no term", _CONSTANTS)
        given = {v for partial in asked for v in variables(partial.value, partial.defined)}
        strange = next((v for v in variables(found) if v not in given), None)
        if strange is not None:
            message = f"{self._of(members)} speaks of {quoted(strange.name)}, for which it has not asked"
            raise self._wrong(message, 'ask for facts with value("FACT", NAME, ...)')
        values = self._values_of(found)
        kind = BOOL if isinstance(found.sort, BoolSort) else of_kind(values.sort.name) if values else INT
        if self._kind not in (None, kind):
            raise self._wrong(f"{self._of(members)} is {kind}, and {self._kind} for other names", LOOK)
        self._kind = kind
        return Typed(self._word, kind, Partial(found, all_of(partial.defined for partial in asked)), values)

    def _values_of(self, found: Term) -> Domain | None:
        """The names that a term can be; None: it is no name."""
        if not isinstance(found.sort, EnumSort):
            return None
        domains = [k.domain for k in self._names.kinds.values()]
        domains += [o.values for o in self._names.known.values() if o.values is not None]
        return next((d for d in domains if d.sort == found.sort), Domain(found.sort))


_CONSTANTS = "`integer` and `boolean` of `vclogic.terms.atoms` make terms of constants"
