"""Text of what a plan leaves exposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.fluents import Value
from vclogic.query.exposure import Counterattack, ExposedPlace, Exposure, TurnExposed
from vclogic.report.text.page import indented, plain, titled
from vclogic.words import amount, percent

_MOST = 6  # places of a turn that are named
_LOST = 0.5
_ADVICE = "What is taken is likely to be lost again: --hold 0.5 asks for plans that hold it"


def exposed(answer: Exposure | None) -> Group | None:
    """The places that the enemies can take back, turn by turn; None where nothing was looked at."""
    if answer is None or not (answer.turns or answer.reason):
        return None
    title = "What the enemy can take back (each power's strongest attack on each place in its next turn)"
    return titled(title, Group(*_lines(answer)))


def _lines(answer: Exposure) -> Iterable[RenderableType]:
    for turn in answer.turns:
        yield from _turn(turn, answer.floor)
    if not answer.complete:
        rest = "later turns were" if answer.turns else "the turns were"
        yield Text(f"{rest} not looked at: {answer.reason}")
    if any(place.taken and place.lost > _LOST for turn in answer.turns for place in turn.places):
        yield Text(_ADVICE, "bold yellow")


def _turn(turn: TurnExposed, floor: float) -> Iterable[RenderableType]:
    when = _when(turn.turn)
    if not turn.places:
        yield Text(f"{when}: nothing with a chance of more than {percent(floor, 0)}", "dim")
        return
    yield Text(f"{when}:", "cyan")
    yield Group(*(indented(Text(plain(_place(place)))) for place in turn.places[:_MOST]))
    if len(turn.places) > _MOST:
        yield indented(Text(f"and {amount(len(turn.places) - _MOST, 'place')} more, worth less", "dim"))


def _when(turn: Mapping[str, Value]) -> str:
    """After which turn, such as `round 1, after the Germans`."""
    *before, (_, last) = turn.items()
    return ", ".join([*(f"{name} {x}" for name, x in before), f"after the {last}"])


def _place(place: ExposedPlace) -> str:
    what = "" if place.taken else "left, now "
    attacks = "; ".join(_attack(attack, empty=not place.garrison) for attack in place.attacks)
    return f"{place.text}, {what}held by {place.held_by}: {attacks}"


def _attack(attack: Counterattack, *, empty: bool) -> str:
    """An attack with its chance and who makes it; where nobody stands, any land unit walks in."""
    if empty and attack.chance == 1:
        return f"{attack.power} walk in"
    if not attack.text:
        return f"{attack.power} at most {percent(attack.at_most, 0)}"
    more = f" (at most {percent(attack.at_most, 0)})" if attack.at_most > attack.chance else ""
    return f"{attack.power} {percent(attack.chance, 0)}{more} with {attack.text}"
