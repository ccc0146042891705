"""The battles of a plan with their chances, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text

from vclogic.model.battles import in_words
from vclogic.query.battles import LOW
from vclogic.query.fought import Battles, FoughtBattle
from vclogic.report.text.page import indented, plain
from vclogic.words import amount, expected, percent

_TITLE = "Battles (chances by the dice; antiaircraft fire included)"
_WEAKEST = "the weakest"


def battles_section(battles: Battles | None) -> Group | None:
    """The battles with their chances, and all of them together; None where there are none."""
    if battles is None:
        return None
    lines = [Text(f"all of them: {battles.overall}{_combined(battles)}")] if len(battles.fought) > 1 else []
    if battles.losses is not None and battles.value_lost is not None:
        value = f"{expected(battles.value_lost)} {plain(battles.currency)}"
        lines.append(Text(f"losses to expect: {expected(battles.losses)} units, worth {value}"))
    return Group(Text(_TITLE, "bold"), indented(_rows(battles)), *map(indented, lines))


def low_chance(battles: Battles | None) -> Text | None:
    """A warning that a plan is no advice, where its chance is low and the game knows a better question."""
    if battles is None or not battles.advice or battles.at_most >= LOW:
        return None
    several = f"all {len(battles.fought)} battles go" if len(battles.fought) > 1 else "its battle goes"
    return Text(f"The chance that {several} as planned is {battles.overall}: {plain(battles.advice)}", "bold yellow")


def _combined(battles: Battles) -> str:
    missing = sum(b.chance is None for b in battles.fought)
    left_out = f" (without {amount(missing, 'battle')}: {battles.fought[-1].reason})" if missing else ""
    return f"{left_out}, {battles.combined}"


def _rows(battles: Battles) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    for when, run in groupby(battles.fought, _when):
        for n, battle in enumerate(run):
            grid.add_row(Text(when if not n else "", "cyan"), *_row(battles, battle))
    return grid


def _row(battles: Battles, b: FoughtBattle) -> Iterator[Text]:
    named = battles.named
    yield Text(plain(f"{b.attacker} {'clear' if b.at_sea else 'take'} {b.place}"))
    guns = f", with {in_words(b.guns, named)} bombarding," if b.guns else ""
    yield Text(plain(f"{in_words(b.attackers, named)}{guns} against {in_words(b.defenders, named)}"))
    weakest = b.n == battles.weakest
    style = "bold red" if weakest else ""
    yield Text("?" if b.chance is None else percent(b.chance), style)
    yield Text(plain(b.reason) if b.chance is None else _WEAKEST if weakest else "", style)


def _when(b: FoughtBattle) -> str:
    return plain(", ".join(f"{name} {x}" for name, x in b.turn.items() if x != b.attacker))
