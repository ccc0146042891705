"""Parts of conditions that never matter: each is left out, and a solver looks for a position that tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import shorten

from vclogic.check.findings import Finding
from vclogic.check.oracle import Desk
from vclogic.check.outcomes import topic
from vclogic.model.rules import Outcome
from vclogic.terms.build import all_of, and_, any_of, xor
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Op, Term, show

_DEPTH = 3  # junctions below each other whose parts are tried
_MOST = 12  # parts of a junction that somebody wrote down one by one; more come from a loop over the board
_SHOWN = 3
_WIDTH = 120  # letters of a part that are shown


@dataclass(frozen=True)
class Part:
    """A part of a condition.

    Attributes:
        whole: The junction that it is a part of.
        terms: Its terms: one, or the two halves of an equality.
    """

    whole: Term
    terms: tuple[Term, ...]

    @property
    def rest(self) -> Term:
        """The junction without it."""
        join = all_of if self.whole.op is Op.AND else any_of
        return join(t for t in self.whole.args if t not in self.terms)

    @property
    def shown(self) -> str:
        """The part in words."""
        return shorten(" and ".join(map(show, self.terms)), _WIDTH, placeholder=" ...")


def idle(desk: Desk) -> Iterator[Finding]:
    """VC301: parts of the conditions and moments of outcomes that never matter."""
    if not desk.wants("VC301"):
        return
    for o in desk.system.outcomes:
        yield from _idle(desk, o, o.condition.value, and_(o.timing, o.condition.defined), "condition")
        yield from _idle(desk, o, o.timing, o.condition.holds, "moment")


def _idle(desk: Desk, o: Outcome, term: Term, context: Term, what: str) -> Iterator[Finding]:
    about = topic("VC301", o)
    given = {context, *(context.args if context.op is Op.AND else ())}
    tried = [part for part in parts(term) if not given.issuperset(part.terms)]
    found, open_, reason = [], 0, ""
    for part in tried:
        differs = and_(context, xor(term, substitute(term, {part.whole: part.rest})))
        answer = desk.possible(differs)
        if answer.verdict == "unsat" and desk.never(differs):
            found.append(part.shown)
        elif answer.verdict != "sat":
            open_, reason = open_ + 1, desk.bound(answer)
    if open_:
        desk.give_up(about, f"{open_} of {len(tried)} parts of its {what}: {reason}")
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        listed = ", ".join(f"`{text}`" for text in found[:_SHOWN])
        message = f"of the {what} of {o.name} of the {o.side} side, {listed}{more} never matters"
        proof = "it is met in the same well-formed positions without it (a fresh solver has checked it)"
        yield about.finding(message, proof=proof)


def parts(term: Term) -> list[Part]:
    """The parts of a condition that can be left out, those of the outermost junctions first.

    What a loop over the board made is one thing: its parts are not tried.
    """
    found: list[Part] = []
    level = [term]
    for _ in range(_DEPTH):
        below: list[Term] = []
        for t in level:
            t = t.args[0] if t.op is Op.NOT else t
            if t.op in (Op.AND, Op.OR) and len(t.args) <= _MOST and not _is_equality(t):
                found += _parts(t)
                below += t.args
        level = list(dict.fromkeys(below))
    return list(dict.fromkeys(found))


def _parts(junction: Term) -> Iterator[Part]:
    """The parts of one junction; two bounds of one number are one part, since together they may be an equality."""
    groups: dict[Term, list[Term]] = {}
    for t in junction.args:
        atom = t.args[0] if t.op is Op.NOT else t
        groups.setdefault(atom.args[0] if atom.op is Op.GE else t, []).append(t)
    return (Part(junction, tuple(g)) for g in groups.values() if len(g) < len(junction.args))


def _is_equality(t: Term) -> bool:
    """Whether a junction says that two values are equal: of two Enums, member by member."""
    pairs = t.args if t.op is Op.OR else ()
    return bool(pairs) and all(
        p.op is Op.AND
        and len(p.args) == 2
        and all(a.op is Op.IN for a in p.args)
        and p.args[0].payload == p.args[1].payload
        for p in pairs
    )
