"""The statements of a text of rules, each with its place; their expressions are trees of the goal language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace

from vclogic.terms.expressions.syntax import Binder, Call, Node, Word

ONCE, END = "at once", "at the end"
TURN_STARTS, TURN_ENDS = "at the start of a turn", "at the end of a turn"
ROUND_STARTS, ROUND_ENDS = "at the start of a round", "at the end of a round"
PHASE_STARTS, PHASE_ENDS = "at the start of a phase", "at the end of a phase"
MOMENTS = (ONCE, PHASE_ENDS, TURN_ENDS, ROUND_ENDS, END, ROUND_STARTS, TURN_STARTS, PHASE_STARTS)
"""When something is judged or remembered, in the order in which what one event brings about happens."""
EACH_SIDE, ALL, ALONE = "side", "all", "alone"
BECOMES, RISES, FALLS = "becomes", "rises by", "falls by"


class Content:
    """The content of a statement; `vclogic.rulebook.table` lists all kinds of statements."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """When a line is looked at.

    Attributes:
        name: One of `MOMENTS`.
        of: The side or power whose turn it is about, the variable that stands for it, `enemy` of either, or what the
            board says of something, such as `side(unit)`; None: anybody's.
        phase: The phase that it is about; None: any.
    """

    name: str
    of: Word | Call | None = None
    phase: Word | None = None

    def bound(self, names: Mapping[str, str]) -> Moment:
        """The same, with the members for which variables stand."""
        of = self.of
        if of is None or self.whose not in names or self.asks:
            return self
        there = names[self.whose]
        if isinstance(of, Word):
            return replace(self, of=replace(of, text=there))
        (asked,) = of.arguments
        return replace(self, of=replace(of, arguments=(replace(asked, text=there),)))

    @property
    def asks(self) -> bool:
        """True if it is about the turn of whom the board names: `of side(unit)`."""
        of = self.of
        return isinstance(of, Call) and (of.text != "enemy" or not isinstance(of.arguments[0], Word))

    @property
    def whose(self) -> str:
        """The name that says whose turn it is about; empty: anybody's."""
        if isinstance(self.of, Call):
            return self.of.arguments[0].text
        return "" if self.of is None else self.of.text

    @property
    def when(self) -> str:
        """It without whose turn it is about."""
        return self.name if self.phase is None else self.name.replace("a phase", self.phase.text)

    def __str__(self) -> str:
        whose = f"{self.of.text}({self.whose})" if isinstance(self.of, Call) else self.whose
        return f"{self.when} of {whose}" if whose else self.when


@dataclass(frozen=True, slots=True)
class Definition(Content):
    """`NAME(PARAMETER, ...) means VALUE [if CONDITION]`, or `except` before it.

    Attributes:
        name: What it defines.
        parameters: Kinds, each with a variable's name before it where it has one; of an exception also members.
        value: What it means.
        condition: Of an exception: when it applies; None: always.
        exception: Whether it is one.
    """

    name: Word
    parameters: tuple[Word, ...]
    value: Node
    condition: Node | None = None
    exception: bool = False


@dataclass(frozen=True, slots=True)
class FactChange:
    """A line below a fact: `rises by VALUE MOMENT [if CONDITION]`.

    Attributes:
        kind: `becomes`, `rises by` or `falls by`.
        value: To what, or by how much.
        moment: When.
        condition: If what; None: always.
        at: Where the line begins.
    """

    kind: str
    value: Node
    moment: Moment
    condition: Node | None
    at: int


@dataclass(frozen=True, slots=True)
class RememberedFact(Content):
    """`fact NAME(KIND, ...): VALUES, starts VALUE`, with the changes below it; `secret` before it.

    Attributes:
        name: Its name.
        parameters: The kinds that it is asked of, each with a variable's name before it where it has one; of some
            members alone with what these are.
        range: The least and the largest number; None: it is true or false, or one of some names.
        names: Kinds, members of some alone, and single names that it can be; empty: it is a number, or true or false.
        starts: Its value at the start, and where other facts decide it in each position that does not give it; None:
            0, or the least number, or false, or the first of the names.
        changes: When it becomes what.
        secret: Whether the side that it is asked of keeps it from the other until the end.
        condition: Where it is there, as Readings, options and the board decide; None: always. Elsewhere it stays what
            it starts as.
    """

    name: Word
    parameters: tuple[Word | Binder, ...]
    range: tuple[int, int] | None
    names: tuple[Word | Binder, ...]
    starts: Node | None
    changes: tuple[FactChange, ...]
    secret: bool = False
    condition: Node | None = None

    @property
    def asked_of(self) -> tuple[Word, ...]:
        """The kinds that it is asked of, whichever of their members."""
        return tuple(p.kind if isinstance(p, Binder) else p for p in self.parameters)


@dataclass(frozen=True, slots=True)
class NamedGroup(Content):
    """`group NAME: MEMBER, ...` or `group NAME: KIND where CONDITION`.

    Attributes:
        name: Its name.
        members: The members.
        binder: Which members of a kind, where they are not listed.
    """

    name: Word
    members: tuple[Word, ...] = ()
    binder: Binder | None = None


@dataclass(frozen=True, slots=True)
class Win(Content):
    """`SIDE wins NAME MOMENT [if CONDITION]`; also `loses`, and `otherwise` before it.

    Attributes:
        who: A side, `side` for each, `all`, `nobody`, or a power or a group of powers with `alone` after it.
        name: What is won.
        moment: When it is judged; None: when the lines above are, whose rest it is.
        condition: If what; None: always.
        loses: Whether it says who loses.
        otherwise: Whether it applies where none of the lines directly above does.
        also: Who wins or loses it together with that one.
    """

    who: Word
    name: Word
    moment: Moment | None
    condition: Node | None
    loses: bool = False
    otherwise: bool = False
    also: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table: the numbers or ratios between which it applies, and who wins what, or what it says.

    Attributes:
        least: The smallest number, or ratio as two numbers, that it is for; None: any.
        most: The largest.
        over: Whether the smallest is not for it any more, as in `more than 3:1`.
        under: The same of the largest.
        who: A side, `all` or `nobody`; None: the row says a value.
        loses: Whether it says who loses.
        name: What is won; None: what the table is called.
        at: Where the line begins.
        value: What it says.
        noughts: Ratios to nought that it is for beside: 1 for something to nothing, 0 for nothing to nothing.
        rest: Whether it is `otherwise`: for what no other row is for.
        also: As in `Win`.
    """

    least: tuple[int, int] | None
    most: tuple[int, int] | None
    over: bool
    under: bool
    who: Word | None
    loses: bool
    name: Word | None
    at: int
    value: Node | None = None
    noughts: tuple[int, ...] = ()
    rest: bool = False
    also: tuple[Word, ...] = ()

    @property
    def bounded(self) -> bool:
        """True if it is for numbers, or ratios to something."""
        return self.least is not None or self.most is not None


@dataclass(frozen=True, slots=True)
class OutcomeTable(Content):
    """`table NAME MOMENT, by VALUE` or `by VALUE : VALUE`, with its rows below it; without MOMENT it defines a value.

    Attributes:
        name: Its name.
        moment: When it is read; None: whenever it is asked for.
        value: The number by which it is read.
        to: What that is compared with, of a ratio; None: it is a number.
        rows: Its lines.
        parameters: Of one that defines a value: as those of a definition.
    """

    name: Word
    moment: Moment | None
    value: Node
    to: Node | None
    rows: tuple[TableRow, ...]
    parameters: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class InsteadOf(Content):
    """`instead of OUTCOME, ...`: the outcomes of the game that do not count.

    Attributes:
        names: Their names.
    """

    names: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with its place.

    Attributes:
        content: What it says.
        at: Where it begins.
        end: Where it ends.
        text: It as it stands, with single spaces.
        clauses: The sentences that it cites itself.
    """

    content: Content
    at: int
    end: int
    text: str
    clauses: tuple[str, ...] = ()


def parts(content: object) -> Iterator[object]:
    """All that a statement holds, itself included, in its order."""
    left, names = [content], dict[type, tuple[str, ...]]()
    while left:
        part = left.pop()
        if isinstance(part, tuple | list):
            left += reversed(part)
            continue
        yield part
        if is_dataclass(part):
            kind = type(part)
            if kind not in names:
                names[kind] = tuple(field.name for field in reversed(fields(part)))
            left += [getattr(part, name) for name in names[kind]]


def calls(content: object) -> Iterator[Call]:
    """The calls in a statement, in their order."""
    return (part for part in parts(content) if isinstance(part, Call))
