"""Games given as graphs: a piece stands on a node, and whoever owns the node moves it along one of its ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.fluents import Family
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.terms.atoms import TRUE, integer
from vclogic.terms.build import any_of, eq
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import IntSort

RED, BLUE, NOBODY = "Red", "Blue", None
SIDES = (RED, BLUE)


@dataclass(frozen=True)
class Way:
    """A way from one node to another, who takes it (nobody: it is forced), its odds, and who else must agree."""

    source: int
    target: int
    actor: str | None
    odds: int | None = None
    agreed: str | None = None


@dataclass(frozen=True)
class GraphGame:
    """A game on a graph.

    Attributes:
        nodes: How many nodes.
        ways: The ways.
        won: The nodes on which a side has won.
        over: The nodes on which the game is over.
    """

    nodes: int
    ways: tuple[Way, ...]
    won: Mapping[str, frozenset[int]]
    over: frozenset[int]

    @property
    def system(self) -> System:
        """The same as a rule set."""
        at = Family("at", IntSort(0, self.nodes - 1), "where the piece stands")
        here = at.fluent

        def way(number: int) -> Action:
            w = self.ways[number]
            needs = (Requirement(eq(here, w.source), "the piece stands elsewhere"),)
            to, text = ((here, integer(w.target)),), f"to {w.target}"
            return Action("way", (("number", number),), w.actor, needs, to, text, odds=w.odds, agreed=w.agreed)

        def outcome(side: str) -> Outcome:
            met = Partial(any_of(eq(here, n) for n in sorted(self.won[side])))
            return Outcome("goal", side, met, TRUE, "at once", f"{side} is there", ())

        schema = Schema(
            "way", (Parameter("number", range(len(self.ways))),), way, "the piece is moved", decided_by="who owns it"
        )
        return System(
            sides={s: (s,) for s in SIDES},
            families=(at,),
            initial={here: 0},
            rules=(),
            invariants=(),
            outcomes=tuple(outcome(s) for s in SIDES),
            observables=(),
            events=(schema,),
            metrics=(),
            ends=any_of(eq(here, n) for n in sorted(self.over)),
        )


def random_game(rng: Random, owners: Sequence[str | None] = SIDES, contested: float = 0.0) -> GraphGame:
    """A random game.

    Args:
        rng: Where it comes from.
        owners: Who may own nodes.
        contested: How often a way is taken by somebody else than the owner of its node.
    """
    n = rng.randint(2, 14)
    ways = []
    for node in range(n):
        owner = rng.choice(owners)
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
            actor = rng.choice((*SIDES, None)) if rng.random() < contested else owner
            agreed = rng.choice(SIDES) if rng.random() < contested else None
            ways.append(Way(node, rng.randrange(n), actor, agreed=agreed))
    nodes = range(1, n)
    won = {s: frozenset(x for x in nodes if rng.random() < 0.12) for s in SIDES}
    over = frozenset(x for x in nodes if rng.random() < 0.1)
    return GraphGame(n, tuple(ways) or (Way(0, 0, RED),), won, over)


def random_dice_game(rng: Random, *, circles: bool, contested: float = 0.0) -> GraphGame:
    """A random game in which chance decides on some nodes.

    Args:
        rng: Where it comes from.
        circles: Whether play may come back to a node.
        contested: How often a way is taken by somebody else than the owner of its node, or has no odds.
    """
    n = rng.randint(8, 16)
    ways = []
    for node in range(n):
        owner = rng.choice((RED, BLUE, None))
        for _ in range(rng.choice((0, 2, 2, 2, 3)) if node else 3):
            if not circles and node == n - 1:
                continue
            actor = rng.choice((*SIDES, None)) if rng.random() < contested else owner
            odds = None if actor or rng.random() < contested / 4 else rng.randint(1, 5)
            target = rng.randrange(n) if circles else rng.randrange(node + 1, n)
            ways.append(Way(node, target, actor, odds))
    nodes = range(1, n)
    won = {s: frozenset(x for x in nodes if rng.random() < 0.2) for s in SIDES}
    over = frozenset(x for x in nodes if rng.random() < 0.1)
    return GraphGame(n, tuple(ways) or (Way(0, 0, RED),), won, over)
