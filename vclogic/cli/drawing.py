"""The command that draws: `render`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from vclogic.cli.options import (
    CODES,
    DICE,
    FORMAT,
    GAME,
    VIEW,
    YES,
    QuestionCommand,
    Reply,
    Settings,
    load_by_dice,
    output_file,
)
from vclogic.cli.terminal import progress_shown
from vclogic.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from vclogic.game import Game
    from vclogic.model.picture import Picture
    from vclogic.query.plan.answer import Plan

_BRIEFED = ("threat", "require", "avoid", "keep", "limit")
"""The options of `render` that only bear on objectives."""


@click.command(
    cls=QuestionCommand,
    fields={
        "plan": ("side", "within", "opponent", "dump", "timeout"),
        "objectives": _BRIEFED,
    },
)
@GAME
@click.option("--goal", metavar="EXPR", help="Find a plan as `plan` does, and draw its moves.")
@click.option("--minimize", metavar="METRIC", help="What that plan is to save.")
@VIEW
@DICE
@click.option("--plan-file", metavar="FILE", help="Draw the steps of an answer that was written as JSON.")
@click.option("--turn", type=int, metavar="N", help="One turn of the plan alone, as the turns before leave the map.")
@click.option(
    "--objectives", "briefed", is_flag=True, help="Draw what `objectives` answers; --threat to --limit are for that."
)
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    metavar="NAME",
    help="Draw what the rules say of places, or what an outcome needs; repeat for more. A wrong NAME lists them.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    callback=output_file,
    help="The SVG file to write; - prints the SVG.",
)
@FORMAT
def render(
    game: str,
    at: str | None,
    settings: Settings,
    plan_file: str | None,
    output: str,
    overlays: tuple[str, ...],
    min_odds: Settings,
    hold: Settings,
    **asked: Any,
) -> Reply:
    """Draw a position as SVG, with a plan's moves on it or what a side has to know of objectives.

    With --objectives the map is drawn in any case, and exit codes are those of `objectives`.
    """
    from vclogic.draw.svg import svg
    from vclogic.files.output import check_outputs, write_text
    from vclogic.query.board.answer import Rendered
    from vclogic.query.plan.answer import Plan

    _check_wish(plan_file, {**asked, "min_odds": min_odds or None, "hold": hold or None})
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    written = {"--output": None if output == "-" else output, "--dump-smt2": asked["dump"]}
    check_outputs(written, [*start.setup.files, *([plan_file] if plan_file else [])])
    start.picture(overlays=overlays)  # a game without pictures is told before anything is searched
    picture, code = _pictured(start, plan_file, overlays, asked)
    if isinstance(picture, Plan):
        return Reply("plan", picture, code)
    text, file = svg(picture), None if output == "-" else output
    if file is not None:
        write_text(file, text)
    turns = tuple(c.step for c in picture.captions if not c.hollow)
    answer = Rendered(picture.title, file, len(picture.regions), turns, text)
    return Reply("render", answer, code, raw=None if file else text)


def _pictured(
    start: Game, plan_file: str | None, overlays: tuple[str, ...], asked: dict[str, Any]
) -> tuple[Picture | Plan, int]:
    """The picture that is asked for, or the answer that there is no plan; with the exit code."""
    from vclogic.query.plan.file import read_steps

    goal, turn, briefed = (asked.pop(name) for name in ("goal", "turn", "briefed"))
    about = {name: asked.pop(name) for name in _BRIEFED}
    if briefed:
        asked.pop("dump")
        with progress_shown() as progress:
            found = start.objectives(goal, progress=progress, **asked, **about)
        return start.picture(found, overlays=overlays), CODES[found.status]
    if goal is None:
        steps, battles = read_steps(plan_file) if plan_file else ((), None)
        return start.picture(steps, turn, battles, overlays), YES
    with progress_shown() as progress:
        plan = start.plan(goal, progress=progress, **asked)
    code = CODES[plan.status]
    return (start.picture(plan, turn, overlays=overlays) if code == YES else plan), code


def _check_wish(plan_file: str | None, choices: Mapping[str, object]) -> None:
    """Refuse wishes for two pictures at once, and choices that bear on none of them."""
    goal, briefed, turn = choices["goal"], choices["briefed"], choices["turn"]
    if briefed:
        odd = {"--plan-file": plan_file, "--turn": turn, "--dump-smt2": choices["dump"]}
        given = [option for option, choice in odd.items() if choice is not None]
        if given:
            help = f"leave {given[0]} out; --objectives draws the first steps of its own plan"
            raise InputError(Diagnostic("usage", f"--objectives and {given[0]} do not go together", help=help))
        return
    if goal is not None and plan_file is not None:
        help = "--goal finds a plan and draws it, --plan-file draws a plan found before"
        raise InputError(Diagnostic("usage", "give --goal or --plan-file, not both", help=help))
    context = click.get_current_context()
    given = [f"--{name}" for name in _BRIEFED if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        help = f"add --objectives, or leave {given[0]} out"
        raise InputError(Diagnostic("missing-option", f"{given[0]} needs --objectives", help=help))
    names = {"side": "--side", "minimize": "--minimize", "within": "--within", "dump": "--dump-smt2"}
    names |= {"min_odds": "--min-odds", "hold": "--hold"}
    given = [option for name, option in names.items() if choices.get(name) is not None]
    if goal is None and given:
        help = f"add --goal EXPR, or leave {given[0]} out"
        raise InputError(Diagnostic("missing-option", f"{given[0]} needs --goal", help=help))
