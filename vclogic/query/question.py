"""A question as a value: one frozen dataclass for each, whose fields are all choices of whoever asks.

A field is an argument of the method of `Game`, a key of the request, a line of its JSON Schema and, where it has
help, an option of the command. A `Request` is a question of one position.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property
from inspect import Parameter, Signature, cleandoc
from types import MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    TypeVar,
    dataclass_transform,
    overload,
    runtime_checkable,
)

from vclogic.choices import choice
from vclogic.clock import Deadline, until
from vclogic.files.output import check_output, write_text
from vclogic.files.record import Events, RecordStep
from vclogic.files.setup import Setup
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import IDLE, Metric
from vclogic.progress import Listener, silent
from vclogic.query.keywords import checked_method
from vclogic.query.resolved_question import (
    DEFAULT_TIMEOUT,
    ResolvedQuestion,
    check_choices,
    check_numbers,
    goal_of,
    metric_opponent,
    side_for,
)
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.event_words import ONLY_REACH, RefusedWords, StepWords

if TYPE_CHECKING:
    from vclogic.solve.backends.claims import SecondOpinion
    from vclogic.solve.backends.session import Effort

A = TypeVar("A")
Q = TypeVar("Q")
T = TypeVar("T")
A_co = TypeVar("A_co", covariant=True)
P = ParamSpec("P")


def option(help: str, metavar: str | None = None, *, default: Any = MISSING, **more: Any) -> Any:
    """A field of a question that the command line has an option for.

    Args:
        help: The line that explains it.
        metavar: What stands for its value.
        default: Its value if it is left out; `MISSING`: it must be given.
        more: Further arguments of the option, or `flag`: its name, where that is not the field's.
    """
    return field(default=default, metadata={"help": help, "metavar": metavar, **more})


@dataclass_transform(frozen_default=True, field_specifiers=(option,))
def value(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """The class of a question: a frozen dataclass, of which `option` makes fields."""
    return dataclass(frozen=True, kw_only=kw_only)


@value(kw_only=True)
class GameQuestion(Generic[A_co]):
    """A question about a game at one moment.

    Attributes:
        timeout: Seconds, after which the answer is what is known by then; the rest is `unknown`.
        progress: Called with a `Progress` during the work.
    """

    timeout: float = option("Default: 60.", "SECONDS", default=DEFAULT_TIMEOUT)
    progress: Listener = silent

    def answer(self, request: Request) -> A_co:
        """The answer.

        Args:
            request: The position, and the resources from now on.

        Raises:
            InputError: Everything that is wrong with the question.
        """
        raise NotImplementedError


@value(kw_only=True)
class SolverQuestion(GameQuestion[A_co]):
    """A question that solvers answer.

    Attributes:
        dump: A file for the final claims of the answer, as SMT-LIB that other solvers check.
        second_opinion: Seconds that another solver may take for these claims, where one is installed; 0: it is not
            asked.
    """

    dump: str | None = option(
        "Also write what the answer rests on, for other solvers.", "FILE", flag="dump-smt2", default=None
    )
    second_opinion: float = option(
        "How long cvc5 may take to confirm what is impossible. Default: 5.", "SECONDS", default=5.0
    )


@value(kw_only=True)
class FutureQuestion(SolverQuestion[A_co]):
    """A question about what may happen from a position on.

    Attributes:
        side: The side that moves; optional if the goal names only one side.
        within: The horizon: the largest number of counted steps.
        opponent: `idle`, or `helps` for one that makes any legal steps that help (`any` is another name for it).
        without: Events that must not happen, as in a record; arguments left out can have any value.
    """

    side: str | None = option(
        "Who moves. Needed only if the goal does not name exactly one side.", "SIDE", default=None
    )
    within: int | None = option("The most steps that count (captures, turns, events).", "N", default=None)
    opponent: str = option("idle passes (default); helps makes any legal step.", "idle|helps", default=IDLE)
    without: Sequence[Events] = option("An event, or kind of event, to do without.", "EVENT", default=())


RESOURCES = ("timeout", "progress", "dump", "second_opinion")
"""The fields that say how much a question may take, and not what is asked."""


@dataclass(frozen=True)
class Request:
    """A question of one position.

    Attributes:
        setup: The rule set and its settings.
        state: The state in which it is asked.
        question: The question.
        record: What has happened since the start.
        began: When it was asked, on the clock of `time.monotonic`.
        opinions: What another solver says of the final claims, once solvers are asked.
    """

    setup: Setup
    state: State
    question: GameQuestion[Any]
    record: Sequence[RecordStep] = ()
    began: float = field(default_factory=time.monotonic)
    opinions: list[SecondOpinion] = field(default_factory=list)

    @property
    def timeout(self) -> float:
        """Seconds."""
        return self.question.timeout

    @property
    def deadline(self) -> Deadline:
        """The end of its time."""
        return Deadline(self.timeout - (time.monotonic() - self.began), self.began)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of any answer."""
        return (*self.setup.system.notes, *self.setup.chosen_in_words)

    def goal(self, text: str, steps: StepWords | RefusedWords = ONLY_REACH, *, option: str = "goal") -> Goal:
        """Compile a goal.

        Args:
            text: The goal, in the goal language.
            steps: The meaning of `before`, `happens` and `actor`, or why they are not allowed.
            option: What it is given as.

        Raises:
            InputError: It is wrong.
        """
        if steps is ONLY_REACH:
            return goal_of(self.setup.system, text, option)
        from vclogic.terms.expressions.resolve import check_meaning, compile_goal

        found: Goal = compile_goal(text, self.setup.system.vocabulary, choice(option), steps)
        check_meaning(text, found.term, found.meaning, choice(option))
        return found

    @contextmanager
    def effort(self, *others: Setup) -> Iterator[Effort]:
        """The resources, from now on.

        Args:
            others: Other games whose files must not be overwritten.

        Raises:
            InputError: The time limit is invalid, or the file to write is also read.
        """
        from vclogic.solve.backends.claims import SecondOpinion  # not needed to say who has won
        from vclogic.solve.backends.kept import kept
        from vclogic.solve.backends.session import Effort

        check_numbers(timeout=self.timeout)
        question = self.question if isinstance(self.question, SolverQuestion) else None
        if question is not None and question.dump is not None:
            check_output(question.dump, [name for s in (self.setup, *others) for name in s.files], choice("dump"))
        deadline = self.deadline
        opinion = SecondOpinion(0.0 if question is None else question.second_opinion, due=deadline)
        self.opinions.append(opinion)
        with until(deadline), kept(), closing(opinion):
            yield Effort(deadline, self.question.progress, opinion)

    @property
    def progress(self) -> Listener:
        """Called with the progress of the work."""
        return self.question.progress

    @contextmanager
    def resolved(
        self,
        question: FutureQuestion[Any],
        goal: Goal,
        metric: str | None,
        *,
        option: str = "minimize",
        optional: bool = False,
        every: bool = False,
        **more: Any,
    ) -> Iterator[ResolvedQuestion]:
        """A question about the future with everything looked up.

        Args:
            question: The question.
            goal: Its goal.
            metric: Name of the kind of steps.
            option: What that is given as.
            optional: Whether every side may move if none is given.
            every: Whether the question is about all events of the rules.
            more: Further fields of the question.

        Raises:
            InputError: A choice is wrong.
        """
        system, opponent = self.setup.system, metric_opponent(question.opponent)
        moving = side_for(system, goal.mentions, question.side, opponent, optional=optional)
        numbers = {"within": question.within, "timeout": self.timeout}
        kind = check_choices(system, metric, opponent, option, **numbers)
        more |= {"within": question.within, "goal": goal}
        if question.without:
            from vclogic.query.plan.conditions import leaving_out

            more |= {"conditions": leaving_out(system, None if every else kind, question.without)}
        with self.effort() as effort:
            yield self.about(moving, opponent, kind, effort, **more)

    def about(self, side: str | None, opponent: str, metric: Metric, effort: Effort, **more: Any) -> ResolvedQuestion:
        """A question about the future, from choices that have been checked.

        Args:
            side: The side that moves.
            opponent: The opponent's behaviour, as metrics call it.
            metric: The kind of steps.
            more: Further fields of the question.
        """
        return ResolvedQuestion(
            game=self.setup.game,
            system=self.setup.system,
            state=self.state,
            settings=self.setup.chosen_in_words,
            side=side,
            opponent=opponent,
            metric=metric,
            effort=effort if effort.scale == metric.scale else replace(effort, scale=metric.scale),
            **more,
        )


# ---- the questions as methods


@runtime_checkable
class Askable(Protocol):
    """A game at a moment, as far as questions need it."""

    @property
    def setup(self) -> Setup:
        """The rule set, settings and start."""

    @property
    def state(self) -> State:
        """The state now."""

    @property
    def history(self) -> tuple[Event, ...]:
        """The events since the start."""


def steps_since(setup: Setup, history: tuple[Event, ...]) -> tuple[RecordStep, ...]:
    """The events since the start, with the places of the steps that a file holds."""
    read = setup.record
    begins = tuple(s.event for s in read) == history[: len(read)]
    return (*read, *map(RecordStep, history[len(read) :])) if begins else tuple(map(RecordStep, history))


def own_fields(question: type[Any]) -> tuple[Field[Any], ...]:
    """The fields in the order in which users read them: those of a class before those of the classes above it."""
    own = {name: cls for cls in reversed(question.__mro__) for name in vars(cls).get("__annotations__", ())}
    ranks = {cls: rank for rank, cls in enumerate(question.__mro__)}
    return tuple(sorted(fields(question), key=lambda f: ranks[own[f.name]]))


def request(game: Askable, question: GameQuestion[Any]) -> Request:
    """A question of a game, from now on."""
    setup = game.setup
    return Request(setup, game.state, question, steps_since(setup, game.history))


class QuestionMethod(Generic[P, A]):
    """The method of a game that asks a question. It is made, and its arguments are known, when it is first used.

    Args:
        question: Gives the class of the question.
    """

    def __init__(self, question: Callable[[], Callable[P, GameQuestion[A]]]):
        self._question = question

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    @overload
    def __get__(self, game: None, owner: Any = None) -> Callable[Concatenate[Any, P], A]: ...

    @overload
    def __get__(self, game: object, owner: Any = None) -> Callable[P, A]: ...

    def __get__(self, game: object, owner: Any = None) -> Any:
        return self._method if game is None else MethodType(self._method, game)

    @cached_property
    def _method(self) -> Callable[Concatenate[Any, P], A]:
        question = self._question()
        cls: Any = question
        method = method_of(question, lambda game, filled: answer_request(request(game, filled)), cls.answer)
        checked: Callable[Concatenate[Any, P], A] = checked_method(method, self._owner, self._name)
        return checked


def answer_request(request: Request) -> Any:
    """The answer to a question; what it rests on is written to a file, where that is asked for.

    Raises:
        InputError: The question is wrong, or the file cannot be written.
    """
    found = request.question.answer(request)
    if isinstance(request.question, SolverQuestion) and request.question.dump is not None:
        from vclogic.query.certificate import certificate_of

        write_text(request.question.dump, certificate_of(found, request.opinions))
    return found


def method_of(
    question: Callable[P, Q], answer: Callable[[Any, Q], A], described: Callable[..., Any] | None = None
) -> Callable[Concatenate[Any, P], A]:
    """A method that takes the fields of a question, and gives back the answer.

    Args:
        question: The class of the question.
        answer: Answers it, given the owner of the method.
        described: What says in its docstring what comes back; None: `answer`.
    """

    def method(owner: Any, /, *some: P.args, **named: P.kwargs) -> A:
        return answer(owner, question(*some, **named))

    cls: Any = question
    method.__name__, method.__module__, method.__doc__ = cls.__name__, cls.__module__, _doc(cls, described or answer)
    vars(method).update(question=cls, __signature__=_signature(cls, described or answer))
    return method


def _signature(question: type, answer: Callable[..., Any]) -> Signature:
    shared = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    for f in own_fields(question):
        kind = Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD
        default = Parameter.empty if f.default is MISSING else f.default
        shared.append(Parameter(f.name, kind, default=default, annotation=f.type))
    return Signature(shared, return_annotation=answer.__annotations__["return"])


def _doc(question: type, answer: Callable[..., Any]) -> str:
    """The docstring of the method: that of the question, with what its answer is."""
    about, own = _parted(question)
    lines = [line for cls in question.__mro__[1:] if cls.__doc__ for line in _parted(cls)[1]]
    found, _, raised = cleandoc(answer.__doc__ or "").partition("\n\nRaises:")
    return f"{about}\n\nArgs:\n" + "\n".join([*own, *lines]) + f"\n\nReturns:\n    {found}\n\nRaises:{raised}"


def _parted(cls: type) -> tuple[str, list[str]]:
    about, _, attributes = cleandoc(cls.__doc__ or "").partition("\n\nAttributes:\n")
    return about, attributes.rstrip().split("\n") if attributes else []
