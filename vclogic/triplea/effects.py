"""Changes by triggers that announce no victory: owners, switches, relationships, values of cities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from vclogic.triplea.attachments import AttachmentOption
from vclogic.triplea.conditions import MapConditions
from vclogic.triplea.naming import prose
from vclogic.triplea.rules import DIRECT, MapRule, Trigger
from vclogic.triplea.victories import moment_of

OWNER, SWITCH, RELATION, CITY, PRODUCTION = "owner", "switch", "relation", "victoryCity", "production"
_TOLD = (OWNER, SWITCH, RELATION, CITY, PRODUCTION)
_OTHER = {  # options by what they change, with how that is told
    "placement": ("units", "place units"),
    "removeUnits": ("units", "remove units"),
    "tech": ("techs", "give technologies"),
    "activateTrigger": ("trigger", "set off other triggers"),
}


@dataclass(frozen=True)
class TriggerEffect:
    """A change that a trigger makes.

    Attributes:
        trigger: The trigger.
        kind: What it changes: an owner, a switch, a relationship, a city's value, production, or in words.
        about: Whose or of what: a territory, the key of a rule, two players joined by a colon; empty: of many.
        value: What it becomes.
        before: What it has to be before; empty: anything.
    """

    trigger: Trigger
    kind: str
    about: str
    value: str
    before: str = ""


@dataclass(frozen=True)
class TriggerEffects:
    """The changes of a map's triggers that may bear on victory.

    Args:
        conditions: The conditions of the map.
    """

    conditions: MapConditions

    @cached_property
    def asked(self) -> frozenset[str]:
        """The rules that victories ask for, by key, with those that these ask for."""
        return self._closure(k for v in self.conditions.victories for k in v.conditions)

    def _closure(self, keys: Iterable[str]) -> frozenset[str]:
        """Some rules with those that they ask for, by key."""
        found: dict[str, None] = {}
        waiting = list(keys)
        while waiting:
            key = waiting.pop()
            if key not in found:
                found[key] = None
                waiting += self.conditions.rules[key].conditions
        return frozenset(found)

    @cached_property
    def found(self) -> tuple[TriggerEffect, ...]:
        """All changes of triggers that announce no victory."""
        return tuple(e for trigger in self.conditions.triggers for e in self._of(trigger))

    @cached_property
    def told(self) -> tuple[TriggerEffect, ...]:
        """The changes that bear on victory and that the rulebook tells: of triggers at a step of somebody's turn."""
        known = (e for e in self.found if e.kind in _TOLD and self._at_turns(e.trigger) and self._sound(e))
        by_trigger: dict[int, list[TriggerEffect]] = {}
        for e in known:
            if self.bears(e):
                by_trigger.setdefault(id(e.trigger), []).append(e)
        # What changes at one moment is told as far as it does not depend on each other: the engine looks first and
        # changes then. A trigger that looks at what another changes, or that changes what another does, is left out.
        kept: list[tuple[set[str], set[str]]] = []
        found: list[TriggerEffect] = []
        for effects in by_trigger.values():
            reads, writes = self._reads(effects[0].trigger), {f for e in effects for f in self._facts(e)}
            alone = len(writes) == 1 or reads.isdisjoint(writes)
            if alone and all(reads.isdisjoint(w) and writes.isdisjoint(r | w) for r, w in kept):
                kept.append((reads, writes))
                found += effects
        return tuple(found)

    def _facts(self, e: TriggerEffect) -> Iterator[str]:
        """The facts that an effect changes."""
        game = self.conditions.game
        if e.kind == OWNER and not e.about:
            yield from (f"{OWNER} {t}" for t in game.territories)
        elif e.kind == RELATION:
            yield f"{RELATION} {game.pair(*e.about.split(':'))}"
        else:
            yield f"{e.kind} {e.about}"

    def _reads(self, trigger: Trigger) -> set[str]:
        """The facts that a trigger looks at."""
        game, found = self.conditions.game, set[str]()
        for rule in (self.conditions.rules[k] for k in self._closure(trigger.conditions)):
            for test in rule.places:
                lands = game.territories if test.places.group else test.places.names
                found |= {f"{OWNER} {t}" for t in lands if test.what == "owned" or test.places.group}
            pairs = [(r.one, r.other) for r in rule.relations] + [
                (rule.player, p) for a in rule.at_war for p in a.names
            ]
            if any(t.whose != DIRECT for t in rule.places):
                pairs += [(p, q) for p in rule.players for q in game.players]
            known = {*game.players}
            found |= {f"{RELATION} {game.pair(p, q)}" for p, q in pairs if p != q and {p, q} <= known}
            found |= {f"{SWITCH} {rule.key}"} if rule.switch is not None else set()
        return found

    def _sound(self, e: TriggerEffect) -> bool:
        """True if an effect names what there is."""
        game = self.conditions.game
        if e.kind == RELATION:
            one, _, other = e.about.partition(":")
            known = {one, other} <= {*game.players} and one != other and e.value in game.relations
            return known and bool(game.relation) and bool(game.types(e.before))
        if e.kind == SWITCH:
            return e.about in self.conditions.rules
        there = not e.about or e.about in game.territories
        return there and (e.value in self.conditions.players if e.kind == OWNER else e.value.isdigit())

    def _at_turns(self, trigger: Trigger) -> bool:
        steps = {s.name: s for s in self.conditions.game.steps}
        known = [side for side, step in trigger.when if step in steps and moment_of(self.conditions.game, side, step)]
        once = any(step in steps and steps[step].once for _, step in trigger.when)
        sure = trigger.chances is None and trigger.uses in (-1, 1)
        return sure and bool(trigger.when) and len(known) == len(trigger.when) and not once

    def _of(self, trigger: Trigger) -> Iterator[TriggerEffect]:
        a = trigger.attachment
        for o in a.all("changeOwnership"):
            land, old, new, *_ = (*o.parts, "", "", "")
            yield TriggerEffect(trigger, OWNER, "" if land == "all" else land, new, "" if old == "any" else old)
        for o in a.all("relationshipChange"):
            one, other, old, new, *_ = (*o.parts, "", "", "", "")
            yield TriggerEffect(trigger, RELATION, f"{one}:{other}", new, old)
        for o in a.all("territoryProperty"):
            value, _, name = o.value.rpartition(":")
            if name in (CITY, PRODUCTION):
                for land in (p for t in a.all("territories") for p in t.parts):
                    yield TriggerEffect(trigger, name, land, value)
        for o in a.all("playerProperty"):
            yield from self._of_player(trigger, o)
        for option, (_, told) in _OTHER.items():
            for o in a.all(option):
                yield TriggerEffect(trigger, told, o.value, "")

    def _of_player(self, trigger: Trigger, o: AttachmentOption) -> Iterator[TriggerEffect]:
        """A change of what is attached to players: the switch of a rule, or anything else of a rule or trigger."""
        a = trigger.attachment
        value, _, name = o.value.rpartition(":")
        named = a.last("playerAttachmentName")
        rule, _, kind = named.value.partition(":") if named is not None else ("", "", "")
        if kind in ("RulesAttachment", "TriggerAttachment", ""):
            players = [p for x in a.all("players") for p in x.parts] or [a.to]
            for key in (f"{p}/{rule}" for p in players):
                yield TriggerEffect(
                    trigger, SWITCH if name == "switch" else f"rewrite {prose(name)} of conditions", key, value
                )

    def bears(self, effect: TriggerEffect) -> bool:
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


def _lands(rule: MapRule, land: str) -> bool:
    """True if a rule looks at who owns a territory; or at any, where none is named."""
    return any(t.what == "owned" and (not land or land in t.places.names or t.places.group) for t in rule.places)


def left_out_of_triggers(conditions: MapConditions) -> Iterator[str]:
    """The changes by triggers that bear on victory and that the rulebook leaves out, a line each.

    Args:
        conditions: The conditions of the map.
    """
    effects = TriggerEffects(conditions)
    bearing = [e for e in effects.found if e not in effects.told and effects.bears(e)]
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
    once = len({id(e.trigger) for e in effects.told if e.trigger.uses == 1})
    if once:
        yield f"of triggers that fire once, told as if they fired each time: {once}"
    chances = sum(v.chances is not None for v in conditions.victories)
    if chances:
        yield f"victories that need dice, taken as sure: {chances}"
