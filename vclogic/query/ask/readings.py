"""Answers under other Readings: each alone, and the smallest combinations that change the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.clock import TIME_UP, Deadline, TimeUp, check_deadline, until
from vclogic.collector_paused import collector_paused
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import InputError
from vclogic.files.blame import failure
from vclogic.files.record import RecordStep, read_step
from vclogic.files.registry import packages
from vclogic.files.setup import Setup, built, laid_anew
from vclogic.model.fluents import State, Value
from vclogic.model.lazy import Noted
from vclogic.model.memoized import Latest
from vclogic.model.rules import Observable, Reading
from vclogic.model.system import HOLDS, Settings, System
from vclogic.progress import Listener, Progress, silent
from vclogic.query.ask.answer import OtherReadings, OtherRuling
from vclogic.query.ask.subject import LABEL, PositionQuestion, RulesQuestion, answer_of, read_question
from vclogic.query.replay import play_record
from vclogic.query.status.progress import value_of
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import Vocabulary

FEW, MANY = 100, 300
"""So many combinations of several Readings are tried, usually and where all Readings are asked for."""
SOME = "the {all} {sets} were not tried"
MOST = "of {all} {sets} only {some} {were} tried"
Choice = tuple[tuple[str, str], ...]
"""Readings that differ from those in use, with their values, in the order in which the game declares them."""

_MOST_GAMES, _MOST_SYSTEMS = 4, 200


@dataclass(frozen=True)
class _AnswerUnder:
    """The answer under some Readings.

    Attributes:
        value: The answer; None: undefined, or refused.
        refused: Why the position, its record or the question is not allowed, or how the rules break down; empty where
            there is an answer.
        looked_up: The Readings that this rests on: all others change nothing.
        rests_on: The state that was asked about, and the question as terms; None where it is refused.
        broken: Whether the rules break down.
    """

    value: Value | None
    refused: str
    looked_up: frozenset[str]
    rests_on: tuple[object, ...] | None
    broken: bool = False

    def same(self, other: _AnswerUnder) -> bool:
        """True if it is the same answer."""
        return (self.value, bool(self.refused)) == (other.value, bool(other.refused))


def other_readings(
    asked: PositionQuestion, every: bool = False, deadline: Deadline | None = None, progress: Listener = silent
) -> OtherReadings:
    """Answer a question under other Readings.

    Args:
        asked: The question in its position.
        every: Whether each other value of each Reading is listed too, and more combinations are tried.
        deadline: When to answer; what is not known by then is left open. None: it is the question's.
        progress: Called with what is being done.
    """
    search = _ReadingsSearch(asked, MANY if every else FEW)
    progress(Progress("looking at other Readings"))
    reason, tried = TIME_UP, False
    try:
        with nullcontext() if deadline is None else until(deadline):
            reason = search.run()
            tried = True
    except TimeUp:
        pass
    changing = tuple(search.ruling(choice, found) for choice, found in search.changing.items())
    alone = tuple(search.alone(tried)) if every else ()
    return OtherReadings(changing, alone, not reason, search.size if reason else None, reason)


def rests_on(asked: PositionQuestion, readings: Iterable[Reading]) -> Iterator[Reading]:
    """The Readings of which another value alone changes the answer.

    Args:
        asked: The question in its position.
        readings: The Readings.
    """
    search = _ReadingsSearch(asked, FEW)
    for reading in readings:
        base = search.found.get(()) or search.look(())
        others = search.others((), [reading]) if reading.name in base.looked_up else ()
        if any(not search.look(choice).same(base) for choice in others):
            yield reading


@dataclass
class _ReadingsSearch:
    """The search for the smallest changing sets of Readings, by their size.

    A set is worth a look only if each Reading of it is looked up under it. Such a set comes of a smaller one by a
    Reading that is looked up under that: all but the one that is looked up last. So sets are extended by what was
    looked up under them, and where none can be extended, every smallest changing set has been found.

    Where the rules tell what rests on which Readings (`System.resting`), one part of the answer changes by a smallest
    set, and all others stay: so it is a set of what one part rests on.

    Attributes:
        asked: The question in its position.
        most: How many sets of several Readings are tried at most.
        found: The answer under each set that was tried.
        changing: The smallest changing sets.
        size: The size up to which all sets were tried or cannot matter.
    """

    asked: PositionQuestion
    most: int
    found: dict[Choice, _AnswerUnder] = field(default_factory=dict)
    changing: dict[Choice, _AnswerUnder] = field(default_factory=dict)
    size: int = 0

    def run(self) -> str:
        """Find the smallest changing sets; returns why that is not all of them, or nothing.

        Raises:
            TimeUp: The time is up.
        """
        known = {r.name: r for r in self.readings}
        base = self.look(())
        level: list[Choice] = [()]
        tried = 0
        while level:
            sets = [c for c in self._extended(level, known) if self._may_be_smallest(c)]
            if self.size and tried + len(sets) > self.most:
                some = [c for c in sets if all(self._bears(x, base) for x in c)]
                if not some or tried + len(some) > self.most:
                    return SOME.format(sets=_sets(self.size + 1), all=len(sets))
                self._try(some, base)
                were = "was" if len(some) == 1 else "were"
                return MOST.format(sets=_sets(self.size + 1), all=len(sets), some=len(some), were=were)
            tried += len(sets) if self.size else 0
            self._try(sets, base)
            self.size += 1
            level = [c for c in sets if c not in self.changing and {r for r, _ in c} <= self.found[c].looked_up]
        return ""

    def _bears(self, one: tuple[str, str], base: _AnswerUnder) -> bool:
        """True if a Reading alone changes the grounds of the answer, if not the answer."""
        found = self.found.get((one,))
        return found is not None and found.rests_on != base.rests_on

    def _try(self, sets: Iterable[Choice], base: _AnswerUnder) -> None:
        """Look at the answer under some sets."""
        for choice in sets:
            check_deadline()
            found = self.look(choice)
            if not found.same(base):
                self.changing[choice] = found

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The Readings of the game."""
        return self.asked.setup.encoding.readings

    def ruling(self, choice: Choice, found: _AnswerUnder) -> OtherRuling:
        """The answer under some Readings, with what they mean."""
        chosen, base = dict(choice), self.found[()]
        meant = [r for r in self.readings if r.name in chosen]
        clauses = dict.fromkeys(c.clause for r in meant for c in r.cites)
        return OtherRuling(
            readings=chosen,
            value=found.value,
            changes=not found.same(base),
            refused=found.refused,
            says=tuple(r.values[chosen[r.name]] for r in meant),
            clauses=tuple(clauses),
            broken=found.broken,
        )

    def alone(self, tried: bool) -> Iterator[OtherRuling]:
        """Each other value of each Reading, alone, in the order of the game; those that were not tried are left out.

        Args:
            tried: Whether all that are looked up were tried, so that the others change nothing.
        """
        base = self.found.get(())
        for choice in self.others((), self.readings, every=True):
            found, ((name, _),) = self.found.get(choice), choice
            if (
                found is None
                and base is not None
                and (tried or not (name in base.looked_up and self._together({name})))
            ):
                found = base
            if found is not None:
                yield self.ruling(choice, found)

    def _extended(self, level: Iterable[Choice], known: Mapping[str, Reading]) -> list[Choice]:
        """The sets with one Reading more than those of a level, each once."""
        sets: dict[Choice, None] = {}
        for choice in level:
            looked_up = self.found[choice].looked_up
            sets |= dict.fromkeys(self.others(choice, [r for n, r in known.items() if n in looked_up]))
        return list(sets)

    def others(self, choice: Choice, readings: Iterable[Reading], *, every: bool = False) -> Iterator[Choice]:
        """A set with one more Reading that differs from those in use.

        Args:
            every: Whether it is given where it cannot change the answer, too.
        """
        used, order = self.asked.setup.settings.readings, [r.name for r in self.readings]
        there = {name for name, _ in choice}
        for reading in readings:
            beside = reading.name not in there and (every or self._together({*there, reading.name}))
            for value in reading.values if beside else ():
                if value != used[reading.name]:
                    yield tuple(sorted((*choice, (reading.name, value)), key=lambda x: order.index(x[0])))

    def _together(self, names: Set[str]) -> bool:
        """True if some Readings can change the answer together, by what the rules say they rest on."""
        return self._sets is None or any(names <= found for found in self._sets)

    @cached_property
    def _sets(self) -> Sequence[frozenset[str]] | None:
        """The sets of Readings such that what can change the answer together is all in one; None: nothing tells."""
        resting, question = self.asked.system.resting, self.asked.question
        if resting is None or question.event is not None or self.asked.record:
            return None if resting is None else resting(None)
        return resting(question.text if question.outcome is None else HOLDS)

    def _may_be_smallest(self, choice: Choice) -> bool:
        """True if no part of a set is known to change the answer, or to be the same as the whole."""
        if any(set(part) <= set(choice) for part in self.changing):
            return False
        for left in choice:
            found = self.found.get(tuple(x for x in choice if x != left))
            if found is not None and left[0] not in found.looked_up:
                return False
        return True

    def look(self, choice: Choice) -> _AnswerUnder:
        """The answer under some Readings."""
        found = self.found[choice] = self._by_values(choice) or self._by_rules(choice)
        return found

    def _by_values(self, choice: Choice) -> _AnswerUnder | None:
        """The answer by what lines say of the position alone; None: there is more to it, or it is refused."""
        asked, question = self.asked, self.asked.question
        if asked.record or question.kind != "expression":
            return None
        with suppress(InputError):  # what is wrong under these Readings is told where the whole rule set is made
            under = under_readings(asked.setup).values(asked.setup, dict(choice))
            if under is not None:
                said = under.partial(question.text)
                value = value_of(asked.system, asked.state, said)
                return _AnswerUnder(
                    value, "", frozenset(under.noted.looked_up), (asked.state, said.value, said.defined)
                )
        return None

    def _by_rules(self, choice: Choice) -> _AnswerUnder:
        """The answer by the rule set under some Readings."""
        setup = self.asked.setup
        value, rests_on, refused, broken = None, None, "", False
        looked_up = frozenset(r.name for r in self.readings)
        try:
            other = under_readings(setup).under(setup, dict(choice))
            try:
                value, rests_on = _answer(self.asked, other)
            finally:
                looked_up = frozenset(other.noted.looked_up)
        except InputError as error:
            refused = "; ".join(dict.fromkeys(d.message for d in error.diagnostics))
        except Exception as error:
            fault = failure(error, packages())
            if fault is None:
                raise
            refused, broken = fault.diagnostic.message, True
        return _AnswerUnder(value, refused, looked_up, rests_on, broken)


def _sets(n: int) -> str:
    """Sets of so many Readings, in words."""
    return "pairs" if n == 2 else f"sets of {n}"


def _answer(asked: PositionQuestion, other: Setup) -> tuple[Value | None, tuple[object, ...]]:
    """The answer under other Readings, and what it rests on.

    Raises:
        InputError: The record or the question is not allowed under them.
    """
    system = other.system
    record = [_step(asked.system, system, step) for step in asked.record]
    played = ("played", other.initial, tuple(s.event for s in record))
    state = system.listed(played, lambda: play_record(system, other.initial, record))  # for the next question
    question = _question(asked, system)
    return answer_of(system, state, question), (state, *_terms(system, state, question))


def _terms(system: System, state: State, question: RulesQuestion) -> tuple[Term, ...]:
    """The terms whose values answer a question."""
    if question.event is not None:
        return tuple(r.term for r in system.action_in(state, question.event).requirements)
    outcome, partial = question.outcome, question.partial
    asked = () if partial is None else (partial.value, partial.defined)
    return asked if outcome is None else (*asked, outcome.won, outcome.now)


def _step(old: System, new: System, step: RecordStep) -> RecordStep:
    """A step of the record as another rule set reads it.

    Raises:
        InputError: It has no such event, or an argument is not allowed.
    """
    name = step.event.name
    if name in new.schemas and new.schemas[name].parameters == old.schemas[name].parameters:
        return step
    return replace(step, event=read_step(new, name, dict(step.event.args)).event)


def _question(asked: PositionQuestion, new: System) -> RulesQuestion:
    """The question as another rule set reads it.

    Raises:
        InputError: It has no such name.
    """
    question = asked.question
    if question.event is not None:
        return replace(question, event=_step(asked.system, new, RecordStep(question.event)).event)
    outcome = question.outcome
    text = question.text if outcome is None else f"{outcome.name} {outcome.side}"
    return new.listed(("question", text), lambda: read_question(new, text))


@dataclass
class _Variant:
    """A game under some Readings.

    Attributes:
        system: The rule set.
        noted: Which Readings it has looked up.
        others: What positions must satisfy that they need not under the Readings in use; None: a position has other
            facts, and is read again.
        latest: The position that was read again last, and how it came out.
    """

    system: System
    noted: Noted
    others: tuple[Term, ...] | None
    latest: tuple[Setup, Setup] | None = None


@dataclass
class _Values:
    """What lines say of a position under some Readings.

    Attributes:
        vocabulary: The observables by name.
        noted: Which Readings they have looked up.
        others: What positions must satisfy that they need not under the Readings in use.
        asked: What was asked so far.
    """

    vocabulary: Vocabulary[Observable]
    noted: Noted
    others: tuple[Term, ...]
    asked: dict[str, Partial] = field(default_factory=dict)

    def partial(self, text: str) -> Partial:
        """The value of an expression.

        Raises:
            InputError: It speaks of something else.
        """
        if text not in self.asked:
            self.asked[text] = compile_value(text, self.vocabulary, LABEL).partial
        return self.asked[text]


class GameUnderReadings:
    """A game under all its Readings; a rule set is built when it is first asked for.

    Args:
        setup: The game under the Readings in use.
    """

    def __init__(self, setup: Setup):
        self._base = setup.system  # kept, so that its id stays its own
        self._known = _demands(setup.system)
        self._built: Latest[tuple[str, ...], _Variant] = Latest(_MOST_SYSTEMS)
        self._values: Latest[tuple[str, ...], _Values | None] = Latest(_MOST_SYSTEMS)

    def under(self, setup: Setup, readings: Mapping[str, str]) -> Setup:
        """The same position under other Readings.

        Args:
            setup: A position of this game, at any moment.
            readings: The Readings that differ, with their values.

        Raises:
            InputError: The position is not allowed under them.
        """
        chosen = {**setup.settings.readings, **readings}
        settings = replace(setup.settings, readings=chosen)
        with collector_paused():
            found = self._built.get(tuple(chosen.values()), lambda: self._variant(setup, settings))
            system = found.system
            alike = found.others is not None and all(
                interpret(t, system.layout.slot, setup.initial) for t in found.others
            )
            if alike:
                return replace(setup, system=system, settings=settings, noted=found.noted)
            latest = found.latest
            if latest is None or latest[0] is not setup:
                latest = found.latest = setup, laid_anew(setup, settings, system, found.noted)
        return latest[1]

    def values(self, setup: Setup, readings: Mapping[str, str]) -> _Values | None:
        """What lines say of a position under other Readings; None: the rules do not tell, or not allow it.

        Args:
            setup: A position of this game, at any moment.
            readings: The Readings that differ, with their values.

        Raises:
            InputError: A line is wrong under them.
        """
        chosen = {**setup.settings.readings, **readings}
        with collector_paused():
            found = self._values.get(tuple(chosen.values()), lambda: self._values_under(chosen))
            slot = self._base.layout.slot
            allowed = found and all(interpret(t, slot, setup.initial) for t in found.others)
        return found if allowed else None

    def _values_under(self, chosen: Mapping[str, str]) -> _Values | None:
        system, noted = self._base, Noted(chosen)
        told = None if system.values_under is None else system.values_under(noted)
        if told is None:
            return None
        known = {name: told.known.get(name, o) for name, o in system.vocabulary.items() if name != HOLDS}
        vocabulary = Vocabulary(known, system.vocabulary.elsewhere, system.kinds)
        return _Values(vocabulary, noted, tuple({r.kept for r in told.laws} - self._known))

    def _variant(self, setup: Setup, settings: Settings) -> _Variant:
        """The rule set under some settings, and how it differs from the one in use."""
        system, noted = built(setup.encoding, setup.board_read, settings, self._base, setup.texts)
        old = self._base
        facts = (system.families, system.initial, system.defaults)
        if facts != (old.families, old.initial, old.defaults):
            return _Variant(system, noted, None)
        return _Variant(system, noted, tuple(_demands(system) - self._known))


def _demands(system: System) -> frozenset[Term]:
    """The demands on every position that a file gives."""
    return frozenset(r.kept for r in system.laws)


_KEPT: Latest[int, GameUnderReadings] = Latest(_MOST_GAMES)


def under_readings(setup: Setup) -> GameUnderReadings:
    """The cache of a game's variants under other Readings; least recently used games are dropped."""
    return _KEPT.get(id(setup.system), lambda: GameUnderReadings(setup))
