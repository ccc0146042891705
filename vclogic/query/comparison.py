"""The answer of `compare`: a frozen result, with the fields of the JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.document_keys import TEXT_ONLY
from vclogic.model.fluents import Value
from vclogic.query.answers import ProofText, Recorded, SearchAnswer, Step


@dataclass(frozen=True)
class SideRuling:
    """The answer of one rule set in a comparison.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        settings: The options and readings in which it differs from the other one.
        value: Its answer; None where that is undefined. For an event: whether it is allowed.
        text: Why, for an event that is refused.
        cites: Clause ids.
    """

    game: str
    settings: Mapping[str, int | str]
    value: Value | None = None
    text: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Comparison(SearchAnswer):
    """A disagreement between two rule sets, or the proof that there is none.

    Attributes:
        a: The first one, and what it says where they differ.
        b: The second one.
        status: `equal`, `differ` or `unknown`.
        on: What they disagree on, or what was compared; None: everything.
        others: What else they disagree on in that position.
        position: What has changed there since the start, as the first one has it; None where they do not differ. For
            `unknown`: the fewest changes to a well-formed position in which they would, if that is known; it need not
            be reachable.
        changed: The same in sentences: for `a` as the first one has it, for `b` as the second one has it.
        steps: The shortest record that leads there.
        record: The same as events of a position file of the first one; None where they do not differ.
        proof: Why they never disagree, for `equal`.
        replayed: Whether both have played the record in Python and then disagreed; None without one.
    """

    status: Literal["equal", "differ", "unknown"]
    on: str | None
    others: tuple[str, ...] = ()
    position: Mapping[str, Value] | None = None
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=TEXT_ONLY)
    steps: tuple[Step, ...] = ()
    record: Recorded | None = None
    a: SideRuling
    b: SideRuling
    proof: ProofText | None = None
    replayed: bool | None = None
