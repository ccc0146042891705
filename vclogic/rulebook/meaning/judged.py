"""A way to win or to lose by a text: who it is about, and the outcome that it makes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from vclogic.model.fluents import Family
from vclogic.model.rules import Outcome
from vclogic.rulebook.meaning.happening import Occurrence
from vclogic.rulebook.meaning.names import MET
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import ALL, ONCE, Moment, Statement, TableRow, Win
from vclogic.terms.atoms import TRUE
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class JudgedLine:
    """A way to win by a text.

    Attributes:
        name: The outcome.
        side: Who wins: a side, a power or group of powers alone, or `nobody`.
        moment: When it is judged.
        condition: What is needed.
        source: The text.
        statement: The line.
        happening: When that is.
        have: How far the side is, of a threshold.
        need: The threshold.
        loser: Who is out by it, of more than two sides of which the last one left wins; empty: nobody.
        together: Whether several win it together.
        lost: Whether all sides lose by it.
        implied: Whether that follows from what single sides lose by.
    """

    name: str
    side: str
    moment: Moment
    condition: Partial
    source: RulesSource
    statement: Statement
    happening: Occurrence
    have: Term | None = None
    need: Term | None = None
    loser: str = ""
    together: bool = False
    lost: bool = False
    implied: bool = False

    @property
    def said(self) -> Moment | None:
        """Its moment as it stands, with the variables in it."""
        content = self.statement.content
        return content.moment if isinstance(content, Win) else self.moment


def all_of_them(
    win: Win | TableRow, sides: Collection[str], aliases: Mapping[str, str] = MappingProxyType({})
) -> bool:
    """True if a line names all sides."""
    named = {aliases.get(w.text, w.text) for w in (win.who, *win.also) if w is not None}
    return named.issuperset(sides) or (ALL in named and ALL not in sides)


def together(win: Win | TableRow) -> bool:
    """True if a line says of several that they win together."""
    return not win.loses and win.who is not None and (bool(win.also) or win.who.text == ALL)


def met_family(latched: Sequence[JudgedLine], taken: Collection[str]) -> Family | None:
    """The facts that remember what was met at its moment; None: there is nothing to remember.

    Args:
        taken: The facts that there are: a rulebook remembers what is met by it, and a text beside it what is by that.
    """
    if not latched:
        return None
    names = EnumSort("outcome at its moment", tuple(dict.fromkeys(j.name for j in latched)))
    sides = EnumSort("who wins", tuple(dict.fromkeys(j.side for j in latched)))
    return Family(
        f"{MET}_beside" if MET in taken else MET,
        BOOL,
        "whether the outcome was met at its moment",
        (Domain(names), Domain(sides)),
    )


def outcome_of(j: JudgedLine, condition: Partial, timing: Term, moment: tuple[Term, ...]) -> Outcome:
    """The outcome that a line makes."""
    return Outcome(
        j.name,
        j.side,
        condition,
        timing,
        when="at every moment" if j.moment.name == ONCE else str(j.moment),
        text=j.source.words(j.statement),
        cites=j.source.cites(j.statement),
        have=j.have,
        need=j.need,
        lacks="" if condition.defined is TRUE else "a value in it is not defined",
        rest=isinstance(j.statement.content, Win) and j.statement.content.otherwise,
        together=j.together,
        all_lose=j.lost,
        implied=j.implied,
        moment=moment,
        made=j.source.made(j.statement.at),
    )
