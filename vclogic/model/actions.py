"""Events of a game: schemas with typed parameters, and their ground actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.errors import calling
from vclogic.model.citation import Cites, is_watched
from vclogic.model.fluents import Value
from vclogic.model.lazy import LazySequence
from vclogic.model.view import View
from vclogic.provenance import Places, here
from vclogic.terms.atoms import integer
from vclogic.terms.build import all_of
from vclogic.terms.domain import Domain
from vclogic.terms.term import Term

MOST_ODDS = 1 << 31
"""The largest weight of an event of chance: millions of them still have a sum that floating point holds exactly."""
OPEN = ""
"""The value of an argument that a record leaves to what it is implied to be; see `Parameter.implied`."""
Effect = tuple[Term, Term]
"""A changed fluent and its value after, over the state before."""
Touches = tuple[tuple[str | None, ...], ...]
"""The name of a family, and for each index of it a parameter, or None for any."""


GAME_OVER = "the end of the game"
"""The name of the requirement that nobody has won and the game is not over."""
RANGE = "the range of a fact"
"""The name of requirements that keep a fact within its range, which no line of the rules asks for."""


@dataclass(frozen=True)
class Requirement:
    """A precondition of an action.

    Attributes:
        term: Bool, over the state before the action.
        message: The sentence for a player whose step breaks it; a function of the values before the action where it
            depends on them.
        cites: The clauses that demand it.
        name: The name under which a planning model can drop it, such as `turn order`; may be empty.
        made: The line of a text that asks for it; empty: none does.
    """

    term: Term
    message: str | Callable[[Mapping[Term, Value]], str]
    cites: Cites = ()
    name: str = ""
    made: Places = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.term, Term):
            raise TypeError(f"a requirement is a term, and this one is {self.term!r}")
        if not self.term.is_bool:
            raise TypeError(f"a requirement is true or false, and this one is a value of sort {self.term.sort}")

    def said(self, values: Mapping[Term, Value]) -> str:
        """The sentence for a player, given the values before the action."""
        return self.message if isinstance(self.message, str) else self.message(values)


def _is_effect(pair: object) -> bool:
    if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(t, Term) for t in pair):
        return False
    return type(pair[0].sort) is type(pair[1].sort)


class LaterEffects(LazySequence[Effect]):
    """The effects of an action that are made when somebody looks at them: a list of legal events needs none.

    Args:
        make: Makes them.
        loose: Those of them whose values may lie outside what their fluents can be, which is then a requirement. The
            requirements of the action say of the others that they do not.
    """

    def __init__(self, make: Callable[[], Iterable[Effect]], loose: Sequence[Effect] = ()):
        super().__init__(make)
        self.loose = loose

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LaterEffects | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def later(make: Callable[[], Iterable[Effect]], loose: Sequence[Effect] = ()) -> Sequence[Effect]:
    """Effects that are made when they are asked for; at once where somebody looks at what makes them.

    Args:
        make: As of `LaterEffects`.
        loose: As there.
    """
    return tuple(make()) if is_watched() else LaterEffects(make, loose)


@dataclass(frozen=True)
class Action:
    """One ground action.

    Attributes:
        name: Name of its schema.
        args: Argument names and values.
        actor: Who decides it (a side or one of its powers), a term over fluents that says who, or None for nobody:
            it is forced, as by a combat result.
        requirements: What must hold before it.
        effects: Each changed fluent and its value after, as a term over the state before: a tuple, or `LaterEffects`.
        text: The sentence for a player; a function of the values before the action where it depends on them.
        costs: What it adds to each metric; missing: nothing.
        cites: Clauses that a plan with this step rests on.
        assumed: Further preconditions, beyond the rules, that questions about the future assume; records are not
            judged by them.
        display_rank: A rank, given the values before it: where a plan could use several actions equally well, the one
            of lowest rank is shown.
        agreed: Who else must agree to it, as `actor`; None: nobody.
        way: For a reader of plans: the places that it leads through, given the values before it, where some do.
        odds: For a forced event that chance decides, such as the result of a die: its weight, a positive whole number
            or an Int term over the state before it. Of the forced events with odds that are legal together one
            happens, in proportion to their weights. None: which forced event happens is left open. Only `solve`
            looks at it.
    """

    name: str
    args: tuple[tuple[str, Value], ...]
    actor: str | Term | None
    requirements: tuple[Requirement, ...]
    effects: Sequence[Effect]
    text: str | Callable[[Mapping[Term, Value]], str]
    costs: Mapping[str, int] = field(default_factory=dict)
    cites: Cites = ()
    assumed: tuple[Requirement, ...] = ()
    display_rank: Callable[[Mapping[Term, Value]], int] | None = None
    agreed: str | Term | None = None
    odds: int | Term | None = None
    way: Callable[[Mapping[Term, Value]], Sequence[str]] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.requirements, tuple) or not all(isinstance(r, Requirement) for r in self.requirements):
            raise TypeError(f"the requirements of {self.name} are no tuple of `Requirement`")
        told = isinstance(self.effects, LaterEffects)
        if not told and not (isinstance(self.effects, tuple) and all(map(_is_effect, self.effects))):
            message = "are no tuple of pairs: a fact, and a term of the same kind for its value after"
            raise TypeError(f"the effects of {self.name} {message}")
        if not (isinstance(self.text, str) or callable(self.text)):
            raise TypeError(f"the text of {self.name} is {self.text!r}, and no sentence")
        if self.odds is not None and (most := self.odds.hi if isinstance(self.odds, Term) else self.odds) > MOST_ODDS:
            raise ValueError(f"the odds of {self.name} are up to {most:,}, and none are beyond {MOST_ODDS:,}")

    @property
    def key(self) -> str:
        """A unique readable name."""
        return str(Event(self.name, self.args))

    def said(self, values: Mapping[Term, Value]) -> str:
        """The sentence for a player, given the values before the action."""
        return self.text if isinstance(self.text, str) else self.text(values)

    @property
    def loose(self) -> Sequence[Effect]:
        """The effects whose values may lie outside what their fluents can be, as far as the requirements say."""
        return self.effects.loose if isinstance(self.effects, LaterEffects) else self.effects

    @cached_property
    def guard(self) -> Term:
        """All requirements as one term."""
        return all_of(r.term for r in self.requirements)

    @property
    def under_assumptions(self) -> Action:
        """The action with its assumed preconditions, as questions about the future use it."""
        return replace(self, requirements=(*self.requirements, *self.assumed)) if self.assumed else self


@dataclass(frozen=True)
class Event:
    """A step of a record: the name and arguments of an action.

    Attributes:
        name: Name of the schema.
        args: Argument names and values, canonical names.
    """

    name: str
    args: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(str(v) for _, v in self.args if v != OPEN)})"

    @property
    def written(self) -> str | dict[str, dict[str, Value]]:
        """The event as an item of a record's list in a file."""
        return {self.name: dict(self.args)} if self.args else self.name


@dataclass(frozen=True)
class Parameter:
    """A typed argument of a schema.

    Attributes:
        name: Its key in a record. A place that is called `from` or `via` (or `cargo_from`) is where something comes
            from, or through; one that is called `to` (or `cargo_to`), where it goes.
        domain: The names it can be, or a range of whole numbers.
        default: Its value where a record leaves it out; None: it must be given.
        each: Whether a record may list several values: the event then happens once for each, in that order.
        term: For a range: whether the schema takes the number as a term, so that a question over many events can
            leave it open; otherwise it takes an int.
        implied: Its value where a record leaves it out, such as whose turn it is: a fluent; None: it has none.
    """

    name: str
    domain: Domain | range
    default: Value | None = None
    each: bool = False
    term: bool = False
    implied: Term | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.domain, Domain | range):
            raise TypeError(f"the argument {self.name} is of no `Domain` and no range, but {self.domain!r}")

    @property
    def is_origin(self) -> bool:
        """True if something comes from the place that it names, or through it."""
        return self.name.rpartition("_")[2] in ("from", "via")

    @property
    def is_goal(self) -> bool:
        """True if something goes to the place that it names."""
        return self.name.rpartition("_")[2] == "to"

    @property
    def values(self) -> Sequence[Value]:
        """Every value that it can have."""
        return self.domain if isinstance(self.domain, range) else self.domain.sort.members


Ask = Callable[..., Iterable["Requirement"]]
"""The requirements that follow from the values of some arguments."""
Asks = Mapping[str, Ask] | Mapping[str | tuple[str, ...], Ask]
"""By the names of arguments, one or several."""

Ways = Callable[[Mapping[str, Sequence[Value]]], Iterable[Mapping[str, Value]]]
"""The arguments of events, of some values of each."""


@dataclass(frozen=True)
class Schema:
    """A kind of event. Its ground actions are built on demand.

    Attributes:
        name: Key of the event in a record.
        parameters: Its arguments.
        instantiate: Builds the ground action from the arguments by name.
        text: What it is, in a line.
        cites: The clauses it encodes.
        viewed: Whether `instantiate` also takes a `View` before the arguments and reads all fluents through it, which
            builds an action for a known state much faster. Without a view the action is valid for any state.
        routine: Whether it only advances the game, such as the end of a turn. Where the rules require it between
            the events of a plan, it is inserted.
        not_judged: In a few words, what is taken from a record unchecked because the rule text says nothing about
            it, such as the movement that leads to the event.
        decided_by: Who decides it, for a reader, such as `the power on turn`; empty: nobody, it is forced.
        obliged: Whether even a passive side does it, because the rules oblige it to: its turn ends, it removes units.
        asks: By parameter, or several: the requirements that all events with given values of these share, whatever
            their other arguments. They must be among the requirements of each event, or follow from them; where they
            fail, the event is refused without being built.
        touches: The fluents that its events can change: the name of a family, then for each of its indices the
            parameter that gives the index, or None for any; indices left out at the end are any. Events that
            cannot bear on a question are then not built. None: any fluent.
        ways: Of some values of each parameter, those together that some position may allow, as far as that is found
            without building events, in their order. None: any.
        made: Where the game's code, or a text, made it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    instantiate: Callable[..., Action]
    text: str
    cites: Cites = ()
    viewed: bool = False
    routine: bool = False
    not_judged: str = ""
    decided_by: str = ""
    obliged: bool = False
    asks: Asks = field(default_factory=dict)
    touches: Touches | None = None
    ways: Ways | None = None
    made: Places = field(default_factory=here, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.cites, str):
            raise TypeError(f"the event {self.name} cites {self.cites!r}, a text: write cite({self.cites!r})")

    @cached_property
    def implied(self) -> Mapping[str, Term]:
        """The arguments that a record may leave out since the position tells them, each with the fact that does."""
        return {p.name: p.implied for p in self.parameters if p.implied is not None}

    @property
    def forced(self) -> bool:
        """True if nobody decides it: the rules bring it about."""
        return not self.decided_by

    @property
    def form(self) -> str:
        """The form in a record, such as `move: {unit: ..., to: ...}`."""
        given = ", ".join(f"{p.name}: ..." for p in self.parameters)
        return f"{self.name}: {{{given}}}" if given else self.name

    def event(self, args: Mapping[str, Value]) -> Event:
        """The event with the given arguments, and defaults for the others.

        Raises:
            KeyError: An argument without a default is missing.
        """
        given = {**{p.name: p.default for p in self.parameters if p.default is not None}, **args}
        return Event(self.name, tuple((p.name, given[p.name]) for p in self.parameters))

    def action(self, args: Iterable[tuple[str, Value]], view: View | None = None) -> Action:
        """The ground action of an event.

        Args:
            args: The arguments, in the order of the parameters.
            view: How fluents are read, if the schema uses a view; None: the action is valid for any state.
        """
        args = tuple(args)
        terms = {p.name for p in self.parameters if p.term}
        given = {name: integer(int(v)) if name in terms else v for name, v in args}
        seen = (view,) if self.viewed and view else ()
        found: Action = calling(f"the event {self.name}", self.instantiate, *seen, **given)
        return replace(found, args=args) if terms else found
