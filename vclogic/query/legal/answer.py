"""The answer of `legal`: frozen results, with the fields of the JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from vclogic.by_value import ByValue
from vclogic.document_keys import IF_ANY, OR_NULL, TEXT_ONLY, key, then
from vclogic.encode.ranges import Range
from vclogic.model.fluents import Value
from vclogic.query.answers import GameAnswer


@dataclass(frozen=True)
class Lack:
    """An obstacle to an event.

    Attributes:
        text: The sentence for a player.
        cites: Clause ids.
    """

    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Allowed(ByValue):
    """An event that may happen now, or several that differ in numbers alone.

    Attributes:
        actor: The side or power that decides it; None: nobody.
        agreed: Who else must want it; None: nobody.
        args: The arguments but for the numbers.
        numbers: The ranges that each number may lie in, both ends included; every combination is allowed.
        beyond: What `reach` asks beyond the rules and is not so here; under its assumptions the event is not allowed.
        text: The sentence for a player. Where numbers are open it has their ranges (`buy 1 to 3 fighters`); where
            no sentence is so for all of them, it is that of the kind.
        weight: Its weight, where the rules give it odds: of all such events that are legal together chance draws one.
            None: it has none, or numbers are open.
        targets: Where the events of a place were asked for, and who is on turn decides it: the other places that
            arguments but `from` and `via` name after the one that names it, or something there.
    """

    actor: str | None
    agreed: str | None
    args: Mapping[str, Value]
    numbers: Mapping[str, tuple[Range, ...]]
    beyond: tuple[str, ...] = ()
    text: str = ""
    weight: int | None = field(default=None, metadata=IF_ANY)
    targets: tuple[str, ...] = field(default=(), metadata=IF_ANY)

    def choices(self) -> Iterator[dict[str, Value]]:
        """The arguments of each of these events, as `Game.apply` takes them."""
        each = ([n for lo, hi in ranges for n in range(lo, hi + 1)] for ranges in self.numbers.values())
        for numbers in product(*each):
            yield {**self.args, **dict(zip(self.numbers, numbers, strict=True))}


@dataclass(frozen=True)
class Refused(ByValue):
    """Events that may not happen now.

    Attributes:
        args: The arguments that they have in common; where some are left out, it is refused whatever these are.
        numbers: The ranges of numbers that are refused; where one is missing, it is refused whatever that is.
        count: How many events that are, numbers not counted.
        lacks: What stands against them; for several numbers, against the least.
        decider: The side or power that would decide it; None: nobody, or that depends on the arguments left out.
    """

    args: Mapping[str, Value]
    numbers: Mapping[str, tuple[Range, ...]]
    count: int
    lacks: tuple[Lack, ...]
    decider: str | None = None


@dataclass(frozen=True)
class LegalKind(ByValue):
    """The legal events of one kind.

    Attributes:
        event: Its name.
        text: What it is, in a line.
        decided_by: Who decides it; empty: nobody, it is forced.
        not_judged: What is believed of it, since the rule text does not speak of it.
        cites: Clause ids.
        parameters: Its arguments with the default of each, or None.
        allowed: What may happen.
        refused: Some of what may not, where that was asked for: what those on turn decide first, of that what lacks
            least, of that what is refused for some numbers only or for many events together.
        more: How many events are refused beside these.
        left_out: How many events there are that were not looked at, since they are too many; else 0.
        targets: If so, and the events of a place were asked for: the `targets` of those among them that were looked
            for, one for each place.
    """

    event: str = field(metadata=key("name"))
    text: str = field(metadata=TEXT_ONLY)
    decided_by: str = field(metadata=OR_NULL | then("forced"))
    not_judged: str = field(metadata=OR_NULL)
    cites: tuple[str, ...]
    parameters: Mapping[str, Value | None] = field(metadata=TEXT_ONLY)
    allowed: tuple[Allowed, ...]
    left_out: int = 0
    refused: tuple[Refused, ...] = ()
    more: int = 0
    targets: tuple[str, ...] = field(default=(), metadata=IF_ANY)

    @property
    def forced(self) -> bool:
        """True if nobody decides it: the rules bring it about."""
        return not self.decided_by


@dataclass(frozen=True, kw_only=True)
class Legal(GameAnswer):
    """The legal events of a moment.

    Attributes:
        turn: Whose turn it is, by the names of the schedule.
        side: The side or power whose decisions were asked for; None: all events.
        event: The kind of event that was asked for; None: every kind.
        kinds: What may happen of each kind.
        reach_assumes: What `reach` takes for granted beyond the rules, in words; see `Allowed.beyond`.
        why_not: Whether it was asked for what may not be done too.
        reason: Why nothing may be done; empty where something may, or nothing stands against all that was asked for.
    """

    turn: Mapping[str, Value]
    side: str | None
    event: str | None
    kinds: tuple[LegalKind, ...] = field(metadata=key("events"))
    reach_assumes: tuple[str, ...] = ()
    why_not: bool = field(default=False, metadata=TEXT_ONLY)
    reason: str = field(default="", metadata=IF_ANY)

    @property
    def allowed(self) -> int:
        """The number of events that may happen, numbers not counted."""
        return sum(len(k.allowed) for k in self.kinds)

    def events(self) -> Iterator[tuple[str, dict[str, Value]]]:
        """Each legal event, numbers included: its name and its arguments, as `Game.apply` takes them."""
        for kind in self.kinds:
            for allowed in kind.allowed:
                for args in allowed.choices():
                    yield kind.event, args

    @property
    def left_out(self) -> int:
        """The number of events that were not looked at."""
        return sum(k.left_out for k in self.kinds)
