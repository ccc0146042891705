"""Compare two rule sets: find the nearest position in which they disagree, or prove that they never do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vclogic.clock import ANSWERING, TimeUp, granted
from vclogic.document_keys import TEXT_ONLY
from vclogic.encode.evaluator import apply, compile_term, failed, interpret
from vclogic.encode.product import PARTED, Product
from vclogic.files.setup import Setup
from vclogic.model.actions import Action
from vclogic.model.fluents import State, Value, value
from vclogic.model.sayings import sentences
from vclogic.model.step_text import step_text
from vclogic.model.system import ANY, System
from vclogic.model.transition import actions_of
from vclogic.query.answers import Horizon, ProofText, Recorded, SearchAnswer, Step
from vclogic.query.comparison_points import ComparisonPoint, ComparisonPoints, named_points, shared_events
from vclogic.query.plan_request import Ask
from vclogic.query.reach import in_words
from vclogic.query.replay import ReplayError, as_events, as_steps, played
from vclogic.query.status import value_of
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import ProofMethod, Search
from vclogic.solve.proofs.unreachability import Laws, by_positions
from vclogic.solve.searches.minimal_sets import correction_sets
from vclogic.solve.strategy import Question, step_by_step
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables


@dataclass(frozen=True)
class SideRuling:
    """The answer of one rule set in a comparison.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        settings: The options and readings in which it differs from the other one.
        value: Its answer; None where that is undefined. For an event: whether it is allowed.
        text: Why, for an event that is refused.
        cites: Clause ids.
    """

    game: str
    settings: Mapping[str, int | str]
    value: Value | None = None
    text: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Comparison(SearchAnswer):
    """A disagreement between two rule sets, or the proof that there is none.

    Attributes:
        a: The first one, and what it says where they differ.
        b: The second one.
        status: `equal`, `differ` or `unknown`.
        on: What they disagree on, or what was compared; None: everything.
        others: What else they disagree on in that position.
        position: What has changed there since the start, as the first one has it; None where they do not differ. For
            `unknown`: the fewest changes to a well-formed position in which they would, if that is known; it need not
            be reachable.
        changed: The same in sentences: for `a` as the first one has it, for `b` as the second one has it.
        steps: The shortest record that leads there.
        record: The same as events of a position file of the first one; None where they do not differ.
        proof: Why they never disagree, for `equal`.
        replayed: Whether both have played the record in Python and then disagreed; None without one.
    """

    status: Literal["equal", "differ", "unknown"]
    on: str | None
    others: tuple[str, ...] = ()
    position: Mapping[str, Value] | None = None
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=TEXT_ONLY)
    steps: tuple[Step, ...] = ()
    record: Recorded | None = None
    a: SideRuling
    b: SideRuling
    proof: ProofText | None = None
    replayed: bool | None = None


_ONE = ("merging",)
_UNIT = "step"


@dataclass(frozen=True)
class Side:
    """One side of a comparison: a game and its position."""

    setup: Setup
    state: State

    @property
    def system(self) -> System:
        """The rule set."""
        return self.setup.system

    def says(self, point: ComparisonPoint, state: State, which: str) -> Value | None:
        """Its answer in one of its states; None if it is undefined."""
        return value_of(self.system, state, point.a if which == "a" else point.b)


@dataclass(frozen=True)
class Compared:
    """Two games and the settings of their comparison.

    Attributes:
        a: The first game.
        b: The second game.
        on: What to compare; None: everything.
        within: The largest number of steps.
        numbers: How many values of each numeric argument are compared.
        effort: The resources.
        assumptions: What the answer rests on.
    """

    a: Side
    b: Side
    on: str | None
    within: int | None
    numbers: int
    effort: Effort
    assumptions: tuple[str, ...]

    @property
    def share(self) -> Effort:
        """The share of the resources for the question over all positions."""
        return self.effort.part(budgets.COMPARED_POSITIONS)


def compare(asked: Compared) -> Comparison:
    """Decide whether two rule sets ever disagree.

    Positions are reached by steps that both allow. Points on which both have the same term are equal; the others are
    compared in the present position, then over all well-formed positions, then step by step.

    Raises:
        InputError: The point to compare does not exist in both games.
    """
    a, b = asked.a.system, asked.b.system
    kind = asked.on if asked.on in a.schemas and asked.on in b.schemas else None
    points = ComparisonPoints(())
    try:
        points = points if kind else named_points(a, b, asked.on)
        here = _differing(asked, points.all, asked.a.state, asked.b.state)
        if here:
            return _differ(asked, here, asked.a.state, asked.b.state, (), points)
        return _over_events(asked, kind, points)
    except TimeUp:
        reason = "the time was up before the search began"
    return replace(_answer(asked, points), status="unknown", reason=reason)


def _over_events(asked: Compared, kind: str | None, points: ComparisonPoints) -> Comparison:
    """Compare, including whether events are allowed.

    Raises:
        TimeUp: The deadline passed while the events were built.
    """
    a, b = asked.a.system, asked.b.system
    asked.effort.progress("looking at possible events")
    known = shared_events(a, b, asked.numbers)
    points += known.points(kind) if kind or asked.on is None else ComparisonPoints((), known.left_out)
    here = _differing(asked, [m for m in points.all if m.kind == "event"], asked.a.state, asked.b.state)
    if here:
        return _differ(asked, here, asked.a.state, asked.b.state, (), points)
    shown = {m.a.value for m in points.all if m.plain}
    product = Product.of(a, b, asked.a.state, asked.b.state, tuple(known.pairs.values()), shown)
    return _decide(asked, product, points)


# ---- where they stand


def _differing(
    asked: Compared, points: Iterable[ComparisonPoint], state_a: State, state_b: State
) -> list[ComparisonPoint]:
    """The points on which they disagree in a given position of each."""
    same = state_a == state_b and asked.a.system.layout.fluents == asked.b.system.layout.fluents
    looked = (m for m in points if not (same and m.same))
    return [m for m in looked if _shown(asked.a.says(m, state_a, "a")) != _shown(asked.b.says(m, state_b, "b"))]


def _shown(answer: Value | None) -> tuple[str, Value | None]:
    """An answer in a form that compares across sorts: true is not 1."""
    return type(answer).__name__, answer


# ---- all positions


def _decide(asked: Compared, product: Product, points: ComparisonPoints) -> Comparison:
    """Prove over all positions that they agree; if that fails, search for a disagreement."""
    parted = [product.parted(j) for j in product.pairs]
    claims = [m for m in (_in_product(m, product) for m in points.all) if m.differs is not FALSE]
    if not claims and all(t is FALSE for t in parted):
        return _equal(asked, ProofText(ProofMethod.IDENTICAL.value, None, None, (), True), points)
    laws = [r.kept for r in product.invariants]
    asked.effort.progress("looking at all positions")
    goal = _telling(claims, laws, asked)
    parting = any_of(and_(j.a.guard, product.of_b(j.b.guard), t) for j, t in zip(product.pairs, parted, strict=True))
    if all(by_positions(t, laws, asked.share) for t in (goal, parting)):
        return _equal(asked, ProofText(ProofMethod.POSITIONS.value, None, None, (), True), points)
    return _search(asked, product, or_(goal, PARTED.fluent), points)


def _telling(claims: Sequence[ComparisonPoint], laws: Sequence[Term], asked: Compared) -> Term:
    """The disjunction of all disagreements, with as few fluents as possible.

    Points of one kind are combined, those with few fluents first, and points that follow from earlier ones are left
    out: whether units may be placed differs only if the limit differs.
    """
    groups: dict[tuple[str, str], list[ComparisonPoint]] = {}
    for m in claims:
        groups.setdefault((m.kind, m.name.partition("(")[0]), []).append(m)
    kept = []
    with asked.effort.session(_ONE) as session:
        session.add(*laws)
        for some in sorted(groups.values(), key=lambda ms: max(len(variables(m.differs)) for m in ms)):
            if session.check(any_of(m.outline for m in some), seconds=budgets.COMPARED_MATTER).verdict != "unsat":
                kept += [m.differs for m in some]
                session.add(not_(any_of(kept[-len(some) :])))
    return any_of(kept)


# ---- step by step


def _search(asked: Compared, product: Product, goal: Term, points: ComparisonPoints) -> Comparison:
    """Search for the shortest record to a disagreement, or prove that there is none."""
    system = product.system(asked.a.state, asked.b.state, goal)
    state = system.layout.state(system.initial)
    ask = Ask(
        game=asked.a.setup.game,
        system=system,
        state=state,
        settings=(),
        side=None,
        opponent=ANY,
        metric=system.metrics[0],
        effort=asked.effort,
        within=asked.within,
    )
    problem = ask.problem(goal)
    actions = actions_of(problem.full)
    # Trying each event once costs less than a session that unrolls steps.
    first = _one_step(system, state, actions.values(), goal) if asked.within != 0 else ()
    if first:
        return _play(asked, first, points)
    near = _nearest(asked, product, goal)
    pause = budgets.COMPARED_PAUSE + budgets.COMPARED_PAUSE_EACH * len(actions)
    pause = min(ask.effort.deadline.left * budgets.COMPARED_PAUSE_SHARE, pause)
    found = step_by_step(Question(problem, ask.effort, pause=pause), Search())
    if found.steps is not None:
        return _play(asked, played(system, state, problem, found).steps, points)
    if found.proof:
        proof = found.proof
        text = ProofText(proof.method.value, proof.k, None, in_words(proof.invariant), proof.rechecked)
        return _equal(asked, text, points)
    if found.exhausted:
        return _equal(
            asked, ProofText(ProofMethod.BOUNDED.value, None, Horizon(asked.within, _UNIT), (), False), points
        )
    refuted = (found.depth or 0) - 1
    looked = f"they agree within {refuted} step{'s' * (refuted > 1)}; " if refuted > 0 else ""
    told = {} if near is None else {"a": _told(asked.a, near)}
    return replace(
        _answer(asked, points), status="unknown", reason=looked + found.reason, position=near, changed=told
    )


def _nearest(asked: Compared, product: Product, goal: Term) -> Mapping[str, Value] | None:
    """The fewest changes that lead to a well-formed position of disagreement, reachable or not."""
    layout = asked.a.system.layout
    if any(f not in layout.slot for f in product.copies):
        return None
    tied = {copy: f for f, copy in product.copies.items()}
    apart = substitute(goal, {PARTED.fluent: FALSE, **tied})
    laws = [substitute(r.kept, tied) for r in product.laws]
    terms = [apart, *Laws(laws).bearing(apart)]
    found = correction_sets(terms, layout.constants(asked.a.state), 1, asked.share)
    if not found.sets:
        return None
    state = list(asked.a.state)
    for v, n in found.sets[0].items():
        state[layout.slot[v]] = n
    if not interpret(all_of(terms), layout.slot, state):
        raise ReplayError("a position in which they do not disagree")
    return {v.name: value(v.sort, n) for v, n in found.sets[0].items()}


def _one_step(system: System, state: State, actions: Iterable[Action], goal: Term) -> tuple[Step, ...]:
    """A step that leads to the goal at once, found by trying all; None without one."""
    holds = compile_term(goal, system.layout.slot)
    for action in actions:
        if not failed(system, state, action) and holds(apply(system, state, action)):
            return tuple(as_steps([step_text(action, system.layout.values(state))], 0, None))
    return ()


def _in_product(point: ComparisonPoint, product: Product) -> ComparisonPoint:
    """A point, as a term over the product's fluents."""
    if not product.copies:
        return point
    b = Partial(product.of_b(point.b.value), product.of_b(point.b.defined))
    return replace(point, b=b)


@granted(ANSWERING)
def _play(asked: Compared, steps: tuple[Step, ...], points: ComparisonPoints) -> Comparison:
    """The disagreement after some steps, replayed by each rule set on its own.

    Raises:
        ReplayError: One of them does not allow a step, or they agree in the end.
    """
    states = []
    for side in (asked.a, asked.b):
        state = side.state
        for step, event in zip(steps, as_events(steps), strict=True):
            action = side.system.action(event)
            if failed(side.system, state, action):
                raise ReplayError(f"step {step.n} of the record is not legal")
            state = apply(side.system, state, action)
        states.append(state)
    there = _differing(asked, points.all, states[0], states[1])
    if not there:
        raise ReplayError("the record does not lead to a disagreement")
    return _differ(asked, there, states[0], states[1], steps, points)


# ---- answers


def _answer(asked: Compared, points: ComparisonPoints) -> Comparison:
    a, b = asked.a.setup, asked.b.setup
    of_a, of_b = ({**s.settings.options, **s.settings.readings} for s in (a, b))
    only = [n for n in of_a if n in of_b and of_a[n] != of_b[n]]
    first, second = (SideRuling(s.game, {n: v[n] for n in only}) for s, v in ((a, of_a), (b, of_b)))
    notes = [f"not compared: {x}" for x in dict.fromkeys(points.left_out)]
    few = "the smallest value is" if asked.numbers == 1 else f"the {asked.numbers} smallest values are"
    steps = f"a step is an event that both rule sets allow; of each number in it only {few} tried"
    rests_on = (steps, *notes, *asked.assumptions)
    return Comparison(game=a.game, a=first, b=second, status="unknown", on=asked.on, assumptions=rests_on)


def _equal(asked: Compared, proof: ProofText, points: ComparisonPoints) -> Comparison:
    return replace(_answer(asked, points), status="equal", proof=proof)


_ORDER = ("outcome", "winner", "expression", "observable", "event")


@granted()
def _differ(
    asked: Compared,
    there: Sequence[ComparisonPoint],
    state_a: State,
    state_b: State,
    steps: tuple[Step, ...],
    points: ComparisonPoints,
) -> Comparison:
    first, *others = sorted(there, key=lambda m: _ORDER.index(m.kind))
    answer = _answer(asked, points)
    new = {"a": _changed(asked.a, state_a), "b": _changed(asked.b, state_b)}
    return replace(
        answer,
        status="differ",
        on=first.name,
        others=tuple(m.name for m in others),
        a=_ruled(answer.a, asked.a, first, state_a, "a"),
        b=_ruled(answer.b, asked.b, first, state_b, "b"),
        position=new["a"],
        changed={which: _told(side, new[which]) for which, side in (("a", asked.a), ("b", asked.b))},
        steps=steps,
        record=Recorded(tuple(as_events(steps))),
        replayed=True,
    )


def _changed(side: Side, state: State) -> Mapping[str, Value]:
    """The facts in a state of a rule set that differ from its start."""
    now, before = (side.system.layout.values(s) for s in (state, side.state))
    return {f.name: x for f, x in now.items() if x != before[f]}


def _told(side: Side, facts: Mapping[str, Value]) -> tuple[str, ...]:
    """Facts of a rule set in sentences."""
    return tuple(sentences(side.system.in_words.said(name, x) for name, x in facts.items()))


def _ruled(ruling: SideRuling, side: Side, point: ComparisonPoint, state: State, which: str) -> SideRuling:
    """The answer of one of them in the end, and its reason."""
    says = side.says(point, state, which)
    text, cites = "", point.cites_a if which == "a" else point.cites_b
    if point.pair and not says:
        broken = failed(side.system, state, point.pair.a if which == "a" else point.pair.b)
        values = side.system.layout.values(state)
        text = "; ".join(r.said(values) for r in broken)
        cites = tuple(c for r in broken for c in r.cites)
    return replace(ruling, value=says, text=text, cites=tuple(dict.fromkeys(c.clause for c in cites)))
