"""Possible deeds as lines can ask for them: `can(side)`, `can_EVENT(side)`; and what leads in a circle by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from vclogic.model.rules import Observable
from vclogic.rulebook.board.world import World
from vclogic.rulebook.declarations import EventRule, EveryEvent
from vclogic.rulebook.meaning.names import Statements
from vclogic.rulebook.statements import Definition, RememberedFact, calls
from vclogic.terms.term import Term

CAN = "can"


def asked(world: World, can: Callable[[str, str], Term]) -> Iterator[Observable]:
    """The observables for who can do anything, or some event, in their turn, where a line asks and none defines it.

    Args:
        world: What the rulebook declares.
        can: Tells it of somebody and an event, empty for any; it is asked once the lines are worked out.
    """
    for word, event in _words(world).items():
        if word in world.called:
            what = event or "anything"
            text = f"whether there is {what} to do in a turn"
            yield Observable(word, (world.movers.domain,), partial(_about, can, event), text)


def _about(can: Callable[[str, str], Term], event: str, actor: str) -> Term:
    return can(actor, event)


def _words(lines: Statements) -> dict[str, str]:
    """The words that ask what can be done, each with the event that it is about, or nothing."""
    named = {c.name.text for _, _, c in lines.each(Definition)}
    named |= {c.name.text for _, _, c in lines.each(RememberedFact)}
    events = ("", *(rule.name.text for _, _, rule in lines.each(EventRule) if rule.by is not None))
    found = {f"{CAN}_{event}" if event else CAN: event for event in events}
    return {word: event for word, event in found.items() if word not in named}


def circles(lines: Statements) -> None:
    """Report what an event needs or changes that asks what can be done.

    Raises:
        InputError: There is such a line.
    """
    asking, more = {*_words(lines)}, True
    defined = [(c.name.text, {call.text for call in calls(c)}) for _, _, c in lines.each(Definition)]
    while more:
        new = {name for name, called in defined if called & asking} - asking
        asking, more = asking | new, bool(new)
    for source, _, content in (*lines.each(EventRule), *lines.each(EveryEvent)):
        for call in (c for c in calls(content) if c.text in asking):
            with lines.at(source):
                message = f"what an event needs or changes cannot ask {call.text}: that asks what events need"
                raise source.goal.error(call.at, message, "say what it needs by facts", "circle")
    lines.check()
