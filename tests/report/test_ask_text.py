from __future__ import annotations

from collections.abc import Callable

from rich.console import RenderableType

from tests.report.rulings import CHANGES, ruled
from vclogic.query.ask.answer import DecidingClause, OtherReadings, OtherRuling, Precedent
from vclogic.report.text.ask import ask

Piped = Callable[[RenderableType], str]


def test_of_many_clauses_some_are_counted(piped: Piped) -> None:
    def clauses(n: int) -> str:
        named = tuple(DecidingClause(f"C/{i}", "Skirmish", (f"rule {i}",)) for i in range(n))
        return piped(ask(ruled(clauses=named)))

    assert "C/8: rule 8" in clauses(9)
    assert "more, all of which" not in clauses(9)
    assert "C/7: rule 7\n  - and 2 more, all of which a ruling sheet (`--sheet`) names\n" in clauses(10)


def test_a_ruling_reads_like_this(piped: Piped) -> None:
    assert (
        piped(ask(ruled()))
        == """\
controls(Red, Hill): yes
skirmish/spring

Why
  Red controls the hill [C/1]
    - Ford and the hill are Red's (given in pos.yaml, line 3)
    - Red is in supply (by step 2)
    - Home is Blue's (as the scenario has it)
    - assumed, since nobody says otherwise: the weather is clear
  step 2, supply(Red): supplied is yes for Red
    - it is Red's turn (given)

By these clauses
  - C/1: who stands alone on it controls it
  - C/1, C/2: who controls it, keeps it

What speaks against it
  - C/9: a side out of supply controls nothing

Which Readings would change it
  if ties=red: no [C/2]
    Red wins ties
  if ties=blue and fords=open: the position, its record or the question is not allowed: the fords are closed
  [C/3]
    Blue
    open
  No others do, alone or together.

Rulings on these clauses
  - the last one there keeps it [C/1] hills.yaml:12

Not checked, since the rule text does not say
  - the battle

Assumptions
  - option snow=on
  - 3 Readings as by default; --all-readings names them
"""
    )


def test_what_is_undefined_says_what_is_missing(piped: Piped) -> None:
    found = ruled(
        kind="outcome", value=None, text="big, Red: undefined", lacks="nobody has bid", because=(), clauses=()
    )
    assert piped(ask(found)).startswith(
        "big, Red: undefined\nwhat is missing: nobody has bid\nskirmish/spring\n\nWhich"
    )


def test_all_readings_are_a_table(piped: Piped) -> None:
    stays = OtherRuling({"rain": "on"}, True, False, "", ("it rains",), ())
    text = piped(ask(ruled(readings=OtherReadings((CHANGES,), (CHANGES, stays)))))
    rows = [line.split("  ") for line in text.split("Each Reading alone\n")[1].split("\n")[2:4]]
    assert [[cell.strip() for cell in row if cell.strip()] for row in rows] == [
        ["ties=red", "no", "Red wins ties"],
        ["rain=on", "yes", "it rains"],
    ]
    assert "default readings: ties=none, fords=closed, rain=off" in text


def test_what_is_not_known_of_readings_is_said(piped: Piped) -> None:
    def said(readings: OtherReadings) -> str:
        part = piped(ask(ruled(readings=readings))).split("Which Readings would change it\n")[1].split("\n\n")[0]
        return " ".join(part.split())

    assert said(OtherReadings(())) == "None does, alone or together with others."
    late = OtherReadings((), (), False, 0, "the time is up")
    assert said(late) == "Not all of them were tried: the time is up."
    some = OtherReadings((), (), False, 2, "the 9 sets of 3 were not tried")
    beyond = "More than that is open: the 9 sets of 3 were not tried."
    assert said(some) == f"No Reading changes it alone, and no pair. {beyond}"
    both = OtherReadings((CHANGES,), (), False, 1, "the time is up")
    assert said(both).endswith("No other Reading changes it alone. More than that is open: the time is up.")
    three = OtherReadings((CHANGES,), (), False, 3, "the time is up")
    assert "No other Reading changes it alone, and no other set of up to 3. More" in said(three)


def test_a_few_precedents_are_shown(piped: Piped) -> None:
    many = tuple(Precedent(f"ruling {i}", ("C/1",), ("C/1",), "a.yaml", None) for i in range(8))
    text = piped(ask(ruled(precedents=many)))
    assert "  - ruling 4 [C/1] a.yaml\n  - and 3 more: `vclogic rules GAME CLAUSE` lists them\n" in text


def test_nothing_of_what_is_shown_moves_the_cursor(piped: Piped) -> None:
    text = piped(ask(ruled(text="a\x1b[2Jb", game="x\x07")))
    assert "\x1b" not in text
    assert "\x07" not in text


def test_what_there_was_no_time_to_tell_is_said(piped: Piped) -> None:
    reason = "the time was up before the clauses that decide could be told"
    assert f"\n{reason.capitalize()}.\n" in piped(ask(ruled(clauses=(), reason=reason)))
