"""Rulebooks that nobody means well: they end in clear errors at a line of their file, with little time and memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.errors import InputError

HEAD = "sides Reds, Blues\nturn is one event\n"
BIG = HEAD + "hexes hex, 30 by 30\nfact n(hex): 0 to 5\n"


def told(folder: Path, content: str | bytes) -> list[tuple[int | None, int | None, str]]:
    """What is wrong with a rulebook, each with its line and column."""
    file = folder / "rules.md"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        vclogic.load(str(file))
    assert all(d.file == str(file) for d in caught.value.diagnostics)
    return [(d.line, d.column, d.message) for d in caught.value.diagnostics]


def block(lines: str) -> str:
    """A block of rules, which begins in line 2."""
    return f"```vclogic\n{lines}\n```\n"


@pytest.mark.parametrize(
    ("lines", "line", "column", "message"),
    [
        ("", 2, 1, "there is nothing here"),
        ("turn is one event", 2, 1, "the rulebook names no sides"),
        (f"{HEAD}a means {'(' * 300}1{')' * 300}", 4, 109, "nested deeper than 100"),
        ("sides Re\x07ds, Blues", 2, 9, "a sign that nobody sees"),
        ("sides A, A", 2, 10, "a side cannot be called 'A'"),
        ("sides A: X, Y; B: X, Z", 2, 7, "'X' stands there twice"),
        ("sides A\nnobody loses x at once if true", 3, 1, "if nobody loses, it is not said who wins"),
        (HEAD + "turn order Reds, Blues, Reds", 4, 12, "'Reds' stands there twice"),
        ("sides A, B\nturn is x, x", 3, 9, "'x' stands there twice"),
        (HEAD + "kind power: A, B", 4, 6, "'power' means something already"),
        (HEAD + "kind side: A, B", 4, 6, "'side' means something already"),
        (HEAD + "kind unit:", 4, 11, "the name of a member is missing here"),
        (HEAD + "kind unit: A, A", 4, 6, "'A' stands there twice"),
        (HEAD + "kind unit, from the table", 4, 6, "there is no table above"),
        (HEAD + "grid area\n  - -", 4, 6, "there is no area at all"),
        (HEAD + "grid area, 0 by 5", 4, 6, "there is no area at all"),
        (HEAD + "hexes hex, 0 by 5", 4, 7, "there is no hex at all"),
        (HEAD + "hexes hex\n  ..w\n  marks . open", 5, 5, "nothing says what 'w' stands for"),
        (HEAD + "fact n: 0 to 99999999999", 4, 9, "these are no numbers that a fact can have"),
        (HEAD + "rounds 99999999999999", 4, 8, "there are at most 9999"),
        (HEAD + "event e by side many 1 to 99999999999999", 4, 22, "at most 1,000 numbers"),
        (HEAD + "event e by side many 5 to 1", 4, 22, "the larger number stands first"),
        (HEAD + "fact n: 0 to 2\nstart n is 9", 5, 12, "n cannot start as '9'"),
        (HEAD + "event e by side\nevent e by side", 5, 7, "'e' means something already"),
        (HEAD + 'event e by side\n  says "x {nn} {n"', 5, 12, "unknown name 'nn'"),
        (HEAD + 'event e by side\n  says "x {}"', 5, 12, "a name or a number is missing before the end"),
        (HEAD + "include no.md", 4, 9, "there is no file"),
        (HEAD + "include rules.md", 4, 9, "rulebooks include each other"),
        (HEAD + "include ../../../etc/passwd", 4, 9, "'../../../etc/passwd' is not in the folder of the rulebook"),
        (HEAD + "include /etc/passwd", 4, 9, "'/etc/passwd' is not in the folder of the rulebook"),
        (HEAD + "include .", 4, 9, "is a folder, not a file"),
        (BIG + "event e by side a hex b hex c hex d hex\n  needs adjacent(a, b)", 6, 7, "e can happen in more than"),
        (BIG + "event e by chance a hex b hex c hex", 6, 7, "e can happen in more than"),
        (
            BIG + "hexes place, 30 by 30\nfact m(place)\nnever n(hex) > 2 and m(place)",
            8,
            7,
            "this asks for more than",
        ),
        (BIG + "fact m(hex, other hex)", 6, 6, "the fact has more than 100,000 values"),
        (HEAD + "# " + "x" * 300_000, 2, 1, "the text is longer than 200000 characters"),
    ],
)
def test_they_end_in_clear_errors(tmp_path: Path, lines: str, line: int, column: int, message: str) -> None:
    found = told(tmp_path, block(lines))
    assert [(at, where) for at, where, _ in found][:1] == [(line, column)], found
    assert message in found[0][2]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"# T\n\n```vclogic\nsides R\xff, B\n```\n", 4, "this is no text, or not saved as UTF-8"),
        ("", None, "there are no rules in it"),
        ("# A text\n\nSides fight.\n", None, "there are no rules in it"),
        ("".join(block(f"a{i} means {i}") for i in range(1001)), 3002, "a rulebook has at most 1,000 blocks"),
        ("| x " * 500_001, None, "a rulebook has at most 2,000,000 characters"),
        (
            "| u |\n| - |\n"
            + "".join(f"| u{i} |\n" for i in range(5001))
            + "\n"
            + block(HEAD + "kind u, from the table"),
            5008,
            "there are more than 5,000 of them",
        ),
    ],
)
def test_a_file_is_not_endless(tmp_path: Path, content: str | bytes, line: int | None, message: str) -> None:
    ((at, _, said),) = told(tmp_path, content)
    assert at == line
    assert message in said


def test_all_mistakes_of_all_blocks_are_told_at_once(tmp_path: Path) -> None:
    text = block(HEAD + "fact n: 0 to 2\nstart m is 1") + "\n**1.1** Text.\n\n" + block("a means b\nnever c > 1")
    assert [at for at, _, _ in told(tmp_path, text)] == [5, 11, 12]


def test_all_mistakes_of_rulings_are_told_at_once(tmp_path: Path) -> None:
    wrong = ["given n", "given n(Reds is 3", "given (is is 3", "play", "play foo", "play e by", "refused e by Greens"]
    wrong += ["refused e extra", "nonsense", "expect"]
    file = tmp_path / "rules.md"
    rules = block(HEAD + "fact n: 0 to 3\nevent e by side\n  then n rises by 1")
    file.write_text(f"{rules}\n```ruling\nTitle\n" + "".join(f"  {w}\n" for w in wrong) + "```\n", encoding="utf-8")
    from vclogic.files.rulings.in_rulebook import ruling_node
    from vclogic.files.text_games.games import rulebook

    with pytest.raises(InputError) as caught:
        ruling_node(rulebook(str(file)))
    assert [d.line for d in caught.value.diagnostics] == [*range(11, 11 + len(wrong))]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ends_of_lines_tabs_and_odd_names_do_not_matter(tmp_path: Path, end: str) -> None:
    text = "| **1.1** | b |\n| --- | --- |\n| **1.2** | 3 |\n\n"
    text += block(
        "sides\t'Re\"ds',\t\"Bl'ues\"\nturn is\tone event\nkind unit, from the table\ngrid area\n\tA\t'if then'\n"
        "fact n(area):\t0 to 3\nevent go by side\tarea\n"
        '\tneeds n(area) == 0, else "{area} is {n"\n\tthen n(area) rises by 1'
    )
    file = tmp_path / "rules.md"
    file.write_bytes(text.replace("\n", end).encode())
    game = vclogic.load(str(file))
    assert [given["area"] for _, given in game.legal().events()] == ["A", "if then"]
    with pytest.raises(InputError, match=r"A is \{n"):
        game.apply("go", area="A").apply("go", area="A")
