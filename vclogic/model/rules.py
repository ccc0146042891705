"""The content of a rule set: rules, outcomes, observables, options, readings, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vclogic.errors import BROKEN_RULES, Diagnostic, RulesError, calling
from vclogic.model.citation import Cites
from vclogic.provenance import Places, here
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, implies, not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.event_words import WORDS
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.terms.typed.asked import Spelled


@dataclass(frozen=True)
class Rule:
    """A named term of the rule set.

    Attributes:
        name: Unique in its system.
        term: A term over fluents; a `Partial` where it can be undefined.
        text: A one-line paraphrase in our own words.
        cites: The clauses it encodes.
        lasting: For a Bool: True if the text calls it permanent, so that it is never lost once it holds; False if the
            text calls it temporary; None if the text says neither.
        step: Whether it constrains events, not positions, in the words of `vclogic.model.event_terms`.
        made: Where the game's code made it.
    """

    name: str
    term: Term | Partial
    text: str
    cites: Cites
    lasting: bool | None = None
    step: bool = False
    made: Places = field(default_factory=here, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.term, Term | Partial):
            raise TypeError(f"the rule {self.name} is {self.term!r}, and no term")

    @property
    def kept(self) -> Term:
        """The invariant as a Bool term: it holds wherever it is defined."""
        return implies(self.term.defined, self.term.value) if isinstance(self.term, Partial) else self.term


@dataclass(frozen=True)
class Passage:
    """Numbered sentences of a rulebook with the lines that say the same to vclogic.

    Attributes:
        name: The numbers of the sentences.
        text: What they say.
        cites: Them, as citations.
        made: Where they stand, or where the first of the lines does.
        lines: The lines, without what is said to players, each with its place; empty: nothing encodes the sentences.
        behind: The lines that say what words of those lines mean.
        listed: Numbers that nobody needs to write: of members of a group, of rows of a map, in cells of a table.
        cells: The cells of a table that its lines read.
        left_out: Whether a line says that something of them is left out.
        odd: What is odd about their numbers, each with its place.
        borders: What disagrees about the borders in their table, each with its place.
    """

    name: str
    text: str
    cites: Cites
    made: Places
    lines: tuple[tuple[str, Places], ...] = ()
    behind: tuple[str, ...] = ()
    listed: frozenset[int] = frozenset()
    cells: frozenset[str] = frozenset()
    left_out: bool = False
    odd: tuple[tuple[str, Places], ...] = ()
    borders: tuple[tuple[str, Places], ...] = ()


NOBODY = "nobody"
"""Who wins where a game ends in a draw."""


@dataclass(frozen=True)
class Outcome:
    """A way to win: the side, the condition, and the moment at which it is judged.

    Attributes:
        name: The outcome, one name for all sides that can reach it.
        side: The side that wins by it, or `nobody`.
        condition: What the side needs; undefined where the rules leave it open.
        timing: Bool: whether a state is the moment at which it is judged.
        when: That moment in words.
        text: A one-line paraphrase.
        cites: The clauses it encodes.
        have: Int: how far the side is, if the condition is a threshold.
        need: Int: the threshold.
        won: Bool: this side reached it at an earlier moment of the game.
        lost: Bool: it can no longer be reached, since somebody else was first.
        level: Degree of victory, if the rules know degrees.
        lacks: What is missing where the condition is undefined, in a few words.
        seen: Builds, from a side, whether that side can know where this outcome stands; None: everybody can.
        lasting: Whether the condition is permanent (True) or temporary (False), where the text says so.
        rest: Whether the text says of it that it is met where those above it are not.
        together: Whether the text says that several sides win it together: it stands for each of them.
        all_lose: Of one that nobody wins: whether all lose by it, so that it is no draw.
        implied: Whether no line says it: it follows from others, and need not come about.
        moment: Of one that is judged as an event comes to its moment, and whose `timing` is the fact that it was met
            then: terms one of which such an event makes true, or changes where it is a number. A position alone does
            not show whether it was judged. Empty: `timing` says when it is judged.
        made: Where the game's code made it.
    """

    name: str
    side: str
    condition: Partial
    timing: Term
    when: str
    text: str
    cites: Cites
    won: Term = FALSE
    lost: Term = FALSE
    have: Term | None = None
    need: Term | None = None
    level: str | None = None
    lacks: str = ""
    seen: Callable[[str], Term] | None = None
    lasting: bool | None = None
    rest: bool = False
    together: bool = False
    all_lose: bool = False
    implied: bool = False
    moment: tuple[Term, ...] = ()
    made: Places = field(default_factory=here, compare=False, repr=False)

    @property
    def now(self) -> Term:
        """A Bool term: a state is a moment at which the side wins by it."""
        return and_(self.timing, self.condition.holds, not_(self.lost))


@dataclass(frozen=True)
class LevelTable:
    """A table of which exactly one row should apply, such as levels of victory; each row as the text words it.

    Attributes:
        name: Unique in its system.
        rows: The condition of each row; undefined where the text gives it no meaning, such as a ratio to zero.
        text: Its meaning, in a line.
        cites: The clauses it encodes.
        timing: Bool: whether the table is read in a state.
        made: Where the game's code made it.
    """

    name: str
    rows: Mapping[str, Partial]
    text: str
    cites: Cites
    timing: Term = TRUE
    made: Places = field(default_factory=here, compare=False, repr=False)


@dataclass(frozen=True)
class Observable:
    """A named value that goals, rulings and `status` use.

    Attributes:
        name: Its name in the goal language.
        parameters: The kinds of its arguments.
        term: Builds its value from the arguments' canonical names.
        text: A one-line paraphrase.
        cites: The clauses it encodes.
        values: For an Enum value: the names it can be compared with.
        seen: Builds, from a side and the arguments, whether that side can know the value; None: everybody can.
        parts: Of a number that the board alone decides: what adds up to it, each part with what it is, for the
            arguments; None: nothing more is to be told.
        meaning: Of a definition of a text: its lines, for what looks into them.
    """

    name: str
    parameters: tuple[Domain, ...]
    term: Callable[..., Term | Partial]
    text: str
    cites: Cites = ()
    values: Domain | None = None
    seen: Callable[..., Term] | None = None
    parts: Callable[..., Iterable[tuple[int, str]]] | None = None
    meaning: Spelled | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.name in WORDS:
            raise ValueError(
                f"an observable cannot be called {self.name}: the goal language has that word for events"
            )

    def partial(self, *arguments: str) -> Partial:
        """The value for these arguments, with the condition under which it is defined."""
        value = calling(f"the observable {self.name}", self.term, *arguments)
        if not isinstance(value, Term | Partial):
            named = f"{self.name}({', '.join(arguments)})" if arguments else self.name
            message = f"the rules of the game fail: the observable {named} is {value!r}, which is no term"
            help = (
                "this is a mistake in the rules of the game; constants of `vclogic.terms.atoms` make terms of values"
            )
            raise RulesError(Diagnostic(BROKEN_RULES, message, help=help))
        return value if isinstance(value, Partial) else Partial(value, TRUE)


@dataclass(frozen=True)
class Entry:
    """One entry of a table.

    Attributes:
        label: Its subject.
        row: Enum: the row in which it stands.
        column: The column.
        value: The value, and whether it is shown.
    """

    label: str
    row: Term
    column: str
    value: Partial


@dataclass(frozen=True)
class Table:
    """A table that `status` shows: the entries of a state by row and column.

    Attributes:
        title: Its title.
        head: The heading of its rows.
        rows: The names of the rows.
        columns: The names of the columns.
        entries: All possible entries; mostly `LazySequence`.
        cites: The clauses it rests on.
    """

    title: str
    head: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: Sequence[Entry]
    cites: Cites = ()


@dataclass(frozen=True)
class Option:
    """A switch of the game or of the planning model.

    Attributes:
        name: Its name after `--set`.
        values: A range of whole numbers, or the allowed words.
        default: Its value where nothing is set.
        text: What it does, in a line.
        cites: Clauses that offer the choice, if the rules do.
        facts: Facts that there are with its last value only; a position that gives one sets that value by it.
    """

    name: str
    values: range | tuple[str, ...]
    default: int | str
    text: str
    cites: Cites = ()
    facts: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Reading:
    """A choice between interpretations of a clause that is silent or disputed.

    Attributes:
        name: Its name after `--set`.
        values: Each interpretation, with its meaning.
        default: The interpretation used unless another is chosen.
        reason: Why it is the default.
        cites: The disputed clauses.
        made: Where the game's code made it.
    """

    name: str
    values: Mapping[str, str]
    default: str
    reason: str
    cites: Cites
    made: Places = field(default_factory=here, compare=False, repr=False)
