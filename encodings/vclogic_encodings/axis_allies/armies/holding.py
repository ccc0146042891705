"""Plans that hold what they take (option hold), in terms over the fluents and choices of their turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from vclogic_encodings.axis_allies.armies.turn import Armies, TurnStep
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.chances import chances
from vclogic_encodings.axis_allies.odds.minimal_points import KindLine, Numbers, first_on, minimal_points

from vclogic.clock import check_deadline
from vclogic.model.battles import Fight, Units
from vclogic.model.counter import Garrisons, Holding, Known
from vclogic.model.fluents import numbered
from vclogic.model.memoized import Latest, memoized
from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE, TRUE, constant, integer, var
from vclogic.terms.build import and_, eq, ge, linear, or_, scale
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import between
from vclogic.terms.term import Term, variables

_TURNS = 200  # of enemies, as terms


def holding(armies: Armies) -> Holding:
    """The terms of plans that hold the places they take."""
    level = Fraction(armies.game.settings.number("hold"), 100)
    found = _Holding(armies, Latest(_TURNS))
    return Holding(level, found.took, found.stands, found.garrisons, found.conditions, found.beaten)


@dataclass(frozen=True)
class _Holding:
    """See `Holding`."""

    armies: Armies
    opened: Latest[tuple[object, ...], TurnStep]

    def took(self, step: Transition, place: str) -> Term:
        """True if a turn takes a territory."""
        return step.turn.flags.get(f"capture {place}", FALSE) if isinstance(step, TurnStep) else FALSE

    def stands(self, place: str, side: str) -> Mapping[str, Term]:
        """The units of a side in a territory that was just taken, which only soldiers enter, or at sea."""
        game = self.armies.game
        powers, units = game.board.sides[side], game.fluents.units
        kinds = game.roles.soldiers if place in game.board.land else game.roles.defenders(place)
        return {u: linear((1, units[place, p, u]) for p in powers) for u in kinds}

    # ---- an enemy's turn in any state of a plan

    def conditions(self, start: Known, step: Transition, chosen: Mapping[Term, int]) -> tuple[Term, ...]:
        """The conditions of a turn's choices: its laws, with the choices put in, and that it comes.

        The units of a power that is idle in the plan are all where they stood as it began, or gone.
        """
        assert isinstance(step, TurnStep)
        key = (step.turn.power, step.turn.aim, tuple(start.values()))
        turn = self.opened.get(key, lambda: self._open(start, step))
        numbers = {c.name: n for c, n in chosen.items()}
        fixed = {c: numbered(c, numbers.pop(c.name, 0)) for c in turn.choices}
        assert not any(numbers.values()), "a turn in any state has the choices of a turn in one"
        laws = [self._comes(step.turn.power), *map(Substitution(fixed), turn.legality)]
        idle = Substitution(self._idle(start, step.turn.side, laws))
        return tuple(dict.fromkeys(law for law in map(idle, laws) if law is not TRUE))

    @memoized
    def _comes(self, power: str) -> Term:
        """True if the game goes on until a power's next turn, and in it, everybody passing until then."""
        game, end = self.armies.game, self.armies.end_turn
        passed, come = Substitution(dict(end.effects)), TRUE
        for _ in game.board.turn_order:
            come = and_(end.guard, or_(eq(game.fluents.turn.fluent, power), passed(come)))
        return come

    def _idle(self, start: Known, side: str, laws: Iterable[Term]) -> Mapping[Term, Term]:
        """The numbers of a side's units while it is idle: as at the start or none, told by one condition a region."""
        powers, asked = self.armies.game.board.sides[side], {*variables(*laws)}
        first: dict[str, Term] = {}
        found: dict[Term, Term] = {}
        for (region, p, _), f in self.armies.game.fluents.units.fluents.items():
            if p in powers and start[f].lo:
                first.setdefault(region, f)
            if p in powers and f in asked:
                found[f] = scale(ge(first[region], 1), start[f].lo) if start[f].lo else integer(0)
        return found

    def _open(self, start: Known, step: TurnStep) -> TurnStep:
        """The turn in any state that a plan leads to while the power's side is idle."""
        game, power, side = self.armies.game, step.turn.power, step.turn.side
        fluents, board = game.fluents, game.board
        state = {**start, **fluents.underway.reset(), fluents.turn.fluent: constant(fluents.turn.fluent.sort, power)}
        for (_, p, _), f in fluents.units.fluents.items():
            if p not in board.sides[side]:
                state[f] = f
            elif start[f].lo:
                state[f] = var(f.name, between(0, start[f].lo))
        for t in board.land:
            if start[fluents.owner[t]].value in board.sides[side]:
                state[fluents.owner[t]] = fluents.owner[t]
            state[fluents.owner_at_turn_start[t]] = state[fluents.owner[t]]
        assert step.turn.aim is not None
        return self.armies.aimed(power, state, step.turn.aim, known=False)

    def beaten(self, state: Known, condition: Term, power: str) -> Known | None:
        """The state without the units of a power and its allies in the regions that a condition is about."""
        game = self.armies.game
        powers = game.board.sides[game.board.powers[power].side]
        asked = variables(condition)
        units = game.fluents.units.fluents
        regions = {r for (r, p, _), f in units.items() if p in powers and f in asked}
        if not regions:
            return None
        gone = {f: integer(0) for (r, p, _), f in units.items() if r in regions and p in powers}
        return {**state, **gone}

    # ---- garrisons

    def garrisons(self, fight: Fight, attackers: Units, guns: Units, most: Units, limit: Fraction) -> Garrisons:
        """The garrisons against which an attack has at most some chance."""
        from vclogic_encodings.axis_allies.odds.halfspaces import halfspaces

        classes = self._classes(tuple(u for u, n in most.items() if n > 0))
        caps = [sum(most[u] for u in kinds) for kinds in classes]
        asked = _Attack(self.armies.game, fight.at_sea, attackers, guns, limit, tuple(kinds[0] for kinds in classes))
        least = asked.least(caps)
        if not least or not classes:
            return Garrisons(classes, bool(least), (), ())
        told = halfspaces(least, caps)
        return Garrisons(classes, True, told.sums, told.others)

    def _classes(self, kinds: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Kinds that defend alike: land units with the same defence."""
        found: dict[object, list[str]] = {}
        for u in kinds:
            unit = self.armies.game.board.units[u]
            alike = unit.kind == "land" and not unit.antiaircraft
            found.setdefault((unit.defence, unit.hits) if alike else u, []).append(u)
        return tuple(map(tuple, found.values()))


@dataclass(frozen=True)
class _Attack:
    """The garrisons that hold against an attack.

    Attributes:
        game: The game.
        at_sea: Whether it is at sea.
        attackers: Who attacks.
        guns: The ships that bombard.
        limit: The greatest chance that they may have.
        kinds: A kind of each class of defenders.
    """

    game: Rules
    at_sea: bool
    attackers: Units
    guns: Units
    limit: Fraction
    kinds: tuple[str, ...]

    def least(self, caps: list[int]) -> list[Numbers]:
        """The garrisons that hold, of at most so many of each class, from which no unit can be taken away."""
        alone = [KindLine(tuple(0 for _ in caps), i, n) for i, n in enumerate(caps)]
        tops = first_on(alone, self._hold)  # more of a class than hold alone are never needed
        return minimal_points([min(n, cap) for n, cap in zip(tops, caps, strict=True)], self._hold)

    def _hold(self, garrisons: Sequence[Numbers]) -> list[bool]:
        return [self._holds(numbers) for numbers in garrisons]

    def _holds(self, numbers: Numbers) -> bool:
        defenders = {u: n for u, n in zip(self.kinds, numbers, strict=True) if n}
        if not defenders:
            return self.limit >= 1
        check_deadline()
        fought = chances(self.game, defenders, at_sea=self.at_sea)
        return fought.compared([(self.attackers, self.guns)], self.limit)[0] <= 0
