"""The commands that ask solvers or draw pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from vclogic.cli.options import (
    AT,
    BEST,
    BRIEFING,
    DICE,
    FORMAT,
    GAME,
    NO,
    QUESTION,
    RECORD,
    SET,
    TIMEOUT,
    UNKNOWN,
    WITHOUT,
    YES,
    Reply,
    Settings,
    chosen,
    load,
    load_by_dice,
    output_file,
    settings_of,
)
from vclogic.cli.terminal import progress_shown
from vclogic.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from vclogic.game import Game
    from vclogic.model.picture import Picture
    from vclogic.query.answers import Plan, Recorded

_CODES = {
    **dict.fromkeys(("optimal", "feasible", "reachable", "holds", "possible", "equal", "forced"), YES),
    **dict.fromkeys(("impossible", "unreachable", "differ", "refuted"), NO),
    "unknown": UNKNOWN,
}
_BRIEFED = ("threat", "require", "avoid", "keep", "limit")
"""The options of `render` that only bear on objectives."""


@click.command()
@GAME
@click.option("--goal", metavar="EXPR", help="What should become true, such as 'vcp(Axis) >= 40'.")
@click.option("--maximize", metavar="EXPR", help="What should become as large as possible, instead of a goal.")
@click.option("--minimize", metavar="METRIC", help="What the plan is to save; `vclogic rules GAME` lists them.")
@QUESTION
@WITHOUT
@DICE
@click.option("--certify", is_flag=True, help="Prove the optimum in exact arithmetic; z3's proofs always are.")
@click.option("--plans", type=int, default=1, metavar="N", help="Show up to N cheapest plans that take other things.")
@RECORD
@FORMAT
def plan(
    game: str,
    at: str | None,
    settings: Settings,
    goal: str | None,
    maximize: str | None,
    certify: bool,
    plans: int,
    record: str | None,
    min_odds: Settings,
    hold: Settings,
    **asked: Any,
) -> Reply:
    """Find the cheapest way to a goal, and prove it.

    With --opponent best and --within N: whether the side can force the goal within N of its turns, whatever the
    others do, with the strategy.
    """
    if (goal is None) == (maximize is None):
        problem = "--goal or --maximize is missing" if goal is None else "give --goal or --maximize, not both"
        help = "write --goal 'vcp(Axis) >= 40' or --maximize 'vcp(Axis)'"
        raise InputError(Diagnostic("missing-option" if goal is None else "usage", problem, help=help))
    if asked["opponent"] == BEST:
        asked |= {"certify": certify, "plans": plans != 1, "record": record}
        return _against_the_best(load_by_dice(game, at, settings, [*min_odds, *hold]), goal, asked)
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    _may_write(record, asked["dump"], start)
    with progress_shown() as progress:
        answer = start.plan(goal, maximize=maximize, progress=progress, certify=certify, plans=plans, **chosen(asked))
    return _recorded(Reply("plan", answer, _CODES[answer.status]), record, start, answer.record)


def _against_the_best(start: Game, goal: str | None, asked: Mapping[str, Any]) -> Reply:
    """The reply to `plan --opponent best`.

    Args:
        goal: The goal, if one is given.
        asked: The options.

    Raises:
        InputError: An option is missing, or does not go with this opponent.
    """
    without = {
        "certify": "--certify",
        "plans": "--plans",
        "record": "--record",
        "without": "--without",
        "dump": "--dump-smt2",
    }
    wrong = [option for name, option in without.items() if asked[name]]
    if goal is None:
        wrong.append("--maximize")
    if wrong:
        help = "leave it out; --format json writes the strategy"
        raise InputError(Diagnostic("usage", f"{wrong[0]} does not go with --opponent best", help=help))
    if asked["within"] is None:
        help = "add --within 1, or 2"
        raise InputError(
            Diagnostic("missing-option", "--opponent best needs --within: the most turns of the side", help=help)
        )
    assert goal is not None
    names = ("side", "within", "minimize", "timeout")
    with progress_shown() as progress:
        answer = start.force(goal, progress=progress, **{name: asked[name] for name in names})
    return Reply("force", answer, _CODES[answer.status])


@click.command()
@GAME
@click.option("--goal", required=True, metavar="EXPR", help="What should become true, such as 'vcp(Axis) >= 50'.")
@click.option("--by", metavar="rules|METRIC", help="All events, with no more than the rules; or a planning model's.")
@QUESTION
@WITHOUT
@DICE
@RECORD
@FORMAT
def reach(
    game: str,
    at: str | None,
    settings: Settings,
    goal: str,
    record: str | None,
    min_odds: Settings,
    hold: Settings,
    **asked: Any,
) -> Reply:
    """Find out whether a goal can be reached at all.

    By all events of the rules, under what the game assumes beyond its text, such as borders for captures; with --by
    rules without that, with --by METRIC by the steps of a planning model.

    A goal may speak of the last event: before(EXPR), happens(EVENT, name=value, ...), actor(SIDE or POWER).
    """
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    _may_write(record, asked["dump"], start)
    with progress_shown() as progress:
        answer = start.reach(goal, progress=progress, **chosen(asked))
    return _recorded(Reply("reach", answer, _CODES[answer.status]), record, start, answer.record)


def _may_write(record: str | None, dump: str | None, *games: Game) -> None:
    """Check that the files that a question names can be written, before it is asked."""
    from vclogic.files.output import check_outputs

    check_outputs({"--record": record, "--dump-smt2": dump}, [file for game in games for file in game.setup.files])


def _recorded(reply: Reply, file: str | None, start: Game, found: Recorded | None) -> Reply:
    """Write the position file of a plan or witness, if requested, and return the reply.

    If the plan is not a record that the rules accept, the exit code is NO.
    """
    if file is None or found is None:
        return reply
    if found.events is None:
        return replace(reply, code=NO)
    from vclogic.files.output import write_text

    write_text(file, start.written(found.events))
    return replace(reply, choices={"file": file})


@click.command()
@GAME
@click.option("--goal", required=True, metavar="EXPR", help="What should be true, such as 'vcp(Axis) >= 40'.")
@click.option("--keep", multiple=True, metavar="FACT", help="What must not change, such as owner or 'owner[Russia]'.")
@click.option("--change", multiple=True, metavar="FACT", help="What may change though it tells of earlier turns.")
@click.option("--limit", type=int, default=10, metavar="N", help="How many minimal sets to show. Default: 10.")
@TIMEOUT
@FORMAT
def missing(game: str, at: str | None, settings: Settings, goal: str, **asked: Any) -> Reply:
    """Find the fewest facts to change for a goal.

    Or what forbids it: minimal sets of rules and facts that no position satisfies together with the goal.
    """
    start = load(game, at, settings)
    with progress_shown() as progress:
        answer = start.missing(goal, progress=progress, **chosen(asked))
    return Reply("missing", answer, _CODES[answer.status])


@click.command()
@click.argument("game", metavar="GAME_A")
@click.argument("other", metavar="[GAME_B]", required=False)
@AT
@SET
@click.option("--set-a", multiple=True, metavar="NAME=VALUE", callback=settings_of, help="The same, for GAME_A only.")
@click.option("--set-b", multiple=True, metavar="NAME=VALUE", callback=settings_of, help="The same, for GAME_B only.")
@click.option("--on", metavar="WHAT", help="Compare only an outcome, an observable, an event or an expression.")
@click.option("--within", type=int, metavar="N", help="The most steps of a record.")
@click.option("--numbers", type=int, default=1, metavar="N", help="How many numbers to try in events. Default: 1.")
@TIMEOUT
@RECORD
@FORMAT
def compare(
    game: str,
    other: str | None,
    at: str | None,
    settings: Settings,
    set_a: Settings,
    set_b: Settings,
    record: str | None,
    **asked: Any,
) -> Reply:
    """Find where two rule sets disagree, or prove that they never do.

    GAME_B is GAME_A where it is left out. Exit codes: 0 equal; 1 they differ.
    --record writes the record that leads to a difference, with the settings of GAME_A.
    """
    a = load(game, at, [*settings, *set_a])
    b = load(other or game, at, [*settings, *set_b])
    _may_write(record, asked["dump"], a, b)
    with progress_shown() as progress:
        answer = a.compare(b, progress=progress, **chosen(asked))
    return _recorded(Reply("compare", answer, _CODES[answer.status]), record, a, answer.record)


@click.command()
@GAME
@click.option("--goal", metavar="EXPR", help="Find a plan as `plan` does, and draw its moves.")
@click.option("--minimize", metavar="METRIC", help="What that plan is to save.")
@QUESTION
@DICE
@click.option("--plan-file", metavar="FILE", help="Draw the steps of an answer that was written as JSON.")
@click.option("--turn", type=int, metavar="N", help="One turn of the plan alone, as the turns before leave the map.")
@click.option(
    "--objectives", "briefed", is_flag=True, help="Draw what `objectives` answers; the options below are for that."
)
@BRIEFING
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
    min_odds: Settings,
    hold: Settings,
    **asked: Any,
) -> Reply:
    """Draw a position as SVG, with a plan's moves on it or what a side has to know of objectives.

    With --objectives the map is drawn in any case, and exit codes are those of `objectives`.
    """
    from vclogic.draw.svg import svg
    from vclogic.files.output import check_outputs, write_text
    from vclogic.query.answers import Plan, Rendered

    _check_wish(plan_file, {**asked, "min_odds": min_odds or None, "hold": hold or None})
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    written = {"--output": None if output == "-" else output, "--dump-smt2": asked["dump"]}
    check_outputs(written, [*start.setup.files, *([plan_file] if plan_file else [])])
    start.picture()  # a game without pictures is told before anything is searched
    picture, code = _pictured(start, plan_file, asked)
    if isinstance(picture, Plan):
        return Reply("plan", picture, code)
    text, file = svg(picture), None if output == "-" else output
    if file is not None:
        write_text(file, text)
    turns = tuple(c.step for c in picture.captions if not c.hollow)
    answer = Rendered(picture.title, file, len(picture.regions), turns, text)
    return Reply("render", answer, code, raw=None if file else text)


def _pictured(start: Game, plan_file: str | None, asked: dict[str, Any]) -> tuple[Picture | Plan, int]:
    """The picture that is asked for, or the answer that there is no plan; with the exit code."""
    from vclogic.query.plan_file import read_steps

    goal, turn, briefed = (asked.pop(name) for name in ("goal", "turn", "briefed"))
    about = {name: asked.pop(name) for name in _BRIEFED}
    if briefed:
        with progress_shown() as progress:
            found = start.objectives(goal, progress=progress, **chosen(asked), **about)
        return start.picture(found), _CODES[found.status]
    if goal is None:
        steps, battles = read_steps(plan_file) if plan_file else ((), None)
        return start.picture(steps, turn, battles), YES
    with progress_shown() as progress:
        plan = start.plan(goal, progress=progress, **chosen(asked))
    return (start.picture(plan, turn) if _CODES[plan.status] == YES else plan), _CODES[plan.status]


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
