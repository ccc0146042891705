"""What each function of `check` looks for, declared above the function, and the order in which they look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from types import ModuleType
from typing import TypeVar

from vclogic.check.findings import Finding
from vclogic.check.oracle import Oracle

Look = TypeVar("Look", bound=Callable[[Oracle], Iterator[Finding]])


class LookCost(IntEnum):
    """The cost of a look, the cheap ones first."""

    START = 0
    """At the start alone."""
    TEXT = 1
    """At sentences, Readings and the board, without a solver."""
    POSITIONS = 2
    """At any well-formed position."""
    EVENTS = 3
    """At single events from any well-formed position."""
    PLAY = 4
    """At play from the start."""
    READINGS = 5
    """At the rules under each other Reading."""


@dataclass(frozen=True)
class CheckFamily:
    """Checks of one kind.

    Attributes:
        over: What they look at.
        codes: The codes of what they find.
        cost: How dear they are.
        look: Finds it.
    """

    over: str
    codes: tuple[str, ...]
    cost: LookCost
    look: Callable[[Oracle], Iterator[Finding]]


_DECLARED: dict[str, list[CheckFamily]] = {}


def looks_for(*codes: str, over: str, cost: LookCost) -> Callable[[Look], Look]:
    """Declares the function below it as one that looks for findings of some codes.

    Args:
        codes: The codes.
        over: What it looks at, in a few words.
        cost: How dear that is.
    """

    def declare(look: Look) -> Look:
        _DECLARED.setdefault(look.__module__, []).append(CheckFamily(over, codes, cost, look))
        return look

    return declare


def declared(*modules: ModuleType) -> tuple[CheckFamily, ...]:
    """What some modules look for: the cheap ones first, then in the order of the modules and of their functions."""
    every = [family for module in modules for family in _DECLARED[module.__name__]]
    return tuple(sorted(every, key=lambda family: family.cost))
