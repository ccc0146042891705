"""The answer whether a goal can be reached: a witness, or the proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.by_value import ByValue
from vclogic.document_keys import IF_ANY, LAST
from vclogic.model.fluents import Value
from vclogic.model.system import Events
from vclogic.query.answers import GoalAnswer, Horizon, Recorded, Step


@dataclass(frozen=True)
class ProofText:
    """Why a goal cannot be reached.

    Attributes:
        method: How it is proved, such as `closure`; the glossary explains each. `bounded`: up to the limit only.
        k: Depth of the induction, for `k-induction`: after so many states in a row without the goal no step leads to
            it, and the first so many states are without it.
        horizon: The limit, for `bounded`; None for an unbounded proof.
        invariant: What holds in every state that can be reached, in words: for `invariants`, `closure` and `spacer`
            it excludes the goal, for `k-induction` it is what the induction takes for granted.
        rechecked: Whether a fresh plain solver confirmed an unbounded proof; for `exhaustive`: whether each position
            was looked at once more by itself.
        positions: How many positions can be reached, for `exhaustive`.
        kept: What the goal needs and no event brings back, in words: play that loses it was left out, since it never
            leads to the goal.
        confirmed_by: Who confirms it: another solver with its version, such as `cvc5 1.4.2`; `z3`, where a
            fresh run of it alone does; `terms`, which contradict each other before a solver is asked; `whole
            numbers`; or nobody.
    """

    method: str
    k: int | None
    horizon: Horizon | None
    invariant: tuple[str, ...]
    rechecked: bool
    positions: int | None = field(default=None, metadata=IF_ANY)
    kept: tuple[str, ...] = field(default=(), metadata=IF_ANY)
    confirmed_by: str = field(default="", metadata=IF_ANY)


@dataclass(frozen=True)
class AgainstProof(ByValue):
    """A position that the laws of the game allow, and the event that leads from it to a goal, replayed.

    A proof by what every event keeps fails there. If play never comes to it, a law that excludes it may help.

    Attributes:
        changes: Each fact that differs from the start, and its value: as few as can be.
        step: The event.
    """

    changes: Mapping[str, Value]
    step: Step


@dataclass(frozen=True, kw_only=True)
class Reach(GoalAnswer):
    """A record that reaches a goal, or the proof that there is none.

    Attributes:
        by: By which events: `all`, under what the game assumes; `rules` for all, without that; else the
            name of a metric, for the steps of its planning model.
        events: The events that were looked at, and those that were not: which a planning model leaves out, or which
            cannot change the answer.
        status: `reachable`, `unreachable` or `unknown`.
        depth: Steps of the witness.
        steps: The witness.
        record: The witness as a record; None without one.
        proof: Why not, for `unreachable`.
        replayed: Whether the Python evaluator has played the witness; None without one.
        not_judged: What the events of the witness are believed in, since the rule text does not say.
        against_proof: For `unknown`: where a proof fails, if that was found.
    """

    by: str
    events: Events
    status: Literal["reachable", "unreachable", "unknown"]
    depth: int | None
    steps: tuple[Step, ...]
    record: Recorded | None
    proof: ProofText | None
    replayed: bool | None
    not_judged: tuple[str, ...] = field(default=(), metadata=IF_ANY | LAST)
    against_proof: AgainstProof | None = field(default=None, metadata=IF_ANY | LAST)
