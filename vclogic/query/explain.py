"""Explain outcomes and events by a tree of clauses that leads to the deciding facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from vclogic.document_keys import OR_NULL
from vclogic.encode.distance import fewest_changes
from vclogic.encode.evaluator import failed, interpret
from vclogic.encode.reasons import Reasons, ends
from vclogic.model.actions import Event
from vclogic.model.citation import Cites
from vclogic.model.fluents import State, Value, value
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.query.answers import Answer
from vclogic.query.explained import Explained, Tree
from vclogic.query.sentences import Sentences
from vclogic.terms.build import eq, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term


@dataclass(frozen=True, kw_only=True)
class ExplainedEvent(Answer):
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
        self._values = system.layout.values(state)
        self._slot = system.layout.slot
        self._reasons = Reasons(terms, system.layout.slot, state)
        self._sentences: Sentences = system.listed("sentences", lambda: Sentences(system))

    def holds(self, term: Term) -> bool:
        """True if a Bool term holds."""
        return bool(self._reasons.value(term))

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
        tree = Tree(self._reasons, self._sentences, reason, self._facts)
        top = tree.top(term)
        clauses = tuple(dict.fromkeys((*(c.clause for c in cites), *top.cites)))
        facts = self._facts(why)
        said = self._sentences.said(facts)
        return Explained(text or top.text, top.value, deciding, clauses, facts, top.parts, said=said)

    def _facts(self, reason: Iterable[Term]) -> dict[str, Value]:
        """The values of the variables at the ends of a reason."""
        found = sorted(ends(reason), key=self._slot.__getitem__)
        return {v.name: self._values[v] for v in found}


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
