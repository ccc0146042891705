"""What the dice make of a battle, from the words of the rules alone: exactly by recursion, nearly by rolling dice.

Every unit stands for itself here: a side is a row of units in the order in which they fall, each with the hits that
it can still take. The engine counts units by kind instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from vclogic_encodings.axis_allies.board import UnitType

Types = Mapping[str, UnitType]
Unit = tuple[str, int]
"""A unit: its kind, and how many hits remove it."""
Row = tuple[Unit, ...]
"""The units of a side, who falls first standing first."""
Left = tuple[tuple[str, int], ...]
"""How many units of each kind are left, by name."""
Spread = dict[int, Fraction]
"""The chance of each number of hits."""
Array = Any  # of numpy
Columns = Sequence[tuple[str, Array, Array]]
"""Units of a kind in all fights, and how many more hits they take."""


@dataclass(frozen=True)
class Question:
    """A battle.

    Attributes:
        types: What each kind of unit can do.
        attackers: The numbers of attackers.
        defenders: The numbers of defenders.
        guns: Ships that bombard.
        at_sea: Whether it is for a sea zone.
        keep: Whether the attacker keeps a land unit to the last.
        bombarded_fire: Whether those whom the bombardment hits fire once more.
        rounds: The attacker retreats after so many rounds.
        retreat_at: The attacker retreats once he has at most so many units.
        attackers_fall: Who falls first of the attackers, if not the weakest.
        defenders_fall: The same for the defenders.
        landing: Whether the land units come from the sea: they fight on where the aircraft retreat.
    """

    types: Types
    attackers: Mapping[str, int]
    defenders: Mapping[str, int]
    guns: Mapping[str, int] = field(default_factory=dict)
    at_sea: bool = False
    keep: bool = True
    bombarded_fire: bool = False
    rounds: int | None = None
    retreat_at: int | None = None
    attackers_fall: tuple[str, ...] | None = None
    defenders_fall: tuple[str, ...] | None = None
    landing: bool = False

    # ---- who falls first

    def _falling(self, units: Mapping[str, int], strength: str, given: tuple[str, ...] | None) -> list[str]:
        present = [u for u in self.types if units.get(u)]
        usual = sorted(present, key=lambda u: (getattr(self.types[u], strength), self.types[u].cost))
        return [u for u in dict.fromkeys([*(given or ()), *usual]) if u in usual]

    @cached_property
    def attacking(self) -> list[str]:
        """The attackers one by one, who falls first standing first; at the end the land unit that is kept."""
        order = self._falling(self.attackers, "attack", self.attackers_fall)
        row = [u for u in order for _ in range(self.attackers[u])]
        soldiers = [u for u in row if self.types[u].kind == "land"]
        if self.keep and not self.at_sea and soldiers:
            kept = max(soldiers, key=lambda u: (self.types[u].cost, self.types[u].attack))
            row.remove(kept)
            row.append(kept)
        return row

    @cached_property
    def defending(self) -> list[str]:
        """The defenders one by one, without antiaircraft guns."""
        order = self._falling(self.defenders, "defence", self.defenders_fall)
        return [u for u in order for _ in range(self.defenders[u]) if not self.types[u].antiaircraft]

    @cached_property
    def antiaircraft(self) -> bool:
        """Whether there is an antiaircraft gun among the defenders."""
        return any(self.types[u].antiaircraft for u, n in self.defenders.items() if n)


@dataclass
class Result:
    """What comes of a battle: the chance of who is left, attackers and defenders."""

    question: Question
    endings: dict[tuple[Left, Left], Fraction]

    def chance(self, *, attackers: bool | None = None, land: bool = False, defenders: bool) -> Fraction:
        """The chance that somebody or nobody is left on the two sides."""
        found = Fraction(0)
        for (ours, theirs), p in self.endings.items():
            some = any(self.question.types[u].kind == "land" for u, _ in ours) if land else bool(ours)
            if bool(theirs) == defenders and attackers in (None, some):
                found += p
        return found

    @property
    def take(self) -> Fraction:
        """The chance that no defender is left, and an attacker who can hold the place is."""
        return self.chance(attackers=True, land=not self.question.at_sea, defenders=False)

    @property
    def clear(self) -> Fraction:
        """The chance that no defender is left."""
        return self.chance(defenders=False)

    @property
    def draw(self) -> Fraction:
        """The chance that nobody is left."""
        return self.chance(attackers=False, defenders=False)

    def lost(self, *, attackers: bool) -> dict[str, Fraction]:
        """The expected number of units that a side loses, by kind."""
        before = self.question.attackers if attackers else self.question.defenders
        found = {u: Fraction(n) for u, n in before.items() if n and (attackers or not self._gun(u))}
        for ending, p in self.endings.items():
            for unit, n in ending[0 if attackers else 1]:
                found[unit] -= n * p
        return found

    def _gun(self, unit: str) -> bool:
        return self.question.types[unit].antiaircraft

    def units_lost(self, *, attackers: bool = True) -> Fraction:
        """The expected number of units that a side loses."""
        return sum(self.lost(attackers=attackers).values(), Fraction(0))

    def value_lost(self, *, attackers: bool = True) -> Fraction:
        """What the units cost that a side can expect to lose."""
        types = self.question.types
        return sum((types[u].cost * n for u, n in self.lost(attackers=attackers).items()), Fraction(0))


def supported(kind: str, unit: UnitType) -> bool:
    """Whether artillery supports a kind of unit: infantry in any case."""
    return unit.supported_by_artillery or kind == "infantry"


# ---- exactly


def rolled(strengths: Iterable[int]) -> Spread:
    """The chances of numbers of hits, die by die."""
    found = {0: Fraction(1)}
    for strength in strengths:
        hit, after = Fraction(min(max(strength, 0), 6), 6), dict[int, Fraction]()
        for n, p in found.items():
            after[n] = after.get(n, Fraction(0)) + p * (1 - hit)
            after[n + 1] = after.get(n + 1, Fraction(0)) + p * hit
        found = {n: p for n, p in after.items() if p}
    return found


def counted(row: Row) -> Left:
    """How many units of each kind there are."""
    return tuple(sorted(Counter(u for u, _ in row).items()))


class Exact:
    """A battle by recursion over its rounds."""

    def __init__(self, question: Question):
        self.question, self.types = question, question.types
        self.known: dict[tuple[Row, Row, int], dict[tuple[Left, Left], Fraction]] = {}

    def result(self) -> Result:
        """The chances of all endings."""
        q, found = self.question, dict[tuple[Left, Left], Fraction]()
        attackers, defenders = self._row(q.attacking), self._row(q.defending)
        for row, p in self._under_fire(attackers):
            for hits, share in rolled(q.types[u].attack for u, n in q.guns.items() for _ in range(n)).items():
                _add(found, self._bombarded(row, defenders, hits), p * share)
        return Result(q, found)

    def _row(self, units: Sequence[str]) -> Row:
        return tuple((u, self.types[u].hits) for u in units)

    def _under_fire(self, row: Row) -> list[tuple[Row, Fraction]]:
        """The attackers after antiaircraft fire, each aircraft with its own die."""
        rows = [(row, Fraction(1))]
        for i in reversed(range(len(row))):
            if self.question.antiaircraft and self.types[row[i][0]].kind == "air":
                rows = [
                    x
                    for old, p in rows
                    for x in ((old, p * Fraction(5, 6)), ((*old[:i], *old[i + 1 :]), p * Fraction(1, 6)))
                ]
        return rows

    def _bombarded(self, attackers: Row, defenders: Row, hits: int) -> dict[tuple[Left, Left], Fraction]:
        if self.question.bombarded_fire and attackers:
            return self._fight(attackers, defenders, 1, hits)
        return self._fight(attackers, self._fallen(defenders, hits), 1)

    def _fallen(self, row: Row, hits: int, *, afloat: bool = False) -> Row:
        """A side after some hits; those of submarines are for ships."""
        for _ in range(hits):
            can = [i for i, (u, _) in enumerate(row) if not afloat or self.types[u].kind != "air"]
            if not can:
                return row
            whole = [i for i in can if row[i][1] > 1]
            i = (whole or can)[0]
            hurt = ((row[i][0], row[i][1] - 1),) if whole else ()
            row = (*row[:i], *hurt, *row[i + 1 :])
        return row

    # ---- rounds

    def _fight(
        self, attackers: Row, defenders: Row, number: int, shells: int = 0
    ) -> dict[tuple[Left, Left], Fraction]:
        """The endings of a battle whose round of this number begins."""
        endless = self.question.rounds is None
        key = (attackers, defenders, number if not endless else min(number, 2))
        if not shells and key in self.known:
            return self.known[key]
        if not attackers or not defenders:
            return {(counted(attackers), counted(defenders)): Fraction(1)}
        if self._retreats(attackers, number):
            return self._retreat(attackers, defenders)
        found, stays = dict[tuple[Left, Left], Fraction](), Fraction(0)
        for (ours, theirs), p in self._round(attackers, defenders, shells).items():
            if (ours, theirs) == (attackers, defenders) and endless and number > 1:
                stays += p
            else:
                _add(found, self._fight(ours, theirs, number + 1), p)
        if stays == 1:
            return {(counted(attackers), counted(defenders)): Fraction(1)}
        found = {k: p / (1 - stays) for k, p in found.items()}
        if not shells:
            self.known[key] = found
        return found

    def _retreat(self, attackers: Row, defenders: Row) -> dict[tuple[Left, Left], Fraction]:
        """The endings once the attackers retreat; land units that came from the sea fight to the end."""
        landed = (
            tuple(unit for unit in attackers if self.types[unit[0]].kind == "land") if self.question.landing else ()
        )
        if not landed:
            return {(counted(attackers), counted(defenders)): Fraction(1)}
        flown = counted(tuple(unit for unit in attackers if unit not in landed))
        alone = Exact(replace(self.question, rounds=None, retreat_at=None))
        ends = alone._fight(landed, defenders, 2).items()  # a round was fought
        return {(tuple(sorted((*ours, *flown))), theirs): p for (ours, theirs), p in ends}

    def _retreats(self, attackers: Row, number: int) -> bool:
        q = self.question
        if number == 1:
            return q.rounds == 0
        few = q.retreat_at is not None and len(attackers) <= q.retreat_at
        return few or (q.rounds is not None and number > q.rounds)

    def _round(self, attackers: Row, defenders: Row, shells: int) -> dict[tuple[Row, Row], Fraction]:
        """What a round makes of the two sides: first the submarines that nobody hinders, then all others."""
        we, they = self._surprise(attackers, defenders), self._surprise(defenders, attackers)
        after: dict[tuple[Row, Row], Fraction] = {}
        for ours, p in self._shots(attackers, "attack", first=True, surprise=we).items():
            for theirs, q in self._shots(defenders, "defence", first=True, surprise=they).items():
                left = self._fallen(attackers, theirs[1], afloat=True), self._fallen(defenders, ours[1], afloat=True)
                for end, r in self._volley(*left, we, they, shells).items():
                    after[end] = after.get(end, Fraction(0)) + p * q * r
        return after

    def _surprise(self, side: Row, other: Row) -> bool:
        """Whether the submarines of a side fire first."""
        return self.question.at_sea and not any(self.types[u].destroyer for u, _ in other)

    def _volley(
        self, attackers: Row, defenders: Row, we: bool, they: bool, shells: int
    ) -> dict[tuple[Row, Row], Fraction]:
        after: dict[tuple[Row, Row], Fraction] = {}
        for ours, p in self._shots(attackers, "attack", first=False, surprise=we).items():
            for theirs, q in self._shots(defenders, "defence", first=False, surprise=they).items():
                a = self._fallen(self._fallen(attackers, theirs[1], afloat=True), theirs[0])
                d = self._fallen(self._fallen(defenders, ours[1], afloat=True), ours[0] + shells)
                after[a, d] = after.get((a, d), Fraction(0)) + p * q
        return after

    def _shots(self, row: Row, strength: str, *, first: bool, surprise: bool) -> dict[tuple[int, int], Fraction]:
        """The chances of numbers of hits: those on anybody, and those of submarines."""
        submarines = [u for u, _ in row if self.types[u].submarine and self.question.at_sea]
        others = [u for u, _ in row if not (self.types[u].submarine and self.question.at_sea)]
        dice = [] if first else self._strengths(others, strength)
        below = [getattr(self.types[u], strength) for u in submarines] if first == surprise else []
        return {(n, m): p * q for n, p in rolled(dice).items() for m, q in rolled(below).items()}

    def _strengths(self, units: Sequence[str], strength: str) -> list[int]:
        dice = [getattr(self.types[u], strength) for u in units]
        if strength == "attack":
            guns = sum(self.types[u].supports_infantry for u in units)
            men = [i for i, u in enumerate(units) if supported(u, self.types[u])]
            for i in men[:guns]:
                dice[i] += 1
        return dice


def _add(found: dict[tuple[Left, Left], Fraction], more: Mapping[tuple[Left, Left], Fraction], p: Fraction) -> None:
    for ending, share in more.items():
        found[ending] = found.get(ending, Fraction(0)) + p * share


def exact(question: Question) -> Result:
    """The chances of a battle as fractions."""
    return Exact(question).result()


# ---- nearly


@dataclass(frozen=True)
class Estimate:
    """A mean of many fights and its standard error."""

    mean: float
    error: float


class Rolled:
    """Many fights at once, by numbers of units: a column per kind of unit, and one for the land unit that is kept."""

    def __init__(self, question: Question, fights: int, seed: int):
        import numpy as np

        self.np, self.random, self.question = np, np.random.default_rng(seed), question
        self.fights = fights
        self.ours, self.theirs = self._columns(question.attacking), self._columns(question.defending)

    def _columns(self, units: Sequence[str]) -> Columns:
        """Per run of equal units: the kind, how many there are, and how many more hits they take."""
        runs: list[list[Any]] = []
        for unit in units:
            if runs and runs[-1][0] == unit:
                runs[-1][1] += 1
            else:
                runs.append([unit, 1])
        more = [n * (self.question.types[u].hits - 1) for u, n in runs]
        full = self.np.full
        return [(u, full(self.fights, n), full(self.fights, m)) for (u, n), m in zip(runs, more, strict=True)]

    def _count(self, side: Columns, **wanted: Any) -> Array:
        found: Array = self.np.zeros(self.fights, dtype=int)
        for unit, n, _ in side:
            if all(getattr(self.question.types[unit], k) == v for k, v in wanted.items()):
                found = found + n
        return found

    def _hit(self, side: Columns, hits: Array, *, afloat: bool = False) -> None:
        """Take hits off a side, where they can fall: first what costs nothing."""
        for column in (2, 1):
            for entry in side:
                if not (afloat and self.question.types[entry[0]].kind == "air"):
                    left: Array = entry[column]
                    off = self.np.minimum(hits, left)
                    left -= off
                    hits = hits - off

    def _shots(self, side: Columns, strength: str, *, submarines: bool) -> Array:
        types, at_sea = self.question.types, self.question.at_sea
        guns = self._count(side, supports_infantry=True) if strength == "attack" else 0
        total: Array = self.np.zeros(self.fights, dtype=int)
        for unit, n, _ in side:
            if (types[unit].submarine and at_sea) != submarines:
                continue
            power = getattr(types[unit], strength)
            raised: Array = self.np.zeros(self.fights, dtype=int)
            if supported(unit, types[unit]) and strength == "attack":
                raised = self.np.minimum(n, guns)
                guns = guns - raised
            total += self.random.binomial(n - raised, min(power, 6) / 6)
            total += self.random.binomial(raised, min(power + 1, 6) / 6)
        return total

    def run(self) -> dict[str, Estimate]:
        """Fight to the end, and count: `take`, `clear`, `draw`, `units`, `value`, `their units`, `their value`."""
        np, q = self.np, self.question
        if q.antiaircraft:
            for unit, n, _ in self.ours:
                if q.types[unit].kind == "air":
                    n -= self.random.binomial(n, 1 / 6)
        shells = np.zeros(self.fights, dtype=int)
        for unit, n in q.guns.items():
            shells += self.random.binomial(n, q.types[unit].attack / 6, self.fights)
        if not q.bombarded_fire:
            self._hit(self.theirs, shells)
            shells = shells * 0
        number = 1
        while self._round(number, shells):
            shells, number = shells * 0, number + 1
        return self._summary()

    def _round(self, number: int, shells: Array) -> bool:
        """A round of all fights that go on; False if none does."""
        np, q, ours, theirs = self.np, self.question, self.ours, self.theirs
        on = (self._count(ours) > 0) & (self._count(theirs) > 0)
        if number > 1 and q.retreat_at is not None:
            on &= self._count(ours) > q.retreat_at
        if not on.any() or number > min(q.rounds if q.rounds is not None else 2000, 2000):
            return False
        we = self._count(theirs, destroyer=True) == 0
        they = self._count(ours, destroyer=True) == 0
        early = self._shots(ours, "attack", submarines=True), self._shots(theirs, "defence", submarines=True)
        self._hit(theirs, np.where(on & we, early[0], 0), afloat=True)
        self._hit(ours, np.where(on & they, early[1], 0), afloat=True)
        late = self._shots(ours, "attack", submarines=True), self._shots(theirs, "defence", submarines=True)
        more = self._shots(ours, "attack", submarines=False), self._shots(theirs, "defence", submarines=False)
        self._hit(theirs, np.where(on & ~we, late[0], 0), afloat=True)
        self._hit(ours, np.where(on & ~they, late[1], 0), afloat=True)
        self._hit(theirs, np.where(on, more[0] + shells, 0))
        self._hit(ours, np.where(on, more[1], 0))
        return True

    def _summary(self) -> dict[str, Estimate]:
        q, ours, theirs = self.question, self._count(self.ours), self._count(self.theirs)
        holders = ours if q.at_sea else self._count(self.ours, kind="land")
        measured = {
            "take": (theirs == 0) & (holders > 0),
            "clear": theirs == 0,
            "draw": (theirs == 0) & (ours == 0),
            "units": len(q.attacking) - ours,
            "their units": len(q.defending) - theirs,
            "value": self._worth(q.attacking, self.ours),
            "their value": self._worth(q.defending, self.theirs),
        }
        size = self.fights**0.5
        return {k: Estimate(float(x.mean()), float(x.std()) / size) for k, x in measured.items()}

    def _worth(self, units: Sequence[str], left: Columns) -> Array:
        types = self.question.types
        whole = sum(types[u].cost for u in units)
        return whole - sum((types[u].cost * n for u, n, _ in left), self.np.zeros(self.fights, dtype=int))


def estimated(question: Question, fights: int = 10_000, seed: int = 1) -> dict[str, Estimate]:
    """The chances of a battle from many fights with dice."""
    return Rolled(question, fights, seed).run()
