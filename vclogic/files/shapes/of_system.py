"""The shapes of a state and of a record, generated from what rule sets know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.files.rulings.expected import EXPECT, REFUSED
from vclogic.files.shapes.words import (
    TRUTH,
    Shape,
    keys,
    mapping,
    names,
    of_domain,
    one_of_several,
    one_or_several,
    or_nothing,
    several,
    whole,
)
from vclogic.files.trees.shorthand import EXCEPT
from vclogic.model.actions import Parameter, Schema
from vclogic.model.fluents import Family
from vclogic.model.system import System
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.lexer import CLAUSES, JOINING
from vclogic.terms.expressions.syntax import FORMS
from vclogic.terms.sorts import BoolSort, EnumSort

_SHAPES = {"value": of_domain, "key": keys, "item": one_of_several}


class Shared:
    """Shapes that a document holds once, under `$defs`, however often it refers to them."""

    def __init__(self) -> None:
        self.shapes: dict[str, Shape] = {}
        self._names: dict[str, str] = {}
        self._domains: dict[tuple[str, int], tuple[Domain, Shape]] = {}

    def ref(self, name: str, shape: Shape) -> Shape:
        """A reference to a shape, which gets this name or one like it."""
        content = json.dumps(shape, sort_keys=True)
        if content not in self._names:
            free = name
            while free in self.shapes:
                free = f"{name}-{len(self.shapes)}"
            self._names[content], self.shapes[free] = free, shape
        return {"$ref": f"#/$defs/{self._names[content].replace('~', '~0').replace('/', '~1')}"}

    def value(self, domain: Domain) -> Shape:
        """A name of a domain, as a value."""
        return self._of_domain("value", domain)

    def key(self, domain: Domain) -> Shape:
        """A name of a domain, as a key."""
        return self._of_domain("key", domain)

    def several(self, domain: Domain) -> Shape:
        """A list of names of a domain, and of names for several of them."""
        items = self._of_domain("item", domain)
        return {"type": "array", "items": items, "uniqueItems": True}

    def _of_domain(self, kind: str, domain: Domain) -> Shape:
        known = self._domains.get((kind, id(domain)))
        if known is None:  # the domain is kept, so that its id stays its own
            shape = _SHAPES[kind](domain)
            name = domain.sort.name + {"value": "", "key": " as a key", "item": ", one or several"}[kind]
            known = self._domains[kind, id(domain)] = (domain, self.ref(name, shape))
        return known[1]


@dataclass(frozen=True)
class Changing:
    """Names that other settings may change: keys of a state and events whose values are then left open."""

    families: frozenset[str]
    events: frozenset[str]


def changing(boards: Iterable[Sequence[System]], shared: Shared) -> Changing:
    """Names whose definition differs between some rule sets of one board, on any of several boards."""
    families, events = frozenset[str](), frozenset[str]()
    for systems in boards:
        families |= _differing([{f.name: _family(f, shared) for f in system.families} for system in systems])
        events |= _differing([{e.name: _event(e, shared) for e in system.events} for system in systems])
    return Changing(families, events)


def _differing(found: Sequence[Mapping[str, Shape]]) -> frozenset[str]:
    known = frozenset().union(*found)
    return frozenset(name for name in known if any(one.get(name) != found[0].get(name) for one in found))


def state_shape(systems: Sequence[System], shared: Shared, open: Changing) -> Shape:
    """The section `state`: what any of some rule sets of one board records, and what others may."""
    found: dict[str, list[Shape]] = {}
    for system in systems:
        for family in system.families:
            _add(found, family.name, _family(family, shared))
    absent = {name: {"description": hint} for system in systems for name, hint in system.absent.facts.items()}
    return or_nothing(mapping({**absent, **_merged(found), **{name: {} for name in sorted(open.families)}}))


def record_shape(systems: Sequence[System], shared: Shared, open: Changing, goal: Shape, cites: Shape) -> Shape:
    """A record: a list of what any of some rule sets of one board knows as events, and what others may.

    Args:
        systems: The rule sets.
        shared: Takes what occurs more than once.
        open: What other settings may change.
        goal: What may be expected between the steps.
        cites: The clauses that a refusal may cite.
    """
    found: dict[str, list[Shape]] = {}
    bare = dict.fromkeys(sorted(open.events))
    for system in systems:
        for schema in system.events:
            _add(found, schema.name, _event(schema, shared))
            if all(p.default is not None or p.implied is not None for p in schema.parameters):
                bare[schema.name] = None
    known = _merged(found) | {name: {} for name in sorted(open.events)}
    known = {name: shared.ref(f"arguments of {name}", shape) for name, shape in known.items()}
    beside = {"cites": cites, "message": {"type": "string"}} | known
    refused = mapping(beside, minProperties=1, maxProperties=3)
    expected = {EXPECT: one_or_several(goal), REFUSED: {"anyOf": [names(bare), refused]} if bare else refused}
    event = mapping(expected | known, minProperties=1, maxProperties=1)
    return several({"anyOf": [names(bare), event]} if bare else event)


def goal_shape(systems: Iterable[System]) -> Shape:
    """A goal: observables and properties that are called are known, as far as a pattern can tell."""
    vocabularies = [system.vocabulary for system in systems]
    known = {o.name: o for vocabulary in vocabularies for o in vocabulary.values()}
    kinds = [kind for v in vocabularies for kind in v.kinds.values()]
    properties = dict.fromkeys(name for kind in kinds for name in (*kind.functions, *kind.relations))
    words = "|".join((*known, *properties, *FORMS, *JOINING, *CLAUSES))
    pattern = rf"""['"]|^(?!(?:[\s\S]*\W)?(?!(?:{words})\s*\()[A-Za-z_]\w*\s*\()"""
    calls = [
        o.name + (f"({', '.join(d.sort.name for d in o.parameters)})" if o.parameters else "") for o in known.values()
    ]
    return {"type": ["string", "boolean"], "pattern": pattern.replace("[^]", r"[\s\S]"), "examples": calls}


def _add(found: dict[str, list[Shape]], name: str, shape: Shape) -> None:
    shapes = found.setdefault(name, [])
    if shape not in shapes:
        shapes.append(shape)


def _merged(found: Mapping[str, Sequence[Shape]]) -> dict[str, Shape]:
    return {name: shapes[0] if len(shapes) == 1 else {"anyOf": list(shapes)} for name, shapes in found.items()}


# ---- fluents


def _family(family: Family, shared: Shared) -> Shape:
    shape = _value(family, shared)
    last = True
    for domain in reversed(family.indices):
        several, names = shared.several(domain), shared.key(domain)
        if last:  # the names may be listed under their value
            shape, names = {"anyOf": [shape, several]}, {"anyOf": [names, _value_as_key(family)]}
        inner: Shape = {"type": "object", "propertyNames": names, "additionalProperties": shape}
        shape = or_nothing({**inner, "properties": {EXCEPT: {"anyOf": [several, inner]}}})
        last = False
    if isinstance(family.sort, BoolSort) and len(family.indices) == 1:
        shape = {"anyOf": [shared.several(family.indices[0]), shape]}
    return shape | {"description": family.text}


def _value_as_key(family: Family) -> Shape:
    """A value under which names are listed."""
    sort = family.sort
    return keys(family.values or Domain(sort)) if isinstance(sort, EnumSort) else {"pattern": "^([0-9]+|[a-zA-Z]+)$"}


def _value(family: Family, shared: Shared) -> Shape:
    sort = family.sort
    if isinstance(sort, BoolSort):
        return TRUTH
    if isinstance(sort, EnumSort):
        return shared.value(family.values or Domain(sort))
    lo = sort.lo if family.least is None else family.least
    return whole(lo, sort.hi) if family.least is None else or_nothing(whole(lo, sort.hi))


# ---- events


def _event(schema: Schema, shared: Shared) -> Shape:
    properties = {p.name: _argument(p, shared) for p in schema.parameters}
    required = [p.name for p in schema.parameters if p.default is None and p.implied is None]
    shape = mapping(properties, required, description=schema.text)
    return shape if required else or_nothing(shape)


def _argument(parameter: Parameter, shared: Shared) -> Shape:
    domain = parameter.domain
    shape = _numbers(domain) if isinstance(domain, range) else shared.value(domain)
    if not parameter.each:
        return shape
    return {"anyOf": [shape, {"type": "array", "items": shape, "minItems": 1}]}


def _numbers(domain: range) -> Shape:
    return whole(min(domain), max(domain)) if domain.step == 1 else {"enum": list(domain)}
