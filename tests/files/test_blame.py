"""Faults of an encoding's code: who is to blame, and calls that do not return."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from vclogic import watchdog
from vclogic.errors import RulesError
from vclogic.files.blame import blamed, their_code
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import ge
from vclogic.terms.sorts import EnumSort
from vclogic.watchdog import Endless, endless_calls_ended


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def raised(error: type[BaseException], action: object) -> BaseException:
    with pytest.raises(error) as caught:
        action()  # type: ignore[operator]
    return caught.value


def test_constructors_act_for_their_caller() -> None:
    side = var("side", EnumSort("side", ("Red", "Blue")))
    error = raised(TypeError, lambda: ge(side, 1))
    found = blamed(error)
    assert found is not None
    assert found.file == __file__
    assert "has no number" in found.message
    assert blamed(error, ["elsewhere"]) is None


def test_the_engine_is_to_blame_for_itself() -> None:
    from vclogic.encode.python.evaluator import interpret

    assert blamed(raised(KeyError, lambda: interpret(var("x", TRUE.sort), {}, ()))) is None


def engine(*calls: Callable[[], None]) -> None:
    """Makes calls, as a function of vclogic."""
    there = {"__name__": "vclogic.query.made_up"}
    exec("def ask(calls):\n    for call in calls:\n        call()", there)
    there["ask"](calls)  # type: ignore[operator]


def lingering(patience: float) -> None:
    """Works for some time itself, as a function of vclogic."""
    there = {"__name__": "vclogic.query.made_up", "time": time, "end": time.monotonic() + 5 * patience}
    exec("while time.monotonic() < end:\n    pass", there)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.1)
    return watchdog.PATIENCE


def test_a_call_that_does_not_return_is_ended_at_its_line(patience: float) -> None:
    with endless_calls_ended():
        error = raised(RulesError, lambda: built(lambda: engine(lambda: spin(60))))
    assert isinstance(error, RulesError)
    found = error.diagnostic
    assert found.message == "the encoding 'mine' is broken: it cannot be built: still running after 0.1 s (in spin)"
    assert (found.file, found.help) == (__file__, "an endless loop? this line was running when the time was up")


def built(call: Callable[[], None]) -> None:
    with their_code("mine", "built"):
        call()


def test_code_that_catches_everything_is_ended_too(patience: float) -> None:
    def stubborn() -> None:
        try:
            spin(60)
        except BaseException:
            spin(60)

    with endless_calls_ended():
        assert isinstance(raised(Endless, lambda: engine(stubborn)), Endless)


def test_calls_that_return_may_be_many(patience: float) -> None:
    with endless_calls_ended():
        engine(*[lambda: spin(patience / 4) for _ in range(12)])


def test_the_engine_itself_is_never_interrupted(patience: float) -> None:
    with endless_calls_ended():
        lingering(patience)


def test_a_program_that_uses_the_library_is_left_alone(patience: float) -> None:
    before = signal.getsignal(signal.SIGALRM)
    built(lambda: engine(lambda: spin(3 * patience)))
    assert signal.getsignal(signal.SIGALRM) is before
    with endless_calls_ended():
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_thread_that_runs_a_command_sets_no_timer(patience: float) -> None:
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(watched_timer).result() == (0, 0)


def watched_timer() -> tuple[float, float]:
    with endless_calls_ended():
        return signal.getitimer(signal.ITIMER_REAL)


def test_errors_of_the_engine_pass_where_they_may_be_its_own() -> None:
    from vclogic.encode.python.evaluator import interpret

    with pytest.raises(KeyError), their_code("mine", "checked", only_theirs=False):
        interpret(var("x", TRUE.sort), {}, ())
