"""Captures in any order of turns: how plans on maps are counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.model.actions import Action, Schema
from vclogic.model.restricting import restricted
from vclogic.model.system import ANY, Metric, System
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.terms.atoms import FALSE, constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

CAPTURE, CAPTURES, END_TURN = "capture", "captures", "end_turn"
_TURN = "turn order"  # what each event asks for that somebody does in his turn


@dataclass(frozen=True)
class AnyOrderCaptures:
    """The captures of a side in any order of its players' turns; the end of a round may follow.

    Attributes:
        system: The rule set of a map's rulebook.
        lands: What can be captured.
        last: Whose turn is the last of a round.
    """

    system: System
    lands: Sequence[str]
    last: str

    def metric(self) -> Metric:
        """The number of them, as what a plan can save."""
        return Metric(
            CAPTURES,
            CAPTURE,
            "owners only: a capture needs no units and meets no defence",
            "territories taken, in any order of turns",
            self._step,
            lambda side, opponent: ("captures ignore turn order, and what changes as turns end",),
            ending=self._round_ends,
            events=(CAPTURE, END_TURN),
        )

    def _schema(self, name: str) -> Schema:
        return next(s for s in self.system.events if s.name == name)

    def _step(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        # Captures change owners alone: what else they ask for is as at the start.
        owners = {f for family in self.system.families if family.name == "owner" for f in family.fluents.values()}
        now = Substitution({f: value for f, value in start.items() if f not in owners})
        found = self._actions(side, opponent)
        return one_at_a_time(
            (replace(a, requirements=tuple(replace(r, term=now(r.term)) for r in a.requirements)) for a in found),
            CAPTURES,
        )

    def _actions(self, side: str | None, opponent: str) -> Iterator[Action]:
        schema = self._schema(CAPTURE)
        mover, place = schema.parameters
        latches = frozenset(self.system.written)
        for one, players in self.system.sides.items():
            ours = side in (None, one)
            for player in (players or (one,)) if ours or opponent == ANY else ():
                for land in self.lands:
                    action = schema.action(((mover.name, player), (place.name, land)))
                    if action.guard is not FALSE:
                        yield restricted(action, without=(_TURN,), leaving=latches, costs={CAPTURES: int(ours)})

    def _round_ends(self) -> Action:
        """The end of the last turn of a round, as if it were reached."""
        schema = self._schema(END_TURN)
        (mover,) = schema.parameters
        action = schema.action(((mover.name, self.last),))
        then = Substitution(
            {mover.implied: constant(mover.implied.sort, self.last)} if mover.implied is not None else {}
        )
        effects = tuple((fluent, then(value)) for fluent, value in action.effects)
        return replace(restricted(action, without=(_TURN,)), effects=effects)
