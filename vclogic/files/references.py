"""Reject rules that reference undeclared fluents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.model.event_terms import meanings, of_positions
from vclogic.model.lazy import LazySequence
from vclogic.model.system import System
from vclogic.provenance import Places
from vclogic.terms.term import Term, postorder, variables

Named = tuple[str, Places, list[Term]]


def check_references(system: System, like: System | None = None) -> None:
    """Check that every variable in rules, outcomes and the like is a fluent of the rule set; lazy ones are left out.

    Args:
        like: One of the same game that has been checked: where its fluents are all here, so are those in its terms.

    Raises:
        InputError: Each undeclared fluent, at the line of the encoding that made the rule.
    """
    checked: AbstractSet[Term] = frozenset()
    if like is not None and like.layout.slot.keys() <= system.layout.slot.keys():
        below = (t for _, _, terms in _parts(like) for t in terms)
        checked = like.listed("checked terms", lambda: frozenset(postorder(below)))
    if found := undeclared(system, _parts(system), checked):
        raise InputError(found)


def undeclared(system: System, named: Iterable[Named], checked: AbstractSet[Term] = frozenset()) -> list[Diagnostic]:
    """The variables in some terms of a rule set that are no fluents of it.

    Args:
        named: What the terms belong to, where that was made, and the terms.
        checked: Terms with none of these.
    """
    parts, known, found = list(named), system.layout.slot, []
    if all(v in known for v in variables(*(t for _, _, terms in parts for t in terms), beside=checked)):
        return []
    for name, made, terms in parts:
        for v in variables(*terms):
            if v not in known:
                message = f"{name} refers to {v.name!r}, which is no fluent of the rule set"
                help = did_you_mean(v.name, system.layout.by_name)
                if v.name in system.layout.by_name:
                    help = f"the fluent of that name is {system.layout.by_name[v.name].sort}, not {v.sort}"
                if meanings(v):
                    help = "a rule about events is declared so: Rule(..., step=True)"
                file, line = (made[0].file, made[0].line) if made else (None, None)
                found.append(Diagnostic("unknown-fluent", message, file, line, help=help))
    return list(dict.fromkeys(found))


def _parts(system: System) -> Iterator[Named]:
    for o in system.outcomes:
        terms = [o.timing, o.condition.value, o.condition.defined, o.won, o.lost]
        terms += [t for t in (o.have, o.need) if t is not None]
        yield f"the outcome {o.name} of the {o.side} side", o.made, terms
    at_once = () if isinstance(system.rules, LazySequence) else system.rules
    for kind, rules in (("rule", at_once), ("invariant", system.invariants)):
        for r in rules:
            yield f"the {kind} {r.name}", r.made, of_positions(r)
    for table in system.levels:
        terms = [table.timing, *(t for c in table.rows.values() for t in (c.value, c.defined))]
        yield f"the table {table.name}", table.made, terms
    alone = {"System.ends": system.ends, "System.pieces": system.pieces, "System.winner": system.winner}
    yield from ((name, (), [t]) for name, t in alone.items() if t is not None)
    for fluent, default in system.defaults.items():
        yield f"the default of {fluent.name}", (), [default]
