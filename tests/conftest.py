"""What holds for all tests."""

from __future__ import annotations

import gc

# Games are built of very many small objects that live long: looking for cycles among them as often as Python does
# takes a quarter of the time in which rule sets are built.
gc.set_threshold(50_000, 20, 100)
