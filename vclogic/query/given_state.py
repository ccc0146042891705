"""States that are given to what was made of one game, such as a planner or a compiled expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol, runtime_checkable
from weakref import WeakSet

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.setup import Setup
from vclogic.model.fluents import State


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
