"""Making many objects that last."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting() -> Iterator[None]:
    """While many objects are made that last, such as the terms of a large board, Python's search for cycles waits.

    It would walk all of them again and again, which is a third of the time that a large board takes.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
