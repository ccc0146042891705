"""Grounds of a ruling, as terms: the parts of the answer, and the effects of earlier steps on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from vclogic.encode.python.evaluator import changed, compile_term, interpret
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State, Value, value
from vclogic.model.rules import Observable, Outcome
from vclogic.model.sayings import sentences
from vclogic.model.system import System
from vclogic.query.ask.marks import Marked, MarkValues
from vclogic.query.ask.origins import says_nothing
from vclogic.query.ask.subject import PositionQuestion, RulesQuestion, in_words
from vclogic.query.explain import Explainer, deciding_parts, failing_parts, outcome_parts
from vclogic.terms.build import all_of, and_, eq, not_, or_
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term, variables

_MOST = 2
"""So far what decided facts is followed back."""
_FEW = 20
"""A question about more states than that is compiled."""
_BACK = 20
"""So far back a step is looked for that left a fact as it was."""
_TRIED = 20
"""So many other values of a fact are tried."""
_MANY = 400
"""So many values of facts that a step touches are tried."""
_NAMED = 3
"""So many facts a sentence names."""


@dataclass(frozen=True)
class RulesTerms:
    """A question and the events, as a rule set has them.

    Attributes:
        question: The question, read for the rule set.
        action: An event for any state.
        defaults: What facts are in a position that does not give them, over those that it gives.
        vocabulary: The observables by name.
    """

    question: RulesQuestion
    action: Callable[[Event], Action]
    defaults: Mapping[Term, Term]
    vocabulary: Mapping[str, Observable]

    @classmethod
    def of(cls, system: System, question: RulesQuestion) -> RulesTerms:
        """The terms of a rule set."""
        return cls(question, system.action, system.defaults, system.vocabulary)


Made = Callable[[RulesTerms], Term]
"""A function that makes a Bool term of a rule set."""


@dataclass(frozen=True)
class GroundPiece:
    """A part of what a ruling rests on.

    Attributes:
        made: Makes of a rule set a Bool term that holds.
        moment: So many steps of the record have happened when it holds.
        facts: The facts that decide it.
        fresh: Whether it is so since the last of these steps, and was not before.
    """

    made: Made
    moment: int
    facts: tuple[Term, ...]
    fresh: bool = False


@dataclass(frozen=True)
class Ground:
    """Something that holds, and that a ruling rests on.

    Attributes:
        text: What it is, in a sentence.
        pieces: What it is made of.
        moment: So many steps of the record have happened where the facts are looked at.
        step: The step of the record that brings it about, or leaves it; None: it is about the position asked about.
        facts: The facts that decide it, in the order of the layout.
        answers: Whether it is a part of the answer itself, and not of how that came about.
    """

    text: str
    pieces: tuple[GroundPiece, ...]
    moment: int
    step: int | None = None
    facts: tuple[Term, ...] = ()
    answers: bool = False


def grounds(asked: PositionQuestion, value: Value | None) -> list[Ground]:
    """The grounds of the answer to a question.

    Args:
        asked: The question in its position.
        value: The answer.

    Returns:
        The answer itself; then, as far as there is a record, the step since which it is so, the last one that left it
        so though it could have changed it, and those that brought about what decided there, the nearest first.
    """
    looking, now = _LookBack(asked), len(asked.record)
    parts = _parts(asked.system, asked.state, asked.question, value)
    first = [replace(looking.ground(text, made, now), answers=True) for text, made in parts]
    return first + list(looking.steps(first, _answer(asked.question, value)))


def marked_rules(asked: PositionQuestion) -> Marked:
    """The rule set that is asked about, with marks."""
    return asked.system.kept("marked", lambda: Marked(asked.setup))


Part = tuple[str, Made]
"""A part of an answer: a sentence, and what makes of a rule set the Bool term that holds."""


def _parts(system: System, state: State, question: RulesQuestion, value: Value | None) -> list[Part]:
    """The parts of an answer; together they decide it."""
    if question.event is not None:
        return _of_event(system, state, question.event)
    if question.outcome is not None and value is not None:
        return _of_outcome(system, state, question.outcome)
    text = in_words(question, value)
    if value is None:
        lacks = question.outcome.lacks if question.outcome is not None else ""
        return [(f"{text}: {lacks}" if lacks else text, _undefined)]
    failing = failing_parts(system, state, question.text) if value is False else []
    if len(failing) > 1:  # each is a reason
        return [(f"{part}: no", partial(_denied, part=part)) for part in failing]
    return [(text, _answer(question, value))]


def _denied(rules: RulesTerms, part: str) -> Term:
    return not_(compile_goal(part, rules.vocabulary).term)


def _answer(question: RulesQuestion, value: Value | None) -> Made:
    """A Bool term that holds exactly if the question has this answer."""
    event, outcome = question.event, question.outcome
    if event is not None:
        return lambda rules: equals(rules.action(event).guard, bool(value))
    if value is None:
        return _undefined
    if outcome is not None:
        return lambda rules: equals(_met(rules), value)
    return lambda rules: and_(_partial(rules).defined, equals(_partial(rules).value, value))


def _met(rules: RulesTerms) -> Term:
    assert rules.question.outcome is not None
    return or_(rules.question.outcome.won, rules.question.outcome.now)


def _partial(rules: RulesTerms) -> Partial:
    assert rules.question.partial is not None
    return rules.question.partial


def _undefined(rules: RulesTerms) -> Term:
    """A Bool term: a question is undefined; an outcome that was won earlier is met all the same."""
    outcome, lacking = rules.question.outcome, not_(_partial(rules).defined)
    return lacking if outcome is None else and_(lacking, not_(or_(outcome.won, outcome.now)))


def equals(term: Term, value: Value) -> Term:
    """A Bool term: a term has a value."""
    if term.is_bool:
        return term if value else not_(term)
    return eq(term, value)


def _of_event(system: System, state: State, event: Event) -> list[Part]:
    needed = system.action(event).requirements
    values, slot = system.layout.values(state), system.layout.slot
    lacking = [i for i, r in enumerate(needed) if not interpret(r.term, slot, state)]
    if not lacking:
        met = f"each of its {len(needed)} requirements is met" if len(needed) > 1 else "its one requirement is met"
        return [(met, lambda rules: rules.action(event).guard)]
    return [(needed[i].said(values), partial(_fails, event=event, i=i)) for i in lacking]


def _fails(rules: RulesTerms, event: Event, i: int) -> Term:
    return not_(rules.action(event).requirements[i].term)


def _of_outcome(system: System, state: State, outcome: Outcome) -> list[Part]:
    slot = system.layout.slot

    def holds(term: Term) -> bool:
        return bool(interpret(term, slot, state))

    parts = deciding_parts(outcome, holds)
    return [
        (f"{text}: {'yes' if holds(t) else 'no'}", partial(_stands, text=text, so=holds(t)))
        for text, t in parts.items()
    ]


def _stands(rules: RulesTerms, text: str, so: bool) -> Term:
    assert rules.question.outcome is not None
    term = outcome_parts(rules.question.outcome)[text]
    return term if so else not_(term)


# ---- the record


class _LookBack:
    """Looks back through the record for what brought an answer about, or left it as it was."""

    def __init__(self, asked: PositionQuestion):
        self._asked = asked
        self._system = asked.system
        self._slot = asked.system.layout.slot
        self._rules = RulesTerms.of(self._system, asked.question)

    def ground(self, text: str, made: Made, moment: int) -> Ground:
        """A ground that holds after a number of steps, with the facts that decide it."""
        facts = self._facts(made(self._rules), moment)
        return Ground(text, (GroundPiece(made, moment, facts),), moment, None, facts)

    def steps(self, first: Sequence[Ground], answer: Made) -> Iterator[Ground]:
        """The steps of the record that explain an answer."""
        term, now = answer(self._rules), len(self._asked.record)
        facts = tuple(dict.fromkeys(f for ground in first for f in ground.facts))
        since = self._since(term)
        left, kept = self._left(term, facts, since)
        if left:
            yield self._through(left, answer, f"{self._named(left)}: it could have changed this, and did not", kept)
        found = first
        if since:
            begins = self._through(since, answer, f"so it is since {self._named(since)}")
            yield from self._made_up_for(facts, term, since)
            yield begins
            found = [begins]
        yield from self._brought_about(found, since or now)
        yield from self._as_it_stands(facts)

    # ---- the answer

    def _since(self, term: Term) -> int:
        """The step that made the answer what it is; 0: it was so at the start."""
        states, slot = self._asked.states, self._slot
        holds = partial(interpret, term, slot) if len(states) <= _FEW else compile_term(term, slot)
        return next((j for j in range(len(states) - 1, 0, -1) if not holds(states[j - 1])), 0)

    def _left(self, term: Term, facts: Iterable[Term], since: int) -> tuple[int, frozenset[Term]]:
        """The last step that could have changed the answer through some facts, with these; it left them as they were.

        Returns:
            Step 0 where there is none.
        """
        now, facts = len(self._asked.record), tuple(facts)
        for step in range(now, max(since, now - _BACK), -1):
            touched = self._touched(step)
            some = (f for f in facts if f in touched and not self._changes(f, step))
            tried = islice(((f, n) for f in some for n in self._could_be(f, step)), _MANY)
            kept = frozenset(f for f, n in tried if not interpret(term, self._slot, self._with(f, n)))
            if kept:
                return step, kept
        return 0, frozenset()

    def _could_be(self, fluent: Term, step: int) -> Iterator[int]:
        """The other values that a step could have given a fact.

        It depends on the position, or on what a clause says, what becomes of the fact.
        """
        new, now = self._effect(fluent, step), self._asked.state[self._slot[fluent]]
        found = chain(() if new.is_const else _possible(new, fluent), self._by_clauses(fluent, step))
        return (n for n in dict.fromkeys(islice(found, _TRIED)) if n != now)

    def _with(self, fluent: Term, value: int) -> State:
        """The state that is asked about with another value of a fact."""
        return changed(self._asked.state, {self._slot[fluent]: value})

    def _by_clauses(self, fluent: Term, step: int) -> Iterator[int]:
        """Other values of a fact after a step, if a clause by which the step leaves it said the opposite."""
        new = self._touched(step).get(fluent, fluent)
        if new is not fluent:
            yield from MarkValues(marked_rules(self._asked), self._asked.states[step - 1], [new]).others(new)

    def _touched(self, step: int) -> Mapping[Term, Term]:
        """The effect of a step on each fact that it touches, with marks, so that clauses fold nothing away."""
        marked = marked_rules(self._asked)
        with marked.open():
            return effects_of(marked.action(self._asked.record[step - 1].event))

    def _through(self, step: int, answer: Made, text: str, kept: frozenset[Term] = frozenset()) -> Ground:
        """A ground: the answer holds after a step, by the facts before it and those that it has kept."""
        term = answer(self._rules)
        effects = {f: self._effect(f, step) for f in variables(term)}
        facts = self._facts(Substitution(effects)(term), step - 1)
        after = self._facts(term, step)
        becomes = self._becomes(step, tuple(f for f in after if f in kept or effects[f] is not f))
        before = self._facts(becomes(self._rules), step - 1)
        pieces = GroundPiece(answer, step, after, not kept), GroundPiece(becomes, step - 1, before)
        return Ground(text, pieces, step - 1, step, facts)

    # ---- facts

    def _made_up_for(self, facts: Iterable[Term], term: Term, since: int) -> Iterator[Ground]:
        """The steps after one that changed a fact without which the answer would be another, the latest first."""
        by_step: dict[int, list[Term]] = {}
        for fact in facts:
            step, place = self._begins(fact, len(self._asked.record)), self._slot[fact]
            if step <= since or self._is_plain(fact, step):
                continue
            before, after = self._asked.states[step - 1 : step + 1]
            if not interpret(term, self._slot, changed(after, {place: before[place]})):
                by_step.setdefault(step, []).append(fact)
        for step in sorted(by_step, reverse=True):
            yield self._of_facts(step, tuple(by_step[step]))

    def _brought_about(self, level: Iterable[Ground], before: int) -> Iterator[Ground]:
        """The steps up to one that brought about the facts of some grounds, and those of these, the latest first."""
        seen: set[Term] = set()
        for _ in range(_MOST):
            by_step: dict[int, list[Term]] = {}
            for ground in level:
                for fluent in ground.facts:
                    begins = self._begins(fluent, min(ground.moment, before))
                    if begins and fluent not in seen and not self._is_plain(fluent, begins):
                        by_step.setdefault(begins, []).append(fluent)
                    seen.add(fluent)
            level = [self._of_facts(step, tuple(by_step[step])) for step in sorted(by_step, reverse=True)]
            yield from level

    def _as_it_stands(self, facts: Sequence[Term]) -> Iterator[Ground]:
        """Grounds that no file gives: they follow at the start from given facts, or from a clause if it is all."""
        start = self._system.layout.values(self._asked.states[0])
        given, defaults = self._asked.setup.given, self._system.defaults
        some = (f for f in facts if f in defaults and f not in given and not self._begins(f, len(self._asked.record)))
        for fact in some:
            alone = defaults[fact].op is Op.VAR or defaults[fact].is_const or says_nothing(fact, start[fact])
            if alone and not (len(facts) == 1 and marked_rules(self._asked).is_cited(fact)):
                continue

            def follows(rules: RulesTerms, fact: Term = fact) -> Term:
                return equals(rules.defaults[fact], start[fact])

            said = "; ".join(sentences([self._system.in_words.said(fact.name, start[fact])]))
            yield self.ground(f"{said}, as all else stands at the start", follows, 0)

    def _named(self, step: int) -> str:
        """A step by what happens in it, in the game's words."""
        action = self._system.action_in(self._asked.states[step - 1], self._asked.record[step - 1].event)
        return f"step {step}, {action.said(self._system.layout.values(self._asked.states[step - 1]))}"

    def _begins(self, fluent: Term, moment: int) -> int:
        return next((s for s in range(moment, 0, -1) if self._changes(fluent, s)), 0)

    def _changes(self, fluent: Term, step: int) -> bool:
        place, states = self._slot[fluent], self._asked.states
        return states[step][place] != states[step - 1][place]

    def _effect(self, fluent: Term, step: int) -> Term:
        """The effect of a step on a fact; the fact itself where it is not touched."""
        event = self._asked.record[step - 1].event
        found = self._system.listed(("effects", event), lambda: dict(self._system.action(event).effects))
        return found.get(fluent, fluent)

    def _is_plain(self, fluent: Term, step: int) -> bool:
        """True if a step gives a fact one value whatever else is so, and no clause says it."""
        marked = marked_rules(self._asked)
        return self._effect(fluent, step).is_const and not marked.says_itself(self._touched(step)[fluent])

    def _becomes(self, step: int, fluents: Sequence[Term]) -> Made:
        """A Bool term over the state before a step: the step gives these facts their values."""
        event, after = self._asked.record[step - 1].event, self._asked.states[step]
        values = [(f, value(f.sort, after[self._slot[f]])) for f in fluents]

        def becomes(rules: RulesTerms) -> Term:
            effects = effects_of(rules.action(event))
            return all_of(equals(effects.get(f, f), x) for f, x in values)

        return becomes

    def _of_facts(self, step: int, fluents: tuple[Term, ...]) -> Ground:
        made = self._becomes(step, fluents)
        values = self._system.layout.values(self._asked.states[step])
        said = (self._system.in_words.said(f.name, values[f]) for f in fluents)
        text = f"{'; '.join(sentences(said, _NAMED))}, by {self._named(step)}"
        facts = self._facts(made(self._rules), step - 1)
        return Ground(text, (GroundPiece(made, step - 1, facts),), step - 1, step, facts)

    def _facts(self, term: Term, moment: int) -> tuple[Term, ...]:
        """The facts that decide a term that holds after a number of steps."""
        return Explainer(self._system, self._asked.states[moment], [term]).deciding(term)


def _possible(new: Term, fluent: Term) -> Iterator[int]:
    """The values that an effect may give a fact, but for the one it has."""
    waiting, seen = [new], set[int]()
    while waiting:
        term = waiting.pop()
        if term.op is Op.ITE:
            waiting += term.args[1:]
        elif term is not fluent and term.is_const:
            seen.add(int(term.payload))
        elif term is not fluent:
            some = range(term.lo, min(term.hi, term.lo + _TRIED) + 1)
            seen.update(n for n in some if not term.mask or term.mask >> n & 1)
    return iter(sorted(seen))


def effects_of(action: Action) -> dict[Term, Term]:
    """The effect of an event on each fact that it touches, over the state before it."""
    return dict(action.effects)
