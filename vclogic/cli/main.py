"""The command line: parse the words, ask one question, print one report, and turn the verdict into an exit code."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Container, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from itertools import pairwise

import click

from vclogic import __version__
from vclogic.choices import written_as
from vclogic.cli import asking, designing, drawing, serving, studying
from vclogic.cli.options import (
    BAD_INPUT,
    FORMAT,
    GAME,
    INTERNAL,
    INTERRUPTED,
    NO,
    UNKNOWN,
    YES,
    Reply,
    Settings,
    as_option,
    load,
)
from vclogic.cli.terminal import CannotWrite, rendered, write
from vclogic.errors import SHOWN, Diagnostic, InputError, did_you_mean, nearest, quoted, shortened
from vclogic.shortage import shortage
from vclogic.streams import own_output
from vclogic.watchdog import Endless, endless_calls_ended


def main() -> int:
    """The command line of this process; returns its exit code."""
    there, out = sys.stdout is not None, own_output()
    sys.stdout = os.fdopen(out, "w", closefd=False) if there else None
    return run(sys.argv[1:])


def run(argv: Sequence[str]) -> int:
    """One command.

    Args:
        argv: The words after `vclogic`.

    Returns:
        Its exit code. Everything else has been written.
    """
    try:
        with endless_calls_ended(), written_as(as_option):
            return _run(argv, as_json=_given(argv, "--format") == "json")
    except ImportError as error:  # a report cannot be written either without the library that it needs
        return _fault(error, argv, as_json=False)
    except CannotWrite as error:
        with suppress(CannotWrite):
            write(sys.stderr, f"error[cannot-write]: {error}\n  --> <stdout>\n")
        return BAD_INPUT


def _run(argv: Sequence[str], *, as_json: bool) -> int:
    try:
        return _command(list(argv), as_json)
    except CannotWrite:
        raise
    except KeyboardInterrupt:
        return INTERRUPTED
    except InputError as error:
        lack = shortage(error)
        if lack is None:
            _show_trace(error.__cause__)
            _report(error, argv, as_json)
            return BAD_INPUT
    except (Exception, Endless) as error:
        lack = shortage(error)
        if lack is None:
            return _fault(error, argv, as_json)
    # Only now, when all that the question needed is let go.
    return _failed(Diagnostic("shortage", f"{lack} for this question"), "", as_json)


def _command(argv: list[str], as_json: bool) -> int:
    reply, code, said, out = None, YES, io.StringIO(), sys.stdout
    try:
        # Only click writes while a command runs, its help and the version; written below like everything else.
        with redirect_stdout(said), commands.make_context("vclogic", argv, obj=out) as context:
            reply = commands.invoke(context)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.UsageError as error:
        raise InputError(misuse(error, argv, commands.commands)) from error
    if not isinstance(reply, Reply):
        write(out, said.getvalue())
        return code
    write(out, reply.document() if as_json else reply.raw or rendered(reply.text(), out))
    return reply.code


# ---- the commands


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order below

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands:
            help = did_you_mean(args[0], self.commands)
            raise InputError(Diagnostic("unknown-command", f"there is no command {quoted(args[0])}", help=help))
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nTry: vclogic rules axis_allies\n     vclogic plan axis_allies --goal 'vcp(Axis) >= 40'",
)
@click.version_option(__version__, message="vclogic %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Check the victory conditions of wargames.

    GAME is an encoding, encoding/scenario, or a position file; - reads one from standard input.

    Exit codes: 0 yes, found or clean; 1 no; 2 bad input; 3 unknown; 70 a bug in vclogic or in a game's rules.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command()
@FORMAT
def games() -> Reply:
    """List what is installed, with scenarios."""
    from vclogic.query.rule_index import installed

    return Reply("games", installed())


@commands.command()
@GAME
@click.argument("words", nargs=-1, metavar="[NAME|WORD...]")
@FORMAT
def rules(game: str, at: str | None, settings: Settings, words: tuple[str, ...]) -> Reply:
    """Show rules, clauses, options, observables, rulings.

    With the name of anything in that list, or the id of a clause: all there is to know about it. With other words:
    everything that has them in its name or text.
    """
    book = load(game, at, settings).rules()
    return Reply("rules", book.found(*words) if words else book)


class _Explaining(click.Command):
    """A command whose option `--explain` may be used without a value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["--explain=short" if a == "--explain" else a for a in args])


@commands.command(cls=_Explaining)
@GAME
@click.option("--view", metavar="SIDE", help="Only what that side can know.")
@click.option(
    "--explain",
    type=click.Choice(["short", "all"]),
    metavar="[=all]",
    help="Add why each outcome is met or not: the deciding facts, or with =all everything.",
)
@click.option("--trace", is_flag=True, help="Add what each step of the record changes.")
@click.option("--whole", is_flag=True, help="The whole position, with what is as usual.")
@FORMAT
def status(
    game: str,
    at: str | None,
    settings: Settings,
    view: str | None,
    explain: str | None,
    trace: bool,
    whole: bool,
) -> Reply:
    """Show who has won, who is where, who controls what, what is missing."""
    start = load(game, at, settings)
    told = start.explain() if explain else ()
    answer = replace(start.status(view, tables=True, position=True, whole=whole, trace=trace), explanations=told)
    return Reply("status", answer, choices={"whole": explain == "all"})


@commands.command()
@GAME
@click.option("--side", metavar="SIDE|POWER", help="Only what that side or power decides.")
@click.option("--event", metavar="EVENT", help="Only that kind of event, or some of it: 'place: {unit: infantry}'.")
@click.option("--why-not", is_flag=True, help="Also what may not be done, with what stands against it.")
@click.option("--limit", type=int, default=20, metavar="N", help="How many of these of each kind. Default: 20.")
@FORMAT
def legal(
    game: str,
    at: str | None,
    settings: Settings,
    side: str | None,
    event: str | None,
    why_not: bool,
    limit: int,
) -> Reply:
    """Show what may be done now: every event that the rules allow.

    Exit codes: 0 there is such an event; 1 there is none; 3 there are too many to try: name some with --event.
    """
    from vclogic.query.resolved_question import check_numbers

    check_numbers(limit=limit)
    answer = load(game, at, settings).legal(side, event, why_not=limit if why_not else 0)
    return Reply("legal", answer, YES if answer.allowed else UNKNOWN if answer.left_out else NO)


for module in (asking, drawing, designing, studying, serving):
    for command in vars(module).values():
        if isinstance(command, click.Command):
            commands.add_command(command)


# ---- errors


def _report(error: InputError, argv: Sequence[str], as_json: bool) -> None:
    if as_json:
        from vclogic.report import json

        write(sys.stdout, json.dumps(json.errors(error.diagnostics)))
        return
    from vclogic.report.text.errors import errors

    texts = {o: t for o in ("--goal", "--maximize", "--threat", "--keep") if (t := _given(argv, o)) is not None}
    if list(argv[:1]) == ["ask"]:
        texts["question"] = _question(argv)
    write(sys.stderr, rendered(errors(error.diagnostics, texts), sys.stderr))


def _question(argv: Sequence[str]) -> str:
    """The question among the words of `ask`: the second one that is no option and no option's value."""
    valued = {o for p in commands.commands["ask"].params if not getattr(p, "is_flag", True) for o in p.opts}
    found = [w for before, w in pairwise(argv) if not w.startswith("-") and before not in valued]
    return found[1] if len(found) > 1 else ""


def _show_trace(error: BaseException | None) -> None:
    """Print the stack trace of an error, if the user asks for it."""
    if error is not None and os.environ.get("VCLOGIC_DEBUG") == "1":
        import traceback

        write(sys.stderr, "".join(traceback.format_exception(error)))


def _fault(error: BaseException, argv: Sequence[str], as_json: bool) -> int:
    from vclogic.files.blame import failure
    from vclogic.files.registry import packages
    from vclogic.report.failures import internal, missing_package

    _show_trace(error)
    package = missing_package(error)
    if package is not None:
        _failed(package, f"\n  help: {package.help}", as_json)
        return BAD_INPUT
    fault = failure(error, packages())
    if fault is not None:
        _report(InputError(fault.diagnostic), argv, as_json)
        return INTERNAL
    return _failed(internal(error), " (VCLOGIC_DEBUG=1 shows where)", as_json)


def _failed(failure: Diagnostic, hint: str, as_json: bool) -> int:
    if as_json:
        from vclogic.report import json

        write(sys.stdout, json.dumps(json.errors([failure])))
    write(sys.stderr, f"{failure.message}{hint}\n")
    return INTERNAL


def _given(argv: Sequence[str], option: str) -> str | None:
    """The value of an option in the words of a command, even if these cannot be parsed."""
    found = None
    for word, following in zip(argv, [*argv[1:], None], strict=False):
        if word == "--":
            break
        if word == option:
            found = following
        elif word.startswith(f"{option}="):
            found = word.removeprefix(f"{option}=")
    return found


# ---- usage errors of click as diagnostics


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
    return nearest(given[1], kind.choices) if given and isinstance(kind, click.Choice) else None
