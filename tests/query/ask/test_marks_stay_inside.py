"""What is built while somebody looks at how it is built stays out of the rule sets that are built afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fixtures.rule_sets import built_anew
from vclogic import load
from vclogic.files.registry import encoding_names
from vclogic.files.setup import built
from vclogic.query.ask.marks import Marked
from vclogic.terms.term import variables


@pytest.mark.parametrize("name", encoding_names())
def test_a_rule_set_on_the_board_of_one_that_was_looked_at_is_as_any_other(name: str) -> None:
    with built_anew():
        setup = load("moscow/small" if name == "moscow" else name).setup
        others = {
            r.name: next(v for v in r.values if v != setup.settings.readings[r.name]) for r in setup.encoding.readings
        }
        built(setup.encoding, setup.board_read, replace(setup.settings, readings=others))  # it is the latest now
        Marked(setup)
        system, _ = built(setup.encoding, setup.board_read, setup.settings)
    known = set(system.layout.fluents)
    assert known.issuperset(variables(*(rule.kept for rule in system.laws)))
