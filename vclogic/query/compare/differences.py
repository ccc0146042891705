"""Compare two rule sets: find the nearest position in which they disagree, or prove that they never do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, grace_period
from vclogic.encode.cases import CaseByCase
from vclogic.encode.product import PARTED, Product
from vclogic.encode.python.evaluator import apply, compile_term, failed, interpret
from vclogic.model.fluents import Value, value
from vclogic.model.grounded import number_of
from vclogic.model.step_text import step_text
from vclogic.model.system import ANY
from vclogic.model.transition import actions_of
from vclogic.query.answers import Step
from vclogic.query.compare.answer import Compared, Comparison, answer, differ, differing, equal, facts_in_words
from vclogic.query.compare.points import ComparisonPoint, ComparisonPoints, named_points, shared_events
from vclogic.query.legal.events import Legality
from vclogic.query.reach.all_events import reach_by_events
from vclogic.query.reach.answer import ProofText
from vclogic.query.reach.by_steps import proof_text
from vclogic.query.replay import ReplayError, as_events, as_steps, replay_plan, turn_of
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claims
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Incumbent, ProofMethod
from vclogic.solve.proofs.unreachability import Laws, by_positions
from vclogic.solve.searches import all_positions
from vclogic.solve.searches.minimal_sets import correction_sets
from vclogic.solve.strategy import step_by_step
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_, any_of, not_, or_
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables

_ONE = ("merging",)
_SAID = ("outcome", "winner", "expression", "observable")
_FEW_GOALS = 4
_MOST_EVENTS = 2_000  # legal events that are tried
_PLAYED = 0.5  # of the time is for play by one of them


def compare(asked: Compared) -> Comparison:
    """Decide whether two rule sets ever disagree.

    Positions are reached by steps that both allow. Points on which both have the same term are equal; the others are
    compared in the present position and after one event, then over all well-formed positions, then in all positions
    that play reaches, or step by step. In large games play that shows a difference is looked for before that.

    Raises:
        InputError: The point to compare does not exist in both games.
    """
    a, b = asked.a.system, asked.b.system
    kind = asked.on if asked.on in a.schemas and asked.on in b.schemas else None
    points, looked = ComparisonPoints(()), False
    try:
        points = points if kind else named_points(a, b, asked.on)
        here = differing(asked, points.all, asked.a.state, asked.b.state)
        if here:
            return differ(asked, here, asked.a.state, asked.b.state, (), points)
        asked, unlike = _unlike(asked, points)
        # Of few events all positions are looked at soon, which gives the shortest record.
        many = number_of(a.events) > all_positions.MOST_EVENTS and not all(m.same for m in unlike.all)
        at_once = None
        if many and not kind:
            at_once = _by_one_event(asked, unlike) or _by_play(asked, unlike, budgets.COMPARED_GLANCE)
        looked = many and not kind
        return at_once or _over_events(asked, kind, unlike)
    except TimeUp:
        reason = "the time was up before the search began"
        if looked:
            reason = "no play that shows a difference was found soon; the time was up before a longer search began"
    return replace(answer(asked, points), status="unknown", reason=reason)


def _unlike(asked: Compared, points: ComparisonPoints) -> tuple[Compared, ComparisonPoints]:
    """The points without those that are the same once both count case by case, as the laws allow; with that assumed.

    So one may count the places in which something stands, and the other what stands there.
    """
    a, b = asked.a.system, asked.b.system
    if a.layout.fluents != b.layout.fluents:
        return asked, points
    asked.effort.progress("looking at all positions")
    some = [m for m in points.all if not m.same and m.a.defined is m.b.defined]
    counted = CaseByCase(t for m in some for t in (m.a.value, m.b.value))
    alike = [m for m in some if counted(m.a.value) is counted(m.b.value)]
    goal, checked = any_of(counted.exclusive), [*a.checked]
    proof = by_positions(goal, [r.kept for r in (*a.invariants, *checked)], asked.share) if alike else None
    if proof is None:
        return asked, points
    if checked and goal is not FALSE:
        said = f"play keeps to what positions are checked for: {checked[-1].text} ({len(checked)} laws in all)"
        asked = replace(asked, assumptions=(*asked.assumptions, said))
    left = tuple(m for m in points.all if m not in alike)
    return asked, ComparisonPoints(left, points.left_out, ProofMethod.POSITIONS, proof.claims)


def _over_events(asked: Compared, kind: str | None, points: ComparisonPoints) -> Comparison:
    """Compare, including whether events are allowed.

    Raises:
        TimeUp: The deadline passed while the events were built.
    """
    a, b = asked.a.system, asked.b.system
    asked.effort.progress("looking at possible events")
    known = shared_events(a, b, asked.numbers)
    points += known.points(kind) if kind or asked.on is None else ComparisonPoints((), known.left_out)
    here = differing(asked, [m for m in points.all if m.kind == "event"], asked.a.state, asked.b.state)
    if here:
        return differ(asked, here, asked.a.state, asked.b.state, (), points)
    shown = {m.a.value for m in points.all if m.plain}
    product = Product.of(a, b, asked.a.state, asked.b.state, tuple(known.pairs.values()), shown)
    return _decide(asked, product, points)


# ---- all positions


def _decide(asked: Compared, product: Product, points: ComparisonPoints) -> Comparison:
    """Prove over all positions that they agree; if that fails, search for a disagreement."""
    parted = [product.parted(j) for j in product.pairs]
    claims = [m for m in (_in_product(m, product) for m in points.all) if m.differs is not FALSE]
    if not claims and all(t is FALSE for t in parted):
        return equal(asked, _of_positions(asked, points.proof, points.claims), points)
    # Trying each event once costs less than anything that a solver is asked.
    first = _one_step(asked, product, or_(*(m.differs for m in claims), PARTED.fluent)) if asked.within != 0 else ()
    if first:
        return _play(asked, first, points)
    laws = [r.kept for r in product.invariants]
    asked.effort.progress("looking at all positions")
    goal = _telling(claims, laws, asked)
    parting = any_of(and_(j.a.guard, product.of_b(j.b.guard), t) for j, t in zip(product.pairs, parted, strict=True))
    proofs = [points.claims]
    for t in (goal, parting):
        proof = by_positions(t, laws, asked.share)
        if proof is None:
            break
        proofs.append(proof.claims)
    else:
        rests_on = tuple(claim for some in proofs for claim in some)
        return equal(asked, _of_positions(asked, ProofMethod.POSITIONS, rests_on), points)
    return _search(asked, product, or_(goal, PARTED.fluent), points)


def _of_positions(asked: Compared, method: ProofMethod, claims: Claims) -> ProofText:
    """The proof that no position tells them apart, or that all terms are the same."""
    second = asked.effort.confirming_solvers(claims)
    return ProofText(method.value, None, None, (), True, confirmed_by=second)


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


# ---- play by one of them


def _by_one_event(asked: Compared, points: ComparisonPoints) -> Comparison | None:
    """A disagreement after one event that is legal now, the first one in the order of the rules.

    So many events at most, whatever time that takes: the same question has the same answer.
    """
    a, b, looked = asked.a.system, asked.b.system, 0
    claims = [m.differs for m in points.all if not m.same]
    known = all(f in a.layout.slot for f in variables(*claims))
    if asked.within == 0 or a.layout.fluents != b.layout.fluents or not known:
        return None
    asked.effort.progress("looking at what may happen next")
    differs = compile_term(any_of(claims), a.layout.slot)
    legality, values = Legality(a, asked.a.state, None), a.layout.values(asked.a.state)
    for kind in (legality.kind(schema, {}) for schema in a.events if schema.name in b.schemas):
        for arguments in (choice for allowed in kind.allowed for choice in allowed.choices()):
            looked += 1
            if looked > _MOST_EVENTS:
                return None
            event = a.schemas[kind.event].event(arguments)
            here, there = a.action(event), b.action(event)
            if failed(b, asked.b.state, there):
                continue
            after = apply(a, asked.a.state, here)
            if after == apply(b, asked.b.state, there) and not differs(after):
                continue
            steps = as_steps([step_text(here, values)], 0, turn_of(a, values))
            found = _together(asked, steps, points, shortest=True)
            if found is not None:
                return found
    return None


def _by_play(asked: Compared, points: ComparisonPoints, most: float) -> Comparison | None:
    """A disagreement that play by the first rule set leads to, as both play it; None where none was found.

    Where both have the same facts, a disagreement is a goal like any other. The record need not be the shortest.

    Args:
        asked: What is asked.
        points: The points of comparison.
        most: Seconds.
    """
    a = asked.a.system
    effort = asked.effort.part(_PLAYED, most)
    goals = _goals(asked, points, effort.part(1 / 4)) if a.metrics else []
    for n, goal in enumerate(goals):
        if effort.deadline.left <= 0:  # a method may take longer than its share
            break
        asked.effort.progress("looking for play that shows a difference")
        resolved = ResolvedQuestion(
            game=asked.a.setup.game,
            system=a,
            state=asked.a.state,
            settings=(),
            side=None,
            opponent=ANY,
            metric=next((m for m in a.metrics if not m.idle_only), a.metrics[0]),
            effort=effort.part(1 / (len(goals) - n)),
            within=asked.within,
            goal=Goal("", goal),
        )
        try:
            steps = reach_by_events(resolved, assumed=True).steps
        except TimeUp:  # its own: with the time of all, whatever comes next notices
            continue
        together = _together(asked, steps, points, shortest=False)
        if together is not None:
            return together
    return None


def _goals(asked: Compared, points: ComparisonPoints, effort: Effort) -> list[Term]:
    """The disagreements that some position may have: on outcomes; where these agree, on anything else."""
    a = asked.a.system
    claims = [m for m in points.all if m.kind in _SAID and not m.same]
    claims = [m for m in claims if all(f in a.layout.slot for f in variables(m.differs))]
    kinds = [[m for m in claims if m.kind == kind] for kind in _SAID]
    first = next(filter(None, kinds), [])
    goals: list[Term] = []
    for m in first:
        x, y = m.a.value, m.b.value
        apart = m.a.defined is m.b.defined and x.is_bool
        goals += [and_(m.a.defined, t) for t in (and_(x, not_(y)), and_(not_(x), y))] if apart else [m.differs]
    if len(goals) > _FEW_GOALS:
        goals = [any_of(m.differs for m in first)]
    laws = [r.kept for r in a.laws]
    return [t for t in dict.fromkeys(goals) if t is not FALSE and not by_positions(t, laws, effort)]


@grace_period(ANSWERING)
def _together(
    asked: Compared, steps: Sequence[Step], points: ComparisonPoints, *, shortest: bool
) -> Comparison | None:
    """The first disagreement on a way that both play, each on its own; None if one of them refuses a step before."""
    sides, states = (asked.a, asked.b), [asked.a.state, asked.b.state]
    for n, event in enumerate(as_events(steps), 1):
        for i, side in enumerate(sides):
            action = side.system.action(event)
            if failed(side.system, states[i], action):
                return None
            states[i] = apply(side.system, states[i], action)
        there = differing(asked, points.all, states[0], states[1])
        if there:
            return differ(asked, there, states[0], states[1], tuple(steps[:n]), points, shortest=shortest or n == 1)
    return None


# ---- step by step


def _search(asked: Compared, product: Product, goal: Term, points: ComparisonPoints) -> Comparison:
    """Search for the shortest record to a disagreement, or prove that there is none."""
    system = product.system(asked.a.state, asked.b.state, goal)
    state = system.layout.state(system.initial)
    resolved = ResolvedQuestion(
        game=asked.a.setup.game,
        system=system,
        state=state,
        settings=(),
        side=None,
        opponent=ANY,
        metric=system.metrics[0],
        effort=asked.effort,
        within=asked.within,
        goal=Goal("", goal),
    )
    problem = resolved.problem()
    found = all_positions.cheapest_plan(problem, asked.effort)
    if found is None:
        actions = actions_of(problem.whole_step)
        at_once = _by_play(asked, points, math.inf)
        if at_once is not None:
            return at_once
    near = None if found and found.steps is not None else _nearest(asked, product, goal)
    if found is None:
        pause = budgets.COMPARED_PAUSE + budgets.COMPARED_PAUSE_EACH * len(actions)
        pause = min(resolved.effort.deadline.left * budgets.COMPARED_PAUSE_SHARE, pause)
        found = step_by_step(problem, replace(resolved.effort, pause=pause), Incumbent())
    if found.steps is not None:
        return _play(asked, replay_plan(system, state, problem, found).steps, points)
    if found.exhausted:
        claims = (*points.claims, *found.claims)
        proof = found.proof and replace(found.proof, claims=(*points.claims, *found.proof.claims))
        unlike = equal(asked, proof_text(resolved, proof, found.depth, claims), points)
    else:
        refuted = (found.depth or 0) - 1
        looked = f"they agree within {refuted} step{'s' * (refuted > 1)}; " if refuted > 0 else ""
        unlike = replace(answer(asked, points), reason=looked + found.reason)
    return unlike if near is None else replace(unlike, position=near, changed={"a": facts_in_words(asked.a, near)})


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


def _one_step(asked: Compared, product: Product, goal: Term) -> tuple[Step, ...]:
    """A step that leads to the goal at once, found by trying all; none without one."""
    system = product.system(asked.a.state, asked.b.state, goal)
    state = system.layout.state(system.initial)
    holds = compile_term(goal, system.layout.slot)
    for action in map(product.action, product.pairs):
        if not failed(system, state, action) and holds(apply(system, state, action)):
            return tuple(as_steps([step_text(action, system.layout.values(state))], 0, None))
    return ()


def _in_product(point: ComparisonPoint, product: Product) -> ComparisonPoint:
    """A point, as a term over the product's fluents."""
    if not product.copies:
        return point
    b = Partial(product.of_b(point.b.value), product.of_b(point.b.defined))
    return replace(point, b=b)


def _play(asked: Compared, steps: tuple[Step, ...], points: ComparisonPoints) -> Comparison:
    """The disagreement after the fewest steps.

    Raises:
        ReplayError: One of them does not allow a step, or they agree in the end.
    """
    found = _together(asked, steps, points, shortest=True)
    if found is None:
        raise ReplayError("the record does not lead to a disagreement")
    return found
