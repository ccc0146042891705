"""A rulebook that is read once more in a process: only what has changed is worked out anew."""

from __future__ import annotations

import os
import re
from dataclasses import astuple
from pathlib import Path

import pytest

from vclogic.files.text_games import games as rulebooks
from vclogic.game import Game
from vclogic.report import json
from vclogic.rulebook import rules

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
_SENTENCE = re.compile(r"^\*\*(\d[\w.]*)\*\*[^\n]*", re.MULTILINE)


def saved(file: Path, text: str) -> Game:
    """The game of a text that was saved just now, as far as anybody can tell."""
    last = file.stat().st_mtime if file.exists() else 1e9
    file.write_text(text)
    os.utime(file, (last + 1, last + 1))
    return Game.load(str(file))


def told(game: Game) -> dict[str, object]:
    """What a game tells of itself."""
    system = game.setup.system
    return {
        "rules": json.document("rules", game.rules()),
        "status": json.document("status", game.status()),
        "events": [(s.name, s.text, s.cites) for s in system.events],
        "outcomes": [(o.name, o.text, o.cites, o.made) for o in system.outcomes],
        "passages": [astuple(p) for p in system.passages],
        "doubled": [(r.name, r.text, r.cites) for r in system.doubled],
        "laws": [(r.name, r.text, r.term) for r in system.invariants],
    }


def anew(file: Path) -> dict[str, object]:
    """What a game tells of itself that is read as if for the first time."""
    rulebooks.forget()
    return told(Game.load(str(file)))


@pytest.mark.parametrize("name", ["skirmish", "bridgehead", "brook", "okinawa_victory", "high_card", "two_theatres"])
def test_a_changed_sentence_is_told_and_nothing_else_changes(name: str, tmp_path: Path) -> None:
    text = (EXAMPLES / f"{name}.md").read_text()
    file = tmp_path / "game.md"
    for other in EXAMPLES.glob("*.md"):
        (tmp_path / other.name).write_text(other.read_text())
    first = told(saved(file, text))
    for sentence in [*_SENTENCE.finditer(text)][:3]:
        changed = text[: sentence.end()] + " So it is told now, twice." + text[sentence.end() :]
        game = saved(file, changed)
        found = told(game)
        assert found == anew(file)
        assert found["passages"] != first["passages"]
        assert game.legal() == Game.load(str(file)).legal()


def test_lines_stay_as_they_were_made_where_only_sentences_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (EXAMPLES / "skirmish.md").read_text()
    file = tmp_path / "game.md"
    saved(file, text)
    with monkeypatch.context() as patch:
        patch.setattr(rules, "made", lambda *_: pytest.fail("no line has changed"))
        saved(file, _SENTENCE.sub(lambda m: f"{m[0]} And so on.", text)).status()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("```vclogic\n", "\n```vclogic\n"),  # other lines of the file
        ("rounds 4", "rounds 5"),
        ("**1.3** In", "**1.9** In"),
    ],
)
def test_what_lines_rest_on_is_made_anew(old: str, new: str, tmp_path: Path) -> None:
    text = (EXAMPLES / "skirmish.md").read_text()
    assert old in text
    file = tmp_path / "game.md"
    before = told(saved(file, text))
    found = told(saved(file, text.replace(old, new)))
    assert found == anew(file)
    assert found != before


def test_other_settings_are_kept_apart(tmp_path: Path) -> None:
    text = '# A game\n\n**1** It is so.\n\n```vclogic\nsides Red, Blue\noption size "How large?" 1 to 5, default 2\n'
    text += "event grow by side\nfact n: 0 to 9\nworth means size\n```\n"
    file = tmp_path / "game.md"
    for sentence in ("It is so.", "It is.", "It was so."):
        saved(file, text.replace("It is so.", sentence))
        values = [Game.load(str(file), settings={"size": str(n)}).value("worth") for n in (1, 4, 1)]
        assert values == [1, 4, 1]
