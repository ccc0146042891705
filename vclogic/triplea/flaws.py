"""Flaws of a map's victory rules, at the lines of its file; idioms that are sound are passed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from vclogic.errors import did_you_mean
from vclogic.model.system import TextFlaw
from vclogic.triplea.attachments import Attachment, FilePlace
from vclogic.triplea.book import MapBook
from vclogic.triplea.condition_flaws import ConditionFlaws, flaw
from vclogic.triplea.conditions import GROUPS, KNOWN_OPTIONS
from vclogic.triplea.expressions import FALSE
from vclogic.triplea.naming import listed
from vclogic.triplea.rules import MapRule, Trigger
from vclogic.triplea.victories import CITIES, ROUND_ENDS, SWITCHES, WayToWin


class MapFlaws:
    """The faults of a map.

    Args:
        book: The map as a rulebook.
    """

    def __init__(self, book: MapBook):
        self.book, self.game, self.rules = book, book.game, book.conditions.rules
        self._conditions = ConditionFlaws(book)

    def found(self) -> list[TextFlaw]:
        """All of them, in the order of the file."""
        flaws = [
            *self._silent(),
            *self._nobody(),
            *self._conditions.decided(),
            *self._conditions.unused(),
            *self._thresholds(),
            *self._dropped_names(),
            *self._replaced(),
            *self._strange(),
            *self._without_alliance(),
            *self._together(),
        ]
        return sorted(flaws, key=lambda f: (f.place.line, f.code))

    # ---- victories

    def _silent(self) -> Iterator[TextFlaw]:
        """Victories of triggers that never come, each with why."""
        for trigger in self.book.victories.triggers:
            if why := self._never_won(trigger):
                yield flaw(
                    self.game,
                    "VC901",
                    f"{trigger.player}/{trigger.name}",
                    f"the victory of {listed(trigger.winners)} is never announced, and so never won: {why}",
                    trigger.attachment.place,
                )

    def _never_won(self, trigger: Trigger) -> str:
        key = f"its `victory` names the key “{trigger.key}”"
        if trigger in self.book.victories.silent:
            there = "notifications.properties has no such key"
            return f"{key}, and {there if self.book.notified else 'there is no notifications.properties'}"
        switch = "Use Triggers" if trigger.when else "Triggered Victory"
        if self.book.expressions.option(switch) == FALSE:
            return f"the property {switch} is not set"
        steps = {s.name for s in self.game.steps}
        if trigger.when and not any(step in steps for _, step in trigger.when):
            return f"there is no step {listed(step for _, step in trigger.when)}"
        if not trigger.when and not self.game.ends_rounds:
            return "no step of the map has the EndRoundDelegate, which looks at victories"
        uses = trigger.attachment.last("uses")
        return "" if uses is None or uses.value.strip() != "0" else "its `uses` are 0"

    def _nobody(self) -> Iterator[TextFlaw]:
        """Triggered victories are switched on, and no trigger has one, nor does anything else end the game."""
        for name in SWITCHES[:-3] if not self.game.ends_rounds else ():
            if self.game.is_on(name):
                message = f"{name} is set, and no step of the map has the EndRoundDelegate, which looks at victories"
                yield flaw(self.game, "VC901", name, message, self.game.properties[name].place)
        switch = self.game.properties.get("Triggered Victory")
        if switch is not None and switch.on and not (self.book.victories.found or self.book.victories.triggers):
            yield flaw(
                self.game,
                "VC901",
                "Triggered Victory",
                "nobody can ever win: the property Triggered Victory is set, no trigger has a `victory`, and no "
                "other victory is switched on",
                switch.place,
            )

    def _thresholds(self) -> Iterator[TextFlaw]:
        """Sums that the whole map does not come to: said of an alliance that the map names, or of all of them."""
        kinds: dict[str, list[WayToWin]] = {}
        for v in self.book.victories.found:
            if v.threshold is not None:
                kinds.setdefault(v.rule, []).append(v)
        for title, victories in kinds.items():
            measure = victories[0].threshold[0]  # type: ignore[index]
            option, name = ("victoryCity", "victory cities") if measure == CITIES else ("production", "production")
            if any(
                o.value.split(":")[-1] == option
                for a in self._conditions.triggers
                for o in a.all("territoryProperty")
            ):
                continue  # a trigger gives some more
            there = sum(t.cities if measure == CITIES else t.production for t in self.game.territories.values())
            lost = [v for v in victories if v.threshold is not None and v.threshold[1] > there]
            named = [v for v in lost if v.asked is not None and v.asked in self.game.properties]
            told = lost if len(lost) == len(victories) else named
            if told:
                need = min(v.threshold[1] for v in told if v.threshold is not None)
                many = f"; {len(told)} alliances are asked for more than there is" if len(told) > 1 else ""
                asked = told[0].asked
                named_by = asked if asked is not None and asked in self.game.properties else title
                verb = "needs" if len(told[0].winners) == 1 else "need"
                yield flaw(
                    self.game,
                    "VC905",
                    title,
                    f"{listed(told[0].winners)} {verb} {need} {name} for {title}, and the map has {there}{many}",
                    self.game.properties[named_by].place,
                )

    def _together(self) -> Iterator[TextFlaw]:
        yield from self._sums_together()
        found = enumerate(self.book.victories.found, 1)
        at_end = [(f"5.{i}", v) for i, v in found if v.trigger is not None and v.moment == ROUND_ENDS]
        for (first, one), (second, other) in combinations(at_end, 2):
            if {*one.winners} != {*other.winners} and FALSE not in (one.condition, other.condition):
                assert one.trigger is not None, "it is triggered"
                both = flaw(
                    self.game,
                    "VC909",
                    f"{one.trigger.player}/{one.trigger.name}",
                    f"{listed(one.winners)} and {listed(other.winners)} may win at the end of one round: which of "
                    "two triggers the engine takes follows from a hash of their names",
                    one.trigger.attachment.place,
                )
                yield replace(both, together=(first, second))

    def _sums_together(self) -> Iterator[TextFlaw]:
        """Alliances that may have enough at once: the engine takes them in an order that the map does not set."""
        kinds: dict[str, list[WayToWin]] = {}
        for v in self.book.victories.found:
            if v.threshold is not None and v.asked in self.game.properties:
                kinds.setdefault(v.rule, []).append(v)
        for title, victories in kinds.items():
            (measure, _), *_ = (v.threshold for v in victories if v.threshold is not None)
            there = sum(t.cities if measure == CITIES else t.production for t in self.game.territories.values())
            needs = [self.game.number(v.asked or "") for v in victories]
            if len(needs) > 1 and sum(sorted(needs)[:2]) <= there:
                first, *others = (v.alliance for v in victories)
                name = victories[0].asked or ""
                yield flaw(
                    self.game,
                    "VC909",
                    title,
                    f"{listed([first, *others], 'or')} may have enough for {title} at once: then {first} has won, as "
                    "the engine goes through alliances by a hash of their names",
                    self.game.properties[name].place,
                )

    def _without_alliance(self) -> Iterator[TextFlaw]:
        by_sums = [v for v in self.book.victories.found if v.threshold is not None]
        if not by_sums:
            return
        members = {p for of in self.game.alliances.values() for p in of}
        winners = {p for v in self.book.victories.found for p in v.winners}
        lost = [p for p in self.game.order if p not in members and p not in winners and p not in self.game.hidden]
        if lost:
            yield flaw(
                self.game,
                "VC908",
                lost[0],
                f"{listed(lost)} {'is' if len(lost) == 1 else 'are'} in no alliance, and so can never win by victory "
                "cities or production",
                FilePlace(1, 1),
            )

    # ---- names and attachments

    def _dropped_names(self) -> Iterator[TextFlaw]:
        for rule in self.rules.values():
            for test in rule.places:
                if test.places.dropped:
                    strange = [n for n in test.places.dropped if n not in self.game.territories and n not in GROUPS]
                    none = f"; there is no {listed(strange, 'or')} on the map" if strange else ""
                    yield flaw(
                        self.game,
                        "VC906",
                        rule.key,
                        f"{test.option.name} of {rule.name} lists {listed(test.places.dropped)} behind a group word: "
                        f"the engine drops what stands there{none}",
                        test.option.place,
                    )
            yield from self._other_players(rule)

    def _other_players(self, rule: MapRule) -> Iterator[TextFlaw]:
        for key in rule.conditions:
            asked = self.rules[key]
            own = f"{rule.player}/{asked.name}"
            if (
                asked.player != rule.player
                and own in self.rules
                and _differ(self.rules[own].attachment, asked.attachment)
            ):
                yield flaw(
                    self.game,
                    "VC906",
                    rule.key,
                    f"{rule.name} of {rule.player} names {asked.name}, which {rule.player} has: the engine takes "
                    f"that of {asked.player}, who comes first in the list of players",
                    rule.attachment.place,
                )

    def _strange(self) -> Iterator[TextFlaw]:
        """Options and properties that are called a little otherwise than those that the engine looks at."""
        for (kind, name), option in self.book.conditions.unknown.items():
            near = did_you_mean(name, KNOWN_OPTIONS[kind])
            message = f"{kind} has no option {name}{f': {near}' if near else ''}"
            yield flaw(self.game, "VC906", name, message, option.place)
        meant = {name.lower(): name for name in SWITCHES}
        for name, found in self.game.properties.items():
            known = meant.get(name.lower(), name)
            if known != name and known not in self.game.properties:
                message = f"the property {name} is not {known}: the engine looks for that with these capitals"
                yield flaw(self.game, "VC906", name, message, found.place)

    def _replaced(self) -> Iterator[TextFlaw]:
        kept = {(a.to, a.name): a for a in self.game.attachments}
        for old in self.game.dropped:
            new = kept[old.to, old.name]
            if old.kind in ("RulesAttachment", "TriggerAttachment") and _differ(old, new):
                yield flaw(
                    self.game,
                    "VC907",
                    f"{old.to}/{old.name}",
                    f"{old.to} has two attachments called {old.name}: the engine keeps that of line {new.place.line}",
                    old.place,
                )


def _differ(one: Attachment, other: Attachment) -> bool:
    """True if two attachments say different things."""
    return sorted((o.name, o.value) for o in one.options) != sorted((o.name, o.value) for o in other.options)
