"""The check in whole numbers, on programs so small that one sees what is right."""

from __future__ import annotations

import math

import pytest

from vclogic.encode.linear.affine import Affine, Program, Row
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.messages import SCALE

TWO = Program(((0, 5), (0, 5)), [Row(((0, 1), (1, 1)), 2, None)], Affine({0: 1, 1: 1}))
"""At least 2 in all, each at a cost of 1."""
MOST = Program(((0, 5),), [Row(((0, 1),), None, 3)], Affine({0: -1}))
"""As much as can be of what is at most 3."""


def closed(*parts: tuple[int, int], ray: bool = False) -> Certificate:
    """The proof by one node."""
    found = Certificate()
    found.take({"closed": 0, "parts": parts, "ray": ray})
    return found


@pytest.mark.parametrize(("least", "proved"), [(2, True), (3, False)])
def test_what_costs_as_much_as_the_bound_is_not_excluded(least: int, proved: bool) -> None:
    assert closed((0, SCALE)).proves(TWO, least) == proved


@pytest.mark.parametrize(("multiplier", "proved"), [(-SCALE, True), (-SCALE // 2, False)])
def test_a_column_that_is_left_with_a_gain_counts_at_its_most(multiplier: int, proved: bool) -> None:
    assert closed((0, multiplier)).proves(MOST, -3) == proved


def test_a_node_that_is_not_told_of_is_open() -> None:
    found = Certificate()
    found.take({"split": 0, "column": 0, "value": 0, "below": 1, "above": 2})
    found.take({"closed": 1, "parts": ((0, SCALE),)})
    assert not found.proves(TWO, 2)
    found.take({"closed": 2, "parts": ((0, SCALE),)})
    assert found.proves(TWO, 2)


def test_a_ray_shows_that_there_is_no_solution() -> None:
    none = Program(((0, 1), (0, 1)), [Row(((0, 1), (1, 1)), 3, None)], Affine({}))
    assert closed((0, SCALE), ray=True).proves(none, math.inf)
    assert not closed((0, SCALE), ray=True).proves(TWO, math.inf)
