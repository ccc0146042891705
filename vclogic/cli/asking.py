"""The commands that ask a question of a game: their options are the fields of the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from vclogic.cli.options import (
    AT,
    BEST,
    CODES,
    DICE,
    FORMAT,
    GAME,
    NO,
    RECORD,
    SET,
    TRUST,
    UNKNOWN,
    VIEW,
    WITH,
    YES,
    QuestionCommand,
    Reply,
    Settings,
    load,
    load_by_dice,
    load_two,
    load_version,
    output_file,
    settings_of,
)
from vclogic.cli.terminal import progress_shown
from vclogic.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from vclogic.game import Game
    from vclogic.query.answers import Recorded
    from vclogic.query.ask.answer import Ruled


def _answer(kind: str, start: Game, asked: Mapping[str, Any]) -> Any:
    """The answer to a question, whose progress is shown meanwhile."""
    with progress_shown() as progress:
        return getattr(start, kind)(progress=progress, **asked)


def _reply(kind: str, start: Game, asked: Mapping[str, Any], **choices: object) -> Reply:
    answer = _answer(kind, start, asked)
    return Reply(kind, answer, CODES[answer.status], choices=choices)


@click.command(cls=QuestionCommand)
@GAME
@VIEW
@DICE
@RECORD
@FORMAT
def plan(
    game: str,
    at: str | None,
    settings: Settings,
    record: str | None,
    min_odds: Settings,
    hold: Settings,
    **asked: Any,
) -> Reply:
    """Find the cheapest way to a goal, and prove it.

    With --opponent best and --within N: whether the side can force the goal within N of its turns, whatever the
    others do, with the strategy.
    """
    goal = asked["goal"]
    if (goal is None) == (asked["maximize"] is None):
        problem = "--goal or --maximize is missing" if goal is None else "give --goal or --maximize, not both"
        help = "write --goal 'vcp(Axis) >= 40' or --maximize 'vcp(Axis)'"
        raise InputError(Diagnostic("missing-option" if goal is None else "usage", problem, help=help))
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    if asked["opponent"] == BEST:
        return _against_the_best(start, asked, record)
    return _recorded("plan", start, asked, record)


def _against_the_best(start: Game, asked: Mapping[str, Any], record: str | None) -> Reply:
    """The reply to `plan --opponent best`.

    Raises:
        InputError: An option is missing, or does not go with this opponent.
    """
    without = {
        "--certify": asked["certify"],
        "--plans": asked["plans"] != 1,
        "--record": record,
        "--without": asked["without"],
        "--dump-smt2": asked["dump"],
        "--maximize": asked["maximize"],
    }
    wrong = [option for option, given in without.items() if given]
    if wrong:
        help = "leave it out; --format json writes the strategy"
        raise InputError(Diagnostic("usage", f"{wrong[0]} does not go with --opponent best", help=help))
    if asked["within"] is None:
        help = "add --within 1, or 2"
        message = "--opponent best needs --within: the most turns of the side"
        raise InputError(Diagnostic("missing-option", message, help=help))
    return _reply("force", start, {name: asked[name] for name in ("goal", "side", "within", "minimize", "timeout")})


@click.command(cls=QuestionCommand)
@GAME
@VIEW
@DICE
@RECORD
@FORMAT
def reach(
    game: str,
    at: str | None,
    settings: Settings,
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
    return _recorded("reach", load_by_dice(game, at, settings, [*min_odds, *hold]), asked, record)


def _recorded(kind: str, start: Game, asked: Mapping[str, Any], file: str | None, *others: Game) -> Reply:
    """The reply to a question; the plan or witness is written as a position file, if requested.

    If it is not a record that the rules accept, the exit code is NO.

    Args:
        file: The file to write.
        others: Other games whose files must not be overwritten.
    """
    from vclogic.files.output import check_outputs, write_text

    files = [name for game in (start, *others) for name in game.setup.files]
    check_outputs({"--record": file, "--dump-smt2": asked["dump"]}, files)
    reply = _reply(kind, start, asked)
    found: Recorded | None = getattr(reply.answer, "record", None)
    if file is None or found is None:
        return reply
    if found.events is None:
        return replace(reply, code=NO)
    write_text(file, start.written(found.events))
    return replace(reply, choices={"file": file})


@click.command(cls=QuestionCommand)
@GAME
@FORMAT
def missing(game: str, at: str | None, settings: Settings, **asked: Any) -> Reply:
    """Find the fewest facts to change for a goal.

    Or what forbids it: minimal sets of rules and facts that no position satisfies together with the goal.
    """
    return _reply("missing", load(game, at, settings), asked)


@click.command(cls=QuestionCommand)
@click.argument("game", metavar="GAME_A")
@click.argument("other", metavar="[GAME_B]", required=False)
@AT
@SET
@TRUST
@click.option("--set-a", multiple=True, metavar="NAME=VALUE", callback=settings_of, help="The same, for GAME_A only.")
@click.option("--set-b", multiple=True, metavar="NAME=VALUE", callback=settings_of, help="The same, for GAME_B only.")
@WITH
@click.option(
    "--against",
    metavar="REVISION|FOLDER|FILE",
    help="Instead of GAME_B: GAME_A as of a revision in git (HEAD), as in a folder, or with a file's rules as text.",
)
@RECORD
@FORMAT
def compare(
    game: str,
    other: str | None,
    at: str | None,
    settings: Settings,
    set_a: Settings,
    set_b: Settings,
    against: str | None,
    record: str | None,
    **asked: Any,
) -> Reply:
    """Find where two rule sets disagree, or prove that they never do.

    GAME_B is GAME_A where it is left out. Exit codes: 0 equal; 1 they differ.
    --record writes the record that leads to a difference, with the settings of GAME_A.
    """
    if against is None:
        a, b = load_two((game, set_a, "--set-a"), (other or game, set_b, "--set-b"), at=at, settings=settings)
        return _recorded("compare", a, {"other": b, **asked}, record, b)
    if other is not None:
        raise InputError(Diagnostic("usage", "give GAME_B or --against, not both", help="leave one of them out"))
    from vclogic.files.versions import another_version

    a = load(game, at, [*settings, *set_a])
    with another_version(a.setup, against) as version:
        with version.read():
            b = load_version(version, game, at, [*settings, *set_b])
        return _recorded("compare", a, {"other": b, **asked}, record, b)


@click.command(cls=QuestionCommand)
@GAME
@DICE
@click.option("--all", "whole", is_flag=True, help="Show every set that is listed, each with its plan.")
@FORMAT
def objectives(
    game: str,
    at: str | None,
    settings: Settings,
    min_odds: Settings,
    hold: Settings,
    whole: bool,
    **asked: Any,
) -> Reply:
    """Brief a side: what wins, what denies it, what threatens.

    The sets of objectives that are enough for the goal, what every plan takes, what the enemy must keep, what each
    objective is worth, what the enemy threatens and what stops it, and the next steps.

    Exit codes: 0 there is a plan, or the goal holds; 1 there is none within the limit; 3 unknown.
    """
    start = load_by_dice(game, at, settings, [*min_odds, *hold])
    return _reply("objectives", start, asked, whole=whole)


@click.command(cls=QuestionCommand)
@GAME
@FORMAT
def force(game: str, at: str | None, settings: Settings, **asked: Any) -> Reply:
    """Find out whether a side can force a goal, whatever the others do.

    With the strategy; or with what the others answer to every turn.
    """
    return _reply("force", load(game, at, settings), asked)


@click.command(cls=QuestionCommand)
@GAME
@click.option("--goal", required=True, metavar="EXPR", help="The goal of the plan, as it was asked for.")
@click.option("--plan-file", required=True, metavar="FILE", help="The answer of `plan` in JSON; - is standard input.")
@FORMAT
def survives(game: str, at: str | None, settings: Settings, goal: str, plan_file: str, **asked: Any) -> Reply:
    """Find the strongest reply to a plan, and whether the plan survives it.

    The plan starts at this position, and its planning model has turns.
    """
    from vclogic.query.plan.file import read_plan

    start = load(game, at, settings)
    return _reply("survives", start, {"plan": read_plan(plan_file, goal, start.setup.game), **asked})


@click.command(cls=QuestionCommand)
@GAME
@FORMAT
def defend(game: str, at: str | None, settings: Settings, **asked: Any) -> Reply:
    """Find the fewest moves now that prevent a threat.

    After them the others cannot force the threat within N turns of theirs.
    """
    return _reply("defend", load(game, at, settings), asked)


@click.command(cls=QuestionCommand)
@GAME
@click.option("--table", metavar="FILE", callback=output_file, help="Also write best play from every position (npz).")
@RECORD
@FORMAT
def solve(
    game: str, at: str | None, settings: Settings, table: str | None, record: str | None, **asked: Any
) -> Reply:
    """Find out who wins a small game if both sides play well.

    Every position that play can reach is looked at. Of more than two sides one (--side) plays against all others.
    """
    from vclogic.files.output import check_outputs, write_bytes, write_text

    start = load(game, at, settings)
    check_outputs({"--table": table, "--record": record}, start.setup.files)
    answer = _answer("solve", start, asked)
    files: dict[str, object] = {}
    if table is not None and answer.table is not None:
        write_bytes(table, answer.table.as_bytes())
        files["table"] = table
    if record is not None and answer.record is not None:
        write_text(record, start.written(answer.record.events or ()))
        files["file"] = record
    return Reply("solve", answer, CODES[answer.status], choices=files)


@click.command(cls=QuestionCommand)
@click.argument("game", metavar="GAME")
@SET
@TRUST
@click.option("--svg", metavar="FILE", callback=output_file, help="Also write a bar chart of who is left.")
@FORMAT
def odds(game: str, settings: Settings, svg: str | None, **asked: Any) -> Reply:
    """Find out what the dice make of a battle.

    The chance to take the place, the losses to expect, and who is left. UNITS are kinds with their numbers.
    """
    from vclogic.files.output import check_outputs, write_text

    start = load(game, None, settings)
    check_outputs({"--svg": svg}, start.setup.files)
    answer = _answer("odds", start, asked)
    if answer.odds is None:
        return Reply("odds", answer, UNKNOWN)
    if svg is not None:
        write_text(svg, answer.svg())
    return Reply("odds", answer, choices={"svg": svg})


@click.command(cls=QuestionCommand)
@GAME
@click.argument("question", metavar="QUESTION")
@click.option(
    "--explain",
    type=click.Choice(["all"]),
    metavar="=all",
    help="Add everything that it rests on, met or not.",
)
@click.option("--sheet", metavar="FILE.md", callback=output_file, help="Also write a ruling sheet, to print or cite.")
@click.option("-o", "--output", metavar="FILE.svg", callback=output_file, help="Also draw what decides it.")
@FORMAT
def ask(
    game: str,
    at: str | None,
    settings: Settings,
    explain: str | None,
    sheet: str | None,
    output: str | None,
    **asked: Any,
) -> Reply:
    """Ask for a ruling: what, why, and by which Reading.

    QUESTION is an expression ('controls_building(German, 22U3)'), an event as in a record
    ('place: {power: Germans, unit: infantry, territory: Kiev}'), or an outcome with its side ('major_victory Axis').

    Exit codes: 0 yes, or it has that value; 1 no; 3 undefined.
    """
    from vclogic.files.output import check_outputs, write_text
    from vclogic.files.source import STDIN

    start = load(game, at, settings)
    check_outputs({"--sheet": sheet, "-o": output}, start.setup.files)
    if output == STDIN:
        message = "the ruling is printed there, so the picture cannot be"
        raise InputError(Diagnostic("usage", message, "-o", help="name a file for the picture"))
    if output is not None:
        start.picture()  # a game without pictures is told before anything is looked for
    answer = _answer("ask", start, {"explain": explain == "all", **asked})
    if sheet is not None:
        write_text(sheet, _sheet(start, answer))
    if output is not None:
        write_text(output, start.svg(answer))
    code = UNKNOWN if answer.value is None else NO if answer.value is False else YES
    return Reply("ask", answer, code)


def _sheet(start: Game, answer: Ruled) -> str:
    """The ruling sheet of today."""
    import datetime

    from vclogic.report.sheet import sheet

    today = datetime.datetime.now(tz=datetime.UTC).date()
    title, stands = start.setup.encoding.title, start.status(position=True).position
    return sheet(answer, title=title, position=start.written(), date=today, stands=stands)
