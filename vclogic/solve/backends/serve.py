"""The entry point of worker processes: reserves a channel for answers that nothing else can write to by accident."""

from __future__ import annotations

import os
import sys
from importlib import import_module


def main() -> None:
    """Run the module and engine that the command line names.

    Whatever Python or a solver's library prints then goes to standard error.
    """
    module, engine = sys.argv[1:3]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import_module(module).main(engine, answers)
