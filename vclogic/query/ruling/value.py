"""The answer itself: the value of an expression, whether an event is allowed, whether an outcome is met."""

from __future__ import annotations

from vclogic.encode.evaluator import failed, interpret
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.query.ruling.question import RulesQuestion
from vclogic.query.status import value_of
from vclogic.terms.build import or_


def answer_of(system: System, state: State, question: RulesQuestion) -> Value | None:
    """The answer to a question in a state.

    Args:
        question: The question, read for this rule set.

    Returns:
        As `Ruled.value`.
    """
    if question.event is not None:
        return not failed(system, state, system.action_in(state, question.event))
    if question.outcome is not None:
        return _met(system, state, question.outcome)
    assert question.partial is not None
    return value_of(system, state, question.partial)


def _met(system: System, state: State, outcome: Outcome) -> bool | None:
    """True if an outcome is met; None where it is undefined."""
    slot = system.layout.slot
    if interpret(or_(outcome.won, outcome.now), slot, state):
        return True
    return False if interpret(outcome.condition.defined, slot, state) else None


def in_words(question: RulesQuestion, value: Value | None) -> str:
    """The answer in a sentence."""
    match question.kind, value:
        case "event", _:
            return f"{question.text}: {'allowed' if value else 'not allowed'}"
        case _, None:
            return f"{question.text}: undefined"
        case "outcome", _:
            return f"{question.text}: {'met' if value else 'unmet'}"
        case _, bool():
            return f"{question.text}: {'yes' if value else 'no'}"
    return f"{question.text}: {value}"
