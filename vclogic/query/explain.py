"""Explain outcomes and events by a tree of clauses that leads to the deciding facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.encode.distance import fewest_changes
from vclogic.encode.evaluator import failed
from vclogic.encode.reasons import Reasons
from vclogic.model.actions import Event
from vclogic.model.citation import Cites
from vclogic.model.fluents import State, Value, value
from vclogic.model.rules import Outcome, Rule
from vclogic.model.system import System
from vclogic.terms.build import not_
from vclogic.terms.term import Op, Term, show, variables

_DEEPEST = 40  # levels of a tree, below which only the facts are named


@dataclass(frozen=True)
class Explained:
    """A node of an explanation.

    Attributes:
        text: A sentence, if a clause says it; otherwise the condition itself.
        value: Its value.
        deciding: Whether it is part of the reason for the value of the whole.
        cites: Clause ids.
        facts: The deciding facts: fluents with their values. As long as they stay, the value stays.
        parts: The parts of the condition.
        least: For an outcome that is not met: a lower bound on the number of facts that must change, found without a
            solver.
    """

    text: str
    value: Value
    deciding: bool = True
    cites: tuple[str, ...] = ()
    facts: Mapping[str, Value] = field(default_factory=dict)
    parts: tuple[Explained, ...] = ()
    least: int = 0


@dataclass(frozen=True)
class ExplainedEvent:
    """Why an event is allowed or not.

    Attributes:
        game: `encoding/scenario`.
        event: The event.
        allowed: Whether it is allowed.
        requirements: Its requirements, unmet ones first; the text of an unmet one says why.
        assumptions: What the answer rests on.
        not_judged: What is not checked because the rule text says nothing about it; may be empty.
    """

    game: str
    event: str
    allowed: bool
    requirements: tuple[Explained, ...]
    assumptions: tuple[str, ...]
    not_judged: str = ""


class Explainer:
    """Explains terms of a system in one state.

    Args:
        system: The rule set.
        state: The state.
        terms: The terms that will be explained.
    """

    def __init__(self, system: System, state: State, terms: Sequence[Term]):
        self._values = system.layout.values(state)
        self._reasons = Reasons(terms, system.layout.slot, state)
        self._rules: Mapping[Term, Rule] = {r.term: r for r in system.rules if isinstance(r.term, Term)}

    def holds(self, term: Term) -> bool:
        """Whether a Bool term holds."""
        return bool(self._reasons.value(term))

    def explained(self, term: Term, text: str = "", cites: Cites = (), *, deciding: bool = True) -> Explained:
        """Explain a Bool term with all its parts.

        Args:
            term: The term.
            text: Its sentence; empty: the term itself.
            cites: Its clauses.
            deciding: Whether it is part of the reason for the whole.
        """
        reason = self._reasons(term) if deciding else frozenset()
        top = self._node(term, reason, 0, {})
        clauses = tuple(dict.fromkeys((*(c.clause for c in cites), *top.cites)))
        return Explained(text or top.text, top.value, deciding, clauses, self._facts(self._reasons(term)), top.parts)

    def _facts(self, reason: Iterable[Term]) -> dict[str, Value]:
        """The values of the variables at the ends of a reason."""
        ends = {v for t in reason if t.op in (Op.VAR, Op.IN) for v in variables(t)}
        return {v.name: x for v, x in self._values.items() if v in ends}

    def _node(
        self, t: Term, reason: frozenset[Term], depth: int, made: dict[tuple[Term, int], Explained]
    ) -> Explained:
        """Explain a term with all its parts; repeated terms at the same depth, as on maps, are explained once."""
        if (t, depth) in made:
            return made[t, depth]
        rule = self._rules.get(t)
        below = () if depth >= _DEEPEST else self._below(t)
        made[t, depth] = Explained(
            rule.text if rule else self._text(t),
            value(t.sort, self._reasons.value(t)),
            t in reason,
            tuple(c.clause for c in rule.cites) if rule else (),
            self._facts({t} & reason),
            tuple(self._node(a, reason, depth + 1, made) for a in below),
        )
        return made[t, depth]

    @staticmethod
    def _below(t: Term) -> Sequence[Term]:
        if t.op in (Op.VAR, Op.IN, Op.CONST):
            return ()
        if t.op is Op.REACH:
            return [a for a in t.args[0].args if not a.is_const]
        inner = t.args[0].args if t.op is Op.NOT and t.args[0].op is Op.GE else t.args
        return [a for a in inner if not a.is_const]

    def _text(self, t: Term) -> str:
        match t.op:
            case Op.AND:
                return "all of these hold"
            case Op.OR:
                return "one of these holds"
            case Op.NOT if t.args[0].op is Op.GE:
                return f"it is below {t.args[0].payload}"
            case Op.NOT:
                return "this does not hold"
            case Op.GE:
                return f"it is at least {t.payload}"
            case Op.LIN:
                return "the sum of these"
            case Op.IN:
                return show(t)[1:-1]
            case _:
                return show(t)


# ---- outcomes


def explain_outcomes(system: System, state: State) -> tuple[Explained, ...]:
    """Explain each outcome, in the order of the system's outcomes.

    The deciding part is the condition if it does not hold, otherwise the moment at which it is judged.
    """
    terms = [t for o in system.outcomes for t in (*_parts(o).values(), o.condition.defined)]
    explainer = Explainer(system, state, terms)
    slot = system.layout.slot
    return tuple(_outcome(explainer, o, fewest_changes(o.condition.holds, slot, state)) for o in system.outcomes)


def _parts(o: Outcome) -> dict[str, Term]:
    """The parts of an outcome, each with a sentence, in the order in which they are given as the reason."""
    return {
        o.text: o.condition.holds,
        "nobody else won first": not_(o.lost),
        f"it is judged now ({o.when})" if o.when else "it is judged now": o.timing,
        "it was won at an earlier moment": o.won,
    }


def _outcome(explainer: Explainer, o: Outcome, least: int) -> Explained:
    parts = _parts(o)
    *needed, won = parts.items()
    lacking = [term for _, term in needed if not explainer.holds(term)]
    met = explainer.holds(won[1]) or not lacking
    if explainer.holds(won[1]):
        settles = {won[1]}
    else:
        settles = {lacking[0], won[1]} if lacking else {term for _, term in needed}
    shown = tuple(
        explainer.explained(term, text, o.cites if i == 0 else (), deciding=term in settles)
        for i, (text, term) in enumerate(parts.items())
    )
    facts = {name: x for part in shown if part.deciding for name, x in part.facts.items()}
    return Explained(f"{o.name}, {o.side}", met, True, tuple(c.clause for c in o.cites), facts, shown, least)


# ---- events


def explain_event(
    game: str, system: System, state: State, event: Event, assumptions: tuple[str, ...]
) -> ExplainedEvent:
    """Explain whether an event is allowed.

    Args:
        game: `encoding/scenario`.
        system: The rule set.
        state: The state before it.
        event: The event.
        assumptions: What the answer rests on.
    """
    action = system.action(event)
    lacking = failed(system, state, action)
    explainer = Explainer(system, state, [r.term for r in action.requirements])
    values = system.layout.values(state)
    shown = [
        explainer.explained(
            r.term, r.said(values) if r in lacking else "", r.cites, deciding=not lacking or r in lacking
        )
        for r in sorted(action.requirements, key=lambda r: r not in lacking)
    ]
    not_judged = system.schemas[event.name].not_judged
    return ExplainedEvent(game, str(event), not lacking, tuple(shown), assumptions, not_judged)
