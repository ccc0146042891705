"""The same game under other Readings, with what has been built kept for the next question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vclogic.collector_paused import collector_paused
from vclogic.encode.evaluator import interpret
from vclogic.files.setup import Setup, built, laid_anew
from vclogic.model.latest import Latest
from vclogic.model.lazy import Noted
from vclogic.model.system import Settings, System
from vclogic.terms.term import Term

_MOST_GAMES, _MOST_SYSTEMS = 4, 200


@dataclass
class _Variant:
    """A game under some Readings.

    Attributes:
        system: The rule set.
        noted: Which Readings it has looked up.
        others: What positions must satisfy that they need not under the Readings in use; None: a position has other
            facts, and is read again.
        latest: The position that was read again last, and how it came out.
    """

    system: System
    noted: Noted
    others: tuple[Term, ...] | None
    latest: tuple[Setup, Setup] | None = None


class GameUnderReadings:
    """A game under all its Readings; a rule set is built when it is first asked for.

    Args:
        setup: The game under the Readings in use.
    """

    def __init__(self, setup: Setup):
        self._base = setup.system  # kept, so that its id stays its own
        self._known = _demands(setup.system)
        self._built: Latest[tuple[str, ...], _Variant] = Latest(_MOST_SYSTEMS)

    def under(self, setup: Setup, readings: Mapping[str, str]) -> Setup:
        """The same position under other Readings.

        Args:
            setup: A position of this game, at any moment.
            readings: The Readings that differ, with their values.

        Raises:
            InputError: The position is not allowed under them.
        """
        chosen = {**setup.settings.readings, **readings}
        settings = replace(setup.settings, readings=chosen)
        with collector_paused():
            found = self._built.get(tuple(chosen.values()), lambda: self._variant(setup, settings))
            system = found.system
            alike = found.others is not None and all(
                interpret(t, system.layout.slot, setup.initial) for t in found.others
            )
            if alike:
                return replace(setup, system=system, settings=settings, noted=found.noted)
            latest = found.latest
            if latest is None or latest[0] is not setup:
                latest = found.latest = setup, laid_anew(setup, settings, system, found.noted)
        return latest[1]

    def _variant(self, setup: Setup, settings: Settings) -> _Variant:
        """The rule set under some settings, and how it differs from the one in use."""
        system, noted = built(setup.encoding, setup.board_read, settings, self._base)
        old = self._base
        facts = (system.families, system.initial, system.defaults)
        if facts != (old.families, old.initial, old.defaults):
            return _Variant(system, noted, None)
        return _Variant(system, noted, tuple(_demands(system) - self._known))


def _demands(system: System) -> frozenset[Term]:
    """The demands on every position that a file gives."""
    return frozenset(r.kept for r in system.laws)


_KEPT: Latest[int, GameUnderReadings] = Latest(_MOST_GAMES)


def under_readings(setup: Setup) -> GameUnderReadings:
    """The cache of a game's variants under other Readings; least recently used games are dropped."""
    return _KEPT.get(id(setup.system), lambda: GameUnderReadings(setup))
