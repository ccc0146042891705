"""Substitution in terms, and the polarity with which subterms occur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from vclogic.clock import OFTEN, check_deadline
from vclogic.terms import build
from vclogic.terms.atoms import TRUE
from vclogic.terms.reach import fixpoint
from vclogic.terms.sums import in_order, sum_term
from vclogic.terms.term import Op, Term, postorder, variables

_GRAPHS = (Op.REACH, Op.FIX)
POSITIVE = 1
NEGATIVE = 2


Standing = Callable[[Term, "Substitution"], Term]
"""The result of a substitution for a variable that it does not replace, and that may stand for a term."""
_STANDING: ContextVar[Standing | None] = ContextVar("standing", default=None)


@contextmanager
def standing_for(made: Standing) -> Iterator[None]:
    """While this is open, variables may stand for terms, in which substitutions that are begun replace, too.

    Args:
        made: As `Standing`; the variable itself if it stands for nothing.
    """
    token = _STANDING.set(made)
    try:
        yield
    finally:
        _STANDING.reset(token)


def stands_for_none() -> bool:
    """True if no variable stands for a term."""
    return _STANDING.get() is None


class Substitution:
    """Replaces terms (variables or whole subterms) by others and folds the result.

    Results are cached, so one substitution serves many terms that share parts.

    Args:
        mapping: The terms with those that take their places.
        same: Terms in which none of them occurs. It learns what else is so: later ones that replace the same terms
            by others look into none of these.
    """

    def __init__(self, mapping: Mapping[Term, Term], same: set[Term] | None = None):
        self._standing = _STANDING.get()
        self._same = None if self._standing is not None else same
        self._done: dict[Term, Term] = dict(mapping)
        self._fixed: dict[Term, tuple[Term, ...]] = {}

    def __call__(self, term: Term) -> Term:
        """The term with the replacements made; a replacement is not itself rewritten."""
        done = self._done
        if term in done:
            return done[term]
        check_deadline()
        stack, same = [term], self._same
        while stack:
            t = stack[-1]
            if same is not None and t not in done and (t in same or same.issuperset(t.args)):
                same.add(t)
                done[t] = t
            elif t not in done:
                try:
                    new = [done[a] for a in t.args]
                except KeyError:
                    stack.extend([a for a in t.args if a not in done])
                    continue
                if self._standing is not None and t.op is Op.VAR:
                    done[t] = self._standing(t, self)
                else:
                    done[t] = self._reached(t, new) if t.op in _GRAPHS else rebuild(t, new)
            stack.pop()
            if not len(done) & OFTEN:
                check_deadline()
        return done[term]

    def _reached(self, t: Term, new: list[Term]) -> Term:
        """Substitute in a fixpoint (FIX), keeping the new one aside, or look up one of its nodes (REACH) there."""
        if t.op is Op.FIX:
            half = len(new) // 2
            self._fixed[t] = fixpoint(t.payload, tuple(new[:half]), tuple(new[half:]))
            return t
        return self._fixed[t.args[0]][int(t.payload)]


def substitute(term: Term, mapping: Mapping[Term, Term]) -> Term:
    """One term with replacements; see `Substitution`."""
    return Substitution(mapping)(term)


def loosen(term: Term, free: Collection[Term]) -> Term:
    """A Bool term that follows from another one, whatever values some variables have: tests of them become true."""
    done: dict[tuple[Term, bool], Term] = {}

    def follows(t: Term, so: bool) -> Term:
        if (t, so) not in done:
            if t.op is Op.NOT:
                done[t, so] = follows(t.args[0], not so)
            elif not any(v in free for v in variables(t)):
                done[t, so] = t if so else build.not_(t)
            elif t.op in (Op.AND, Op.OR):
                join = build.all_of if (t.op is Op.AND) is so else build.any_of
                done[t, so] = join(follows(a, so) for a in t.args)
            else:
                done[t, so] = TRUE
        return done[t, so]

    return follows(term, True)


def rebuild(t: Term, args: list[Term]) -> Term:
    """The operator of `t` applied to other arguments, folded. For every operator but FIX and REACH."""
    if tuple(args) == t.args:
        return t
    match t.op:
        case Op.LIN:
            ks, c = t.payload
            if in_order(args):
                return sum_term(list(zip(args, ks, strict=True)), c)
            return build.linear(zip(ks, args, strict=True), c)
        case Op.GE:
            return build.ge(args[0], t.payload)
        case Op.NOT:
            return build.not_(args[0])
        case Op.OR:
            return build.any_of(args)
        case Op.AND:
            return build.all_of(args)
        case Op.ITE:
            return build.ite(args[0], args[1], args[2])
        case Op.IN:
            return build.in_mask(args[0], t.payload)
        case Op.DIV:
            return build.floordiv(args[0], t.payload)
    raise AssertionError(f"{t.op} cannot be rebuilt from its arguments alone")


def polarities(roots: Iterable[Term]) -> dict[Term, int]:
    """The polarity of each subterm below the (positive) roots: POSITIVE, NEGATIVE, or both bits.

    A number occurs positively if a larger value can only make a root true.
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
