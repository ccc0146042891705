"""What a program that plays pays for each position, beside one evaluation of the compiled rules."""

from __future__ import annotations

import gc
import pickle
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

import vclogic
from benchmarks.runner import Comparison, Timing, side_by_side
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import compile_terms
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.query.status.progress import expression
from vclogic.terms.term import Term

AIM = "status 4 times, apply 15 times one evaluation of the compiled rules of 1942; 1 to 2 KB a kept position"
GAMES = ("axis_allies/revised-1942", "moscow/campaign", "napoleonics/erlenbach", "okinawa/island", "asl/13cc5")
_EVENTS, _SEEDS, _LARGEST = 12, (1, 2, 3, 4, 5, 6), 99
_KEPT = 1_000
_COMPILED = ("status", "apply")  # what is compiled once it has been called often
_OFTEN = 150
_SINGLE = "the conditions and numbers of all outcomes, compiled"


def run() -> Iterator[Comparison]:
    """Each game: positions and events along random records, none of them twice in a row."""
    for name in GAMES:
        game = vclogic.load(name)
        yield Comparison(f"{name}, {len(game.state)} facts", _timings(game))


def _timings(game: Game) -> dict[str, Timing]:
    played = [pair for seed in _SEEDS for pair in _played(game, seed)]
    games = [now for now, _ in played]
    system = game.setup.system
    single = compile_terms(_judged(game), system.layout.slot)
    shown = next(expression(*parts) for parts in reversed(system.overview))
    term = system.vocabulary[shown.partition("(")[0]].partial(*_arguments(shown)).value
    alone = compile_terms([term], system.layout.slot)
    whole = [g.state_dict() for g in games]
    part = [{name: facts[name] for name in _few(facts)} for facts in whole]
    calls: Mapping[str, Callable[[], object]] = {
        _SINGLE: _each(single, [g.state for g in games]),
        f"{shown}, compiled": _each(alone, [g.state for g in games]),
        f"value('{shown}')": _each(lambda now: now.value(shown), games),
        "status": _each(Game.status, games),
        "apply": _each(_applied, played),
        "apply, then status": _each(lambda pair: _applied(pair).status(), played),
        "state_dict": _each(Game.state_dict, games),
        "at_state, a whole state": _each(game.at_state, whole),
        "at_state, one kind of facts": _each(
            lambda pair: pair[0].at_state(pair[1]), list(zip(games, part, strict=True))
        ),
        "pickled and back": _each(lambda now: pickle.loads(pickle.dumps(now)), games),
    }
    for name, call in calls.items():
        for _ in range(_OFTEN * len(games) if name in _COMPILED else 2):
            call()  # what is called often is compiled
    found = side_by_side(calls, clock=time.process_time)
    some = games[1:3]
    found |= side_by_side(
        {"legal": lambda: [now.legal() for now in some]}, rounds=3, per=len(some), clock=time.process_time
    )
    return found | {"apply": replace(found["apply"], answer=f"{_kept(played) / 1000:.1f} KB a kept position")}


def _judged(game: Game) -> list[Term]:
    """What says who has won, and by how much: one evaluation, to which the others are compared."""
    outcomes = game.setup.system.outcomes
    terms = [t for o in outcomes for t in (o.condition.holds, o.have) if t is not None]
    return list(dict.fromkeys(terms))


def _played(game: Game, seed: int) -> Iterator[tuple[Game, Event]]:
    """Moments of a random record, each with the event that follows."""
    for event, _ in legal_play(game.setup.system, game.state, Random(seed), _EVENTS):
        if any(isinstance(n, int) and n > _LARGEST for _, n in event.args):
            return  # nobody buys 800 battleships
        yield game, event
        game = game.apply(event.name, **dict(event.args))


def _applied(pair: tuple[Game, Event]) -> Game:
    game, event = pair
    return game.apply(event.name, **dict(event.args))


def _moved(pair: tuple[Game, dict[str, Any]]) -> Game:
    game, facts = pair
    return game.at_state(facts)


def _few(facts: Mapping[str, Any]) -> list[str]:
    """The first kind of facts that has several."""
    return [name for name, value in facts.items() if isinstance(value, dict)][:1]


def _arguments(call: str) -> list[str]:
    return call.partition("(")[2].rstrip(")").split(", ") if "(" in call else []


def _each(call: Callable[[Any], object], over: Sequence[Any]) -> Callable[[], object]:
    """A call with one after the other, from the first again after the last."""
    following = cycle(over)
    return lambda: call(next(following))


def _kept(played: Sequence[tuple[Game, Event]]) -> float:
    """The bytes of each of many games that are kept, every one after one more event than another."""
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    following = cycle(played)
    kept = [_applied(next(following)) for _ in range(_KEPT)]
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(kept)
