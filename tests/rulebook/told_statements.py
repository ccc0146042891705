"""What follows from the table of statements in files that are not Python: `python -m tests.rulebook.told_statements`.

They are the words that editors colour, the beginnings that the page offers, and the list of all lines and the grammar
on the reference page. A test compares them with the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from vclogic.rulebook.markdown.rulings import WORDS
from vclogic.rulebook.statements import MOMENTS
from vclogic.rulebook.table.entries import BOOK, TEXT
from vclogic.rulebook.table.entry import StatementEntry
from vclogic.rulebook.table.reader import BELOW, BELOW_OBJECTIVE, BELOW_PLAN, CHANGES, VERBS
from vclogic.terms.expressions.syntax import BEFORE, FORMS

ROOT = Path(__file__).parents[2]
_WIDTH = 160


def coloured(text: str) -> str:
    """The grammar for editors with the words of the table."""
    for part, begin, words in (
        ("statement", r"^\\s*", BOOK.beginnings),
        ("below", r"^\\s+", [*BELOW, *BELOW_PLAN, *BELOW_OBJECTIVE]),
        ("change", r"\\b", CHANGES),
        ("verb", r"\\b", [*VERBS, "means"]),
    ):
        text = _with(text, rf'"{part}": \{{[^}}]*?"match": "{re.escape(begin)}\(', words)
    text = _with(text, r'"support.function.vclogic", "match": "\\\\b\(', (*FORMS, BEFORE))
    return _with(text, r'"keyword.control.vclogic", "match": "\^\\\\s\+\((?=given)', WORDS)


def _with(text: str, begin: str, words: Iterable[str]) -> str:
    """A text with the words that stand behind something, up to a parenthesis."""
    (found,) = re.finditer(f"{begin}([^)]*)", text)
    return text[: found.start(1)] + "|".join(words) + text[found.end(1) :]


def offered(_: str) -> str:
    """What the page offers at the begin of a line of a text, and the moments."""
    lines = [*_offered(), *({"text": f"{moment} if ", "says": ""} for moment in MOMENTS)]
    return (
        "// What lines are made of: `python -m tests.rulebook.told_statements` writes it from the table.\n"
        f"export const LINES = [\n{''.join(f'  {_script(line)},' + chr(10) for line in lines)}];\n"
    )


def _offered() -> Iterator[Mapping[str, str]]:
    for entry in TEXT.entries:
        if entry.words:
            yield {"text": f"{' '.join(entry.words)} ", "says": entry.help}
        elif "wins" in entry.told_by:
            yield from ({"text": f"{who} wins ", "says": entry.help} for who in ("side", "nobody"))
        else:
            yield {"text": f"{entry.told_by[0]} ", "says": entry.help}
        if entry.before[0]:
            yield {"text": f"{entry.before[0]} ", "says": ""}


def _script(line: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{key}: {json.dumps(value)}" for key, value in line.items()) + " }"


def told(text: str) -> str:
    """The reference page with the list of all lines, and their grammar."""
    for part, lines in (("lines", _lines()), ("grammar", _grammar())):
        begin, end = f"<!-- {part} of the table of statements -->\n", f"<!-- end of the {part} -->\n"
        before, _, rest = text.partition(begin)
        _, there, after = rest.partition(end)
        assert there, part
        text = f"{before}{begin}{''.join(f'{line}' + chr(10) for line in lines)}{end}{after}"
    return text


def _lines() -> Iterator[str]:
    yield "| line | what it is for |"
    yield "| --- | --- |"
    for entry in BOOK.entries:
        once = " Once in a rulebook." if entry.once else ""
        yield f"| `{entry.example.partition(chr(10))[0].replace('|', chr(92) + '|')}` | {entry.help}{once} |"


def _grammar() -> Iterator[str]:
    yield "```text"
    wide = max(len(_called(entry)) for entry in BOOK.entries)
    for entry in BOOK.entries:
        head = f"{_called(entry):{wide}} ="
        line = head
        for word in re.findall(r'(?:[^\s"]|"[^"]*")+', entry.grammar):
            if len(line) + 1 + len(word) > _WIDTH:
                yield line
                line = " " * len(head)
            line += f" {word}"
        yield line
    yield "```"


def _called(entry: StatementEntry) -> str:
    return " ".join(entry.words) or entry.label


FILES: Mapping[str, Callable[[str], str]] = {
    "editors/vclogic.tmLanguage.json": coloured,
    "page/src/lines.mjs": offered,
    "docs/rulebook_reference.md": told,
}


def written() -> Iterator[tuple[Path, str, str]]:
    """Each file with what it holds, and with what it should hold."""
    for name, make in FILES.items():
        path = ROOT / name
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        yield path, there, make(there)


if __name__ == "__main__":
    for path, there, wanted in written():
        if there != wanted:
            path.write_text(wanted, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: written")
