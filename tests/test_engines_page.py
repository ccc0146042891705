"""docs/engines.md: what each line of its table of expressions says holds in all that works out a term."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import vclogic
from tests.fixtures.smt_checker import Checker, in_state
from vclogic.encode.python.batch import batch_function
from vclogic.encode.python.codegen import build_function
from vclogic.encode.python.evaluator import interpret
from vclogic.game import Game
from vclogic.terms.build import not_
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.partial import Partial
from vclogic.terms.term import variables

PAGE = Path(__file__).parents[1] / "docs" / "engines.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]+)` \| (\S+) \|", TEXT, re.MULTILINE)
ANSWERS = {"true": True, "false": False, "undefined": None}
EXAMPLE = PAGE.parents[1] / "examples" / "rulebooks" / "five_towns.md"


@cache
def game() -> Game:
    return vclogic.load(str(PAGE))


def partial(expression: str) -> Partial:
    """The term of an expression, and when it is defined."""
    return compile_value(expression, game().setup.system.vocabulary, "expression").partial


@pytest.mark.parametrize(("expression", "answer"), ROWS)
def test_the_table_says_what_is_answered(expression: str, answer: str) -> None:
    wanted = ANSWERS[answer] if answer in ANSWERS else int(answer)
    assert game().value(expression) == wanted


@pytest.mark.parametrize(("expression", "answer"), ROWS)
def test_all_that_works_out_terms_says_the_same(expression: str, answer: str) -> None:
    """The interpreter, generated Python, NumPy and z3 agree on nothing, on missing and on undefined."""
    found, layout = partial(expression), game().setup.system.layout
    state = tuple(game().state)
    defined = answer != "undefined"
    wanted = int(answer) if answer.isdigit() else ANSWERS[answer]
    roots = [found.defined, found.value]

    def same(values: list[int]) -> bool:
        return bool(values[0]) == defined and (not defined or values[1] == wanted)

    assert same([interpret(t, layout.slot, state) for t in roots])
    assert same(list(build_function(roots, layout.slot)(state)))
    assert same([int(column[0]) for column in batch_function(roots, layout.slot)(np.array([state], np.int64))])
    here = {f: state[layout.slot[f]] for f in variables(*roots)}
    for portable in (False, True):
        checker = Checker("plain", portable)
        checker.add(in_state(here))
        for term in (t for t in roots if t.is_bool and (t is found.defined or defined)):
            holds = bool(interpret(term, layout.slot, state))
            assert checker.check(term) == holds
            assert checker.check(not_(term)) != holds


def test_every_option_that_the_page_names_is_there() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and "| LGeneral 1.4.4 |" not in line]
    named = {m for line in rows if line.count("|") == 10 for m in re.findall(r"\| `(\w+)` \|$", line)}
    options = {o.name for o in vclogic.load(str(EXAMPLE)).setup.encoding.options}
    assert named == options
