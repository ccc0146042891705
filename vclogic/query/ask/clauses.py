"""Deciding clauses of an answer: it changes if their encoders return something else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from vclogic.files.setup import Setup
from vclogic.model.actions import Event
from vclogic.model.citation import CitedFunction
from vclogic.model.fluents import State
from vclogic.model.system import HOLDS
from vclogic.query.ask.answer import DecidingClause
from vclogic.query.ask.grounds import Ground, GroundPiece, RulesTerms, grounds, marked_rules
from vclogic.query.ask.marks import Marked, MarkedCall, MarkValues, Speaker
from vclogic.query.ask.origins import Origins
from vclogic.query.ask.readings import rests_on
from vclogic.query.ask.subject import PositionQuestion, RulesQuestion, answer_of, read_question, same_question
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.term import Op, Term

_SPECIFIC = 8
"""A speaker that cites more clauses than that, such as a list of all cities, says nothing about any of them."""
_AGAINST = 3
"""So many are named that speak against an answer, and so many are tried that decide it."""
_ALONE = 30
"""So many marks of one function are tried alone."""
_FEW = 8
"""So many parts of one mark are tried in pairs."""


@dataclass(frozen=True)
class DecidingPieces:
    """The clauses that decide the grounds of an answer.

    Attributes:
        clauses: The clauses, those that speak for the ruling first, the nearest first.
        of_grounds: For each ground the ids of the clauses that decide it.
    """

    clauses: tuple[DecidingClause, ...]
    of_grounds: tuple[tuple[str, ...], ...]


def deciding_clauses(asked: PositionQuestion, rests_on: Sequence[Ground]) -> DecidingPieces:
    """The clauses that decide an answer.

    Args:
        asked: The question in its position.
        rests_on: What the answer rests on.
    """
    marked = marked_rules(asked)
    with marked.open():
        question, system = same_question(marked.system, asked.question), marked.system
        rules = RulesTerms(question, marked.action, system.defaults, system.vocabulary)
        terms = {piece: piece.made(rules) for ground in rests_on for piece in ground.pieces}
    origins = Origins(asked.setup, asked.states)
    looked = {
        piece: _DecidingLook(marked, asked.states[piece.moment], term, piece, origins, _before(asked, piece))
        for piece, term in terms.items()
    }
    speakers = [[s for piece in ground.pieces for s in looked[piece].speakers()] for ground in rests_on]
    of_grounds = tuple(tuple(dict.fromkeys(c.clause for s in found for c in s.cites)) for found in speakers)
    every = [s for found in speakers for s in found]
    if not any(s.cites for s in every):  # nothing can change it here: what is asked is all that there is to cite
        every += _asked_about(asked)
    against = [s for ground in rests_on if ground.step is None for p in ground.pieces for s in looked[p].against()]
    return DecidingPieces(tuple(_clauses(every, against)), of_grounds)


def _asked_about(asked: PositionQuestion) -> Iterator[Speaker]:
    """The outcome that is asked about, or the observables and outcomes that an expression names."""
    system, question = asked.system, asked.question
    if question.outcome is not None:
        yield Speaker(question.outcome.text, question.outcome.cites)
    if question.event is not None or question.outcome is not None:
        return
    for name, calls in compile_value(question.text, system.vocabulary).functions.items():
        judged = [o for o in system.outcomes if name == HOLDS and (o.name, o.side) in calls]
        named = system.vocabulary[name]
        spoken = [(o.text, o.cites) for o in judged] or [(named.text, named.cites)]
        yield from (Speaker(text, cites) for text, cites in spoken if len(cites) <= _SPECIFIC)


def _before(asked: PositionQuestion, piece: GroundPiece) -> State | None:
    """The state before the step since which a piece holds."""
    return asked.states[piece.moment - 1] if piece.fresh else None


def clauses_of(
    setup: Setup, states: Sequence[State], goal: str | Event, wanted: Collection[str] = ()
) -> dict[str, None]:
    """Ids of the clauses that a goal or an event rests on, those that speak against the answer among them.

    Args:
        setup: The rule set, the settings, the start.
        states: The start, and the states after the first steps of its record; the last one is asked about.
        goal: The goal, or the event.
        wanted: If one of these is missing, those of Readings are added that speak of it, and change the answer.

    Raises:
        InputError: The goal is wrong.
    """
    system = setup.system
    if isinstance(goal, Event):
        event = system.settled(states[-1], goal)
        read = RulesQuestion(str(event), "event", event=event)
    else:
        read = read_question(system, goal, states[-1])
    asked = PositionQuestion(setup, setup.record[: len(states) - 1], tuple(states), read)
    found = deciding_clauses(asked, grounds(asked, answer_of(system, asked.state, read))).clauses
    cited = dict.fromkeys(c.clause for c in found)
    missing = {c for c in wanted if c not in cited}
    some = [r for r in setup.encoding.readings if not missing.isdisjoint(c.clause for c in r.cites)]
    return cited | {c.clause: None for r in rests_on(asked, some) for c in r.cites}


def _clauses(speakers: Iterable[Speaker], against: Iterable[Speaker]) -> Iterator[DecidingClause]:
    """Each clause with all that is said by it, in the order in which they come first; none speaks both ways."""
    says = _said(speakers)
    others = {cite: texts for cite, texts in _said(against).items() if cite not in says}
    for (clause, source), texts in says.items():
        yield DecidingClause(clause, source, texts)
    for (clause, source), texts in others.items():
        yield DecidingClause(clause, source, texts, "against")


def _said(speakers: Iterable[Speaker]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The words of each clause; the name of what it decides only where nothing says the clause itself."""
    says: dict[tuple[str, str], dict[str, bool]] = {}
    for speaker in speakers:
        for cite in speaker.cites:
            texts = says.setdefault((cite.clause, cite.source), {})
            if speaker.says:
                texts[speaker.says] = speaker.encodes or texts.get(speaker.says, False)
    return {
        cite: tuple(t for t, encodes in texts.items() if encodes or not any(texts.values()))
        for cite, texts in says.items()
    }


class _DecidingLook:
    """A look at what decides one piece of what a ruling rests on.

    Args:
        marked: The rule set with marks.
        state: The state.
        term: What holds in it, with marks.
        piece: The piece.
        origins: Where facts come from.
        before: The state before the step since which it is so, where that is looked at.
    """

    def __init__(
        self,
        marked: Marked,
        state: State,
        term: Term,
        piece: GroundPiece,
        origins: Origins,
        before: State | None = None,
    ):
        self._marked = marked
        self._term, self._values = term, MarkValues(marked, state, [term])
        self._facts = frozenset(piece.facts)
        self._origins, self._moment = origins, piece.moment
        self._before = MarkValues(marked, before, [term]) if before is not None else None

    def speakers(self) -> list[Speaker]:
        """The deciding clauses, the nearest first.

        What cites clauses beside functions is left out where a function does; so is what rests on nothing out of the
        ordinary, and what only passes on what another one says. Unless nothing is left.
        """
        deciding = {**self._deciding, **dict.fromkeys(_plain(self._marked, self._values), ())}
        said = [s for s in deciding if len(s.cites) <= _SPECIFIC]
        found = [s for s in said if not deciding[s] or not all(map(self._adds_nothing, deciding[s]))]
        for some in (found, said, list(deciding)):
            if any(s.cites for s in some):
                return some
        return [Speaker(s.says, s.coarse, encodes=s.encodes) for s in deciding]

    @cached_property
    def _deciding(self) -> dict[Speaker, tuple[Term, ...]]:
        """The speakers that decide, with their marks; those that do so alone, or else all."""
        values, marks = self._values, dict[Speaker, list[Term]]()
        for mark in sorted(values.marks, key=values.marks.__getitem__):
            marks.setdefault(self._marked.speaker(mark), []).append(mark)
        found: dict[Speaker, tuple[Term, ...]] = {}
        for speaker, own in marks.items():
            together = any(not values.hold(change) for change in _changes(values, own))
            some = own[:_ALONE] if together or len(own) == 1 else self._out_of_the_ordinary(own)
            alone = tuple(m for m in some if not values.hold({m: _other(m, values.value(m))}))
            if together or alone:
                found[speaker] = alone or tuple(own)
        for speaker, mark in self._together({m for some in found.values() for m in some}):
            found.setdefault(speaker, (mark,))
        return found

    def _out_of_the_ordinary(self, marks: Iterable[Term]) -> Sequence[Term]:
        """A few of some marks that rest on something that is so since somebody says it."""
        return list(islice(filter(self._rests_on_something, marks), _FEW))

    def _together(self, deciding: Set[Term]) -> Iterator[tuple[Speaker, Term]]:
        """Pairs either of which is enough for a whole: each would decide alone but for the other."""
        marked, values = self._marked, self._values
        for whole in ((), *((m,) for m in deciding)):
            parts = [m for m in (marked.direct(*whole) if whole else values.top) if marked.speaker(m).cites]
            parts = [m for m in parts[:_FEW] if values.hold({m: _other(m, values.value(m))})]
            for pair in combinations(parts, 2):
                if not values.hold({m: _other(m, values.value(m)) for m in pair}):
                    yield from ((marked.speaker(m), m) for m in pair)

    def against(self) -> Iterator[Speaker]:
        """The speakers that hold, and would give another answer but for the deciding ones; the nearest few."""
        values, found = self._values, dict[Speaker, None]()
        alone = [m for marks in self._deciding.values() for m in marks if isinstance(m.sort, BoolSort)][:_AGAINST]
        deciding = {self._marked.speaker(m) for m in alone}
        near = sorted(values.marks, key=values.marks.__getitem__)
        fulfilled = [m for m in near if isinstance(m.sort, BoolSort) and values.value(m)]
        fulfilled = [m for m in fulfilled if self._marked.speaker(m).cites and not self._adds_nothing(m)][:_ALONE]
        for mark in fulfilled:
            speaker = self._marked.speaker(mark)
            if speaker in deciding or speaker in found or len(found) == _AGAINST or not values.hold({mark: 0}):
                continue
            others = ({m: _other(m, values.value(m))} for m in alone if m is not mark)
            if any(not values.hold(other) and values.hold({**other, mark: 0}) for other in others):
                found[speaker] = None
        return iter(found)

    def _adds_nothing(self, mark: Term) -> bool:
        """True if a mark passes on the result of another, or rests on nothing out of the ordinary."""
        marked, values = self._marked, self._values
        if not isinstance(mark.sort, BoolSort):
            inner = values.passes_on(mark)
            added = marked.facts(mark) - marked.facts(inner) if inner is not None else ()
            if inner is not None and not any(map(self._unusual, added)) and not self._is_new(mark, inner):
                return True
        if self._rests_on_something(mark):
            return False
        if not isinstance(mark.sort, BoolSort):
            return not values.value(mark) and not marked.facts(mark).isdisjoint(self._facts)
        return not values.value(mark) and mark not in self._asked and not marked.is_fixed(mark)

    def _rests_on_something(self, mark: Term) -> bool:
        """True if a mark rests on a deciding fact that is as it is since somebody says so."""
        return any(map(self._unusual, self._marked.facts(mark) & self._facts))

    def _is_new(self, mark: Term, inner: Term) -> bool:
        """True if what a mark says is new with the step, and what it only passes on after that is not."""
        old = self._before
        return old is not None and old.value(inner) == self._values.value(inner) != old.value(mark)

    @cached_property
    def _asked(self) -> frozenset[Term]:
        """The marks that say just what is asked, or its opposite: whatever they rest on, they decide."""
        found = set[Term]()
        for part in self._term.args if self._term.op is Op.AND else (self._term,):
            said = part.args[0] if part.op is Op.NOT else part
            while said in self._values.marks and said not in found:
                found.add(said)
                said = self._marked.meaning(said)
        return frozenset(found)

    def _unusual(self, fact: Term) -> bool:
        """True if somebody gives the value of a fact."""
        return self._origins.fact(fact, self._moment).origin != "assumed"


def _plain(marked: Marked, values: MarkValues) -> Iterator[Speaker]:
    """The speakers that decide through plain numbers and names, such as how many points a unit is worth."""
    calls: dict[CitedFunction, list[MarkedCall]] = {}
    for call in marked.calls(sorted(values.marks, key=values.marks.__getitem__)):
        for function in call.inside:
            calls.setdefault(function, []).append(call)
    for function, made in calls.items():
        ways = [marked.otherwise(call, function) for call in made]
        if any(not values.hold(new) for new in _together(values, ways)):
            yield Speaker(function.text, function.cites, encodes=True)


def _together(values: MarkValues, ways: Sequence[tuple[Mapping[Term, Term], ...]]) -> Iterator[Mapping[Term, int]]:
    """Values of marks where a function returns something else, in all calls at once; for each other result of it."""
    for n in range(max(map(len, ways), default=0)):
        terms = {m: t for way in ways if n < len(way) for m, t in way[n].items() if m in values.marks}
        yield {m: values.of(t) for m, t in terms.items()}


def _changes(values: MarkValues, marks: Sequence[Term]) -> Iterator[Mapping[Term, int]]:
    """Other values of some marks, all changed at once."""
    yield {m: _other(m, values.value(m)) for m in marks}
    if len(marks) > 1:
        for say in (_least, _most):
            found = {m: say(m) for m in marks}
            if any(values.value(m) != x for m, x in found.items()):
                yield found


def _other(mark: Term, now: int) -> int:
    if isinstance(mark.sort, BoolSort):
        return 1 - now
    if isinstance(mark.sort, EnumSort):
        return (now + 1) % len(mark.sort.members)
    return now + 1


def _least(mark: Term) -> int:
    return 0


def _most(mark: Term) -> int:
    return mark.hi
