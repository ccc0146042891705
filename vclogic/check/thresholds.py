"""Thresholds and groups as the encoding's code gives them: what constructors fold away, so no term shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Finding
from vclogic.check.oracle import Desk
from vclogic.check.outcomes import topic
from vclogic.provenance import Place
from vclogic.terms.atoms import FALSE
from vclogic.terms.notes import Note
from vclogic.terms.term import Op, Term, show

_MOST = 60  # characters of a term in a sentence


def beyond(desk: Desk) -> Iterator[Finding]:
    """VC302 for outcomes: a threshold that is above all that a side can have."""
    if not desk.wants("VC302"):
        return
    for o in desk.system.outcomes:
        if o.have is not None and o.need is not None and o.need.lo > o.have.hi:
            message = f"{o.name} asks the {o.side} side for {o.need.lo}, and the most it can have is {o.have.hi}"
            yield topic("VC302", o).finding(message, scope="rules")


def folded(desk: Desk) -> Iterator[Finding]:
    """VC302 to VC305: what was folded away, one finding for each line of the encoding."""
    lines: dict[tuple[str, Place], list[Note]] = {}
    said = {(o.have, o.need) for o in desk.system.outcomes}  # `beyond` reports those, with their clauses
    for note in desk.subject.notes:
        if note.terms in said:
            continue
        lines.setdefault((note.kind, note.places[0]), []).append(note)
    for (kind, place), notes in lines.items():
        if kind == "compared":
            found = _compared(notes)
        else:
            found = _counted(notes) if kind == "counted" else _dominated(notes)
        if found and desk.wants(found[0]):
            yield Topic(found[0], place.function, (), notes[0].places).finding(found[1], scope="rules")


def _compared(notes: Sequence[Note]) -> tuple[str, str] | None:
    """A comparison that was never true, however often it was made."""
    if any(n.result is not FALSE or all(t.is_const for t in n.terms) for n in notes):
        return None
    a, b = notes[0].terms
    if _is_count(a) and b.is_const:
        return "VC303", f"asks for {b.lo} of {len(a.args)} things: {_cut(a)}"
    if b.is_const:
        return "VC302", f"asks for at least {b.lo}, and there can be {a.hi} at the most: {_cut(a)}"
    return "VC302", f"{_cut(a)} is at most {a.hi}, and {_cut(b)} at least {b.lo}"


def _counted(notes: Sequence[Note]) -> tuple[str, str] | None:
    """A count of a group with something twice in it."""
    for note in notes:
        twice = [t for t, n in Counter(note.terms).items() if n > 1 and not t.is_const]
        if twice:
            return "VC304", f"{_cut(twice[0])} stands {note.terms.count(twice[0])} times in a group that is counted"
    return None


def _dominated(notes: Sequence[Note]) -> tuple[str, str]:
    kept, idle = notes[0].bounds
    return "VC305", f"of two bounds of {_cut(notes[0].terms[0])} only the one at {kept} counts, not the one at {idle}"


def _is_count(t: Term) -> bool:
    return t.op is Op.LIN and t.payload[1] == 0 and all(a.is_bool and k == 1 for k, a in zip(*_parts(t), strict=True))


def _parts(t: Term) -> tuple[tuple[int, ...], tuple[Term, ...]]:
    return t.payload[0], t.args


def _cut(t: Term) -> str:
    text = show(t)
    return text if len(text) <= _MOST else text[: _MOST - 3] + "..."
