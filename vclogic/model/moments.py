"""The moments of a game: when turns and rounds begin and end, as conditions that an event makes true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vclogic.terms.term import Term

Between = Callable[[Callable[[Term], Term], Callable[[Term], Term]], Term]
"""Bool: whether something happens, given what makes a term one over the position before an event, and after it."""


@dataclass(frozen=True)
class Moments:
    """When turns and rounds begin and end. Each is a Bool term: it happens where an event makes it true.

    The same terms tell what happens in a step of a plan that is a whole turn: it is the moment if the term holds
    after the step and did not before. Where one side alone plays, it is a number: it happens where that changes.

    Attributes:
        turn_starts: For each side or power: its turn has begun.
        turn_ends: For each side or power: its turn has ended.
        round_starts: A round has begun; None: the game has no rounds.
        round_ends: A round has ended.
        clock: The facts that say whose turn and which round it is, each with a term over the position before the turn
            or round ends. What is judged at the end of it reads that, since it was so in it.
        phases: For each phase: it is that phase.
        exact: For a moment and whose it is: whether it happens, where the terms above do not tell it: a turn may be
            followed by one of the same side, or a round by one that another begins.
    """

    turn_starts: Mapping[str, Term] = field(default_factory=dict)
    turn_ends: Mapping[str, Term] = field(default_factory=dict)
    round_starts: Term | None = None
    round_ends: Term | None = None
    clock: Mapping[Term, Term] = field(default_factory=dict)
    phases: Mapping[str, Term] = field(default_factory=dict)
    exact: Mapping[tuple[str, str], Between] = field(default_factory=dict)
