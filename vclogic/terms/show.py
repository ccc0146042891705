"""Terms as one line of text, in the goal language's words."""

from __future__ import annotations

from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder

_MOST = 400  # characters of one subterm; deep terms are cut, since they are shown to be skimmed


def show(term: Term) -> str:
    """The term in infix notation, cut with `...` where it is long."""
    text: dict[Term, str] = {}
    for t in postorder([term]):
        shown = _node(t, [text[a] for a in t.args])
        text[t] = shown if len(shown) <= _MOST else shown[: _MOST - 3] + "..."
    return text[term]


def _node(t: Term, args: list[str]) -> str:
    match t.op:
        case Op.CONST:
            return str(t.value).lower() if t.is_bool else str(t.value)
        case Op.VAR:
            return t.name
        case Op.NOT:
            return f"not {args[0]}"
        case Op.AND | Op.OR:
            return "(" + f" {t.op.value} ".join(args) + ")"
        case Op.ITE:
            return f"(if {args[0]} then {args[1]} else {args[2]})"
        case Op.LIN:
            return _sum(t, args)
        case Op.GE:
            return f"({args[0]} >= {t.payload})"
        case Op.IN:
            return f"({args[0]} in {_members(t)})"
        case Op.DIV:
            return f"({args[0]} div {t.payload})"
        case Op.FIX:
            return "reached"
        case Op.REACH:
            return f"reach({t.args[0].payload.nodes[t.payload]})"


def _members(t: Term) -> str:
    sort = t.args[0].sort
    assert isinstance(sort, EnumSort)
    return "{" + ", ".join(m for i, m in enumerate(sort.members) if t.payload >> i & 1) + "}"


def _sum(t: Term, args: list[str]) -> str:
    ks, c = t.payload
    parts = [a if k == 1 else f"{k}*{a}" for k, a in zip(ks, args, strict=True)]
    return "(" + " + ".join(parts + ([str(c)] if c else [])) + ")"
