"""`Game`, the stable public interface for Python: a position of a game, and all questions about it."""

from __future__ import annotations

from vclogic.moment.looking import Looking
from vclogic.query.keywords import checked


@checked
class Game(Looking):
    """A game at one moment. It is immutable: `apply`, `at_state` and `with_options` return another one.

    Attributes:
        setup: The rule set, settings and start.
        state: The state now.
        history: What has happened since the start.
    """

    __slots__ = ()
