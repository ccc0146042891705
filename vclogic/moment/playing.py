"""What a player against an opponent asks of a game at one moment."""

from __future__ import annotations

from vclogic.moment.questions import Questions


class Playing(Questions):
    """A game at one moment, and the questions of one who plays against an opponent."""

    __slots__ = ()
