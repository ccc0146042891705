"""A fingerprint of the rules that best play rests on, so that a table is not used under other rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from vclogic.explore.endings import endings
from vclogic.explore.events import every_event
from vclogic.model.actions import Action
from vclogic.model.system import System
from vclogic.terms.reach import Graph
from vclogic.terms.term import Op, Term, postorder

_LENGTH = 32  # hexadecimal digits


def fingerprint(system: System) -> str:
    """A text that differs where fluents, sides, ends of the game, or what events ask or do differ."""
    ends, events = endings(system), list(every_event(system))
    actions = [system.action(e) for e in events]
    terms = [*ends.won, ends.over, *(t for a in actions for t in _terms(a))]
    known = _digests([*system.layout.fluents, *terms])
    parts: list[object] = [*system.sides, *(known[f] for f in system.layout.fluents)]
    parts += [known[t] for t in (*ends.won, ends.over)]
    for event, action in zip(events, actions, strict=True):
        others = (action.actor, action.agreed, action.odds)
        parts += [str(event), *(known[t] for t in _terms(action))]
        parts += [known[x] if isinstance(x, Term) else x for x in others]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:_LENGTH]


def _terms(action: Action) -> Iterable[Term]:
    yield from (r.term for r in (*action.requirements, *action.assumed))
    for fluent, new in action.effects:
        yield fluent
        yield new
    yield from (x for x in (action.actor, action.agreed, action.odds) if isinstance(x, Term))


def _digests(terms: Iterable[Term]) -> dict[Term, str]:
    """For each term a digest of its structure; the order in which the parts of sums were made is left out."""
    known: dict[Term, str] = {}
    for t in postorder(terms):
        parts: Sequence[object] = [known[a] for a in t.args]
        payload = t.payload
        if t.op in (Op.AND, Op.OR):
            parts = sorted(map(str, parts))
        elif t.op is Op.LIN:
            factors, payload = payload
            parts = sorted(zip(factors, map(str, parts), strict=True))
        elif isinstance(payload, Graph):
            payload = (payload.nodes, payload.edges)
        text = repr((t.op.value, payload, t.sort, t.lo, t.hi, t.mask, parts))
        known[t] = hashlib.sha256(text.encode()).hexdigest()
    return known
