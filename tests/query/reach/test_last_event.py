"""Statements about the last event of a record, against exhaustive play of small rule sets in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, cases, examples
from tests.query.reach.test_all_events import NUMBERS, Rise, Rules
from tests.terms.specs import KIND, Spec, Values, meaning, specs, term
from tests.toys.small_systems import Move, SmallSystem, State, all_values, is_value, wild_systems
from vclogic.conformance.games import random_play_of
from vclogic.conformance.planning import random_call
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.event_terms import EventWords, Spoken, actor, before, happened, happens
from vclogic.model.step_text import decider
from vclogic.model.system import ANY, IDLE, System
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_last_event import Judge, reach_by_last_event
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.atoms import member
from vclogic.terms.build import ite
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

SIDES = {"Red": ("Red",), "Blue": ("First", "Second")}
WHO = EnumSort("who", ("Red", "First", "Second"))
ACTORS = ("Red", "First", "Second", "Blue", None)


@dataclass(frozen=True)
class Happened:
    """An event with the state before it and the state after it.

    Attributes:
        name: Its name.
        number: Its number; None if it has none.
        who: Who decided it.
        before: The state before it.
        after: The state after it.
    """

    name: str
    number: int | None
    who: str | None
    before: State
    after: State


@dataclass(frozen=True)
class Question:
    """A rule set whose events somebody decides, and a goal about events.

    Attributes:
        rules: The rule set.
        who: Who decides each move; `either` is Red where the first Bool fluent holds, else First.
        obliged: The moves that even an idle side makes.
        side: The side that moves while the other one is idle; None: both move.
        told: Whether moves say what they touch.
        goal: The goal.
    """

    rules: Rules
    who: tuple[str | None, ...]
    obliged: tuple[bool, ...]
    side: str | None
    told: bool
    goal: Spec

    @property
    def system(self) -> System:
        """The rule set as vclogic has it."""
        plain = self.rules.system
        schemas = {s.name: s for s in plain.events}
        for move, who, obliged in zip(self.rules.small.moves, self.who, self.obliged, strict=True):
            schemas[move.name] = self._decided(move, who, obliged)
        return replace(plain, sides=SIDES, events=tuple(schemas.values()))

    def _decided(self, move: Move, who: str | None, obliged: bool) -> Schema:
        decides: str | Term | None = who
        if who == "either":
            decides = ite(self._bool, member(WHO, "Red"), member(WHO, "First"))

        def action() -> Action:
            return replace(move.action, actor=decides)

        touched = tuple((fluent.name,) for fluent, _ in move.effects)
        return Schema(move.name, (), action, "", obliged=obliged, touches=touched if self.told else None)

    @property
    def _bool(self) -> Term:
        return next(v for v in self.rules.small.fluents if KIND[v] == "B")

    def after(self, state: State) -> Iterator[Happened]:
        """Every event that may happen in a state."""
        small = self.rules.small
        for move, who, obliged in zip(small.moves, self.who, self.obliged, strict=True):
            after = small.after(state, move)
            if who == "either":
                who = "Red" if small.values(state)[self._bool] else "First"
            idle = self.side is not None and who is not None and not obliged and who not in ("Blue", *SIDES["Blue"])
            if after is not None and not idle:
                yield Happened(move.name, None, who, state, after)
        if self.rules.rise is not None:
            i = small.fluents.index(self.rules.rise.fluent)
            for new in self.rules.rise.after(small, state):
                yield Happened("rise", new[i] - state[i], None, state, new)

    def shows(self, x: Happened) -> bool:
        """Whether the goal holds after an event, in plain Python."""
        small = self.rules.small
        values: dict[Term, int] = small.values(x.after)
        values |= {before(v): n for v, n in small.values(x.before).items()}
        return bool(meaning(self.goal, {**values, **said(small, x)}))

    @property
    def holds_at_once(self) -> bool:
        """Whether it holds where nothing has happened, when nothing was before."""
        small = self.rules.small
        values: dict[Term, int] = small.values(small.start)
        values |= {before(v): n for v, n in values.items()}
        return bool(meaning(self.goal, {**values, **said(small, None)}))

    def happened(self, start: State) -> Iterator[Happened]:
        """Every event that may happen after some others, those after fewer others first."""
        found, queue = {start}, [start]
        while queue:
            for x in self.after(queue.pop(0)):
                yield x
                if x.after not in found:
                    found.add(x.after)
                    queue.append(x.after)


def said(small: SmallSystem, x: Happened | None) -> Values:
    """What the words for events say of one, or of none."""
    found = {happens(m.name): int(x is not None and x.name == m.name) for m in small.moves}
    found[happened()] = int(x is not None)
    found[happens("rise")] = int(x is not None and x.name == "rise")
    found |= {happens("rise", n=n): int(x is not None and x.number == n) for n in NUMBERS}
    powers = {name: SIDES.get(name, (name,)) for name in ("Red", "Blue", "First")}
    for name, of in powers.items():
        found[actor(name)] = int(x is not None and x.who is not None and x.who in (name, *of))
    return found


def earlier(spec: Spec, now: Iterator[bool]) -> Spec:
    """An expression in which some of the values are those before the last event."""
    if spec[0] == "var":
        return spec if next(now) else ("var", before(spec[1]))
    return tuple(earlier(x, now) if isinstance(x, tuple) and x and isinstance(x[0], str) else x for x in spec)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """A rule set, and a goal about events that may come true or not."""
    small = draw(wild_systems())
    rises = [Rise(v, least) for v in small.fluents if KIND[v] == "I" for least in range(v.lo, v.hi + 1)]
    rise = draw(st.sampled_from([None, *rises]))
    actors = (*ACTORS, "either") if any(KIND[v] == "B" for v in small.fluents) else ACTORS
    who = tuple(draw(st.sampled_from(actors)) for _ in small.moves)
    obliged = tuple(draw(st.booleans()) for _ in small.moves)
    nothing: Spec = ("const", "B", 0)
    q = Question(
        Rules(small, rise), who, obliged, draw(st.sampled_from((None, "Blue"))), draw(st.booleans()), nothing
    )
    return replace(q, goal=draw(st.one_of(any_goals(q), goals_near_play(q))))


@st.composite
def any_goals(draw: st.DrawFn, q: Question) -> Spec:
    """A goal of any form, which mostly does not hold at once."""
    rng = draw(st.randoms(use_true_random=True))
    goal = earlier(draw(specs(q.rules.small.fluents, "B", 3)), iter(lambda: rng.random() < 0.5, None))
    words = list(said(q.rules.small, None))
    for _ in range(draw(st.integers(0, 2))):
        word: Spec = ("var", draw(st.sampled_from(words)))
        word = ("not", word) if draw(st.integers(0, 3)) == 0 else word
        goal = (draw(st.sampled_from(("and", "and", "or", "xor"))), goal, word)
    soon = replace(q, goal=goal).holds_at_once and draw(st.integers(0, 4))
    return ("and", goal, ("var", happened())) if soon else goal


@st.composite
def goals_near_play(draw: st.DrawFn, q: Question) -> Spec:
    """What is so of some event of play, but perhaps for one part of it."""
    small = q.rules.small
    rng = draw(st.randoms(use_true_random=True))
    happenings = [*q.happened(small.start)] or [Happened("none", None, None, small.start, small.start)]
    x = rng.choice(happenings[len(happenings) // 2 :])
    parts = [is_value(v, n) for v, n in small.values(x.after).items()]
    parts += [earlier(is_value(v, n), iter(lambda: False, None)) for v, n in small.values(x.before).items()]
    parts += [("iff", ("var", word), ("const", "B", n)) for word, n in said(small, x).items()]
    parts = rng.sample(parts, rng.randint(1, len(parts)))
    if x.name != "none" and draw(st.booleans()):  # few events show it, others lead there
        parts.append(("var", happens(x.name)))
    return ("and", *parts[1:], parts[0] if draw(st.integers(0, 5)) else ("not", parts[0]))


def asked(q: Question) -> Reach:
    """What vclogic says."""
    system = q.system
    opponent = ANY if q.side is None else IDLE
    ask = ResolvedQuestion("small", system, q.rules.small.start, (), q.side, opponent, system.metrics[0], effort(10))
    with local_sessions(5), never_looked_at():
        return reach_by_last_event(replace(ask, goal=Goal("the goal", term(q.goal))), assumed=True)


@examples(150)
@given(questions())
def test_some_event_does_it_where_play_finds_one(q: Question) -> None:
    small, answer = q.rules.small, asked(q)
    possible = q.holds_at_once or any(map(q.shows, q.happened(small.start)))
    anywhere = (x for values in all_values(small.fluents) for x in q.after(tuple(values[v] for v in small.fluents)))
    never = not q.holds_at_once and not any(map(q.shows, anywhere))
    note(f"{answer.status} by {answer.proof.method if answer.proof else len(answer.steps)}")
    assert answer.status == ("reachable" if possible else "unreachable")
    assert (answer.proof is not None and answer.proof.method == "one-step") == never
    assert {*answer.events.included, *answer.events.left_out} == set(q.system.schemas)
    if answer.status == "reachable":
        assert answer.record is not None
        assert answer.record.events is not None
        assert [Event(s.action, tuple(s.args.items())) for s in answer.steps] == list(answer.record.events)
        assert [q.shows(x) for x in played(q, answer)] == [False] * (len(answer.steps) - 1) + [True] * bool(
            answer.steps
        )
        assert bool(answer.steps) != q.holds_at_once


def played(q: Question, answer: Reach) -> Iterator[Happened]:
    """The witness, in plain Python."""
    state = q.rules.small.start
    for step in answer.steps:
        (x,) = (y for y in q.after(state) if y.name == step.action and y.number == step.args.get("n"))
        yield x
        state = x.after


# ---- records of the games

GAMES = ("axis_allies/revised-1942", "asl/13cc5", "okinawa/small", "moscow/small", "napoleonics/erlenbach")


@dataclass(frozen=True)
class Last:
    """The last event of a record of a game.

    Attributes:
        system: The rule set.
        before: The state before the event.
        event: The event.
        after: The state after it.
    """

    system: System
    before: State
    event: Event
    after: State

    def says(self, goal: str) -> bool:
        """What a goal says of it."""
        return judge(self.system, goal).holds(self.before, self.event, self.after)


def judge(system: System, goal: str) -> Judge:
    """What judges a goal."""
    return Judge(system, Spoken(system, compile_goal(goal, system.vocabulary, steps=EventWords(system)).term))


def records(game: str, rng: Random, number: int) -> list[Last]:
    """Last events of random records of a game."""
    play = random_play_of(game)
    states = {g.history: g.state for g in play.games}
    some = [g for g in play.games if g.history and g.history[:-1] in states]
    return [
        Last(play.system, states[g.history[:-1]], g.history[-1], g.state)
        for g in rng.sample(some, min(number, len(some)))
    ]


@pytest.mark.parametrize("game", cases(GAMES, "moscow/small"))
def test_before_is_what_the_state_before_says(game: str) -> None:
    rng = Random(f"before {game}")
    for last in records(game, rng, 8):
        for call in filter(None, (random_call(last.system, rng) for _ in range(8))):
            was, now = call(last.system, last.before), call(last.system, last.after)
            for x in {was, now} - {None}:
                assert x is not None
                assert last.says(f"before({call.is_(x)})") == (was == x), (last.event, call.text)
                assert last.says(call.is_(x)) == (now == x), (last.event, call.text)
            if isinstance(call.value.value.sort, IntSort):
                assert last.says(f"before({call.text}) > {call.text}") == (
                    was is not None and now is not None and was > now
                )
            if call.members or isinstance(call.value.value.sort, IntSort):
                assert last.says(f"{call.text} == before({call.text})") == (was is not None and was == now)


@pytest.mark.parametrize("game", GAMES)
def test_happens_and_actor_are_what_the_record_says(game: str) -> None:
    rng = Random(f"happens {game}")
    for last in records(game, rng, 15):
        name, args, system = last.event.name, last.event.args, last.system
        assert {s for s in system.schemas if last.says(f"happens({s})")} == {name}
        named = ", ".join([name, *(f'{key}="{x}"' for key, x in args if rng.random() < 0.7)])
        assert last.says(f"happens({named})")
        for p, (key, x) in zip(system.schemas[name].parameters, args, strict=True):
            other = rng.choice(p.values)
            assert last.says(f'happens({name}, {key}="{other}")') == (other == x)
        who = decider(system.action(last.event).actor, system.layout.values(last.before))
        for side, powers in system.sides.items():
            assert last.says(f"actor({side})") == (who is not None and system.side_of(who) == side)
            assert all(last.says(f"actor({p})") == (who == p) for p in powers)


@pytest.mark.parametrize("game", GAMES)
def test_at_the_start_nothing_was_before_and_nothing_has_happened(game: str) -> None:
    play, rng = random_play_of(game), Random(f"at the start {game}")
    system, state = play.system, play.games[0].state
    for call in filter(None, (random_call(system, rng) for _ in range(20))):
        x = call(system, state)
        if x is not None:
            assert not judge(system, f"before({call.is_(x)})").at_start(state)
            assert judge(system, f"not before({call.is_(x)})").at_start(state)
    words = [f"happens({s.name})" for s in system.events] + [f"actor({side})" for side in system.sides]
    assert not any(judge(system, word).at_start(state) for word in words)


def test_what_capped_points_rise_by_is_what_the_event_brings() -> None:
    """Without cases of the cap the points so far would have to be added up, on a board of 430 hexes for minutes."""
    points = "front_points(Soviet) != before(front_points(Soviet)) + before(gaps(German))"
    goal = f"happens(end_turn) and before(turn) == German and {points} and before(front_points(Soviet)) <= 5000"
    answer = loaded("moscow/small").reach(goal, side="German", opponent="any", timeout=40 * BUSY)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("one-step", True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "points",
    [
        "front_points(Soviet) != before(front_points(Soviet)) + before(gaps(German))",
        "vp(Soviet) == before(vp(Soviet)) and before(gaps(German)) >= 1",
    ],
)
def test_so_it_is_on_the_whole_board(points: str) -> None:
    goal = f"happens(end_turn) and before(turn) == German and {points} and before(front_points(Soviet)) <= 5000"
    answer = loaded("moscow").reach(goal, side="German", opponent="any", timeout=60 * BUSY)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("one-step", True)


def test_latches_that_rise_together_exclude_what_must_hold_before_the_event() -> None:
    # the other side may have won at that moment, as far as one event tells; but then the game was over
    game = loaded("axis_allies", victory="major")
    goal = "happens(end_turn) and before(turn) == Americans and before(vcp(Axis)) == 41"
    goal += " and not holds(major_victory, Axis)"
    never = game.reach(goal, opponent="helps", timeout=300)
    assert never.status == "unreachable"
    assert never.proof is not None
    assert never.proof.method == "invariants"
    assert never.proof.rechecked
    assert game.reach(goal.replace("41", "39"), opponent="helps", timeout=300).status == "reachable"
