"""What `legal` lists is what `apply` accepts, move by move, and nothing else."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from random import Random

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import cases
from vclogic.conformance.events import is_listed
from vclogic.conformance.games import random_arguments
from vclogic.errors import InputError
from vclogic.files.record import RecordStep
from vclogic.game import Game
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import Family, Value
from vclogic.model.system import System
from vclogic.query.legal.answer import LegalKind
from vclogic.query.replay import play_record
from vclogic.terms.build import add
from vclogic.terms.sorts import IntSort

GAMES = (
    "asl/13cc5",
    "asl/1f3",
    "asl/22u3",
    "axis_allies",
    "moscow/small",
    "napoleonics/erlenbach",
    "napoleonics/sankt-veit",
    "okinawa/small",
)
EVENTS, LISTED, RANDOM, AGAIN = 4, 6, 3, 2


def is_applied(game: Game, name: str, arguments: Mapping[str, Value]) -> bool:
    try:
        game.apply(name, **arguments)
    except InputError as error:
        if {d.code for d in error.diagnostics} != {"illegal-step"}:
            raise
        return False
    return True


def others(schema: Schema, listed: list[dict[str, Value]], rng: Random) -> Iterator[dict[str, Value]]:
    """Random arguments, and those that differ from listed ones in one value."""
    for _ in range(RANDOM):
        yield dict(schema.event(random_arguments(schema, rng)).args)
    for given in listed:
        for p in schema.parameters:
            yield {**given, p.name: rng.choice(p.values)}
            if isinstance(p.domain, range):
                yield from ({**given, p.name: n} for n in (int(given[p.name]) + d for d in (-1, 1)) if n in p.domain)


def some_of(kind: LegalKind, rng: Random) -> list[dict[str, Value]]:
    """Some choices that are listed, with the least and the largest numbers among them."""
    found: list[dict[str, Value]] = []
    for a in rng.sample(kind.allowed, min(LISTED, len(kind.allowed))):
        ends = {n: rng.choice([x for r in ranges for x in r]) for n, ranges in a.numbers.items()}
        found.append({**a.args, **ends})
    return found


@pytest.mark.parametrize("name", cases(GAMES, "asl/13cc5", "asl/22u3", "moscow/small", "napoleonics/erlenbach"))
def test_legal_lists_what_apply_accepts(name: str) -> None:
    rng = Random(name)
    game = loaded(name)
    game = game.apply("end_turn") if name == "axis_allies" else game  # before it, bids may be very many numbers
    for _ in range(EVENTS):
        following: list[tuple[str, dict[str, Value]]] = []
        for kind in game.legal().kinds:
            schema = game.setup.system.schemas[kind.event]
            listed = some_of(kind, rng)
            for arguments in listed * AGAIN:
                assert is_applied(game, kind.event, arguments), (kind.event, arguments)
            for arguments in others(schema, listed, rng):
                event = schema.event(arguments)
                assert is_applied(game, kind.event, dict(event.args)) == is_listed(kind, event), str(event)
            following += [(kind.event, arguments) for arguments in listed]
        if not following:
            break
        event_name, arguments = rng.choice(following)
        game = game.apply(event_name, **arguments)


def reasons(error: InputError) -> tuple[str, ...]:
    """What stands against an event, whichever step it is."""
    return tuple(d.message.partition(", ")[2] for d in error.diagnostics)


def test_a_move_that_was_made_before_is_judged_anew() -> None:
    """Arguments of another type or order, and the same move where it is not allowed."""
    game = loaded("axis_allies").apply("end_turn")
    arguments: dict[str, Value] = {"power": "Germans", "territory": "Karelia"}
    first = game.apply("capture", **arguments)
    assert game.apply("capture", territory="Karelia", power="Germans").state == first.state
    bought = game.apply("purchase", power="Germans", unit="infantry", count=1)
    assert game.apply("purchase", power="Germans", unit="infantry", count=1).state == bought.state
    with pytest.raises(InputError, match="count: expected a whole number"):
        game.apply("purchase", power="Germans", unit="infantry", count=True)
    with pytest.raises(InputError, match=r"step 3, capture\(Germans, Karelia S.S.R., no\): ") as again:
        first.apply("capture", **arguments)
    with pytest.raises(InputError) as anew:
        first.at_state(first.state_dict()).apply("capture", territory="Karelia S.S.R.", power="Germans")
    assert reasons(again.value) == reasons(anew.value)
    by_hand = first.by_hand({"round": 2})
    with pytest.raises(InputError, match="step 4, capture"):
        by_hand.apply("capture", **arguments)


def test_an_event_that_happens_often_has_the_same_effects_and_reasons() -> None:
    """Where events are built for a known state, those that happen often are built for any."""
    game, often = loaded("asl/13cc5"), 130
    rng = Random(3)
    for _ in range(3):
        kinds = [k for k in game.legal().kinds if k.allowed]
        kind = rng.choice(kinds)
        arguments = next(rng.choice(kind.allowed).choices())
        first = game.apply(kind.event, **arguments)
        assert {game.apply(kind.event, **arguments).state for _ in range(often)} == {first.state}
        refused: set[object] = set()
        for _ in range(2):
            try:
                refused.add(first.apply(kind.event, **arguments).state)
            except InputError as error:
                refused.add(reasons(error))
        fresh = vclogic.load("asl/13cc5").at_state(first.state_dict())
        try:
            refused.add(fresh.apply(kind.event, **arguments).state)
        except InputError as error:
            refused.add(reasons(error))
        assert len(refused) == 1
        game = first


def test_a_number_that_leaves_its_bounds_is_refused() -> None:
    late = loaded("axis_allies").at_state({"round": 1000, "turn": "Americans"})
    assert not [a for k in late.legal(event="end_turn").kinds for a in k.allowed]
    with pytest.raises(InputError, match="rounds are counted to 1000 only"):
        late.apply("end_turn")


def test_numbers_beyond_a_byte_are_kept() -> None:
    rich = loaded("axis_allies").apply("end_turn").at_state({"treasury": {"Germans": 70_000}})
    bought = rich.apply("purchase", power="Germans", unit="infantry", count=300)
    assert bought.state_dict()["bought"]["infantry"] == 300
    assert bought.apply("end_turn").state_dict()["bought"]["infantry"] == 0
    assert bought.at_state(rich.state_dict()).state == rich.state
    again = pickle.loads(pickle.dumps(bought))
    assert (again.state, again.history) == (bought.state, bought.history)


def test_a_value_that_leaves_its_bounds_is_refused() -> None:
    """Where no requirement of the rules says so before."""
    score = Family("score", IntSort(0, 3), "counts")
    more = Schema(
        "more", (), lambda: Action("more", (), None, (), ((score.fluent, add(score.fluent, 2)),), "more"), "more"
    )
    system = System({}, (score,), {}, (), (), (), (), (more,), ())
    step = RecordStep(Event("more"))
    assert play_record(system, (1,), [step]) == (3,)
    with pytest.raises(InputError, match=r"step 2, more\(\): score would become 4; it must lie between 0 and 3"):
        play_record(system, (0,), [step, step])
