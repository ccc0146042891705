"""Turn click's usage errors into diagnostics."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

import click

from vclogic.errors import SHOWN, Diagnostic, did_you_mean, nearest, quoted, shortened

_LONG = re.compile(rf"'[^']{{{SHOWN + 1},}}'|\S{{{SHOWN + 3},}}")


def misuse(error: click.UsageError, argv: Sequence[str], commands: Container[str]) -> Diagnostic:
    """The diagnostic for a usage error.

    Args:
        error: The error of click.
        argv: The words of the command.
        commands: The existing commands.
    """
    name = " ".join(["vclogic", *argv[:1]]) if argv and argv[0] in commands else "vclogic"
    use = f"`{name} --help` shows how to write it"
    if isinstance(error, click.NoSuchOption):
        known = [o for p in error.ctx.command.get_params(error.ctx) for o in p.opts] if error.ctx else []
        near = did_you_mean(error.option_name, [o for o in known if o.startswith("--")])
        if name == "vclogic":
            near = "the options of a command stand after its name"
        return Diagnostic("unknown-option", f"{name} has no option {quoted(error.option_name)}", help=near or use)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        what = error.param.human_readable_name if error.param.param_type_name == "argument" else error.param.opts[0]
        kind = error.param.param_type_name
        games = "; `vclogic games` lists the games" if what == "GAME" else ""
        return Diagnostic(f"missing-{kind}", f"{kind} {what} is missing", help=use + games)
    message = _LONG.sub(lambda found: shortened(found[0]), error.message[:1].lower() + error.message[1:].rstrip("."))
    if isinstance(error, click.BadParameter) and error.param is not None:
        near = _near_choice(error.message, error.param.type)
        return Diagnostic("bad-value", message, error.param.opts[0], help=near or use)
    if isinstance(error, click.BadOptionUsage):
        return Diagnostic("missing-value", message, error.option_name, help=use)
    return Diagnostic("usage", message, help=f"{use}; put a goal or name with spaces in quotes")


def _near_choice(message: str, kind: click.ParamType[object]) -> str | None:
    """The choices near the first text that a message quotes; None where there are none."""
    given = re.match("'(.*?)'", message)
    return nearest(given[1], kind.choices, 3) if given and isinstance(kind, click.Choice) else None
