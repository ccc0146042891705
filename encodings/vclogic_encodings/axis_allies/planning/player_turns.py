"""A player-turn of the capture level as one step: captures, each from some place, and the end of the turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from vclogic_encodings.axis_allies.events.combat import given_back
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.planning.reaching import OWN_REACH, few_enough, owned_at_start
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from vclogic.model.actions import Action
from vclogic.model.fluents import Value
from vclogic.model.restricting import at_each_beginning
from vclogic.model.step_text import StepText, Values, step_text
from vclogic.model.transition import Chosen, Hints, Transition, all_at_once
from vclogic.terms.atoms import var
from vclogic.terms.build import any_of, count, eq, implies, le, linear
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

Ways = Mapping[str, Term]
"""One Bool per territory over whose border, or sea zone from which, a capture can be made."""


def player_turn(
    game: Rules, actions: Iterable[Action], end_turn: Action, ours: Term, start: Mapping[Term, Term]
) -> Transition:
    """One step: the captures of the power on turn, then the end of its turn.

    A choice is a capture from one place. All are judged as the turn begins; so nothing is taken from what was taken
    in the same turn.

    Args:
        actions: The captures.
        end_turn: What ends the turn.
        ours: Whether the power on turn is of the side that plans; only such turns count and cost.
        start: The constant value of each fluent where the plan begins.
    """
    now = at_each_beginning(end_turn, start)
    captures = [(a, _ways(game, a)) for a in actions]
    laws = [now(law) for law in _limits(game, captures)]
    taken = {any_of(ways.values()): _judged(a, now) for a, ways in captures if ways}
    step = all_at_once(taken, _then(game, captures, end_turn), linear([(1, ours)]), counts=ours, laws=laws)

    def describe(chosen: Chosen, values: Values) -> list[StepText]:
        made = [(a, next((p for p, way in ways.items() if chosen[way]), None)) for a, ways in captures]
        texts = [
            replace(step_text(a, values), text=sentence(game, a, _from(game, str(a.actor), place, values)))
            for a, place in made
            if place
        ]
        return texts or [step_text(end_turn, values)]

    return replace(step, describe=describe, mover=game.fluents.turn.fluent, hints=Hints(fewest_choices=True))


def _then(game: Rules, captures: Iterable[tuple[Action, Ways]], end_turn: Action) -> Action:
    """The end of a step: territories go back to their first owner, its capital free, before the turn ends."""
    back: dict[Term, Term] = {}
    for side, powers in game.board.sides.items():
        by_target: dict[str, list[Term]] = {}
        for action, ways in captures:
            if action.actor in powers:
                by_target.setdefault(str(dict(action.args)["territory"]), []).extend(ways.values())
        back |= given_back(game, side, {t: any_of(some) for t, some in by_target.items()}, back)
    if not back:
        return end_turn
    later = Substitution(back)
    return replace(end_turn, effects=(*back.items(), *((f, later(new)) for f, new in end_turn.effects)))


def _ways(game: Rules, capture: Action) -> Ways:
    """The territories that the target borders, then the sea zones that it touches."""
    target = str(dict(capture.args)["territory"])
    places = (*game.geography.by_land[target], *game.geography.shores[target])
    return {place: var(f"{capture.key} from {place}", BOOL) for place in places}


def _judged(capture: Action, now: Callable[[Term], Term]) -> Action:
    """The capture with its requirements over the state as the turn begins; reach is required of each way instead."""
    asked = (r for r in capture.requirements if r.name != OWN_REACH)
    return replace(capture, requirements=tuple(replace(r, term=now(r.term)) for r in asked))


def _limits(game: Rules, captures: Iterable[tuple[Action, Ways]]) -> Iterable[Term]:
    """Constraints on the captures of one turn: where they start, how many per source, how many in all."""
    each = game.settings.number("captures_per_source")
    by_power: dict[str, list[Ways]] = {}
    for action, ways in captures:
        by_power.setdefault(str(action.actor), []).append(ways)
    for power, all_ways in by_power.items():
        on_turn = eq(game.fluents.turn.fluent, power)
        number = count(any_of(ways.values()) for ways in all_ways)
        yield implies(on_turn, few_enough(game, power, number).term)
        by_place: dict[str, list[Term]] = {}
        for ways in all_ways:
            for place, way in ways.items():
                by_place.setdefault(place, []).append(way)
        for place, some in by_place.items():
            yield implies(any_of(some), _open(game, power, place))
            yield implies(on_turn, le(count(some), each))


def _open(game: Rules, power: str, place: str) -> Term:
    """True if the power can capture over the borders of a territory, or land from a sea zone, in its turn."""
    if place in game.geography.by_land:
        return owned_at_start(game, power, place)
    side, controls = game.board.powers[power].side, game.fluents.controls
    return game.geography.lands(place, lambda t: owned_at_start(game, power, t), lambda t: controls(side, t))


def _from(game: Rules, power: str, place: str, values: Mapping[Term, Value]) -> str:
    """The source of a capture, in words, given the values when the turn began."""
    if place in game.geography.by_land:
        return f"from {place}"
    allies = game.board.sides[game.board.powers[power].side]
    owner = game.fluents.owner

    def own(territory: str) -> bool:
        return values[owner[territory]] == power

    def opened(territory: str) -> bool:
        return values[owner[territory]] in allies

    return f"{game.geography.by_water(game.geography.by_zone[place], own, opened)}, landing from {place}"


def sentence(game: Rules, event: Action, way: str) -> str:
    """The sentence for a capture: what is taken, what it is worth, and where it starts from."""
    target = str(dict(event.args)["territory"])
    city = game.board.territories[target].city
    worth = f" ({city.name}, {city_points(game.board, target)} VCP)" if city else ""
    return f"{event.text}{worth} {way}"
