"""The working of a number: what adds up to it, in every game, and what is said of it."""

from __future__ import annotations

import re
from itertools import islice, product
from random import Random

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.scenarios import smallest
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import interpret
from vclogic.files.registry import encoding_names
from vclogic.query.explain import working
from vclogic.report.text.ask import ask, worked_in_words
from vclogic.report.text.page import render
from vclogic.terms.sorts import IntSort

NOT_SAID = re.compile(
    r"\b1 (units|points|Victory Banners|infantrys|IPCs)\b|\w\[|not so: |\bis not not\b|\w\(\)|\bthe Japan\b(?! side)"
)


@pytest.mark.parametrize("game", encoding_names())
def test_parts_add_up_in_positions_of_play(game: str) -> None:
    """What adds nothing is not listed, and no part is told by the name of a file's key."""
    system = loaded(smallest(game)).setup.system
    start = loaded(smallest(game)).state
    played = list(islice(legal_play(system, start, Random(f"work {game}"), 12), 12))
    worked = 0
    for state in (start, played[-1][1]):
        for o in system.observables:
            for names in islice(product(*(d.sort.members for d in o.parameters)), 4):
                term = o.partial(*names).value
                found = working(system, state, term) if isinstance(term.sort, IntSort) else None
                if found is None:
                    continue
                worked += 1
                assert found.total == interpret(term, system.layout.slot, state), (o.name, names)
                assert found.need is None
                assert all(part.adds and part.text for part in found.parts)
                assert not [p.text for p in found.parts if NOT_SAID.search(p.text)]
    assert worked


@pytest.mark.parametrize(
    ("game", "question", "lines"),
    [
        (
            "axis_allies",
            "ic_price(Hawaii)",
            ["15: the price of an industrial complex", "-1: Hawaiian Islands brings 1 IPC, and Honolulu 1 point"],
        ),
        ("okinawa", "zone_points(Japan)", ["5: Raiders is in hex 11,3 (as the scenario has it)"]),
        ("moscow", "objective_points(German)", ["5: the side holds the objective now (German, Smolensk)"]),
        ("axis_allies", "vcp(Germans) >= 40", ["13 of the 40 that it takes:", "5: Germany belongs to the Germans"]),
    ],
)
def test_an_answer_shows_its_working(game: str, question: str, lines: list[str]) -> None:
    told = list(worked_in_words(vclogic.load(game).ask(question).because[0]))
    for line, begins in zip(told, lines, strict=False):
        assert line.startswith(begins)
    assert len(told) >= len(lines)


def test_where_nothing_adds_to_a_number_no_fact_is_told_as_adding_to_it() -> None:
    ruled = vclogic.load("asl/points").ask("cvp(German)")
    assert (ruled.value, ruled.because[0].total, ruled.because[0].addends) == (0, 0, ())
    assert "nothing adds to it: 63 facts" in render(ask(ruled))


def test_a_clause_is_told_as_what_is_asked() -> None:
    """Where the answer is no, it does not read as if it were yes."""
    ruled = vclogic.load("asl/22u3").ask("controls_building(Russian, 22U3)")
    assert ruled.value is False
    said = [s for c in ruled.clauses for s in c.says]
    assert "the side controls the building" not in said


@pytest.mark.parametrize("game", encoding_names())
def test_no_reason_is_told_as_a_program_would(game: str) -> None:
    now = vclogic.load(smallest(game))
    for event, _ in islice(legal_play(now.setup.system, now.state, Random(f"said {game}"), 4), 4):
        now = now.apply(event.name, **dict(event.args))
    first = [o for o in now.setup.system.observables if len(o.parameters) < 3][:3]
    for o in first:
        call = f"{o.name}({', '.join(d.sort.members[0] for d in o.parameters)})" if o.parameters else o.name
        for reason in now.ask(call).because:
            said = [reason.text if reason.step else "", *worked_in_words(reason), *(f.says for f in reason.facts)]
            assert not [s for s in said if NOT_SAID.search(s)], said
