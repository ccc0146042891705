"""Each file that a player gets wrong gets exactly the message that stands beside it, in words that players know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bad_files.faults import ANY, GROUPS, PAGE, Fault, faults, page
from tests.cli.conftest import Ran, Run, run  # noqa: F401
from vclogic.files.registry import load_encoding

ALL = [pytest.param(f, id=f"{group}: {f.what}") for group in GROUPS for f in faults(group)]
PROGRAMMERS = (
    *("argument", "array", "attribute", "boolean", "bool", "class", "callable", "constant", "dict"),
    *(
        "directory",
        "document",
        "encoding",
        "enum",
        "escape",
        "evaluate",
        "exception",
        "expression",
        "fluent",
        "float",
    ),
    *("function", "identifier", "index", "indices", "int", "integer", "invariant", "iterable", "key", "literal"),
    *("mapping", "member", "module", "node", "none type", "null", "object", "observable", "operand", "operator"),
    *("param", "parameter", "parse", "parser", "predicate", "schema", "scalar", "semantic", "sequence", "serialize"),
    *("str", "string", "syntax", "term", "token", "traceback", "tuple", "type", "unexpected", "utf", "variable"),
)
"""Words that somebody who knows the game and no programming does not know, or not in this meaning."""


@pytest.mark.parametrize("fault", ALL)
def test_a_file_that_is_wrong_gets_its_message(
    fault: Fault,
    run: Run,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(fault.name).write_text(fault.file)
    assert run(*fault.words) == Ran(2, "", fault.says)


@pytest.mark.parametrize("fault", ALL)
def test_its_words_are_those_of_players(fault: Fault) -> None:
    said = messages(fault.says)
    own = f"{fault.file} {fault.ask}".lower()  # what stands in the file itself is quoted
    words = set(re.findall(r"[a-z_]+", said.lower()))
    assert not [w for w in PROGRAMMERS if {w, f"{w}s"} & words and w not in own]


def messages(says: str) -> str:
    """The messages and helps of a report, without codes, places and lines of the file."""
    lines = (line for line in says.splitlines() if not re.match(r"  --> |\s*\d* \| ", line))
    return re.sub(r"error\[[\w-]+\]", "", "\n".join(lines))


def test_there_are_enough_of_them() -> None:
    assert sum(len(faults(group)) for group in GROUPS) >= 60
    assert all(len(faults(group)) >= 12 for group in GROUPS if group != ANY)
    every = [fault.what for group in GROUPS for fault in faults(group)]
    assert len(set(every)) == len(every)


def test_the_page_shows_them() -> None:
    """`python -m tests.bad_files` writes it."""
    assert PAGE.read_text() == page(lambda game: load_encoding(game).title)
