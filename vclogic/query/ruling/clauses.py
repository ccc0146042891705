"""Deciding clauses of an answer: it changes if their encoders return something else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from vclogic.files.setup import Setup
from vclogic.model.actions import Event
from vclogic.model.citation import CitedFunction
from vclogic.model.fluents import State
from vclogic.query.ruling.answer import DecidingClause
from vclogic.query.ruling.asked import Asked
from vclogic.query.ruling.grounds import Ground, Piece, Rules, grounds, marked_rules
from vclogic.query.ruling.marks import Call, Marked, Speaker, Values
from vclogic.query.ruling.origins import Origins
from vclogic.query.ruling.question import Question, read_question, same_question
from vclogic.query.ruling.value import answer_of
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
class Found:
    """The clauses that decide the grounds of an answer.

    Attributes:
        clauses: The clauses, those that speak for the ruling first, the nearest first.
        of_grounds: For each ground the ids of the clauses that decide it.
    """

    clauses: tuple[DecidingClause, ...]
    of_grounds: tuple[tuple[str, ...], ...]


def deciding_clauses(asked: Asked, rests_on: Sequence[Ground]) -> Found:
    """The clauses that decide an answer.

    Args:
        asked: The question in its position.
        rests_on: What the answer rests on.
    """
    marked = marked_rules(asked)
    with marked.open():
        question, system = same_question(marked.system, asked.question), marked.system
        rules = Rules(question, marked.action, system.defaults, system.vocabulary)
        terms = {piece: piece.made(rules) for ground in rests_on for piece in ground.pieces}
    origins = Origins(asked.setup, asked.states)
    looked = {piece: _Look(marked, asked.states[piece.moment], term, piece, origins) for piece, term in terms.items()}
    speakers = [[s for piece in ground.pieces for s in looked[piece].speakers()] for ground in rests_on]
    of_grounds = tuple(tuple(dict.fromkeys(c.clause for s in found for c in s.cites)) for found in speakers)
    every = [s for found in speakers for s in found]
    against = [s for ground in rests_on if ground.step is None for p in ground.pieces for s in looked[p].against()]
    return Found(tuple(_clauses(every, against)), of_grounds)


def clauses_of(setup: Setup, states: Sequence[State], goal: str | Event) -> dict[str, None]:
    """Ids of the clauses that decide a goal or an event; those that speak against it are not among them.

    Args:
        setup: The rule set, the settings, the start.
        states: The start, and the states after the first steps of its record; the last one is asked about.
        goal: The goal, or the event.

    Raises:
        InputError: The goal is wrong.
    """
    system = setup.system
    read = Question(str(goal), "event", event=goal) if isinstance(goal, Event) else read_question(system, goal)
    asked = Asked(setup, setup.record[: len(states) - 1], tuple(states), read)
    found = deciding_clauses(asked, grounds(asked, answer_of(system, asked.state, read)))
    return {c.clause: None for c in found.clauses if c.speaks == "for"}


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


class _Look:
    """A look at what decides one piece of what a ruling rests on.

    Args:
        marked: The rule set with marks.
        state: The state.
        term: What holds in it, with marks.
        piece: The piece.
        origins: Where facts come from.
    """

    def __init__(self, marked: Marked, state: State, term: Term, piece: Piece, origins: Origins):
        self._marked = marked
        self._term, self._values = term, Values(marked, state, [term])
        self._facts = frozenset(piece.facts)
        self._origins, self._moment = origins, piece.moment

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
            if all(values.hold(change) for change in _changes(values, own)):
                continue
            alone = tuple(m for m in own[:_ALONE] if not values.hold({m: _other(m, values.value(m))}))
            found[speaker] = alone or tuple(own)
        for speaker, mark in self._together({m for some in found.values() for m in some}):
            found.setdefault(speaker, (mark,))
        return found

    def _together(self, deciding: Set[Term]) -> Iterator[tuple[Speaker, Term]]:
        """Pairs either of which is enough for a whole: each would decide alone but for the other."""
        marked, values = self._marked, self._values
        for whole in ((), *((m,) for m in deciding)):
            parts = [m for m in (marked.direct(*whole) if whole else values.top) if marked.speaker(m).cites]
            if not deciding.isdisjoint(parts):
                continue
            for pair in combinations(parts[:_FEW], 2):
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
            if inner is not None and not any(map(self._unusual, marked.facts(mark) - marked.facts(inner))):
                return True
        facts = marked.facts(mark) & self._facts
        if any(map(self._unusual, facts)):
            return False
        if not isinstance(mark.sort, BoolSort):
            return bool(facts)
        return not values.value(mark) and mark not in self._asked and not marked.is_fixed(mark)

    @cached_property
    def _asked(self) -> frozenset[Term]:
        """The marks that say just what is asked, or its opposite: whatever they rest on, they decide."""
        found = set[Term]()
        said = self._term.args[0] if self._term.op is Op.NOT else self._term
        while said in self._values.marks and said not in found:
            found.add(said)
            said = self._marked.meaning(said)
        return frozenset(found)

    def _unusual(self, fact: Term) -> bool:
        """True if somebody gives the value of a fact."""
        return self._origins.fact(fact, self._moment).origin != "assumed"


def _plain(marked: Marked, values: Values) -> Iterator[Speaker]:
    """The speakers that decide through plain numbers and names, such as how many points a unit is worth."""
    calls: dict[CitedFunction, list[Call]] = {}
    for call in marked.calls(sorted(values.marks, key=values.marks.__getitem__)):
        for function in call.inside:
            calls.setdefault(function, []).append(call)
    for function, made in calls.items():
        ways = [marked.otherwise(call, function) for call in made]
        if any(not values.hold(new) for new in _together(values, ways)):
            yield Speaker(function.text, function.cites, encodes=True)


def _together(values: Values, ways: Sequence[tuple[Mapping[Term, Term], ...]]) -> Iterator[Mapping[Term, int]]:
    """Values of marks where a function returns something else, in all calls at once; for each other result of it."""
    for n in range(max(map(len, ways), default=0)):
        terms = {m: t for way in ways if n < len(way) for m, t in way[n].items() if m in values.marks}
        yield {m: values.of(t) for m, t in terms.items()}


def _changes(values: Values, marks: Sequence[Term]) -> Iterator[Mapping[Term, int]]:
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
