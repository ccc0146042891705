"""The commands of whoever writes rules: `test` in rulings, `check` in rules, `explain`; `new` and `schema`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from vclogic.cli.options import (
    FORMAT,
    GAME,
    INTERNAL,
    NO,
    TRUST,
    YES,
    QuestionCommand,
    Reply,
    Settings,
    load,
    output_file,
    seconds_of,
)
from vclogic.cli.terminal import progress_shown
from vclogic.errors import Diagnostic, InputError, RulesError, quoted

if TYPE_CHECKING:
    from vclogic.check.findings import Checked
    from vclogic.game import Game

STDOUT = "-"
_ALL_SECONDS = 120.0


def _folder(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    if path is not None and not os.path.isdir(path):
        raise click.BadParameter(f"there is no folder {quoted(path)}", context, parameter)
    return path


@click.command()
@click.argument("targets", metavar="FILE|FOLDER|GAME...", nargs=-1, required=True)
@click.option("--cites", is_flag=True, help="Compare the clauses that a game's own rulings cite, too.")
@TRUST
@click.option("--all", "whole", is_flag=True, help="Try all that every game has to do: FILE is a rulebook, then.")
@click.option(
    "--timeout", metavar="SECONDS", type=float, callback=seconds_of, help="With --all: the time for it (default 120)."
)
@FORMAT
def test(targets: tuple[str, ...], cites: bool, whole: bool, timeout: float | None) -> Reply:
    """Try rulings: those of a file, of all files of a folder, or a game's own.

    A ruling in a file of your own fails, too, where a clause that it cites does not decide what it expects. With
    --all, more is asked of the games named, and of the rulebooks in the folders named: that each event can happen,
    keeps the laws and has a ruling, that positions and plans come out as they should, and so on.

    Exit code 1 where a ruling fails or a demand is not met, 2 where a file or a rulebook has a fault, 70 where the
    rules themselves break down over a ruling.
    """
    from vclogic.query.test.rulings import test_all

    if not whole:
        if timeout is not None:
            raise InputError(Diagnostic("usage", "--timeout goes with --all", help="rulings take no time limit"))
        answer = test_all(targets, cites=cites)
        return Reply("test", answer, INTERNAL if answer.broken else NO if answer.failed else YES)
    from vclogic.conformance.demands import demanded, games_of

    games = games_of(targets)
    tested = test_all(games, cites=cites)
    with progress_shown() as progress:
        answer = demanded(tested, games, timeout=timeout or _ALL_SECONDS, progress=progress)
    assert answer.demanded is not None
    return Reply("test", answer, NO if answer.failed or answer.demanded.missed else YES)


@click.command(cls=QuestionCommand)
@GAME
@click.option(
    "--witnesses", metavar="FOLDER", callback=_folder, help="Write the position of each finding there as a file."
)
@click.option(
    "--accept",
    metavar="IDS",
    multiple=True,
    help="With --rulings: write the rulings of these questions, or of all, with today's answers.",
)
@click.option("--summary", is_flag=True, help="GAME is a folder of scenario cards: a row for each of them.")
@click.option(
    "--sheets", metavar="FOLDER", callback=_folder, help="With --summary: write what each side needs, a sheet a card."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="Text for people (default), JSON, SARIF 2.1.0, or GitHub annotations.",
)
def check(
    game: str,
    at: str | None,
    settings: Settings,
    form: str,
    witnesses: str | None,
    summary: bool,
    sheets: str | None,
    accept: tuple[str, ...],
    **asked: Any,
) -> Reply:
    """Look for faults of the rule set: contradictions, gaps, what can never be met.

    Exit code 1 with a finding that is not accepted; what could not be decided is listed and does not count.
    """
    if at is not None and asked["rulings"]:
        message = "--rulings looks at the lines of a file, whatever the position: leave --at out"
        raise InputError(Diagnostic("usage", message))
    if summary or _is_folder(game):
        return _cards(game, settings, sheets, asked)
    try:
        start = load(game, at, settings)
        if witnesses is not None:
            from vclogic.check.run import check_folder

            check_folder(witnesses, start.setup.files)
        with progress_shown() as progress:
            asked["progress"] = progress
            answer = _accepted(start, accept, asked) if accept else start.check(**asked)
    except RulesError as error:  # to this command the rules are the input
        raise InputError(error.diagnostic) from error
    files = {}
    if witnesses is not None:
        from vclogic.check.run import write_witnesses

        files = write_witnesses(answer, witnesses)
    raw = None
    if form in ("sarif", "github"):
        from vclogic.report import code_hosts

        raw = getattr(code_hosts, form)(answer)
    return Reply("check", answer, NO if answer.open else YES, choices={"files": files}, raw=raw)


def _accepted(start: Game, accept: tuple[str, ...], asked: Mapping[str, Any]) -> Checked:
    """Write the rulings of some questions; what is left of them is open."""
    from vclogic.check.question import CheckQuestion
    from vclogic.check.rulings.untested_rules import untold
    from vclogic.query.question import request

    question = CheckQuestion(**asked)
    if not question.rulings:
        raise InputError(Diagnostic("usage", "--accept writes what `check --rulings` asks: give both"))
    ids = [part.strip() for each in accept for part in each.split(",")]
    found = untold(request(start, question), (question.select, question.ignore), () if ids == ["all"] else ids)
    found.write()
    written = ", ".join(found.after)
    accepted = (replace(f, suppressed=f"its ruling stands in {written} now") for f in found.checked.findings)
    return replace(found.checked, findings=tuple(accepted))


def _is_folder(game: str) -> bool:
    """True if a word is a folder, and no game is called so."""
    from vclogic.files.position import is_path

    return os.path.isdir(game) and is_path(game)


def _cards(folder: str, settings: Settings, sheets: str | None, asked: Mapping[str, Any]) -> Reply:
    """The scenario cards of a folder, a row for each."""
    import time

    from vclogic.check.cards import LOOKED_FOR, Card, Cards, cards_in
    from vclogic.check.question import CheckQuestion
    from vclogic.check.run import check
    from vclogic.files.output import write_text
    from vclogic.progress import Progress
    from vclogic.query.question import request
    from vclogic.report.card_sheet import card_sheet

    began, found = time.monotonic(), list[Card]()
    question = CheckQuestion(**{**asked, "select": asked.get("select") or LOOKED_FOR})
    codes = question.select, question.ignore
    with progress_shown() as progress:
        for file in cards_in(folder):
            progress(Progress(f"looking at {file.path}"))
            card = Card(file.path, file.game, file.title)
            try:
                start = load(file.path, None, settings)
                checked = check(
                    request(start, question), question.scope, codes, smallest=False
                )  # no witness is shown
                found.append(card.looked_at([*start.sides], start.status().outcomes, checked))
            except (InputError, RulesError) as error:
                wrong = error.diagnostics if isinstance(error, InputError) else (error.diagnostic,)
                found.append(replace(card, errors=tuple(wrong)))
    for card in found if sheets is not None else ():
        if not card.errors:
            write_text(os.path.join(str(sheets), card.sheet_name), card_sheet(card))
    answer = Cards(folder, tuple(found), time.monotonic() - began)
    return Reply("cards", answer, YES if answer.sound else NO)


@click.command()
@click.argument("code", required=False, metavar="[CODE]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    help="Text for people (default), JSON for programs, or Markdown for documents.",
)
def explain(code: str | None, form: str) -> Reply:
    """Explain a finding code of `check`, or list them all."""
    from vclogic.check.catalogue import CATALOGUE, code_of

    codes = tuple(CATALOGUE.values()) if code is None else (code_of(code),)
    if form != "markdown":
        return Reply("explain", codes)
    from vclogic.check.catalogue import page

    return Reply("explain", codes, raw=page(codes))


# ---- the commands for a game of one's own


@click.command()
@click.argument("name", metavar="NAME", required=False)
@click.option(
    "--case", "game", metavar="GAME", help="Write a file of rulings on GAME to fill in; NAME is the file then."
)
@TRUST
@click.option("--python", is_flag=True, help="Write the game in Python, as a project of its own.")
@click.option("--package", is_flag=True, help="Write the rulebook in a project of its own, to be installed.")
@click.option(
    "--folder",
    metavar="PATH",
    help="The folder to write into, the working directory by default; with --python or --package the one to make.",
)
@FORMAT
def new(name: str | None, game: str | None, python: bool, package: bool, folder: str | None) -> Reply:
    """Write a small complete game, to change into your own; or rulings on a game, to fill in.

    A rulebook in Markdown that is played as it stands, NAME.md: docs/rulebooks.md leads through it; with --package it
    stands in a project with tests. With --python a project with board, rules, scenario, rulings and tests:
    docs/own_game.md. With --case a file of rulings that hold as they are, with remarks that say what may stand where;
    on a rulebook it is one that includes it.
    """
    if game is not None:
        if python or package:
            other = "--python" if python else "--package"
            help = f"rulings are a file of their own: leave {other} out"
            raise InputError(Diagnostic("usage", f"--case and {other} do not go together", help=help))
        from vclogic.query.test.new_case import write_case

        return Reply("new_case", write_case(game, name, folder))
    if name is None:
        help = "vclogic new my_game writes a game; vclogic new --case GAME writes rulings on a game that there is"
        raise InputError(Diagnostic("usage", "the name of the new game is missing", help=help))
    if python and package:
        help = "a game is written once: leave one of them out"
        raise InputError(Diagnostic("usage", "--python and --package do not go together", help=help))
    from vclogic.files.template import write_game, write_rulebook

    project = python or package
    return Reply("new", write_game(name, folder, text=package) if project else write_rulebook(name, folder))


@click.command("format")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 where a file is not in the style.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=output_file,
    help="Write another file instead, - prints it; where its name ends in .json, the document of the rulebook.",
)
@FORMAT
def format_(files: tuple[str, ...], check: bool, output: str | None) -> Reply:
    """Write the blocks of rulebooks in one style.

    Comments and all that is written for players stay as they are. Nothing is written where a line cannot be read.
    With --output FILE may be the document of a rulebook (NAME.json), too: it becomes Markdown. So does a board in
    YAML that fills a rulebook: format RULES.md BOARD.yaml -o SCENARIO.md; RULES.md may be left out beside it.
    """
    from vclogic.files.text_games.formatting import DOCUMENT, Formatted, converted, format_rulebooks

    if output is None:
        answer = format_rulebooks(files, check=check)
        return Reply("format", answer, NO if check and answer.changed else YES)
    from vclogic.rulebook.markdown.book import BOARDS

    *over, file = files
    if check or len(over) > 1 or (over and not file.endswith(BOARDS)):
        raise InputError(Diagnostic("usage", "--output writes one file, of one rulebook, and checks nothing"))
    folder = "" if output == STDOUT else os.path.dirname(output)
    document = output.endswith(DOCUMENT)
    rules = over[0] if over else None
    text = _written(output, file, lambda: converted(file, document=document, text=rules, folder=folder))
    return Reply("format", Formatted((output,), (), True), raw=text if output == STDOUT else None)


def _written(output: str, file: str, text: Callable[[], str]) -> str:
    """Write what is made of a file, unless it is to be printed."""
    from vclogic.files.output import check_output, write_text

    if output == STDOUT:
        return text()
    check_output(output, [file], "--output")
    found = text()
    write_text(output, found)
    return found


@click.command()
@click.argument("kind", metavar="[KIND]", default="position")
@click.argument("game", metavar="[GAME]", required=False)
@TRUST
@FORMAT
def schema(kind: str, game: str | None) -> Reply:
    """Print the JSON Schema of a kind of file, for editors, or of an answer.

    KIND is position (default), record, scenario, case, board, rules (what `outcomes:` may hold as a document) or
    rulebook (one as a document); with a GAME it knows the game's names and values. Or it is an answer in JSON: ask,
    plan, reach, compare, solve or odds; or a line of `serve`: request or reply.
    """
    from vclogic.report import json
    from vclogic.serve.schemas import schema_of

    answer = schema_of(kind, game)
    return Reply("schema", answer, raw=json.dumps(answer))


@click.command()
@click.argument("file", metavar="GAME")
@click.option(
    "-o", "--output", required=True, metavar="FILE.html", callback=output_file, help="The page to write; - prints it."
)
@TRUST
@FORMAT
def rulebook(file: str, output: str) -> Reply:
    """Write a rulebook for players as one page that opens in any browser.

    The text with its contents, the rules that the program reads folded away, and each ruling with its position. GAME
    is its file, or the name of an installed game that is written as text.
    """
    from vclogic.query.board.players import illustrated
    from vclogic.report.players import page

    found = illustrated(file)
    text = _written(output, file, lambda: page(found))
    return Reply("rulebook", found.written_to(output), raw=text if output == STDOUT else None)
