"""The position: who is where and who controls what, whole or folded to what is out of the ordinary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vclogic.document_keys import IF_ANY, TEXT_ONLY, then
from vclogic.encode.python.codegen import ReturnForm, interpret
from vclogic.model.fluents import State, Value
from vclogic.model.position import Listing, Note, Sight, Thing
from vclogic.model.system import System
from vclogic.model.view import KnownState
from vclogic.terms.atoms import TRUE
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

UNKNOWN = "?"
"""The name of what a side cannot tell."""
UNDECLARED = "undeclared"
"""The value of what a side cannot know."""
FEW = 12
"""So many things of a listing are shown even if they are as usual."""
_AT_START = "as at the start of the scenario"


@dataclass(frozen=True)
class Placed:
    """A thing with its value.

    Attributes:
        name: Its name; `?` of what the side that looks cannot tell.
        kind: What it is; may be empty.
        side: Whose it is; may be empty.
        value: Where it is, or who controls it.
        count: How many of it there are, where they have no names of their own.
        notes: What else is said of it.
        parts: The names of all that it consists of by their kinds, where these have its value and are not listed.
        usual: Whether it is as usual.
        place: The number of its value in the order of values.
    """

    name: str
    kind: str = field(metadata=IF_ANY)
    side: str = field(metadata=IF_ANY)
    value: Value
    count: int | None = None
    notes: tuple[str, ...] = field(default=(), metadata=IF_ANY)
    parts: Mapping[str, tuple[str, ...]] | None = field(default=None, metadata=IF_ANY)
    usual: bool = field(default=False, metadata=TEXT_ONLY)
    place: int = field(default=0, metadata=TEXT_ONLY)


@dataclass(frozen=True)
class UsualThings:
    """Things that are as usual, and not listed.

    Attributes:
        kind: What they are; may be empty.
        number: How many there are.
    """

    kind: str
    number: int


@dataclass(frozen=True)
class PositionPart:
    """A part of the position.

    Attributes:
        listing: What the game declares.
        things: What is listed.
        left_out: What is not, since it is as usual.
        viewed: Whether only what one side can know is listed.
    """

    listing: Listing = field(metadata=TEXT_ONLY | then("title"))
    things: tuple[Placed, ...]
    left_out: tuple[UsualThings, ...] = field(default=(), metadata=then("usual", "cites"))
    viewed: bool = field(default=False, metadata=TEXT_ONLY)

    @property
    def title(self) -> str:
        """Its title."""
        return self.listing.title

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses it rests on."""
        return tuple(c.clause for c in self.listing.cites)

    @property
    def usual(self) -> str:
        """The line that summarises the entries not shown."""
        return (self.listing.usually if self.listing.usual is not None else _AT_START) if self.left_out else ""


def position(
    system: System, state: State, start: State, *, view: str | None = None, whole: bool = False
) -> tuple[PositionPart, ...]:
    """The position in a state.

    Args:
        start: The scenario's own start, which is usual where a game declares nothing else.
        view: Only what this side can know.
        whole: Whether everything is listed, whether it is as usual or not.
    """
    if system.position is None:
        return ()
    now = system.position(system.view(state))
    began: Sequence[Listing] = ()
    if any(listing.usual is None for listing in now):
        began = system.position(KnownState(system.layout, start)) if start != state else now
    found = []
    for i, listing in enumerate(now):
        things = _Read(system, state, listing, view).things
        if listing.usual is None and start == state:
            things = {key: replace(x, usual=True) for key, x in things.items()}
        elif listing.usual is None:
            things = _beside(things, _Read(system, start, began[i], view).things)
        kept = [x for x in things.values() if x.count != 0 or not x.usual]
        found.append(PositionPart(listing, tuple(kept), viewed=view is not None))
    return tuple(found if whole else map(folded, found))


_Key = tuple[str, str, str, Value | None]
"""Side, kind and name of a thing; and where it is, if there are several of that name."""


class _Read:
    """The things of a listing in a state, as a side can know them.

    Attributes:
        things: Each thing that is there.

    Args:
        system: The rule set.
        state: The state.
        listing: The listing.
        view: The side; None: everything is known.
    """

    def __init__(self, system: System, state: State, listing: Listing, view: str | None):
        self._terms: list[Term] = []
        self._listing = listing
        self._made: dict[Term, int] = {}
        rows = [(thing, self._asked(thing, view)) for thing in listing.things]
        self._values = interpret(self._terms, system.layout.slot, state, ReturnForm.VALUE)
        there = [(thing, asked) for thing, asked in rows if self._values[asked[0]] and self._values[asked[1]]]
        self._secret = {
            thing.name for thing, asked in rows if not (self._values[asked[1]] and self._values[asked[2]])
        }
        placed = dict(self._placed(thing, asked) for thing, asked in there)
        # In which order units are listed would tell who is who: what is not known comes last, by its place.
        self.things: dict[_Key, Placed] = dict(sorted(placed.items(), key=lambda x: _last(x[1])))

    def _asked(self, thing: Thing, view: str | None) -> tuple[int, ...]:
        """The places of the values that a thing is asked for."""
        value = thing.value if isinstance(thing.value, Partial) else Partial(thing.value)

        def sight(s: Sight | None) -> Term:
            return TRUE if s is None or view is None else s(view)

        known = [value.defined, sight(thing.there), sight(thing.named), sight(thing.seen), value.value]
        terms = [*known, *([] if thing.count is None else [thing.count]), *(n.value for n in thing.notes)]
        return tuple(map(self._at, terms))

    def _hold(self, asked: Iterable[int]) -> bool:
        return all(self._values[i] for i in asked)

    def _at(self, t: Term) -> int:
        found = self._made.get(t)
        if found is None:
            found = self._made[t] = len(self._terms)
            self._terms.append(t)
        return found

    def _placed(self, thing: Thing, asked: tuple[int, ...]) -> tuple[_Key, Placed]:
        _, _, named, seen, at, *rest = asked
        sort, value = self._terms[at].sort, self._values[at]
        count = None if thing.count is None else self._values[rest.pop(0)]
        place = sort.index[value] if isinstance(sort, EnumSort) else int(value)
        if not self._values[seen]:
            value, place = UNDECLARED, -1
        if not self._values[named]:
            key: _Key = (thing.side, "", UNKNOWN, value)
            return key, Placed(UNKNOWN, "", thing.side, value, place=place)
        notes = tuple(self._said(thing.notes, [self._values[r] for r in rest]))
        usual = self._listing.usual is not None and value == self._listing.usual and not notes
        key = (thing.side, thing.kind, thing.name, None if count is None else value)
        return key, Placed(thing.name, thing.kind, thing.side, value, count, notes, _by_kind(thing), usual, place)

    def _said(self, notes: Iterable[Note], values: Iterable[Value]) -> Iterator[str]:
        """The notes on a thing; who is in it or with it is not named to those who cannot know it."""
        for note, value in zip(notes, values, strict=True):
            if value != note.unsaid:
                yield note.text.replace("{}", UNKNOWN if value in self._secret else str(value))


def _last(x: Placed) -> tuple[bool, str, int]:
    unknown = x.name == UNKNOWN
    return (True, x.side, x.place) if unknown else (False, "", 0)


def _by_kind(thing: Thing) -> dict[str, tuple[str, ...]] | None:
    if not thing.parts:
        return None
    found: dict[str, tuple[str, ...]] = {}
    for kind, name in thing.parts:
        found[kind] = (*found.get(kind, ()), name)
    return found


def _beside(things: Mapping[_Key, Placed], start: Mapping[_Key, Placed]) -> dict[_Key, Placed]:
    """The things, those marked that are as at the start; and none of what was there at the start only."""
    found = {key: replace(x, usual=x == start.get(key)) for key, x in things.items()}
    gone = {key: replace(x, count=0) for key, x in start.items() if x.count and key not in things}
    return found | gone


# ---- folding


def folded(part: PositionPart) -> PositionPart:
    """The same with parts told with the whole, and what is as usual left out where that is much."""
    tops = _tops(part.things)
    usual = [x for x in tops if x.usual]
    if len(usual) <= FEW:
        return replace(part, things=tops)
    kinds: Counter[str] = Counter()
    for x in usual:
        kinds[x.kind] += 1
        kinds.update({kind: len(names) for kind, names in (x.parts or {}).items()})
    left_out = tuple(UsualThings(kind, number) for kind, number in kinds.items())
    return replace(part, things=tuple(x for x in tops if not x.usual), left_out=left_out)


def _tops(things: Sequence[Placed]) -> tuple[Placed, ...]:
    """The things but for those that are told with what they are parts of."""
    known = {(x.kind, x.name): x for x in things}
    told: set[tuple[str, str]] = set()
    wholes: set[int] = set()
    for x in things:
        inside = [(kind, name) for kind, names in (x.parts or {}).items() for name in names]
        if inside and all(_same(known.get(key), x) and key not in told for key in inside):
            told.update(inside)
            wholes.add(id(x))
    kept = (x for x in things if (x.kind, x.name) not in told)
    return tuple(x if id(x) in wholes or not x.parts else replace(x, parts=None) for x in kept)


def _same(part: Placed | None, whole: Placed) -> bool:
    return part is not None and part.value == whole.value and not part.notes
