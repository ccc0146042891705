"""Effects of events are made when they are asked for, and what they ask for is worked out without them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given

from tests.fixtures.pace import examples
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Rulebook
from tests.rulebook.test_random_rulebooks import loaded
from vclogic.encode.python.codegen import interpret
from vclogic.game import Game
from vclogic.model.actions import Action, LaterEffects
from vclogic.model.grounded import fits
from vclogic.rulebook.play import events
from vclogic.rulebook.play.effects import EffectLine
from vclogic.terms.build import all_of

BOOKS = Path(__file__).parents[2] / "examples" / "rulebooks"
MOST = 40


def actions(game: Game) -> Iterator[Action]:
    """Some events of each kind."""
    for schema in game.setup.system.events:
        assert schema.ways is not None or len(schema.parameters) == 1
        values = {p.name: p.values for p in schema.parameters}
        each = schema.ways(values) if schema.ways else ({schema.parameters[0].name: v} for v in values.popitem()[1])
        yield from (schema.action(tuple(given.items())) for given in islice(each, MOST))


def test_a_list_of_legal_events_makes_no_effects() -> None:
    game = Game.load(str(BOOKS / "ford.md"))
    assert game.legal().allowed
    built = [g.action for g in game.setup.system._opened.values()]
    assert built
    assert not any("_made" in vars(a.effects) for a in built if isinstance(a.effects, LaterEffects))
    assert any(a.effects for a in built), "they are there where they are asked for"


@examples(400, usual=20)
@given(rulebooks())
def test_what_events_ask_for_is_what_all_their_lines_ask_for(book: Rulebook) -> None:
    def all_lines(lines: Sequence[EffectLine]) -> Sequence[EffectLine]:
        return lines

    found = {a.key: a for a in actions(loaded(book))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events, "asking", all_lines)
        plain = {a.key: a for a in actions(loaded(book))}
    assert found.keys() == plain.keys()
    for key, action in found.items():
        assert action.guard is plain[key].guard, key
        assert action.effects == plain[key].effects, key


@examples(200, usual=10)
@given(rulebooks())
def test_what_is_legal_leaves_each_fact_within_its_range(book: Rulebook) -> None:
    """Nobody looks at that again where effects are made later."""
    game = loaded(book)
    system = game.setup.system
    for _ in range(4):
        legal = list(game.legal().events())
        for name, args in legal:
            effects = system.schemas[name].action(tuple(args.items())).effects
            assert interpret([all_of(fits(f, new) for f, new in effects)], system.layout.slot, game.state) == (True,)
        if not legal:
            break
        name, args = book.random.choice(legal)
        game = game.apply(name, **args)
