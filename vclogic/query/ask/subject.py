"""The question to the rules: an expression, an event, or an outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.encode.python.evaluator import failed, interpret
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.record import RecordStep, read_event
from vclogic.files.setup import Setup
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Outcome
from vclogic.model.system import System
from vclogic.query.ask.answer import Kind
from vclogic.query.status.progress import value_of
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, any_of, or_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.partial import Partial

LABEL = "question"
"""The name in place of the file in messages about a question."""
_OUTCOME = re.compile(r"(\w+)(?:\s*\(\s*(\w+)\s*\)|[\s,]+(\w+))?")


@dataclass(frozen=True)
class RulesQuestion:
    """A question that the rules answer.

    Attributes:
        text: The question, with the names that the game uses.
        kind: What it is.
        partial: The value of an expression, and where it is defined; None of an event.
        event: The event; None of an expression or outcome.
        outcome: The outcome of one side; None of an expression or event.
    """

    text: str
    kind: Kind
    partial: Partial | None = None
    event: Event | None = None
    outcome: Outcome | None = None


def read_question(system: System, text: str, state: State | None = None) -> RulesQuestion:
    """Read a question.

    Args:
        state: The position, for what an event leaves to it; None: it leaves nothing.
        text: An expression of the goal language; an event as in a record, such as `place: {power: Germans, ...}`; or
            an outcome and its side, such as `major_victory Axis`.

    Raises:
        InputError: It is none of these, or everything that is wrong with it.
    """
    text = _as_in_a_record(system, text)
    word = re.match(r"\s*(\w*)\s*(:?)", text)
    named, colon = (word[1], word[2]) if word else ("", "")
    if colon or (named in system.schemas and (text.strip() == named and named not in system.vocabulary)):
        event = read_event(system, text, LABEL)
        event = event if state is None else system.settled(state, event)
        return RulesQuestion(str(event), "event", event=event)
    if named in system.schemas and named not in system.vocabulary and text.strip() != named:
        raise _no_event(system.schemas[named])
    outcome = outcome_named(system, text)
    if outcome is not None:
        return RulesQuestion(f"{outcome.name}, {outcome.side}", "outcome", outcome.condition, outcome=outcome)
    return RulesQuestion(text.strip(), "expression", compile_value(text, system.vocabulary, LABEL).partial)


def _as_in_a_record(system: System, text: str) -> str:
    """An event that is pasted from a record or from an answer, as a record has it; any other question as it is."""
    line = re.fullmatch(r"\s*(?:-\s+)?(?:\{\s*(\w+\s*:.*)\}|(.*?))\s*", text, re.DOTALL)
    inside = (line[1] or line[2]) if line else text
    named = re.match(r"\w+", inside)
    if named is None or named[0] not in system.schemas:
        return text
    schema = system.schemas[named[0]]
    printed = re.fullmatch(r"\w+\((.*)\)", inside)
    if printed is None or schema.name in system.vocabulary:
        return inside
    given = printed[1].split(", ") if printed[1] else []
    if len(given) != len(schema.parameters):
        return inside
    values = (
        json.dumps(x) if isinstance(p.domain, Domain) else x for p, x in zip(schema.parameters, given, strict=True)
    )
    arguments = ", ".join(f"{p.name}: {x}" for p, x in zip(schema.parameters, values, strict=True))
    return f"{schema.name}: {{{arguments}}}" if given else schema.name


def _no_event(schema: Schema) -> InputError:
    """The error for an event that is written as an expression."""
    message = f"{schema.name} is an event, which is asked as a record has it"
    return InputError(Diagnostic("unreadable", message, LABEL, 1, 1, help=f"write '{schema.form}'"))


def same_question(system: System, question: RulesQuestion) -> RulesQuestion:
    """A question that was read for one rule set, for another rule set of the same game.

    Raises:
        InputError: There is no such thing in it.
    """
    if question.outcome is not None:
        return read_question(system, f"{question.outcome.name} {question.outcome.side}")
    if question.event is None:
        return read_question(system, question.text)
    missing = Diagnostic("unknown-name", f"there is no event {quoted(question.event.name)} under these settings")
    if question.event.name not in system.schemas:
        raise InputError(missing)
    return question


def outcome_named(system: System, text: str) -> Outcome | None:
    """The outcome of a side that is named, if one is.

    Raises:
        InputError: The outcome is named without a side, and several sides have it; or the side has it not.
    """
    found = _OUTCOME.fullmatch(text.strip())
    if found is None or (found[1] in system.vocabulary and found[3] is None):
        return None
    known = {o.name for o in system.outcomes}
    called, given = found[1], found[2] or found[3]
    if called not in known and given in known:  # the side stands first
        called, given = given, called
    named: dict[str, list[Outcome]] = {}
    for o in system.outcomes:
        if o.name == called:
            named.setdefault(o.side, []).append(o)
    if not named:
        return None
    name = system.aliases.get(given or "", given)
    meant = [ways for side, ways in named.items() if name is None or side in (name, system.side_of(name))]
    if len(meant) == 1:
        return _any_of(meant[0])
    help = "write " + " or ".join(f"'{called} {side}'" for side in named)
    message = f"which side's {called}?" if given is None else f"{given} has no outcome {called}"
    raise InputError(Diagnostic("missing-side", message, LABEL, 1, 1, help=help))


def _any_of(ways: Sequence[Outcome]) -> Outcome:
    """One outcome for all ways by which a side can reach it; each is judged at its own moment."""
    if len(ways) == 1:
        return ways[0]
    moments: dict[str, list[str]] = {}
    for o in ways:
        moments.setdefault(o.text.rstrip("."), []).append(o.when)
    return replace(
        ways[0],
        condition=Partial(any_of(o.now for o in ways), all_of(o.condition.defined for o in ways)),
        timing=TRUE,
        when="",
        text=", or ".join(f"{text} ({' or '.join(dict.fromkeys(when))})" for text, when in moments.items()),
        cites=tuple(dict.fromkeys(c for o in ways for c in o.cites)),
        won=any_of(o.won for o in ways),
        lost=FALSE,
        have=None,
        need=None,
        lacks=next((o.lacks for o in ways if o.lacks), ""),
    )


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


@dataclass(frozen=True)
class PositionQuestion:
    """A question in a position.

    Attributes:
        setup: The rule set, the settings, the start.
        record: What has happened since the start.
        states: The state before the record, and after each of its steps; the last one is asked about.
        question: The question.
    """

    setup: Setup
    record: tuple[RecordStep, ...]
    states: tuple[State, ...]
    question: RulesQuestion

    @property
    def system(self) -> System:
        """The rule set."""
        return self.setup.system

    @property
    def state(self) -> State:
        """The state that is asked about."""
        return self.states[-1]
