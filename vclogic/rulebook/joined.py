"""A game with what texts of rules add to it: its facts, events, planning models and outcomes as one rule set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from vclogic.errors import Diagnostic, InputError
from vclogic.model.actions import GAME_OVER, Action, Effect, Requirement, Schema, later
from vclogic.model.fluents import Value
from vclogic.model.hexmap import Site
from vclogic.model.lazy import LazySequence
from vclogic.model.picture import Drawing, Picture, Values, marks
from vclogic.model.position import Listing
from vclogic.model.rules import Observable
from vclogic.model.sayings import Sayings
from vclogic.model.system import Metric, System
from vclogic.model.transition import Hints, Scoped, SingleActions, Transition, Wanted
from vclogic.model.view import View
from vclogic.rulebook.added import Added
from vclogic.rulebook.meaning.doubled import doubled
from vclogic.rulebook.meaning.names import MET
from vclogic.rulebook.meaning.texts import Meaning
from vclogic.rulebook.statements import EACH_SIDE, END
from vclogic.terms.atoms import FALSE, constant
from vclogic.terms.build import not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables

SAID = "{1} was found to win {0} at its moment"
NOT_SAID = "{1} has not been found to win {0}"
NAMED = "a group that the rules as text name"
T = TypeVar("T")
Positions = Callable[[View], Sequence[Listing]]
_FRESH = ("_instances", "_opened", "_steps", "_lists", "_kept")
MODELLED = (
    "where a step of a plan is several events, what the text remembers and judges is looked at after it, "
    "not within it"
)


def joined(system: System, meaning: Meaning, added: Added | None = None, *, single: bool = False) -> System:
    """The rule set of a game with what texts add.

    Args:
        system: The game, without the outcomes that the texts leave out.
        meaning: What the texts mean.
        added: The events that texts beside a game add, and those that they refuse; None: of a whole rulebook.
        single: Whether each step of a plan is a single event.
    """
    join = _Join(meaning, single, added)
    initial = meaning.initial
    follows = {f: x for f, x in meaning.follows.items() if f not in initial}
    defaults = follows | join.defaults({**system.initial, **initial}, follows) | dict(meaning.memory.earlier)
    meaning.check_defaults(defaults)
    met = (f.name for f in meaning.families if f.name.startswith(MET) and f.name not in meaning.names.families)
    said = {name: Sayings("", {True: SAID, False: NOT_SAID}, "") for name in met}
    return replace(
        system,
        families=(*system.families, *meaning.families),
        initial={f: x for f, x in {**system.initial, **initial}.items() if f not in defaults},
        defaults={**system.defaults, **defaults},
        absent=replace(system.absent, facts={**system.absent.facts, **meaning.lacking}),
        invariants=_together(system.invariants, meaning.invariants),
        outcomes=(*system.outcomes, *meaning.outcomes),
        observables=(*system.observables, *meaning.observables),
        events=tuple(map(join.schema, (*system.events, *(added.schemas() if added else ())))),
        metrics=tuple(map(join.metric, system.metrics)),
        levels=_together(system.levels, meaning.levels),
        exceptions=LazySequence(
            lambda: (*system.exceptions, *(r for d in meaning.definitions.values() for r in d.excepted()))
        ),
        overview=(*system.overview, *(() if single else overview(meaning.observables, system.sides))),
        doubled=LazySequence(lambda: (*system.doubled, *doubled(meaning.definitions))),
        winner=None,
        position=join.position(system.position),
        sayings={**system.sayings, **said},
        memories=(*system.memories, *_memories(meaning, whole=single)),
        written={**system.written, **_written(meaning)},
        kinds=LazySequence(lambda: (*system.kinds, *meaning.kinds.values())),
        drawing=system.drawing and drawn(system.drawing, meaning.listed),
        values_under=None,
        resting=None,
        **fresh(),
    )


def remembering(metric: Metric, meaning: Meaning) -> Metric:
    """A planning model whose steps also change what a text remembers, and end with the game.

    Args:
        metric: The model, whose steps can be several events at once.
        meaning: What the text means.
    """
    return _Join(meaning, False, None).metric(metric)


def fresh() -> dict[str, Any]:
    """The parts of a rule set made of another that it does not share with it: what is kept of its own events."""
    return {"_views": [], **{name: {} for name in _FRESH}}


def _together(game: Sequence[T], text: Sequence[T]) -> Sequence[T]:
    """The parts of a game and of a text together; a whole rulebook's only where it is asked for."""
    if isinstance(game, LazySequence) or not game:  # in this order: a look at how many there are makes them
        return LazySequence(lambda: (*game, *text))
    return (*game, *text)


def _written(meaning: Meaning) -> Mapping[Term, Term]:
    """The facts that remember what was met at its moment, each with what it would be if that were judged now."""
    judged: dict[Term, Term] = {}
    for change in meaning.memory.judging:
        judged[change.fluent] = or_(judged.get(change.fluent, FALSE), change.condition)
    return {**judged, **meaning.memory.earlier}


def overview(observables: Iterable[Observable], sides: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The values that texts know and `status` tells: of a side, or of the game."""
    for observable in observables:
        kinds = [d.sort.name for d in observable.parameters]
        if not kinds:
            yield (observable.name,)
        elif kinds == [EACH_SIDE]:
            yield from ((observable.name, side) for side in sides)


def _memories(meaning: Meaning, *, whole: bool) -> Iterable[str]:
    """The families that tell of earlier turns: beside a game all, of a rulebook those that change by themselves.

    Args:
        whole: Whether it is a whole rulebook, whose events change its facts.
    """
    remembered = {*meaning.memory.fluents}
    return (f.name for f in meaning.families if not whole or not remembered.isdisjoint(f.fluents.values()))


def drawn(drawing: Drawing, groups: Sequence[tuple[str, tuple[str, ...]]]) -> Drawing:
    """The drawing of a game, with groups of hexes that texts list as zones.

    Args:
        drawing: That of the game alone.
        groups: All that texts list, of hexes or of anything else.
    """

    def picture(values: Values, units: bool) -> Picture:
        found = drawing.picture(values, units)
        there = {r.name for r in found.regions} if found.hexes else set[str]()
        zones = {name: members for name, members in groups if there.issuperset(members)}
        if found.hexes is None or not zones:
            return found
        taken = (*(s.mark for s in found.hexes.sites if s.mark), *(p.mark for p in found.parties))
        signs = marks((*zones, *taken))
        more = (Site(n, m, "zone", note=NAMED, mark=signs[n], owned=False) for n, m in zones.items())
        return replace(found, hexes=replace(found.hexes, sites=(*found.hexes.sites, *more)))

    return replace(drawing, picture=picture)


class _Join:
    def __init__(self, meaning: Meaning, single: bool, added: Added | None):
        self.single, self.added = single, added
        self.memory, self.over = meaning.memory, meaning.over
        self.families, self.secrets = meaning.families, meaning.secrets
        earlier = [o for o in meaning.outcomes if o.when != END]  # what is judged at the end does not bring it about
        cites = tuple(dict.fromkeys(c for o in earlier for c in o.cites))
        names = " or ".join(dict.fromkeys(o.name for o in earlier))
        message = f"the game is over: {names} has been decided"
        going_on = Requirement(not_(self.over), message, cites, GAME_OVER)
        self.requirements = () if self.over is FALSE else (going_on,)

    def defaults(self, initial: Mapping[Term, Value], follows: Mapping[Term, Term]) -> dict[Term, Term]:
        """The values of facts that change at once, in a position that does not give them.

        Args:
            initial: How facts start.
            follows: How those do that others decide.
        """
        looked_at = self.memory.at_once({})  # what else these read, a position may give
        starts = Substitution({f: follows[f] if f in follows else constant(f.sort, initial[f]) for f in looked_at})
        return {f: starts(x) for f, x in looked_at.items()}

    def position(self, own: Positions | None) -> Positions | None:
        """The lists of `status` for a position, with what is secret."""
        if own is None:
            return None
        return lambda now: (*own(now), *self.secrets.listings(now))

    # ---- events

    def schema(self, schema: Schema) -> Schema:
        touches, made = schema.touches, schema.instantiate
        if touches is not None:
            touches = (*touches, *((f.name, *[None] * len(f.indices)) for f in self.families))
        return replace(
            schema, instantiate=lambda *a, **named: self.action(made(*a, **named), schema.routine), touches=touches
        )

    def action(self, action: Action, routine: bool = False) -> Action:
        asked = self.added.asked(action, routine) if self.added is not None else ()
        requirements = (*self.requirements, *asked, *action.requirements)
        if not self.memory.fluents:
            return replace(action, requirements=requirements) if self.requirements else action
        effects = later(lambda: self.effects(action.effects), action.loose)
        return replace(action, requirements=requirements, effects=effects)

    def effects(self, own: Sequence[Effect]) -> Iterable[Effect]:
        """The effects of an event, and what is remembered then."""
        if self.memory.unchanged(f for f, _ in own):
            return own
        effects = dict(own)
        effects |= self.memory.after(effects)  # of a fact that the event itself changes, too
        return effects.items()

    # ---- planning models

    def metric(self, metric: Metric) -> Metric:
        answered, ending, transition = metric.answered, metric.ending, metric.transition
        looked_at = not self.single and (bool(self.memory.fluents) or self.over is not FALSE)
        return replace(
            metric,
            transition=lambda side, opponent, start: self.step(transition(side, opponent, start)),
            answered=None if answered is None else lambda side, start: self.step(answered(side, start)),
            ending=None if ending is None else lambda: self.action(ending()),
            assumptions=lambda side, opponent: (
                *metric.assumptions(side, opponent),
                *((MODELLED,) if looked_at else ()),
            ),
        )

    def step(self, step: Transition) -> Transition:
        if isinstance(step, SingleActions):
            return step.over({taken: self.action(a) for taken, a in step.actions.items()})
        if self.added is not None and self.added.refuses:
            message = "a text refuses events, and each step of these plans is several events at once"
            raise InputError(Diagnostic("not-here", message, help="ask what is legal, or play a record"))
        laws = () if self.over is FALSE else (not_(self.over),)
        hints = self.hints(step.hints)
        if isinstance(step, Scoped):
            return self.scoped(step, laws, hints)
        more = self.memory.after(*step.passed, step.next) if self.memory.fluents else {}
        return replace(step, next={**step.next, **more}, legality=(*step.legality, *laws), hints=hints)

    def scoped(self, step: Scoped, laws: tuple[Term, ...], hints: Hints) -> Scoped:
        reads = (*self.memory.fluents, *self.memory.reads, *variables(self.over))

        def scope(state: Mapping[Term, Term], wanted: Wanted | None) -> Transition:
            needed = None if wanted is None else wanted | self.memory.reads
            return self.step(step.scope(state, needed))

        return replace(
            step,
            next={**step.next, **{f: f for f in self.memory.fluents}},  # it can change them
            scope=scope,
            reads=lambda state: tuple(dict.fromkeys((*step.reads(state), *reads))),
            legality=(*step.legality, *laws),
            hints=hints,
        )

    def hints(self, hints: Hints) -> Hints:
        """The hints for a planner that are still true where doing nothing changes what is remembered."""
        if not self.memory.fluents:
            return hints
        idle = None if hints.idle is None else hints.idle | {*self.memory.fluents}
        return replace(hints, step_bound=None, resting=None, idle=idle)
