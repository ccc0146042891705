"""Text report of `solve`: who wins if both sides play well."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group
from rich.text import Text

from vclogic.query.solve.answer import Solved, Stuck
from vclogic.report.text.page import bullets, head, listed, paragraphs, plain, titled, verdict
from vclogic.report.text.steps import footing, steps_table
from vclogic.words import amount, joined, of_side, plural, verb

_SHORT = 16  # characters of a fraction
_MOST_EVENTS = 12  # in a list


def solve(answer: Solved, file: str | None = None, table: str | None = None) -> Group:
    """The report as text.

    Args:
        file: The position file to which the play was written, if any.
        table: The file to which the table was written, if any.
    """
    return paragraphs(
        head(
            f"Best play of {answer.side} against all others" if answer.side else "Best play of both sides",
            answer.game,
        ),
        headline(answer),
        steps_table(answer.steps) if answer.steps else None,
        Text(f"{answer.reason[0].upper()}{answer.reason[1:]}.")
        if answer.reason and answer.status == "solved"
        else None,
        Text(_repeats(answer)) if answer.repeats_from is not None else None,
        _best(answer),
        _stuck(answer),
        footing(answer.assumptions, answer.elapsed_s, list(_said(answer, file, table))),
    )


def headline(answer: Solved) -> Text:
    """The winner, in a line."""
    return verdict(answer.status, f": {_because(answer)}")


def _because(answer: Solved) -> str:
    """The value in plain words."""
    match answer.value:
        case "win" if not answer.turns:
            return f"{answer.winner} {verb(answer.winner or '', 'has')} won"
        case "win":
            wins = f"{answer.winner} {verb(answer.winner or '', 'wins')}"
            return f"{wins} in {amount(answer.turns or 0, 'turn')}, whatever {_opponents(answer)}"
        case "draw":
            return "a draw: neither side can win against best play, and neither can keep the game going for ever"
        case "endless":
            who = joined(answer.keeps)
            return f"endless: neither side can win against best play, and {who} can keep the game going for ever"
        case "odds":
            return _odds(answer)
        case _:
            safe = f"; {joined(answer.safe)} can be sure not to lose" if answer.safe else ""
            return f"{answer.reason}{safe}"


def _who(answer: Solved) -> str:
    """The players."""
    return "both sides" if answer.side is None else f"{answer.side} against all others"


def _opponents(answer: Solved) -> str:
    """The sides that do not win, with what they do."""
    if answer.side is None:
        return "the other side does"
    return "the others do" if answer.side == answer.winner else f"{answer.side} {verb(answer.side, 'does')}"


def _odds(answer: Solved) -> str:
    """The expectation of chance."""
    odds = answer.odds
    assert odds is not None
    if odds.wins is not None:
        parts = [f"{side} {verb(side, 'wins')} with probability {_probability(p)}" for side, p in odds.wins.items()]
        return f"chance decides; with best play {joined(parts)}"
    less = f"the probability of a win of {of_side(odds.side)}, less that of a loss"
    if answer.status == "solved":
        return f"chance decides; with best play {less}, is {odds.lower:.9f}"
    return f"{answer.reason}; with best play {less}, is between {odds.lower:.9f} and {odds.upper:.9f}"


def _probability(p: Fraction) -> str:
    """A probability as a fraction, where that is short, and as a decimal number."""
    return f"{p} ({float(p):.6f})" if len(str(p)) <= _SHORT else f"{float(p):.9f}"


def _repeats(answer: Solved) -> str:
    return f"From here play repeats itself from step {answer.repeats_from} on."


def _said(answer: Solved, file: str | None, table: str | None) -> Iterator[str]:
    if not answer.positions:
        return
    every = "These are all that play can reach." if answer.complete else _beyond(answer)
    looked_at = f"{_number(answer.looked_at, 'position')} with {_number(answer.events, 'legal event')}"
    yield f"{looked_at} {'was' if answer.looked_at == 1 else 'were'} looked at. {every}"
    if not answer.complete and answer.decided is not None:
        left = answer.positions - answer.decided
        yield f"The value of {_number(answer.decided, 'position')} is known, that of {left:,} open."
    over = f"In {answer.over:,} of them the game is over"
    passes = f"; in {answer.only_pass:,} whoever is on turn can only pass" if answer.only_pass else ""
    yield f"{over}{passes}."
    if answer.checked:
        yield "Checked: each position's value follows from those of the positions that its events lead to."
    elif answer.table is not None and answer.value != "open":
        yield "The values were not checked position by position."
    if table is not None:
        yield f"Best play from every position: written to {plain(table)}."
    if file is not None:
        yield f"As a record of a game: written to {plain(file)}."


def _beyond(answer: Solved) -> str:
    """The positions that a search which was cut off leaves open."""
    left = answer.positions - answer.looked_at
    if not left:
        return "There are more."
    return f"{left:,} more {'was' if left == 1 else 'were'} reached and not looked at."


def _number(n: int, name: str) -> str:
    return f"{n:,} {name if n == 1 else plural(name)}"


def _best(answer: Solved) -> Text | None:
    """All events that are as good as the first one of the play."""
    if len(answer.best) < 2:
        return None
    return Text(plain(f"As good at first: {listed(answer.best, _MOST_EVENTS)}."))


def _stuck(answer: Solved) -> Group | None:
    """Positions in which nothing is legal."""
    if not answer.stuck:
        return None
    more = answer.stuck - len(answer.stuck_first)
    lines = [_one(s) for s in answer.stuck_first] + ([f"and {more:,} more"] if more else [])
    return titled(f"Nothing is legal, and nobody has won, in {amount(answer.stuck, 'position')}", bullets(lines))


def _one(stuck: Stuck) -> str:
    events = stuck.record.events or ()
    return f"after {listed([str(e) for e in events], 12)}" if events else "here"
