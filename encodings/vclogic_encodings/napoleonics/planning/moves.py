"""The moves of a turn: which unit can go where, and the objectives that this vacates and occupies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.napoleonics.board import NONE, OFF
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.planning.paths import Closed, Paths
from vclogic_encodings.napoleonics.rules.objective import EventEffects

from vclogic.model.pieces import alone, move_choices
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, any_of, count, eq, implies, is_in, ite, le, lt, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

State = Mapping[Term, Term]


class TurnMoves:
    """The moves of one turn.

    Attributes:
        game: The game.
        side: The side on turn.
        closed: Hexes where an enemy stands for certain.
        all: The moves.
        last: For each unit that can move whether its move is the last of the turn, the one that ends the game.
        waiting: The unit that is ordered and has not moved when the game ends, or nobody; None: that is all one.
    """

    def __init__(self, game: Rules, paths: Paths, state: State, side: str, *, active: bool):
        self.game, self.side, self._paths, self._state = game, side, paths, state
        self._active = active
        fluents, board = game.fluents, game.board
        self._enemies = board.pieces(board.enemy(side))
        known = (state[fluents.at[e]] for e in self._enemies)
        self.closed: Closed = frozenset(str(x.value) for x in known if x.is_const)
        units = board.pieces(side) if active else ()
        self.all = move_choices({u: fluents.at[u] for u in units}, self._targets, state)
        self.last = {u: var(f"last move {u}", BOOL) for u in self.all.choices}
        matters = self.last and fluents.watched and not fluents.reads("vacated_when", "movement_ends")
        waits = EnumSort("unit that waits", (NONE, *fluents.occupiers[side]))
        self.waiting = var("ordered without a move", waits) if matters else None

    def _targets(self, unit: str, place: str) -> Iterable[str]:
        if place not in self.game.fluents.hexes.sort.index:
            return ()
        board = self.game.board
        ways = self._paths.from_hex(board.units[unit].kind, place, self.closed)
        return (t for t in ways if t not in board.exits or unit in board.leaving[t])

    # ---- who moves

    def place(self, unit: str, *, last: bool = True) -> Term:
        """The place of a unit after the moves.

        Args:
            unit: The unit, of either side.
            last: Whether after the last of them too.
        """
        here = self.game.fluents.at[unit]
        if unit not in self.last:
            return here
        there = self.all.place(unit)
        return there if last else ite(self.last[unit], here, there)

    def can_be(self, unit: str) -> set[str]:
        """The hexes where a unit may be after the moves."""
        place = self._state[self.game.fluents.at[unit]]
        assert isinstance(place.sort, EnumSort)
        known = {m for i, m in enumerate(place.sort.members) if place.mask >> i & 1}
        return (known | {*self.all.targets.get(unit, ())}) & self.game.fluents.hexes.sort.index.keys()

    @cached_property
    def any_last(self) -> Term:
        """True if there is a last move."""
        return any_of(self.last.values())

    @property
    def choices(self) -> tuple[Term, ...]:
        """The choice variables."""
        waiting = () if self.waiting is None else (self.waiting,)
        return (*self.all.choices.values(), *self.last.values(), *self._ranks.values(), *waiting)

    # ---- what must hold

    def laws(self) -> Iterable[Term]:
        """The constraints of the moves on one another."""
        yield from self.all.laws
        yield le(count(self.last.values()), 1)
        for u, last in self.last.items():
            yield implies(last, self.all.moved(u))
        units = self.game.board.pieces(self.side, leaders=False)
        targets = [t for t in self.all.entered if t not in self.game.board.exits]
        for made in (True, False):
            yield from alone({u: self._narrow(u, last=made) for u in units}, targets)
        for earlier, later, follows in self._successions:
            rank = self._ranks
            yield implies(follows, lt(rank[earlier], rank[later]))
        yield from self._past_enemies()
        yield from self._not_refilled()
        yield from self._waits()

    @cached_property
    def _successions(self) -> list[tuple[str, str, Term]]:
        """Pairs of units of which the second may move to where the first one was, and whether it does."""
        fluents, units = self.game.fluents, self.game.board.pieces(self.side, leaders=False)
        found = []
        for later in units:
            for earlier in units:
                if earlier != later and earlier in self.last:
                    there = (t for t in self.all.targets.get(later, ()) if self._was(earlier, t))
                    into = (and_(self.all.goes(later, (t,)), eq(fluents.at[earlier], t)) for t in there)
                    if (follows := any_of(into)) is not FALSE:
                        found.append((earlier, later, follows))
        return found

    def _narrow(self, unit: str, *, last: bool) -> Term:
        """The place of a unit after the moves, with the places alone that it can be in."""
        here = self._state[self.game.fluents.at[unit]]
        return Substitution({self.game.fluents.at[unit]: here})(self.place(unit, last=last))

    def _was(self, unit: str, hex_: str) -> bool:
        return eq(self._state[self.game.fluents.at[unit]], hex_) is not FALSE

    @cached_property
    def _ranks(self) -> dict[str, Term]:
        """The order of moves, where units move to where others were.

        Each unit has its rank, whether it can move or not: where less is known, more may be possible.
        """
        units = self.game.board.pieces(self.side, leaders=False) if self._active else ()
        sort = IntSort(0, max(1, self.game.fluents.settings.number("orders") - 1))
        return {u: var(f"rank of {u}", sort) for u in units}

    def _past_enemies(self) -> Iterable[Term]:
        """Constrain plans: no way leads over an enemy, where it is not certain where they are."""
        fluents = self.game.fluents
        uncertain = [e for e in self._enemies if not self._state[fluents.at[e]].is_const]
        if not uncertain:
            return

        def enemy(hex_: str) -> Term:
            there = (e for e in self._enemies if eq(self._state[fluents.at[e]], hex_) is not FALSE)
            return any_of(eq(fluents.at[e], hex_) for e in there)

        enemies = {h: there for h in fluents.hexes.sort.members if (there := enemy(h)) is not FALSE}
        for u, targets in self.all.targets.items():
            place = self._state[fluents.at[u]]
            starts = {h for h in fluents.hexes.sort.members if eq(place, h) is not FALSE}
            passable = self._paths.passable(self.game.board.units[u].kind, fluents.at[u], starts, enemies)
            for target in targets:
                yield implies(self.all.goes(u, (target,)), passable.get(target, FALSE))

    def _not_refilled(self) -> Iterable[Term]:
        """Constrain plans: no unit moves to where another one was, in objectives that the note does not cover."""
        fluents, objectives = self.game.fluents, self.game.objectives.values()
        hexes = {h for o in objectives if o.lasting is False and not o.noted for h in o.hexes}
        for later, targets in self.all.targets.items():
            for target in (h for h in targets if h in hexes):
                others = (u for u in fluents.occupiers[self.side] if u != later and self._was(u, target))
                left = any_of(eq(fluents.at[u], target) for u in others)
                yield implies(self.all.goes(later, (target,)), not_(left))

    def _waits(self) -> Iterable[Term]:
        """Constrain plans: a unit waits only where the game ends before its move, and can be ordered."""
        if self.waiting is None:
            return
        yield or_(eq(self.waiting, NONE), self.any_last)
        for u in self.game.fluents.occupiers[self.side]:
            lost = is_in(self.game.fluents.at[u], (*self.game.fluents.gone, OFF))
            yield not_(and_(eq(self.waiting, u), or_(self._moved(u), lost)))

    # ---- what follows

    def happening(self, *, last: bool) -> EventEffects:
        """The effects of the moves on objectives.

        Args:
            last: Whether the last of them is made.
        """
        fluents, side = self.game.fluents, self.side
        changes = {fluents.at[u]: self.place(u, last=last) for u in self.last}
        who = [u for u in fluents.occupiers[side] if u in self.last]
        entered = {(u, h): self.all.goes(u, (h,)) for u in who for h in self.all.targets[u]}
        if not last:
            entered = {(u, h): and_(x, not_(self.last[u])) for (u, h), x in entered.items()}
        if who:
            changes |= {fluents.vacated[h]: self._vacated(h, last=last) for h in fluents.watched}
        return EventEffects(changes, entered, left={side: any_of(self.all.moved(u) for u in who)})

    def _vacated(self, hex_: str, *, last: bool) -> Term:
        fluents, side = self.game.fluents, self.side
        entered = any_of(eq(self.place(u, last=last), hex_) for u in fluents.occupiers[side])
        left = any_of(eq(fluents.at[u], hex_) for u in fluents.keepers(side, hex_))
        may_come = self._may_come(hex_, last=last)
        return self.game.note.after_moves(side, hex_, left=left, entered=entered, may_come=may_come)

    def _may_come(self, hex_: str, *, last: bool) -> Term:
        """True if a unit may still come to a hex after the moves; all orders come before them."""
        if self.waiting is None:
            return TRUE
        note, found = self.game.note, []
        for u in self.game.fluents.keepers(self.side, hex_):
            goes = FALSE if last or u not in self.last else self.last[u]
            stays = and_(note.yet_to_move(u), not_(self._moved(u)))
            found.append(and_(or_(goes, eq(self.waiting, u), stays), note.in_reach(u, hex_)))
        return any_of(found)

    def _moved(self, unit: str) -> Term:
        return self.all.moved(unit) if unit in self.last else FALSE

    def number(self) -> Term:
        """The number of units that move."""
        return count(self.all.moved(u) for u in self.last)

    def ordered(self, fights: Mapping[str, Term]) -> Iterable[Term]:
        """Constrain plans: no more units are ordered than a turn allows.

        Args:
            fights: Whether each unit fights.
        """
        fluents = self.game.fluents
        units = dict.fromkeys((*self.last, *fights))
        before = [fluents.ordered[u] for u in self.game.board.pieces(self.side)]
        most = max(fluents.settings.number("orders"), sum(self._state[x].lo for x in before if x in self._state))
        rest = [x for u, x in zip(self.game.board.pieces(self.side), before, strict=True) if u not in units]
        used = [*rest, *(or_(fluents.ordered[u], self.all.moved(u), fights.get(u, FALSE)) for u in units)]
        if self.waiting is not None:
            used += [and_(eq(self.waiting, u), not_(fluents.ordered[u])) for u in fluents.occupiers[self.side]]
        yield le(count(used), most)
