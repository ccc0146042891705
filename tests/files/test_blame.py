"""Faults of somebody's code: who is to blame, and times within times."""

from __future__ import annotations

import ctypes
import sys
import time
from types import FrameType

import pytest

from vclogic.errors import RulesError
from vclogic.files import blame
from vclogic.files.blame import blamed, their_code
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import ge
from vclogic.terms.sorts import EnumSort


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def raised(error: type[BaseException], action: object) -> BaseException:
    with pytest.raises(error) as caught:
        action()  # type: ignore[operator]
    return caught.value


def nested(outer: float, inner: float) -> None:
    with their_code("mine", "checked", outer), their_code("mine", "built", inner):
        spin(10)


def test_constructors_act_for_their_caller() -> None:
    side = var("side", EnumSort("side", ("Red", "Blue")))
    error = raised(TypeError, lambda: ge(side, 1))
    found = blamed(error)
    assert found is not None
    assert found.file == __file__
    assert "has no number" in found.message
    assert blamed(error, ["elsewhere"]) is None


def test_the_engine_is_to_blame_for_itself() -> None:
    from vclogic.encode.evaluator import interpret

    assert blamed(raised(KeyError, lambda: interpret(var("x", TRUE.sort), {}, ()))) is None


def test_the_time_of_the_outer_block_is_not_the_inner_ones() -> None:
    error = raised(RulesError, lambda: nested(0.2, 20))
    assert "cannot be checked in 0.2 s" in str(error)


def test_the_time_of_the_inner_block_is_not_the_outer_ones() -> None:
    error = raised(RulesError, lambda: nested(20, 0.2))
    assert "cannot be built in 0.2 s" in str(error)


def test_nothing_is_raised_once_the_block_is_over() -> None:
    for _ in range(20):
        try:
            with their_code("mine", "built", 0.002):
                spin(0.002)
        except RulesError:
            pass
        spin(0.003)


class SlowAlarm(blame._Alarm):
    """An alarm that still rings while it is switched off."""

    def ring(self) -> None:
        with self._lock:
            time.sleep(0.1)
            self.rang = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(self._thread, ctypes.py_object(blame.TookTooLong))


def test_nothing_is_left_that_hangs_code_under_a_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is taken back leaves a flag by which CPython 3.11 begins a traced function for ever."""
    monkeypatch.setattr(blame, "_Alarm", SlowAlarm)
    with their_code("mine", "built", 0.02):
        spin(0.04)
    begun: list[str] = []

    def tracer(frame: FrameType, event: str, argument: object) -> None:
        begun.append(frame.f_code.co_name)

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        spin(0)
    finally:
        sys.settrace(before)
    assert "spin" in begun


def test_errors_of_the_engine_pass_where_they_may_be_its_own() -> None:
    from vclogic.encode.evaluator import interpret

    with pytest.raises(KeyError), their_code("mine", "checked", 5, only_theirs=False):
        interpret(var("x", TRUE.sort), {}, ())
