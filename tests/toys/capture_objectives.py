"""Random objectives on small maps of captures, and the plays of `tests/oracles/objectives.py` that they make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast

from tests.oracles.captures import IDLE, Moment, Wish, World, movers, turns_after
from tests.oracles.captures_under import Capture, Under, comes
from tests.oracles.objectives import Move, Plans, Play, plans
from tests.toys.capture_duels import at_least
from tests.toys.planners import pattern, planner_of, what_to_keep
from tests.toys.small_maps import SIDES, SmallMap, joined, quoted
from tests.toys.wide_maps import aim, wide_map
from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective
from vclogic.model.picture import Values
from vclogic.query.plan.answer import OnePlan
from vclogic.query.planner.planner import Planner
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.term import Term

_BOARDS, _GOALS = 5, 8
"""How many boards, and on each how many goals, are tried until there are several ways to one."""
ODD = 0.1
"""The share of boards with an objective that more land can spoil."""


@dataclass(frozen=True)
class Prize:
    """An objective, and what it means.

    Attributes:
        name: Its name.
        main: Whether the game is about it.
        held: For each side that can have it what that is.
        land: The land that an enemy takes if the objective is lost; None: no such position is known.
    """

    name: str
    main: bool
    held: Mapping[str, Wish]
    land: str | None

    def has(self, world: World, side: str) -> Callable[[Moment], bool]:
        """Whether a side has it at a moment."""
        met = self.held[side].met
        return lambda at: met(world, at)

    def lost(self, world: World, side: str, at: Moment) -> Moment | None:
        """The moment after it was lost to an enemy."""
        if self.land is None:
            return None
        return replace(at, owners=world.taken(at.owners, enemy_of(world, side), (self.land,)))

    def objective(self, m: SmallMap) -> Objective:
        """The same for vclogic."""

        def lost(side: str, values: Values) -> Mapping[Term, Value] | None:
            if self.land is None:
                return None
            names = (f"owner[{self.land}]", f"owner_at_turn_start[{self.land}]")
            return dict.fromkeys((m.system.layout.by_name[n] for n in names), enemy_of(m.world, side))

        held = {side: m.term(wish) for side, wish in self.held.items()}
        return Objective(self.name, "prize", held, main=self.main, lost=lost)


def enemy_of(world: World, side: str) -> str:
    """The first power of the other side."""
    return next(p for p in world.order if world.side_of[p] != side)


def prizes(rng: Random, world: World) -> list[Prize]:
    """Some objectives on a map: lands, and what is made of them."""
    found = []
    odd = rng.random() < ODD
    lands = rng.sample(world.land, len(world.land))
    for n in range(rng.choice((0, 2, 4, 5, 6, 7))):
        some = [lands[n % len(lands)], lands[(n + 1) % len(lands)]]
        kind = rng.random()
        sides = [rng.choice(SIDES)] if rng.random() < 0.1 else SIDES
        land = some[0] if kind < 0.8 else None
        held = {s: joined("and", [_control(s, some[0])]) for s in sides}
        if kind > 0.7:
            word = rng.choice(("and", "or"))
            held = {s: joined(word, [_control(s, t) for t in some]) for s in sides}
        if kind > 0.95:
            power = rng.choice(world.order)
            held = {world.side_of[power]: _owned(power, some[0])}
        if odd and n == 0:
            held = {s: joined("and", [_control(s, some[0]), _not(_control(s, some[1]))]) for s in sides}
        found.append(Prize(f"Prize {n}", rng.random() < 0.85, held, None if 0.7 < kind < 0.8 else land))
    return found


def _control(side: str, land: str) -> Wish:
    return Wish(f"controls({side}, {quoted(land)})", lambda w, at: land in w.lands(at.owners, side))


def _owned(power: str, land: str) -> Wish:
    return Wish(f"owner({quoted(land)}) == {power}", lambda w, at: w.owner(at)[land] == power)


def _not(wish: Wish) -> Wish:
    return Wish(f"not ({wish.text})", lambda w, at: not wish.met(w, at))


@dataclass(frozen=True)
class Terms:
    """What a plan is asked for.

    Attributes:
        wish: The goal.
        require: Events that it must hold, in words, with their tests.
        avoid: The same of those that it must not hold.
        keep: What must hold after every step; empty: nothing.
        under: The conditions for the brute force.
    """

    wish: Wish
    require: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    keep: str | None = None
    under: Under = field(default_factory=Under)


@dataclass(frozen=True)
class Quest:
    """A question about the objectives of a map.

    Attributes:
        m: The map, with the objectives in its system.
        side: The side that plans.
        opponent: What the other does.
        metric: The kind of plans.
        terms: The goal and the conditions.
        prizes: The objectives.
        within: The horizon; None: none is asked for.
        fear: The goal of the enemy; None: to win.
    """

    m: SmallMap
    side: str
    opponent: str
    metric: str
    terms: Terms
    prizes: tuple[Prize, ...]
    within: int | None
    fear: Wish | None = None

    @property
    def enemies(self) -> tuple[str, ...]:
        """The other side."""
        return (SIDES[1 - SIDES.index(self.side)],)

    @property
    def sides(self) -> tuple[str, ...]:
        """Both sides."""
        return SIDES

    @property
    def asked(self) -> Mapping[str, Any]:
        """The question as `Planner.objectives` takes it."""
        return {
            "goal": self.terms.wish.text,
            "keep": self.terms.keep,
            "require": self.terms.require,
            "avoid": self.terms.avoid,
            "threat": self.fear and self.fear.text,
            "within": self.within,
        }

    def planner(self) -> Planner:
        """A planner of the side."""
        return planner_of(self.m, self.side, self.metric, self.opponent)

    def ask(self) -> ResolvedQuestion:
        """The question as engines take it."""
        return self.m.ask(self.side, self.opponent, self.metric, self.within, 60)

    def done(self, plan: OnePlan) -> list[Hashable]:
        """What a plan does: captures, or what is captured in each player-turn, as turns follow each other."""
        if self.metric == "captures":
            return [(s.args["power"], s.args["territory"]) for s in plan.steps if s.action == "capture"]
        assert plan.record.events is not None, plan.record.reason
        turns: list[list[Capture]] = [[]]
        for event in plan.record.events:
            given = {k: str(v) for k, v in event.args}
            if event.name == "capture":
                turns[-1].append((given["power"], given["territory"]))
            else:
                turns.append([])
        return [frozenset(t) for t in (turns if turns[-1] else turns[:-1])]

    def play(self, start: Moment | None = None) -> Play[Moment]:
        """What the side can do, from another moment if one is given."""
        return self._play(self.side, self.terms.wish, self.terms.under, start or self.m.start, self.opponent)

    @property
    def defends(self) -> bool:
        """Whether what stops an enemy is what the side does in the turn that it has now."""
        return self.metric == "turns"

    def free(self) -> Play[Moment]:
        """What the side can do without conditions while the enemy is idle; if it defends, in this turn only."""
        play = self._play(self.side, self.terms.wish, Under(), self.m.start, IDLE)
        if not self.defends:
            return play

        def defence(at: Moment) -> Iterator[Move[Moment]]:
            mine = at is self.m.start and self.m.world.side_of[at.turn] == self.side
            moves = play.moves(at) if mine else ()
            return (replace(m, cost=len(cast(frozenset[Capture], m.what))) for m in moves)

        return replace(play, moves=defence)

    def feared(self, enemy: str, start: Moment) -> Play[Moment]:
        """What the enemy can do while the side is idle."""
        return self._play(enemy, self.fear or winning(enemy), Under(), start, IDLE)

    def has(self, side: str, name: str, place: Moment) -> bool:
        """Whether a side has an objective."""
        prize = next(p for p in self.prizes if p.name == name)
        return side in prize.held and prize.has(self.m.world, side)(place)

    def without(self, name: str) -> Moment | None:
        """The moment after an objective was lost; None where none is known."""
        prize = next(p for p in self.prizes if p.name == name)
        return prize.lost(self.m.world, self.side, self.m.start)

    def _play(self, side: str, wish: Wish, under: Under, start: Moment, opponent: str) -> Play[Moment]:
        world = self.m.world
        held = {p.name: p.has(world, side) for p in self.prizes if side in p.held}
        main = frozenset(p.name for p in self.prizes if p.main)
        if self.metric == "captures":
            return Play(
                start,
                lambda at: _captures(world, at, movers(world, side, opponent), under),
                lambda at: comes(world, at, wish, under),
                held,
                main,
                len(under.require),
            )
        last = max(start.round, world.bid, wish.latest) + 2
        return Play(
            start,
            lambda at: _turns(world, at, side, opponent, under, last),
            lambda at: wish.met(world, at),
            held,
            main,
            len(under.require),
        )


def _captures(world: World, at: Moment, costs: Mapping[str, int], under: Under) -> Iterator[Move[Moment]]:
    for power, cost in costs.items():
        for target in world.captures(at.owners, power, own_only=False):
            after = replace(at, owners=world.taken(at.owners, power, (target,)), ended="none")
            marks = _marks([(power, target)], under)
            if marks is not None and under.keep(world, after):
                yield Move(after, cost, True, marks, (power, target))


def _turns(world: World, at: Moment, side: str, opponent: str, under: Under, last: int) -> Iterator[Move[Moment]]:
    mine = world.side_of[at.turn] == side
    for after in turns_after(world, at, side, opponent):
        new = zip(world.land, at.owners, after.owners, strict=True)
        taken = [(at.turn, land) for land, before, now in new if before != now]
        marks = _marks(taken, under)
        if marks is not None and under.keep(world, after):
            yield Move(replace(after, round=min(after.round, last)), int(mine), mine, marks, frozenset(taken))


def _marks(captures: list[Capture], under: Under) -> frozenset[int] | None:
    """Which required events some captures are; None if one is to be avoided."""
    if any(no(c) for no in under.avoid for c in captures):
        return None
    return frozenset(i for i, asks in enumerate(under.require) if any(asks(c) for c in captures))


def winning(side: str) -> Wish:
    """What a side wants by default: what any of its outcomes asks for, whenever that is judged.

    Without a bid it is left open what Minor Victory asks for.
    """

    def met(world: World, at: Moment) -> bool:
        known = [o for o in world.outcomes if o != "minor_victory" or world.bid]
        return any(world.enough(o, side, at.owners) for o in known)

    return Wish("", met)


# ---- random ones


def with_prizes(m: SmallMap, some: list[Prize]) -> SmallMap:
    """The map with objectives."""
    return replace(m, system=replace(m.system, objectives=tuple(p.objective(m) for p in some)))


def terms(rng: Random, m: SmallMap, side: str, wish: Wish, *, led: bool) -> Terms:
    """A goal, and conditions if it is to have some."""
    if not led:
        return Terms(wish)
    require = [pattern(rng, m, side) for _ in range(rng.choice((0, 0, 1)))]
    avoid = [pattern(rng, m, side) for _ in range(rng.choice((0, 1, 1)))]
    keep = what_to_keep(rng, m, side) if rng.random() < 0.5 else None
    under = Under([t for _, t in require], [t for _, t in avoid], *(() if keep is None else (keep[1],)))
    return Terms(wish, tuple(t for t, _ in require), tuple(t for t, _ in avoid), keep and keep[0], under)


def goal(rng: Random, m: SmallMap, side: str) -> Wish:
    """Something that there may be several ways to."""
    kind = rng.random()
    if kind < 0.25:
        return aim(rng, m, side)
    have = len(m.world.lands(m.start.owners, side))
    lands = at_least("territories", m.world, side, have + rng.choice((0, 1, 1, 2, 2, 3)))
    points = at_least("vcp", m.world, side, m.world.vcp(m.start.owners, side) + rng.randint(1, 8))
    if kind < 0.75:
        return lands if kind < 0.4 else points
    land, other = (_control(side, t) for t in rng.sample(m.world.land, 2))
    either = rng.choice((land, joined("or", [land, other])))
    return joined(rng.choice(("and", "or")), [rng.choice((lands, points)), either])


def quest(
    seed: int, *, opponent: str = IDLE, metric: str = "captures", led: float = 0.3, most_land: int = 7
) -> Quest:
    """A question about a small board; on two of three boards there are several ways to the goal, if that comes up."""
    rng = Random(seed)
    for _ in range(_BOARDS):
        m = wide_map(rng, 4, most_land)
        some = prizes(rng, m.world)
        m = with_prizes(m, some)
        for _ in range(_GOALS):
            found = _quest(rng, m, some, opponent, metric, led)
            if seed % 3 == 0 or len(known(found).winning) > 1:
                return found
    return found


def known(q: Quest) -> Plans:
    """All plans within the horizon that is asked for, or that of the cheapest plan."""
    found = plans(q.play(), q.within)
    return found if q.within is not None or found.fewest_steps is None else plans(q.play(), found.fewest_steps)


def _quest(rng: Random, m: SmallMap, some: list[Prize], opponent: str, metric: str, led: float) -> Quest:
    side = rng.choice(SIDES)
    enemy = SIDES[1 - SIDES.index(side)]
    horizons = (1, 1, 2) if metric == "turns" else (None, None, None, 2, 3, 4)
    within = rng.choice(horizons if opponent == IDLE else (1, 1, 2))
    asked = terms(rng, m, side, goal(rng, m, side), led=rng.random() < led)
    threat = goal(rng, m, enemy) if rng.random() < 0.7 else None
    return Quest(m, side, opponent, metric, asked, tuple(some), within, threat)
