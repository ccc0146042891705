"""Conformance: the position that `status` shows is the state's, and folding loses nothing of it."""

from __future__ import annotations

from collections import Counter

from vclogic.conformance.games import Play
from vclogic.conformance.saying import claim, fails, named
from vclogic.game import Game
from vclogic.model.fluents import Family, Value
from vclogic.model.position import Thing
from vclogic.model.view import EVERY_STATE
from vclogic.query.position import Listed
from vclogic.terms.partial import Partial
from vclogic.terms.term import Op, Term

_STATES = 6
_Told = tuple[str, str, Value, int | None]
"""Kind and name of a thing, its value, and how many of it there are."""


def test_status_shows_the_position(scenario: str) -> None:
    """A game says who is where or who controls what, and leaves none of them out."""
    system = Game.load(scenario).setup.system
    if system.position is None:
        fails(f"{scenario} says nothing of its position: give the System a `position`, which `vclogic status` shows")
    shown = {
        t for part in system.position(EVERY_STATE) for thing in part.things for t in (_value(thing), thing.count)
    }
    for family in system.families:
        missing = [str(x) for x in family.fluents.values() if x not in shown]
        if _told(family, shown):
            help = "list each of them, as you do the others of its family"
            claim(not missing, f"the position of {scenario} leaves out {named(missing)}: {help}")


def test_the_position_is_the_state(play: Play) -> None:
    """The whole position shows the value of each fluent in the state."""
    for game in play.sample(_STATES):
        system = play.system
        assert system.position is not None
        values = system.layout.values(game.state)
        for part, listing in zip(
            game.status(position=True, whole=True).position, system.position(EVERY_STATE), strict=True
        ):
            claim(not part.left_out, f"the whole position leaves out a part of '{part.title}': a mistake in vclogic")
            said = {(x.side, x.kind, x.name): x.value for x in part.things if x.count is None}
            counts = {(x.side, x.kind, x.name, x.value): x.count for x in part.things}
            for thing in listing.things:
                t, key = _value(thing), (thing.side, thing.kind, thing.name)
                if thing.count is None and t.op is Op.VAR:
                    same = said[key] == values[t]
                    claim(
                        same,
                        f"the position says that {t} is {said[key]}, but it is {values[t]}: two things of one name?",
                    )
                elif thing.count is not None and thing.count.op is Op.VAR and t.is_const:
                    shown, is_ = counts.get((*key, t.value), 0), values[thing.count]
                    claim(shown == is_, f"the position says that {thing.count} is {shown}, but it is {is_}")


def test_folding_loses_nothing(play: Play) -> None:
    """The shown part of a position and the part left out add up to all of it."""
    for game in play.sample(_STATES):
        parts = game.status(position=True).position
        for part, whole in zip(parts, game.status(position=True, whole=True).position, strict=True):
            told = Counter(_unfolded(part))
            every = Counter((x.kind, x.name, x.value, x.count) for x in whole.things)
            more = named(told - every)
            claim(told <= every, f"folded, '{part.title}' shows {more}, which is not in it: a mistake in vclogic")
            left = Counter(kind for kind, *_ in (every - told).elements())
            same = left == Counter({x.kind: x.number for x in part.left_out})
            claim(same, f"folded, '{part.title}' does not say how much it leaves out: a mistake in vclogic")


def _unfolded(part: Listed) -> list[_Told]:
    """Each thing that is shown, with the parts that are told with it."""
    found: list[_Told] = []
    for x in part.things:
        found.append((x.kind, x.name, x.value, x.count))
        for kind, names in (x.parts or {}).items():
            found += [(kind, name, x.value, None) for name in names]
    return found


def _told(family: Family, shown: set[Term | None]) -> bool:
    return any(x in shown for x in family.fluents.values())


def _value(thing: Thing) -> Term:
    return thing.value.value if isinstance(thing.value, Partial) else thing.value
