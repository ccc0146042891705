"""The options that many commands share, and the form of their replies."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vclogic.clock import LONGEST
from vclogic.errors import Diagnostic, InputError, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from vclogic.game import Game

YES, NO, BAD_INPUT, UNKNOWN, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130
_EXACT = 1e-9
_OPTIONS = {"dump": "--dump-smt2", "settings": "--set", "step": "--turn"}
"""The options that have another name than in Python."""
Settings = list[tuple[str, str]]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Reply:
    """The reply of a command.

    Attributes:
        kind: The kind of question, which also names its reports.
        answer: The answer.
        code: The exit code.
        choices: Further arguments of the text report.
        raw: Text to print instead of the text report.
    """

    kind: str
    answer: object
    code: int = YES
    choices: Mapping[str, object] = field(default_factory=dict)
    raw: str | None = None

    def document(self) -> str:
        """The answer for programs."""
        from vclogic.report import json

        return json.dumps(json.document(self.kind, self.answer))

    def text(self) -> RenderableType:
        """The answer for people."""
        from vclogic.report.text.of_kind import report_of

        return report_of(self.kind, self.answer, **self.choices)


def as_option(name: str, value: str | None) -> str:
    """A choice as an option, such as `--side Axis`."""
    option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
    return option if value is None else f"{option} {shlex.quote(value)}"


def output_file(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """A file that can be written, as far as is known in advance."""
    if path is not None and (path, parameter.name) != ("-", "output"):
        from vclogic.files.output import check_output

        check_output(path, (), parameter.opts[0])
    return path


def seconds_of(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    """A valid time limit."""
    if seconds is not None and not 0 < seconds <= LONGEST:
        raise click.BadParameter(
            f"{seconds:g} seconds: give more than 0 and at most {LONGEST:,.0f}", context, parameter
        )
    return seconds


def no_view(context: click.Context, parameter: click.Parameter, view: str | None) -> None:
    """Refuse `--view` for questions about the future, which consider the whole position."""
    if view is not None:
        message = "this question is about the whole position, with all that is hidden from a side"
        help = f"leave --view out; `vclogic status --view {view}` shows what that side knows"
        raise InputError(Diagnostic("usage", message, "--view", help=help))


def settings_of(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> Settings:
    """The names and values of options and Readings."""
    wrong = [w for w in words if not w.partition("=")[0].strip() or "=" not in w]
    if wrong:
        help = "write --set name=value; `vclogic rules GAME` lists the options and readings"
        raise InputError(
            Diagnostic("bad-value", f"{quoted(w)} is not of the form name=value", "--set", help=help) for w in wrong
        )
    return [(name.strip(), value.strip()) for name, _, value in (w.partition("=") for w in words)]


def share_of(context: click.Context, parameter: click.Parameter, share: float | None) -> Settings:
    """The option of the game that a probability on the command line stands for, in per cent."""
    if share is None:
        return []
    percent = round(share * 100) if 0 <= share <= 1 else None  # nan is not between them
    if percent is None or abs(share * 100 - percent) > _EXACT:
        problem = f"{share:g}: give a chance from 0 to 1, in whole per cent, such as 0.8"
        raise click.BadParameter(problem, context, parameter)
    return [(str(parameter.name), str(percent))]


def _options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


FORMAT = click.option(
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    expose_value=False,  # `run` has looked for it already: errors need it before anything is parsed
    help="Text for people (default), or JSON for programs.",
)
AT = click.option(
    "--at", metavar="FILE", help="A position or record that changes the start of GAME; - reads standard input."
)
SET = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=settings_of,
    help="An option or reading; may be repeated.",
)
GAME = _options(click.argument("game", metavar="GAME"), AT, SET)
TIME = click.option(
    "--timeout", type=float, default=60.0, metavar="SECONDS", callback=seconds_of, help="Default: 60."
)
TIMEOUT = _options(
    TIME,
    click.option(
        "--dump-smt2", "dump", metavar="FILE", callback=output_file, help="Also write the question as SMT-LIB."
    ),
)
BEST = "best"
"""The opponent who answers as well as it can; only `plan` knows it."""
QUESTION = _options(
    click.option("--side", metavar="SIDE", help="Who moves. Needed only if the goal does not name exactly one side."),
    click.option("--within", type=int, metavar="N", help="The most steps that count (captures, turns, events)."),
    click.option(
        "--opponent", default="idle", metavar="idle|helps", help="idle passes (default); helps makes any legal step."
    ),
    click.option("--view", hidden=True, expose_value=False, callback=no_view),
    TIMEOUT,
)
WITHOUT = click.option("--without", multiple=True, metavar="EVENT", help="An event, or kind of event, to do without.")


DICE = _options(
    click.option(
        "--min-odds",
        type=float,
        metavar="CHANCE",
        callback=share_of,
        help="The least chance of each battle of a plan, such as 0.8; short for --set min_odds=80.",
    ),
    click.option(
        "--hold",
        type=float,
        metavar="CHANCE",
        callback=share_of,
        help="The least chance to hold each place that a plan takes; short for --set hold=50 and the like.",
    ),
)


BRIEFING = _options(
    click.option("--threat", metavar="EXPR", help="What an enemy wants. Default: any of its outcomes."),
    click.option("--require", multiple=True, metavar="EVENT", help="Only plans with such an event."),
    click.option("--avoid", multiple=True, metavar="EVENT", help="Only plans without such an event."),
    click.option("--keep", metavar="EXPR", help="Only plans after each step of which that holds."),
    click.option(
        "--limit", type=int, default=100, metavar="N", help="List at most N sets of each kind. Default: 100."
    ),
)
"""The options of `objectives` beside the goal."""


RECORD = click.option(
    "--record", metavar="FILE", callback=output_file, help="Also write what is found as a position file."
)


def load(game: str, at: str | None, settings: Settings) -> Game:
    """The game that a command names; see `vclogic.load`."""
    from vclogic.game import Game

    return Game.load(game, at, settings)


def load_by_dice(game: str, at: str | None, settings: Settings, shares: Settings) -> Game:
    """The same with the options that `--min-odds` and `--hold` stand for.

    Args:
        at: A position or record.
        settings: Options and Readings by `--set`.
        shares: What the two stand for; see `share_of`.

    Raises:
        InputError: The game has no such option, or something else is wrong.
    """
    try:
        return load(game, at, [*settings, *shares])
    except InputError as error:
        lacking = {f"there is no option or reading {quoted(name)}": name for name, _ in shares}
        raise InputError(_no_dice(d, lacking.get(d.message)) for d in error.diagnostics) from error


def _no_dice(found: Diagnostic, name: str | None) -> Diagnostic:
    if name is None:
        return found
    option = "--" + name.replace("_", "-")
    problem = f"{option} is for games whose plans fight battles with dice, and this game has none"
    return Diagnostic("unknown-option", problem, help="leave it out")


def chosen(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a question, without an unused dump file."""
    return {name: choice for name, choice in asked.items() if name != "dump" or choice is not None}
