"""Overlays: what the rules say of the places of a picture, drawn over it on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vclogic.choices import choice
from vclogic.encode.python.evaluator import compiled_later
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.picture import LegendLine, Overlay, Picture, RegionNote, Sample
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.query.ask.subject import outcome_named
from vclogic.query.board.needs import held_and_missing
from vclogic.terms.build import not_
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder, variables


@dataclass(frozen=True)
class OverlayShown:
    """The overlays of a board.

    Attributes:
        name: What players call it.
        says: What the rules say of the places.
        cites: Clause ids.
    """

    name: str
    says: str
    cites: tuple[str, ...]


def shown(system: System) -> tuple[OverlayShown, ...]:
    """The overlays that the game declares."""
    every = _declared(system).values()
    return tuple(OverlayShown(o.name, _meaning(o), tuple(c.clause for c in o.of.cites)) for o in every)


def with_overlays(system: System, state: State, base: Picture, names: Iterable[str]) -> Picture:
    """A picture with some overlays, and lines of the legend that tell what they mean.

    Args:
        state: The position that is drawn.
        base: Its picture.
        names: What they are called; by the name of an outcome and its side those that it depends on, and the places
            that count for it: those that are held, and those that are missing.

    Raises:
        InputError: There is none of that name.
    """
    declared = _declared(system)
    chosen: dict[str, Overlay | Outcome] = {}
    wrong: list[Diagnostic] = []
    for name in names:
        if name in declared:
            chosen[name] = declared[name]
        elif outcome := outcome_named(system, name):
            chosen |= {o.name: o for o in declared.values() if _bears(system, o, outcome)}
            chosen[f"{outcome.name} {outcome.side}"] = outcome
        else:
            message = f"there is no overlay {quoted(name)} on this board"
            outcomes = [f"{o.name} {o.side}" for o in system.outcomes]
            help = did_you_mean(name, declared or outcomes, also=outcomes)
            wrong.append(Diagnostic("unknown-name", message, choice("overlays"), help=help))
    if wrong:
        raise InputError(wrong)
    marks, legend = [*base.marks], [*base.legend]
    for name, found in chosen.items():
        if isinstance(found, Overlay):
            marks += _marks(system, state, base, found)
            legend.append(LegendLine(_meaning(found), (Sample(found.laid),)))
            continue
        held, missing = held_and_missing(system, state, found)
        plain = name.replace("_", " ")
        marks += [
            RegionNote(plain, held, double=True, words=f"counts for {plain}, and is held"),
            RegionNote(plain, missing, dashed=True, words=f"counts for {plain}, and is missing"),
        ]
        samples = (Sample("double"), Sample("dashed"))
        legend += (LegendLine(m.words, (x,)) for m, x in zip(marks[-2:], samples, strict=True) if m.regions)
    return replace(base, marks=tuple(marks), legend=tuple(legend))


def _declared(system: System) -> dict[str, Overlay]:
    return {} if system.drawing is None else {o.name: o for o in system.drawing.overlays}


def _meaning(overlay: Overlay) -> str:
    """An overlay in a line: what it is called, what its definition says, and the clauses."""
    cites = f" [{', '.join(c.clause for c in overlay.of.cites)}]" if overlay.of.cites else ""
    return f"{overlay.name}: {'' if overlay.holds else 'where this is not so: '}{overlay.of.text}{cites}"


# ---- what the game declares


def _places(overlay: Overlay) -> EnumSort:
    """The sort of the places."""
    return overlay.of.parameters[overlay.given.index(None)].sort


def _terms(system: System, overlay: Overlay) -> dict[str, Term]:
    """The terms of an overlay, one for each place."""

    def make() -> dict[str, Term]:
        found = {}
        for member in _places(overlay).members:
            value = overlay.of.partial(*(member if given is None else given for given in overlay.given))
            if overlay.holds:
                found[member] = value.holds
            elif not value.value.is_const:
                found[member] = not_(value.value)
        return found

    made: dict[str, Term] = system.kept(("overlay", overlay.name), make)
    return made


def _marks(system: System, state: State, base: Picture, overlay: Overlay) -> Iterator[RegionNote]:
    """An overlay as marks: one for all places, or one for each that stands for several."""
    there, sort, terms = {r.name for r in base.regions}, _places(overlay), _terms(system, overlay)
    values = system.kept(("overlay", overlay.name, ""), lambda: compiled_later([*terms.values()], system.layout.slot))
    where = [member for member, holds in zip(terms, values(state), strict=True) if holds]
    for member in where if overlay.stands else ():
        regions, called = tuple(r for r in overlay.stands[member] if r in there), f"{sort.name} {member}"
        yield RegionNote(overlay.name, regions, called, words=f"{called}: {overlay.name}", laid=overlay.laid)
    if not overlay.stands:
        kind = next((k for k in system.vocabulary.kinds.values() if k.domain.sort == sort and k.neighbours), None)
        places = [p for p in where if p in there]
        near = {p: kind.around(p) for p in places} if kind and overlay.laid == "line" else {}
        pairs = tuple((a, b) for a in near for b in near[a] if b in near and sort.index[a] < sort.index[b])
        yield RegionNote(overlay.name, tuple(places), words=overlay.name, laid=overlay.laid, pairs=pairs)


# ---- which outcomes depend on it


def _bears(system: System, overlay: Overlay, outcome: Outcome) -> bool:
    if outcome.name in overlay.bears_on:
        return True

    def make() -> bool:
        parts = _Parts(system, outcome)
        return any(map(parts.has, _terms(system, overlay).values()))

    found: bool = system.kept(("bears", overlay.name, outcome.name, outcome.side), make)
    return found


class _Parts:
    """The terms that an outcome is made of, those too that the end of a turn and the like put into its facts."""

    def __init__(self, system: System, outcome: Outcome):
        roots = [t for t in (outcome.condition.holds, outcome.have, outcome.need) if t is not None]
        there = {*variables(*roots)}
        ends = (system.action(Event(s.name)) for s in system.events if not s.parameters)
        later = [new for action in ends for fact, new in action.effects if fact in there]
        self._terms = frozenset(postorder([*roots, *later]))
        self._joining: dict[tuple[Op, Term], list[Term]] = {}
        for term in self._terms:
            for a in term.args if term.op in (Op.AND, Op.OR) else ():
                self._joining.setdefault((term.op, a), []).append(term)

    def has(self, term: Term) -> bool:
        """True if a term is among them, or if all that it joins is joined there with more."""
        if term.is_const or term in self._terms or not_(term) in self._terms:
            return not term.is_const
        where = self._joining.get((term.op, term.args[0]), ()) if term.args else ()
        return any({*term.args} <= {*p.args} for p in where)
