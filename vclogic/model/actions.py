"""What can happen in a game: schemas with typed parameters, and the ground actions they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vclogic.model.fluents import Value
from vclogic.model.rules import Cites
from vclogic.terms.build import all_of
from vclogic.terms.domain import Domain
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Requirement:
    """One thing that an action needs.

    Attributes:
        term: Bool, over the state before the action.
        message: The sentence for a player whose step lacks it; made from the values before the action where it
            depends on them.
        cites: The clauses that ask for it.
    """

    term: Term
    message: str | Callable[[Mapping[Term, Value]], str]
    cites: Cites = ()

    def said(self, values: Mapping[Term, Value]) -> str:
        """The sentence for a player, given the values before the action."""
        return self.message if isinstance(self.message, str) else self.message(values)


@dataclass(frozen=True)
class Action:
    """One ground action.

    Attributes:
        name: Name of its schema.
        args: Argument names and values.
        actor: Who does it (a side or one of its powers), a fluent that says who, or None for nobody.
        requirements: What must hold before.
        effects: Fluent and its value after, as a term over the state before.
        text: The sentence for a player; made from the values before the action where it depends on them.
        costs: What it adds to each metric; missing: nothing.
        cites: Clauses that a plan with this step rests on.
        awkward: Among actions that a plan may exchange freely, the one that is least awkward, given the values
            before it, is shown.
    """

    name: str
    args: tuple[tuple[str, Value], ...]
    actor: str | Term | None
    requirements: tuple[Requirement, ...]
    effects: tuple[tuple[Term, Term], ...]
    text: str | Callable[[Mapping[Term, Value]], str]
    costs: Mapping[str, int] = field(default_factory=dict)
    cites: Cites = ()
    awkward: Callable[[Mapping[Term, Value]], int] | None = None

    @property
    def key(self) -> str:
        """A unique readable name."""
        return str(Event(self.name, self.args))

    @property
    def guard(self) -> Term:
        """All requirements as one term."""
        return all_of(r.term for r in self.requirements)


@dataclass(frozen=True)
class Event:
    """An action named, not yet instantiated: a step of a record.

    Attributes:
        name: Name of the schema.
        args: Argument names and values, canonical names.
    """

    name: str
    args: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(str(v) for _, v in self.args)})"


@dataclass(frozen=True)
class Parameter:
    """A typed argument of a schema.

    Attributes:
        name: Its key in a record.
        domain: The names it can be, or a range of whole numbers.
        default: Its value where a record leaves it out; None: it must be given.
        each: Whether a record may list several: the event then happens for each of them, in that order.
    """

    name: str
    domain: Domain | range
    default: Value | None = None
    each: bool = False


@dataclass(frozen=True)
class Schema:
    """A kind of action: only the instances that somebody asks for are built.

    Attributes:
        name: Key of the event in a record.
        parameters: Its arguments.
        instantiate: Builds the ground action from the arguments by name.
        text: What it is, in a line.
        cites: The clauses it encodes.
        within: Builds it for one state only, which it is told first as a `Now`, so that it may leave out what is
            idle there; None where that would save nothing. In that state it does exactly what the other one does.
    """

    name: str
    parameters: tuple[Parameter, ...]
    instantiate: Callable[..., Action]
    text: str
    cites: Cites = ()
    within: Callable[..., Action] | None = None
