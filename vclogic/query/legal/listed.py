"""Lists of legal events: of all kinds, of one, or of those that have to do with a place, and why there are none."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic.choices import choice
from vclogic.collector_paused import collector_paused
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.record import read_events
from vclogic.files.trees.located import Node
from vclogic.model.actions import Schema
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.legal.answer import Legal
from vclogic.query.legal.events import AtPlace, Given, Legality

_REASONS = 1_000  # refused events of each kind of which it is looked whether they have a reason in common
NOTHING = "Nothing is legal, and the rules do not say that the game is over."


def who_decides(system: System, side: str | None) -> frozenset[str] | None:
    """The sides and powers whose decisions count; None: everybody's.

    Args:
        side: A side, which stands for its powers too, or a power.

    Raises:
        InputError: There is no such side or power.
    """
    if side is None:
        return None
    name = system.aliases.get(side, side)
    if system.side_of(name) is None:
        known = [*system.sides, *(p for powers in system.sides.values() for p in powers), *system.aliases]
        help = did_you_mean(side, known)
        raise InputError(
            Diagnostic("unknown-name", f"unknown side or power {quoted(side)}", choice("side"), help=help)
        )
    return frozenset((name, *system.sides.get(name, ())))


def legal(
    game: str,
    system: System,
    state: State,
    side: str | None,
    event: Node | None,
    limit: int,
    rests_on: tuple[str, ...],
    at: AtPlace | None = None,
) -> Legal:
    """The legal events of a state.

    Args:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        side: The side or power whose decisions count; None: all events.
        event: A kind of event with some of its arguments, as a record writes it; None: every kind.
        limit: How many refused events of each kind to list.
        rests_on: What the answer rests on.
        at: Only events that have to do with a place, or name none; None: all.

    Raises:
        InputError: There is no such side, power or event, or an argument is wrong.
    """
    schemas: Sequence[tuple[Schema, Given]] = [(s, {}) for s in system.events]
    if event is not None:
        schemas = [read_events(system, event)]
    who = who_decides(system, side)
    legality = Legality(system, state, who, limit)
    asked = [(schema, given) for schema, given in schemas if who is None or not schema.forced]
    with collector_paused():
        if at is None:
            kinds = [legality.kind(schema, given) for schema, given in asked]
        else:
            kinds = [kind for schema, given in asked if (kind := legality.naming(schema, given, at)) is not None]
    name = None if event is None else schemas[0][0].name
    decides = None if side is None else system.aliases.get(side, side)
    return Legal(
        game=game,
        turn=legality.turn,
        side=decides,
        event=name,
        kinds=tuple(kinds),
        assumptions=rests_on,
        reach_assumes=system.assumed,
        why_not=limit > 0,
    )


def why_nothing(system: System, state: State, found: Legal, event: Node | None) -> str:
    """Why none of some events is legal, though the game is not over; empty where that has several reasons.

    Args:
        found: The answer about them.
        event: What was asked for, as in `legal`.
    """
    if found.side is not None:
        own = who_decides(system, found.side) or frozenset()
        other = next((str(x) for x in found.turn.values() if system.side_of(str(x)) and x not in own), None)
        if other is not None:
            return f"It is the turn of {other}."
    legality = Legality(system, state, who_decides(system, found.side), _REASONS)
    given = {} if event is None else read_events(system, event)[1]
    kinds = [legality.kind(system.schemas[k.event], given) for k in found.kinds]
    if any(k.more or k.left_out or not k.refused for k in kinds) or not kinds:
        return ""
    each = [dict.fromkeys(lack.text for lack in r.lacks) for k in kinds for r in k.refused]
    common = [text for text in each[0] if all(text in lacks for lacks in each)]
    return f"{common[0][0].upper()}{common[0][1:]}." if common else NOTHING if found.event is None else ""
