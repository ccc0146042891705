"""The rulings of a game, tried out."""

from __future__ import annotations

from vclogic.encode.python import interpret
from vclogic.errors import InputError
from vclogic.files.cases import Case, load_cases
from vclogic.query.answers import CaseResult, Tested
from vclogic.query.replay import play_record
from vclogic.terms.resolve import compile_goal


def test_game(encoding: str) -> Tested:
    """Every ruling of an encoding.

    Args:
        encoding: Its name.

    Raises:
        InputError: There is no such encoding, or a file of rulings has a wrong form.
    """
    return Tested(encoding, tuple(try_case(case) for case in load_cases(encoding)))


def try_case(case: Case) -> CaseResult:
    """One ruling; a position or goal that cannot be read makes it fail, with the report."""
    try:
        expected, got = _refusal(case) if case.refusal else _goals(case)
    except InputError as error:
        expected, got = case.expect, tuple(d.message for d in error.diagnostics)
    return CaseResult(case.name, case.cites, "passed" if expected == got else "failed", expected, got)


def _goals(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    setup = case.setup()
    system = setup.system
    state = play_record(system, setup.initial, setup.record)
    got = []
    for text in case.expect:
        goal = compile_goal(text, system.vocabulary, case.file)
        holds = interpret(goal.term, system.layout.slot, state)
        got.append(text if holds else f"not so: {text}")
    return case.expect, tuple(got)


def _refusal(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    setup = case.setup()
    refusal = case.refusal
    assert refusal is not None
    expected = f"step {refusal.step} is refused" + (f" by {', '.join(refusal.cites)}" if refusal.cites else "")
    state = play_record(setup.system, setup.initial, setup.record[: refusal.step - 1])
    try:
        play_record(setup.system, state, setup.record[refusal.step - 1 : refusal.step], first=refusal.step)
    except InputError as error:
        said = " ".join(d.message for d in error.diagnostics)
        wanted = [*(f"{c}" for c in refusal.cites), *([refusal.message] if refusal.message else [])]
        missing = [w for w in wanted if w not in said]
        return (expected,), (expected if not missing else f"refused without {', '.join(missing)}: {said}",)
    return (expected,), (f"step {refusal.step} was accepted",)
