"""Conformance speaks to a designer: a fault planted in a game gives a sentence, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.toys.template_game import installed
from vclogic.conformance import claims, events, games, meaning, planning
from vclogic.game import Game

NAME = "hill_war"
FUTURE = "from __future__ import annotations\n"
GAME = f"{NAME}/first"
NEVER_TAKEN = ('any_of(near), f"no road', 'FALSE, f"no road')


@dataclass(frozen=True)
class Planted:
    """A fault of a game, and what is said of it.

    Attributes:
        test: The test that fails.
        old: Text of a file of the game.
        new: What stands there instead.
        says: The message; LINE stands for the line of `marks` in the file of rules.
        file: The file.
        marks: Text of that line.
    """

    test: Callable[..., None]
    old: str
    new: str
    says: str
    file: str = "rules.py"
    marks: str = ""


STORM = (
    'Schema("storm", (), lambda: Action("storm", (), None, (Requirement(FALSE, "no wind", cite("1/1")),), (), '
    '"storm"), "a storm", cite("1/1"))'
)
PLANTED = {
    "an event that never happens": Planted(
        events.test_play_goes_on,
        *NEVER_TAKEN,
        "no random play of 2,400 steps from the start of hill_war/first changes anything: do the needs of events "
        "refuse too much?",
    ),
    "an event that never happens beside one that does": Planted(
        events.test_every_event_can_happen,
        "            events=(\n                Schema(\n",
        f"            events=(\n                {STORM},\n                Schema(\n",
        "the event storm can never happen: it is always refused with “no wind” (hill_war/rules.py:LINE): let it need "
        "less, or take it out",
        marks='Schema("storm"',
    ),
    "a clause that is not listed": Planted(
        claims.test_every_citation_is_a_clause,
        'cite("2/1"), have',
        'cite("2/9"), have',
        "victory cites 2/9, which coverage.yaml does not list: add it there under `clauses:`, or mend the citation",
    ),
    "a rule without a clause": Planted(
        claims.test_what_is_claimed_is_cited,
        '"a side has won, and nothing is taken any more", cite("1/2")',
        '"a side has won, and nothing is taken any more", ()',
        'over cites no clause: add cites=cite("PARAGRAPH/SENTENCE")',
    ),
    "a ruling that does not hold": Planted(
        claims.test_the_rulings_hold,
        "points(Red) == 9",
        "points(Red) == 8",
        "rulings fail: 'with 9 points Red has won at once'; `vclogic test hill_war` shows what was got instead",
        "cases/victory.yaml",
    ),
    "an event that is decided otherwise": Planted(
        events.test_who_decides_is_as_declared,
        '                    decided_by="the side that takes it",\n',
        "",
        "take(Blue, Blue Hill) is decided by Blue, but take (hill_war/rules.py:LINE) has no decided_by: let "
        "`Action.actor` be a side or power, or None, as `Schema.decided_by` says",
        marks="def take(self",
    ),
    "an effect that is made twice": Planted(
        meaning.test_effects_are_on_fluents_once_and_of_their_sort,
        "effects=((self.owner[place], constant(self.side.sort, side)),),",
        "effects=((self.owner[place], constant(self.side.sort, side)),) * 2,",
        "take(Blue, Blue Hill) changes owner[Blue Hill] twice (hill_war/rules.py:LINE): make one effect of the two",
        marks="def take(self",
    ),
    "a metric without its event": Planted(
        planning.test_each_metric_names_its_events,
        'events=("take",)',
        'events=("march",)',
        "the metric moves lists march in `events`, which is no event: take are",
    ),
    "a name that stands twice": Planted(
        claims.test_names_are_unique,
        'Observable("owner",',
        'Observable("points",',
        "two observables have one name, points: call one of them otherwise",
    ),
    "a clause that nothing cites": Planted(
        claims.test_every_clause_is_encoded,
        "2/1]",
        "2/1, 2/2]",
        "no code cites 2/2: mark the function that says it with @encodes, or cite it where it is made, or list the "
        "clause in coverage.yaml under `out_of_scope:` with the reason",
        "coverage.yaml",
    ),
    "a clause without a ruling": Planted(
        claims.test_every_clause_has_a_ruling,
        "2/1]",
        "2/1, 2/2]",
        "no ruling cites 2/2: write one in cases/ that does, or list the clause in coverage.yaml under "
        "`out_of_scope:` with the reason",
        "coverage.yaml",
    ),
    "what is absent and there": Planted(
        claims.test_what_other_boards_have_says_what_to_add,
        "            position=self.position,\n",
        '            position=self.position,\n            absent=Absent(events={"take": "add a road"}),\n',
        "in hill_war/first `System.absent` names take among the events, which is there",
    ),
}


def run(test: Callable[..., None]) -> None:
    """Run a conformance test on the installed game, with what its parameters ask for."""
    wanted = inspect.signature(test).parameters
    given: dict[str, Any] = {"encoding": NAME, "covered": NAME, "in_code": NAME, "scenario": GAME, "never": {}}
    if "play" in wanted:
        given["play"] = games.random_play(Game.load(GAME), Random(GAME))
    given["rng"] = Random("sentences")
    test(**{name: given[name] for name in wanted})


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_said_in_a_sentence(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = PLANTED[fault]
    for kept in (claims.books, claims.rulings, games.loaded, games.each_choice, games.random_play_of, games.size):
        kept.cache_clear()
    with installed(tmp_path, monkeypatch, NAME) as package:
        file = package / planted.file
        text = file.read_text()
        assert text.count(planted.old) == 1
        text = text.replace(planted.old, planted.new)
        if "Absent(" in text:
            text = f"from vclogic.model.absent import Absent\n{text}".replace(FUTURE, "")
        file.write_text(text)
        rules = (package / "rules.py").read_text().splitlines()
        with pytest.raises(games.UnmetDemand) as failed:
            run(planted.test)
    lines = [str(n) for n, line in enumerate(rules, 1) if planted.marks and planted.marks in line]
    assert str(failed.value) == planted.says.replace("LINE", "".join(lines))


def test_the_game_itself_passes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kept in (claims.books, claims.rulings, games.loaded, games.each_choice, games.random_play_of, games.size):
        kept.cache_clear()
    with installed(tmp_path, monkeypatch, NAME):
        for planted in PLANTED.values():
            run(planted.test)
