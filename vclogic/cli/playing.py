"""The commands about play against an opponent, and about the dice."""

from __future__ import annotations

from typing import Any

import click

from vclogic.cli.options import (
    BRIEFING,
    DICE,
    FORMAT,
    GAME,
    NO,
    RECORD,
    SET,
    TIME,
    UNKNOWN,
    YES,
    Reply,
    Settings,
    load,
    load_by_dice,
    output_file,
)
from vclogic.cli.terminal import progress_shown

_CODES = {
    **dict.fromkeys(("defended", "optimal", "feasible"), YES),
    **dict.fromkeys(("lost", "impossible"), NO),
    "unknown": UNKNOWN,
}


@click.command()
@GAME
@click.option("--max-positions", type=int, metavar="N", help="Look at no more positions than about so many.")
@click.option("--table", metavar="FILE", callback=output_file, help="Also write best play from every position (npz).")
@click.option("--no-check", "unchecked", is_flag=True, help="Leave out the check of every position at the end.")
@TIME
@RECORD
@FORMAT
def solve(
    game: str,
    at: str | None,
    settings: Settings,
    table: str | None,
    record: str | None,
    unchecked: bool,
    **asked: Any,
) -> Reply:
    """Find out who wins a small game if both sides play well.

    Every position that play can reach is looked at. For games of two sides.
    """
    from vclogic.files.output import check_outputs, write_bytes, write_text

    start = load(game, at, settings)
    check_outputs({"--table": table, "--record": record}, start.setup.files)
    with progress_shown() as progress:
        answer = start.solve(progress=progress, check=not unchecked, **asked)
    files: dict[str, object] = {}
    if table is not None and answer.table is not None:
        write_bytes(table, answer.table.as_bytes())
        files["table"] = table
    if record is not None and answer.record is not None:
        write_text(record, start.written(answer.record.events or ()))
        files["file"] = record
    return Reply("solve", answer, YES if answer.status == "solved" else UNKNOWN, choices=files)


@click.command()
@GAME
@click.option("--threat", required=True, metavar="EXPR", help="What must not come, such as 'vcp(Axis) >= 40'.")
@click.option(
    "--side",
    metavar="SIDE",
    help="Who defends, on turn now. By default whom the threat does not name.",
)
@click.option("--within", type=int, default=1, metavar="N", help="For how many turns of the others. Default: 1.")
@click.option("--minimize", metavar="METRIC", help="The planning model whose steps are the turns.")
@click.option("--idle", is_flag=True, help="The side does nothing in its later turns, instead of what is best.")
@TIME
@FORMAT
def defend(game: str, at: str | None, settings: Settings, **asked: Any) -> Reply:
    """Find the fewest moves now that prevent a threat.

    After them the others cannot force the threat within N turns of theirs.
    """
    start = load(game, at, settings)
    with progress_shown() as progress:
        answer = start.defend(progress=progress, **asked)
    return Reply("defend", answer, _CODES[answer.status])


@click.command()
@GAME
@click.option("--goal", metavar="EXPR", help="What the side wants. Default: any of its outcomes.")
@click.option("--side", metavar="SIDE", help="Who plans. Needed only if the goal does not name exactly one side.")
@click.option("--within", type=int, metavar="N", help="The most counted steps. Default: those of the plan found.")
@click.option("--minimize", metavar="METRIC", help="What plans are to save; `vclogic rules GAME` lists them.")
@click.option(
    "--opponent", default="idle", metavar="idle|helps", help="idle passes (default); helps makes any legal step."
)
@BRIEFING
@DICE
@click.option("--all", "whole", is_flag=True, help="Show every set that is listed, each with its plan.")
@TIME
@FORMAT
def objectives(
    game: str,
    at: str | None,
    settings: Settings,
    goal: str | None,
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
    with progress_shown() as progress:
        answer = start.objectives(goal, progress=progress, **asked)
    return Reply("objectives", answer, _CODES[answer.status], choices={"whole": whole})


@click.command()
@click.argument("game", metavar="GAME")
@SET
@click.option("--attack", required=True, metavar="UNITS", help="Who attacks, such as 'armour: 3, fighter: 2'.")
@click.option("--defend", metavar="UNITS", help="Who defends. Needed only without --at.")
@click.option(
    "--at", metavar="PLACE", help="Where; by default against those who stand there. Positions are the GAME."
)
@click.option("--side", metavar="SIDE|POWER", help="Who attacks, where units of both sides are in PLACE.")
@click.option("--landing", is_flag=True, help="The land units come from the sea: they cannot retreat.")
@click.option(
    "--guns", default="", metavar="UNITS", help="Ships that bombard for a landing, such as 'battleship: 1'."
)
@click.option(
    "--attackers-fall", default="", metavar="KINDS", help="Whom the attacker loses first: 'infantry, armour'."
)
@click.option("--defenders-fall", default="", metavar="KINDS", help="Whom the defender loses first.")
@click.option("--no-keep", is_flag=True, help="The attacker does not keep a land unit to the last.")
@click.option("--rounds", type=int, metavar="N", help="The attacker retreats after N rounds.")
@click.option("--retreat-at", type=int, metavar="N", help="The attacker retreats once it has N units or fewer.")
@click.option("--exact", is_flag=True, help="Count in fractions, which takes longer.")
@click.option("--svg", metavar="FILE", callback=output_file, help="Also write a bar chart of who is left.")
@TIME
@FORMAT
def odds(
    game: str,
    settings: Settings,
    attack: str,
    no_keep: bool,
    svg: str | None,
    **asked: Any,
) -> Reply:
    """Find out what the dice make of a battle.

    The chance to take the place, the losses to expect, and who is left. UNITS are kinds with their numbers.
    """
    from vclogic.files.output import check_outputs, write_text

    start = load(game, None, settings)
    check_outputs({"--svg": svg}, start.setup.files)
    answer = start.odds(attack, keep=not no_keep, **asked)
    if answer.odds is None:
        return Reply("odds", answer, UNKNOWN)
    if svg is not None:
        write_text(svg, answer.svg())
    return Reply("odds", answer, choices={"svg": svg})
