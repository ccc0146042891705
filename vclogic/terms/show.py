"""Terms as one line of text, in the goal language's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder

_FEW = 8  # members that are named, however few the others are
_MOST = 400  # characters of one subterm; deep terms are cut, since they are shown to be skimmed


def show(term: Term) -> str:
    """The term in infix notation, cut with `...` where it is long."""
    text: dict[Term, str] = {}
    for t in postorder([term]):
        shown = _node(t, text)
        text[t] = shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."
    return text[term]


def _node(t: Term, text: Mapping[Term, str]) -> str:
    args = [text[a] for a in t.args]
    match t.op:
        case Op.CONST:
            return str(t.value).lower() if t.is_bool else str(t.value)
        case Op.VAR:
            return t.name
        case Op.NOT:
            denied = t.args[0]
            return _compared(denied, "<=", denied.payload - 1, text) if denied.op is Op.GE else f"not {args[0]}"
        case Op.AND | Op.OR:
            return "(" + f" {t.op.value} ".join(args) + ")"
        case Op.ITE:
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case Op.LIN:
            return _sum(*_parts(t), text)
        case Op.GE:
            return _compared(t, ">=", t.payload, text)
        case Op.IN:
            return f"({args[0]} {_members(t)})"
        case Op.DIV:
            return f"({args[0]} div {t.payload})"
        case Op.FIX:
            return "reached"
        case Op.REACH:
            return f"reach({t.args[0].payload.nodes[t.payload]})"


def _members(t: Term) -> str:
    """Membership in a set; where the set has most members, as not being one of the others."""
    sort = t.args[0].sort
    assert isinstance(sort, EnumSort)
    others = t.args[0].mask & ~t.payload
    few = t.payload.bit_count() <= max(_FEW, others.bit_count())
    word, mask = ("in", t.payload) if few else ("not in", others)
    return f"{word} {{" + ", ".join(m for i, m in enumerate(sort.members) if mask >> i & 1) + "}"


def _parts(t: Term) -> tuple[list[tuple[int, Term]], int]:
    """The summands of a sum, and its constant."""
    ks, c = t.payload
    return list(zip(ks, t.args, strict=True)), c


def _compared(t: Term, sign: str, k: int, text: Mapping[Term, str]) -> str:
    """A comparison, with negative summands moved to the other side."""
    subject = t.args[0]
    if subject.op is not Op.LIN:
        return f"({text[subject]} {sign} {k})"
    parts, c = _parts(subject)
    left, right = [(n, a) for n, a in parts if n > 0], [(-n, a) for n, a in parts if n < 0]
    if not left:
        return f"({_sum(right, 0, text)} {'<=' if sign == '>=' else '>='} {c - k})"
    more = k - c
    if right and more == (-1 if sign == "<=" else 1):
        sign, more = sign[0], 0
    return f"({_sum(left, 0, text)} {sign} {_sum(right, more, text)})"


def _sum(parts: Sequence[tuple[int, Term]], c: int, text: Mapping[Term, str]) -> str:
    shown = [text[a] if k == 1 else f"{k}*{text[a]}" for k, a in parts]
    if not shown:
        return str(c)
    whole = " + ".join(shown) + (f" + {c}" if c > 0 else f" - {-c}" if c < 0 else "")
    return whole if len(shown) == 1 and not c else f"({whole})"
