"""The questions of a player against an opponent to a game at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Unpack, overload

from vclogic.files.record import Events
from vclogic.model.system import IDLE
from vclogic.moment.questions import Questions
from vclogic.query.forces import Forces
from vclogic.query.request import Patience, Spending

if TYPE_CHECKING:
    from vclogic.board.graphs import DiGraph, MultiDiGraph
    from vclogic.model.fluents import State
    from vclogic.query.answers import Plan
    from vclogic.query.duel import Defence, Force, Survival
    from vclogic.query.objectives.answer import Objectives
    from vclogic.query.odds import BattleOdds
    from vclogic.query.planner import Planner
    from vclogic.query.solve import Solved


class Playing(Questions):
    """A game at one moment, and the questions of one who plays against an opponent."""

    __slots__ = ()

    def planner(self, side: str | None = None, metric: str | None = None, *, opponent: str = IDLE) -> Planner:
        """A planner for many questions about this game, each with its own state, conditions and budget of time.

        Args:
            side: The side that plans; None: each question whose goal names one side is about that side.
            metric: A metric of the game; by default its first one.
            opponent: As in `plan`.

        Returns:
            The planner. It keeps between questions what does not depend on the state: the steps of the planning model
            where they are the same for all states, compiled goals and conditions, and, where no gain is ever lost
            (captures in axis_allies), the program with its cuts. Steps that are built for their state (units on maps,
            armies) are built anew for each state. Several threads may ask it; it answers one after the other.

        Raises:
            InputError: There is no such side, metric or opponent.
        """
        from vclogic.query.planner import Planner

        return Planner(self.setup, self.state, side, metric, opponent)

    def objectives(
        self,
        goal: str | None = None,
        side: str | None = None,
        *,
        within: int | None = None,
        minimize: str | None = None,
        threat: str | None = None,
        opponent: str = IDLE,
        require: Sequence[Events] = (),
        avoid: Sequence[Events] = (),
        keep: str | None = None,
        limit: int = 100,
        **patience: Unpack[Patience],
    ) -> Objectives:
        """A briefing of a side: the objectives that win, those that deny it, what they are worth, what threatens.

        To take an objective is to have it after some step of a plan, and not at the start.

        Args:
            goal: What the side wants, in the goal language; None: any of its outcomes.
            side: The side that plans; optional if the goal names only one side.
            within: The most counted steps of a plan; None: as many as a cheapest plan takes.
            minimize: A metric of the game; by default its first one.
            threat: What an enemy wants; None: any of its outcomes.
            opponent: As in `plan`.
            require: Events of which a plan must hold at least one each, as in a record; arguments left out can have
                any value.
            avoid: Events that a plan must not hold, in the same form.
            keep: What must hold after every step of a plan, in the goal language.
            limit: The most winning sets and the most denial sets to list.
            patience: Time limit and progress; see `Patience`.

        Returns:
            The winning sets with their plans, what every plan takes, the denial sets, the value of each objective,
            the threats with what stops them, and the next steps. What is not decided in time is marked so.

        Raises:
            InputError: Everything that is wrong with the goals, the conditions and the choices.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.questions import objectives

        return objectives(
            asked,
            goal,
            side=side,
            within=within,
            minimize=minimize,
            threat=threat,
            opponent=opponent,
            require=require,
            avoid=avoid,
            keep=keep,
            limit=limit,
        )

    def odds(
        self,
        attack: Forces,
        defend: Forces | None = None,
        at: str | None = None,
        *,
        side: str | None = None,
        guns: Forces = "",
        landing: bool = False,
        attackers_fall: str | Sequence[str] = (),
        defenders_fall: str | Sequence[str] = (),
        keep: bool = True,
        rounds: int | None = None,
        retreat_at: int | None = None,
        exact: bool = False,
        **patience: Unpack[Patience],
    ) -> BattleOdds:
        """The chances of a battle: its ends, the losses to expect, and the survivors.

        Args:
            attack: The units that attack: a number for each kind, or a text such as `armour: 3, fighter: 2`.
            defend: The units that defend, likewise, antiaircraft guns included; None: those that stand at the place.
            at: Where it is; without a place it is at sea where there are ships in it.
            side: The side or power that attacks; None: an enemy of those who stand at the place.
            guns: Ships that bombard: they fire once for a landing, and are not in the battle otherwise.
            landing: Whether the land units come from the sea, so that they cannot retreat.
            attackers_fall: The order in which the attacker loses kinds of units, in a list or with commas; others
                fall after them.
            defenders_fall: The same for the defender.
            keep: Whether the attacker keeps one land unit as long as anything else can be lost.
            rounds: The attacker retreats after so many rounds; None: never.
            retreat_at: The attacker retreats once it has at most so many units; None: never.
            exact: Whether to count in fractions, which takes longer.
            patience: Time limit and progress; see `Patience`.

        Returns:
            The chances to take the place and to clear it, expected losses in units and money, and every way in which
            the battle can end; `unknown` if the time was up.

        Raises:
            InputError: Everything that is wrong with the units and choices, or dice decide no battles in this game.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.odds import BattleQuestion, odds

        fall = attackers_fall, defenders_fall
        return odds(
            asked, BattleQuestion(attack, defend, at, side, guns, landing, *fall, keep, rounds, retreat_at, exact)
        )

    def solve(self, *, max_positions: int | None = None, check: bool = True, **patience: Unpack[Patience]) -> Solved:
        """Find the winner if both sides play as well as can be, by looking at every position that play can reach.

        For small games of two sides. The answer's `table` tells best play from each of these positions:
        `table[game]` for a game at one of these moments, `table.save(file)` and `Table.load(file)` of
        `vclogic.explore.table`.

        Args:
            max_positions: The search is cut off after about so many positions; None: 5,000,000.
            check: Whether the table is checked position by position, in the time left.
            patience: Time limit and progress; see `Patience`.

        Returns:
            Who wins in how many turns, or that it is a draw or endless, with the play; `unknown` if the search was
            cut off or the rules leave open what decides.

        Raises:
            InputError: The game has not two sides, or a choice is wrong.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.solve import MOST, solve

        return solve(asked, MOST if max_positions is None else max_positions, check=check)

    @overload
    def graph(self, of: Literal["board"] = "board") -> DiGraph[str]: ...

    @overload
    def graph(
        self, of: Literal["positions"], *, max_positions: int | None = None, **patience: Unpack[Patience]
    ) -> MultiDiGraph[State]: ...

    def graph(
        self,
        of: Literal["board", "positions"] = "board",
        *,
        max_positions: int | None = None,
        **patience: Unpack[Patience],
    ) -> DiGraph[str] | MultiDiGraph[State]:
        """The board, or all positions that play can reach from here, as a graph of networkx.

        Args:
            of: What it is a graph of.
            max_positions: More positions than so many are refused; None: 20,000.
            patience: Time limit for positions; see `Patience`.

        Returns:
            The board as a `DiGraph`. Its nodes are the places that events and facts name; what the picture of this
            moment shows of one are its attributes `label`, `kind`, `pos`, `owner` and `ground`. An edge leads where
            something can move, with `costs`, by what moves, and the least of them as `weight`.

            Or the positions as a `MultiDiGraph`. Its nodes are states (`Game.state`), with `depth` (the fewest events
            from here), `mover` (the side that decides; None: nobody, or several may), `won` (the sides that have won)
            and `over` (whether the game is over otherwise); events do not lead on from either. Its edges are events,
            with `event` and `args` as `apply` takes them, `actor`, `text`, `odds` where chance decides, and 1 as
            `weight`.

        Raises:
            InputError: The game says nothing of ways on its board, or there are too many positions, which is also
                said where the time is up before all are there.
        """
        from vclogic.query.graph import MOST, board_graph, position_graph

        asked = self._request(Spending(dump=None, **patience))
        if of == "board":
            return board_graph(self.loaded.game, asked.setup.system, self.state)
        return position_graph(asked, MOST if max_positions is None else max_positions)

    def force(
        self,
        goal: str,
        side: str | None = None,
        *,
        within: int = 1,
        minimize: str | None = None,
        **patience: Unpack[Patience],
    ) -> Force:
        """Ask if a side can force a goal, whatever all other sides do.

        A turn is one step of a planning model in which one side moves. The side chooses each turn of its own powers
        knowing all turns before it; the others take any legal turns. The goal counts as reached if it holds at the
        end of any turn, whosever, up to the side's next turn after the last that counts. A side that has no legal
        turn is stuck: the play ends there.

        Args:
            goal: The goal, in the goal language.
            side: The side that forces it; optional if the goal names only one side.
            within: The most turns of that side, those of all its powers counted together.
            minimize: The planning model, by the name of its metric; by default the first that has turns.
            patience: Time limit and progress; see `Patience`.

        Returns:
            `forced` with the fewest turns and a strategy, `refuted` with what the others answer, or `unknown`.

        Raises:
            InputError: The goal or a choice is wrong, or in the planning model a step is no turn of one side.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.questions import force

        return force(asked, goal, side=side, minimize=minimize, within=within)

    def defend(
        self,
        threat: str,
        side: str | None = None,
        *,
        within: int = 1,
        minimize: str | None = None,
        idle: bool = False,
        **patience: Unpack[Patience],
    ) -> Defence:
        """The fewest moves of the turn that begins or goes on now, after which no other side can force a threat.

        The threat is prevented if the others cannot force it within some turns of theirs (see `force`), where this
        side answers as well as it can: with `within=1`, no turn of theirs reaches it. A threat that holds now only
        counts if it holds after the turn, which may undo it. Moves are the choices of the
        turn, such as captures.

        Args:
            threat: What must not come, in the goal language.
            side: The side that defends, which must be on turn; optional if the threat names one of two sides.
            within: The most turns of all others together.
            minimize: The planning model, by the name of its metric; by default the first that has turns.
            idle: Whether this side does nothing in its later turns: then the others have no plan of so many turns
                after the defence, as `plan` with an idle opponent finds them.
            patience: Time limit and progress; see `Patience`.

        Returns:
            `defended` with the turn, and with the proof that no turn with fewer choices is enough; `lost` if no turn
            prevents the threat; or `unknown`.

        Raises:
            InputError: The threat or a choice is wrong, it is not the side's turn, or a step is no turn of one side.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.questions import defend

        return defend(asked, threat, side=side, minimize=minimize, within=within, idle=idle)

    def survives(
        self, plan: Plan, side: str | None = None, *, within: int | None = None, **patience: Unpack[Patience]
    ) -> Survival:
        """Ask if a plan survives the strongest reply to it.

        Between the plan's turns the other sides take any legal turns, and after the last until the side would be on
        turn again. The plan is stopped if one of its turns becomes illegal, or if the goal has not come in the end.
        Of replies that stop it, one that does so earliest is given; if none does, one after which the goal comes
        latest.

        Args:
            plan: A plan that was found from this moment, by a planning model that has turns.
            side: The side whose plan it is; optional if its goal names only one side.
            within: How many of the plan's turns are played at most; None: all.
            patience: Time limit and progress; see `Patience`.

        Returns:
            `survives`, `stopped` with the reply that does it, or `unknown`.

        Raises:
            InputError: There is no plan in the answer, its planning model has no turns, or it cannot be played here.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.questions import survives

        return survives(asked, plan, side=side, within=within)
