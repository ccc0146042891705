"""Slips in the Markdown of a rulebook: each is told at its line, where the game silently differed without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.errors import InputError

BOOK = """\
# A small game

## 1 The board

**1.1** The areas lie in a row. **1.2** Each has a height.

| area | height | borders |
| --- | --- | --- |
| A | 1 | B |
| B | 2 | A, C |
| C | 3 | B |

```vclogic
areas area, from the table
sides Red, Blue
turn is one event
```

## 2 Play

**2.1** Red and Blue take turns and mark an area.

```vclogic
fact mark(area): side or nobody
event put by side area
  needs mark(area) == nobody
  then mark(area) becomes side
```

**2.2** Whoever has the areas A and B wins at once.

```vclogic
side wins pair at once if mark(A) == side and mark(B) == side
```

```ruling
Two areas win
  given mark(A) is Red, mark(B) is Red
  expect Red wins pair
```

**2.3** There is no pass.

```vclogic
left out "nothing is to be said of it"
```
"""


def told(folder: Path, text: str) -> list[tuple[int | None, int | None, str, str | None]]:
    file = folder / "game.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        vclogic.load(str(file))
    return [(d.line, d.column, d.message, d.help) for d in caught.value.diagnostics]


# What stands in the book, what stands there instead; of what is told the line, the column, a part of its words.
SLIPS = [
    # tables
    ("| A | 1 | B |", "| A | 1 |", 9, 1, "are 2 cells in this row, and 3 in the head"),
    ("| A | 1 | B |", "| A | 1  B |", 9, 1, "are 2 cells in this row, and 3 in the head"),
    ("| A | 1 | B |", "| A | 1 | B | C |", 9, 1, "4 cells in this row, and 3 in the head"),
    ("| A | 1 | B |", "| | 1 | B |", 9, 1, "the first cell of this row is empty"),
    ("| C | 3 | B |\n\n", "| C | 3 | B |\n", None, None, ""),
    ("| B | 2 | A, C |", "\n| B | 2 | A, C |", 11, 1, "this row stands outside of a table"),
    ("| --- | --- | --- |\n", "| --- | --- |\n", 7, 1, "this row stands outside of a table"),
    ("| --- | --- | --- |\n", "", 7, 1, "this row stands outside of a table"),
    ("| C | 3 | B |", "    | C | 3 | B |", 11, 5, "four spaces before this"),
    # names of blocks
    ("```vclogic\nfact", "```vcloigc\nfact", 23, 4, "did you mean 'vclogic'?"),
    ("```vclogic\nfact", "```Vclogic\nfact", 23, 4, "did you mean 'vclogic'?"),
    ("```vclogic\nfact", "```vclogic.\nfact", 23, 4, "did you mean 'vclogic'?"),
    ("```vclogic\nfact", "```vclogic of marks\nfact", 23, 4, "did you mean 'vclogic'?"),
    ("```vclogic\nfact", "```\nfact", 23, 1, "this block says rules, and is not called vclogic"),
    ("```vclogic\nfact", "```rules\nfact", 23, 4, "this block says rules, and is not called vclogic"),
    ("```ruling\n", "```rulings\n", 36, 4, "did you mean 'ruling'?"),
    ("```ruling\n", "```rul1ng\n", 36, 4, "did you mean 'ruling'?"),
    # fences
    ("```ruling\n", "``ruling\n", 36, 1, "three backticks"),
    ("```ruling\n", "` ``ruling\n", 36, 1, "three backticks"),
    ("```ruling\n", "'''ruling\n", 36, 1, "three backticks"),
    ("```ruling\n", "    ```ruling\n", 36, 5, "four spaces before this"),
    ("  expect Red wins pair\n```\n", "  expect Red wins pair\n", 36, 1, "a block begins in line 43 within this one"),
    ('said of it"\n```\n', 'said of it"\n', 44, 1, "this block is not closed"),
    ("side\n```\n\n**2.2", "side\n```\n```\n\n**2.2", 29, 1, "a block begins in line 33 within this one"),
    # numbers
    ("**2.2**", "**2.1**", 30, 3, "the number 2.1 stands here and in line 21"),
    ("**1.2**", "**1.1**", 5, 3, "the number 1.1 stands here and in line 5"),
    ("**2.2**", "**2.2*", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "*2.2**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "2.2**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**2.*2*", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**2,2**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**.2**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "** 2.2**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**2.2 **", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**2.2* *", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "**2.2:**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "__2.2__", 30, 1, "is not the number of a sentence"),
    ("**2.2** Whoever", "**2.2 Whoever**", 30, 1, "is not the number of a sentence"),
    ("**2.2**", "2.2", 30, 1, "is not the number of a sentence"),
    ("**1.2**", "**1.2*", 5, 33, "is not the number of a sentence"),
    ("**2.2**", "    **2.2**", 30, 5, "four spaces before this"),
    ("**2.2**", "## **2.2**", 30, 4, "the number 2.2 stands in a heading"),
    ("wins at once.\n\n", "wins at once.\n-\n\n", 30, 1, "the number 2.2 stands in a heading"),
    ("| C | 3 | B |\n\n```vclogic", "| C | 3 | B |\n**1.3** They are few.\n\n```vclogic", 12, 1, "stands in a table"),
]


@pytest.mark.parametrize(("old", "new", "line", "column", "part"), SLIPS, ids=[repr(s[1][:24]) for s in SLIPS])
def test_a_slip_is_told(tmp_path: Path, old: str, new: str, line: int | None, column: int | None, part: str) -> None:
    assert BOOK.count(old) == 1, old
    text = BOOK.replace(old, new)
    if line is None:  # no slip
        (tmp_path / "game.md").write_text(text)
        vclogic.load(str(tmp_path / "game.md"))
        return
    found = told(tmp_path, text)
    assert any(at == [line, column] and part in f"{message} {help}" for *at, message, help in found), found


def test_all_are_told_at_once(tmp_path: Path) -> None:
    text = BOOK.replace("**2.2**", "**2.2*").replace("```ruling", "```rulings").replace("needs mark", "neds mark")
    assert [line for line, *_ in told(tmp_path, text)] == [26, 30, 36]


# What may stand in a rulebook as it is.
SOUND = [
    "Five of six are **5** of 6, 2*3 is 6, and *1* means one*.",
    "```text\n2 areas | 3 areas\n```",
    "```\n A - B\n |   |\n C - D\n```",
    "````markdown\n```vclogic\nsides A, B\n```\n````",
    "    A - B - C",
    "<!-- **9.9** a sentence that is to come -->",
    "A table for players may be short:\n\n| a | b |\n| --- | --- |\n| 1 |",
    "It is 2.5 miles wide, or |x| for short. The 5* is a roll.",
    '- **2.4** One of a list.\n- **2.5** Another one.\n\n```vclogic\nleft out "said above"\n```',
]


@pytest.mark.parametrize("more", SOUND)
def test_what_players_read_is_left_alone(tmp_path: Path, more: str) -> None:
    file = tmp_path / "game.md"
    file.write_text(f"{BOOK}\n{more}\n", encoding="utf-8")
    assert vclogic.load(str(file)).value("height(B)") == 2


def test_a_start_in_a_table_that_is_no_value(tmp_path: Path) -> None:
    """It stood in the first place of all without a word."""
    units = "| unit | start |\n| --- | --- |\n| first | A. |\n| second | off |\n| third | |\n\n"
    text = (
        f"{BOOK}\n{units}```vclogic\nkind unit, from the table\nfact at(unit): area or off, starts start(unit)\n```\n"
    )
    (said,) = told(tmp_path, text)
    assert said[0] == 56
    assert said[2:] == ("at(first) can never be 'A.'", "did you mean 'A'?")
    sound = tmp_path / "sound.md"
    sound.write_text(text.replace("A.", "A"))
    game = vclogic.load(str(sound))
    assert [game.value(f"at({unit})") for unit in ("first", "second", "third")] == [
        "A",
        "off",
        "A",
    ]  # in an empty cell the first value


def test_an_underscore_inside_of_a_name_is_no_emphasis(tmp_path: Path) -> None:
    cells = "| Mill_on_the_hill | *first* |\n| a_b_c | `last_to_occupy` |\n| **Ford** | a _second_ one |"
    rules = "sides Red, Blue\nkind place, from the table\nevent wait by side\n  needs true"
    table = f"| place | kept |\n| --- | --- |\n{cells}"
    text = f"# Game\n\n**1.1** It_is_so, and *so* is `a_b`.\n\n{table}\n\n```vclogic\n{rules}\n```\n"
    (tmp_path / "game.md").write_text(text)
    game = vclogic.load(str(tmp_path / "game.md"))
    place = game.setup.system.vocabulary.kinds["place"]
    assert place.members == ("Mill_on_the_hill", "a_b_c", "Ford")
    assert [*place.properties["kept"].values()] == ["first", "last_to_occupy", "a second one"]
    assert [p.text for p in game.setup.system.passages] == ["It_is_so, and so is a_b."]


def test_a_table_that_markdown_cuts_off_is_told_as_such(tmp_path: Path) -> None:
    head = " | ".join(["place", *(f"c{n}" for n in range(200))])
    rows = "\n".join(f"| p{n} | 1 |" for n in range(400))
    wrong = told(tmp_path, f"# Game\n\n| {head} |\n{'| --- ' * 201}|\n{rows}\n")
    (cut,) = (d for d in wrong if d[2] == "this row stands outside of a table")
    assert "65,536" in (cut[3] or "")
