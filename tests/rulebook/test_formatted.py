"""`vclogic format`: blocks in one style; comments, numbers of sentences and prose stay, and so does what is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.rulebook.document import book_document
from vclogic.rulebook.markdown.formatted import formatted

UGLY = """# Ugly  prose

- in a list

  ```vclogic
  rounds   6
  ```

> ```vclogic
> rounds 7
> ```

~~~vclogic


# first
sides   Allies:Russians,British;Axis:Germans   # who
  # indented

# two


turn is one event
grid area   # the board
  NW N  NE
  # a row
  "W x"  C  E   # west
event move by side from area to area  [2.4]
   then units(side,from) falls by 1 # leaves
   # must touch
   needs adjacent(from,to)   [2.41]
   needs (count(near area where adjacent(near,from) and occupies(side,near))>=2) and (not holds(side,from)),# what for
       else 'not so'   # and why
   says "x {side}"
fact at(unit):hex or off
  # c
  becomes  off at once if   round==1  # d
table level at the end , by vp
  2 or less Soviet wins substantial # e
  3 or more   Germans wins
except worth(C) means 3 [3.3] # f
reading tie "q"
   draw "meaning" , default 'reason' # g
   other 'it"s'
~~~
```ruling
Title    one   # x
     given  units(A,  b) is 2 # y


   refused move from 'S  W' to W
```
"""
STYLED = """# Ugly  prose

- in a list

  ```vclogic
  rounds 6
  ```

> ```vclogic
> rounds 7
> ```

~~~vclogic
# first
sides Allies: Russians, British; Axis: Germans  # who
  # indented

# two

turn is one event
grid area  # the board
  NW     N  NE
  # a row
  'W x'  C  E  # west
event move by side from area to area  [2.4]
  then units(side, from) falls by 1  # leaves
  # must touch
  needs adjacent(from, to)  [2.41]
  # what for
  needs count(near area where adjacent(near, from) and occupies(side, near)) >= 2 and not holds(side, from),
      else "not so"  # and why
  says "x {side}"
fact at(unit): hex or off
  # c
  becomes off at once if round == 1  # d
table level at the end, by vp
  2 or less  Soviet wins substantial  # e
  3 or more  Germans win
except worth(C) means 3  [3.3]  # f
reading tie "q"
  draw "meaning", default "reason"  # g
  other 'it"s'
~~~
```ruling
Title one  # x
  given units(A, b) is 2  # y

  refused move from 'S  W' to W
```
"""


def test_one_style() -> None:
    assert formatted(UGLY, "x") == STYLED
    assert formatted(UGLY.replace("\n", "\r\n"), "x") == STYLED.replace("\n", "\r\n")
    before, after = (book_document(text, "x") for text in (UGLY, STYLED))
    said = [[p for p in found["parts"] if "rules" in p] for found in (before, after)]
    events = [[s for s in p[0]["rules"] if s["is"] != "event"] for p in said]
    assert events[0] == events[1]


@pytest.mark.parametrize("text", [UGLY, UGLY[:-6], "", "no blocks\n", "```vclogic\nrounds 6", "a\f\u2028\n" + UGLY])
def test_what_is_in_the_style_stays(text: str) -> None:
    assert formatted(formatted(text, "x"), "x") == formatted(text, "x")


def test_the_command(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    ugly, same, wrong = (tmp_path / name for name in ("ugly.md", "same.md", "wrong.md"))
    ugly.write_text(UGLY)
    same.write_text(STYLED)
    wrong.write_text("# W\n\n```vclogic\nrounds six\n  turn is\nsides\n```\n")
    checked = run("format", "ugly.md", "same.md", "--check", "--format", "json")
    assert (checked.code, ugly.read_text()) == (1, UGLY)
    assert checked.document == {
        "schema": "vclogic/format/1",
        "changed": ["ugly.md"],
        "unchanged": ["same.md"],
        "written": False,
    }
    found = run("format", "ugly.md", "wrong.md")
    assert (found.code, ugly.read_text()) == (2, UGLY)
    assert "wrong.md:4:8" in found.err
    assert "wrong.md:6:" in found.err
    assert run("format", "ugly.md", "same.md").out == "ugly.md: written\n1 rulebook is in the style\n"
    assert ugly.read_text() == STYLED
    assert run("format", "--check", "ugly.md").code == 0
    assert run("format", "-").code == 2
    assert run("format", "same.md", "-o", "-").out == STYLED


def test_there_and_back_as_a_document(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine").code == 0
    assert run("format", "mine.md", "-o", "mine.json").out == "mine.json: written\n"
    assert run("format", "mine.json", "-o", "again.md").code == 0
    assert Path("again.md").read_text() == Path("mine.md").read_text()
    found = json.loads(Path("mine.json").read_text())
    del found["parts"][1]["rules"][0]["name"]
    Path("mine.json").write_text(json.dumps(found))
    said = run("format", "mine.json", "-o", "again.md").err
    assert "'name' is missing in a kind (statement 2 1)" in said
    assert "mine.json" in said
    Path("mine.json").write_text("{")
    assert "this is no JSON" in run("format", "mine.json", "-o", "again.md").err
    assert run("format", "mine.md", "-o", "mine.md").code == 2
    assert run("format", "mine.md", "again.md", "-o", "x.md").code == 2
