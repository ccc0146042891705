"""The turns ahead, as terms: what each turn may be, and what it leads to, in any position that may come about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.clock import check_deadline
from vclogic.encode.unroll import at, narrowed
from vclogic.model.fluents import numbered
from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, eq, in_mask, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, conjuncts, variables

Valuation = Mapping[Term, Term]
"""A term for each variable of a depth: constants in a known position."""
Turn = Mapping[str, int]
"""The choices of a turn: the number of each choice that is made, by its name."""
_FARTHEST = 64  # turns after one's last one that are looked at


class UnknownMover(ValueError):
    """The side on turn depends on what happens before."""


@dataclass(frozen=True)
class Ply:
    """One turn ahead, whatever came before it.

    Attributes:
        ours: Whether the planning side decides it.
        choices: What is decided.
        laws: What must hold, over the variables of this depth and the choices.
        open: What it needs whatever is chosen, over the variables of this depth.
        passing: Whether it may pass without a choice, or surely has another, over the variables of this depth.
        after: The variables of the next depth, each with its value over those of this depth and the choices.
        due: Of a choice that another side has within a turn: Bool over fluents, whether it has to be made; else the
            turn does not take place. None: it is a whole turn.
    """

    ours: bool
    choices: Mapping[str, Term]
    laws: Sequence[Term]
    open: Term
    passing: Term
    after: Mapping[Term, Term]
    due: Term | None = None

    @property
    def counts(self) -> bool:
        """True if it is a turn of the planning side that counts."""
        return self.ours and self.due is None


@dataclass(frozen=True)
class Ahead:
    """The turns ahead of a known position.

    Attributes:
        start: The value of each fluent that matters.
        plies: The turns.
        goals: The goal before each turn and after the last, over the variables of that depth.
        fluents: For each depth the value or variable of each fluent that matters.
    """

    start: Valuation
    plies: Sequence[Ply]
    goals: Sequence[Term]
    fluents: Sequence[Valuation]

    @property
    def depth(self) -> int:
        """The number of turns that are looked at."""
        return len(self.plies)

    def block(self, i: int) -> int:
        """The end of the turns of whoever decides turn `i`: the depth of the next one who decides, or the last."""
        j = i + 1
        while j < self.depth and self.plies[j].ours == self.plies[i].ours:
            j += 1
        return j


def mover(step: Transition, state: Valuation) -> str:
    """The side or power whose turn a step is, in a state that decides it.

    Raises:
        UnknownMover: The step is no turn of one side, or the state does not decide whose.
    """
    found = None if step.mover is None else Substitution(state)(step.mover)
    if found is None or not found.is_const:
        raise UnknownMover("whose turn it is depends on what happens before")
    return str(found.value)


def ahead(
    transition: Transition,
    start: Valuation,
    goal: Term,
    ours: Callable[[str], bool],
    within: int,
    *,
    idle: bool = False,
    later: bool = False,
) -> Ahead:
    """The turns up to some number of one's own, and those of others that follow at once.

    Args:
        transition: The step, with all that both sides may choose.
        start: The constant value of each fluent that matters.
        goal: Bool, over fluents.
        ours: Whether a turn of a side or power is one of the planning side.
        within: How many turns of one's own.
        idle: Whether the other side does nothing after the very first turn.
        later: Whether the goal only counts once a turn has been played.

    Raises:
        UnknownMover: Whose turn it is depends on what happens before, or no side's.
    """
    states: list[dict[Term, Term]] = [dict(start)]
    plies: list[Ply] = []
    own = 0
    # Between two turns of one's own others may have several, but the look ahead has to end.
    while len(plies) < within * _FARTHEST + _FARTHEST:
        step = transition.at(states[-1])
        own_turn = ours(mover(step, states[-1]))
        if own_turn and step.due is FALSE and own == within:
            break
        found = _ply(step, states[-1], len(plies), own_turn, idle and bool(plies) and not own_turn)
        if found is None:
            break
        ply, state = found
        own += ply.counts
        plies.append(ply)
        states.append(state)
    goals = [Substitution(state)(FALSE if later and not i else goal) for i, state in enumerate(states)]
    return Ahead(start, plies, goals, states)


def _ply(
    step: Transition, state: Mapping[Term, Term], depth: int, ours: bool, passes: bool
) -> tuple[Ply, dict[Term, Term]] | None:
    """A turn from a state whose fluents are variables, and the state after it; None if none is legal."""
    chosen = {c: at(c, depth) for c in step.choices}
    here = Substitution({**state, **chosen})
    laws = [here(law) for law in step.legality]
    never: dict[Term, Term] = {v: numbered(v, 0) for v in chosen.values()} if passes else {}
    laws = list(map(Substitution(never), laws)) if passes else laws
    decided = set(chosen.values())
    # A choice that a law rules out is dropped, which may rule out others.
    while dead := {v for law in laws for v in refused(law) if v in decided}:
        never |= dict.fromkeys(dead, FALSE)
        gone = Substitution(dict.fromkeys(dead, FALSE))
        laws = [gone(law) for law in laws]
    laws = [law for law in dict.fromkeys(laws) if law is not TRUE]
    if FALSE in laws:
        return None
    gone = Substitution(never)
    following, after = dict(state), {}
    for fluent in state:
        check_deadline()
        if fluent in step.next:
            value = gone(here(step.next[fluent]))
            # A variable in place of the value: else each turn would repeat the terms of all turns before it.
            if not value.is_const:
                value_here, value = value, narrowed(fluent, depth + 1, value)
                after[value] = value_here
            following[fluent] = value
        elif not state[fluent].is_const:
            after[state[fluent]] = state[fluent]
    choices = {c.name: v for c, v in chosen.items() if v not in never}
    none = Substitution({v: numbered(v, 0) for v in choices.values()})
    decided = set(choices.values())
    always = all_of(law for law in laws if decided.isdisjoint(variables(law)))
    due = None if step.due is FALSE else step.due
    passing = always if step.one_choice and not passes else all_of(none(law) for law in laws)
    return Ply(ours, choices, laws, always, passing, after, due), following


def refused(law: Term) -> Iterable[Term]:
    """The Bool variables that a law rules out by itself."""
    for part in conjuncts(law):
        if part.op is Op.NOT:
            inner = part.args[0]
            yield from (v for v in (inner.args if inner.op is Op.OR else (inner,)) if v.op is Op.VAR)


def number_of(constant: Term) -> int:
    """The number of a constant, as in a state."""
    return int(constant.payload)


def is_made(choice: Term) -> Term:
    """A Bool term: something is chosen."""
    if choice.is_bool:
        return choice
    return in_mask(choice, choice.mask & ~1) if isinstance(choice.sort, EnumSort) else not_(eq(choice, 0))
