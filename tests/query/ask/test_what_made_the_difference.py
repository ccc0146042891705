"""Citations against the terms in which nothing is folded: a clause whose value made the difference is cited.

A step gives an observable another value. In its term over marks (`vclogic.query.ask.marks`) each mark is put back
to what it said before the step: where that gives the old value back, the mark made the difference. In what the step
made of a fact, a condition made it without which the fact would be as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, cases
from vclogic.conformance.games import legal_play
from vclogic.encode.python.evaluator import changed
from vclogic.files.record import RecordStep
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.query.ask.clauses import deciding_clauses
from vclogic.query.ask.grounds import RulesTerms, effects_of, equals, grounds, marked_rules
from vclogic.query.ask.marks import Marked, MarkValues
from vclogic.query.ask.subject import PositionQuestion, RulesQuestion, answer_of, read_question, same_question
from vclogic.query.status.progress import states_of
from vclogic.terms.sorts import BoolSort
from vclogic.terms.term import Term

GAMES = ("asl", "axis_allies", "moscow/small", "napoleonics", "okinawa/small")
STEPS, ASKED = int(4 * (MORE or 1)), int(6 * (MORE or 1))
TRIED = 40
"""So many observables are looked at after a step for some that the step has changed."""
MANY = 8
"""What cites more clauses than that says nothing about any of them."""


def questions(system: System, states: Sequence[State], rng: Random) -> Iterator[RulesQuestion]:
    """Observables with names, of which the last step has changed the value; an answer is there after it."""
    some = (read_question(system, instance(rng.choice(system.observables), rng)) for _ in range(TRIED))
    for question in some:
        value = answer_of(system, states[-1], question)
        if value is not None and value != answer_of(system, states[-2], question):
            yield question


def instance(o: Observable, rng: Random) -> str:
    names = [f'"{rng.choice(p.sort.members)}"' for p in o.parameters]
    return f"{o.name}({', '.join(names)})"


def made_the_difference(asked: PositionQuestion, now: Term) -> dict[Term, None]:
    """The marks whose value made the answer what it is since the last step."""
    marked, (before, after) = marked_rules(asked), asked.states[-2:]
    old, new = MarkValues(marked, before, [now]), MarkValues(marked, after, [now])
    found = {m: None for m in new.marks if old.value(m) != new.value(m) and not new.hold({m: old.value(m)})}
    pairs = {m: (m.sort, old.value(m), new.value(m)) for m in new.marks}
    passed = [m for m in found if any(d in found and pairs[d] == pairs[m] for d in marked.direct(m))]
    with marked.open():
        effects = effects_of(marked.action(asked.record[-1].event))
    slot = asked.system.layout.slot
    for fact, effect in effects.items():
        place = slot[fact]
        if before[place] == after[place] or MarkValues(marked, changed(after, {place: before[place]}), [now]).of(now):
            continue
        as_it_is, as_before = (equals(effect, value_of(asked, fact, s)) for s in (after, before))
        became, stayed = (MarkValues(marked, before, [t]) for t in (as_it_is, as_before))
        met = [m for m in became.marks if isinstance(m.sort, BoolSort) and became.value(m)]
        found |= {m: None for m in met if not became.hold({m: 0}) and stayed.hold({m: 0})}
    return {m: None for m in found if m not in passed}


def value_of(asked: PositionQuestion, fact: Term, state: State) -> Value:
    return asked.system.layout.values(state)[fact]


def clauses(marked: Marked, mark: Term) -> set[str]:
    """The clauses of what a mark is the result of."""
    speaker = marked.speaker(mark)
    return {c.clause for c in speaker.cites} if speaker.encodes and len(speaker.cites) <= MANY else set()


def lacks(asked: PositionQuestion) -> dict[str, set[str]]:
    """By what they say: the clauses that made the difference and are not cited."""
    ground = grounds(asked, answer_of(asked.system, asked.state, asked.question))
    cited = {c.clause for c in deciding_clauses(asked, ground).clauses if c.speaks == "for"}
    marked = marked_rules(asked)
    with marked.open():
        question, system = same_question(marked.system, asked.question), marked.system
        now = ground[0].pieces[0].made(RulesTerms(question, marked.action, system.defaults, system.vocabulary))
    found = {marked.speaker(m).says: clauses(marked, m) - cited for m in made_the_difference(asked, now)}
    return {says: some for says, some in found.items() if some}


@pytest.mark.parametrize("name", cases(GAMES, "napoleonics"))
def test_clauses_that_make_the_difference_are_cited(name: str) -> None:
    rng = Random(f"difference {name}" if not MORE else None)
    setup = loaded(name).setup
    system, tried = setup.system, 0
    record = [RecordStep(event) for event, _ in legal_play(system, setup.initial, rng, STEPS)]
    states = tuple(states_of(system, setup.initial, record))
    for n in range(1, len(states)):
        for question in islice(questions(system, states[: n + 1], rng), ASKED):
            tried += 1
            asked = PositionQuestion(setup, tuple(record[:n]), states[: n + 1], question)
            lacking = lacks(asked)
            assert not lacking, (lacking, question.text, [str(s.event) for s in record[:n]])
    assert tried
