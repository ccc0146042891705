"""What every installed encoding has to do, whatever its game is: one test file for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.support.play import complete, legal_play, random_arguments
from tests.support.reading import Reader, calls, named_terms, probes, random_state
from vclogic.encode.python import (
    Evaluator,
    IllegalStep,
    OutOfBounds,
    Stepper,
    compile_terms,
    interpret,
)
from vclogic.files.registry import encoding_names, load_encoding, scenario_names
from vclogic.files.write import write_position
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import State
from vclogic.model.rules import Citation
from vclogic.model.system import IDLE, Encoding, Metric, System
from vclogic.query.game import Game
from vclogic.query.status import StatusView
from vclogic.solve.session import PLAIN, Deadline, Session
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, any_of, eq, ge, implies, in_mask, le, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Op, Term

ALL = tuple(f"{e}/{s}" for e in encoding_names() for s in scenario_names(e))
LARGE = 5_000  # members of all Enum fluents together; of a game with more only a short play is looked at


def size(game: str) -> int:
    """How many members all Enum fluents have together: what z3 has a Boolean for."""
    fluents = Game.load(game).setup.system.layout.fluents
    return sum(len(f.sort.members) for f in fluents if isinstance(f.sort, EnumSort))


GAMES = tuple(game for game in ALL if size(game) <= LARGE)
EVENTS = 20  # events of a random play
PLAYS = 40  # plays at the most, from one start
SAMPLED = 8  # states of the play that z3 looks at
WILD = 4  # states that it looks at beside them, that no play need lead to
INSTANCES = 20  # ground actions of each schema that must keep the invariants
WRITTEN = 8  # states that are written out and read back


# ---- a random play


@dataclass(frozen=True)
class Play:
    """A game after each event of some random plays from one start, the start included."""

    games: tuple[Game, ...]

    @property
    def start(self) -> Game:
        """Before anything happened."""
        return self.games[0]

    @property
    def system(self) -> System:
        """The rule set."""
        return self.start.setup.system

    def sample(self, count: int) -> list[Game]:
        """Some of the moments, evenly spread, the first and the last among them."""
        last = len(self.games) - 1
        return [self.games[i] for i in sorted({round(k * last / (count - 1)) for k in range(count)})]


def random_play(game: Game, rng: Random) -> Play:
    """Random legal events; from the start again, as often as it takes until each kind of event has happened."""
    games, happened = [game], set[str]()
    for n in range(PLAYS):
        if n > 1 and len(games) > EVENTS and happened == set(game.setup.system.schemas):
            break
        now = game
        for event, state in legal_play(game.setup.system, game.state, rng, EVENTS, happened):
            now.status()  # what the next game may then take over
            now = now.apply(event.name, **dict(event.args))
            assert now.state == state, event
            games.append(now)
            happened.add(event.name)
    return Play(tuple(games))


@pytest.fixture(scope="module", params=GAMES)
def play(request: pytest.FixtureRequest) -> Play:
    """One play for all tests of a game."""
    name: str = request.param
    return random_play(Game.load(name), Random(f"play {name}"))


@pytest.fixture
def rng(play: Play) -> Random:
    """Chance that is the same in every run."""
    return Random(f"test {play.start.setup.game}")


def test_there_is_a_game() -> None:
    assert GAMES
    assert {game.partition("/")[0] for game in GAMES} == set(encoding_names())


@pytest.mark.parametrize("game", sorted({*ALL} - {*GAMES}))
def test_a_large_scenario_is_played(game: str, tmp_path: Path) -> None:
    """Of each game a smaller scenario goes through all the tests."""
    start = Game.load(game)
    system, now = start.setup.system, start
    for event, state in legal_play(system, start.state, Random(game), 3, set()):
        now = now.apply(event.name, **dict(event.args))
        assert now.state == state
        assert all(interpret(t, system.layout.slot, state) for t in invariants(system))
    assert now.history
    file = tmp_path / "position.yaml"
    file.write_text(write_position(now.setup, now.state), encoding="utf-8")
    assert Game.load(str(file)).state == now.state


def test_play_goes_on(play: Play) -> None:
    assert len(play.games) > 10
    assert len({g.state for g in play.games}) > 10
    happened = {e.name for g in play.games for e in g.history}
    assert happened == set(play.system.schemas), "an event that no random play can bring about"


def test_the_status_after_each_event_is_that_of_a_fresh_start(play: Play) -> None:
    for game in play.games:
        fresh = StatusView(play.system)
        status = game.status()
        again = fresh.status(
            fresh.track(game.state), game=status.game, view=status.view, assumptions=status.assumptions
        )
        assert status == again, game.history[-1:]


def test_who_has_won_meets_an_outcome(play: Play) -> None:
    slot = play.system.layout.slot
    winner = play.system.winner
    if winner is None:
        return
    for game in play.games:
        for side in play.system.sides:
            if interpret(eq(winner, side), slot, game.state):
                own = (or_(and_(o.timing, o.condition.holds), o.won) for o in play.system.outcomes if o.side == side)
                assert any(interpret(met, slot, game.state) for met in own), game.history[-1:]


def test_every_choice_of_settings_is_a_game(play: Play) -> None:
    setup = play.start.setup
    choices: dict[str, tuple[int | str, ...]] = {r.name: tuple(r.values) for r in setup.encoding.readings}
    for option in setup.encoding.options:
        allowed = option.values
        choices[option.name] = (min(allowed), max(allowed)) if isinstance(allowed, range) else allowed
        assert option.default in allowed, option.name
    for name, values in choices.items():
        for value in values:
            assert play.start.with_options(**{name: value}).status().outcomes, (name, value)


# ---- Python and z3


@pytest.mark.parametrize("portable", [False, True], ids=["native", "portable"])
def test_python_and_z3_agree(play: Play, rng: Random, portable: bool) -> None:
    layout = play.system.layout
    terms = named_terms(play.system)
    asked = probes(terms)
    reader = Reader(asked, portable=portable)
    compiled = compile_terms(list(asked.values()), layout.slot)
    evaluator = Evaluator(layout, terms)
    tracked = evaluator.track(play.start.state)
    states = [g.state for g in play.sample(SAMPLED)]
    for n, state in enumerate([*states, *(random_state(play.system, rng) for _ in range(WILD))]):
        values = {name: int(x) for name, x in zip(asked, compiled(state), strict=True)}
        assert reader.differing(layout.constants(state), values) == {}
        assert reader.undecided <= (WILD // 2 if n >= len(states) else 0), "left undecided"
        assert values == {name: interpret(t, layout.slot, state) for name, t in asked.items()}
        named = evaluator.evaluate(state)
        tracked.update(state)
        assert tracked.values() == named
        for name, x in named.items():
            assert values[f"{name} is {x}"] if isinstance(x, str) else values[name] == x, name


# ---- invariants


def invariants(system: System) -> list[Term]:
    """What every position satisfies, as files are judged by it."""
    terms = (r.term for r in system.invariants)
    return [implies(t.defined, t.value) if isinstance(t, Partial) else t for t in terms]


def instances(system: System, schema: Schema, rng: Random, happened: Iterable[Event] = ()) -> list[Action]:
    """Some ground actions of a schema, those that have happened among them."""
    events = {complete(schema, random_arguments(schema, rng)) for _ in range(INSTANCES)}
    events |= {e for e in happened if e.name == schema.name}
    return [system.action(e) for e in sorted(events, key=str)]


def fits(fluent: Term, new: Term) -> Term:
    """Whether a new value is one that the fluent can have."""
    if isinstance(fluent.sort, EnumSort):
        return in_mask(new, fluent.mask)
    return and_(ge(new, fluent.lo), le(new, fluent.hi)) if isinstance(fluent.sort, IntSort) else TRUE


def test_the_invariants_hold_along_the_play(play: Play) -> None:
    slot = play.system.layout.slot
    for game in play.games:
        broken = [t for t in invariants(play.system) if not interpret(t, slot, game.state)]
        assert not broken, game.history[-1:]


def test_every_event_keeps_the_invariants(play: Play, rng: Random) -> None:
    """From every well-formed position, not only from those that some play leads to."""
    kept = invariants(play.system)
    happened = {e for g in play.games for e in g.history}
    actions = {s.name: instances(play.system, s, rng, happened) for s in play.system.events}
    with Session(Deadline(600), PLAIN) as session:
        session.add(*kept)
        for schema, ground in actions.items():
            broken: list[Term] = []
            for action in ground:
                after = Substitution(dict(action.effects))
                lost = [not_(then) for t in kept if (then := after(t)) is not t]
                outside = [not_(fits(fluent, new)) for fluent, new in action.effects]
                broken.append(and_(action.guard, or_(*lost, *outside)))
            answer = session.check(any_of(broken))
            shown = {str(v): x for v, x in answer.values.items() if v.op is Op.VAR}
            assert answer.verdict == "unsat", (schema, shown)


def test_effects_are_on_fluents_once_and_of_their_sort(play: Play, rng: Random) -> None:
    slot = play.system.layout.slot
    for schema in play.system.events:
        for action in instances(play.system, schema, rng):
            assert action.name == schema.name
            assert [name for name, _ in action.args] == [p.name for p in schema.parameters]
            fluents = [fluent for fluent, _ in action.effects]
            assert len(set(fluents)) == len(fluents), action.key
            for fluent, new in action.effects:
                assert fluent in slot
                assert type(fluent.sort) is type(new.sort), (action.key, fluent)
            if isinstance(action.actor, str):
                assert play.system.side_of(action.actor) is not None, action.key


# ---- files


def test_positions_come_back(play: Play, tmp_path: Path) -> None:
    for n, game in enumerate(play.sample(WRITTEN)):
        file = tmp_path / f"{n}.yaml"
        file.write_text(write_position(game.setup, game.state), encoding="utf-8")
        back = Game.load(str(file))
        assert back.state == game.state
        assert back.status() == game.status()


def test_records_come_back(play: Play, tmp_path: Path) -> None:
    game = play.games[-1]
    file = tmp_path / "record.yaml"
    file.write_text(write_position(game.setup, record=game.history), encoding="utf-8")
    back = Game.load(str(file))
    assert back.history == game.history
    assert back.state == game.state
    assert back.status() == game.status()
    assert play.start.with_options().state == play.start.state
    assert game.with_options().state == game.state


# ---- citations


@pytest.mark.parametrize("game", ALL)
def test_what_is_claimed_is_cited(game: str) -> None:
    setup = Game.load(game).setup
    encoding, system = setup.encoding, setup.system
    claims = [(r.name, r.text, r.cites) for r in system.rules]
    claims += [(o.name, o.text, o.cites) for o in system.outcomes]
    claims += [(r.name, r.reason, r.cites) for r in encoding.readings]
    for name, text, cites in claims:
        assert text, name
        assert cites, name
    cited = [(name, cites) for name, _, cites in claims]
    cited += [(r.name, r.cites) for r in system.invariants] + [(o.name, o.cites) for o in encoding.options]
    cited += [(o.name, o.cites) for o in system.observables] + [(e.name, e.cites) for e in system.events]
    for name, cites in cited:
        check_cites(encoding, name, cites)
    for schema in system.events:
        for action in instances(system, schema, Random("cites")):
            needed = (c for r in action.requirements for c in r.cites)
            check_cites(encoding, action.key, (*action.cites, *needed))


def check_cites(encoding: Encoding, name: str, cites: Iterable[Citation]) -> None:
    """Citations are of texts that the encoding names."""
    for cite in cites:
        assert cite.source in encoding.sources, name
        assert cite.clause, name


@pytest.mark.parametrize("encoding", encoding_names())
def test_names_are_unique(encoding: str) -> None:
    game = load_encoding(encoding)
    switches = [o.name for o in game.options] + [r.name for r in game.readings]
    system = Game.load(encoding).setup.system
    rules = [r.name for r in (*system.rules, *system.invariants)]
    observables = [o.name for o in system.observables]
    outcomes = [(o.name, o.side) for o in system.outcomes]
    events = [s.name for s in system.events]
    lists: list[Sequence[object]] = [switches, rules, observables, outcomes, events]
    for names in lists:
        assert len(set(names)) == len(names)
    assert game.name == encoding
    assert {o.side for o in system.outcomes} <= set(system.sides)


# ---- plans


@dataclass(frozen=True)
class Call:
    """A ground observable as the goal language writes it."""

    text: str
    value: Partial

    def goal(self, system: System, state: State) -> str:
        """That it has the value that it has in a state."""
        x = interpret(self.value.value, system.layout.slot, state)
        sort = self.value.value.sort
        if isinstance(sort, EnumSort):
            return f'{self.text} == "{sort.members[x]}"'
        return f"{self.text} == {x}" if isinstance(sort, IntSort) else self.text if x else f"not {self.text}"

    def __call__(self, system: System, state: State) -> int | None:
        """Its value in a state; None where it has none."""
        slot = system.layout.slot
        return interpret(self.value.value, slot, state) if interpret(self.value.defined, slot, state) else None


def wishes(system: System) -> list[Call]:
    """What goals can be about."""
    found = []
    for o, arguments in calls(system):
        if not isinstance(o.partial(*arguments).value.sort, EnumSort) or o.values is not None:
            written = ", ".join(f'"{a}"' for a in arguments)
            found.append(Call(o.name + (f"({written})" if written else ""), o.partial(*arguments)))
    return found


def some(choice: Term, rng: Random) -> int:
    """A number that stands for doing something."""
    return rng.choice([i for i in range(1, choice.hi + 1) if choice.mask >> i & 1]) if choice.mask else 1


def one_step(play: Play, metric: Metric, rng: Random) -> tuple[str, str, int]:
    """A side, a goal that one step of it meets but the start does not, and what that step costs."""
    system, state = play.system, play.start.state
    for side in rng.sample(list(system.sides), len(system.sides)):
        start = system.layout.constants(state)
        transition = metric.transition(side, IDLE, start).at(start)
        stepper = Stepper(system.layout, transition)
        idle = {c: max(c.lo, 0) for c in transition.choices}
        for choice in rng.sample(transition.choices, len(transition.choices)):
            chosen = {**idle, choice: some(choice, rng)}
            try:
                after = stepper.step(state, chosen)
            except (IllegalStep, OutOfBounds):
                continue
            for call in wishes(system):
                if call(system, after) not in (None, call(system, state)):
                    return side, call.goal(system, after), stepper.cost(state, chosen)
    raise AssertionError(f"no step of {metric.name} changes anything that a goal can be about")


def test_what_is_true_already_costs_nothing(play: Play) -> None:
    system, state = play.system, play.start.state
    call = next(c for c in wishes(system) if c(system, state) is not None)
    for metric in system.metrics:
        plan = play.start.plan(call.goal(system, state), side=next(iter(system.sides)), minimize=metric.name)
        assert (plan.status, plan.cost, plan.steps, plan.replayed) == ("optimal", 0, (), True)


def test_each_metric_finds_a_single_step(play: Play, rng: Random) -> None:
    for metric in play.system.metrics:
        side, goal, cost = one_step(play, metric, rng)
        assert play.start.value(goal) is False
        plan = play.start.plan(goal, side=side, minimize=metric.name)
        assert plan.status == "optimal", goal
        assert plan.replayed
        assert plan.cost is not None
        assert plan.cost <= cost
        assert plan.steps
