"""The command line: parse, ask one question, hand the answer to one report. Only here a verdict is an exit code."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vclogic import __version__
from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.terminal import CannotWrite, progress_shown, rendered, write

if TYPE_CHECKING:
    from rich.console import RenderableType

    from vclogic.query.game import Game

YES, NO, BAD_INPUT, UNKNOWN, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130
_CODES = {
    "optimal": YES,
    "feasible": YES,
    "reachable": YES,
    "impossible": NO,
    "unreachable": NO,
    "unknown": UNKNOWN,
}
_LONGEST = 1e6  # seconds; more overflows the waiting of the operating system
Settings = list[tuple[str, str]]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Reply:
    """What a command answers.

    Attributes:
        kind: The question, which is also the name of the reports on it.
        answer: The answer.
        code: The exit code.
        choices: What else the report for people wants to know.
        raw: What to print instead of that report.
    """

    kind: str
    answer: object
    code: int = YES
    choices: Mapping[str, object] = field(default_factory=dict)
    raw: str | None = None

    def document(self) -> str:
        """The answer for programs."""
        from vclogic.report import json

        return json.dumps(getattr(json, self.kind)(self.answer))

    def text(self) -> RenderableType:
        """The answer for people."""
        module = import_module(f"vclogic.report.text.{self.kind}")
        report: RenderableType = getattr(module, self.kind)(self.answer, **self.choices)
        return report


def main() -> int:
    """The command line of this process; returns its exit code."""
    return run(sys.argv[1:])


def run(argv: Sequence[str]) -> int:
    """One command.

    Args:
        argv: The words after `vclogic`.

    Returns:
        Its exit code. Everything else has been written.
    """
    try:
        return _run(argv, as_json=_given(argv, "--format") == "json")
    except CannotWrite as error:
        with suppress(CannotWrite):
            write(sys.stderr, f"error[cannot-write]: {error}\n  --> <stdout>\n")
        return BAD_INPUT


def _run(argv: Sequence[str], *, as_json: bool) -> int:
    try:
        return _command(list(argv), as_json)
    except CannotWrite:
        raise
    except InputError as error:
        _report(error, argv, as_json)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _internal(error, as_json)


def _command(argv: list[str], as_json: bool) -> int:
    reply, code, said = None, YES, io.StringIO()
    try:
        # Only click writes while a command runs, its help and the version; written below like everything else.
        with redirect_stdout(said), commands.make_context("vclogic", argv) as context:
            reply = commands.invoke(context)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.UsageError as error:
        from vclogic.usage import misuse

        raise InputError(misuse(error, argv, commands.commands)) from error
    if not isinstance(reply, Reply):
        write(sys.stdout, said.getvalue())
        return code
    shown = reply.document() if as_json else reply.raw or rendered(reply.text(), sys.stdout)
    write(sys.stdout, shown)
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
            raise InputError(Diagnostic("unknown-command", f"there is no command {args[0]!r}", help=help))
        return super().resolve_command(ctx, args)


def _file(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """A file to be written: its folder exists, and it is no folder or device (which would be replaced)."""
    if path is not None and (path, parameter.name) != ("-", "output"):
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder) or (os.path.exists(path) and not os.path.isfile(path)):
            raise click.BadParameter(f"no file can be written at {path!r}", context, parameter)
    return path


def _seconds(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= _LONGEST):
        raise click.BadParameter(
            f"{seconds:g} seconds: give more than 0 and at most {_LONGEST:.0f}", context, parameter
        )
    return seconds


def _settings(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> Settings:
    wrong = [w for w in words if not w.partition("=")[0].strip() or "=" not in w]
    if wrong:
        help = "write --set name=value; `vclogic rules GAME` lists the options and readings"
        raise InputError(Diagnostic("bad-value", f"{w!r} is no name=value", "--set", help=help) for w in wrong)
    return [(name.strip(), value.strip()) for name, _, value in (w.partition("=") for w in words)]


def _options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_format = click.option(
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    expose_value=False,  # `run` has looked for it already: errors need it before anything is parsed
    help="Text for people (default), or JSON for programs.",
)
_game = _options(
    click.argument("game", metavar="GAME"),
    click.option("--at", metavar="FILE", help="A position or record to lay over GAME; - reads standard input."),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_settings,
        help="An option or reading; may be repeated.",
    ),
)
_question = _options(
    click.option("--side", metavar="SIDE", help="Who moves; may be left out where the goal names one side only."),
    click.option("--within", type=int, metavar="N", help="The most steps that count (captures, player-turns)."),
    click.option(
        "--opponent", default="idle", metavar="idle|any", help="idle passes (default); any moves as it likes."
    ),
    click.option("--timeout", type=float, default=60.0, metavar="SECONDS", callback=_seconds, help="Default: 60."),
    click.option("--dump-smt2", "dump", metavar="FILE", callback=_file, help="Also write the question as SMT-LIB."),
)


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

    Exit codes: 0 yes, found or clean; 1 no; 2 bad input; 3 unknown; 70 internal error.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command()
@_format
def games() -> Reply:
    """List what is installed, with scenarios."""
    from vclogic.report.catalog import installed

    return Reply("games", installed())


@commands.command()
@_game
@click.argument("name", required=False, metavar="[RULE|CLAUSE]")
@_format
def rules(game: str, at: str | None, settings: Settings, name: str | None) -> Reply:
    """Show rules, clauses, options, observables, rulings.

    With the name of anything in that list, or the id of a clause: all there is to know about it.
    """
    from vclogic.report.catalog import rule_book

    book = rule_book(_load(game, at, settings).setup)
    return Reply("rules", book if name is None else book.about(name))


@commands.command()
@_game
@click.option("--view", metavar="SIDE", help="Only what that side can know.")
@click.option("--explain", is_flag=True, help="Add what each outcome asks for, with its clauses.")
@_format
def status(game: str, at: str | None, settings: Settings, view: str | None, explain: bool) -> Reply:
    """Show who has won, who has what, what is missing."""
    return Reply("status", _load(game, at, settings).status(view, tables=True), choices={"explain": explain})


@commands.command()
@_game
@click.option("--goal", metavar="EXPR", help="What is to become true, such as 'vcp(Axis) >= 40'.")
@click.option("--maximize", metavar="EXPR", help="What is to become as large as can be, instead of a goal.")
@click.option("--minimize", metavar="METRIC", help="What the plan is to save; `vclogic rules GAME` lists them.")
@_question
@click.option("--certify", is_flag=True, help="Prove the optimum in exact arithmetic; z3's proofs always are.")
@_format
def plan(
    game: str, at: str | None, settings: Settings, goal: str | None, maximize: str | None, certify: bool, **asked: Any
) -> Reply:
    """Find the cheapest way to a goal, and prove it."""
    if (goal is None) == (maximize is None):
        problem = (
            "neither --goal nor --maximize is given" if goal is None else "--goal and --maximize exclude each other"
        )
        help = "give one of --goal 'vcp(Axis) >= 40' and --maximize 'vcp(Axis)'"
        raise InputError(Diagnostic("missing-option" if goal is None else "usage", problem, help=help))
    start = _load(game, at, settings)
    with progress_shown() as progress:
        answer = start.plan(goal, maximize=maximize, progress=progress, certify=certify, **_chosen(asked))
    return Reply("plan", answer, _CODES[answer.status])


@commands.command()
@_game
@click.option("--goal", required=True, metavar="EXPR", help="What is to become true, such as 'vcp(Axis) >= 50'.")
@_question
@_format
def reach(game: str, at: str | None, settings: Settings, goal: str, **asked: Any) -> Reply:
    """Find out whether a goal can be reached at all."""
    start = _load(game, at, settings)
    with progress_shown() as progress:
        answer = start.reach(goal, progress=progress, **_chosen(asked))
    return Reply("reach", answer, _CODES[answer.status])


@commands.command()
@_game
@click.option("--goal", metavar="EXPR", help="Find a plan as `plan` does, and draw its moves.")
@click.option("--minimize", metavar="METRIC", help="What that plan is to save.")
@_question
@click.option("--plan-file", metavar="FILE", help="Draw the steps of an answer that was written as JSON.")
@click.option("--turn", type=int, metavar="N", help="One turn of the plan alone, as the turns before leave the map.")
@click.option(
    "-o", "--output", required=True, metavar="FILE", callback=_file, help="The SVG file to write; - prints the SVG."
)
@_format
def render(
    game: str,
    at: str | None,
    settings: Settings,
    goal: str | None,
    plan_file: str | None,
    turn: int | None,
    output: str,
    **asked: Any,
) -> Reply:
    """Draw a position, and a plan's moves on it, as SVG."""
    from vclogic.query.picture import check_wish, drawn, read_steps

    check_wish(goal, plan_file, asked)
    start = _load(game, at, settings)
    start.picture()  # a game without pictures is told before anything is searched
    steps = read_steps(plan_file) if plan_file else ()
    if goal is not None:
        with progress_shown() as progress:
            found = start.plan(goal, progress=progress, **_chosen(asked))
        if _CODES[found.status] != YES:
            return Reply("plan", found, _CODES[found.status])
        steps = found.steps
    answer = drawn(start, steps, turn, None if output == "-" else output)
    return Reply("render", answer, raw=None if answer.file else answer.svg)


@commands.command()
@click.argument("game", metavar="GAME")
@_format
def test(game: str) -> Reply:
    """Try the rulings of a game."""
    from vclogic.files.scenario import split_game
    from vclogic.query.test import test_game

    answer = test_game(split_game(game)[0])
    return Reply("test", answer, NO if answer.failed else YES)


def _load(game: str, at: str | None, settings: Settings) -> Game:
    from vclogic.query.game import Game

    return Game.load(game, at, settings)


def _chosen(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a question without a dump that nobody wants."""
    return {name: choice for name, choice in asked.items() if name != "dump" or choice is not None}


# ---- errors


def _report(error: InputError, argv: Sequence[str], as_json: bool) -> None:
    if as_json:
        from vclogic.report import json

        write(sys.stdout, json.dumps(json.errors(error.diagnostics)))
        return
    from vclogic.report.text.errors import errors

    texts = {o: t for o in ("--goal", "--maximize") if (t := _given(argv, o)) is not None}
    write(sys.stderr, rendered(errors(error.diagnostics, texts), sys.stderr))


def _internal(error: Exception, as_json: bool) -> int:
    if os.environ.get("VCLOGIC_DEBUG") == "1":
        import traceback

        write(sys.stderr, "".join(traceback.format_exception(error)))
    said = " ".join(str(error).split())[:200]
    message = f"internal error: {type(error).__name__}{': ' if said else ''}{said}; this is a bug in vclogic"
    write(sys.stderr, f"{message} (VCLOGIC_DEBUG=1 shows where)\n")
    if as_json:
        from vclogic.report import json

        write(sys.stdout, json.dumps(json.errors([Diagnostic("internal", message)])))
    return INTERNAL


def _given(argv: Sequence[str], option: str) -> str | None:
    """The value that an option has in the words of a command, whether or not they can be parsed."""
    found = None
    for word, following in zip(argv, [*argv[1:], None], strict=False):
        if word == "--":
            break
        if word == option:
            found = following
        elif word.startswith(f"{option}="):
            found = word.removeprefix(f"{option}=")
    return found
