"""The rule set of a rulebook: what it declares, means and plays by, as one system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import cycle
from typing import TypeGuard

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.absent import Absent
from vclogic.model.citation import Cites
from vclogic.model.fluents import Family, Value
from vclogic.model.lazy import LazyMapping, LazySequence, Noted
from vclogic.model.picture import LAID, Overlay
from vclogic.model.rules import Observable, Rule
from vclogic.model.sayings import Sayings
from vclogic.model.system import Settings, System
from vclogic.model.under import ValuesUnder
from vclogic.rulebook.aims import PlanRule
from vclogic.rulebook.board.columns import Given
from vclogic.rulebook.board.look import look
from vclogic.rulebook.board.world import OVER, World
from vclogic.rulebook.declarations import Law, MarkPlaces, Start
from vclogic.rulebook.in_common import Base
from vclogic.rulebook.joined import fresh, joined, overview
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.markdown.passages import passages
from vclogic.rulebook.meaning.defined import Defined
from vclogic.rulebook.meaning.doubled import doubled
from vclogic.rulebook.meaning.facts import RememberedFacts
from vclogic.rulebook.meaning.judged import all_of_them
from vclogic.rulebook.meaning.names import LOST, Statements, TextNames, choices
from vclogic.rulebook.meaning.resting import Resting
from vclogic.rulebook.meaning.texts import Meaning, define
from vclogic.rulebook.meaning.values import value_of
from vclogic.rulebook.plans.coded import coded_plans
from vclogic.rulebook.plans.models import plan_models
from vclogic.rulebook.plans.objectives import declared, spoken_of
from vclogic.rulebook.play.doing import asked
from vclogic.rulebook.play.game import Play
from vclogic.rulebook.play.timing import SAID_OF_END, SAID_OF_OVER, Timing
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES, EACH_SIDE, Content, InsteadOf, OutcomeTable, Win
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, integer
from vclogic.terms.build import all_of, any_of, not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

SAID_OF_LOST = Sayings("", {True: "{1} is out by {0}", False: "{1} is not out by {0}"}, "")


Cells = Mapping[tuple[str, str], Given]


@dataclass(frozen=True)
class Made:
    """The rule set of a rulebook.

    Attributes:
        system: The rule set.
        laws: Its laws, which come first among what is so in every position.
        definitions: What its lines define.
        base: Its parts, which the rule sets under other Readings share as far as they are the same; None: that is not
            known.
    """

    system: System
    laws: Sequence[Rule]
    definitions: Mapping[str, Defined]
    base: Base | None = None

    def retold(self, book: Book) -> Made:
        """The same, where other sentences stand beside the same lines."""
        sources = {s.label: s for s in book.sources}
        said = {(s.name, clause): text for s in book.sources for clause, text in s.quoted.items()}

        def words(cites: Cites, text: str) -> str:
            return " ".join(said[c.source, c.clause] for c in cites if (c.source, c.clause) in said) or text

        system = self.system
        events = (s if not s.made else replace(s, text=words(s.cites, s.text)) for s in system.events)
        found = replace(
            system,
            events=tuple(events),
            outcomes=tuple(replace(o, text=words(o.cites, o.text)) for o in system.outcomes),
            passages=tuple(passages(book)),
            invariants=LazySequence(
                lambda: (
                    *(replace(r, text=words(r.cites, r.text)) for r in self.laws),
                    *system.invariants[len(self.laws) :],
                )
            ),
            doubled=LazySequence(
                lambda: tuple(doubled(self.definitions, lambda source, at: sources[source.label].words(at)))
            ),
            **fresh(),
        )
        return replace(self, system=found)


def made(book: Book, settings: Settings, board: object = None, like: Base | None = None) -> Made:
    """The rule set of a rulebook under some settings.

    Args:
        book: The rulebook.
        settings: Options and Readings, and the outcomes that do not count.
        board: The board that it takes its tables and maps from, as it was read; None: it takes none.
        like: The parts of the rule set with the same options, on the same board, under some Readings; None: there is
            none.

    Raises:
        InputError: All that is wrong with the rulebook, at its lines.
    """
    left_out = _left_out(book)
    sources = [_without(s, settings.without | left_out.get(s.file, frozenset())) for s in book.sources]
    common = None if like is None else like.under(settings.readings)
    same = None if common is None else common.base
    world = World(sources, book.given(board)) if same is None else same.world
    timing = Timing(world) if same is None else same.timing
    lost = _lost(world)
    events = None if same is None else same.play
    playing = cache(lambda: Play(world, timing, names, None, events))
    bare = _bare(world, timing, lost, settings, lambda actor, event: playing().can(actor, event))
    names = TextNames(bare, sources, on_a_board=board is not None and not book.form.is_empty, common=common)
    wrong: list[Diagnostic] = []
    memory = None
    with _noted(wrong):
        meaning = Meaning(names, whole=True, like=None if same is None else same.meaning)
        memory = meaning.memory
    with _noted(wrong):
        play = Play(world, timing, names, memory, events)
        starts = _starts(names, play)
    with _noted(wrong):
        laws = _laws(names, None if same is None else same.laws)
        overlays = tuple(_overlays(names, world))
        names.check()
    if wrong:
        raise InputError(sorted(dict.fromkeys(wrong), key=lambda d: (d.file or "", d.line or 0, d.column or 0)))
    meaning.initial |= starts
    plans = plan_models(play, memory or meaning.memory, meaning.over)
    single = [metric for metric, turns in plans.values() if not turns]
    whole = replace(
        bare,
        invariants=LazySequence(lambda: (*laws, *play.invariants())),
        events=tuple(play.schemas()),
        metrics=(*single, *(m for m in play.metrics() if m.name not in plans)),
        schedule=tuple(f.fluent for f in timing.families if f is not timing.over),
        overview=(*([(OVER,)] if timing.ends else []), *overview(meaning.observables, world.sides)),
        sayings={OVER: SAID_OF_END if timing.ends else SAID_OF_OVER, LOST: SAID_OF_LOST},
        written={f.fluent: TRUE for f in timing.families if f is timing.over and not timing.ends},
        absent=Absent(events=play.absent, observables=timing.absent),
        kinds=tuple(names.kinds.values()),
        passages=LazySequence(lambda: passages(book)),
        stuck=(lambda: play.stuck(meaning.over)) if play.can_be_stuck else None,
        busy=play.busy,
        out={} if lost is None else {s: _out(lost, s) for s in world.sides},
    )
    system = joined(whole, meaning, single=True)
    aims = declared(play, meaning.memory)
    objectives = aims or LazySequence(lambda: spoken_of(play, meaning.observables))
    told = {m.name: m for m in system.metrics} | {name: m for name, (m, turns) in plans.items() if turns}
    told |= coded_plans(play, replace(system, events=whole.events, metrics=(), **fresh()), meaning)
    in_order = (rule.name.text for _, _, rule in play.each(PlanRule))
    metrics = tuple(told[name] for name in dict.fromkeys((*in_order, *told)))
    resting = Resting(sources, (r.name for r in world.readings)) if same is None else same.resting
    system, noted = replace(system, metrics=metrics, objectives=objectives, resting=resting.sets), settings.readings
    base = Base(noted, resting, world, timing, names, meaning, play, laws) if isinstance(noted, Noted) else None
    if base is not None:
        system = replace(system, values_under=lambda others: _values(base, settings, others), **fresh())
    return Made(look(system, world, meaning, overlays), laws, meaning.definitions, base)


def _bare(
    world: World, timing: Timing, lost: Family | None, settings: Settings, can: Callable[[str, str], Term]
) -> System:
    """The rule set before its lines mean anything: what is declared, time, and what is chosen.

    Args:
        can: Tells of somebody and an event, empty for any, whether that can be done.
    """
    return System(
        sides=world.sides,
        aliases=world.aliases,
        families=(*timing.families, *([lost] if lost else ())),
        initial=timing.initial | (dict.fromkeys(lost.fluents.values(), False) if lost else {}),
        rules=(),
        invariants=(),
        outcomes=(),
        observables=(
            *timing.observables(),
            *_losers(world, lost),
            *asked(world, can),
            *choices((*world.readings, *world.options), settings),
            *_of_board(world),
        ),
        events=(),
        metrics=(),
        kinds=tuple(world.kinds.values()),
        moments=timing.moments(),
        absent=Absent(observables=timing.absent),
        ends=None if timing.ended is FALSE else timing.ended,
    )


def _values(base: Base, settings: Settings, readings: Noted) -> ValuesUnder | None:
    """What lines say of a position under other Readings; None: they change more than that.

    Raises:
        InputError: A line is wrong under them.
    """
    common = base.under(readings)
    if common is None or not common.keeps_facts:
        return None
    world, timing, own = base.world, base.timing, base.names
    playing = cache(lambda: Play(world, timing, names, None, base.play))
    under = replace(settings, readings=readings)
    bare = _bare(world, timing, _lost(world), under, lambda actor, event: playing().can(actor, event))
    names = TextNames(bare, own.sources, on_a_board=own.on_a_board, common=common)
    RememberedFacts(names, base.meaning.facts)
    define(names, base.meaning.definitions)
    laws = _laws(names, base.laws)
    names.check()
    return ValuesUnder(names.known, laws)


def _lost(world: World) -> Family | None:
    """The facts that remember which of more than two sides have lost what; None: two are there, or none loses."""
    losing = (win for _, _, win in world.each(Win) if win.loses and not all_of_them(win, world.sides))
    names = dict.fromkeys(win.name.text for win in losing)
    if len(world.sides) <= 2 or not names:
        return None
    of = Domain(EnumSort("what is lost", tuple(names)))
    return Family(LOST, BOOL, "whether the side is out", (of, world.kinds[EACH_SIDE].domain))


def _of_board(world: World) -> Iterator[Observable]:
    """The values that a board gives; one that it leaves out is undefined."""
    for name, (value, domain) in world.values.items():
        text = "what the board says"
        there = _constant(value, domain)
        yield Observable(name, (), lambda there=there: there, text, (), domain)
    for name, (column, cells) in world.pairs.items():
        assert column.second is not None, "it has two kinds"
        both = world.kinds[column.kind.text].domain, world.kinds[column.second.text].domain
        named = None if not column.values else world.names_of(column)

        def cell(a: str, b: str, cells: Cells = cells, named: Domain | None = named) -> Partial:
            return _constant(cells.get((a, b)), named)

        yield Observable(name, both, cell, "what the board says", (), named)


def _constant(value: Given | None, names: Domain | None) -> Partial:
    """The value that a board gives; undefined where it gives none."""
    some = value if value is not None else names.sort.members[0] if names is not None else 0
    if names is not None:
        return Partial(constant(names.sort, str(some)), TRUE if value is not None else FALSE)
    term = boolean(some) if isinstance(some, bool) else integer(int(str(some)))
    return Partial(term, TRUE if value is not None else FALSE)


def _losers(world: World, lost: Family | None) -> Iterator[Observable]:
    """The observables that lines can ask: a side is out."""
    if lost is not None:
        side = world.kinds[EACH_SIDE].domain
        yield Observable(LOST, (side,), lambda s: _out(lost, s), "whether the side is out")


def _out(lost: Family, side: str) -> Term:
    """Bool: whether a side is out."""
    return any_of(lost[n, side] for n in lost.indices[0].sort.members)


def _left_out(book: Book) -> dict[str, frozenset[str]]:
    """The outcomes of each file that a rulebook which includes it leaves out.

    Raises:
        InputError: There is no such outcome.
    """
    lines = Statements(book.sources)
    there: dict[str, set[str]] = {}
    won = [(source.file, content.name.text) for source, _, content in lines.each(Win)]
    won += [(source.file, c.name.text) for source, _, c in lines.each(OutcomeTable) if c.moment]
    for file, name in won:
        there.setdefault(file, set()).add(name)
    found: dict[str, frozenset[str]] = {}
    for source, _, content in lines.each(InsteadOf):
        with lines.at(source):
            for word in content.names:
                files = [file for file, names in there.items() if word.text in names and file != source.file]
                if not files:
                    known = [name for file, names in there.items() for name in names if file != source.file]
                    help = did_you_mean(word.text, known) or "it drops what a rulebook has that this one includes"
                    message = f"nothing that is included has the outcome {quoted(word.text)}"
                    raise source.goal.error(word.at, message, help, "unknown-name")
                found |= {file: found.get(file, frozenset()) | {word.text} for file in files}
    lines.check()
    return found


@contextmanager
def _noted(wrong: list[Diagnostic]) -> Iterator[None]:
    """Note what is wrong, so that what comes after it is looked at too."""
    try:
        yield
    except InputError as error:
        wrong += error.diagnostics


def _is_won(content: Content) -> TypeGuard[Win | OutcomeTable]:
    """True if a statement says who wins."""
    return isinstance(content, Win) or (isinstance(content, OutcomeTable) and content.moment is not None)


def _without(source: RulesSource, names: frozenset[str]) -> RulesSource:
    """A block without the outcomes that do not count."""
    if not names:
        return source
    kept = tuple(s for s in source.statements if not (_is_won(s.content) and s.content.name.text in names))
    return replace(source, statements=kept)


def _laws(names: TextNames, like: Sequence[Rule] | None = None) -> Sequence[Rule]:
    """The laws of every position; a kind that a law names stands for each of its members.

    What is wrong with one is told at once; their terms are made where somebody asks for them.

    Args:
        like: The laws under other Readings, of which those are taken that are the same; None: there are none.
    """
    for source, _, law in names.each(Law):
        with names.at(source):
            if names.keeps(law):
                continue
            kinds = names.free(source, (law.condition,), ())
            names.true_or_false(source, law.condition, {k.name: k for k in kinds})

    def made() -> Iterator[Rule]:
        for n, (source, statement, law) in enumerate(names.each(Law), 1):
            if like is not None and names.keeps(law):
                yield like[n - 1]
                continue
            with names.at(source):
                each = names.free_kinds(source, (law.condition,), ())
                found = [names.condition(source, law.condition, bound).holds for bound in each]
                term = all_of(not_(t) if law.never else t for t in found)
                cites, places = source.cites(statement), source.made(statement.at)
                yield Rule(f"law {n}", term, source.words(statement), cites, made=places)
        names.check()

    return LazySequence(made)


def _overlays(names: TextNames, world: World) -> Iterator[Overlay]:
    """The overlays of the board."""
    place = next((board.kind.name for board in world.boards), "")
    looks = cycle(laid for laid in LAID if laid != "line")
    seen: set[str] = set()
    for source, statement, content in names.each(MarkPlaces):
        with names.at(source):
            line = names.members(source, content.binder, {})
            kind = line.kind
            if kind.name != place:
                help = f"mark places of it: for {place} where ..." if place else "grid, hexes or areas make a board"
                message = f"{quoted(kind.name)} is no kind of place on the board"
                raise source.goal.error(content.binder.kind.at, message, help, "wrong-value")
            if content.name in seen:
                raise source.goal.error(
                    statement.at, f"{quoted(content.name)} is marked already", "give it another name"
                )
            seen.add(content.name)
            text, cites = source.words(statement), source.cites(statement)
            where = LazyMapping(partial(line.where, {}))
            of = Observable(
                content.name, (kind.domain,), lambda place, true=where: true.get(place, FALSE), text, cites
            )
            yield Overlay(content.name, of, laid="line" if content.lines else next(looks))


def _starts(names: TextNames, play: Play) -> dict[Term, Value]:
    """The values of facts at the start, where lines of their own say so."""
    found: dict[Term, Value] = {}
    for source, _, start in names.each(Start):
        with names.at(source):
            each: list[dict[str, BoundVariable]] = [{}]
            if start.binder is not None:
                some: Iterable[tuple[Mapping[str, BoundVariable], Term]] = [({}, TRUE)]
                for line in names.within(source, start.binder, {}):
                    some = line.each(some)
                each = [dict(bound) for bound, when in some if when is TRUE]
            family = play.family(source, start.fact)
            if family.name in names.lacking:
                continue
            for bound in each:
                value = value_of(names, source, family, BECOMES, start.value, bound).value
                if not value.is_const:
                    message = "this can change: it is no value at the start"
                    raise source.goal.error(start.value.at, message, None, "wrong-value")
                for fluent, _ in play.targets(source, start.fact, bound):
                    if isinstance(fluent.sort, IntSort) and not fluent.lo <= int(value.value) <= fluent.hi:
                        message = f"{family.name} cannot start as {quoted(str(value.value))}"
                        help = f"it lies between {fluent.lo} and {fluent.hi}"
                        raise source.goal.error(start.value.at, message, help, "wrong-value")
                    found[fluent] = value.value
    return found
