"""NumPy and HiGHS, imported only if there is enough memory for them.

With too little memory these libraries end the process with exit code 1, which would mean "no". All modules that need
them import them from here.
"""

from __future__ import annotations

import os

_NEEDED = 120 << 20  # bytes that NumPy and HiGHS take at most while they are loaded

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here multiplies matrices; each thread takes memory
bytes(_NEEDED)  # asked for, never touched

import highspy  # noqa: E402
import numpy as np  # noqa: E402

__all__ = ["highspy", "np"]
