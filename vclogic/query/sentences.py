"""Terms in sentences: what is asked of a fact, and sums as so many of some parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import ceil
from typing import NamedTuple

from vclogic.model.citation import Cites
from vclogic.model.fluents import Family, Value
from vclogic.model.sayings import Said, denied
from vclogic.model.system import System
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term
from vclogic.words import joined

_MOST = 6  # values that are named
_CALLS = 500  # ground observables, of each observable


@dataclass(frozen=True)
class GapSentence:
    """A sentence with gaps for the names that it is about.

    Attributes:
        pattern: The sentence; `{0}`, `{1}` ... stand for the names.
        names: The names.
        cites: The clauses that it stands for.
    """

    pattern: str
    names: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


class Sentences:
    """The sentences of a rule set: texts of rules and observables, and words for single facts.

    Args:
        system: The rule set.
    """

    def __init__(self, system: System):
        self._families: Mapping[Term, tuple[Family, tuple[str, ...]]] = system.layout.entries
        self._in_words = system.in_words
        self._special = {name: sayings.special for name, sayings in system.sayings.items()}
        self._named: dict[Term, GapSentence] = {}
        for o in system.observables:
            for names in islice(product(*(d.sort.members for d in o.parameters)), _CALLS):
                value = o.partial(*names).value
                if value.op not in (Op.CONST, Op.VAR, Op.IN):
                    self._named.setdefault(value, _called(o.text, names, o.cites))
        for r in system.rules:
            if isinstance(r.term, Term):
                index = r.name.partition("[")[2].removesuffix("]")
                self._named[r.term] = _with_gaps(r.text, index, r.cites)

    def named(self, t: Term) -> GapSentence | None:
        """The text of the rule or observable that is this term; None where none is."""
        return self._named.get(t)

    def fact(self, t: Term) -> GapSentence | None:
        """The sentence on one fact: a test of it, or itself; None of any other term."""
        inner = t.args[0] if t.op is Op.NOT else t
        denied = inner is not t
        if inner.op is Op.IN:
            return self._member(inner.args[0], ~inner.payload if denied else inner.payload)
        if inner.op is Op.GE and inner.args[0].op is Op.VAR:
            least = inner.payload
            if denied and least == inner.args[0].lo + 1:
                return self._said(inner.args[0], least - 1)
            return self._said(inner.args[0], f"at most {least - 1}" if denied else f"at least {least}")
        if inner.op is Op.VAR and inner.is_bool:
            return self._said(inner, not denied)
        if inner.op is Op.VAR:
            family, index = self._families[inner]
            text = _safe(family.text.partition(";")[0])
            return GapSentence(f"{text} ({{0}})", (", ".join(index),)) if index else GapSentence(text)
        return None

    def denied(self, t: Term) -> GapSentence | None:
        """The sentence that a test of one fact fails; None of any other term."""
        if t.op is Op.IN:
            return self._member(t.args[0], ~t.payload)
        return self._said(t, False) if t.op is Op.VAR and t.is_bool else None

    def _member(self, v: Term, mask: int) -> GapSentence:
        """The sentence that a fact has one of some values; if fewer are left out, that it has none of these."""
        sort = v.sort
        assert isinstance(sort, EnumSort)
        itself = self._families[v][1]  # nothing holds itself or goes with itself
        members = ((i, m) for i, m in enumerate(sort.members) if v.mask >> i & 1)
        possible = [(m, bool(mask >> i & 1)) for i, m in members if m not in itself or v.mask == 1 << i]
        there, others = ([m for m, kept in possible if kept is wanted] for wanted in (True, False))
        if not there or (len(there) > 2 and 0 < len(others) < len(there)):
            return self._one_of(v, others, so=False)
        return self._one_of(v, there)

    def _one_of(self, v: Term, members: Sequence[str], *, so: bool = True) -> GapSentence:
        """The sentence that a fact has one of some values, or none of them.

        Those for which the game has words of their own are told in these.
        """
        special = self._special.get(self._families[v][0].name, {})
        usual = [m for m in members if m not in special]
        if so and (not special.keys() & members or len(members) == 1):
            return self._said(v, _several(members))
        told = [self._in_words.said(v.name, m) for m in members if m in special]
        told += [self._in_words.said(v.name, _several(usual))] if usual else []
        about = told[0].about
        if any("{}" in said.says for said in told):
            says = joined([_safe(said.says.replace("{}", about)) for said in told], "or")
            return GapSentence(says if so else f"it is not so that {says}")
        words = [_safe(said.says if so else denied(said.says)) for said in told]
        says = joined(words, "or" if so else "and")
        return GapSentence(f"{{0}} {says}", (about,)) if about else GapSentence(says)

    def said(self, facts: Mapping[str, Value]) -> tuple[Said, ...]:
        """Facts in the game's words."""
        return tuple(self._in_words.said(name, x) for name, x in facts.items())

    def _said(self, v: Term, value: Value) -> GapSentence:
        """A sentence about one fact, in the game's words.

        Args:
            v: The fact.
            value: Its value, or several in words.
        """
        about, says = self._in_words.said(v.name, value)
        names = (about,) if about else ()
        pattern = says if "{}" in says or not about else f"{{}} {says}"
        before, told, after = _safe(pattern.replace("{}", "\0")).rpartition(str(value))
        if isinstance(value, str) and told:
            pattern, names = f"{before}{{{len(names)}}}{after}", (*names, value)
        else:
            pattern = before + told + after
        return GapSentence(pattern.replace("\0", "{0}"), names)


def _several(names: Sequence[str]) -> str:
    """Values in a row; a long row is cut with a count."""
    apart = "; " if any("," in n for n in names) else ", "
    if len(names) > _MOST:
        return f"one of {len(names)} ({apart.join(names[:3])} ... {names[-1]})"
    return joined([apart.join(names[:-1]), names[-1]], "or") if len(names) > 1 else "".join(names)


def _safe(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")


def _called(text: str, names: tuple[str, ...], cites: Cites) -> GapSentence:
    gaps = ", ".join(f"{{{i}}}" for i in range(len(names)))
    pattern = _safe(text) + (f" ({gaps})" if names else "")
    return GapSentence(pattern, names, tuple(c.clause for c in cites))


def _with_gaps(text: str, index: str, cites: Cites) -> GapSentence:
    """The text of a rule, with gaps for what it is for."""
    text, clauses = _safe(text), tuple(c.clause for c in cites)
    if index and index in text:
        return GapSentence(text.replace(index, "{0}"), (index,), clauses)
    return GapSentence(text, (), clauses)


# ---- sums


class Summand(NamedTuple):
    """One term that a sum counts.

    Attributes:
        weight: What it adds: if it holds, or that often where it is a number.
        term: The term.
        flipped: Whether it counts where the term does not hold.
    """

    weight: int
    term: Term
    flipped: bool


@dataclass(frozen=True)
class AtLeast:
    """A bound on a sum, as so much of some parts.

    Attributes:
        need: How much.
        parts: The parts.
    """

    need: int
    parts: tuple[Summand, ...]

    @property
    def even(self) -> bool:
        """True if every part counts one, if it holds."""
        return all(p.weight == 1 and p.term.is_bool for p in self.parts)


def at_least(t: Term) -> AtLeast | None:
    """A bound on a sum as so much of parts that add something; None of any other term."""
    inner = t.args[0] if t.op is Op.NOT else t
    if inner.op is not Op.GE or inner.args[0].op is not Op.LIN:
        return None
    denied = inner is not t
    weights, start = inner.args[0].payload
    need = start - inner.payload + 1 if denied else inner.payload - start
    parts = []
    for weight, part in zip(weights, inner.args[0].args, strict=True):
        w = -weight if denied else weight
        flipped = w < 0 and part.is_bool
        need -= w if flipped else 0
        parts.append(Summand(abs(w) if flipped else w, part, flipped))
    sizes = {p.weight for p in parts}
    if len(sizes) == 1 and min(sizes) > 0 and all(p.term.is_bool for p in parts):
        (size,) = sizes
        return AtLeast(ceil(need / size), tuple(p._replace(weight=1) for p in parts))
    return AtLeast(need, tuple(parts))
