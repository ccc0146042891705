"""Kinds of events: functions that make one event each, marked with what a player needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial, wraps

from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import NEEDS, units_needed

from vclogic.model.actions import Action, Parameter, Schema
from vclogic.model.citation import Cites
from vclogic.model.fluents import Family
from vclogic.model.view import EVERY_STATE, View
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Among:
    """The possible values of an argument.

    Attributes:
        names: Makes its domain; None: there is nothing on the board that it can be.
        lacks: Says what that board lacks, and where to add it.
    """

    names: Callable[[Rules], Domain | None]
    lacks: Callable[[Rules], str] = lambda _: ""

    def __call__(self, game: Rules) -> Domain | None:
        """Its domain on a board."""
        return self.names(game)


Names = str | Among
"""The possible values of an argument: a domain of the fluents by its name, or one that is made."""
Given = Mapping[str, Names | tuple[Names, str]]
"""The arguments of an event: what each can be, and its default if it has one."""
deed = partial(Action, "", (), None)
"""One event; its kind adds its name, its arguments, who decides it, its clauses, and that the game is not over."""
Decider = tuple[str, Callable[..., str | Term | None]]
"""The decider of an event: for a reader, and as a side that follows from the game and the event's arguments."""
NOBODY: Decider = "", lambda *_: None
OWN: Decider = "the unit's side", lambda game, unit, *_: game.side(unit)
HOLDER: Decider = "the side that has it, its own or its captor", lambda game, unit, *_: game.acts_for(unit)
MOVING, DICE = "the movement points, phase and player turn of a move", "the phase and dice of an attempt to "


KINDS: dict[str, tuple[str, Callable[[Rules], Schema | str]]] = {}
"""By name: the module in which a kind of event is made, and its schema, or what a board lacks that has none."""


def event(
    cites: Cites, given: Given, *, name: str = "", text: str = "", not_judged: str = "", decided_by: Decider = NOBODY
) -> Callable[[Callable[..., Action]], Callable[..., Action]]:
    """Marks a function as what makes the events of a kind; its docstring says in a line what they are.

    Args:
        cites: The clauses that it encodes; an action that cites some itself rests on those.
        given: Its arguments, in the order of the function's.
        name: Its key in a record, if it is not the function's name.
        text: What the event is, in a line, if the docstring does not say it.
        not_judged: What a record is believed in.
        decided_by: Who decides it; nobody: it is forced.
    """

    def mark(make: Callable[..., Action]) -> Callable[..., Action]:
        called = name or make.__name__
        doc = (make.__doc__ or "").rstrip(".")
        line = text or doc[:1].lower() + doc[1:]

        @wraps(make)
        def made(game: Rules, *values: str) -> Action:
            args, found = tuple(zip(given, values, strict=True)), make(game, *values)
            actor, requirements = decided_by[1](game, *values), (game.going_on, *found.requirements)
            why = found.cites or cites
            return replace(found, name=called, args=args, actor=actor, requirements=requirements, cites=why)

        def instantiated(game: Rules, view: View = EVERY_STATE, /, **values: str) -> Action:
            return made(game.seen(view), *map(values.__getitem__, given))

        def schema(game: Rules) -> Schema | str:
            parameters: list[Parameter] = []
            for key, names in given.items():
                found = _parameter(game, key, names)
                # The board has no use for the kind: the text says what it lacks.
                if isinstance(found, str):
                    return found
                parameters.append(found)
            return Schema(
                called,
                tuple(parameters),
                partial(instantiated, game),
                line,
                cites,
                viewed=True,
                routine=called == "end_game",
                not_judged=not_judged,
                decided_by=decided_by[0],
                obliged=called == "setup",
            )

        KINDS[called] = make.__module__, schema
        return made

    return mark


def _parameter(game: Rules, key: str, names: Names | tuple[Names, str]) -> Parameter | str:
    """An argument of an event, or what the board lacks if it can be nothing."""
    names, default = names if isinstance(names, tuple) else (names, None)
    domain = _domain(game, names)
    return _lacks(game, names) if domain is None else Parameter(key, domain, default)


def _domain(game: Rules, names: Names) -> Domain | None:
    found: Domain | None = getattr(game.fluents, names) if isinstance(names, str) else names(game)
    return found


def _lacks(game: Rules, names: Names) -> str:
    return NEEDS[names] if isinstance(names, str) else names.lacks(game)


# ---- what arguments can be, and who decides by them


def the_side(text: str) -> Decider:
    """The side that is the first argument of an event."""
    return text, lambda _, side, *__: side


def words(what: str, *names: str) -> Among:
    """One of some words."""
    return Among(lambda game: Domain(EnumSort(what, names)))


def counters(what: str, *kinds: str) -> Among:
    """A unit of some kinds."""
    return Among(lambda game: game.fluents.some_units(what, game.board.of(*kinds)), lambda _: units_needed(*kinds))


def recorded(family: str) -> Among:
    """Whatever a family of fluents is recorded for."""

    def of(game: Rules) -> Family:
        found: Family = getattr(game.fluents, family)
        return found

    return Among(lambda game: game.fluents.names_of(of(game)), lambda game: of(game).lacks)


def both(first: Names, then: Names) -> Among:
    """The members for which `then` holds, or none unless some member satisfies `first`."""

    def names(game: Rules) -> Domain | None:
        return _domain(game, then) if _domain(game, first) else None

    return Among(names, lambda game: _lacks(game, then if _domain(game, first) else first))
