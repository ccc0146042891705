"""What can be done, as what lines can ask: `can(side)`; and what leads in a circle by it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass

from vclogic.model.rules import Observable
from vclogic.rulebook.board.world import World
from vclogic.rulebook.declarations import EventRule, EveryEvent
from vclogic.rulebook.meaning.names import Statements
from vclogic.rulebook.statements import Definition, RememberedFact
from vclogic.terms.goal.syntax import Call
from vclogic.terms.term import Term

CAN = "can"


def asked(world: World, can: Callable[[str], Term]) -> Iterator[Observable]:
    """Whether somebody can do anything in a turn of theirs, where a line asks it and none says what it means.

    Args:
        world: What the rulebook declares.
        can: Tells it; it is asked once the lines are worked out.
    """
    lines = [statement.content for source in world.sources for statement in source.statements]
    named = any(isinstance(c, Definition | RememberedFact) and c.name.text == CAN for c in lines)
    if not named and any(any(_calls(c, {CAN})) for c in lines):
        yield Observable(CAN, (world.movers.domain,), can, "whether there is anything to do in a turn")


def circles(lines: Statements) -> None:
    """Report what an event needs or changes that asks what can be done.

    Raises:
        InputError: There is such a line.
    """
    asking, more = {CAN}, True
    named = [c.name.text for _, _, c in lines.each(Definition)]
    named += [c.name.text for _, _, c in lines.each(RememberedFact)]
    if CAN in named:
        return  # it means what the rulebook says
    while more:
        new = {c.name.text for _, _, c in lines.each(Definition) if any(_calls(c, asking))} - asking
        asking, more = asking | new, bool(new)
    for source, _, content in (*lines.each(EventRule), *lines.each(EveryEvent)):
        for call in _calls(content, asking):
            with lines.at(source):
                message = f"what an event needs or changes cannot ask {call.text}: that asks what events need"
                raise source.goal.error(call.at, message, "say what it needs by facts", "circle")
    lines.check()


def _calls(part: object, names: Collection[str]) -> Iterator[Call]:
    """What asks one of some names in a statement, or in a part of one."""
    if isinstance(part, tuple):
        for x in part:
            yield from _calls(x, names)
    elif is_dataclass(part):
        if isinstance(part, Call) and part.text in names:
            yield part
        for field in fields(part):
            yield from _calls(getattr(part, field.name), names)
