"""The statements that a whole rulebook has beside those of a text of rules: sides, turns, boards, laws, events."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.rulebook.statements import Content
from vclogic.terms.expressions.syntax import Binder, Call, Node, Word

ONE_EVENT, MANY_EVENTS = "one event", "any number of events"
CHANCE = "chance"
ORTHOGONAL, DIAGONAL, BOTH_WAYS = "", "diagonals only", "with diagonals"


@dataclass(frozen=True, slots=True)
class FromBoard:
    """`from KEY [in KEY] of the board`: what a board gives that else stands in the text.

    Attributes:
        key: The key that it stands under.
        within: The key of the entries that have it; None: the board itself has it.
        by: The column under whose values it stands; None: it stands by itself.
        numbered: Whether it is a list of entries without names.
    """

    key: Word
    within: Word | None = None
    by: Word | None = None
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Sides(Content):
    """`sides A, B` or `sides A: POWER, POWER; B: POWER`: each side with its powers; or `from KEY of the board`.

    Attributes:
        names: The sides, each with its powers.
        board: Where a board has them; None: it does not.
        also: Other names of sides, as `A or NAME` has them: each with the side.
    """

    names: tuple[tuple[Word, tuple[Word, ...]], ...] = ()
    board: FromBoard | None = None
    also: tuple[tuple[Word, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class TurnOrder(Content):
    """`turn order NAME, ... [where CONDITION]`: whose turns follow each other, sides or powers.

    Attributes:
        names: Their names.
        where: What who has turns is like; None: all have.
    """

    names: tuple[Word, ...]
    where: Node | None = None


@dataclass(frozen=True, slots=True)
class TurnIs(Content):
    """`turn is one event`, `turn is any number of events`, or `turn is PHASE, ...`; also `until EVENT` behind each.

    Attributes:
        phases: The phases; empty: it has none.
        one: Whether it is one event.
        ends: The event that ends each phase, or the turn where it has none; None: that of the usual name.
    """

    phases: tuple[Word, ...] = ()
    one: bool = False
    ends: tuple[Word | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Rounds(Content):
    """`rounds NUMBER`, or the name of a value of the board: after so many the game ends."""

    most: int | Word


@dataclass(frozen=True, slots=True)
class PassRule(Content):
    """`pass always`, or `pass if nothing else is legal`."""

    always: bool


@dataclass(frozen=True, slots=True)
class KindOf(Content):
    """`kind NAME: MEMBER, ...`, or `from the table`, or `from KEY of the board`; also `areas NAME, from the table`.

    Attributes:
        name: The kind.
        members: Its members, before those of the board; empty: they stand in the table or on the board.
        areas: Whether the table says what each of them touches.
        board: Where a board has them; None: it does not.
        optional: Whether there may be none.
        also: Other names of members, as `MEMBER or NAME` has them: each with the member.
    """

    name: Word
    members: tuple[Word, ...] = ()
    areas: bool = False
    board: FromBoard | None = None
    optional: bool = False
    also: tuple[tuple[Word, Word], ...] = ()


@dataclass(frozen=True, slots=True)
class HexLayout:
    """The values of a board that say how its hexes lie.

    Attributes:
        stagger: Which columns or rows lie half a hex further.
        columns: How many columns there are.
        rows: How many rows there are.
        first: The number of the first column and row.
        absent: The hexes that are not there.
        short: Whether the columns or rows that lie further have one hex less.
    """

    stagger: Word | None = None
    columns: Word | None = None
    rows: Word | None = None
    first: Word | None = None
    absent: Word | None = None
    short: Word | None = None

    @property
    def named(self) -> tuple[Word, ...]:
        """The names of the values."""
        every = (self.stagger, self.columns, self.rows, self.first, self.absent, self.short)
        return tuple(w for w in every if w is not None)


@dataclass(frozen=True, slots=True)
class Rows(Content):
    """`grid NAME` or `hexes NAME`, with rows below it, or `NUMBER by NUMBER`.

    Attributes:
        name: What its places are called.
        rows: The rows of names or of marks, from the top.
        size: Columns and rows, where they are not listed.
        touching: Of a grid: which places touch, beside each other or over corners.
        hexes: Whether the places are hexes.
        lower: Of hexes: which columns lie lower, or which rows further right: 1 odd ones, 0 even ones.
        by_rows: Whether it is rows of hexes that are shifted.
        marks: What each mark stands for.
        board: Where a board has the rows of marks; None: it does not.
        layout: What else a board says of hexes; None: nothing.
        first: What the first place is called, by which all without a name of their own are; empty: A1.
    """

    name: Word
    rows: tuple[tuple[Word, ...], ...] = ()
    size: tuple[int, int] | None = None
    touching: str = ORTHOGONAL
    hexes: bool = False
    lower: int = 1
    by_rows: bool = False
    marks: tuple[tuple[str, str], ...] = ()
    board: FromBoard | None = None
    layout: HexLayout | None = None
    first: str = ""


@dataclass(frozen=True, slots=True)
class Column(Content):
    """`column NAME(KIND)[: [several] VALUE, ...] [, default VALUE]`: what it can say; true or false without VALUE.

    Attributes:
        name: The column.
        kind: The kind whose table has it, or need not.
        values: Names, or kinds whose members it can be.
        range: The least and the largest number, where it is one.
        default: What an empty cell, or a table without the column, says; None: nothing.
        several: Whether a cell has several values, with commas between them.
        optional: Whether a board may leave it out, though there is no default: `default nothing`.
        board: Where a board has it; None: with the kind.
        table: Whether it stands in the table above, of which the first column names members.
        second: Another kind, for each of whose members a board has a value; None: there is one value.
    """

    name: Word
    kind: Word
    values: tuple[Word, ...] = ()
    range: tuple[int, int] | None = None
    default: Word | None = None
    several: bool = False
    optional: bool = False
    board: FromBoard | None = None
    table: bool = False
    second: Word | None = None


@dataclass(frozen=True, slots=True)
class BoardValue(Content):
    """`board NAME[: [several] VALUE, ...] [, default VALUE]`, which a board gives; `board NAME is VALUE` gives it.

    Attributes:
        name: Its name, which is the board's key, too.
        values: As of a column.
        range: As of a column.
        default: As of a column.
        several: As of a column.
        optional: As of a column.
        given: What it is; empty: a board says it.
    """

    name: Word
    values: tuple[Word, ...] = ()
    range: tuple[int, int] | None = None
    default: Word | None = None
    several: bool = False
    optional: bool = False
    given: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges(Content):
    """`edges NAME: PLACE and PLACE, ...`: what lies between places beside each other, or along a line of them.

    Attributes:
        name: What it is called.
        lines: The places in a row between which it lies.
        board: Where a board has them; None: it does not.
    """

    name: Word
    lines: tuple[tuple[Word, ...], ...] = ()
    board: FromBoard | None = None


@dataclass(frozen=True, slots=True)
class Start(Content):
    """`start FACT is VALUE [for KIND ...]`: what a fact is at the start."""

    fact: Call | Word
    value: Node
    binder: Binder | None = None


@dataclass(frozen=True, slots=True)
class Law(Content):
    """`never CONDITION` or `always CONDITION`: what a position must not, or must, be like."""

    condition: Node
    never: bool


@dataclass(frozen=True, slots=True)
class Need:
    """`needs CONDITION, else "..."`: what an event asks for, and what a player is told where it is not so.

    Attributes:
        condition: What it asks for.
        text: That as it is written.
        at: Where the line begins.
        message: What a player is told; empty: the condition.
        clauses: The sentences that the line cites itself; none: those of the event.
    """

    condition: Node
    text: str
    at: int
    message: tuple[str | Node, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """`then FACT becomes VALUE [for KIND ...] [if CONDITION]`; also `rises by` and `falls by`.

    Attributes:
        fact: What changes.
        kind: How.
        value: To what, or by how much.
        binder: For which members; None: for none.
        condition: If what; None: always.
        at: Where the line begins.
        clauses: The sentences that the line cites itself; none: those of the event.
    """

    fact: Call | Word
    kind: str
    value: Node
    binder: Binder | None
    condition: Node | None
    at: int
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenArgument:
    """`takes ARGUMENT [if CONDITION]`: an argument of an event that has a line of its own.

    Attributes:
        header: Its words, as in the event's first line.
        condition: Where it is there; None: always.
        at: Where the line begins.
    """

    header: tuple[Word, ...]
    condition: Node | None
    at: int


@dataclass(frozen=True, slots=True)
class EventRule(Content):
    """`event NAME [by SIDE] ARGUMENTS`, with what it needs and changes below it.

    Attributes:
        name: Its name.
        by: `side`, `power`, a side or power, `turn`, whose an argument is such as `side(unit)`, `chance`; None:
            nobody decides it.
        header: The words of its arguments: kinds, each with a name before it where it has one; `NAME 1 to 4`.
        phase: The phase in which it may happen; None: any.
        any_time: Whether it may happen in anybody's turn.
        at_once: Whether it comes before anything else, whoever is on turn.
        needs: What it asks for.
        effects: What it changes.
        says: What a player reads of it; empty: its name and arguments.
        weight: Of chance: how often it is this one.
        routine: Whether it only advances the game.
        obliged: Whether even a side that does nothing does it.
        takes: Its arguments that have lines of their own.
        not_judged: What a record is believed in; empty: nothing.
    """

    name: Word
    by: Word | Call | None
    header: tuple[Word, ...]
    phase: Word | None
    any_time: bool
    needs: tuple[Need, ...]
    effects: tuple[Effect, ...]
    says: tuple[str | Node, ...]
    weight: Node | None
    at_once: bool = False
    routine: bool = False
    obliged: bool = False
    takes: tuple[TakenArgument, ...] = ()
    not_judged: str = ""


@dataclass(frozen=True, slots=True)
class EveryEvent(Content):
    """`every event [but NAME, ...] needs CONDITION`, or `then FACT becomes VALUE`; `every NAME needs CONDITION`.

    Attributes:
        but: The events that it is not about.
        need: What they need; None: it says what they change.
        effect: What they change; None: it says what they need.
        of: The event of the game that alone it is about; None: all.
    """

    but: tuple[Word, ...]
    need: Need | None = None
    effect: Effect | None = None
    of: Word | None = None

    @property
    def asks(self) -> Need:
        """Their need, where it says so."""
        assert self.need is not None, "it says what they change"
        return self.need


@dataclass(frozen=True, slots=True)
class Choice(Content):
    """`reading NAME "question"` or `option NAME "question"`, its values below it.

    Attributes:
        name: Its name.
        question: What it decides.
        values: Each value with what it means.
        default: The value that holds unless another is chosen.
        reason: Why.
        reading: Whether it is a Reading, and no option.
        numbers: The least and the largest of an option whose values are numbers; None: they are words.
    """

    name: Word
    question: str
    values: tuple[tuple[Word, str], ...]
    default: str
    reason: str
    reading: bool
    numbers: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Include(Content):
    """`include FILE`: another rulebook, which this one builds on."""

    file: Word


@dataclass(frozen=True, slots=True)
class PythonFunction:
    """A function in Python, with the kinds that it is asked of."""

    name: Word
    parameters: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonModule(Content):
    """`python PACKAGE.MODULE` or `python FILE.py`, below it its functions: `NAME(KIND, ...)`."""

    module: Word
    functions: tuple[PythonFunction, ...]


@dataclass(frozen=True, slots=True)
class LeftOut(Content):
    """`left out "why"`: why a sentence is not encoded."""

    reason: str


@dataclass(frozen=True, slots=True)
class Accept(Content):
    """`accept CODE "why"`: a finding of `check` about the sentences of its block that is meant."""

    code: Word
    reason: str


@dataclass(frozen=True, slots=True)
class MarkPlaces(Content):
    """`mark "NAME" [with lines] for KIND where CONDITION`: what can be drawn over the board.

    Attributes:
        name: What players call it.
        binder: The places.
        lines: Whether lines join those beside each other.
    """

    name: str
    binder: Binder
    lines: bool = False
