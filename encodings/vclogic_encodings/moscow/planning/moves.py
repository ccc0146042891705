"""The choices of one step: which units move where, and what becomes of places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic_encodings.moscow.board import ELIMINATED, OFF, enemy
from vclogic_encodings.moscow.events import named
from vclogic_encodings.moscow.game import Rules
from vclogic_encodings.moscow.planning.paths import Hexes, Paths

from vclogic.board.arrivals import Route, arrivals
from vclogic.model.fluents import Value
from vclogic.model.pieces import MoveChoices, alone, move_choices
from vclogic.model.step_text import StepText, Values
from vclogic.model.transition import Chosen, Hints, Transition
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, and_, any_of, eq, implies, in_mask, is_in, linear, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

State = Mapping[Term, Term]
Routes = Mapping[str, tuple[Route, ...]]
"""For each hex that a unit gets to, the route of each move that leads there."""


class SimultaneousMoves:
    """Units that move at the same time, from a state of which each unit's possible places are known.

    Attributes:
        game: The game.
        paths: Paths over the map.
        state: A term for each fluent that matters.
        sides: Whose units move.
    """

    def __init__(self, game: Rules, paths: Paths, state: State, sides: Sequence[str]):
        self.game = game
        self.paths = paths
        self.state = state
        self.sides = tuple(sides)
        self._found: dict[str, MoveChoices] = {}
        self._routes: dict[tuple[str, str], Routes] = {}
        self._most = 1
        self._stops: Hexes | None = None

    @property
    def standing(self) -> list[Term]:
        """The places of the units that move."""
        return [self.game.fluents.at[u] for side in self.sides for u in self.game.board.army(side)]

    # ---- choices

    def move(self, most: int, stops: Hexes | None = None) -> None:
        """Let units move.

        Args:
            most: The most moves of a unit, one after the other.
            stops: From where alone units move; None: from anywhere.
        """
        self._most, self._stops = most, stops
        for side in self.sides:
            at = {u: self.game.fluents.at[u] for u in self.game.board.army(side)}
            self._found[side] = move_choices(at, self._targets, self.state)

    def _targets(self, unit: str, source: str) -> Iterable[str]:
        if source in (OFF, ELIMINATED) or (self._stops is not None and source not in self._stops):
            return ()
        return self.routes(unit, source)

    def routes(self, unit: str, source: str) -> Routes:
        """The routes of a unit from a hex."""
        key = unit, source
        if key not in self._routes:
            known = self.game.board.units[unit]
            closed = self._closed(enemy(known.side))
            self._routes[key] = self.paths.of_moves(source, known.allowance, closed, self._most)
        return self._routes[key]

    def _routes_in(self, values: Values, unit: str, source: str) -> Routes:
        """The routes of a unit from a hex, where it is known where the enemy is."""
        known = self.game.board.units[unit]
        held = {str(values[self.game.fluents.at[u]]) for u in self.game.board.army(enemy(known.side))} - {
            OFF,
            ELIMINATED,
        }
        return self.paths.of_moves(source, known.allowance, frozenset(held), self._most)

    def _closed(self, side: str) -> Hexes:
        """Hexes where a unit of a side surely is."""
        found = set()
        for u in self.game.board.army(side):
            now = self.state[self.game.fluents.at[u]]
            if now.is_const:
                found.add(str(now.value))
        return frozenset(found - {OFF, ELIMINATED})

    def _possible(self, side: str) -> dict[str, list[Term]]:
        """Hexes where a unit of a side may be and need not be, with each such unit's place."""
        found: dict[str, list[Term]] = {}
        for u in self.game.board.army(side):
            fluent = self.game.fluents.at[u]
            now = self.state[fluent]
            if not now.is_const:
                for i, h in enumerate(self.game.fluents.whereabouts.sort.members):
                    if now.mask >> i & 1 and h not in (OFF, ELIMINATED):
                        found.setdefault(h, []).append(fluent)
        return found

    # ---- laws

    def _laws(self) -> Iterable[Term]:
        for side, found in self._found.items():
            yield from found.laws
            yield from self._free_ways(side, found)
            if self.game.board.stacking is not None:
                yield from self._stacks(side, found, self.game.board.stacking)
        if len(self._found) > 1:
            yield from self._apart()

    def _free_ways(self, side: str, found: MoveChoices) -> Iterable[Term]:
        """Constrain plans: no enemy unit is on the way, where it is not known where the enemy is."""
        doubtful = self._possible(enemy(side))
        if not doubtful:
            return
        assert self._most == 1, "who moves while the enemy does moves once"
        certain = self._closed(enemy(side))
        taken = {h: any_of(eq(at, h) for at in there) for h, there in doubtful.items()}
        closed = {**taken, **dict.fromkeys(sorted(certain), TRUE)}
        board, apart = self.game.board, frozenset(closed)
        for unit, targets in found.targets.items():
            at, allowance = self.game.fluents.at[unit], board.units[unit].allowance
            sources = [source for u, source, _ in self._starts(found) if u == unit]
            reached = arrivals(board.near, board.cost, at, sources, allowance, closed)
            for target in targets:
                sure = [s for s in sources if target in self.paths.moves(s, allowance, apart)]
                gets_there = or_(is_in(at, sure), reached.get(target, FALSE))
                yield implies(found.goes(unit, [target]), gets_there)

    def _starts(self, found: MoveChoices) -> Iterable[tuple[str, str, Term]]:
        """Each unit that can move with each hex from where it can, and whether it is there."""
        now = Substitution(self.state)
        for unit in found.choices:
            at = self.game.fluents.at[unit]
            for i, source in enumerate(self.game.fluents.whereabouts.sort.members):
                if now(at).mask >> i & 1 and self._known(unit, source):
                    yield unit, source, in_mask(at, 1 << i)

    def _known(self, unit: str, source: str) -> Routes:
        return self._routes.get((unit, source), {})

    def _stacks(self, side: str, found: MoveChoices, most: int) -> Iterable[Term]:
        """Constrain plans: no hex that somebody enters holds too many units afterwards."""
        now = Substitution(self.state)
        army = self.game.board.army(side)
        after = {u: found.place(u) if u in found.choices else now(self.game.fluents.at[u]) for u in army}
        return alone(after, found.entered, most)

    def _apart(self) -> Iterable[Term]:
        """Constrain plans: no hex that somebody enters holds units of both sides afterwards."""
        then = Substitution(self._places())
        targets = dict.fromkeys(t for found in self._found.values() for t in found.entered)
        return (not_(then(self.game.fluents.mixed(h))) for h in targets)

    # ---- what follows

    def _places(self) -> dict[Term, Term]:
        return {self.game.fluents.at[u]: found.place(u) for found in self._found.values() for u in found.choices}

    def after(self) -> dict[Term, Term]:
        """The places of units after the moves, and the owners of the places then."""
        return self.game.fluents.with_places(self._places(), known=self.state)

    def cost(self, side: str | None = None) -> Term:
        """The number of moves, of one side or of all."""
        parts = [
            (number, term)
            for s, found in self._found.items()
            if side in (None, s)
            for unit in found.choices
            for number, term in self._price(found, unit)
        ]
        return add(integer(0), linear(parts))

    def _price(self, found: MoveChoices, unit: str) -> Iterable[tuple[int, Term]]:
        """The number of moves that a unit makes."""
        if self._most == 1:
            return [(1, found.moved(unit))]
        parts = []
        for _, source, here in (x for x in self._starts(found) if x[0] == unit):
            numbers: dict[int, list[str]] = {}
            for target, routes in self._known(unit, source).items():
                numbers.setdefault(len(routes), []).append(target)
            parts += [(n, and_(here, found.goes(unit, targets))) for n, targets in numbers.items()]
        return parts

    def transition(
        self,
        following: Mapping[Term, Term],
        cost: Term,
        cheapest: int,
        then: Term = TRUE,
        counts: Term = TRUE,
    ) -> Transition:
        """The step.

        Args:
            following: Each fluent's value after it.
            cost: What it adds to the metric.
            cheapest: The least cost of a step that changes anything.
            then: What must hold besides.
            counts: Whether the step counts.
        """
        choices = tuple(choice for found in self._found.values() for choice in found.choices.values())
        legality = (self.game.fluents.going_on, then, *self._laws())
        return Transition(
            choices=choices,
            legality=tuple(t for t in legality if t is not TRUE),
            next=dict(following),
            cost=cost,
            describe=self._orders,
            counts=counts,
            hints=Hints(cheapest=cheapest),
        )

    # ---- words

    def _orders(self, chosen: Chosen, values: Values) -> list[StepText]:
        numbers = {x.name: n for x, n in chosen.items() if n}
        steps: list[StepText] = []
        for side, found in self._found.items():
            for unit, choice in found.choices.items():
                if choice.name in numbers:
                    source = str(values[self.game.fluents.at[unit]])
                    target = self.game.fluents.whereabouts.sort.members[numbers[choice.name]]
                    steps += self._march(side, unit, source, self._routes_in(values, unit, source)[target])
        return steps

    def _march(self, side: str, unit: str, source: str, routes: Iterable[Route]) -> Iterable[StepText]:
        for route in routes:
            target, through = route[-1], " and ".join(route[:-1])
            args: dict[str, Value] = {"unit": unit, "from": source, "via": through, "to": target}
            text = f"{unit} from {named(self.game, source)} to {named(self.game, target)}"
            yield StepText(side, "move", args, f"{side}: {text}" + (f" through {through}" if through else ""))
            source = target
