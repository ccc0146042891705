"""The places that deciding facts are about, as the picture of the game calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vclogic.model.fluents import State, value
from vclogic.model.system import System
from vclogic.query.ask.grounds import Ground
from vclogic.query.ask.subject import PositionQuestion
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class PictureRegions:
    """The regions of a game's picture, as the names of facts and their values name them.

    Attributes:
        regions: The regions that each name stands for.
        named: Finds them in a text.
        stands: By what a fact is about, such as a unit: facts that say where it stands.
        about: The names in the brackets of each fact.
    """

    regions: Mapping[str, tuple[str, ...]]
    named: re.Pattern[str]
    stands: Mapping[str, tuple[Term, ...]]
    about: Mapping[Term, tuple[str, ...]]

    def of(self, text: str) -> tuple[str, ...]:
        """The regions that a text names."""
        found = self.named.search(text)
        return self.regions[found[1]] if found else ()


def places(asked: PositionQuestion, grounds: Iterable[Ground]) -> tuple[str, ...]:
    """The regions that deciding facts are about, and those where the units stand that they are about.

    Args:
        asked: The question in its position.
        grounds: What the answer rests on.

    Returns:
        Names of regions of the game's picture; none where it has no picture.
    """
    system = asked.system
    if system.drawing is None:
        return ()
    named = places_of(system, asked.state)
    found: dict[str, None] = {}
    for ground in grounds:
        for fact in ground.facts:
            found |= dict.fromkeys(_about(system, named, asked.states[ground.moment], fact))
    return tuple(found)


def _about(system: System, named: PictureRegions, state: State, fact: Term) -> tuple[str, ...]:
    names = named.about[fact]
    facts = (fact, *(f for name in names for f in named.stands.get(name, ())))
    values = (str(value(f.sort, state[system.layout.slot[f]])) for f in facts if isinstance(f.sort, EnumSort))
    return tuple(region for x in (*names, *values) for region in named.of(x))


def places_of(system: System, state: State) -> PictureRegions:
    """The places of a game that has a picture.

    Args:
        state: Any of its states: the places are those of all.
    """
    found: PictureRegions = system.kept("places", lambda: _found(system, state))
    return found


def _found(system: System, state: State) -> PictureRegions:
    assert system.drawing is not None
    picture = system.drawing.picture(system.layout.values(state), True)
    regions = {site.name: site.hexes for site in picture.hexes.sites} if picture.hexes else {}
    regions |= {r.name: (r.name,) for r in picture.regions}
    either = "|".join(re.escape(name) for name in sorted(regions, key=len, reverse=True))
    named = re.compile(rf"(?:^|\s)({either})(?=$|[^\w\s,.])")
    stands: dict[str, tuple[Term, ...]] = {}
    for family in system.layout.families.values():
        if isinstance(family.sort, EnumSort) and any(named.search(member) for member in family.sort.members):
            for index, fluent in family.fluents.items():
                if len(index) == 1:
                    stands[index[0]] = (*stands.get(index[0], ()), fluent)
    about = {f: index for family in system.layout.families.values() for index, f in family.fluents.items()}
    return PictureRegions(regions, named, stands, about)
