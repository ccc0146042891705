"""Section 26 of the rulebook, a module for each of its parts; `vclogic` takes the game's `ENCODING` from here."""

from __future__ import annotations

from importlib import import_module

from vclogic.model.system import Encoding


def __getattr__(name: str) -> Encoding:
    """The encoding, imported when it is asked for: it is put together from what the rules are read by."""
    if name != "ENCODING":
        raise AttributeError(name)
    encoding: Encoding = import_module("vclogic_encodings.asl.encoding").ENCODING
    return encoding
