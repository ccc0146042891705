"""Tests of play: status and objectives along the way, and positions and records that are written and read back."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from vclogic.conformance.games import (
    RandomPlay,
    at,
    claim,
    each_choice,
    fails,
    legal_play,
    loaded,
    named,
    random_arguments,
)
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.files.write import write_position
from vclogic.game import Game
from vclogic.model.actions import Action
from vclogic.model.fluents import State, Value
from vclogic.model.objectives import Objective
from vclogic.model.position import Thing
from vclogic.model.system import System
from vclogic.model.view import EVERY_STATE
from vclogic.query.status.position import PositionPart
from vclogic.query.status.progress import StatusView
from vclogic.terms.build import and_, eq, or_
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Op, Term, variables

SEEN = 3  # states in which events are tried that may be refused
WRITTEN = 8  # states that are written out and read back

_STATES = 6
_Told = tuple[str, str, Value, int | None]
"""Kind and name of a thing, its value, and how many of it there are."""


def test_a_large_scenario_is_played(large_scenario: str) -> None:
    """A large scenario can be played; smaller ones go through all the tests."""
    start = loaded(large_scenario)
    system, now = start.setup.system, start
    for event, state in legal_play(system, start.state, Random(large_scenario), 3, set()):
        now = now.apply(event.name, **dict(event.args))
        claim(now.state == state, f"{event}: a game and the evaluator come to different states: a mistake in vclogic")
        broken = [r for r in system.laws if not interpret(r.kept, system.layout.slot, state)]
        places = named(f"'{r.text}'{at(r)}" for r in broken)
        claim(not broken, f"after {event} this is not so: {places}; mend the event, or what must always hold")
    claim(now.history, f"no event is allowed at the start of {large_scenario}: do requirements refuse all of them?")
    _comes_back(now, read_back(write_position(now.setup, now.state)))


def test_the_status_after_each_event_is_that_of_a_fresh_start(play: RandomPlay) -> None:
    """The status of a game that was played equals one computed from scratch."""
    for game in play.games:
        fresh = StatusView(play.system)
        status = game.status()
        again = fresh.status(game.state, game=status.game, view=status.view, assumptions=status.assumptions)
        after = game.history[-1] if game.history else "the start"
        message = f"the status after {after} is another one than from scratch: does a rule keep what it has read?"
        claim(replace(status, not_judged=()) == again, message)


def test_an_event_of_a_known_state_is_the_event_of_any(play: RandomPlay, rng: Random) -> None:
    """An action built for a known state has the same requirements and effects there as the one for any state."""
    system, before = play.system, {g.history: g.state for g in play.games}
    happened = [(before[g.history[:-1]], g.history[-1]) for g in play.games if g.history and g.history[:-1] in before]
    tried = [
        (g.state, s.event(random_arguments(s, rng))) for g in play.sample(SEEN) for s in system.events if s.viewed
    ]
    for state, event in (*happened, *tried):
        one, other = system.action_in(state, event), system.action(event)
        said = f"{event}{at(system.schemas[event.name])} is judged otherwise when it is built for one state"
        same = judged(system, state, one) == judged(system, state, other)
        claim(same, f"{said}: read every fluent through the view")


def judged(system: System, state: State, action: Action) -> tuple[list[str], State]:
    """The failing requirements of an action in a state, and the state after it."""
    values = system.layout.values(state)
    lacking = [r.said(values) for r in failed(system, state, action)]
    return lacking, state if lacking else apply(system, state, action)


def test_who_has_won_meets_an_outcome(play: RandomPlay) -> None:
    """The winner has met an outcome, now or earlier."""
    slot, winner = play.system.layout.slot, play.system.winner
    if winner is None:
        return
    for game in play.games:
        for side in play.system.sides:
            if interpret(eq(winner, side), slot, game.state):
                own = (or_(and_(o.timing, o.condition.holds), o.won) for o in play.system.outcomes if o.side == side)
                met = any(interpret(met, slot, game.state) for met in own)
                after = game.history[-1] if game.history else "the start"
                claim(
                    met, f"after {after} the winner is {side}, but none of its outcomes is met: when is `winner` set?"
                )


def test_every_choice_of_settings_is_a_game(play: RandomPlay) -> None:
    """A rule set can be built for each value of each option and Reading."""
    for game in each_choice(play.start):
        claim(game.status().outcomes, f"with {dict(game.setup.chosen)} nobody can win: there is no outcome")


# ---- files


def test_positions_come_back(play: RandomPlay) -> None:
    """A position that is written and read again is the same, without its record."""
    for game in play.sample(WRITTEN):
        back = read_back(write_position(game.setup, game.state))
        _comes_back(game, back)
        same = back.status() == replace(game.status(), not_judged=())
        claim(same, f"a position of {game.setup.game} that is written and read again has another status")


def read_back(position: str) -> Game:
    """The game of a position file."""
    return Game.load(parse(Source("position.yaml", position)))


def _comes_back(game: Game, back: Game) -> None:
    """Check that a position that was written and read again is the same."""
    now, then = game.setup.system.layout.values(game.state), back.setup.system.layout.values(back.state)
    other = named(f"{v.name} is {then[v]}, not {x}" for v, x in now.items() if then[v] != x)
    claim(not other, f"a position that is written and read again is another one: {other}; is its default right?")


def test_records_come_back(play: RandomPlay) -> None:
    """A record that is written and read again leads to the same position."""
    game = play.games[-1]
    back = read_back(write_position(game.setup, record=game.history))
    claim(
        back.history == game.history, f"a record that is written and read again is another one: {named(back.history)}"
    )
    _comes_back(game, back)
    claim(back.status() == game.status(), "a record that is written and read again leads to another status")
    for moment in (play.start, game):
        same = moment.with_options().state == moment.state
        claim(same, "a game that is set up again with the same settings has another state: a mistake in vclogic")


def test_status_shows_the_position(scenario: str) -> None:
    """A game says who is where or who controls what, and leaves none of them out."""
    system = loaded(scenario).setup.system
    if system.position is None:
        fails(f"{scenario} says nothing of its position: give the System a `position`, which `vclogic status` shows")
    shown = {
        t for part in system.position(EVERY_STATE) for thing in part.things for t in (_value(thing), thing.count)
    }
    for family in system.families:
        missing = [str(x) for x in family.fluents.values() if x not in shown]
        if any(x in shown for x in family.fluents.values()):
            help = "list each of them, as you do the others of its family"
            claim(not missing, f"the position of {scenario} leaves out {named(missing)}: {help}")


def test_the_position_is_the_state(play: RandomPlay) -> None:
    """The whole position shows the value of each fluent in the state."""
    for game in play.sample(_STATES):
        system = play.system
        assert system.position is not None
        values = system.layout.values(game.state)
        for part, listing in zip(
            game.status(position=True, whole=True).position, system.position(EVERY_STATE), strict=True
        ):
            claim(not part.left_out, f"the whole position leaves out a part of '{part.title}': a mistake in vclogic")
            said = {(x.side, x.kind, x.name): x.value for x in part.things if x.count is None}
            counts = {(x.side, x.kind, x.name, x.value): x.count for x in part.things}
            for thing in listing.things:
                t, key = _value(thing), (thing.side, thing.kind, thing.name)
                if thing.count is None and t.op is Op.VAR:
                    same = said[key] == values[t]
                    claim(
                        same,
                        f"the position says that {t} is {said[key]}, but it is {values[t]}: two things of one name?",
                    )
                elif thing.count is not None and thing.count.op is Op.VAR and t.is_const:
                    shown, is_ = counts.get((*key, t.value), 0), values[thing.count]
                    claim(shown == is_, f"the position says that {thing.count} is {shown}, but it is {is_}")


def test_folding_loses_nothing(play: RandomPlay) -> None:
    """The shown part of a position and the part left out add up to all of it."""
    for game in play.sample(_STATES):
        parts = game.status(position=True).position
        for part, whole in zip(parts, game.status(position=True, whole=True).position, strict=True):
            told = Counter(_unfolded(part))
            every = Counter((x.kind, x.name, x.value, x.count) for x in whole.things)
            more = named(told - every)
            claim(told <= every, f"folded, '{part.title}' shows {more}, which is not in it: a mistake in vclogic")
            left = Counter(kind for kind, *_ in (every - told).elements())
            same = left == Counter({x.kind: x.number for x in part.left_out})
            claim(same, f"folded, '{part.title}' does not say how much it leaves out: a mistake in vclogic")


def _unfolded(part: PositionPart) -> list[_Told]:
    """Each thing that is shown, with the parts that are told with it."""
    found: list[_Told] = []
    for x in part.things:
        found.append((x.kind, x.name, x.value, x.count))
        for kind, names in (x.parts or {}).items():
            found += [(kind, name, x.value, None) for name in names]
    return found


def _value(thing: Thing) -> Term:
    return thing.value.value if isinstance(thing.value, Partial) else thing.value


SAMPLED = 6  # states of the play in which objectives are lost


def test_objectives_are_told_apart_and_are_on_the_map(scenario: str) -> None:
    """No two objectives have one name; a side has one or not by the position; each is in regions of the picture."""
    game = loaded(scenario)
    system, state = game.setup.system, game.state
    is_well_declared(system, state)
    for objective in system.objectives:
        loses_to_an_enemy(system, state, objective)


def test_an_objective_that_is_lost_is_another_s(play: RandomPlay) -> None:
    """Along the play, what an objective's loss leads to is a well-formed position in which the side has it not."""
    system = play.system
    for game in play.sample(SAMPLED):
        for objective in system.objectives:
            loses_to_an_enemy(system, game.state, objective)


def test_objectives_are_known_under_every_choice_of_settings(play: RandomPlay) -> None:
    """Objectives can be built for each value of each option and Reading."""
    for game in each_choice(play.start):
        is_well_declared(game.setup.system, game.state)


def is_well_declared(system: System, state: State) -> None:
    """Check the names, terms and places of all objectives."""
    names = [o.name for o in system.objectives]
    twice = {n for n in names if names.count(n) > 1}
    claim(not twice, f"two objectives have one name, {named(sorted(twice))}: call one of them otherwise")
    fluents, sides = set(system.layout.fluents), set(system.sides)
    regions = set()
    if system.drawing is not None:
        regions = {r.name for r in system.drawing.picture(system.layout.values(state), True).regions}
    for o in system.objectives:
        it = f"the objective {o.name}"
        claim(o.name, "an objective has no name: give it the one that players use")
        claim(o.kind, f"{it} has no `kind`: say in a word what it is")
        claim(o.held, f"no side can have {it}: say in `held` when each has it")
        strange = named(s for s in (*o.held, *o.worth) if s not in sides)
        claim(not strange, f"{it} names {strange}, which is no side: {named(sides)} are")
        claim({t.sort for t in o.held.values()} == {BOOL}, f"what `held` of {it} says is not true or false")
        unknown = named(v.name for v in variables(*o.held.values()) if v not in fluents)
        claim(not unknown, f"`held` of {it} reads {unknown}, which is in no family of the system")
        nowhere = named(p for p in o.places if p not in regions)
        claim(system.drawing is None or not nowhere, f"{it} is in {nowhere}, which is no region of the picture")


def loses_to_an_enemy(system: System, state: State, objective: Objective) -> None:
    """Check what becomes of a position when an objective is lost, for each side that has it."""
    layout = system.layout
    for side, held in objective.held.items():
        if objective.lost is None or not interpret(held, layout.slot, state):
            continue
        changed = objective.lost(side, layout.values(state))
        if changed is None:
            continue
        it = f"once {side} has lost the objective {objective.name}"
        strange = named(v.name for v in changed if v not in layout.slot)
        claim(not strange, f"{it}, {strange} changes, which is in no family of the system")
        then = layout.state({**layout.values(state), **changed})
        broken = [r for r in system.laws if not interpret(r.kept, layout.slot, then)]
        places = named(f"'{r.text}'{at(r)}" for r in broken)
        claim(
            not broken,
            f"{it}, this is not so: {places}; let `lost` change more, or return None where it cannot be lost",
        )
        claim(not interpret(held, layout.slot, then), f"{it}, it still has it: let `lost` change what `held` reads")
