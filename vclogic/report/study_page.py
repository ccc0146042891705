"""The report of a study for people: tables and charts, as one HTML file or as Markdown with pictures beside it."""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError
from vclogic.files.output import write_text
from vclogic.files.registry import RULEBOOK, texts_of
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game
from vclogic.model.picture import SHADES, RegionNote
from vclogic.report.html_page import html_page
from vclogic.report.markdown import listed, said, section, table
from vclogic.report.page_link import page_link, position_and_steps
from vclogic.studies.answer import StudyAnswer
from vclogic.studies.charts import heat_map, lengths, sweep, win_rates
from vclogic.studies.folder import rows_of
from vclogic.studies.playtest import events_of
from vclogic.studies.run import game_of, playtest_of
from vclogic.words import amount, joined

_MOST = 60  # rows of a table
_GAMES = 4  # that are written to be looked at
_IMAGE = re.compile(r'<p><img src="([^"]+)" alt="([^"]*)" /></p>')


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        name: The name of its file, without the ending.
        words: What it shows.
        svg: Its text.
    """

    name: str
    words: str
    svg: str


class WrittenGame(NamedTuple):
    """A game that is written to be looked at.

    Attributes:
        file: Its file.
        words: Why it is worth a look; empty for the rulebook that it is played by.
        text: The position file.
        link: What opens its end on the page; None: no link can be so long.
    """

    file: str
    words: str
    text: str
    link: str | None = None


def write_report(answer: StudyAnswer, path: str) -> StudyAnswer:
    """Writes the report of a study.

    Args:
        path: A file that ends with `.html`, which then holds everything; or with `.md`, with the charts beside it.

    Returns:
        The answer with the names of the files that were written.

    Raises:
        InputError: A file cannot be written, or its name ends otherwise.
    """
    check_name(path)
    charts = list(_charts(answer))
    games = list(_games(answer, os.path.splitext(path)[0]))
    text = "\n\n".join(_markdown(answer, charts, games))
    files = [path]
    for game in games:
        write_text(game.file, game.text)
        files.append(game.file)
    if path.endswith(".html"):
        write_text(path, _html(answer, text, charts))
    else:
        for chart in charts:
            files.append(os.path.join(os.path.dirname(path), f"{chart.name}.svg"))
            write_text(files[-1], chart.svg)
        write_text(path, text + "\n")
    return replace(answer, files=tuple(files))


def check_name(path: str) -> None:
    """Check the name of a report.

    Raises:
        InputError: It ends neither with `.html` nor with `.md`.
    """
    if not path.endswith((".html", ".md")):
        raise InputError(Diagnostic("bad-value", f"{path!r} ends neither with .html nor with .md", "--report"))


# ---- what it shows


def _charts(answer: StudyAnswer) -> Iterator[Chart]:
    cells = answer.cells
    if not cells:
        return
    side = next(iter(cells[0].wins), "")
    numbers = [n for n in answer.varying if all(str(c.cell[n]).lstrip("-").isdigit() for c in cells)]
    if side and len(answer.varying) == 1 and numbers:
        yield Chart("sweep", f"How often {side} wins", sweep(cells, numbers[0], side))
    elif side and len(answer.varying) >= 2:
        x, y = (*numbers, *(n for n in answer.varying if n not in numbers))[:2]
        yield Chart("heat", f"How often {side} wins, by {x} and {y}", heat_map(cells, x, y, side))
    yield Chart("rates", "How often each side wins", win_rates(cells))
    yield Chart("lengths", "How long the games are", lengths(cells))
    board = _board(answer)
    if board:
        yield Chart("board", "How often places changed hands: the darker, the more often", board)


def _board(answer: StudyAnswer) -> str:
    """The board at the start, its places shaded by how often they changed hands; empty where none did."""
    from vclogic.draw.svg import svg

    assert answer.read is not None
    game = game_of(answer.read, answer.read.cells[0])
    if game.loaded.setup.system.drawing is None:
        return ""
    picture = game.picture()
    known = {r.name for r in picture.regions}
    changed: Counter[str] = Counter()
    for cell in answer.cells:
        for fact, number in cell.changed.items():
            for place in re.findall(r"[^\[\],]+", fact.partition("[")[2]):
                if place.strip() in known:
                    changed[place.strip()] += number
    if not changed:
        return ""
    most, games = max(changed.values()), sum(c.games for c in answer.cells)
    marks = tuple(
        RegionNote(place, (place,), each, (SHADES - 1) * n // most, words=f"changed hands {each} times a game")
        for place, n, each in ((place, n, f"{n / games:.2g}") for place, n in changed.items())
    )
    return svg(replace(picture, marks=marks))


def _markdown(answer: StudyAnswer, charts: Sequence[Chart], games: Sequence[WrittenGame]) -> Iterator[str]:
    yield f"# {said(os.path.basename(answer.study))}"
    yield f"{answer.rows:,} rows in {said(answer.folder)}."
    if answer.balance is not None:
        yield said(f"A{str(answer.balance)[1:]}.")
    for chart in charts:
        yield from section(said(chart.words), [f"![{said(chart.words)}]({chart.name}.svg)"])
    if answer.cells:
        yield from section("Cells", [_table(answer)])
    if answer.effects:
        lines = [[effect.name, value, of] for effect in answer.effects for value, of in effect.rates]
        heads = ["", "value", f"{answer.effects[0].side} wins"]
        yield from section("What each thing that varies does", [table(heads, lines)])
    if answer.answers:
        names = list(dict.fromkeys(n for row in answer.answers for n in row))
        rows = [[row.get(n, "") for n in names] for row in answer.answers[:_MOST]]
        yield from section("Answers", [table(names, rows)])
    if answer.elo:
        rated = sorted(answer.elo.items(), key=lambda x: -x[1])
        yield from section("Players", [table(["player", "Elo"], [[n, f"{e:,.0f}"] for n, e in rated])])
    opened = "Each is a position file, which also opens on the page while `vclogic serve` runs in this folder."
    if games:
        yield from section("Games to look at", [opened, listed(_open(g) for g in games if g.words)])
    yield from section("Assumptions", [listed(map(said, answer.assumptions))])


def _table(answer: StudyAnswer) -> str:
    sides = list(answer.cells[0].wins)
    heads = [*answer.varying, "games", *(f"{s} wins" for s in sides), "nobody", "first to decide wins", "ended by"]
    lines = []
    for c in answer.cells[:_MOST]:
        by = ", ".join(f"{name} {n}" for name, n in c.outcomes.items())
        rates = [str(c.wins[s]) for s in sides]
        lines.append([*(c.cell[n] for n in answer.varying), c.games, *rates, str(c.drawn), str(c.first), by])
    return table(heads, lines)


# ---- games to look at


def _games(answer: StudyAnswer, beside: str) -> Iterator[WrittenGame]:
    """The shortest and the longest game and those with the rarest outcomes: file, words, text."""
    if not answer.cells or answer.read is None:
        return
    rows = list(rows_of(answer.table()))
    seen = Counter((r["outcome"], r["winner"]) for r in rows)
    picked = [
        ("the shortest", min(rows, key=lambda r: r["events"])),
        ("the longest", max(rows, key=lambda r: r["events"])),
    ]
    for of in sorted(seen, key=lambda of: seen[of])[: _GAMES - 2]:
        row = next(r for r in rows if (r["outcome"], r["winner"]) == of)
        picked.append((f"one of {seen[of]} that end by {of[0] or 'nothing'}", row))
    for i, (words, row) in enumerate(picked, 1):
        cell = next(c for c in answer.read.cells if all(row.get(n) == v for n, v in c.columns.items()))
        game = game_of(answer.read, cell)
        record = events_of(game, playtest_of(answer.read, cell), row["seed"])
        whom = joined(row["winners"]) or "nobody"
        said = f"{words}: seed {row['seed']}, {amount(row['events'], 'events')}, won by {whom}"
        yield from _files(f"{beside}-game-{i}", said, game, game.written(record), answer.read.said.page)


def _files(beside: str, words: str, game: Game, text: str, page: str) -> Iterator[WrittenGame]:
    """The position file of a game, and the rulebook under its numbers, which may be no file yet."""
    position, steps = position_and_steps(parse(Source(beside, text)))
    texts = texts_of(game.setup.request.name)
    if texts:
        (name, rules), *more = texts
        here = (
            os.path.relpath(name, os.path.dirname(beside) or os.curdir)
            if more
            else os.path.basename(beside) + RULEBOOK
        )
        text, position["game"] = text.replace(name, here, 1), here
        if not more:
            yield WrittenGame(beside + RULEBOOK, "", rules)
    yield WrittenGame(f"{beside}.yaml", words, text, page_link(page, position, steps))


def _open(game: WrittenGame) -> str:
    name, words = os.path.basename(game.file), said(game.words)
    return f"{words if game.link is None else f'[{words}]({game.link})'} ([{said(name)}](<{name}>))"


# ---- HTML


def _html(answer: StudyAnswer, text: str, charts: Sequence[Chart]) -> str:
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    drawn = {f"{c.name}.svg": c for c in charts}

    def figure(found: re.Match[str]) -> str:
        chart = drawn[found[1]]
        return f"<figure>{chart.svg}<figcaption>{html.escape(chart.words)}</figcaption></figure>"

    return html_page(os.path.basename(answer.study), f'<main class="page">\n{_IMAGE.sub(figure, body)}</main>')
