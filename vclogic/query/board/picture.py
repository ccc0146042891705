"""The picture of an answer: the position that was asked about, with what the answer says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from vclogic.choices import choice
from vclogic.encode.python.evaluator import apply
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.picture import NOBODY, Arrow, Caption, Drawing, Drawn, Picture, Values
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.query.ask.answer import Ruled
from vclogic.query.ask.legend import with_ruling
from vclogic.query.ask.places import places_of
from vclogic.query.objectives.answer import Objectives
from vclogic.query.objectives.legend import with_briefing
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.risks import Battles
from vclogic.query.reach.answer import Reach
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.words import amount, percent

Drawable = Plan | Reach | Objectives | Ruled | Sequence[Step]
"""An answer that a picture shows, or the steps of a plan or a witness."""
_TURNS = 200  # that may end between two steps


def picture(
    system: System,
    game: str,
    state: State,
    answer: Drawable = (),
    turn: int | None = None,
    battles: Battles | None = None,
) -> Picture:
    """The picture of a state, with what an answer says of it.

    Args:
        game: What it is called.
        state: The state that was asked about.
        answer: The answer: moves of plans and witnesses, values of objectives, what decides a ruling.
        turn: See `_of_steps`; briefings and rulings have no turns.
        battles: The battles of the steps with their chances; None: those of the plan.

    Raises:
        InputError: The game has no picture, the answer is about another game, or there is no such turn.
    """
    draw = partial(_of_steps, system, game, state)
    if isinstance(answer, Objectives):
        return with_briefing(system, answer, draw)
    if isinstance(answer, Ruled):
        return with_ruling(system, answer, game, draw(()))
    if isinstance(answer, Plan | Reach):
        own = answer.battles if isinstance(answer, Plan) else None
        return draw(answer.steps, turn, own if battles is None else battles)
    return draw(answer, turn, battles)


def _of_steps(
    system: System,
    game: str,
    state: State,
    steps: Sequence[Step],
    turn: int | None = None,
    battles: Battles | None = None,
) -> Picture:
    """The picture of a state, and of steps on it.

    Args:
        game: What it is called.
        state: The state, before the steps.
        steps: The steps of a plan or a witness.
        turn: One turn of the plan alone, by the number that its arrows have, as the steps before leave the map; None:
            all of it, on the map of the start.
        battles: The battles of the plan with their chances; those of the turn, or all.

    Raises:
        InputError: The game has no picture, the steps are not of this game, or there is no such turn.
    """
    drawing = system.drawing
    if drawing is None:
        message = f"{game} has no picture"
        raise InputError(
            Diagnostic(
                "no-picture",
                message,
                help="nothing says how to draw it; in a rulebook a board does: grid, hexes or areas",
            )
        )
    start = system.layout.values(state)
    turns = list(_turns(system, drawing, start, steps))
    if turn is not None and not 1 <= turn <= len(turns):
        known = f"its moves make up turns 1 to {len(turns)}" if turns else "no moves are shown"
        raise InputError(Diagnostic("bad-value", f"there is no turn {turn}: {known}", choice("step")))
    shown = turns if turn is None else [turns[turn - 1]]
    before = start if turn in (None, 1) else shown[0][0]
    after = shown[-1][1] if shown else start
    # The steps do not tell what is left of units after battles.
    told = drawing.exact or before is start
    base = drawing.picture(before, told)
    hidden = not told and any(r.forces for r in drawing.picture(start, True).regions)
    notes = (*base.notes, *(("the units left are not shown",) if hidden else ()))
    found = replace(
        _changed(base, drawing.picture(after, False)) if shown else base,
        title=game,
        notes=notes,
        arrows=tuple(a for _, _, arrows, _ in shown for a in arrows),
        captions=tuple(c for _, _, _, c in shown),
    )
    if battles is not None:
        now = None if turn is None else {f.name: shown[0][0][f] for f in system.schedule}
        found = _fought(found, battles, now)
    return _checked(found)


def turns_of(system: System, state: State, steps: Sequence[Step]) -> tuple[int, ...]:
    """The number of the turn in which each step of a plan is drawn, as its arrows bear it.

    A step that moves nothing has that of the turn before it; 0 where none is.

    Args:
        system: The system; it has a picture.
        state: The state, before the steps.
        steps: The steps of a plan or a witness.

    Raises:
        InputError: The steps are not of this game.
    """
    assert system.drawing is not None
    number, found = 0, []
    for run in _groups(system, system.drawing, system.layout.values(state), steps):
        number += any(t.drawn.arrows for t in run)
        found += [number] * len(run)
    return tuple(found)


def _fought(base: Picture, battles: Battles, turn: Mapping[str, Value] | None) -> Picture:
    """`base`, with the chance of each battle in its region, and of all of them in a note."""
    chances: dict[str, list[str]] = {}
    weakest = ""
    for b in battles.fought:
        if b.chance is not None and (turn is None or b.turn == turn):
            chances.setdefault(b.place, []).append(percent(b.chance))
            weakest = b.place if b.n == battles.weakest else weakest
    regions = (replace(r, battle=", ".join(chances.get(r.name, ())), weakest=r.name == weakest) for r in base.regions)
    every = amount(len(battles.fought), "battle")
    note = f"{every} of the plan, {battles.overall} that all go as planned"
    return replace(base, regions=tuple(regions), notes=(*base.notes, note))


def _changed(base: Picture, then: Picture) -> Picture:
    """`base`, with every region whose owner differs in `then` marked with the new owner."""
    owner = {r.name: r.owner for r in then.regions}
    regions = (replace(r, becomes=owner[r.name] if owner[r.name] != r.owner else None) for r in base.regions)
    found = replace(base, regions=tuple(regions))
    if base.hexes is None or then.hexes is None:
        return found
    has = {s.name: s.owner for s in then.hexes.sites}
    sites = (replace(s, becomes=has[s.name] or NOBODY if has[s.name] != s.owner else None) for s in base.hexes.sites)
    return replace(found, hexes=replace(base.hexes, sites=tuple(sites)))


# ---- turns


@dataclass(frozen=True)
class _DrawnStep:
    """A step as drawn, with the values before and after it."""

    step: Step
    drawn: Drawn
    before: Values
    after: Values

    @property
    def turn(self) -> object:
        """The key that all steps of a turn share."""
        if self.drawn.turn is not None:
            return self.drawn.turn
        return self.step.n if self.step.turn is None else tuple(self.step.turn.items())


def _turns(
    system: System, drawing: Drawing, values: Values, steps: Sequence[Step]
) -> Iterator[tuple[Values, Values, tuple[Arrow, ...], Caption]]:
    """Each turn in which something moves: the values before and after it, its arrows and what it is."""
    number = 0
    for run in _groups(system, drawing, values, steps):
        arrows = [a for t in run for a in t.drawn.arrows]
        if arrows:
            number += 1
            lines = tuple(_said([t.step for t in run if t.drawn.arrows]))
            caption = Caption(number, run[0].drawn.turn or _when(run[0].step), lines)
            yield run[0].before, run[-1].after, tuple(replace(a, step=number) for a in arrows), caption


def _groups(system: System, drawing: Drawing, values: Values, steps: Sequence[Step]) -> Iterator[list[_DrawnStep]]:
    """The steps of each turn, as drawn."""
    take = _one_by_one if drawing.exact else _together
    for _, group in groupby(take(system, drawing, values, steps), lambda t: t.turn):
        yield list(group)


def _said(steps: Iterable[Step]) -> Iterator[str]:
    """Steps in words: those of one battle in one line below its heading, where they say what they are part of."""
    for heading, run in groupby(steps, lambda s: s.under and s.under.heading):
        if heading is None:
            yield from (s.text for s in run)
        else:
            yield f"{heading}: " + "; ".join(s.under.text for s in run if s.under)


def _together(system: System, drawing: Drawing, values: Values, steps: Sequence[Step]) -> Iterator[_DrawnStep]:
    """All steps of a turn set out from the state at its beginning."""
    for run in _runs(steps):
        before = {**values, **_schedule(system, run[0])}
        drawn = [_drawn(system, s, before) for s in run]
        values = {**before, **{fluent: x for d in drawn for fluent, x in d.changes.items()}}
        yield from (_DrawnStep(s, d, before, values) for s, d in zip(run, drawn, strict=True))


def _one_by_one(system: System, drawing: Drawing, values: Values, steps: Sequence[Step]) -> Iterator[_DrawnStep]:
    """Each step sets out from what the one before left."""
    for step in steps:
        before = _at_turn(system, drawing, values, step)
        drawn = _drawn(system, step, before)
        values = _played(system, {**before, **drawn.changes}, drawn.events, step)
        yield _DrawnStep(step, drawn, before, values)


def _at_turn(system: System, drawing: Drawing, values: Values, step: Step) -> Values:
    """The values when a step is taken: turns that end before it end."""
    schedule = _schedule(system, step)
    if drawing.turn_over is not None:
        for _ in range(_TURNS):
            if all(values[fluent] == x for fluent, x in schedule.items()):
                return values
            values = _played(system, values, (drawing.turn_over,), step)
        raise InputError(_foreign(f"step {step.n}, {quoted(step.text)}"))
    return {**values, **schedule}


def _played(system: System, values: Values, events: Sequence[Event], step: Step) -> Values:
    """The values after some events; whether they are legal was judged when the step was planned."""
    try:
        state = system.layout.state(values)
        for event in events:
            _check(system, event)
            state = apply(system, state, system.action_in(state, event))
    except (KeyError, ValueError) as error:
        raise InputError(_foreign(f"step {step.n}, {quoted(step.text)}")) from error
    return system.layout.values(state)


def _check(system: System, event: Event) -> None:
    """Raise KeyError if there is no event of that name, ValueError if it takes other arguments."""
    known = {p.name: p.values for p in system.schemas[event.name].parameters}
    given = dict(event.args)
    if known.keys() != given.keys() or any(given[name] not in values for name, values in known.items()):
        raise ValueError(event.name)


def _runs(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps of each turn; where turn order is ignored, each step alone."""
    for schedule, run in groupby(steps, lambda s: s.turn):
        group = list(run)
        yield from ([s] for s in group) if schedule is None else (group,)


def _schedule(system: System, step: Step) -> dict[Term, Value]:
    known = system.layout.by_name
    return {known[name]: x for name, x in (step.turn or {}).items() if name in known}


def _when(step: Step) -> str:
    return ", ".join(f"{name} {x}" for name, x in (step.turn or {}).items())


def _drawn(system: System, step: Step, values: Values) -> Drawn:
    """A step as the game draws it, which knows its plans; an event of a witness by what it moves."""
    assert system.drawing is not None
    try:
        return system.drawing.move(step, values)
    except (KeyError, TypeError, ValueError) as error:
        drawn = _event_drawn(system, step, values)
        if drawn is None:
            raise InputError(_foreign(f"step {step.n}, {quoted(step.text)}")) from error
        return drawn


def _event_drawn(system: System, step: Step, values: Values) -> Drawn | None:
    """An event of the rules, drawn by what goes from one place to another; None if it is none."""
    layout, event = system.layout, Event(step.action, tuple(step.args.items()))
    try:
        state = layout.state(values)
        _check(system, event)
        after = layout.values(apply(system, state, system.action_in(state, event)))
    except (KeyError, ValueError):
        return None
    changes = {fluent: x for fluent, x in after.items() if x != values[fluent]}
    named, arrows = places_of(system, state), []
    for fluent, x in changes.items():
        source, target = named.of(str(values[fluent])), named.of(str(x))
        if target and isinstance(fluent.sort, EnumSort) and fluent in named.about:
            arrows.append(Arrow(source[0] if source else None, target[0], label=", ".join(named.about[fluent])))
    return Drawn(tuple(arrows), changes)


def _checked(found: Picture) -> Picture:
    """The picture, if all its arrows lead from a region to another."""
    known = {r.name for r in found.regions}
    for arrow in found.arrows:
        for name in (arrow.source, *arrow.via, arrow.target):
            if name is not None and name not in known:
                raise InputError(_foreign(f"{quoted(name)}"))
    return found


def _foreign(what: str) -> Diagnostic:
    return Diagnostic("bad-plan", f"{what} is not of this game", help="was the plan made for another board?")
