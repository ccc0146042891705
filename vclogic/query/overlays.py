"""Overlays: what definitions of the rules say of the places of a picture, drawn over it on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product

from vclogic.choices import choice
from vclogic.encode.evaluator import compiled_later
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.picture import LegendLine, Mark, Overlay, Picture, Sample
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.terms.build import not_
from vclogic.terms.term import Op, Term, postorder, variables


@dataclass(frozen=True)
class OverlayShown:
    """What can be drawn over a board.

    Attributes:
        name: What players call it.
        says: What the rules say of the places.
        cites: Clause ids.
        outcomes: The outcomes that depend on it, as questions have them.
    """

    name: str
    says: str
    cites: tuple[str, ...]
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class _Places:
    """The places of an overlay, or pairs of them, with what is asked of each.

    Attributes:
        members: The arguments that stand for places, one or two.
        terms: Bool, of each.
        values: The value of each in a state.
    """

    members: tuple[tuple[str, ...], ...]
    terms: tuple[Term, ...]
    values: Callable[[Sequence[int]], tuple[Value, ...]]

    def where(self, state: State) -> Iterator[tuple[str, ...]]:
        """Those of which it holds."""
        return (m for m, holds in zip(self.members, self.values(state), strict=True) if holds)


def shown(system: System) -> tuple[OverlayShown, ...]:
    """The overlays that there are."""

    def make() -> tuple[OverlayShown, ...]:
        parts = [(o, _parts(system, o)) for o in system.outcomes] if _all(system) else []
        return tuple(_shown(system, overlay, parts) for overlay in _all(system))

    found: tuple[OverlayShown, ...] = system.kept("overlays", make)
    return found


def with_overlays(system: System, state: State, base: Picture, names: Iterable[str]) -> Picture:
    """A picture with some overlays, and lines of the legend that tell what they mean.

    Args:
        state: The position that is drawn.
        base: Its picture.
        names: What they are called.

    Raises:
        InputError: There is none of that name.
    """
    known = {o.name: o for o in _all(system)}
    wrong = [name for name in names if name not in known]
    if wrong:
        help = did_you_mean(wrong[0], known) if known else "nothing in its rules says what to draw"
        message = f"there is no overlay {quoted(wrong[0])} on this board"
        raise InputError(Diagnostic("unknown-name", message, choice("overlays"), help=help))
    chosen = [known[name] for name in dict.fromkeys(names)]
    marks = [m for overlay in chosen for m in _marks(system, state, base, overlay)]
    legend = (LegendLine(_meaning(overlay), (Sample(overlay.laid),)) for overlay in chosen)
    return replace(base, marks=(*base.marks, *marks), legend=(*base.legend, *legend))


def _all(system: System) -> Sequence[Overlay]:
    return () if system.drawing is None else system.drawing.overlays


def _meaning(overlay: Overlay) -> str:
    """An overlay in a line: what it is called, what its definition says, and the clauses."""
    cites = f" [{', '.join(c.clause for c in overlay.of.cites)}]" if overlay.of.cites else ""
    return f"{overlay.name}: {'' if overlay.holds else 'where this is not so: '}{overlay.of.text}{cites}"


# ---- where it holds


def _places(system: System, overlay: Overlay) -> _Places:
    """What an overlay asks of each place, or of each two that are beside each other."""

    def make() -> _Places:
        open_ = [i for i, given in enumerate(overlay.given) if given is None]
        domains = [overlay.of.parameters[i].sort.members for i in open_]
        beside = _beside(system, overlay) if len(open_) == 2 else frozenset()
        found: dict[tuple[str, ...], Term] = {}
        for members in product(*domains) if len(open_) == 1 else beside:
            chosen = iter(members)
            asked = (next(chosen) if given is None else given for given in overlay.given)
            value = overlay.of.partial(*asked)
            if overlay.holds:
                found[members] = value.holds
            elif not value.value.is_const:
                found[members] = not_(value.value)
        terms = tuple(found.values())
        return _Places(tuple(found), terms, compiled_later(terms, system.layout.slot))

    made: _Places = system.kept(("overlay", overlay.name), make)
    return made


def _beside(system: System, overlay: Overlay) -> Iterable[tuple[str, str]]:
    """Each two places that lie beside each other, once."""
    sort = overlay.of.parameters[overlay.given.index(None)].sort
    kinds = (k for k in system.vocabulary.kinds.values() if k.domain.sort == sort and k.neighbours is not None)
    kind = next(kinds, None)
    return [] if kind is None else [(a, b) for a, b in kind.graph.edges if sort.index[a] < sort.index[b]]


def _marks(system: System, state: State, base: Picture, overlay: Overlay) -> Iterator[Mark]:
    """An overlay as marks: one for all places, or one for each that stands for several."""
    there = {r.name for r in base.regions}
    where = list(_places(system, overlay).where(state))
    if overlay.stands:
        for (member,) in where:
            regions = tuple(r for r in overlay.stands[member] if r in there)
            called = f"{overlay.of.parameters[overlay.given.index(None)].sort.name} {member}"
            yield Mark(overlay.name, regions, called, words=f"{called}: {overlay.name}", laid=overlay.laid)
        return
    places = tuple(p for p in dict.fromkeys(p for members in where for p in members) if p in there)
    pairs = [members for members in where if len(members) == 2]
    if overlay.laid == "line" and not pairs:
        pairs = [pair for pair in _beside(system, overlay) if {*pair} <= {*places}]
    joined = tuple((a, b) for a, b in pairs if {a, b} <= there)
    yield Mark(overlay.name, places, words=overlay.name, laid=overlay.laid, pairs=joined)


# ---- which outcomes depend on it


def _shown(system: System, overlay: Overlay, outcomes: Iterable[tuple[Outcome, frozenset[Term]]]) -> OverlayShown:
    terms = [t for t in _places(system, overlay).terms if not t.is_const]
    bears = [o for o, parts in outcomes if any(_occurs(t, parts) for t in terms)]
    names = tuple(" ".join(x for x in (o.name, o.level, o.side) if x) for o in bears)
    return OverlayShown(overlay.name, _meaning(overlay), tuple(c.clause for c in overlay.of.cites), names)


def _parts(system: System, outcome: Outcome) -> frozenset[Term]:
    """The terms that an outcome is made of, those too that the end of a turn and the like put into its facts."""
    roots = [t for t in (outcome.condition.holds, outcome.have, outcome.need) if t is not None]
    there = {*variables(*roots)}
    ends = (system.action(Event(s.name)) for s in system.events if not s.parameters)
    later = [new for action in ends for fact, new in action.effects if fact in there]
    return frozenset(postorder([*roots, *later]))


def _occurs(term: Term, parts: Set[Term]) -> bool:
    """Whether a term is among the parts of another, or all of what it joins is joined there with more."""
    if term in parts or not_(term) in parts:
        return True
    joined = {*term.args} if term.op in (Op.AND, Op.OR) else set()
    return bool(joined) and any(p.op is term.op and joined <= {*p.args} for p in parts)
