"""Numbers of units and prices in words."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import COMPLEX, Board

from vclogic.terms.term import Term
from vclogic.words import amount


def of_units(board: Board, n: int, unit: str) -> str:
    """A number of units, with the plural of those that can be counted: `2 fighters`, but `2 infantry`."""
    kind = board.units[unit]
    if n == 1 or (kind.kind == "land" and not kind.antiaircraft):
        return f"{n} {unit}"
    return f"{n} {unit}es" if unit == COMPLEX else f"{n} {unit}s"


def in_words(number: Term) -> int:
    """An argument's number, for a sentence; 0 where a question leaves it open: such a sentence is never shown."""
    return int(number.value) if number.is_const else 0


def for_price(price: int) -> str:
    """The end of a purchase with its price: ` for 9 IPCs`, or ` and receive 35 IPCs` where it is below zero."""
    return f" and receive {amount(-price, 'IPC')}" if price < 0 else f" for {amount(price, 'IPC')}"


def already_placed(n: int) -> str:
    """`2 are placed already`."""
    return f"{n} {'is' if n == 1 else 'are'} placed already"
