"""What is made of an object again and again, such as a term of a rule, made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Self = TypeVar("Self")
Given = ParamSpec("Given")
Made = TypeVar("Made")


def once(make: Callable[Concatenate[Self, Given], Made]) -> Callable[Concatenate[Self, Given], Made]:
    """A method, or a function of an object, that is run once for each of its arguments; the object keeps the results.

    `functools.cache` would keep every object of the class alive.

    Args:
        make: The method; its arguments can be hashed, and what it returns depends on them and the object alone.
    """
    place = f"_made_by_{make.__name__}"

    @wraps(make)
    def kept(self: Self, /, *args: Given.args, **named: Given.kwargs) -> Made:
        memo: dict[Any, Made] | None = self.__dict__.get(place)
        if memo is None:
            memo = self.__dict__[place] = {}
        key = (args, tuple(named.items())) if named else args
        if key in memo:
            return memo[key]
        made = memo[key] = make(self, *args, **named)
        return made

    return kept
