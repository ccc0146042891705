"""Tests of single facts in sentences: which values are meant can be told from them."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.scenarios import smallest
from vclogic.files.registry import encoding_names
from vclogic.query.sentences import Sentences
from vclogic.terms.build import is_in
from vclogic.terms.sorts import EnumSort

FEW = 4
"""Of families with more values than that, so many are tried."""


@pytest.mark.parametrize("game", ["asl/1f3", *encoding_names()])
def test_other_values_are_told_in_another_sentence(game: str) -> None:
    system = loaded(game if "/" in game else smallest(game)).setup.system
    sentences = Sentences(system)
    for family in (f for f in system.families if f.fluents):
        itself, fact = next(iter(family.fluents.items()))
        if not isinstance(fact.sort, EnumSort):
            continue
        members = [m for i, m in enumerate(fact.sort.members) if fact.mask >> i & 1 and m not in itself]
        some = [*members[: FEW // 2], *members[-FEW // 2 :]] if len(members) > FEW else members
        told: dict[str, tuple[str, ...]] = {}
        sets = chain.from_iterable(combinations(some, n) for n in range(1, min(FEW, len(members))))
        for values in sets:
            said = sentences.fact(is_in(fact, values))
            assert said is not None
            text = said.pattern.format(*said.names)
            assert told.setdefault(text, values) == values, text
            assert "anything but" not in text


@pytest.mark.parametrize(
    ("game", "fact", "values", "text"),
    [
        ("asl/1f3", "fire[1F3/0]", ("flame", "blaze"), "1F3/0 is in flames or is ablaze"),
        ("asl/22u3", "at[4-4-7]", ("off", "eliminated"), "4-4-7 is off the map or is eliminated"),
        (
            "asl/22u3",
            "concealment[4-4-7]",
            ("open", "concealed"),
            "4-4-7 is neither concealed nor hidden or is concealed",
        ),
        ("napoleonics", "phase", ("movement", "combat"), "it is the movement phase or it is the combat phase"),
    ],
)
def test_several_values_are_told_in_the_words_of_each(
    game: str, fact: str, values: tuple[str, ...], text: str
) -> None:
    system = loaded(game).setup.system
    found = next(v for v in system.layout.fluents if v.name == fact)
    said = Sentences(system).fact(is_in(found, values))
    assert said is not None
    assert said.pattern.format(*said.names) == text


@pytest.mark.parametrize(
    ("game", "fact", "value", "text"),
    [
        # a complex that was bought this turn may be placed by now, and then stands there since later than its start
        ("axis_allies", "declared[Archangel]", False, "has no complex that waits to be placed"),
        ("axis_allies", "complex_at_turn_start[Archangel]", False, "had no complex when the turn began"),
        # a unit in the open stands in Open Ground
        ("asl/22u3", "concealment[4-4-7]", "open", "is neither concealed nor hidden"),
    ],
)
def test_a_fact_says_no_more_than_it_means(game: str, fact: str, value: str | bool, text: str) -> None:
    assert loaded(game).setup.system.in_words.said(fact, value).says == text
