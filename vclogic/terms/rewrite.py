"""Rebuilding terms with other subterms, and where in a term something occurs positively or negatively."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic.clock import OFTEN, look
from vclogic.terms import build
from vclogic.terms.reach import fixpoint
from vclogic.terms.term import Op, Term, postorder

POSITIVE = 1
NEGATIVE = 2


class Substitution:
    """Replaces terms (variables, or whole subterms) by others; what becomes decided folds away.

    The results are remembered, so one substitution serves many terms that share parts.
    """

    def __init__(self, mapping: Mapping[Term, Term]):
        self._done: dict[Term, Term] = dict(mapping)
        self._fixed: dict[Term, tuple[Term, ...]] = {}

    def __call__(self, term: Term) -> Term:
        """The term with the replacements made; a replacement is not itself rewritten."""
        if term in self._done:
            return self._done[term]
        look()
        stack = [term]
        while stack:
            t = stack[-1]
            if t in self._done or t in self._fixed:
                stack.pop()
                continue
            missing = [a for a in t.args if a not in self._done and a not in self._fixed]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if not len(self._done) & OFTEN:
                look()
            if t.op is Op.FIX:
                half = len(t.args) // 2
                new = tuple(self._done[a] for a in t.args)
                self._fixed[t] = fixpoint(t.payload, new[:half], new[half:])
            elif t.op is Op.REACH:
                self._done[t] = self._fixed[t.args[0]][t.payload]
            else:
                self._done[t] = rebuild(t, [self._done[a] for a in t.args])
        return self._done[term]


def substitute(term: Term, mapping: Mapping[Term, Term]) -> Term:
    """One term with replacements; see `Substitution`."""
    return Substitution(mapping)(term)


def rebuild(t: Term, args: list[Term]) -> Term:
    """The operator of `t` applied to other arguments, folded. For every operator but FIX and REACH."""
    if all(a is b for a, b in zip(args, t.args, strict=True)):
        return t
    match t.op:
        case Op.NOT:
            return build.not_(args[0])
        case Op.AND:
            return build.all_of(args)
        case Op.OR:
            return build.any_of(args)
        case Op.ITE:
            return build.ite(args[0], args[1], args[2])
        case Op.LIN:
            ks, c = t.payload
            return build.linear(zip(ks, args, strict=True), c)
        case Op.GE:
            return build.ge(args[0], t.payload)
        case Op.IN:
            return build.in_mask(args[0], t.payload)
        case Op.DIV:
            return build.floordiv(args[0], t.payload)
    raise AssertionError(f"{t.op} cannot be rebuilt from its arguments alone")


def polarities(roots: Iterable[Term]) -> dict[Term, int]:
    """How each subterm occurs below the (positive) roots: POSITIVE, NEGATIVE, or both bits.

    For a number, positive means that a larger value can only help the root.
    """
    terms = list(roots)
    found: dict[Term, int] = dict.fromkeys(terms, POSITIVE)
    for t in reversed(list(postorder(terms))):
        sign = found[t]
        for i, a in enumerate(t.args):
            found[a] = found.get(a, 0) | _below(t, i, sign)
    return found


def _below(t: Term, i: int, sign: int) -> int:
    if t.op is Op.NOT or (t.op is Op.LIN and t.payload[0][i] < 0):
        return (sign & POSITIVE) * 2 | (sign & NEGATIVE) // 2
    if t.op is Op.IN or (t.op is Op.ITE and i == 0):
        return POSITIVE | NEGATIVE
    return sign
