"""Text report of `odds`: what the dice make of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.draw.battle import rows
from vclogic.model.battles import Chance, Losses, Odds, in_words
from vclogic.query.odds.question import BattleOdds
from vclogic.report.text.page import head, marked, one_line, paragraphs, plain, table, titled
from vclogic.report.text.steps import footing
from vclogic.words import expected, joined, percent

_ENDINGS = 10
_MANY = 50  # endings of which none is likely are told by how many units are left
_LONG = 40  # characters; a longer fraction is shown rounded


def odds(answer: BattleOdds, *, svg: str | None = None) -> Group:
    """The report as text.

    Args:
        answer: The odds.
        svg: The file that the bar chart was written to.
    """
    chart = f"Bar chart: {plain(svg)}" if svg else None
    return paragraphs(
        head(f"The odds of {one_line(answer.title)}", answer.game),
        marked(_sides(answer)),
        *(_found(answer, answer.odds) if answer.odds else [Text(f"unknown: {answer.reason}", "bold yellow")]),
        footing(answer.assumptions, answer.elapsed_s, [x for x in (_precision(answer.odds), chart) if x]),
    )


def _sides(answer: BattleOdds) -> Iterator[tuple[str, str]]:
    who = f" ({plain(answer.attacker)})" if answer.attacker else ""
    yield "Attack:", in_words(answer.attackers, answer.named) + who
    if answer.guns:
        yield "Bombardment:", in_words(answer.guns, answer.named)
    yield "Defence:", in_words(answer.defenders, answer.named)
    yield from (("Agreed:", text) for text in _conduct(answer))


def _conduct(answer: BattleOdds) -> Iterator[str]:
    """The unusual parts of how the battle is fought."""
    conduct = answer.conduct
    for side, order in (("attacker", conduct.attackers_fall), ("defender", conduct.defenders_fall)):
        if order:
            yield f"the {side} loses first {', then '.join(answer.named[u][1] for u in order)}"
    if not conduct.keep_land_unit:
        yield "the attacker keeps no land unit to the last"
    ends = [f"after round {conduct.rounds}"] if conduct.rounds is not None else []
    if conduct.retreat_at is not None:
        ends.append(f"once it has {conduct.retreat_at} units or fewer")
    if ends:
        who = "the attacker's aircraft retreat" if answer.landing else "the attacker retreats"
        yield f"{who} {joined(ends, 'or')}"


def _found(answer: BattleOdds, found: Odds) -> Iterator[RenderableType]:
    yield table(("How it ends", "Chance", ""), _chances(answer, found), right=("Chance",))
    heads = ("Losses to expect", "Units", answer.currency, "By kind")
    losses = (("attacker", found.attacker), ("defender", found.defender))
    yield table(heads, [_losses(*side, answer) for side in losses], right=heads[1:3])
    likeliest = sum(e.chance for e in found.endings[:_ENDINGS])
    if len(found.endings) > _MANY and likeliest < 1 / 2:
        yield titled("Who is left", marked((percent(r.chance), r.words) for r in rows(found, answer.named)))
    else:
        yield titled("The likeliest endings", marked(_endings(answer, found)))


def _chances(answer: BattleOdds, found: Odds) -> Iterator[tuple[str, str, str]]:
    """The possible ends for the place, each with its chance: together they are certain."""
    assert answer.hold is not None
    assert answer.both is not None
    place = "sea zone" if answer.at_sea else "territory"
    stray = found.clear - found.take - found.draw
    yield _chance(f"the attacker takes the {place}", found.take)
    if not answer.at_sea and _some(stray, found.error):
        yield _chance("the defender is gone, but no land unit is left to take it", stray)
    yield _chance("nobody is left on either side", found.draw)
    yield _chance("the defender holds", answer.hold)
    if _some(answer.both, 0.0):
        yield _chance("  units of both sides are left", answer.both)


def _chance(what: str, chance: Chance) -> tuple[str, str, str]:
    fraction = str(chance) if isinstance(chance, Fraction) and chance.denominator > 1 else ""
    return what, percent(chance), fraction if len(fraction) <= _LONG else ""


def _some(chance: Chance, error: float) -> bool:
    return chance > max(3 * error, 0.0)


def _losses(side: str, losses: Losses, answer: BattleOdds) -> tuple[str, str, str, str]:
    kinds = [(losses.kinds[u], answer.named[u][1]) for u in answer.named if losses.kinds.get(u)]
    by_kind = ", ".join(f"{expected(n)} {name}" for n, name in kinds)
    return side, expected(losses.units), expected(losses.value), by_kind


def _endings(answer: BattleOdds, found: Odds) -> Iterator[tuple[str, str]]:
    shown = found.endings if len(found.endings) <= _ENDINGS + 1 else found.endings[:_ENDINGS]
    for ending in shown:
        sides = ((ending.attackers, "of the attacker"), (ending.defenders, "of the defender"))
        left = [f"{in_words(units, answer.named)} {whose}" for units, whose in sides if any(units.values())]
        yield percent(ending.chance), joined(left) if left else "nobody"
    rest = found.endings[len(shown) :]
    if rest:
        yield percent(sum(e.chance for e in rest)), f"{len(rest)} other endings"


def _precision(found: Odds | None) -> str:
    if found is None:
        return ""
    if isinstance(found.take, Fraction):
        return "Counted in exact fractions."
    error = f"{found.error:.0e}".replace("e-0", "e-")
    hint = by_command(" (--exact counts in fractions)")
    return f"Counted in floating point: no chance is off by more than {error}{hint}."
