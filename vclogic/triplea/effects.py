"""What triggers that announce no victory change: owners, switches, relationships, values of cities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from vclogic.triplea.attachments import Attachment, Option
from vclogic.triplea.conditions import Conditions
from vclogic.triplea.naming import prose
from vclogic.triplea.rules import Rule

OWNER, SWITCH, RELATION, CITY, PRODUCTION = "owner", "switch", "relation", "victoryCity", "production"
_OTHER = {  # options by what they change, with how that is told
    "placement": ("units", "place units"),
    "removeUnits": ("units", "remove units"),
    "tech": ("techs", "give technologies"),
    "activateTrigger": ("trigger", "set off other triggers"),
}


@dataclass(frozen=True)
class Effect:
    """A change that a trigger makes.

    Attributes:
        trigger: The trigger.
        kind: What it changes: an owner, a switch, a relationship, a city's value, production, or in words.
        about: Whose or of what: a territory, the key of a rule, two players joined by a colon; empty: of many.
        value: What it becomes.
        before: What it has to be before; empty: anything.
    """

    trigger: Attachment
    kind: str
    about: str
    value: str
    before: str = ""


@dataclass(frozen=True)
class Effects:
    """The changes of a map's triggers that may bear on victory.

    Args:
        conditions: The conditions of the map.
    """

    conditions: Conditions

    @cached_property
    def asked(self) -> frozenset[str]:
        """The rules that victories ask for, by key, with those that these ask for."""
        rules = self.conditions.rules
        found: dict[str, None] = {}
        waiting = [k for v in self.conditions.victories for k in v.conditions]
        while waiting:
            key = waiting.pop()
            if key not in found:
                found[key] = None
                waiting += rules[key].conditions
        return frozenset(found)

    @cached_property
    def found(self) -> tuple[Effect, ...]:
        """All changes of triggers that announce no victory."""
        announcing = {id(v.attachment) for v in self.conditions.victories}
        triggers = [a for a in self.conditions.game.attachments if a.kind == "TriggerAttachment"]
        return tuple(e for a in triggers if id(a) not in announcing for e in self._of(a))

    def _of(self, a: Attachment) -> Iterator[Effect]:
        for o in a.all("changeOwnership"):
            land, old, new, *_ = (*o.parts, "", "", "")
            yield Effect(a, OWNER, "" if land == "all" else land, new, "" if old == "any" else old)
        for o in a.all("relationshipChange"):
            one, other, old, new, *_ = (*o.parts, "", "", "", "")
            yield Effect(a, RELATION, f"{one}:{other}", new, old)
        for o in a.all("territoryProperty"):
            value, _, name = o.value.rpartition(":")
            if name in (CITY, PRODUCTION):
                for land in (p for t in a.all("territories") for p in t.parts):
                    yield Effect(a, name, land, value)
        for o in a.all("playerProperty"):
            yield from self._of_player(a, o)
        for option, (_, told) in _OTHER.items():
            for o in a.all(option):
                yield Effect(a, told, o.value, "")

    def _of_player(self, a: Attachment, o: Option) -> Iterator[Effect]:
        """A change of what is attached to players: the switch of a rule, or anything else of a rule or trigger."""
        value, _, name = o.value.rpartition(":")
        named = a.last("playerAttachmentName")
        rule, _, kind = named.value.partition(":") if named is not None else ("", "", "")
        if kind in ("RulesAttachment", "TriggerAttachment", ""):
            players = [p for x in a.all("players") for p in x.parts] or [a.to]
            for key in (f"{p}/{rule}" for p in players):
                yield Effect(a, SWITCH if name == "switch" else f"rewrite {prose(name)} of conditions", key, value)

    def bears(self, effect: Effect) -> bool:
        """True if what an effect changes is asked for by a victory."""
        asked = [self.conditions.rules[key] for key in self.asked]
        cities = any(t.cities for t in self.conditions.game.territories.values())
        if effect.kind == OWNER:
            there = effect.about
            weight = (
                self.conditions.game.territories[there].cities if there in self.conditions.game.territories else 1
            )
            return (cities and weight != 0) or any(_lands(r, there) for r in asked)
        if effect.kind == CITY:
            return self._sums("Total Victory", "Honorable Surrender", "Projection of Power")
        if effect.kind == PRODUCTION:
            return self._sums("Economic Victory")
        if effect.kind == RELATION:
            return any(r.relations or r.at_war or any(t.whose != "direct" for t in r.places) for r in asked)
        if effect.kind in ("place units", "remove units"):
            return any(t.what != "owned" for r in asked for t in r.places)
        if effect.kind == "give technologies":
            return any(r.techs for r in asked)
        if effect.kind == "set off other triggers":
            return any(v.name == effect.about.partition(":")[0] for v in self.conditions.victories)
        names = {f"{v.player}/{v.name}" for v in self.conditions.victories}
        return effect.about in self.asked or effect.about in names

    def _sums(self, *names: str) -> bool:
        """True if a victory by sums may be switched on."""
        found = (self.conditions.game.properties.get(n) for n in names)
        return any(p is not None and (p.on or p.editable) for p in found)


def _lands(rule: Rule, land: str) -> bool:
    """True if a rule looks at who owns a territory; or at any, where none is named."""
    return any(t.what == "owned" and (not land or land in t.places.names or t.places.group) for t in rule.places)


def left_out_of_triggers(conditions: Conditions) -> Iterator[str]:
    """What triggers change that bears on victory and that the rulebook leaves out, a line each.

    Args:
        conditions: The conditions of the map.
    """
    effects = Effects(conditions)
    bearing = [e for e in effects.found if effects.bears(e)]
    told = {
        OWNER: "change owners",
        SWITCH: "turn switches",
        RELATION: "change relationships",
        CITY: "change the value of cities",
        PRODUCTION: "change production",
    }
    number = Counter(kind for kind, _ in {(told.get(e.kind, e.kind), id(e.trigger)) for e in bearing})
    if number:
        kinds = "; ".join(f"{n} {kind}" for kind, n in sorted(number.items()))
        yield f"triggers that bear on victory are left out: {kinds}"
    chances = sum(v.chances is not None for v in conditions.victories)
    if chances:
        yield f"{chances} victories need dice: they are taken as sure"
