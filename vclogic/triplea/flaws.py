"""What is wrong with a map's victory rules, at the lines of its file; idioms that are sound are passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

from vclogic.model.system import TextFlaw
from vclogic.provenance import CodePlace
from vclogic.triplea.attachments import Attachment, Place
from vclogic.triplea.book import MapBook
from vclogic.triplea.expressions import FALSE
from vclogic.triplea.game import NEUTRAL
from vclogic.triplea.naming import listed
from vclogic.triplea.rules import PlaceTest, Rule
from vclogic.triplea.victories import CITIES, ROUND_ENDS, Victory

_SHOWN = 5
_FOR_EVER = 10_000


class MapFlaws:
    """The faults of a map.

    Args:
        book: The map as a rulebook.
    """

    def __init__(self, book: MapBook):
        self.book, self.game, self.rules = book, book.game, book.conditions.rules

    def found(self) -> list[TextFlaw]:
        """All of them, in the order of the file."""
        flaws = [
            *self._silent(),
            *self._nobody(),
            *self._decided(),
            *self._unused(),
            *self._thresholds(),
            *self._dropped_names(),
            *self._replaced(),
            *self._without_alliance(),
            *self._together(),
        ]
        return sorted(flaws, key=lambda f: (f.place.line, f.code))

    def _flaw(self, code: str, about: str, message: str, place: Place, help: str) -> TextFlaw:
        return TextFlaw(code, about, message, CodePlace(self.game.file, place.line, ""), help)

    # ---- victories

    def _silent(self) -> Iterator[TextFlaw]:
        for trigger in self.book.victories.silent:
            where = (
                "notifications.properties has no such key"
                if self.book.notified
                else "there is no notifications.properties"
            )
            yield self._flaw(
                "VC901",
                f"{trigger.player}/{trigger.name}",
                f"the victory of {listed(trigger.winners)} is never announced, and so never won: its `victory` names "
                f"the key “{trigger.key}”, and {where}",
                trigger.attachment.place,
                "write the key into notifications.properties with the text that players read, or let `victory` name "
                "one that is there",
            )

    def _nobody(self) -> Iterator[TextFlaw]:
        """Triggered victories are switched on, and no trigger has one, nor does anything else end the game."""
        switch = self.game.properties.get("Triggered Victory")
        if switch is not None and switch.on and not self.book.victories.found:
            yield self._flaw(
                "VC901",
                "Triggered Victory",
                "nobody can ever win: the property Triggered Victory is set, no trigger has a `victory`, and no "
                "other victory is switched on",
                switch.place,
                "give the trigger that ends the game a `victory`, or set the property of another victory",
            )

    def _thresholds(self) -> Iterator[TextFlaw]:
        """Sums that the whole map does not come to: said of an alliance that the map names, or of all of them."""
        kinds: dict[str, list[Victory]] = {}
        for v in self.book.victories.found:
            if v.threshold is not None:
                kinds.setdefault(v.rule, []).append(v)
        for title, victories in kinds.items():
            measure = victories[0].threshold[0]  # type: ignore[index]
            option, name = ("victoryCity", "victory cities") if measure == CITIES else ("production", "production")
            if any(o.value.split(":")[-1] == option for a in self._triggers for o in a.all("territoryProperty")):
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
                yield self._flaw(
                    "VC905",
                    title,
                    f"{listed(told[0].winners)} need {need} {name} for {title}, and the whole map has {there}{many}",
                    self.game.properties[named_by].place,
                    "lower the threshold, give the map more, or switch this victory off",
                )

    def _together(self) -> Iterator[TextFlaw]:
        at_end = [v for v in self.book.victories.found if v.trigger is not None and v.moment == ROUND_ENDS]
        for one, other in combinations(at_end, 2):
            if {*one.winners} != {*other.winners} and FALSE not in (one.condition, other.condition):
                assert one.trigger is not None, "it is triggered"
                yield self._flaw(
                    "VC909",
                    f"{one.trigger.player}/{one.trigger.name}",
                    f"{listed(one.winners)} and {listed(other.winners)} may win at the end of one round: which of "
                    "two triggers the engine takes follows from a hash of their names",
                    one.trigger.attachment.place,
                    "let the conditions of one ask that those of the other do not hold",
                )

    def _without_alliance(self) -> Iterator[TextFlaw]:
        by_sums = [v for v in self.book.victories.found if v.threshold is not None]
        if not by_sums:
            return
        members = {p for of in self.game.alliances.values() for p in of}
        winners = {p for v in self.book.victories.found for p in v.winners}
        lost = [p for p in self.game.order if p not in members and p not in winners]
        if lost:
            yield self._flaw(
                "VC908",
                lost[0],
                f"{listed(lost)} {'is' if len(lost) == 1 else 'are'} in no alliance, and so can never win by victory "
                "cities or production",
                Place(1, 1),
                "name an alliance for each player who can win",
            )

    # ---- conditions

    @cached_property
    def _triggers(self) -> list[Attachment]:
        return [a for a in self.game.attachments if a.kind == "TriggerAttachment"]

    @cached_property
    def _free(self) -> frozenset[str]:
        """The names of rules that a trigger rewrites in play: what they say now may be otherwise then."""
        return frozenset(p for a in self._triggers for o in a.all("playerAttachmentName") for p in o.parts)

    @cached_property
    def _always(self) -> Mapping[str, bool]:
        """Whether a rule holds in every position (True) or in none (False), by itself."""
        found = {}
        for key, rule in self.rules.items():
            known = rule.name not in self._free and not rule.unjudged and rule.switch is None
            if known and self._impossible(rule)[0]:
                found[key] = rule.invert
        return found

    def _impossible(self, rule: Rule) -> tuple[str, Place]:
        """Why what a rule asks for can never be, and where that stands; an empty text: it can."""
        for test in rule.places:
            if why := self._too_many(test):
                return why, test.option.place
        here = rule.attachment.place
        if rule.rounds is not None and all(high is not None and high < low for low, high in rule.rounds):
            return "its rounds end before they begin", here
        if not self._rounds_of(rule, ()):
            return "the rounds that it and its conditions ask for exclude each other", here
        if rule.conditions and rule.between[0] > len(rule.conditions):
            return f"it asks for {rule.between[0]} of {len(rule.conditions)} conditions", here
        for name in rule.options:
            if name not in self.game.properties:
                return f"the map has no property “{name}”", here
        return "", here

    def _too_many(self, test: PlaceTest) -> str:
        places = test.places
        if places.group is not None:
            return ""
        names = places.names
        if places.needed is not None and places.needed > len(names):
            twice = "" if len(test.option.parts) - 1 == len(names) else " (each counts once)"
            return f"it asks for {places.needed} of {len(names)} territories{twice}"
        if test.what == "owned":
            needed = len(names) if places.needed is None else places.needed
            closed = [n for n in names if self.game.territories[n].impassable and self.game.owners[n] == NEUTRAL]
            if closed and len(names) - len(closed) < needed and not self._changes_owners:
                return f"nobody can own {listed(closed)}, where nothing may enter"
        return ""

    @cached_property
    def _changes_owners(self) -> bool:
        return any(a.all("changeOwnership") for a in self._triggers)

    def _rounds_of(self, rule: Rule, above: tuple[str, ...]) -> list[tuple[int, int]]:
        """The rounds in which a rule may hold, as far as it and the conditions that it needs all of say so."""
        spans = [(1, _FOR_EVER)] if rule.rounds is None else [(low, high or _FOR_EVER) for low, high in rule.rounds]
        if rule.rounds is not None:
            spans = [(low, _FOR_EVER if high is None else high) for low, high in rule.rounds]
        needs_all = rule.between[0] in (-1, len(rule.conditions))
        for key in rule.conditions if needs_all else ():
            asked = self.rules[key]
            if not asked.invert and key not in above and asked.name not in self._free:
                spans = list(_overlaps(spans, self._rounds_of(asked, (*above, rule.key))))
        return [s for s in spans if s[0] <= s[1]]

    def _decided(self) -> Iterator[TextFlaw]:
        """Conditions that never hold, or always, those with one cause in one finding."""
        alike: dict[tuple[bool, str], list[Rule]] = {}
        for key, holds in self._always.items():
            rule = self.rules[key]
            alike.setdefault((holds, self._impossible(rule)[0]), []).append(rule)
        for (holds, why), rules in alike.items():
            first = rules[0]
            users = {u for r in rules for u in self._users(r.key)} - {r.key for r in rules}
            resting = (
                f"; {len(users)} more conditions and triggers rest on {'it' if len(rules) == 1 else 'them'}"
                if users
                else ""
            )
            others = [f"{r.name} in line {self._impossible(r)[1].line}" for r in rules[1:_SHOWN]]
            more = len(rules) - 1 - len(others)
            also = (
                f"; so does {listed(others)}" if len(others) == 1 else f"; so do {listed(others)}" if others else ""
            )
            also += f", {more} more" if more else ""
            yield self._flaw(
                "VC903" if holds else "VC902",
                first.key,
                f"{first.name} of {first.player} {'always' if holds else 'never'} holds: {why}{also}{resting}",
                self._impossible(first)[1],
                "let it ask for what can be, or take it out",
            )

    def _users(self, key: str) -> list[str]:
        """What rests on a rule: rules and triggers that name it, and those that name these."""
        found: dict[str, None] = {}
        waiting = [self.rules[key].name]
        while waiting:
            name = waiting.pop()
            for a in self._naming.get(name, ()):
                if f"{a.to}/{a.name}" not in found:
                    found[f"{a.to}/{a.name}"] = None
                    waiting.append(a.name)
        return list(found)

    @cached_property
    def _naming(self) -> Mapping[str, Sequence[Attachment]]:
        """The attachments that name each attachment in an option."""
        found: dict[str, list[Attachment]] = {}
        for a in self.game.attachments:
            for name in {p for o in a.options for p in o.parts}:
                found.setdefault(name, []).append(a)
        return found

    def _unused(self) -> Iterator[TextFlaw]:
        lonely = [
            r
            for r in self.rules.values()
            if r.name.startswith("condition") and r.has_test and r.name not in self._naming
        ]
        if lonely:
            names = [r.name for r in lonely[:_SHOWN]]
            more = f" and {len(lonely) - _SHOWN} more" if len(lonely) > _SHOWN else ""
            number = "1 condition is" if len(lonely) == 1 else f"{len(lonely)} conditions are"
            yield self._flaw(
                "VC904",
                lonely[0].key,
                f"{number} used by nobody: {', '.join(names)}{more}",
                lonely[0].attachment.place,
                "name it where it was meant to count, or take it out",
            )

    # ---- names and attachments

    def _dropped_names(self) -> Iterator[TextFlaw]:
        for rule in self.rules.values():
            for test in rule.places:
                if test.places.dropped:
                    yield self._flaw(
                        "VC906",
                        rule.key,
                        f"{test.option.name} of {rule.name} lists {listed(test.places.dropped)} behind a group word: "
                        "the engine drops what stands there",
                        test.option.place,
                        "write the group word alone, or the names without it",
                    )
            yield from self._other_players(rule)

    def _other_players(self, rule: Rule) -> Iterator[TextFlaw]:
        for key in rule.conditions:
            asked = self.rules[key]
            own = f"{rule.player}/{asked.name}"
            if (
                asked.player != rule.player
                and own in self.rules
                and _differ(self.rules[own].attachment, asked.attachment)
            ):
                yield self._flaw(
                    "VC906",
                    rule.key,
                    f"{rule.name} of {rule.player} names {asked.name}, which {rule.player} has: the engine takes "
                    f"that of {asked.player}, who comes first in the list of players",
                    rule.attachment.place,
                    "give the two another name",
                )

    def _replaced(self) -> Iterator[TextFlaw]:
        kept = {(a.to, a.name): a for a in self.game.attachments}
        for old in self.game.dropped:
            new = kept[old.to, old.name]
            if old.kind in ("RulesAttachment", "TriggerAttachment") and _differ(old, new):
                yield self._flaw(
                    "VC907",
                    f"{old.to}/{old.name}",
                    f"{old.to} has two attachments called {old.name}: the engine keeps that of line {new.place.line}",
                    old.place,
                    "give this one another name",
                )


def _differ(one: Attachment, other: Attachment) -> bool:
    """True if two attachments say different things."""
    return sorted((o.name, o.value) for o in one.options) != sorted((o.name, o.value) for o in other.options)


def _overlaps(some: Iterable[tuple[int, int]], others: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for low, high in some:
        for a, b in others:
            if max(low, a) <= min(high, b):
                yield max(low, a), min(high, b)
