"""The arguments of an event of a rulebook, as its first line and lines of their own say them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from vclogic.errors import did_you_mean, nearest, quoted
from vclogic.model.actions import Parameter
from vclogic.model.fluents import Value
from vclogic.rulebook.declarations import EventRule, TakenArgument
from vclogic.rulebook.source import RulesSource
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.lexer import MAX_DIGITS
from vclogic.terms.expressions.named import OR
from vclogic.terms.expressions.syntax import Binder, Call, Node, Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, of_numbers

MOST_NUMBERS = 1_000
"""So many numbers an argument may be."""
SEVERAL, DEFAULT = "several", "default"
_WRITE = "write NAME KIND, KIND, or NAME 1 to 4"


@dataclass(frozen=True)
class EventArgument:
    """An argument of an event.

    Attributes:
        name: Its name.
        kind: What it can be.
        each: Whether a record may list several: the event then happens once for each.
        default: What it is where a record leaves it out; None: it must be given.
        condition: Where it is there; None: always.
        at: Where it stands.
    """

    name: str
    kind: CountedKind
    each: bool = False
    default: Value | None = None
    condition: Node | None = None
    at: int = 0

    @property
    def parameter(self) -> Parameter:
        """It as records have it."""
        kind = self.kind
        domain = range(int(kind.members[0]), int(kind.members[-1]) + 1) if kind.numbers else kind.domain
        return Parameter(self.name, domain, self.default, self.each)


def arguments_of(
    rule: EventRule,
    source: RulesSource,
    kinds: Mapping[str, CountedKind],
    taken: Collection[str] = (),
    some: Callable[[Binder], CountedKind] | None = None,
) -> Iterator[EventArgument]:
    """The arguments of an event.

    Args:
        rule: What it says.
        source: Its block.
        kinds: The kinds by name.
        taken: Names that stand for something already.
        some: Makes a kind of the members of a group alone.

    Raises:
        InputError: One of its lines is wrong.
    """
    seen = {*taken}
    for line in (TakenArgument(rule.header, None, rule.name.at), *rule.takes):
        left = [*line.header]
        while left:
            found = _argument(left, source, kinds, line.condition, some)
            if found.name in seen or not found.name.isidentifier():
                message = "stands here twice" if found.name in seen else "is no name of an argument"
                help = f"give it one word as its name: to {found.kind.name}"
                raise source.goal.error(found.at, f"{quoted(found.name)} {message}", help, "taken-name")
            seen.add(found.name)
            yield found


def _argument(
    left: list[Word],
    source: RulesSource,
    kinds: Mapping[str, CountedKind],
    condition: Node | None,
    some: Callable[[Binder], CountedKind] | None,
) -> EventArgument:
    """The argument that some words begin with, which are then taken."""
    word = left.pop(0)
    several = word.text == SEVERAL and word.text not in kinds
    if several:
        if not left:
            raise source.goal.error(word.at, "nothing says of what there are several", "write several KIND")
        word = left.pop(0)
    elif left[1:] and left[0].text == SEVERAL and left[0].text not in kinds:
        several = True
        left.pop(0)
    if word.text in kinds:
        kind = kinds[word.text]
    elif left and left[0].text in kinds:
        kind = kinds[left.pop(0).text]
    elif _is_range(left):
        least, most = (int(w.text[:MAX_DIGITS]) for w in left[:3:2])
        if not least <= most < least + MOST_NUMBERS:
            message = "the larger number stands first" if least > most else f"at most {MOST_NUMBERS:,} numbers"
            raise source.goal.error(left[0].at, message, "write NAME 1 to 4", "limit")
        del left[:3]
        kind = of_numbers(range(least, most + 1))
    else:
        if left and nearest(left[0].text, kinds):  # the word names it, and its kind is misspelt
            word = left[0]
        help = did_you_mean(word.text, kinds) or _WRITE
        raise source.goal.error(word.at, f"{quoted(word.text)} is no kind of thing", help, "unknown-name")
    if left[1:] and left[0].text == "in" and not kind.numbers:
        kind = kind if some is None else some(Binder(Word(kind.name, word.at), left[1]))
        del left[:2]
    while left[1:] and left[0].text == "or" and not kind.numbers:
        kind = _or_name(kind, left[1], source)
        del left[:2]
    default = _default(left, source, kind)
    if condition is not None and default is None:
        help = "write takes NAME KIND default VALUE if CONDITION: where it is not there, that stands in its place"
        raise source.goal.error(word.at, f"{word.text} is not always there, and has no default", help, "wrong-value")
    return EventArgument(word.text, kind, several, default, condition, word.at)


def _or_name(kind: CountedKind, word: Word, source: RulesSource) -> CountedKind:
    """A kind, or a name beside its members: `unit or none`."""
    if kind.domain.find(word.text) is not None:
        message = f"{quoted(word.text)} is {kind.name} itself"
        raise source.goal.error(word.at, message, "write NAME KIND or none", "taken-name")
    name = f"{kind.name}{OR}{word.text}"
    return replace(kind, name=name, domain=Domain(EnumSort(name, (*kind.members, word.text))))


def _default(left: list[Word], source: RulesSource, kind: CountedKind) -> Value | None:
    """`default VALUE`, which is then taken; None: it is not said."""
    if not left or left[0].text != DEFAULT:
        return None
    at = left.pop(0).at
    if not left:
        raise source.goal.error(at, "the default is missing", "write default VALUE")
    word = left.pop(0)
    found = kind.domain.find(word.text)
    if found is None:
        help = did_you_mean(word.text, kind.members)
        raise source.goal.error(word.at, f"there is no {kind.name} {quoted(word.text)}", help, "unknown-name")
    return int(found) if kind.numbers else found


def _is_range(words: list[Word]) -> bool:
    """True if some words begin with `1 to 4`."""
    texts = [w.text for w in words[:3]]
    return len(texts) == 3 and texts[1] == "to" and all(t.isascii() and t.isdigit() for t in texts[::2])


def owners_of(
    by: Call, source: RulesSource, arguments: Mapping[str, CountedKind], movers: CountedKind
) -> tuple[str, Mapping[str, str]]:
    """The argument that tells who decides an event, and who does for each of its values.

    Args:
        by: What says so, such as `side(unit)`.
        source: Its block.
        arguments: The arguments of the event.
        movers: Those who have turns.

    Raises:
        InputError: It does not tell.
    """
    given = by.arguments[0] if len(by.arguments) == 1 else by
    if not isinstance(given, Word) or given.text not in arguments:
        help = did_you_mean(given.text, arguments) or "write by side(unit), with unit behind it"
        message = f"{quoted(given.text)} is no argument of the event"
        raise source.goal.error(given.at, message, help, "unknown-name")
    kind = arguments[given.text]
    said = {m: str(x) for m, x in kind.properties.get(by.text, {}).items()}
    strange = next((m for m in kind.members if said.get(m) not in movers.members), None)
    if strange is not None:
        message = f"{by.text}({strange}) is nobody who has a turn"
        near = did_you_mean(by.text, kind.properties) if by.text not in kind.properties else None
        help = near or f"it is a column with a {movers.name} for each {kind.name}"
        raise source.goal.error(by.at, message, help, "wrong-value")
    return given.text, said
