"""Explain outcomes, events, numbers and goals by clauses that lead to the deciding facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from vclogic.document_keys import OR_NULL
from vclogic.encode.distance import fewest_changes
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.encode.python.reasons import Reasons, ends
from vclogic.model.actions import Event
from vclogic.model.citation import Cites
from vclogic.model.fluents import State, Value, value
from vclogic.model.rules import Observable, Outcome
from vclogic.model.sayings import sentences
from vclogic.model.system import System
from vclogic.query.answers import GameAnswer
from vclogic.query.explanation import Explained, Tree
from vclogic.query.sentences import Sentences, Summand, at_least
from vclogic.query.status.progress import expression, shown, value_of
from vclogic.terms.build import eq, not_, or_
from vclogic.terms.expressions.parser import conjuncts
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.partial import Partial
from vclogic.terms.term import Op, Term, variables


@dataclass(frozen=True, kw_only=True)
class ExplainedEvent(GameAnswer):
    """Why an event is allowed or not.

    Attributes:
        event: The event.
        allowed: Whether it is allowed.
        requirements: Its requirements, unmet ones first; the text of an unmet one says why.
        not_judged: What is not checked because the rule text says nothing about it; may be empty.
    """

    event: str
    allowed: bool
    not_judged: str = field(default="", metadata=OR_NULL)
    requirements: tuple[Explained, ...]


class Explainer:
    """Explains terms of a system in one state.

    Args:
        system: The rule set.
        state: The state.
        terms: The terms that will be explained.
    """

    def __init__(self, system: System, state: State, terms: Sequence[Term]):
        self._state, self._slot = state, system.layout.slot
        self._reasons = Reasons(terms, self._slot, state)
        self.sentences: Sentences = system.listed("sentences", lambda: Sentences(system))

    def value(self, term: Term) -> int:
        """A term's value, as a number."""
        return self._reasons.value(term)

    def place(self, term: Term) -> int:
        """See `Reasons.place`."""
        return self._reasons.place(term)

    def holds(self, term: Term) -> bool:
        """True if a Bool term holds."""
        return bool(self.value(term))

    def deciding(self, term: Term) -> tuple[Term, ...]:
        """The fluents that decide a Bool term, in the order of the layout; all that it reads if it is a number."""
        found = ends(self._reasons(term)) if term.is_bool else variables(term)
        return tuple(sorted(found, key=self._slot.__getitem__))

    def facts(self, fluents: Iterable[Term]) -> dict[str, Value]:
        """Fluents with their values, in the order of the layout."""
        some = sorted(fluents, key=self._slot.__getitem__)
        return {v.name: value(v.sort, self._state[self._slot[v]]) for v in some}

    def explained(
        self, term: Term, text: str = "", cites: Cites = (), *, deciding: bool = True, because: Term | None = None
    ) -> Explained:
        """Explain a term with all its parts.

        Args:
            text: Its sentence; empty: the term itself.
            cites: Its clauses.
            deciding: Whether it is part of the reason for the whole.
            because: The Bool term that says what is explained; None: the term itself.
        """
        why = self._reasons(term if because is None else because)
        reason = why if deciding else frozenset()
        top = Tree(self._reasons, self.sentences, reason, lambda some: self.facts(ends(some))).top(term)
        clauses = tuple(dict.fromkeys((*(c.clause for c in cites), *top.cites)))
        facts = self.facts(ends(why))
        said = self.sentences.said(facts)
        return Explained(text or top.text, top.value, deciding, clauses, facts, top.parts, said=said)


# ---- outcomes


def explain_outcomes(
    system: System, state: State, outcomes: Sequence[Outcome] | None = None
) -> tuple[Explained, ...]:
    """Explain outcomes, each in its turn.

    The deciding part is the condition if it does not hold, otherwise the moment at which it is judged.

    Args:
        outcomes: The outcomes; None: all of the system.
    """
    some = system.outcomes if outcomes is None else outcomes
    terms = [t for o in some for t in (*outcome_parts(o).values(), o.condition.defined, or_(o.won, o.now))]
    explainer = Explainer(system, state, terms)
    slot = system.layout.slot
    return tuple(_outcome(explainer, o, fewest_changes(o.condition.holds, slot, state)) for o in some)


def outcome_parts(o: Outcome) -> dict[str, Term]:
    """The parts of an outcome, each with a sentence, in the order in which they are given as the reason."""
    return {
        o.text: o.condition.holds,
        "nobody else won first": not_(o.lost),
        f"it is judged now ({o.when})" if o.when else "it is judged now": o.timing,
        "it was won at an earlier moment": o.won,
    }


def deciding_parts(o: Outcome, holds: Callable[[Term], bool]) -> dict[str, Term]:
    """The parts of an outcome that decide whether it is met, each with a sentence.

    Args:
        holds: Whether a Bool term holds.
    """
    *needed, won = outcome_parts(o).items()
    if holds(won[1]):
        return dict([won])
    lacking = [part for part in needed if not holds(part[1])]
    return dict([lacking[0], won] if lacking else needed)


def _outcome(explainer: Explainer, o: Outcome, least: int) -> Explained:
    parts = outcome_parts(o)
    settles = set(deciding_parts(o, explainer.holds).values())
    met = explainer.holds(or_(o.won, o.now))
    shown = tuple(
        explainer.explained(term, text, o.cites if i == 0 else (), deciding=term in settles)
        for i, (text, term) in enumerate(parts.items())
    )
    facts = {name: x for part in shown if part.deciding for name, x in part.facts.items()}
    said = tuple(dict.fromkeys(s for part in shown if part.deciding for s in part.said))
    return Explained(f"{o.name}, {o.side}", met, True, tuple(c.clause for c in o.cites), facts, shown, least, said)


# ---- expressions


def explain_value(system: System, state: State, partial: Partial, text: str) -> Explained:
    """Explain the value of an expression, or where it is undefined, why it is.

    Args:
        partial: Its value, and where it is defined.
        text: The expression.
    """
    term, slot = partial.value, system.layout.slot
    so = term if term.is_bool else eq(term, value(term.sort, interpret(term, slot, state)))
    explainer = Explainer(system, state, [term, so, partial.defined])
    if explainer.holds(partial.defined):
        return explainer.explained(term, text, because=so)
    return explainer.explained(partial.defined, f"{text} is defined")


# ---- events


def explain_event(
    game: str, system: System, state: State, event: Event, assumptions: tuple[str, ...]
) -> ExplainedEvent:
    """Explain whether an event is allowed.

    Args:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        state: The state before it.
        assumptions: What the answer rests on.
    """
    shown = explained_requirements(system, state, event)
    allowed = all(r.value for r in shown)
    return ExplainedEvent(
        game=game,
        event=str(event),
        allowed=allowed,
        not_judged=system.schemas[event.name].not_judged,
        requirements=shown,
        assumptions=assumptions,
    )


def explained_requirements(system: System, state: State, event: Event) -> tuple[Explained, ...]:
    """Explain the requirements of an event, unmet ones first; the text of an unmet one says why.

    Args:
        state: The state before it.
    """
    action = system.action(event)
    lacking = failed(system, state, action)
    explainer = Explainer(system, state, [r.term for r in action.requirements])
    values = system.layout.values(state)
    return tuple(
        explainer.explained(
            r.term, r.said(values) if r in lacking else "", r.cites, deciding=not lacking or r in lacking
        )
        for r in sorted(action.requirements, key=lambda r: r not in lacking)
    )


# ---- numbers

_FEW = 3
"""By so many facts at most is a part told that no clause has a sentence for."""


@dataclass(frozen=True)
class SumPart:
    """A part of a number that adds something to it, or takes something off.

    Attributes:
        adds: How much.
        text: What it is, in a sentence.
        facts: The facts that decide that it does, in the order of the layout.
    """

    adds: int
    text: str
    facts: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Working:
    """The addends of a number.

    Attributes:
        total: The number.
        need: What it is compared with, if the answer rests on that; None: it is itself the answer.
        parts: What adds up to it.
    """

    total: int
    need: int | None
    parts: tuple[SumPart, ...]


def working(system: System, state: State, term: Term) -> Working | None:
    """The addends of a number, or of the sum that a Bool term compares with a number.

    Returns:
        The working, without parts where the sum is 0 as nothing adds to it; None where there is no sum.
    """
    adding = _Adding(system, state, term)
    inner = term.args[0] if term.op is Op.NOT else term
    bound = at_least(inner)
    if bound is not None:
        parts, need = _told_once(adding.of(bound.parts)), bound.need
    elif term.is_bool:
        return None
    else:
        parts, need = _told_once(adding.parts(term)), None
    if not parts:
        return Working(0, need, ()) if term.op is Op.LIN or (need or 0) > 1 else None
    return Working(sum(p.adds for p in parts), need, parts) if parts[0].facts != (term,) else None


def _told_once(parts: Iterable[SumPart]) -> tuple[SumPart, ...]:
    """Addends, those that the same facts decide as one."""
    adds: dict[tuple[str, tuple[Term, ...]], int] = {}
    for part in parts:
        adds[part.text, part.facts] = adds.get((part.text, part.facts), 0) + part.adds
    return tuple(SumPart(n, *what) for what, n in adds.items() if n)


def of_the_board(observable: Observable, names: Iterable[str]) -> Working | None:
    """The addends of a number that the board alone decides; None where the game does not list them."""
    found = [d.find(name) or name for d, name in zip(observable.parameters, names, strict=False)]
    made = () if observable.parts is None else observable.parts(*found)
    parts = tuple(SumPart(n, text) for n, text in made if n)
    return Working(sum(p.adds for p in parts), None, parts) if parts else None


class _Adding:
    def __init__(self, system: System, state: State, term: Term):
        self._explainer = Explainer(system, state, [term])

    def parts(self, term: Term, times: int = 1) -> Iterator[SumPart]:
        """The addends of a number that counts a number of times."""
        if term.op is Op.ITE:
            condition, then, otherwise = term.args
            branch = then if self._explainer.value(condition) else otherwise
            if not branch.is_const:
                yield from self.parts(branch, times)
            elif worth := self._explainer.value(branch):
                yield self._added(worth * times, condition)
        elif term.op is Op.LIN:
            weights, rest = term.payload
            parts = []
            for weight, part in zip(weights, term.args, strict=True):
                flipped = part.is_bool and weight < 0 and rest >= -weight
                rest += weight if flipped else 0
                parts.append(Summand(-weight if flipped else weight, part, flipped))
            yield from self.of(parts, times)
            yield from [SumPart(rest * times, "in any case")] if rest else []
        elif worth := self._explainer.value(term):
            yield self._added(worth * times, term)

    def of(self, parts: Iterable[Summand], times: int = 1) -> Iterator[SumPart]:
        """The parts of a sum that add something, which counts a number of times."""
        for weight, part, flipped in sorted(parts, key=lambda part: self._explainer.place(part.term)):
            if not part.is_bool:
                yield from self.parts(part, weight * times)
            elif bool(self._explainer.value(part)) is not flipped:
                yield self._added(weight * times, part)

    def _added(self, adds: int, part: Term) -> SumPart:
        """A part by the one fact that decides it, by what a clause says, or by some of the facts."""
        facts = self._explainer.deciding(part)
        if part.op is Op.DIV and (inner := list(self.parts(part.args[0]))):
            total = f"{sum(p.adds for p in inner)} divided by {part.payload}, rounded down"
            deciding = tuple(dict.fromkeys(f for p in inner for f in p.facts))
            return SumPart(adds, f"{total}: {'; '.join(f'{p.adds}: {p.text}' for p in inner)}", deciding)
        named = self._explainer.sentences.named(part)
        if named is not None and len(facts) != 1:
            text = named.pattern.format(*named.names)
            so = not part.is_bool or self._explainer.holds(part)
            return SumPart(adds, text if so else f"{text}: no", facts)
        if not facts:
            return SumPart(adds, "in any case")
        said = self._explainer.sentences.said(self._explainer.facts(facts))
        return SumPart(adds, "; ".join(sentences(said, _FEW)), facts)


# ---- goals

_MOST_READ = 12  # values that are shown where a goal does not hold


def failing_atoms(system: System, state: State, goal: str) -> str:
    """The values of the observables in the failing parts of a goal.

    Args:
        state: A state in which the goal does not hold.
        goal: A goal that compiles.
    """
    read = failing(system, state, goal)
    values = [f"{text} is {shown(value_of(system, state, partial))}" for text, partial in read.items()]
    more = f" and {len(values) - _MOST_READ} more" if len(values) > _MOST_READ + 1 else ""
    return ", ".join(values[:_MOST_READ] if more else values) + more or "it is not so"


def failing(system: System, state: State, goal: str) -> dict[str, Partial]:
    """The observables in the failing parts of a goal; see `failing_atoms`."""
    found: dict[str, Partial] = {}
    for part in failing_parts(system, state, goal):
        found |= _read_by(system, part)
    return found


def failing_parts(system: System, state: State, goal: str) -> list[str]:
    """The parts of a goal, joined by `and`, that do not hold."""
    slot = system.layout.slot
    parts = conjuncts(goal, system.vocabulary)
    return [p for p in parts if not interpret(compile_goal(p, system.vocabulary).term, slot, state)]


def _read_by(system: System, goal: str) -> dict[str, Partial]:
    """Each observable that a goal reads, for each of the names that it asks it of."""
    read = compile_goal(goal, system.vocabulary).functions
    return {expression(name, *of): partial for name, values in read.items() for of, partial in values.items()}
