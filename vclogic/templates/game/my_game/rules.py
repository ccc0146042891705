"""The rules of My game: each is a term over the state, with the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.board.graphs import Movement
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.citation import Cites, RuleText
from vclogic.model.fluents import Family
from vclogic.model.objectives import Objective
from vclogic.model.position import Listing, Thing
from vclogic.model.rules import Observable, Outcome, Rule
from vclogic.model.system import ANY, Encoding, Metric, Settings, System
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.model.view import View
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import any_of, eq, ge, ne, not_, total
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

from .board import SIDES, Board, flaws

TEXT = RuleText("my_game", "RULES.md")
cite, encodes = TEXT.cite, TEXT.encodes
MOVES = "moves"


class Rules:
    """The rules over one board.

    Attributes:
        owner: The state: who holds each place.
    """

    def __init__(self, board: Board):
        self.board = board
        self.side = Domain(EnumSort("side", SIDES))
        self.place = Domain(EnumSort("place", tuple(board.places)))
        self.owner = Family("owner", self.side.sort, "the side that holds the place", (self.place,), self.side)

    # ---- what is so in a state

    def holds(self, side: str, place: str) -> Term:
        """A side holds a place."""
        return eq(self.owner[place], side)

    @encodes("2/1")
    def points(self, side: str) -> Term:
        """The points that a side's places are worth."""
        return total((place.points, self.holds(side, name)) for name, place in self.board.places.items())

    def outcomes(self) -> tuple[Outcome, ...]:
        """The ways to win."""
        return tuple(self.victory(side) for side in SIDES)

    def victory(self, side: str) -> Outcome:
        """A side wins by points."""
        points, needed = self.points(side), self.board.needed
        text = f"{side} holds places worth at least {needed} points"
        return outcome("victory", side, ge(points, needed), text, cite("2/1"), have=points, need=integer(needed))

    @encodes("1/2")
    def over(self) -> Term:
        """A side has won."""
        return any_of(o.condition.holds for o in self.outcomes())

    # ---- what can happen

    def take(self, side: str, place: str) -> Action:
        """A side takes a place."""
        near = [self.holds(side, name) for name in self.board.neighbours(place)]
        return Action(
            name="take",
            args=(("side", side), ("place", place)),
            actor=side,
            requirements=(
                Requirement(ne(self.owner[place], side), f"{side} holds it already", cite("1/1")),
                Requirement(any_of(near), f"no road leads to {place} from a place of {side}", cite("1/1")),
                Requirement(not_(self.over()), "a side has won", cite("1/2")),
            ),
            effects=((self.owner[place], constant(self.side.sort, side)),),
            text=f"{side} takes {place}",
            costs={MOVES: 1},
            cites=cite("1/1"),
        )

    def step(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        """One step of a plan: at most one place is taken, by a side that moves."""
        movers = SIDES if side is None or opponent == ANY else (side,)
        return one_at_a_time([self.take(s, p) for s in movers for p in self.board.places], MOVES)

    def objective(self, place: str) -> Objective:
        """A place as an objective, which a side loses when the enemy takes it."""
        return Objective(
            name=place,
            kind="place",
            held={side: self.holds(side, place) for side in SIDES},
            places=(place,),
            worth=dict.fromkeys(SIDES, f"{self.board.places[place].points} points"),
            lost=lambda side, values: {self.owner[place]: next(s for s in SIDES if s != side)},
        )

    def movement(self) -> Movement:
        """The ways of the sides: along the roads, into every place."""
        places = self.board.places
        return Movement("sides", {name: self.board.neighbours(name) for name in places}, dict.fromkeys(places, 1))

    def position(self, now: View) -> tuple[Listing, ...]:
        """The position that `status` shows: the holder of each place, where that is not as at the start."""
        places = [Thing(name, now(self.owner[name])) for name in self.board.places]
        return (Listing("Who holds the places", "Side", "places", places),)

    # ---- all together

    def system(self) -> System:
        """The rule set."""
        return System(
            sides={side: (side,) for side in SIDES},
            families=(self.owner,),
            initial={self.owner[name]: place.owner for name, place in self.board.places.items()},
            rules=(Rule("over", self.over(), "a side has won, and nothing is taken any more", cite("1/2")),),
            invariants=(),
            outcomes=self.outcomes(),
            observables=(
                Observable("points", (self.side,), self.points, "what a side's places are worth", cite("2/1")),
                Observable("owner", (self.place,), lambda place: self.owner[place], "who holds it", (), self.side),
            ),
            events=(
                Schema(
                    "take",
                    (Parameter("side", self.side), Parameter("place", self.place)),
                    self.take,
                    "a side takes a place",
                    cite("1/1"),
                    decided_by="the side that takes it",
                ),
            ),
            metrics=(
                Metric(
                    MOVES,
                    "move",
                    "",
                    "the places that are taken",
                    self.step,
                    lambda side, opponent: (),
                    events=("take",),
                ),
            ),
            overview=tuple(("points", side) for side in SIDES),
            position=self.position,
            objectives=tuple(self.objective(name) for name in self.board.places),
            movement=(self.movement(),),
        )


def outcome(
    name: str, side: str, condition: Term, text: str, cites: Cites, have: Term | None = None, need: Term | None = None
) -> Outcome:
    """An outcome that is judged at every moment.

    Args:
        name: The outcome.
        side: The side that wins by it.
        condition: What the side needs.
        text: The same in words.
        cites: The sentences that say so.
        have: How far the side is, where the condition is a threshold.
        need: The threshold.
    """
    met = Partial(condition)
    return Outcome(name, side, met, TRUE, "at once", text, cites, won=FALSE, lost=FALSE, have=have, need=need)


def build(board: Board, settings: Settings) -> System:
    """The rule set over a board."""
    return Rules(board).system()


ENCODING = Encoding(
    name="my_game",
    title="My game",
    texts=(TEXT,),
    options=(),
    readings=(),
    board=Board,
    check_board=flaws,
    build=build,
)
