"""Everything that an answer rests on, with what decides it marked."""

from __future__ import annotations

from vclogic.query.explain import explain_outcomes, explain_value, explained_requirements
from vclogic.query.explained import Explained
from vclogic.query.ruling.position_question import PositionQuestion


def explained(asked: PositionQuestion) -> tuple[Explained, ...]:
    """Everything that the answer to a question rests on, met or not.

    Args:
        asked: The question in its position.

    Returns:
        Of an event its requirements, unmet ones first; of an outcome or expression one tree.
    """
    question, system, state = asked.question, asked.system, asked.state
    if question.event is not None:
        return explained_requirements(system, state, question.event)
    if question.outcome is not None:
        return explain_outcomes(system, state, [question.outcome])
    assert question.partial is not None
    return (explain_value(system, state, question.partial, question.text),)
