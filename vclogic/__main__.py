"""The command `vclogic`: what keeps it from being loaded, such as too little memory, is never taken for an answer."""

from __future__ import annotations

import sys

_INTERNAL, _INTERRUPTED = 70, 130
_OBJECTS = 50_000  # made between two looks for cycles: while modules are loaded there are next to none
_NEEDED = 64 << 20  # bytes with which a small question can be answered; libraries that get less may abort


def main() -> int:
    """Load the command line and run it.

    Returns:
        The exit code of this process.
    """
    try:
        bytes(_NEEDED)  # asked for, never touched
        import gc

        gc.set_threshold(_OBJECTS)
        from vclogic.cli.main import main as command

        code = command()
        gc.freeze()  # the process ends: to search all it holds for cycles then took a sixth of a plan's time
        return code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BaseException as error:  # an end by an exception is exit code 1, and that means "no"
        said = _said(error)
    if sys.stderr is not None:
        sys.stderr.write(f"vclogic: {said}\n")
    return _INTERNAL


def _said(error: BaseException) -> str:
    """One line on what went wrong, for which there may be hardly any memory."""
    try:
        from vclogic.shortage import shortage

        lack = shortage(error)
    except BaseException:  # whatever it is: there is something to be said already
        lack = "not enough memory" if isinstance(error, MemoryError) else None
    said = " ".join(str(error).split())[:200]
    return lack or f"it cannot be loaded: {type(error).__name__}{': ' if said else ''}{said}"


if __name__ == "__main__":
    sys.exit(main())
