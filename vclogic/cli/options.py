"""The options that many commands share, and the form of their replies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vclogic.clock import LONGEST
from vclogic.errors import Diagnostic, InputError, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from vclogic.files.versions import GameVersion
    from vclogic.game import Game

YES, NO, BAD_INPUT, UNKNOWN, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130
CODES = {
    **dict.fromkeys(("optimal", "feasible", "reachable", "holds", "possible", "equal", "solved"), YES),
    **dict.fromkeys(("forced", "defended", "survives"), YES),
    **dict.fromkeys(("impossible", "unreachable", "differ", "refuted", "lost", "stopped"), NO),
    "unknown": UNKNOWN,
}
"""The exit codes of the answers to questions, by their status."""
_EXACT = 1e-9
_OPTIONS = {"dump": "--dump-smt2", "overlays": "--overlay", "settings": "--set", "step": "--turn"}
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
        option = parameter.opts[0]
        help = f"write {option} name=value; `vclogic rules GAME` lists the options and readings"
        raise InputError(
            Diagnostic("bad-value", f"{quoted(w)} is not of the form name=value", option, help=help) for w in wrong
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


BESIDE = "vclogic.beside"
"""The key under which a command's context has the files of `--with`."""
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
WITH = click.option(
    "--with",
    "beside",
    multiple=True,
    metavar="FILE",
    expose_value=False,  # whatever a command asks, `load` lays them over the game
    callback=lambda context, parameter, value: context.meta.update({BESIDE: value}),
    help="A file with rules as text (`outcomes:`) that are tried on GAME; may be repeated.",
)


def _trust(context: click.Context, parameter: click.Parameter, said: bool) -> None:
    if said and not context.resilient_parsing:
        from vclogic.files.text_games.functions import trusting  # few games need it

        context.find_root().with_resource(trusting())


TRUST = click.option(
    "--trust",
    is_flag=True,
    expose_value=False,
    callback=_trust,
    help="Let rulebooks run files in Python beside them.",
)
MAP = "vclogic.map"
"""The key under which a command's context has the map of `--map`."""
MAP_OPTION = click.option(
    "--map",
    metavar="MAP",
    expose_value=False,
    callback=lambda context, parameter, path: path and context.meta.setdefault(MAP, path),
    help="The map of TripleA that a saved game (GAME.tsvg) is played on.",
)
GAME = _options(click.argument("game", metavar="GAME"), AT, SET, WITH, MAP_OPTION, TRUST)
BEST = "best"
"""The opponent who answers as well as it can; only `plan` knows it."""
VIEW = click.option("--view", hidden=True, expose_value=False, callback=no_view)


def options_of(question: type[Any], *only: str) -> list[click.Option]:
    """The options of a command: one for each field of its question that has help.

    Args:
        question: The question.
        only: The fields; none: all.
    """
    from vclogic.query.question import own_fields

    return [_option(f) for f in own_fields(question) if f.metadata and (not only or f.name in only)]


def _option(field: Field[Any]) -> click.Option:
    """The option that gives a field its value; `--no-NAME` where that is true unless something else is said."""
    about, kind = dict(field.metadata), str(field.type).partition(" | ")[0]
    flag = about.pop("flag", field.name.replace("_", "-"))
    more: dict[str, Any] = {"required": True} if field.default is MISSING else {"default": field.default}
    more |= about
    if kind == "bool":
        more |= {"is_flag": True, "default": False, "metavar": None}
        if field.default:
            flag, more["callback"] = f"no-{flag}", _denied
    elif kind.startswith("Literal"):
        more |= {"type": click.Choice(re.findall(r"\w+(?=['\"])", kind))}
    elif kind.startswith("Sequence"):
        more |= {"multiple": True}
    elif field.default == ():
        more["default"] = ""
    more |= {"type": {"int": int, "float": float}[kind]} if kind in ("int", "float") else {}
    more |= {"callback": _CHECKS[field.name]} if field.name in _CHECKS else {}
    return click.Option([f"--{flag}", field.name], **more)


def _denied(context: click.Context, parameter: click.Parameter, said: bool) -> bool:
    return not said


_CHECKS = {"timeout": seconds_of, "dump": output_file}


class QuestionCommand(click.Command):
    """A command that asks a question of a game: the fields of the question are options of it.

    They are looked up when they are needed, so that other commands start without them.

    Args:
        fields: The questions whose fields are options, by the methods of `Game` that ask them; of each the names of
            these fields, or none for all. None: of the question that is called like the command.
    """

    def __init__(self, *args: Any, fields: Mapping[str, Sequence[str]] | None = None, **more: Any):
        self._own: list[click.Parameter] = []
        self._all: list[click.Parameter] | None = None
        super().__init__(*args, **more)
        self._fields = {str(self.name).replace("-", "_"): ()} if fields is None else fields

    @property
    def params(self) -> list[click.Parameter]:
        """The parameters; options that are the question's come after those that say which game is meant."""
        if self._all is None:
            from vclogic.game import Game

            methods = ((getattr(Game, method), only) for method, only in self._fields.items())
            options = [o for method, only in methods for o in options_of(method.question, *only)]
            after = max((i for i, p in enumerate(self._own) if p.name in _WHICH), default=-1) + 1
            self._all = [*self._own[:after], *options, *self._own[after:]]
        return self._all

    @params.setter
    def params(self, own: list[click.Parameter]) -> None:
        self._own = own


_WHICH = ("game", "other", "question", "at", "settings", "set_a", "set_b", "goal", "minimize")
"""Parameters after which the question's options come."""


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


RECORD = click.option(
    "--record", metavar="FILE", callback=output_file, help="Also write what is found as a position file."
)


def load(game: str, at: str | None, settings: Settings) -> Game:
    """The game that a command names; see `vclogic.load`."""
    from vclogic.game import Game

    context = click.get_current_context(silent=True)
    beside = context.meta.get(BESIDE) if context else ()
    if (of := context.meta.get(MAP) if context else None) is not None:
        game, at, beside = of, game, (*(beside or ()), *((at,) if at else ()))
    return Game.load(game, at, settings, beside) if beside else Game.load(game, at, settings)


def load_two(*games: tuple[str, Settings, str], at: str | None, settings: Settings) -> list[Game]:
    """The games that a command names, with settings for all of them and for each alone.

    Args:
        games: The name of each, its own settings, and the option by which these are given.
        at: A position or record.
        settings: Options and Readings of all of them.

    Raises:
        InputError: All that is wrong, with the option where it stands.
    """
    from vclogic.files.trees.findings import Findings

    findings = Findings()
    found: list[Game] = []
    for game, own, option in games:
        try:
            found.append(load(game, at, [*settings, *own]))
        except InputError as error:
            of_all = _wrong_with(game, at, settings)
            for d in error.diagnostics:
                findings.add(replace(d, file=option) if d.file == "--set" and d not in of_all else d)
    findings.stop()
    return found


def load_version(version: GameVersion, game: str, at: str | None, settings: Settings) -> Game:
    """Another version of the game that a command names."""
    from vclogic.game import Game
    from vclogic.moment import Loaded

    beside = (version.beside,) if version.beside else click.get_current_context().meta.get(BESIDE) or ()
    found = Game.load(version.game or game, at, settings, beside)
    return Game(Loaded(replace(found.setup, label=version.label)), found.numbers)


def _wrong_with(game: str, at: str | None, settings: Settings) -> tuple[Diagnostic, ...]:
    try:
        load(game, at, settings)
    except InputError as error:
        return error.diagnostics
    return ()


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
