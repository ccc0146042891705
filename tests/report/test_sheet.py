"""Ruling sheets: complete, and nothing that was asked or named is read as markup."""

from __future__ import annotations

import datetime
import re

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.report.rulings import CHANGES, ruled
from vclogic import __version__, load
from vclogic.query.ask.answer import OtherReadings
from vclogic.report.markdown import said
from vclogic.report.sheet import sheet

DAY = datetime.date(2026, 11, 23)


def made(**changes: object) -> str:
    return sheet(ruled(**changes), title="Skirmish", position="game: skirmish\n", date=DAY)


def test_a_sheet_has_all_its_parts() -> None:
    text = made()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings == [
        "Question",
        "Situation",
        "Reasons",
        "Clauses",
        "What speaks against it",
        "Readings",
        "Rulings on these clauses",
        "Not checked",
        "Assumptions",
        "Made with",
    ]
    for part in (
        "# Ruling\n\n**controls(Red, Hill): yes**\n\nSkirmish (skirmish/spring), 2026-11-23\n",
        "```yaml\ngame: skirmish\n```",
        "What decides and nobody gave (assumed):\n\n- the weather is clear\n",
        "- Ford and the hill are Red's (given in pos.yaml, line 3)\n",
        "- C/1, C/2 (Skirmish): who controls it, keeps it\n",
        "- if ties=red: **no** (Red wins ties) \\[C/2\\]\n",
        "- the last one there keeps it \\[C/1\\] hills.yaml:12\n",
        f"vclogic {__version__}, game skirmish\n",
    ):
        assert part in text, part


def test_the_position_is_told_in_words_and_what_is_as_usual_only_counted() -> None:
    at = load(
        {
            "game": "axis_allies",
            "readings": {"every_territory": "ownable"},
            "state": {"owner": {"Karelia": "Germans"}},
        }
    )
    stands = at.status(position=True).position
    text = sheet(ruled(), title="Skirmish", position="game: skirmish\n", date=DAY, stands=stands)
    told = text.split("As it stands when the question is asked:\n\n")[1].split("\n\nWhat decides")[0]
    assert "| Power | Territories |\n| --- | --- |\n| Germans | Karelia S.S.R. |\n" in told
    assert re.search(r"^and \d+ territories more, as at the start of the scenario$", told, re.MULTILINE)


def test_a_clause_that_begins_with_a_number_is_no_list() -> None:
    assert said("26.1/2 (ASL): it stays") == "26.1/2 (ASL): it stays"
    assert said("2. he moves") == "2\\. he moves"
    assert said("- he moves") == "\\- he moves"


def test_all_readings_are_a_table_that_no_cell_breaks() -> None:
    text = made(readings=OtherReadings((), (CHANGES,)))
    assert "| If | The answer is | That means |\n| --- | --- | --- |\n| ties=red | no | Red wins ties |\n" in text
    odd = made(question="a|b", readings=OtherReadings((), (CHANGES.__class__({"a|b": "c\nd"}, None, True),)))
    assert "| a\\|b=c d | undefined |  |\n" in odd


ODD = st.text(st.sampled_from("`*_#[]()<>|\\-+1.! \nab"), max_size=30)


@examples(150)
@given(ODD)
def test_nothing_named_is_markup(text: str) -> None:
    """Headings, lists, emphasis and code are as many as where nothing is odd."""
    found = made(text=f"x{text}", not_judged=(f"{text}x",), question=f"q{text}")
    assert [x for x in found.split("\n") if x.startswith("#")] == [x for x in made().split("\n") if x.startswith("#")]
    title = found.split("\n\n")[1]
    bare = re.sub(r"\\.", "", title.removeprefix("**").removesuffix("**"))
    assert not set(bare) & set("`*_#[]<>|!")
    question = found.split("## Question\n\n")[1].split("\n\n## ")[0].split("\n")
    assert len(question) == 3
    assert question[0] == question[2]
    assert set(question[0]) == {"`"}
    assert question[0] not in question[1]


def test_what_there_was_no_time_to_tell_is_said() -> None:
    assert "\n\nThe time was up before the facts that decide could be told.\n\n" in made(
        reason="the time was up before the facts that decide could be told"
    )
