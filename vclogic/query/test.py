"""Try the rulings of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from vclogic.encode.evaluator import interpret
from vclogic.errors import Diagnostic, InputError
from vclogic.files.blame import failure
from vclogic.files.cases import Case, load_cases
from vclogic.files.findings import Findings
from vclogic.files.registry import packages
from vclogic.model.system import System
from vclogic.query.answers import CaseResult, Tested
from vclogic.query.goal_values import failing_atoms
from vclogic.query.replay import play_record
from vclogic.terms.resolve import Goal, compile_goal


def test_game(encoding: str) -> Tested:
    """Try every ruling of an encoding.

    Args:
        encoding: Its name.

    Raises:
        InputError: There is no such encoding, or a file of rulings has a wrong form.
    """
    return Tested(encoding, tuple(try_case(case) for case in load_cases(encoding)))


def try_case(case: Case) -> CaseResult:
    """Try one ruling; it fails, with the reason, if its position cannot be read or the rules fail on it."""
    expected = case.expect or (_wanted(case),)
    problems: tuple[Diagnostic, ...] = ()
    got: tuple[str, ...] = ("it could not be looked at",) * len(expected)
    try:
        got = (_refusal(case, expected[0]),) if case.refusal else _goals(case)
    except InputError as error:
        problems = error.diagnostics
    except Exception as error:
        fault = failure(error, packages())
        if fault is None:
            raise
        problems = (fault.diagnostic,)
    status: Literal["passed", "failed"] = "passed" if expected == got else "failed"
    return CaseResult(case.name, case.cites, status, expected, got, case.file, case.places, problems)


def _goals(case: Case) -> tuple[str, ...]:
    setup = case.setup()
    system = setup.system
    goals = _compiled(case, system)
    state = play_record(system, setup.initial, setup.record)
    slot = system.layout.slot
    return tuple(g.text if interpret(g.term, slot, state) else failing_atoms(system, state, g.text) for g in goals)


def _compiled(case: Case, system: System) -> list[Goal]:
    """Compile the goals of a ruling; faults are located in its file."""
    goals, findings = [], Findings()
    for text, place in zip(case.expect, case.places, strict=True):
        try:
            goals.append(compile_goal(text, system.vocabulary))
        except InputError as error:
            for d in error.diagnostics:
                findings.add(replace(d, file=case.file, line=place[0], column=place[1]))
    findings.stop()
    return goals


def _wanted(case: Case) -> str:
    assert case.refusal is not None
    by = f" by {', '.join(case.refusal.cites)}" if case.refusal.cites else ""
    said = f", with the words {case.refusal.message!r}" if case.refusal.message else ""
    return f"step {case.refusal.step} is refused{by}{said}"


def _refusal(case: Case, wanted: str) -> str:
    """The expected refusal, or what happened instead."""
    setup = case.setup()
    refusal = case.refusal
    assert refusal is not None
    state = play_record(setup.system, setup.initial, setup.record[: refusal.step - 1])
    try:
        play_record(setup.system, state, setup.record[refusal.step - 1 : refusal.step], first=refusal.step)
    except InputError as error:
        said = " ".join(d.message for d in error.diagnostics)
        words = [*refusal.cites, *([refusal.message] if refusal.message else [])]
        return wanted if all(w in said for w in words) else f"it is refused otherwise: {said}"
    return f"step {refusal.step} is allowed"
