"""What depends on an order that the rules do not give: of evaluation, and of events of one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vclogic.check.checked_rules import Topic
from vclogic.check.findings import Finding
from vclogic.check.oracle import Desk
from vclogic.check.outcomes import fresh, pair, rivals
from vclogic.check.steps import After, Steps
from vclogic.encode.evaluator import apply, failed, interpret
from vclogic.encode.unroll import cone, free_state
from vclogic.model.actions import Action
from vclogic.model.fluents import State
from vclogic.model.rules import Outcome
from vclogic.model.transition import SingleActions, one_at_a_time
from vclogic.query.replay import ReplayError
from vclogic.solve.backends.session import Answer
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import and_, any_of, count, eq, ne, not_, xor
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term, variables


def evaluation(desk: Desk) -> Iterator[Finding]:
    """VC102: one step meets two sides' outcomes, and the record of who was first names one of them."""
    latched = desk.system.winner in desk.system.layout.slot  # else nothing is recorded: it is judged anew each time
    recorded = latched or any(o.lost is not FALSE for o in desk.system.outcomes)
    if not recorded or not desk.wants("VC102"):
        return
    steps, before = None, fresh(desk)
    for a, b in rivals(desk):
        both = _met(a, b)
        if desk.possible(both).verdict == "unsat":
            continue
        about = pair("VC102", a, b)
        steps = steps or Steps(desk)
        found = steps.lead(about, _met_after(before, both))
        if found.witness is not None and found.after is not None:
            first = _recorded(desk, found.after) or "one of them"
            message = (
                f"one step meets {a.name} of the {a.side} side and {b.name} of the {b.side} side; {first} is recorded"
            )
            yield about.finding(message, witness=found.witness)


def _met(a: Outcome, b: Outcome) -> Term:
    return and_(a.timing, a.condition.holds, b.timing, b.condition.holds)


def _met_after(before: Term, both: Term) -> Callable[[After], list[Term]]:
    return lambda after: [before, after(both)]


def _recorded(desk: Desk, state: State) -> str | None:
    winner, layout = desk.system.winner, desk.system.layout
    return None if winner is None else str(layout.values(state)[winner]) if winner in layout.slot else None


# ---- events of one moment


def races(desk: Desk) -> Iterator[Finding]:
    """VC401: two events of one moment whose order decides who wins."""
    if not desk.wants("VC401"):
        return
    for moment in desk.system.moments:
        about = Topic("VC401", moment.name, moment.cites, moment.made)
        yield from Race(desk, about, tuple(moment.actions())).findings()


@dataclass(frozen=True)
class Race:
    """Some actions that may happen in either order.

    Attributes:
        desk: Where to ask.
        about: What the finding would be about.
        actions: The actions.
    """

    desk: Desk
    about: Topic
    actions: Sequence[Action]

    def findings(self) -> Iterator[Finding]:
        """The finding that the order of two of them decides who wins, if it does."""
        desk, outcomes = self.desk, self.desk.system.outcomes
        full = one_at_a_time(self.actions, "")
        needed, smaller = cone(full, [t for o in outcomes for t in (o.now, o.won)])
        if not smaller.choices:
            return
        state = free_state(needed)
        one = {c: var(f"one {c.name}", BOOL) for c in smaller.choices}
        other = {c: var(f"other {c.name}", BOOL) for c in smaller.choices}
        laws, first = _ways(smaller, state, one, other)
        more, second = _ways(smaller, state, other, one)
        sides = [s for s in desk.system.sides if any(o.side == s for o in outcomes)]
        differ = any_of(xor(_first_to_win(desk, s, first), _first_to_win(desk, s, second)) for s in sides)
        wanted = and_(fresh(desk), not_(any_of(o.now for o in outcomes)), *laws, *more, differ)
        answer = desk.possible(wanted)
        if answer.verdict == "unknown":
            desk.give_up(self.about, desk.bound(answer))
        elif answer.verdict == "sat":
            yield self._finding(smaller, wanted, answer, one, other)

    def _finding(
        self,
        transition: SingleActions,
        wanted: Term,
        found: Answer,
        one: Mapping[Term, Term],
        other: Mapping[Term, Term],
    ) -> Finding:
        desk = self.desk
        fluents = [v for v in variables(wanted, *desk.bearing(wanted)) if v in desk.system.layout.slot]
        changes = count(ne(f, desk.start[f]) for f in fluents)
        best, minimal = desk.fewest(changes, wanted, found)
        a = next(transition.actions[c] for c, v in one.items() if best.values.get(v))
        b = next(transition.actions[c] for c, v in other.items() if best.values.get(v))
        state = desk.position(best, fluents)
        results = [self._played(state, order) for order in ((a, b), (b, a))]
        if results[0] == results[1]:
            raise ReplayError("a race of the solver's that is none")
        then = tuple(
            f"first {_said(desk, state, x)}, then {_said(desk, state, y)}: {result}"
            for (x, y), result in zip(((a, b), (b, a)), results, strict=True)
        )
        message = f"the order of {a.key} and {b.key}, which happen at one moment, decides who wins"
        return self.about.finding(message, witness=desk.witness(state, minimal=minimal, then=then))

    def _played(self, state: State, order: Iterable[Action]) -> str:
        """Who is first to win, played in Python.

        Raises:
            ReplayError: One of the actions is not legal.
        """
        system = self.desk.system
        for action in order:
            if failed(system, state, action):
                raise ReplayError(f"{action.key} is not legal in a race of the solver's")
            state = apply(system, state, action)
            won = [o.side for o in system.outcomes if interpret(o.now, system.layout.slot, state)]
            if won:
                return " and ".join(f"the {side} side wins" for side in dict.fromkeys(won))
        return "nobody wins"


def _ways(
    transition: SingleActions, state: Mapping[Term, Term], one: Mapping[Term, Term], other: Mapping[Term, Term]
) -> tuple[list[Term], tuple[Substitution, Substitution]]:
    """One action and then another: what makes that legal, and the terms after each of them."""
    laws: list[Term] = []
    now, seen = dict(state), []
    for chosen in (one, other):
        here = Substitution({**now, **chosen})
        laws += [here(t) for t in transition.legality]
        laws.append(eq(count(chosen.values()), 1))
        now = {f: here(transition.next.get(f, f)) for f in now}
        seen.append(Substitution(now))
    return laws, (seen[0], seen[1])


def _first_to_win(desk: Desk, side: str, after: tuple[Substitution, Substitution]) -> Term:
    """That a side wins after the first of two actions, or after the second where nobody did before."""
    ours = any_of(o.now for o in desk.system.outcomes if o.side == side)
    anybody = any_of(o.now for o in desk.system.outcomes)
    first, second = after
    return any_of([first(ours), and_(not_(first(anybody)), second(ours))])


def _said(desk: Desk, state: State, action: Action) -> str:
    return action.text if isinstance(action.text, str) else action.text(desk.system.layout.values(state))
