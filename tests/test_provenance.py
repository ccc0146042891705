"""Where things are made: the line of a game's code, and those that called it."""

from __future__ import annotations

import inspect
from dataclasses import replace

from tests.fixtures.work import working
from vclogic.model.rules import Rule
from vclogic.provenance import CodePlace, here
from vclogic.terms.atoms import TRUE


def made(name: str) -> Rule:
    return Rule(name, TRUE, "", ())


def line() -> int:
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_the_innermost_line_comes_first() -> None:
    rule, at = made("a"), line()
    assert rule.made[0] == CodePlace(__file__, inspect.getsourcelines(made)[1] + 1, "test_provenance.made")
    assert rule.made[1] == CodePlace(__file__, at, "test_provenance.test_the_innermost_line_comes_first")


def test_a_changed_copy_keeps_its_place_and_equality_does_not_ask_for_it() -> None:
    rule = made("a")
    assert replace(rule, text="new").made == rule.made
    other = Rule("a", TRUE, "", ())
    assert other == rule
    assert other.made != rule.made
    assert "made" not in repr(rule)


def test_what_the_engine_makes_on_its_own_behalf_has_no_place() -> None:
    assert here(never_through=__name__) == ()


def test_it_is_cheap() -> None:
    with working() as work:
        for _ in range(2000):
            made("a")
    assert work.steps < 2000 * 60
