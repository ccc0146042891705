"""Expectations between the steps of a record say what rulings say whose records are cut there."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from vclogic.conformance.games import legal_play
from vclogic.files.rulings.case_files import cases_of
from vclogic.files.setup import Memo
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.query.status.answer import TracedStep
from vclogic.query.test.rulings import CaseResult, try_case

GAMES = ("asl/22u3", "napoleonics/erlenbach")


def tried(content: Any, memo: Memo) -> tuple[CaseResult, ...]:
    node = parse(Source("own.json", json.dumps(content)))
    return tuple(try_case(case, tracing=True) for case in cases_of(node, None, memo))


def goals(game: Game, rng: Random) -> list[str]:
    """Goals about values that `status` shows: some hold, some do not."""
    shown = game.status().observables.items()
    known = [(name, value) for name, value in shown if value is not None and "(" not in name.partition(" ")[2]]
    found = []
    for name, value in rng.sample(known, min(2, len(known))):
        goal = name if value is True else f"not {name}" if value is False else f"{name} == {value}"
        found.append(goal if rng.random() < 0.6 else f"not ({goal})")
    return found


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
@examples(40)
def test_a_record_with_expectations_says_what_cut_records_say(name: str, seed: int) -> None:
    rng, start = Random(seed), loaded(name)
    system = start.setup.system
    play = [event for event, _ in legal_play(system, start.state, rng, rng.randint(1, 5))]
    record: list[Any] = []
    cut: list[dict[str, Any]] = []
    now, happened = start, list[Event]()
    for event in (*play, None):
        position = {"record": [e.written for e in happened]}
        for goal in goals(now, rng):
            record.append({"expect": goal})
            cut.append({"name": f"{len(cut)}", "position": position, "expect": [goal]})
        other = rng.choice(play)
        if rng.random() < 0.5:
            record.append({"refused": other.written})
            at_end = {"record": [*position["record"], other.written]}
            cut.append({"name": f"{len(cut)}", "position": at_end, "expect_error": {"step": len(happened) + 1}})
        if event is not None:
            record.append(event.written)
            happened.append(event)
            now = now.apply(event.name, **dict(event.args))
    memo = Memo()
    (whole,) = tried({"game": name, "rulings": [{"name": "all", "position": {"record": record}}]}, memo)
    apart = tried({"game": name, "rulings": cut}, memo)
    assert whole.problems == ()
    assert [t.holds for t in whole.tried] == [case.status == "passed" for case in apart]
    assert [t.changed for t in whole.tried] == [case.tried[0].changed for case in apart]
    chained = tried(in_setups(name, record), memo)
    assert [t.holds for case in chained for t in case.tried] == [t.holds for t in whole.tried]


def in_setups(name: str, record: list[Any]) -> dict[str, Any]:
    """The same with a set-up for each event, built on the one before, and a ruling for what is expected between."""
    setups: dict[str, Any] = {"0": {}}
    rulings: list[dict[str, Any]] = []
    for item in record:
        last = str(len(setups) - 1)
        if isinstance(item, dict) and list(item) in (["expect"], ["refused"]):
            rulings.append({"name": f"{len(rulings)}", "setup": last, "position": {"record": [item]}})
        else:
            setups[str(len(setups))] = {"setup": last, "record": [item]}
    return {"game": name, "setups": setups, "rulings": rulings}


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
@examples(40)
def test_what_a_trace_says_is_what_status_says_before_and_after(name: str, seed: int) -> None:
    game = loaded(name)
    moments = [game]
    for event, _ in legal_play(game.setup.system, game.state, Random(seed), 4):
        moments.append(moments[-1].apply(event.name, **dict(event.args)))
    trace = moments[-1].status(trace=True).trace
    assert trace is not None
    assert [step.event for step in trace] == [str(event) for event in moments[-1].history]
    names = [v.name for v in game.setup.system.layout.fluents]
    for step, (before, after) in zip(trace, pairwise(moments), strict=True):
        facts = zip(names, before.state, after.state, strict=True)
        assert [c.what for c in step.facts] == [what for what, a, b in facts if a != b]
        assert as_changed(step) == {
            (what, value, after.status().observables[what])
            for what, value in before.status().observables.items()
            if value != after.status().observables[what]
        }
        standings = zip(before.status().outcomes, after.status().outcomes, strict=True)
        expected = [(f"{a.rule} {a.side}", a.status, b.status) for a, b in standings if a.status != b.status]
        assert [(c.what, c.before, c.after) for c in step.outcomes] == expected


def as_changed(step: TracedStep) -> set[tuple[Any, ...]]:
    return {(c.what, c.before, c.after) for c in step.values}
