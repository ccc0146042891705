"""A rule set under other Readings shares what they do not touch: it is the one that is made without that."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from tests.fixtures.pace import MORE
from tests.rulebook.okinawa_both import BOARDS
from tests.rulebook.test_resting import TEXT as WOODS
from vclogic.files.setup import Setup
from vclogic.files.text_games.games import rulebook
from vclogic.game import Game
from vclogic.model.fluents import Value
from vclogic.model.lazy import Noted
from vclogic.model.system import Settings, System
from vclogic.rulebook.play.wording import Said
from vclogic.rulebook.rules import made
from vclogic.terms.term import Term

HERE = Path(__file__).parent
TRIED = int(6 * (MORE or 1))
EVENTS = 40
"""So many events of each kind are looked at."""


def words(said: Said, values: Mapping[Term, Value]) -> str:
    """What a player is told in a position."""
    return said if isinstance(said, str) else said(values)


def terms(system: System) -> Iterator[tuple[str, object]]:
    """All that a rule set says: its facts, laws, outcomes, values and events, as terms."""
    yield "facts", [(f.name, f.sort, [d.sort for d in f.indices]) for f in system.families]
    yield "initial", dict(system.initial)
    yield "defaults", dict(system.defaults)
    yield "written", dict(system.written)
    yield "laws", [(r.name, r.text, r.term, r.cites) for r in system.laws]
    yield "outcomes", [(o.name, o.side, o.condition, o.timing, o.have, o.need, o.text) for o in system.outcomes]
    yield "tables", [(t.name, dict(t.rows)) for t in system.levels]
    for name, observable in system.vocabulary.items():
        for names in islice(product(*(d.sort.members for d in observable.parameters)), 500):
            yield f"{name}{names}", observable.partial(*names)
    start = system.completed({})
    for schema in system.events:
        yield schema.name, [(p.name, [str(x) for x in p.values]) for p in schema.parameters]
        each = product(*([(p.name, x) for x in p.values] for p in schema.parameters))
        for given in islice(each, EVENTS):
            action = schema.action(given)
            asked = [(r.term, words(r.message, start), r.cites) for r in action.requirements]
            yield f"{schema.name}{given}", (asked, dict(action.effects), words(action.text, start))


def alone(setup: Setup, settings: Settings) -> System:
    """The rule set under some settings, made by itself."""
    return made(rulebook(setup.request.name).book, settings, setup.board_read).system


def compared(setup: Setup, readings: Mapping[str, str]) -> None:
    """Compares the rule set under some Readings with the same made by itself."""
    settings = Settings(setup.settings.options, {**setup.settings.readings, **readings})
    notes = Noted(settings.readings), Noted(settings.readings)
    shared = setup.encoding.build(setup.board_read, Settings(settings.options, notes[0]))
    by_itself = alone(setup, Settings(settings.options, notes[1]))
    found, expected = dict(terms(shared)), dict(terms(by_itself))
    assert [*found] == [*expected]
    assert {k for k, x in found.items() if x != expected[k]} == set()
    assert notes[0].looked_up >= notes[1].looked_up


def sets(setup: Setup, rng: Random) -> Iterator[dict[str, str]]:
    """Each other value of a Reading alone, and some with several."""
    readings = setup.encoding.readings
    yield from ({r.name: v} for r in readings for v in r.values)
    for _ in range(TRIED):
        chosen = rng.sample(readings, rng.randint(1, len(readings)))
        yield {r.name: rng.choice([*r.values]) for r in chosen}


def of_woods(folder: Path) -> Path:
    (folder / "woods.md").write_text(WOODS)
    return folder / "woods.md"


def of_units(folder: Path) -> Path:
    (folder / "units.md").write_text((HERE / "said" / "under_a_reading.md").read_text())
    return folder / "units.md"


def of_okinawa(folder: Path) -> Path:
    (folder / "okinawa_text.md").write_text((HERE / "boards" / "okinawa_whole.md").read_text())
    file = folder / "position.yaml"
    board: dict[str, Any] = yaml.safe_load((BOARDS / "strip.yaml").read_text())
    file.write_text(yaml.safe_dump({"game": "okinawa_text.md", "board": copy.deepcopy(board)}))
    return file


@pytest.mark.parametrize("game", [of_woods, of_units, of_okinawa])
def test_it_is_the_same_rule_set(game: Any, tmp_path: Path) -> None:
    rng = Random(game.__name__ if not MORE else None)
    setup = Game.load(str(game(tmp_path))).setup
    for readings in sets(setup, rng):
        compared(setup, readings)


def test_lines_that_a_reading_does_not_touch_are_made_once(tmp_path: Path) -> None:
    setup = Game.load(str(of_woods(tmp_path))).setup
    book = rulebook(setup.request.name).book
    base = made(book, Settings(setup.settings.options, Noted(setup.settings.readings)), setup.board_read).base
    assert base is not None
    readings = Noted({**setup.settings.readings, "armour": "heavy"})
    other = made(book, Settings(setup.settings.options, readings), setup.board_read, base)
    again = {name for name, defined in other.definitions.items() if defined is not base.meaning.definitions[name]}
    assert again == {"strength"}
    assert other.base is not None
    play, before = other.base.play, base.play
    assert play.events["fire"]._conditions is not before.events["fire"]._conditions  # it needs a strength
    assert [*map(id, other.laws)] == [*map(id, base.laws)]
    readings = Noted({**setup.settings.readings, "ending": "early"})
    later = made(book, Settings(setup.settings.options, readings), setup.board_read, base)
    assert later.base is not None
    assert later.base.play.events["fire"]._conditions is before.events["fire"]._conditions


def test_what_is_looked_up_by_what_is_shared_counts_too(tmp_path: Path) -> None:
    setup = Game.load(str(of_woods(tmp_path))).setup
    noted = Noted({**setup.settings.readings, "ending": "early"})
    system = setup.encoding.build(setup.board_read, Settings(setup.settings.options, noted))
    found = system.term("strength", "Ann")
    assert isinstance(found, Term)
    assert noted.looked_up >= {"armour", "horses", "woods"}


def test_other_options_and_other_boards_share_nothing(tmp_path: Path) -> None:
    setup = Game.load(str(of_units(tmp_path))).setup
    options = {**setup.settings.options, "fatigue": "on"}
    compared(setup, {"cover": "hides"})
    other = setup.encoding.build(setup.board_read, Settings(options, Noted(setup.settings.readings)))
    expected = alone(setup, Settings(options, Noted(setup.settings.readings)))
    assert dict(terms(other)) == dict(terms(expected))
