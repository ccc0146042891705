"""Commands, methods, requests, answers and codes are those that users know."""

from __future__ import annotations

import pytest

from tests.interface import FOLDER, TEXTS, text


@pytest.mark.parametrize("file", TEXTS)
def test_it_is_as_users_know_it(file: str) -> None:
    assert text(file) == (FOLDER / file).read_text(encoding="utf-8"), "on purpose? python -m tests.interface"
