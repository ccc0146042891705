"""Messages for errors that are nobody's input: faulty rules of a game, too little memory, a bug."""

from __future__ import annotations

from vclogic.errors import Diagnostic
from vclogic.shortage import LIBRARIES, WITHOUT, shortage

_PACKAGES = {"highspy": "highspy", "numpy": "numpy", "rich": "rich", "z3": "z3-solver"}
"""The package to install for each library that only some questions, or texts, need."""
_INSTALLED = "an installed vclogic answers it: `vclogic serve` shows the same page"


def failure_of(error: BaseException) -> Diagnostic:
    """The message for an error that is no `InputError`, in one sentence."""
    from vclogic.files.blame import failure
    from vclogic.files.registry import packages

    lack = shortage(error)
    if lack is not None:
        return Diagnostic("shortage", f"{lack} for this question")
    if isinstance(error, ModuleNotFoundError) and error.name in LIBRARIES:
        return Diagnostic("not-here", f"this cannot be answered here: {WITHOUT}", help=_INSTALLED)
    package = missing_package(error)
    if package is not None:
        return package
    fault = failure(error, packages())
    return internal(error) if fault is None else fault.diagnostic


def missing_package(error: BaseException | None) -> Diagnostic | None:
    """The library to install where one is missing, or cannot be loaded; None for any other error."""
    while error is not None:
        name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
        if name in _PACKAGES:
            said = " ".join(str(error).split())[:200]
            message = f"this needs {name}, which cannot be loaded here: {said}"
            return Diagnostic("missing-package", message, help=f"pip install --force-reinstall {_PACKAGES[name]}")
        error = error.__cause__
    return None


def internal(error: BaseException) -> Diagnostic:
    """The report of a bug."""
    said = " ".join(str(error).split())[:200]
    what = f"{type(error).__name__}{': ' if said else ''}{said}"
    message = f"internal error: {what}; this is a bug in vclogic, or in what the rules of the game return"
    return Diagnostic("internal", message)
