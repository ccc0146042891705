"""The entry point of worker processes; only their answers reach standard output."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from vclogic.streams import own_output


def main() -> None:
    """Run the module and engine that the command line names."""
    module, engine = sys.argv[1:3]
    import_module(module).main(engine, os.fdopen(own_output(), "w"))
