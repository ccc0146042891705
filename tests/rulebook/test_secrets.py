"""Secret facts of a text: a view shows the side its own, and nothing that tells of the other's, until the end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.report.json import document, dumps
from vclogic.rulebook.document import document as written
from vclogic.rulebook.document import text_of
from vclogic.rulebook.parser import parse_rules

TEXT = """
instead of moscow, decisive, substantial, marginal
secret fact chosen(side, place)
secret fact depth(side): 1 to 3
fact known(side)
  becomes true at once if some(place where chosen(side, place) and holding(side, place))
reached(side) means count(place where chosen(side, place) and holding(side, place))
side wins objectives at the end if reached(side) >= depth(side)
German wins early at the end of a round if known(German)
nobody wins draw at the end if reached(German) == reached(Soviet)
Soviet wins plain at the end if round >= 3
"""
PLACES = ("Moscow", "Smolensk", "Minsk")


def _state(chosen: dict[str, Any], depth: dict[str, int]) -> dict[str, Any]:
    return {"chosen": {s: dict.fromkeys(of, True) for s, of in chosen.items() if of}, "depth": depth}


def _game(state: dict[str, Any], record: list[Any] | None = None, text: str = TEXT) -> vclogic.game.Game:
    return vclogic.load({"game": "moscow/small", "outcomes": text, "state": state, "record": record or []})


GAME = _game({})
SECRETS = st.tuples(st.sets(st.sampled_from(PLACES)), st.integers(1, 3))


@examples(200)
@given(own=SECRETS, one=SECRETS, other=SECRETS, view=st.sampled_from(["German", "Soviet"]))
def test_a_view_is_the_same_whatever_the_other_side_has_chosen(own: Any, one: Any, other: Any, view: str) -> None:
    foe = "Soviet" if view == "German" else "German"
    told = []
    for theirs in (one, other):
        game = _game(_state({view: own[0], foe: theirs[0]}, {view: own[1], foe: theirs[1]}))
        told.append(dumps(document("status", game.status(view=view, position=True, whole=True))))
    assert told[0] == told[1]


def test_outcomes_that_would_tell_are_hidden_and_no_others() -> None:
    game = _game(_state({"German": ["Minsk"], "Soviet": ["Moscow"]}, {}))
    hidden = {(o.rule, o.side) for o in game.status(view="Soviet").outcomes if o.status == "undeclared"}
    assert hidden == {("objectives", "German"), ("early", "German"), ("draw", "nobody")}
    assert all(o.status != "undeclared" for o in game.status().outcomes)


def test_all_is_shown_when_the_game_is_over() -> None:
    game = _game(_state({"German": ["Minsk"], "Soviet": ["Moscow", "Smolensk"]}, {"Soviet": 2}), ["end_game"])
    for view in ("German", "Soviet"):
        seen, whole = game.status(view=view), game.status()
        assert (seen.outcomes, seen.winner) == (whole.outcomes, "German")


def test_plans_say_that_they_count_on_what_is_hidden() -> None:
    game = _game(_state({"Soviet": ["Smolensk"]}, {}))
    found = game.plan("holding(German, Smolensk)", side="German")
    assert any("hidden facts are taken as known to the German side" in a for a in found.assumptions)


def test_it_can_be_written_as_a_document_and_printed() -> None:
    found = written(parse_rules(TEXT))
    again = written(parse_rules(text_of(json.loads(json.dumps(found)))))
    assert again == found
    assert sum("secret" in s for s in found["statements"]) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("secret fact held(place)", "it is not said whose secret it is"),
        ("secret held(side) means true", "held"),
        ("secret fact", "the name of the fact is missing here"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _game({}, text=f"{text}\nGerman wins x at once if 1 > 2")


def test_secret_is_a_name_like_others() -> None:
    text = f"{TEXT.splitlines()[1]}\nsecret means round >= 2\nGerman wins late at the end if secret"
    assert _game({"round": 3}, ["end_game"], text).status().winner == "German"


def test_what_one_side_chose_is_compared_with_what_it_chose_too() -> None:
    text = f"{TEXT.splitlines()[1]}\nfact first(side): place\nfact second(side): place\n"
    text += "side wins both at the end if first(side) != second(side)"
    chosen = {"first": {"German": "Minsk", "Soviet": "Minsk"}, "second": {"German": "Minsk", "Soviet": "Moscow"}}
    assert _game(chosen, ["end_game"], text).status().winner == "Soviet"
