"""Small systems whose moves belong to sides, as rule sets with objectives, and their plays by brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.oracles.objectives import Move, Play, plans
from tests.terms.specs import KIND, Spec, domain, meaning, term
from tests.toys.planners import planner_on
from tests.toys.small_systems import Move as SmallMove
from tests.toys.small_systems import SmallSystem, State, gaining_system, is_value, wild_systems
from vclogic.model.actions import Action, Schema
from vclogic.model.citation import Citation
from vclogic.model.fluents import Family, Value, value
from vclogic.model.objectives import Objective
from vclogic.model.picture import Values
from vclogic.model.rules import Observable, Outcome
from vclogic.model.system import IDLE, Metric, System
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.query.plan.answer import OnePlan
from vclogic.query.planner.planner import Planner
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import TRUE
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

SIDES = ("Red", "Blue", "Green")
CITES = (Citation("book", "1/1"),)
METRIC = "effort"
_QUESTIONS = 12
"""How many questions are tried on each system until there are several ways."""
Fact = Spec


@dataclass(frozen=True)
class Prize:
    """An objective.

    Attributes:
        name: Its name.
        main: Whether the game is about it.
        held: For each side that can have it what that is.
        fragile: Whether it is known how it is lost.
    """

    name: str
    main: bool
    held: Mapping[str, Fact]
    fragile: bool

    def lost(self, side: str, values: Mapping[Term, int]) -> tuple[Term, int] | None:
        """A fluent and the value with which a side does not have it: the first of the lowest such value."""
        changes = ((v, x) for v in values for x in domain(v))
        without = ((v, x) for v, x in changes if not meaning(self.held[side], {**values, v: x}))
        return next(without, None) if self.fragile else None

    @property
    def objective(self) -> Objective:
        """The same for vclogic."""

        def lost(side: str, values: Values) -> Mapping[Term, Value] | None:
            numbers = {v: _number(v, x) for v, x in values.items()}
            change = self.lost(side, numbers)
            return None if change is None else {change[0]: value(change[0].sort, change[1])}

        held = {side: term(fact) for side, fact in self.held.items()}
        return Objective(self.name, "prize", held, main=self.main, lost=lost)


def _number(v: Term, x: Value) -> int:
    if isinstance(x, str):
        assert isinstance(v.sort, EnumSort)
        return v.sort.index[x]
    return int(x)


@dataclass(frozen=True)
class Quest:
    """A question about the objectives of a small system.

    Attributes:
        small: The system.
        sides: The sides.
        owners: Whose each move is, in their order.
        prizes: The objectives.
        goals: What each side wants.
        side: The side that plans.
        opponent: What the others do.
        within: The horizon; None: none is asked for.
        keep: What must hold after every step.
        require: A move that the plan must hold.
        avoid: A move that it must not hold.
        fear: The goal of the enemy; None: what each enemy wants.
    """

    small: SmallSystem
    sides: tuple[str, ...]
    owners: tuple[str, ...]
    prizes: tuple[Prize, ...]
    goals: Mapping[str, Fact]
    side: str
    opponent: str
    within: int | None
    keep: Fact | None = None
    require: str | None = None
    avoid: str | None = None
    fear: Fact | None = None

    metric: ClassVar[str] = METRIC
    defends: ClassVar[bool] = False

    @property
    def enemies(self) -> tuple[str, ...]:
        """The other sides."""
        return tuple(s for s in self.sides if s != self.side)

    @property
    def asked(self) -> Mapping[str, Any]:
        """The question as `Planner.objectives` takes it."""
        return {
            "goal": f"aim_{self.side}",
            "keep": self.keep and "kept",
            "require": [self.require] if self.require else [],
            "avoid": [self.avoid] if self.avoid else [],
            "threat": self.fear and "fear",
            "within": self.within,
        }

    def planner(self) -> Planner:
        """A planner of the side."""
        return planner_on(self.system(), self.small.start, self.side, None, self.opponent)

    def ask(self) -> ResolvedQuestion:
        """The question as engines take it."""
        system = self.system()
        return ResolvedQuestion(
            "small", system, self.small.start, (), self.side, self.opponent, system.metrics[0], effort(), self.within
        )

    @staticmethod
    def done(plan: OnePlan) -> list[str]:
        """What a plan does, as moves are called."""
        return [s.action for s in plan.steps]

    def moves(self, side: str, opponent: str) -> Sequence[tuple[SmallMove, int]]:
        """The moves of plans of a side, with their costs."""
        mine = zip(self.small.moves, self.owners, strict=True)
        return [(m, m.cost if s == side else 0) for m, s in mine if s == side or opponent != IDLE]

    # ---- by brute force

    def play(self, start: State | None = None) -> Play[State]:
        """What the side can do, from another state if one is given."""
        kept = (self.keep, self.require, self.avoid)
        return self._play(self.side, self.opponent, self.goals[self.side], start or self.small.start, kept)

    def free(self) -> Play[State]:
        """What the side can do without conditions while the others are idle."""
        return self._play(self.side, IDLE, self.goals[self.side], self.small.start)

    def feared(self, enemy: str, start: State) -> Play[State]:
        """What an enemy can do while the others are idle."""
        return self._play(enemy, IDLE, self.fear or self.goals[enemy], start)

    def has(self, side: str, name: str, place: State) -> bool:
        """Whether a side has an objective."""
        prize = next(p for p in self.prizes if p.name == name)
        return side in prize.held and bool(meaning(prize.held[side], self.small.values(place)))

    def without(self, name: str) -> State | None:
        """The state after an objective was lost; None where none is known."""
        prize = next(p for p in self.prizes if p.name == name)
        values = self.small.values(self.small.start)
        change = prize.lost(self.side, values)
        return None if change is None else tuple({**values, change[0]: change[1]}.values())

    def _play(
        self,
        side: str,
        opponent: str,
        goal: Fact,
        start: State,
        under: tuple[Fact | None, str | None, str | None] = (None, None, None),
    ) -> Play[State]:
        keep, require, avoid = under
        small = self.small

        def moves(at: State) -> Iterator[Move[State]]:
            for move, cost in self.moves(side, opponent):
                after = small.after(at, move)
                kept = after is not None and (keep is None or meaning(keep, small.values(after)))
                if after is not None and kept and move.name != avoid:
                    marks = frozenset({0} if move.name == require else ())
                    yield Move(after, cost, True, marks, move.name)

        held = {
            p.name: lambda at, fact=p.held[side]: bool(meaning(fact, small.values(at)))
            for p in self.prizes
            if side in p.held
        }
        main = frozenset(p.name for p in self.prizes if p.main)
        met = lambda at: bool(meaning(goal, small.values(at)))  # noqa: E731
        return Play(start, moves, met, held, main, int(require is not None))

    # ---- for vclogic

    def system(self) -> System:
        """The rule set."""
        actions = {m.name: replace(m.action, actor=s) for m, s in zip(self.small.moves, self.owners, strict=True)}

        def steps(side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
            chosen = self.moves(side or "", "any" if side is None else opponent)
            priced = {m.name: cost if side else m.cost for m, cost in chosen}
            return one_at_a_time([replace(actions[n], costs={METRIC: c}) for n, c in priced.items()], METRIC)

        facts = {f"aim_{s}": g for s, g in self.goals.items()}
        facts |= {} if self.keep is None else {"kept": self.keep}
        facts |= {} if self.fear is None else {"fear": self.fear}
        names = [m.name for m in self.small.moves]
        return System(
            sides={s: (s,) for s in self.sides},
            families=tuple(Family(v.name, v.sort, "a fact") for v in self.small.fluents),
            initial={v: value(v.sort, x) for v, x in self.small.values(self.small.start).items()},
            rules=(),
            invariants=(),
            outcomes=tuple(self._outcome(s) for s in self.sides),
            observables=tuple(Observable(n, (), _constant(term(f)), "a fact", CITES) for n, f in facts.items()),
            events=tuple(_schema(actions[n]) for n in names),
            metrics=(
                Metric(METRIC, "move", "", "what moves cost", steps, lambda side, opponent: (), events=tuple(names)),
            ),
            objectives=tuple(p.objective for p in self.prizes),
        )

    def _outcome(self, side: str) -> Outcome:
        condition = Partial(term(self.goals[side]))
        return Outcome("victory", side, condition, TRUE, "at any time", f"{side} wins", CITES)


def _constant(found: Term) -> Callable[[], Term]:
    return lambda: found


def _schema(action: Action) -> Schema:
    return Schema(action.name, (), lambda: action, "a move", CITES, decided_by="its side")


# ---- random ones


def quests(*, lossy: bool | None = None) -> st.SearchStrategy[Quest]:
    """Questions about small systems.

    Args:
        lossy: False: in most systems nothing is lost; True: moves give some and take some; None: any systems.
    """
    randoms = st.randoms(use_true_random=True)
    kinds = {False: randoms.map(gaining_system), True: randoms.map(_shifting)}
    some = st.one_of(*kinds.values(), wild_systems()) if lossy is None else kinds[lossy]
    return st.builds(_quest, some, randoms)


def _shifting(rng: Random) -> SmallSystem:
    """A system in which some moves undo something."""
    small = gaining_system(rng)
    moves = []
    for m in small.moves:
        others = [v for v in small.fluents if v not in dict(m.effects)]
        if others and rng.random() < 0.6:
            v = rng.choice(others)
            m = replace(m, effects=(*m.effects, (v, ("const", KIND[v], domain(v)[0]))))
        moves.append(m)
    return replace(small, moves=tuple(moves))


def _quest(small: SmallSystem, rng: Random) -> Quest:
    small = replace(small, moves=tuple(replace(m, name=f"m{i}") for i, m in enumerate(small.moves)))
    sides = SIDES[: rng.choice((2, 2, 3))]
    owners = tuple(rng.choice((sides[0], sides[0], rng.choice(sides))) for _ in small.moves)
    wanted = rng.choice((0, 1, 2, 2, 2))
    for _ in range(_QUESTIONS):
        found = _asked(small, sides, owners, rng)
        sets = plans(found.play(), found.within).winning
        if wanted == 0 or (len(sets) >= wanted and frozenset() not in sets):
            break
    return found


def _asked(small: SmallSystem, sides: tuple[str, ...], owners: tuple[str, ...], rng: Random) -> Quest:
    some = tuple(_prize(small, sides, n, rng) for n in range(rng.choice((0, 4, 5, 6, 7))))
    found = Quest(
        small,
        sides,
        owners,
        some,
        {},
        rng.choice((sides[0], sides[0], rng.choice(sides))),
        rng.choice((IDLE, IDLE, IDLE, "helps")),
        rng.choice((None, None, 2, 3, 4)),
    )
    found = replace(found, goals={s: _goal(found, s, rng) for s in sides})
    if rng.random() < 0.3:
        fluent = rng.choice(small.fluents)
        keep = ("not", is_value(fluent, rng.choice(domain(fluent))))
        moves = [m.name for m in small.moves]
        found = replace(
            found, **rng.choice(({"keep": keep}, {"require": rng.choice(moves)}, {"avoid": rng.choice(moves)}))
        )
    if rng.random() < 0.3 and len(sides) == 2:  # a threat names one enemy
        found = replace(found, fear=_goal(found, sides[-1], rng))
    return found


def _prize(small: SmallSystem, sides: tuple[str, ...], n: int, rng: Random) -> Prize:
    def fact() -> Fact:
        v = rng.choice(small.fluents)
        x = rng.choice(domain(v))
        single = is_value(v, x) if KIND[v] != "I" or rng.random() < 0.5 else ("ge number", ("var", v), x)
        if rng.random() < 0.2:
            other = rng.choice(small.fluents)
            return (rng.choice(("and", "or")), single, is_value(other, rng.choice(domain(other))))
        return single

    held = {s: fact() for s in sides if rng.random() < 0.9}
    return Prize(f"Prize {n}", rng.random() < 0.8, held, rng.random() < 0.7)


def _goal(found: Quest, side: str, rng: Random) -> Fact:
    """Some prizes of so many, or a state that moves of the side lead to."""
    mine = [p.held[side] for p in found.prizes if side in p.held]
    if mine and rng.random() < 0.5:
        have = sum(meaning(fact, found.small.values(found.small.start)) for fact in mine)
        return ("ge number", ("count", *mine), rng.randint(min(have + 1, len(mine)), len(mine)))
    usable = [m for m, _ in found.moves(side, found.opponent)]
    far = rng.choice(sorted(replace(found.small, moves=tuple(usable)).reachable()))
    start = found.small.start
    changed = [i for i, x in enumerate(far) if x != start[i]] or [0]
    facts = [is_value(found.small.fluents[i], far[i]) for i in rng.sample(changed, rng.randint(1, len(changed)))]
    return (rng.choice(("and", "or")), *facts)
