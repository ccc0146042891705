"""Text report of a folder of scenario cards: a row for each, and what is wrong."""

from __future__ import annotations

import os

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.check.cards import Card, Cards
from vclogic.report.text.errors import errors
from vclogic.report.text.page import bullets, paragraphs, table, titled
from vclogic.words import amount, joined


def cards(answer: Cards) -> Group:
    """A row for each card; below it, what is wrong with those that cannot be read."""
    heads = ("Card", "Game", "Reads", "Can be won by", "Holds at the start", "Contradictions")
    rows = [_row(card, _within(card.file, answer.folder)) for card in answer.cards]
    wrong = [d for card in answer.cards for d in card.errors]
    said = [_contradictions(card, _within(card.file, answer.folder)) for card in answer.cards if card.contradictions]
    return paragraphs(
        table(heads, rows),
        *said,
        errors(wrong) if wrong else None,
        headline(answer),
    )


def _contradictions(card: Card, name: str) -> RenderableType:
    head = f"{name}: at one moment, before anybody has won"
    return titled(head, bullets([c.removesuffix(" at one moment") for c in card.contradictions]))


def headline(answer: Cards) -> Text:
    """The number of cards, and of those with something wrong, in a line."""
    bad = sum(bool(c.errors) for c in answer.cards)
    found = sum(bool(c.findings) for c in answer.cards)
    parts = [f"{amount(bad, 'card')} cannot be read"] if bad else []
    parts += [f"something was found in {found}"] if found else []
    said = joined(parts) if parts else "nothing was found"
    return Text(f"{amount(len(answer.cards), 'card')}: {said}", "bold green" if answer.sound else "bold red")


def _within(file: str, folder: str) -> str:
    """A file's name from a folder on."""
    return os.path.relpath(file, folder)


def _row(card: Card, name: str) -> tuple[str, ...]:
    game = "" if card.game == card.file else card.game
    if card.errors:
        return name, game, f"no ({amount(len(card.errors), 'error')})", "", "", ""
    can = [side if x == "yes" else f"{side}?" for side, x in card.wins.items() if x != "no"]
    held = joined(list(card.at_start))
    return name, game, "yes", joined(can) or "nobody", held, str(len(card.contradictions) or "")
