"""Expressions of the goal language, compiled once, over one given state or an array of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, runtime_checkable
from weakref import WeakSet

from vclogic.collector_paused import collector_paused
from vclogic.encode.python.codegen import ReturnForm, build_function
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.setup import Setup
from vclogic.model.fluents import State
from vclogic.terms.atoms import TRUE
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.encode.python.batch import BatchFunction


class SharedRules(Protocol):
    """The parts that all moments of a loaded game share."""

    @property
    def setup(self) -> Setup:
        """Its rule set, settings and start."""


@runtime_checkable
class AtState(Protocol):
    """A game at a moment."""

    @property
    def loaded(self) -> SharedRules:
        """The part that it shares with all moments of its game."""

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of its state."""


Given = AtState | State | Mapping[str, Any]
"""A game at a moment, a state of it (`Game.state`), or a state or a part of one as plain values."""


class GivenStates:
    """Reads states that are given to what was made of one game, and refuses those of other games.

    Args:
        setup: The game.
        what: What was made of it, as messages say it.
        place: What the state is given as, for messages.
        laid: Lays plain values over a state; None: there are none.
    """

    def __init__(
        self,
        setup: Setup,
        what: str,
        place: str,
        laid: Callable[[Mapping[str, Any]], Sequence[int]] | None = None,
    ):
        self._setup = setup
        self._what = what
        self._place = place
        self._laid = laid
        self._known: WeakSet[Any] = WeakSet()  # games of the same rules, each loaded on its own

    def numbers(self, given: Given) -> Sequence[int]:
        """The numbers of a state. A state does not say whose it is: only its length is looked at.

        Raises:
            InputError: It is of another game, or nothing of the kind.
        """
        if isinstance(given, tuple):
            n = len(self._setup.system.layout.fluents)
            if len(given) != n:
                self._refuse(f"a state of {self._setup.game} has {n:,} numbers, not {len(given):,}")
            return given
        loaded = getattr(given, "loaded", None)
        if loaded is not None and loaded in self._known:
            return given.numbers  # type: ignore[union-attr]
        if isinstance(given, AtState):
            other = self._setup.others_than(given.loaded.setup)
            if other is not None:
                message = f"{self._what} is for {self._setup.game} under its settings, not for {other}"
                self._refuse(message, "other-rules", "make one of that game")
            self._known.add(given.loaded)
            return given.numbers
        if isinstance(given, Mapping) and self._laid is not None:
            return self._laid(given)
        more = "" if self._laid is None else ", or facts as `state_dict` gives them"
        return self._refuse(f"expected a game or its state{more}, found {quoted(given)}")

    def bounded(self, given: Given) -> State:
        """The numbers of a state, each of which is one that its fact can have.

        Raises:
            InputError: As `numbers`, and where one is none.
        """
        state = tuple(self.numbers(given))
        for x, fluent in zip(state, self._setup.system.layout.fluents, strict=True):
            if not isinstance(x, int) or not fluent.lo <= x <= fluent.hi:
                self._refuse(f"{fluent.name}: expected a number from {fluent.lo} to {fluent.hi}, found {quoted(x)}")
        return state

    def _refuse(self, message: str, code: str = "wrong-value", help: str | None = None) -> NoReturn:
        raise InputError(Diagnostic(code, message, self._place, help=help))


Array = Any
"""A NumPy array."""


class Compiled:
    """Expressions of the goal language, compiled for one rule set.

    Attributes:
        expressions: Their texts.
        members: For each expression whose value is a name, all the names it can be, in the order of the numbers that
            `batch` returns; for other expressions None.
        ranges: For each expression its sort, and the least and the most that its number can be.

    Args:
        loaded: The game, as its moments know it.
        expressions: The texts.
        alone: Whether there is one expression, so that its value is returned, not a tuple of one.

    Raises:
        InputError: Everything that is wrong with the expressions.
    """

    def __init__(self, loaded: SharedRules, expressions: Sequence[str], *, alone: bool):
        system = loaded.setup.system
        self.expressions = tuple(expressions)
        self._loaded = loaded
        self._given = GivenStates(loaded.setup, "this expression", "at")
        self._layout = system.layout
        self._width = len(system.layout.fluents)
        self._alone = alone
        partials = []
        wrong: list[Diagnostic] = []
        for text in self.expressions:
            try:
                partials.append(compile_value(text, system.vocabulary, "expression").partial)
            except InputError as error:
                wrong += error.diagnostics
        if wrong:
            raise InputError(wrong)
        self._values = tuple(p.value for p in partials)
        self._defined = tuple(p.defined for p in partials)
        sorts = (t.sort for t in self._values)
        self.members = tuple(s.members if isinstance(s, EnumSort) else None for s in sorts)
        self.ranges = tuple((t.sort, t.lo, t.hi) for t in self._values)
        self._total = all(t is TRUE for t in self._defined)
        self._function = build_function(
            self._values if self._total else [*self._values, *self._defined],
            self._layout.slot,
            ReturnForm.VALUE,
            single=alone and self._total,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Compiled, alone=self._alone), (self._loaded, self.expressions)

    def __call__(self, at: State | AtState) -> Any:
        """The value in a state: a bool, a number or a name; None where it is undefined.

        Args:
            at: A game of the rule set, or its state (`Game.state`). A state does not say whose it is: only its length
                is looked at.

        Returns:
            The value; where a list was compiled, a tuple of the values.

        Raises:
            InputError: The game is another one, on another board, or under other options or Readings.
        """
        if at.__class__ is tuple and len(at) == self._width:
            numbers: Any = at
        elif getattr(at, "loaded", None) is self._loaded:
            numbers = at.numbers  # type: ignore[union-attr]
        else:
            numbers = self._given.numbers(at)
        try:
            found = self._function(numbers)
        except Exception:
            self._given.bounded(tuple(numbers))  # a number that no fact can have is refused in words
            raise
        if self._total:
            return found
        if self._alone:
            value, known = found
            return value if known else None
        n = len(self._values)
        return tuple([x if known else None for x, known in zip(found[:n], found[n:], strict=True)])

    def batch(self, states: Array) -> Any:
        """The values in many states at once.

        Args:
            states: An integer array with a row for each state and a column for each fluent, in the order of
                `Game.state`. `Game.array` makes one whose columns are contiguous, which is read fastest.

        Returns:
            An array with the value for each row: Bools, numbers, or the places of names in `members`. Where an
            expression can be undefined, it is a masked array (`numpy.ma`), masked in the rows where it is undefined.
            Where a list was compiled, a tuple of such arrays.

        Raises:
            InputError: The array has another shape or type, or a number is outside its fluent's bounds.
        """
        import numpy as np

        states = np.asarray(states)
        self._check(states)
        found = self._batch(states)
        n, values = len(self._values), []
        unknown = dict(zip((i for i, t in enumerate(self._defined) if t is not TRUE), found[n:], strict=True))
        for i, x in enumerate(found[:n]):
            values.append(np.ma.masked_array(x, ~unknown[i]) if i in unknown else x)
        return values[0] if self._alone else tuple(values)

    @cached_property
    def _batch(self) -> BatchFunction:
        from vclogic.encode.python.batch import batch_function

        return batch_function([*self._values, *(t for t in self._defined if t is not TRUE)], self._layout.slot)

    def _check(self, states: Array) -> None:
        fluents = self._layout.fluents
        if states.ndim != 2 or states.shape[1] != len(fluents) or states.dtype.kind not in "iu":
            message = (
                f"expected an array of whole numbers with {len(fluents)} columns, one for each fluent; "
                f"this has the shape {states.shape} and the type {states.dtype}"
            )
            raise InputError(Diagnostic("wrong-value", message, "states"))
        if not len(states):
            return
        outside = []
        for j in self._batch.columns:
            column, fluent = states[:, j], fluents[j]
            if column.min() < fluent.lo or column.max() > fluent.hi:
                row = int(((column < fluent.lo) | (column > fluent.hi)).argmax())
                bounds = f"expected a number from {fluent.lo} to {fluent.hi}"
                message = f"row {row}, column {j}: {fluent.name} is {column[row]}; {bounds}"
                outside.append(Diagnostic("out-of-range", message, "states"))
        if outside:
            raise InputError(outside)


@collector_paused()
def compiled(loaded: SharedRules, expressions: str | Sequence[str]) -> Compiled:
    """Compile an expression, or several; see `Game.compile`."""
    alone = isinstance(expressions, str)
    return Compiled(loaded, [expressions] if isinstance(expressions, str) else expressions, alone=alone)


def array_of(fluents: Sequence[Term], states: Iterable[Given], given: GivenStates) -> Array:
    """States as an array: a row for each, in the smallest type that holds all fluents, with contiguous columns.

    Args:
        fluents: What the columns hold.
        given: Reads them.

    Raises:
        InputError: One is no state of the game.
    """
    import numpy as np

    from vclogic.encode.python.batch import smallest_type

    kind = smallest_type(min((f.lo for f in fluents), default=0), max((f.hi for f in fluents), default=0))
    rows = [given.numbers(state) for state in states]
    try:
        flat = np.fromiter(chain.from_iterable(rows), kind, len(rows) * len(fluents))
    except (TypeError, ValueError, OverflowError):
        for row in rows:
            given.bounded(tuple(row))
        raise
    return np.asfortranarray(flat.reshape(len(rows), len(fluents)))
