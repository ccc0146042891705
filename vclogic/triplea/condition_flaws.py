"""Conditions of a map that nothing can meet, that always hold, or that nobody uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.model.system import TextFlaw
from vclogic.provenance import CodePlace
from vclogic.triplea.attachments import Attachment, FilePlace
from vclogic.triplea.book import MapBook
from vclogic.triplea.game import NEUTRAL, GameMap
from vclogic.triplea.naming import listed
from vclogic.triplea.rules import MapRule, PlaceTest

_SHOWN = 5
_FOR_EVER = 10_000
_CONDITION = "conditionAttachment"
_SERIES, _STEM = 4, 10  # so many rules of no use are a series where their names begin with so many equal letters


def flaw(game: GameMap, code: str, about: str, message: str, place: FilePlace) -> TextFlaw:
    """A fault at a line of a map's file."""
    return TextFlaw(code, about, message, CodePlace(game.file, place.line, ""))


@dataclass(frozen=True)
class ConstantCondition:
    """A condition that holds in every position or in none, and why.

    Attributes:
        holds: Whether in every one.
        cause: The kind of its reason: conditions that have one cause are told together.
        why: The reason.
        place: Where it stands.
    """

    holds: bool
    cause: str
    why: str
    place: FilePlace


class ConditionFlaws:
    """The faults of a map's conditions.

    Args:
        book: The map as a rulebook.
    """

    def __init__(self, book: MapBook):
        self.book, self.game, self.rules = book, book.game, book.conditions.rules

    @cached_property
    def triggers(self) -> list[Attachment]:
        """The triggers of the map."""
        return [a for a in self.game.attachments if a.kind == "TriggerAttachment"]

    @cached_property
    def _free(self) -> frozenset[str]:
        """The names of rules that a trigger rewrites in play: what they say now may be otherwise then."""
        return frozenset(p for a in self.triggers for o in a.all("playerAttachmentName") for p in o.parts)

    @cached_property
    def settled(self) -> Mapping[str, ConstantCondition]:
        """The rules that hold in every position, or in none, by what they ask for themselves."""
        found = {}
        for key, rule in self.rules.items():
            if rule.name not in self._free and not rule.unjudged and rule.switch is None:
                why = self._never(rule) or self._always(rule)
                if why is not None:
                    found[key] = replace(why, holds=why.holds != rule.invert)
        return found

    def _never(self, rule: MapRule) -> ConstantCondition | None:
        """Why what a rule asks for can never be."""
        here = rule.attachment.place
        for test in rule.places:
            names, needed = test.places.names, test.places.needed
            if test.places.group is None and needed is not None and needed > len(names):
                twice = "" if len(test.option.parts) - 1 == len(names) else " (each counts once)"
                why = f"it asks for {needed} of {len(names)} territories{twice}"
                return ConstantCondition(False, "more than listed", why, test.option.place)
            if closed := self._closed(test):
                why = f"nobody can own {listed(closed)}, where nothing may enter"
                return ConstantCondition(False, why, why, test.option.place)
        if rule.rounds is not None and all(high is not None and high < low for low, high in rule.rounds):
            return ConstantCondition(False, "rounds", "its rounds end before they begin", here)
        if not self._rounds_of(rule, ()):
            why = "the rounds that it and its conditions ask for exclude each other"
            return ConstantCondition(False, why, why, here)
        if rule.conditions and rule.between[0] > len(rule.conditions):
            why = f"it asks for {rule.between[0]} of {len(rule.conditions)} conditions"
            return ConstantCondition(False, "more than named", why, here)
        missing = next((name for name in rule.options if name not in self.game.properties), None)
        if missing is not None:
            why = f"the map has no property “{missing}”"
            return ConstantCondition(False, why, why, here)
        return None

    def _always(self, rule: MapRule) -> ConstantCondition | None:
        """Why what a rule asks for is always so: its only tests ask for no territory at all."""
        counts = [t.places.needed for t in rule.places]
        if (
            counts
            and all(n is not None and n <= 0 for n in counts)
            and rule == replace(_bare(rule), places=rule.places)
        ):
            return ConstantCondition(
                True, "nothing asked", f"it asks for {counts[0]} territories", rule.places[0].option.place
            )
        return None

    def _closed(self, test: PlaceTest) -> Sequence[str]:
        """Land of a test of owners that nobody can ever own, where too little is left without it."""
        names, needed = test.places.names, test.places.needed
        if test.what != "owned" or test.places.group is not None or self._changes_owners:
            return ()
        closed = [n for n in names if self.game.territories[n].impassable and self.game.owners[n] == NEUTRAL]
        return closed if len(names) - len(closed) < (len(names) if needed is None else needed) else ()

    @cached_property
    def _changes_owners(self) -> bool:
        return any(a.all("changeOwnership") for a in self.triggers)

    def _rounds_of(self, rule: MapRule, above: tuple[str, ...]) -> list[tuple[int, int]]:
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

    def decided(self) -> Iterator[TextFlaw]:
        """Conditions that never hold, or always, those with one cause in one finding."""
        alike: dict[tuple[bool, str], list[tuple[MapRule, ConstantCondition]]] = {}
        for key, why in self.settled.items():
            alike.setdefault((why.holds, why.cause), []).append((self.rules[key], why))
        for (holds, _), found in alike.items():
            (first, why), *others = found
            resting = {u for r, _ in found for u in self._users(r.key)} - {r.key for r, _ in found}
            on = "them" if others else "it"
            rest = f"; {len(resting)} more conditions and triggers rest on {on}" if resting else ""
            shown = [f"{r.name} in line {w.place.line}" for r, w in others[: _SHOWN - 1]]
            more = len(others) - len(shown)
            also = f"; so do {listed(shown)}" if len(shown) > 1 else f"; so does {listed(shown)}" if shown else ""
            also += f", {more} more" if more else ""
            always = "always" if holds else "never"
            yield flaw(
                self.game,
                "VC903" if holds else "VC902",
                first.key,
                f"{first.name} of {first.player} {always} holds: {why.why}{also}{rest}",
                why.place,
            )

    def _users(self, key: str) -> list[str]:
        """The users of a rule: rules and triggers that name it, and those that name these."""
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

    def unused(self) -> Iterator[TextFlaw]:
        """Conditions that nothing names, in one finding; whole series of them were made so."""
        unused = [
            r
            for key, r in self.rules.items()
            if r.name.startswith(_CONDITION) and r.has_test and r.name not in self._naming
            if key not in self.book.conditions.lost
        ]
        alike = Counter(map(self._series, unused))
        lonely = [r for r in unused if alike[self._series(r)] < _SERIES]  # others were made for each land or player
        if lonely:
            names = [r.name for r in lonely[:_SHOWN]]
            more = f" and {len(lonely) - _SHOWN} more" if len(lonely) > _SHOWN else ""
            number = "1 condition is" if len(lonely) == 1 else f"{len(lonely)} conditions are"
            yield flaw(
                self.game,
                "VC904",
                lonely[0].key,
                f"{number} used by nobody: {', '.join(names)}{more}",
                lonely[0].attachment.place,
            )

    def _series(self, rule: MapRule) -> tuple[object, ...]:
        """The common part of the rules of a series: what they ask for, and how their names begin."""
        stem = self._names.sub("", rule.name.removeprefix(_CONDITION))
        return *(o.name for o in rule.attachment.options), stem[:_STEM].lower()

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Names of players, land and units, and numbers, within the name of a rule."""
        names = sorted((*self.game.players, *self.game.territories, *self.game.kinds), key=len, reverse=True)
        return re.compile("|".join((*(re.escape(n).replace(r"\ ", "[ _]?") for n in names), r"\d+", "_")))


def _bare(rule: MapRule) -> MapRule:
    """A rule of the same name that asks for nothing."""
    return MapRule(rule.player, rule.name, rule.attachment, rule.players, between=rule.between, invert=rule.invert)


def _overlaps(some: Iterable[tuple[int, int]], others: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for low, high in some:
        for a, b in others:
            if max(low, a) <= min(high, b):
                yield max(low, a), min(high, b)
