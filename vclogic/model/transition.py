"""The step of a planning model: choices, laws and next values; and constructors of steps from actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace

from vclogic.model.actions import Action, Event
from vclogic.model.battles import Fight
from vclogic.model.lazy import LazyMapping, LazySequence
from vclogic.model.step_text import StepText, Values, step_text
from vclogic.terms.atoms import FALSE, TRUE, constant, integer, var
from vclogic.terms.build import any_of, count, eq, implies, in_mask, ite, le, linear
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term, variables

Chosen = Mapping[Term, int]
"""The number of each choice of a step, as a state's numbers."""
Wanted = Set[Term]
"""Some fluents."""


@dataclass(frozen=True)
class Cut:
    """A redundant constraint, which holds in all plans.

    It tightens the LP relaxation.

    Attributes:
        family: What kind of cut it is, in plain words.
        term: Bool, over the fluents and choices of a step, or over those of all steps.
        argued: Whether it rests on an argument that the program does not check. Else it follows from the laws of the
            steps by what its family's module works out.
    """

    family: str
    term: Term
    argued: bool = False


@dataclass(frozen=True)
class Judged:
    """The verdict of a judge (`Lemmas`) on the steps of a plan that a solver found.

    Attributes:
        lemmas: Bool terms over the variables of these steps. They are true in every plan, if each choice of a price
            that the judge sets (`instead`) is set as it sets it. Where the solution is no plan, or costs more than it
            says, one of them is false in it; where there is none, the judge has nothing to say against it.
        instead: Variables that have another value in the plan that these steps are: such as a price that the solver
            set too low, with what is to be paid. None: they are no plan, whatever the prices.
    """

    lemmas: tuple[Term, ...] = ()
    instead: Mapping[Term, int] | None = field(default_factory=dict)


@dataclass(frozen=True)
class Lemmas:
    """Constraints on plans beside the laws of their steps, added on demand: lazy lemmas, as in SMT.

    It is for what no formula of a useful size says, and what can be computed for any plan: what a battle is expected
    to cost with these units, or whether what is left of them holds a place. A solver gets the lemmas that are told
    `first`, and solves; `judge` says what a solution breaks, in lemmas that hold in all plans and that this one
    breaks; the solver gets these too and solves again. What it finds is a bound in any case, and a plan once nothing
    is broken. So that this ends, the lemmas must exclude each solution that they were made for, and there must be
    finitely many solutions.

    An idle step, in which nothing is chosen, costs nothing and breaks no lemma: a plan may end early. A choice of
    which only lemmas speak must stand in a law too; else it is left out as one without effect.

    A method that does not know lemmas must not answer where there are any; a proof that there is no plan holds
    without them too.

    Attributes:
        first: The lemmas that are told from the start, given the steps of the unrolling.
        judge: What is wrong with a solution, given its steps and the value of each of their variables.
    """

    first: Callable[[Sequence[TakenStep]], Iterable[Term]]
    judge: Callable[[Sequence[TakenStep], Chosen], Judged]


@dataclass(frozen=True)
class Hints:
    """Hints for planners; they do not change which plans exist, `lemmas` excepted.

    Attributes:
        cheapest: The least cost of a step that changes anything; a step that changes nothing can be left out.
        idle: The fluents that change in a counted stretch of steps in which nothing is done, where such a stretch can
            be left out of any plan for a goal that reads none of them, unless it is the last one; then whatever is
            done must cost at least 1. None: that is not so.
        bounds: What some fluents are known to lie between after the step, where that is closer than what their
            next values show on their own: it must follow from how they came about.
        step_bound: Given a cost, a number of steps such that any plan of at most that cost can be made in as many; so
            a search that has looked at as many need not go on. None: no such number is known.
        resting: The step in which nothing is chosen, where whatever is chosen costs at least 1. None: that is not so.
        fewest_choices: Whether a plan is to be shown with as few choices as its steps and its cost allow, where that
            is found fast: for costs that do not count what is chosen.
        cuts: Cuts of the step.
        cuts_of_all: Of what is unrolled: given all steps of a plan, cuts over their choices together.
        lemmas: Of what is unrolled: what plans must satisfy beside the laws.
        second_cost: Of a step: Int over fluents and choices, what is to be least among plans of the same cost, where
            that is found fast; nothing is proved of it. None: nothing.
        rather: Of a step from a known state, or of single events: what a player would rather choose than what was
            chosen, at the same cost, best first; each is better than what was chosen. A plan is shown with what
            leaves it a plan. None: nothing.
    """

    cheapest: int = 0
    idle: Set[Term] | None = None
    bounds: Mapping[Term, tuple[int, int]] = field(default_factory=dict)
    step_bound: Callable[[int], int] | None = None
    resting: Transition | None = None
    fewest_choices: bool = False
    cuts: Sequence[Cut] = ()
    cuts_of_all: Callable[[Sequence[TakenStep]], Iterable[Cut]] | None = None
    lemmas: tuple[Lemmas, ...] = ()
    second_cost: Term | None = None
    rather: Callable[[Chosen], Iterable[Chosen]] | None = None


@dataclass(frozen=True)
class TakenStep:
    """A step at a position of an unrolling.

    Attributes:
        step: The step.
        here: Puts the variables of this place in the sequence for the step's fluents and choices.
    """

    step: Transition
    here: Callable[[Term], Term]


@dataclass(frozen=True)
class Transition:
    """One step: the choices, the laws that they must satisfy, and the next state.

    Attributes:
        choices: Variables that the step decides: Bool, bounded Int, or Enum whose first member says that nothing is
            done.
        legality: Bool terms over fluents and choices, all of which must hold.
        next: Each fluent's next value over fluents and choices; a fluent left out stays.
        cost: What the step adds to the metric, Int over fluents and choices.
        describe: Says what was chosen (given the values before the step), for a plan's reader.
        counts: Bool over fluents: whether the step counts towards the horizon.
        mover: The side or power whose turn the step is, an Enum term over fluents; None where a step is no turn of
            one side.
        hints: What a planner may make use of.
        events: The events of a record that a choice comes to, in an order; None where what `describe` says is one
            event each.
        taken: The action that is taken where a condition over the choices holds, if these are all events that choices
            come to; None where that is not known.
        fights: The battles that choices can bring about, where the defenders are known.
        due: Bool over fluents: whether a turn is under way in which another side than that on turn has to choose
            something before it is over, such as what it loses; no goal is looked at then. Of a step that is only
            about such a choice (its `mover` makes it): where it is not due, the step does not take place.
        one_choice: Whether it is one of the choices that are Bool, no more and no fewer, and one is legal wherever
            the laws hold that speak of fluents alone.
        passed: Where turns begin or end within the step: what the facts are there, in their order, over fluents and
            choices; a fact left out is as before the step. Facts that remember change there too.
    """

    choices: tuple[Term, ...]
    legality: Sequence[Term]
    next: Mapping[Term, Term]
    cost: Term
    describe: Callable[[Chosen, Values], Sequence[StepText]]
    counts: Term = TRUE
    mover: Term | None = None
    hints: Hints = field(default_factory=Hints)
    events: Callable[[Chosen], Sequence[Event]] | None = None
    taken: Mapping[Term, Action] | None = None
    fights: Sequence[Fight] = ()
    due: Term = FALSE
    one_choice: bool = False
    passed: Sequence[Mapping[Term, Term]] = ()

    @property
    def scoped(self) -> bool:
        """True if the step is built per state; see `Scoped`."""
        return False

    @property
    def touched(self) -> Set[Term]:
        """The fluents that it can change."""
        return self.next.keys()

    def at(self, state: Mapping[Term, Term], wanted: Wanted | None = None) -> Transition:
        """The step from a state of which each fluent's value is known, or at least its bounds.

        Args:
            state: A term for each fluent.
            wanted: The fluents that matter after it, or None if any may.
        """
        return self


@dataclass(frozen=True, kw_only=True)
class SingleActions(Transition):
    """A step of at most one ground action; the terms of its laws and effects are built lazily.

    Attributes:
        actions: The action of each choice.
        metric: What its cost counts.
        looked_at: The fluents that the step is said to change, where it changes others too that do not matter; None:
            all that its actions change.
    """

    actions: Mapping[Term, Action]
    metric: str
    looked_at: Wanted | None = None

    @property
    def touched(self) -> Set[Term]:
        """The fluents that it can change."""
        changed = {f for a in self.actions.values() for f, _ in a.effects}
        return changed if self.looked_at is None else changed & self.looked_at

    def only(self, choices: Set[Term], looked_at: Wanted | None = None) -> SingleActions:
        """The step restricted to some of its choices.

        Args:
            choices: Those that stay.
            looked_at: The fluents that matter after it; None: as before.
        """
        stay = {taken: action for taken, action in self.actions.items() if taken in choices}
        return self.over(stay, looked_at)

    def over(self, actions: Mapping[Term, Action], looked_at: Wanted | None = None) -> SingleActions:
        """The step with other actions of the same metric.

        Args:
            actions: The choice and action.
            looked_at: The fluents that matter after it; None: as before.
        """
        other = _single(actions, self.metric, self.looked_at if looked_at is None else looked_at)
        return replace(other, describe=self.describe, counts=self.counts, hints=self.hints, events=self.events)


@dataclass(frozen=True, kw_only=True)
class Scoped(Transition):
    """A step that is built for the possible values of its state, without choices for units that cannot be there.

    It has no choices of its own; what it says of fluents is what becomes of them whatever is chosen.

    Attributes:
        scope: Builds the step for a state (a term for each fluent, with its bounds) and for the fluents that matter
            after it (None: any may). So there are no choices for units that cannot be there by then, or that could do
            nothing of use; those left out must cost nothing when not chosen.
        reads: The fluents that its choices depend on, given the values that are the same whatever is chosen; given
            None, those that any step may depend on.
        known: The fluents of which a step must be told the values; all others can be left open. Its choices are then
            all that can be chosen in any of these states, and what follows from them is what it says; what it asks of
            them may be too much. None: it cannot be built so, and nothing is proved over all steps.
    """

    choices: tuple[Term, ...] = ()
    legality: Sequence[Term] = ()
    cost: Term = field(default_factory=lambda: integer(0))
    describe: Callable[[Chosen, Values], Sequence[StepText]] = lambda chosen, values: ()
    scope: Callable[[Mapping[Term, Term], Wanted | None], Transition]
    reads: Callable[[Mapping[Term, Term] | None], tuple[Term, ...]]
    known: tuple[Term, ...] | None = None

    @property
    def scoped(self) -> bool:
        """Always true."""
        return True

    def at(self, state: Mapping[Term, Term], wanted: Wanted | None = None) -> Transition:
        """The step from a state of which each fluent's value is known, or at least its bounds; see `Transition`."""
        return self.scope(state, wanted)


def actions_of(transition: Transition) -> Mapping[Term, Action]:
    """The ground action of each choice if the step is a single action; else empty."""
    return transition.actions if isinstance(transition, SingleActions) else {}


def plain(transition: Transition) -> Transition:
    """The same step as a plain `Transition`."""
    return Transition(**{f.name: getattr(transition, f.name) for f in fields(Transition)})


def unpriced(choices: Iterable[Term], legality: Iterable[Term], following: Mapping[Term, Term]) -> Transition:
    """A step without cost and description, for proofs.

    Args:
        choices: What is decided.
        legality: What must hold, over fluents and choices.
        following: Each fluent's next value; one that is left out stays.
    """
    return Transition(
        choices=tuple(choices),
        legality=tuple(t for t in legality if t is not TRUE),
        next=following,
        cost=integer(0),
        describe=lambda chosen, values: (),
    )


def one_at_a_time(actions: Iterable[Action], metric: str) -> SingleActions:
    """The step that takes at most one of the actions."""
    return _single({var(a.key, BOOL): a for a in actions}, metric)


def _single(choice: Mapping[Term, Action], metric: str, looked_at: Wanted | None = None) -> SingleActions:
    """The step that takes at most one action, given the choice of each; see `SingleActions`."""
    return SingleActions(
        choices=tuple(choice),
        legality=LazySequence(
            lambda: (*(implies(taken, a.guard) for taken, a in choice.items()), le(count(choice), 1))
        ),
        next=LazyMapping(lambda: _after(choice, looked_at)),
        cost=linear((a.costs.get(metric, 0), taken) for taken, a in choice.items()),
        describe=lambda chosen, values: [step_text(a, values) for t, a in choice.items() if chosen[t]],
        hints=Hints(cheapest=min((a.costs.get(metric, 0) for a in choice.values()), default=0)),
        actions=choice,
        metric=metric,
        looked_at=looked_at,
    )


def all_at_once(
    actions: Iterable[Action] | Mapping[Term, Action],
    then: Action,
    cost: Term,
    *,
    counts: Term = TRUE,
    laws: Iterable[Term] = (),
) -> Transition:
    """The step that takes any set of the actions, all judged in the state before it, and then `then`.

    No two actions of a step may give one fluent different values.

    Args:
        actions: What may be done in the step: each is a choice, or is taken where any of some choices is made (their
            disjunction).
        then: What ends the step, over the state that the actions leave; such as the end of a turn.
        cost: What a step adds to the metric.
        counts: Whether a step counts towards the horizon.
        laws: What else the choices of a step must satisfy, over fluents and choices.
    """
    choice = actions if isinstance(actions, Mapping) else {var(a.key, BOOL): a for a in actions}
    legality = [*laws, *(implies(taken, a.guard) for taken, a in choice.items())]
    legality += _no_conflicts(choice)
    # All actions read the state before the step, and `then` the state after them.
    middle = _after(choice)
    at_end = Substitution(middle)
    following = {**middle, **{fluent: at_end(new) for fluent, new in then.effects}}

    def describe(chosen: Chosen, values: Values) -> list[StepText]:
        done = [a for t, a in choice.items() if any(chosen[c] for c in made_of[t])]
        return [step_text(a, values) for a in done] or [step_text(then, values)]

    made_of = {taken: variables(taken) for taken in choice}
    return Transition(
        choices=tuple(dict.fromkeys(c for choices in made_of.values() for c in choices)),
        legality=(*legality, at_end(then.guard)),
        next=following,
        cost=cost,
        describe=describe,
        counts=counts,
        taken=choice,
    )


def _no_conflicts(choice: Mapping[Term, Action]) -> list[Term]:
    by_fluent: dict[Term, dict[Term, list[Term]]] = {}
    for taken, a in choice.items():
        for fluent, new in a.effects:
            by_fluent.setdefault(fluent, {}).setdefault(new, []).append(taken)
    different = (values for values in by_fluent.values() if len(values) > 1)
    return [le(count(map(any_of, values.values())), 1) for values in different]


def then_maybe(transition: Transition, action: Action | None) -> Transition:
    """The step that is either the transition or a single action, such as the tail of a plan."""
    if action is None:
        return transition
    instead = var(action.key, BOOL)
    following = dict(transition.next)
    alone = isinstance(transition, SingleActions)  # then all stays where no action is taken
    stays = {} if alone else {f: f for f in transition.next}
    for fluent, new in {**stays, **dict(action.effects)}.items():
        following[fluent] = ite(instead, new, following.get(fluent, fluent))
    laws = [
        implies(instead, action.guard),
        *(implies(instead, undone(c)) for c in transition.choices),
    ]
    return replace(
        plain(transition),
        choices=(*transition.choices, instead),
        legality=(*transition.legality, *laws),
        next=following,
    )


def nothing(choice: Term) -> Term:
    """The value of a choice that is not made."""
    if isinstance(choice.sort, EnumSort):
        return constant(choice.sort, choice.sort.members[0])
    return FALSE if choice.is_bool else integer(0)


def undone(choice: Term) -> Term:
    """The term that nothing is chosen."""
    if isinstance(choice.sort, EnumSort):
        return in_mask(choice, 1)
    return eq(choice, FALSE if choice.is_bool else 0)


def _after(choice: Mapping[Term, Action], looked_at: Wanted | None = None) -> dict[Term, Term]:
    """The next value of each touched fluent; of all, or of the relevant ones."""
    following: dict[Term, Term] = {}
    for taken, action in choice.items():
        for fluent, new in action.effects:
            if looked_at is not None and fluent not in looked_at:
                continue
            following[fluent] = ite(taken, new, following.get(fluent, fluent))
    return following
