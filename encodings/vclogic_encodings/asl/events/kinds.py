"""Kinds of events: functions that make one event each, marked with what a player needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial, wraps

from vclogic_encodings.asl.game import Game

from vclogic.model.actions import Action, Parameter, Schema
from vclogic.model.citation import Cites
from vclogic.model.view import EVERY_STATE, View
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

Names = str | Callable[[Game], Domain | None]
"""What an argument can be: a domain of the fluents by its name, or a function that makes one; None: nothing."""
Given = Mapping[str, Names | tuple[Names, str]]
"""The arguments of an event: what each can be, and its default if it has one."""
deed = partial(Action, "", (), None)
"""One event; its kind adds its name, its arguments, who decides it, its clauses, and that the game is not over."""
Decider = tuple[str, Callable[..., str | Term | None]]
"""Who decides an event: for a reader, and as a side that follows from the game and the event's arguments."""
NOBODY: Decider = "", lambda *_: None
OWN: Decider = "the unit's side", lambda game, unit, *_: game.side(unit)
HOLDER: Decider = "the side that has it, its own or its captor", lambda game, unit, *_: game.acts_for(unit)
MOVING, DICE = "the movement points, phase and player turn of a move", "the phase and dice of an attempt to "


KINDS: dict[str, tuple[str, Callable[[Game], Iterable[Schema]]]] = {}
"""By name: the module in which a kind of event is made, and its schema, if a board can bring it about."""


def event(
    cites: Cites, given: Given, *, name: str = "", text: str = "", not_judged: str = "", decided_by: Decider = NOBODY
) -> Callable[[Callable[..., Action]], Callable[..., Action]]:
    """Marks a function as what makes the events of a kind; its docstring says in a line what they are.

    Args:
        cites: The clauses that it encodes.
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
        def made(game: Game, *values: str) -> Action:
            args, found = tuple(zip(given, values, strict=True)), make(game, *values)
            actor, requirements = decided_by[1](game, *values), (game.going_on, *found.requirements)
            return replace(found, name=called, args=args, actor=actor, requirements=requirements, cites=cites)

        def instantiated(game: Game, view: View = EVERY_STATE, /, **values: str) -> Action:
            return made(game.seen(view), *map(values.__getitem__, given))

        def schemas(game: Game) -> Iterable[Schema]:
            parameters = [_parameter(game, key, names) for key, names in given.items()]
            if None not in parameters:
                yield Schema(
                    called,
                    tuple(filter(None, parameters)),
                    partial(instantiated, game),
                    line,
                    cites,
                    viewed=True,
                    routine=called == "end_game",
                    not_judged=not_judged,
                    decided_by=decided_by[0],
                    obliged=called == "setup",
                )

        KINDS[called] = make.__module__, schemas
        return made

    return mark


def _parameter(game: Game, key: str, names: Names | tuple[Names, str]) -> Parameter | None:
    """An argument of an event, unless it can be nothing."""
    names, default = names if isinstance(names, tuple) else (names, None)
    domain = getattr(game.fluents, names) if isinstance(names, str) else names(game)
    return Parameter(key, domain, default) if domain is not None else None


# ---- what arguments can be, and who decides by them


def the_side(text: str) -> Decider:
    """The side that is the first argument of an event."""
    return text, lambda _, side, *__: side


def words(what: str, *names: str) -> Callable[[Game], Domain]:
    """One of some words."""
    return lambda game: Domain(EnumSort(what, names))


def counters(what: str, *kinds: str) -> Callable[[Game], Domain | None]:
    """A unit of some kinds."""
    return lambda game: game.fluents.some_units(what, game.board.of(*kinds))


def recorded(family: str) -> Callable[[Game], Domain | None]:
    """Whatever a family of fluents is recorded for."""
    return lambda game: game.fluents.names_of(getattr(game.fluents, family))
