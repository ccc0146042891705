"""Player-turns as steps of a plan: each unit of the side on turn moves once, over the map, without combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vclogic_encodings.okinawa.board import US, enemy
from vclogic_encodings.okinawa.planning.campaign import Campaign
from vclogic_encodings.okinawa.planning.removal import CHOSEN, FIRST, LATER, Removal
from vclogic_encodings.okinawa.planning.turn import PlayerTurn

from vclogic.model.system import ANY, IDLE, Metric
from vclogic.model.transition import Hints, Scoped, Transition
from vclogic.terms.atoms import FALSE, TRUE, integer, member
from vclogic.terms.build import eq, ge, ite, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

HEADING = "moves without combat"
State = Mapping[Term, Term]


class PlanningModel:
    """The player-turns of one game.

    Attributes:
        campaign: The game.
    """

    def __init__(self, campaign: Campaign):
        self.campaign = campaign

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that a plan can minimise: moves, or player-turns."""
        texts = {"moves": "units moved", "turns": "player-turns of the side"}
        off = (*self.campaign.leaving, "remove") if self._removes else ()
        return tuple(
            Metric(
                name,
                "player-turn",
                HEADING,
                text,
                lambda side, opponent, start, name=name: self._steps(  # type: ignore[misc]
                    name, side, opponent, FIRST if self._merged(side, opponent) else CHOSEN
                ),
                lambda side, opponent, name=name: tuple(self._assumptions(name, side, opponent)),  # type: ignore[misc]
                ending=self.campaign.end_game,
                events=("move", *off, "end_turn", "end_game"),
                turns=True,
                answered=(lambda side, start, name=name: self._steps(name, side, ANY, LATER))  # type: ignore[misc]
                if self._removes
                else None,
            )
            for name, text in texts.items()
        )

    def _steps(self, metric: str, side: str | None, opponent: str, removals: str) -> Transition:
        campaign = self.campaign
        unchanged = {place: place for place in campaign.at.values()}
        if self._removes:
            unchanged |= {x: x for x in (campaign.removals, *campaign.points)}
        return Scoped(
            next={**unchanged, **dict(campaign.end_turn.effects)},
            counts=TRUE if self._merged(side, opponent) else self._ours(side),
            hints=Hints(
                cheapest=int(self._merged(side, opponent) and (metric == "turns" or self._eager)),
                fewest_choices=metric == "turns",
            ),
            scope=lambda state, wanted: self._step(metric, side, opponent, removals, state),
            reads=lambda state: campaign.reads,
            known=(campaign.turn,),
            due=campaign.due if removals == LATER else FALSE,
        )

    # ---- what is known, and who moves

    @property
    def _removes(self) -> bool:
        return self.campaign.exits

    @property
    def _eager(self) -> bool:
        """True if plans leave out player-turns without a move, since the scenario may end early."""
        return self.campaign.early

    @staticmethod
    def _merged(side: str | None, opponent: str) -> bool:
        """True if the player-turn of an idle opponent is part of a step."""
        return side is not None and opponent == IDLE

    def _ours(self, side: str | None) -> Term:
        return TRUE if side is None else eq(self.campaign.turn, side)

    # ---- a step

    def _step(self, metric: str, side: str | None, opponent: str, removals: str, state: State) -> Transition:
        """The player-turn of the side on turn, after that of an idle opponent; or what the US removes within one."""
        campaign = self.campaign
        turn = state[campaign.turn]
        due = Substitution(state)(campaign.due) if removals == LATER else FALSE
        if due is TRUE or (due is not FALSE and not turn.is_const):
            return self._removal(state)
        assert turn.is_const, "player-turns go in order from a known one"
        on_turn = str(turn.value)
        waits = self._merged(side, opponent) and on_turn != side
        mover = enemy(on_turn) if waits else on_turn
        ours = side is None or mover == side
        found = PlayerTurn(campaign, mover, state, removals) if ours or opponent == ANY else None
        middle = found.next if found else {}
        passing = [campaign.end_turn, campaign.end_turn] if waits else [campaign.end_turn]
        laws, after = [*(found.laws if found else ())], dict(middle)
        # While removals are due the player-turn does not end: its end changes nothing then.
        waiting = Substitution(after)(campaign.due) if removals == LATER else FALSE
        for action in passing:
            now = Substitution(after)
            laws.append(or_(waiting, now(action.guard)))
            after |= {fluent: ite(waiting, after.get(fluent, fluent), now(new)) for fluent, new in action.effects}
        moved = found.number if found else integer(0)
        if metric == "moves" and ours and self._eager and self._merged(side, opponent):
            laws.append(ge(moved, 1))
        paid = moved if metric == "moves" else integer(1)
        return Transition(
            choices=found.choices if found else (),
            legality=tuple(laws),
            next={fluent: new for fluent, new in after.items() if fluent in state},
            cost=paid if ours else integer(0),
            describe=lambda chosen, values: found.orders(chosen, values) if found else (),
            counts=TRUE if self._merged(side, opponent) else self._ours(side),
            mover=None if waits else turn,
            passed=({f: new for f, new in campaign.end_turn.effects if f in state},) if waits else (),
        )

    def _removal(self, state: State) -> Transition:
        """The US Player chooses what he removes, and the player-turn is over."""
        campaign = self.campaign
        assert isinstance(campaign.turn.sort, EnumSort), "it says whose player-turn it is"
        us = member(campaign.turn.sort, US)
        removal = Removal(campaign, Substitution(state), campaign.removals, chosen=True)
        after: dict[Term, Term] = {campaign.removals: integer(0)}
        removal.add_to(after)
        now = Substitution(after)
        due, then = campaign.due, {fluent: now(new) for fluent, new in campaign.end_turn.effects}
        after |= {fluent: ite(due, new, fluent) for fluent, new in then.items()}
        after[campaign.turn] = us
        return Transition(
            choices=removal.choices,
            legality=(*removal.laws, or_(not_(due), now(campaign.end_turn.guard))),
            next={fluent: new for fluent, new in after.items() if fluent in state},
            cost=integer(0),
            describe=removal.orders,
            counts=FALSE,
            mover=us,
            due=due,
        )

    # ---- in words

    def _assumptions(self, metric: str, side: str | None, opponent: str) -> Iterator[str]:
        stop = "; it stops where it enters an enemy zone of control (option stop_at_zoc)"
        yield (
            "in its player-turn each unit of the side moves at most once, as far as its movement points go by the "
            "costs of the terrain; it enters no hex that an enemy unit held when the player-turn began"
            + (stop if self.campaign.stops else "")
        )
        yield "there is no combat: nobody retreats or is eliminated; units that are not on the map stay away"
        if self._removes:
            who = "a unit" if self.campaign.named_edges else "a Japanese unit"
            yield (
                f"{who} exits, or leaves the map, instead of moving, from an edge hex where its player-turn "
                "began (option exits)"
            )
            first = "the US Player removes those of his units that stand first in the scenario"
            any_ = "the US Player removes any of his units for exits, once all moves of the player-turn are made"
            yield first if self._merged(side, opponent) else any_
        else:
            yield "no unit exits (option exits)"
        if self._merged(side, opponent) and metric == "moves" and self._eager:
            yield "in each player-turn of a plan at least one unit of the side moves"
        if self._eager:
            yield "the scenario may end after any player-turn (option early_end)"
