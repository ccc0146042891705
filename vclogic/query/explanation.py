"""Why a term has its value, as a tree of sentences that leads to the deciding facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.encode.python.reasons import Reasons
from vclogic.model.fluents import Value, value
from vclogic.model.sayings import Said, agree
from vclogic.query.sentences import AtLeast, GapSentence, Sentences, Summand, at_least
from vclogic.terms.term import Op, Term, show

_DEEPEST = 40  # levels of a tree, below which only the facts are named
_LARGEST = 20_000  # nodes of a tree, for the same: parts that occur many times over would make it endless
_MOST = 6  # names that are said of those that are alike


@dataclass(frozen=True)
class Explained:
    """A node of an explanation.

    Attributes:
        text: A sentence, if a clause says it; otherwise the condition itself.
        value: Its value.
        deciding: Whether it is part of the reason for the value of the whole.
        cites: Clause ids.
        facts: The deciding facts: fluents with their values. As long as they stay, the value stays.
        parts: The parts of the condition.
        least: For an outcome that is not met: a lower bound on the number of facts that must change, found without a
            solver.
        said: The facts in the game's words.
    """

    text: str
    value: Value
    deciding: bool = True
    cites: tuple[str, ...] = ()
    facts: Mapping[str, Value] = field(default_factory=dict)
    parts: tuple[Explained, ...] = field(default=(), metadata=TEXT_ONLY)
    least: int = field(default=0, metadata=IF_ANY)
    said: tuple[Said, ...] = field(default=(), metadata=TEXT_ONLY)


Facts = Callable[[Iterable[Term]], Mapping[str, Value]]


@dataclass(frozen=True)
class _UnjoinedNode:
    """A node before those that are alike are joined.

    Attributes:
        said: Its sentence.
        value: Its value.
        deciding: Whether it is part of the reason.
        ends: The facts that it rests on, if it has no parts.
        parts: Its parts.
        weight: What it adds to a sum; 0 where it is part of none.
    """

    said: GapSentence
    value: Value
    deciding: bool
    ends: frozenset[Term] = frozenset()
    parts: tuple[_UnjoinedNode, ...] = ()
    weight: int = 0

    @cached_property
    def size(self) -> int:
        """The nodes of its tree."""
        return 1 + sum(part.size for part in self.parts)

    def names(self) -> Iterator[str]:
        """The names in it and in its parts."""
        yield from self.said.names
        for part in self.parts:
            yield from part.names()


class Tree:
    """The explanations of terms in one state.

    Args:
        reasons: The values of terms, and why they have them.
        sentences: How terms are said.
        reason: The subterms that decide.
        facts: The facts that a reason leads to.
    """

    def __init__(self, reasons: Reasons, sentences: Sentences, reason: frozenset[Term], facts: Facts):
        self._reasons = reasons
        self._sentences = sentences
        self._reason = reason
        self._facts = facts
        self._made: dict[tuple[Term, int], _UnjoinedNode] = {}
        self._shown: dict[int, Explained] = {}

    def top(self, term: Term) -> Explained:
        """The explanation of a term."""
        return self._explained(self._node(term, 0))

    # ---- nodes

    def _node(self, t: Term, depth: int) -> _UnjoinedNode:
        """Explain a term with all its parts; repeated terms at the same depth, as on maps, are explained once."""
        found = self._made.get((t, depth))
        if found is None:
            found = self._new(t, depth)
            if found.size > _LARGEST:
                found = replace(found, parts=())
            self._made[t, depth] = found
        return found

    def _new(self, t: Term, depth: int) -> _UnjoinedNode:
        named, decides = self._sentences.named(t), t in self._reason
        worth = value(t.sort, self._reasons.value(t))
        fact = self._sentences.fact(t)
        if fact is not None:
            return _UnjoinedNode(named or fact, worth, decides, frozenset({t}) & self._reason)
        sum_ = at_least(t)
        if sum_ is not None and self._sentences.named(self._bounded(t)) is None:
            parts = self._counted(sum_, depth) if depth < _DEEPEST else ()
            return _UnjoinedNode(named or self._sum(sum_, parts), worth, decides, parts=parts)
        below = () if depth >= _DEEPEST else tuple(self._below(t))
        parts = tuple(self._node(a, depth + 1) for a in below)
        if t.op is Op.LIN:
            weights = dict(zip(t.args, t.payload[0], strict=True))
            parts = self._in_order(below, [replace(p, weight=weights[a]) for p, a in zip(parts, below, strict=True)])
        return _UnjoinedNode(named or self._words(t), worth, decides, parts=parts)

    @staticmethod
    def _bounded(t: Term) -> Term:
        """The number that a bound is on."""
        return (t.args[0] if t.op is Op.NOT else t).args[0]

    def _counted(self, sum_: AtLeast, depth: int) -> tuple[_UnjoinedNode, ...]:
        """The parts of a sum."""
        some = [p for p in sum_.parts if not p.term.is_const]
        return self._in_order([p.term for p in some], [self._part(p, depth) for p in some])

    def _in_order(self, terms: Sequence[Term], nodes: Sequence[_UnjoinedNode]) -> tuple[_UnjoinedNode, ...]:
        """The parts of a sum in the order of the facts that they read, whatever was made before them."""
        placed = zip(map(self._reasons.place, terms), nodes, strict=True)
        return tuple(
            node for _, node in sorted(placed, key=lambda part: (part[0], part[1].said.pattern, part[1].said.names))
        )

    def _part(self, p: Summand, depth: int) -> _UnjoinedNode:
        node = self._node(p.term, depth + 1)
        weight = 0 if p.weight == 1 and p.term.is_bool else p.weight
        if not p.flipped:
            return replace(node, weight=weight)
        said = self._sentences.denied(p.term) or GapSentence(
            f"it is not so that {node.said.pattern}", node.said.names
        )
        return replace(node, said=said, value=not node.value, weight=weight)

    def _sum(self, sum_: AtLeast, parts: tuple[_UnjoinedNode, ...]) -> GapSentence:
        """A bound in words, with what there is."""
        have = sum(p.weight * (self._reasons.value(p.term) ^ p.flipped) for p in sum_.parts)
        number = len(sum_.parts)
        if not sum_.even:
            return GapSentence(f"at least {sum_.need} of these points: {have}")
        if sum_.need == number:
            return GapSentence(f"all {number} of these: {have} hold" if number > 2 else "all of these")
        return GapSentence(
            f"at least {sum_.need} of these {number}: {have} hold" if sum_.need > 1 else "one of these"
        )

    @staticmethod
    def _below(t: Term) -> Iterator[Term]:
        """The terms that explain a term."""
        inner = t.args[0] if t.op is Op.NOT and t.args[0].op in (Op.GE, Op.OR, Op.AND) else t
        if inner.op not in (Op.VAR, Op.IN, Op.CONST, Op.REACH):
            yield from (a for a in inner.args if not a.is_const)

    @staticmethod
    def _words(t: Term) -> GapSentence:
        inner = t.args[0] if t.op is Op.NOT else t
        denied = inner is not t
        match inner.op:
            case Op.AND:
                return GapSentence("not all of these" if denied else "all of these")
            case Op.OR:
                return GapSentence("none of these" if denied else "one of these at least")
            case Op.GE:
                return GapSentence(f"it is below {inner.payload}" if denied else f"it is at least {inner.payload}")
            case Op.REACH:
                return GapSentence("no way leads there" if denied else "a way leads there")
            case _ if denied:
                return GapSentence("this is not so")
            case Op.LIN:
                return GapSentence("the sum of these")
            case Op.ITE:
                return GapSentence("the first of these decides which of the others counts")
            case Op.DIV:
                return GapSentence(f"this divided by {inner.payload}, rounded down")
            case _:
                return GapSentence(show(t).replace("{", "(").replace("}", ")"))

    # ---- those that are alike, once

    def _explained(self, node: _UnjoinedNode, others: Sequence[_UnjoinedNode] = ()) -> Explained:
        """A node, and those that are alike and have no parts."""
        key = id(node)
        if not others and key in self._shown:
            return self._shown[key]
        every = (node, *others)
        facts = self._facts(frozenset().union(*(n.ends for n in every)))
        text = _said(every)
        parts, said = tuple(self._joined(node.parts)), self._sentences.said(facts)
        found = Explained(text, node.value, node.deciding, node.said.cites, facts, parts, said=said)
        if not others:
            self._shown[key] = found
        return found

    def _joined(self, parts: Iterable[_UnjoinedNode]) -> Iterator[Explained]:
        """Parts; of those that are alike but for names the first in full, the others by their names."""
        groups: dict[object, list[_UnjoinedNode]] = {}
        for part in parts:
            groups.setdefault((_shape(part), part.said.names[1:] if not part.parts else ()), []).append(part)
        for first, *others in groups.values():
            if not first.parts:
                yield self._explained(first, others)
                continue
            yield self._explained(first)
            if others:
                text = _likewise(first, others)
                facts = self._facts_below(others)
                said = self._sentences.said(facts)
                yield Explained(text, first.value, first.deciding, first.said.cites, facts, said=said)

    def _facts_below(self, nodes: Sequence[_UnjoinedNode]) -> Mapping[str, Value]:
        ends: set[Term] = set()
        left = list(nodes)
        seen: set[int] = set()
        while left:
            node = left.pop()
            if id(node) not in seen:
                seen.add(id(node))
                ends |= node.ends
                left += node.parts
        return self._facts(ends)


def _likewise(first: _UnjoinedNode, others: Sequence[_UnjoinedNode]) -> str:
    """A line on nodes that are like one shown in full, by the first name in which each differs."""
    own = tuple(first.names())
    differ = [next(((a, b) for a, b in zip(own, n.names(), strict=True) if a != b), ("", "")) for n in others]
    names = list(dict.fromkeys(b for _, b in differ if b))
    return f"the same as for {differ[0][0]}: {_listed(names)}" if names else f"the same {len(others)} times more"


def _shape(node: _UnjoinedNode) -> object:
    """A node without names: two of one shape say the same of different things."""
    order: dict[str, int] = {}
    return _outline(node, order)


def _outline(node: _UnjoinedNode, order: dict[str, int]) -> object:
    names = tuple(order.setdefault(n, len(order)) for n in node.said.names)
    parts = tuple(_outline(p, order) for p in node.parts)
    return (node.said.pattern, names, node.value, node.deciding, node.weight, parts)


def _said(nodes: Sequence[_UnjoinedNode]) -> str:
    """The wording of nodes that are alike, with all names of the first gap."""
    first = nodes[0]
    weight = f"{first.weight} for each: " if len(nodes) > 1 else f"{first.weight}: "
    begin = weight if first.weight > 1 else ""
    if not first.said.names:
        return begin + first.said.pattern.format()
    if len(nodes) == 1:
        return begin + first.said.pattern.format(*first.said.names)
    gaps = [list(dict.fromkeys(names)) for names in zip(*(n.said.names for n in nodes), strict=True)]
    pattern, subject = first.said.pattern, "{0} "
    if pattern.startswith(subject) and len(gaps[0]) > 1:
        pattern = subject + agree(pattern.removeprefix(subject))
    return begin + pattern.format(*map(_listed, gaps))


def _listed(names: Sequence[str]) -> str:
    apart = "; " if any("," in n for n in names) else ", "
    if len(names) <= _MOST + 1:
        return apart.join(names)
    return apart.join(names[:_MOST]) + f" and {len(names) - _MOST} more"
