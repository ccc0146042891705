"""Random rulebooks with masks, and without: each member looked at by itself says the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from tests.fixtures.pace import examples
from tests.rulebook.making_rulebooks import rulebooks
from tests.rulebook.random_rulebooks import Rulebook
from tests.rulebook.test_random_rulebooks import legal_in, loaded
from tests.rulebook.test_typed_lines import loaded as patrol
from vclogic.files.text_games import games as files
from vclogic.game import Game
from vclogic.query.status.progress import value_of
from vclogic.rulebook.play import ways
from vclogic.terms.atoms import TRUE
from vclogic.terms.expressions import resolve
from vclogic.terms.typed import form as typed
from vclogic.terms.typed import looped
from vclogic.terms.typed.form import Env, Expression, Groups, Slot

MOST_EVENTS = 6
_MASKS = ("mask", "groups", "_grouped")


def _kinds(kind: type[Any] = Expression) -> Iterator[type[Any]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


def _meeting(parts: Iterable[Expression], over: Slot, env: Env, within: int) -> int:
    found, parts = 0, list(parts)
    for n, member in enumerate(over.members):
        if within >> n & 1:
            env[over.place] = member
            if all(part.holds(env) is TRUE for part in parts):
                found |= 1 << n
    return found


def _mask_of(self: Expression, over: Slot, env: Env) -> int:
    return _meeting([self], over, env, over.full)


def _groups_of(self: Expression, over: Slot, env: Env) -> Groups:
    found: dict[Any, int] = {}
    for n, member in enumerate(over.members):
        env[over.place] = member
        partial = self.of(env)
        value = partial.value if partial.defined is TRUE else None
        found[value] = found.get(value, 0) | 1 << n
    return found


@contextmanager
def member_by_member() -> Iterator[None]:
    """While this is open, no line is worked out for many members at once, and none is one test of a fact."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in _kinds():
            for name in _MASKS:
                if name in vars(kind):
                    patch.setattr(kind, name, _mask_of if name == "mask" else _groups_of)
        for module in (typed, looped, ways):
            patch.setattr(module, "meeting", _meeting)
        patch.setattr(resolve, "simplified", lambda found, names: found)
        patch.setattr(looped, "_Kept", lambda part: part)
        yield


def _said(game: Game) -> dict[str, Any]:
    """All that a game says of a position."""
    system, status, values = game.setup.system, game.status(), {}
    for known in system.observables:
        for names in product(*(d.sort.members for d in known.parameters)):
            values[known.name, names] = value_of(system, game.state, known.partial(*names))
    met = [(o.rule, o.side, o.status) for o in status.outcomes]
    return {"facts": game.state_dict(), "legal": legal_in(game), "met": met, "stuck": status.stuck, "values": values}


@examples(500, usual=12)
@given(rulebooks())
def test_masks_say_what_a_look_at_each_member_says(book: Rulebook) -> None:
    game = loaded(book)
    with member_by_member():
        files.forget()
        plain = loaded(book)
    for _ in range(MOST_EVENTS):
        said = _said(game)
        with member_by_member():
            assert _said(plain) == said
        if not said["legal"]:
            break
        name, given = book.random.choice(said["legal"])
        game = game.apply(name, **dict(given))
        with member_by_member():
            plain = plain.apply(name, **dict(given))


def test_a_mask_that_misses_a_member_is_noticed() -> None:
    """The comparison is one: with a fault in masks the two differ."""
    text = "said(side, place) means some(hex where lies(place, hex) and terrain(hex) == forest)\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typed, "meeting", lambda *_: 0)
        patch.setattr(looped, "meeting", lambda *_: 0)
        wrong = patrol(text).value("said(Red, Mill)")
    with member_by_member():
        files.forget()
        right = patrol(text).value("said(Red, Mill)")
    assert (right, wrong) == (True, False)
