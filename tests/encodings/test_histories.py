"""What is said of earlier events stays true as play goes on, though the counters behind it are set back."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fixtures.games import loaded
from vclogic.game import Game


def said(game: Game, fluent: str) -> str:
    system = game.setup.system
    value = system.layout.values(game.state)[system.layout.by_name[fluent]]
    return system.in_words.said(fluent, value).says


def play() -> Iterator[Game]:
    """Manchuria gets emergency infantry as it is attacked, holds, is attacked again, and the turn ends."""
    game = loaded("axis_allies")
    for event, given in (
        ("attack", {"power": "Russians", "territory": "Manchuria"}),
        ("emergency", {"power": "Japanese", "territory": "Manchuria", "infantry": 1}),
        ("attack_fails", {"power": "Russians", "territory": "Manchuria"}),
        ("attack", {"power": "Russians", "territory": "Manchuria"}),
        ("end_turn", {}),
    ):
        game = game.apply(event, **given)
        yield game


def test_nothing_that_has_happened_is_denied_once_its_counter_is_set_back() -> None:
    after_attack, after_help, after_failure, again, ended = play()
    assert "1 emergency infantry" in said(after_help, "emergency[Manchuria]")
    assert said(ended, "emergency[Manchuria]") == "has got no emergency infantry this turn"
    assert said(after_failure, "failed_attacks[Manchuria]") == "has seen its last attack this turn fail"
    assert said(again, "failed_attacks[Manchuria]") == "has not seen its last attack this turn fail"
    assert said(after_attack, "attacked[Manchuria]") == "is under attack"
