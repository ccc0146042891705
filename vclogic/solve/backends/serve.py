"""What every worker process begins with: a way out for its answers that nothing else can write to by accident."""

from __future__ import annotations

import os
import sys
from importlib import import_module


def main() -> None:
    """Run the module that the command line names, as the engine that it names.

    What Python or a solver's library prints from now on goes where errors go.
    """
    module, engine = sys.argv[1:3]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import_module(module).main(engine, answers)
