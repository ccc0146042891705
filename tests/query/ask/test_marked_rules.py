"""The rule set with marks, by which `ask` finds what decides: no mark is left in what other rule sets use."""

from __future__ import annotations

from tests.fixtures.rule_sets import built_anew
from vclogic.files.setup import Memo, Setup, SetupSources, assemble
from vclogic.query.ask.marks import Marked
from vclogic.terms.term import variables


def test_no_mark_is_left_on_the_board_that_other_rule_sets_are_built_over() -> None:
    with built_anew():
        memo = Memo()

        def asl(*readings: tuple[str, str]) -> Setup:
            return assemble(SetupSources("asl", "13cc5", overrides=readings), memo)

        default = asl()
        asl(("edition", "earlier"))  # a board keeps the laws of the rule set that was built last
        Marked(default)
        later = asl(("regain", "anew"))
        assert later.board_read is default.board_read
        names = {v.name for law in later.system.laws for v in variables(law.kept)}
        assert not names - {v.name for v in later.system.layout.fluents}
