"""Events of a kind by their arguments: all of them, and some that are spread evenly over all."""

from __future__ import annotations

from itertools import islice
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.model.actions import Parameter, Schema
from vclogic.model.grounded import choices, some_choices


def schema(*sizes: int) -> Schema:
    parameters = tuple(Parameter(f"n{i}", range(n), term=False) for i, n in enumerate(sizes))
    return Schema("move", parameters, lambda **args: None, "")  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 6), max_size=4), st.integers(1, 40))
@examples(400)
def test_some_events_are_each_so_manyth_of_all(sizes: list[int], most: int) -> None:
    kind = schema(*sizes)
    step = max(1, prod(sizes) // most)
    assert list(some_choices(kind, most=most)) == list(islice(choices(kind), 0, None, step))


def test_some_of_billions_of_events_are_found_without_the_others() -> None:
    kind = schema(*[1000] * 8)
    assert 60 <= len([*some_choices(kind, {"n3": (7, 8)}, most=60)]) <= 61
