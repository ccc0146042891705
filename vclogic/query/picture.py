"""The picture of a game at one moment, and of a plan's moves on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from vclogic.encode.evaluator import apply
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.output import write_text
from vclogic.files.source import read_text
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.picture import NOBODY, Arrow, Caption, Drawing, Drawn, Picture, Values
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.terms.term import Term

if TYPE_CHECKING:
    from vclogic.game import Game

_SCHEMAS = tuple(f"vclogic/{answer}/{number}" for answer in ("plan", "reach") for number in (1, 2))
_TURNS = 200  # that may end between two steps


@dataclass(frozen=True)
class Rendered:
    """A picture that was drawn.

    Attributes:
        game: `encoding/scenario`.
        file: Where it was written; None: nowhere.
        regions: How many regions it shows.
        turns: The turns whose moves it shows.
        svg: Its text.
    """

    game: str
    file: str | None
    regions: int
    turns: tuple[int, ...]
    svg: str


def picture(system: System, game: str, state: State, steps: Sequence[Step] = (), turn: int | None = None) -> Picture:
    """The picture of a state, and of steps on it.

    Args:
        system: The system.
        game: What it is called.
        state: The state, before the steps.
        steps: The steps of a plan or a witness.
        turn: One turn of the plan alone, by the number that its arrows have, as the steps before leave the map; None:
            all of it, on the map of the start.

    Raises:
        InputError: The game has no picture, the steps are not of this game, or there is no such turn.
    """
    drawing = system.drawing
    if drawing is None:
        message = f"{game} has no picture"
        raise InputError(Diagnostic("no-picture", message, help="its encoding says nothing about how to draw it"))
    start = system.layout.values(state)
    turns = list(_turns(system, drawing, start, steps))
    if turn is not None and not 1 <= turn <= len(turns):
        known = f"its moves make up turns 1 to {len(turns)}" if turns else "no moves are shown"
        raise InputError(Diagnostic("bad-value", f"there is no turn {turn}: {known}", "--turn"))
    shown = turns if turn is None else [turns[turn - 1]]
    before = start if turn in (None, 1) else shown[0][0]
    after = shown[-1][1] if shown else start
    # The steps do not tell what is left of units after battles.
    told = drawing.exact or before is start
    base = drawing.picture(before, told)
    hidden = not told and any(r.units for r in drawing.picture(start, True).regions)
    notes = (*base.notes, *(("what is left of the units is not shown",) if hidden else ()))
    found = replace(
        _changed(base, drawing.picture(after, False)) if shown else base,
        title=game,
        notes=notes,
        arrows=tuple(a for _, _, arrows, _ in shown for a in arrows),
        captions=tuple(c for _, _, _, c in shown),
    )
    return _checked(found)


def _changed(base: Picture, then: Picture) -> Picture:
    """A picture that tells what belongs to somebody else in another one."""
    owner = {r.name: r.owner for r in then.regions}
    regions = (replace(r, becomes=owner[r.name] if owner[r.name] != r.owner else None) for r in base.regions)
    found = replace(base, regions=tuple(regions))
    if base.hexes is None or then.hexes is None:
        return found
    has = {s.name: s.owner for s in then.hexes.sites}
    sites = (replace(s, becomes=has[s.name] or NOBODY if has[s.name] != s.owner else None) for s in base.hexes.sites)
    return replace(found, hexes=replace(base.hexes, sites=tuple(sites)))


def check_wish(goal: str | None, plan_file: str | None, choices: Mapping[str, object]) -> None:
    """Whether it is clear which plan is to be drawn.

    Args:
        goal: The goal of a plan to be found.
        plan_file: A file with a plan.
        choices: How to find a plan; None or the default where nothing is chosen.

    Raises:
        InputError: There is both, or a choice without a goal.
    """
    if goal is not None and plan_file is not None:
        help = "give one of --goal EXPR and --plan-file FILE"
        raise InputError(Diagnostic("usage", "--goal and --plan-file exclude each other", help=help))
    names = {"side": "--side", "minimize": "--minimize", "within": "--within", "dump": "--dump-smt2"}
    given = [option for name, option in names.items() if choices.get(name) is not None]
    if goal is None and given:
        help = "add --goal EXPR, or leave it out"
        raise InputError(Diagnostic("missing-option", f"{given[0]} is for a plan, and there is no --goal", help=help))


def drawn(game: Game, steps: Sequence[Step], turn: int | None, file: str | None) -> Rendered:
    """A picture, written to a file if there is one; it appears whole or not at all.

    Args:
        game: The game, before the steps.
        steps: The steps of a plan; may be empty.
        turn: One turn of it alone.
        file: The file.

    Raises:
        InputError: There is no such picture, or the file cannot be written.
    """
    from vclogic.draw.svg import svg

    found = game.picture(steps, turn)
    text = svg(found)
    if file is not None:
        write_text(file, text)
    return Rendered(found.title, file, len(found.regions), tuple(c.step for c in found.captions), text)


def read_steps(path: str) -> tuple[Step, ...]:
    """The steps in an answer that was written as JSON.

    Args:
        path: The file, or `-` for standard input.

    Raises:
        InputError: It holds no plan and no witness.
    """
    source = read_text(path)
    help = "write one with `vclogic plan ... --format json`"
    try:
        document = json.loads(source.text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of more digits than Python reads
        line, column = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (None, None)
        raise InputError(Diagnostic("bad-plan", "this is no JSON", source.name, line, column, help)) from error
    if not isinstance(document, dict) or str(document.get("schema")) not in _SCHEMAS:
        raise InputError(Diagnostic("bad-plan", "this is no answer to `plan` or `reach`", source.name, help=help))
    try:
        steps = tuple(_step(s) for s in document["steps"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(Diagnostic("bad-plan", "its steps are not as vclogic writes them", source.name)) from error
    if not steps:
        message = f"there are no steps: the answer was {quoted(document.get('status'))}"
        raise InputError(Diagnostic("no-plan", message, source.name))
    return steps


def _step(s: Mapping[str, Any]) -> Step:
    turn, args, plain = s["turn"] or {}, s["args"], str | int
    if not all(isinstance(x, plain) for x in (s["n"], s["actor"] or "", *turn.values(), *args.values())):
        raise TypeError("a list or mapping where a word or a number belongs")
    cites = tuple(map(str, s["cites"]))
    return Step(s["n"], s["turn"] and dict(turn), s["actor"], str(s["action"]), dict(args), str(s["text"]), cites)


# ---- turns


@dataclass(frozen=True)
class _Taken:
    """A step as drawn, with the values before and after it."""

    step: Step
    drawn: Drawn
    before: Values
    after: Values

    @property
    def turn(self) -> object:
        """What all steps of a turn have in common."""
        if self.drawn.turn is not None:
            return self.drawn.turn
        return self.step.n if self.step.turn is None else tuple(self.step.turn.items())


def _turns(
    system: System, drawing: Drawing, values: Values, steps: Sequence[Step]
) -> Iterator[tuple[Values, Values, tuple[Arrow, ...], Caption]]:
    """Each turn in which something moves: the values before and after it, its arrows and what it is."""
    take = _one_by_one if drawing.exact else _together
    number = 0
    for _, group in groupby(take(system, drawing, values, steps), lambda t: t.turn):
        run = list(group)
        arrows = [a for t in run for a in t.drawn.arrows]
        if arrows:
            number += 1
            lines = tuple(t.step.text for t in run if t.drawn.arrows)
            caption = Caption(number, run[0].drawn.turn or _when(run[0].step), lines)
            yield run[0].before, run[-1].after, tuple(replace(a, step=number) for a in arrows), caption


def _together(system: System, drawing: Drawing, values: Values, steps: Sequence[Step]) -> Iterator[_Taken]:
    """All steps of a turn set out from the state at its beginning."""
    for run in _runs(steps):
        before = {**values, **_schedule(system, run[0])}
        drawn = [_drawn(drawing, s, before) for s in run]
        values = {**before, **{fluent: x for d in drawn for fluent, x in d.changes.items()}}
        yield from (_Taken(s, d, before, values) for s, d in zip(run, drawn, strict=True))


def _one_by_one(system: System, drawing: Drawing, values: Values, steps: Sequence[Step]) -> Iterator[_Taken]:
    """Each step sets out from what the one before left."""
    for step in steps:
        before = _at_turn(system, drawing, values, step)
        drawn = _drawn(drawing, step, before)
        values = _played(system, {**before, **drawn.changes}, drawn.events, step)
        yield _Taken(step, drawn, before, values)


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
    """That there is such an event.

    Raises:
        KeyError: There is none of that name.
        ValueError: Its arguments are others.
    """
    known = {p.name: p.domain for p in system.schemas[event.name].parameters}
    given = dict(event.args)
    if known.keys() != given.keys():
        raise ValueError(event.name)
    for name, domain in known.items():
        if given[name] not in (domain if isinstance(domain, range) else domain.sort.members):
            raise ValueError(name)


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


def _drawn(drawing: Drawing, step: Step, values: Values) -> Drawn:
    try:
        return drawing.move(step, values)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(_foreign(f"step {step.n}, {quoted(step.text)}")) from error


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
