"""The steps of a plan or a witness, and what stands below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vclogic.choices import by_command
from vclogic.model.fluents import Value
from vclogic.model.system import Events
from vclogic.query.answers import GoalAnswer, Recorded, Step
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.risks import Battles, FoughtBattle
from vclogic.query.reach.answer import Reach
from vclogic.report.text.page import bracketed, bullets, indented, listed, marked, plain, titled
from vclogic.words import amount, joined, percent

if TYPE_CHECKING:
    from vclogic.query.compare.answer import Comparison

_FEW_EVENTS = 6
_REPLAYED = {
    False: "Replayed: played step by step without a solver, every step is legal and the goal holds at the end.",
    True: "Replayed: both allow every step, played without a solver, and disagree at the end.",
}
_ONLY_PLANNED = "Replayed: played step by step in the planning model, without a solver; the goal holds at the end."
_FEWEST_ROUNDS = 3  # fewer alike lines than this are not worth folding into one


def steps_table(steps: Sequence[Step], battles: Battles | None = None) -> RenderableType:
    """Numbered steps with their turns and clauses; consecutive passes share a line.

    Steps that are part of one thing, such as a battle, stand below its heading.

    Args:
        battles: The battles that they fight; a heading has the chance of its battle.
    """
    if not any(s.under for s in steps):
        return _plain_steps(steps)
    width = len(f"{steps[-1].n}.")
    chances = {} if battles is None else {(*b.turn.items(), b.place): b for b in battles.fought}
    weakest = None if battles is None else battles.weakest
    parts: list[RenderableType] = []
    for under, found in groupby(steps, _headed):
        run = [*found]
        if under is None:
            parts.append(_plain_steps(run))
            continue
        fought = chances.get((*(run[0].turn or {}).items(), under[0]))
        parts.append(_heading(run, under[1], fought, weak=fought is not None and fought.n == weakest))
        parts.append(indented(marked((f"{s.n}.".rjust(width), plain(s.under.text)) for s in run if s.under)))
    return Group(*parts)


def _plain_steps(steps: Sequence[Step]) -> Table:
    return marked(
        (number, Text.assemble((when, "cyan"), plain(text), (bracketed(cites), "dim")))
        for number, when, text, cites in _lines(steps)
    )


def _headed(step: Step) -> tuple[str, str, object] | None:
    """The common head of steps: place, heading and turn."""
    return None if step.under is None else (step.under.place, step.under.heading, step.turn)


def _heading(steps: Sequence[Step], heading: str, fought: FoughtBattle | None, *, weak: bool) -> Text:
    """The heading of steps, with its chance and their clauses."""
    chance = "" if fought is None or fought.chance is None else f": {percent(fought.chance)}"
    cites = tuple(dict.fromkeys(c for s in steps for c in s.cites))
    when = _when(_others(steps[0]))
    return Text.assemble(
        (when, "cyan"), plain(heading), (chance, "bold red" if weak else ""), (bracketed(cites), "dim")
    )


def by_events(events: Events) -> str:
    """The end of a sentence that something is impossible by the events of a model, and what that leaves out."""
    some = listed(events.included) if len(events.included) > _FEW_EVENTS else joined(events.included)
    return f" by {some}" + (f" ({not_among(events)})" if events.left_out else "")


def not_among(events: Events) -> str:
    """The events that were left out, if there are any."""
    return f"left out: {listed(events.left_out)}" if events.left_out else ""


def rests_on(answer: GoalAnswer) -> tuple[str, ...]:
    """The assumptions of an answer; first the events that it leaves out."""
    left_out = (f"events {not_among(answer.events)}",) if answer.events.left_out else ()
    return (*left_out, *answer.assumptions)


def found_footing(answer: Plan | Reach | Comparison, assumptions: Sequence[str], file: str | None) -> Group:
    """The end of a report with steps: that they were replayed, and how to get them as a record.

    Args:
        assumptions: What it rests on.
        file: The position file to which the record was written, if any.
    """
    events = answer.record.events if answer.record else None
    said = [_REPLAYED[not isinstance(answer, Plan | Reach)]] if (answer.steps or events) and answer.replayed else []
    if said and answer.record and events is None:
        said = [_ONLY_PLANNED]
    if said and answer.record:
        said.append(_as_record(answer.record, {s.action for s in answer.steps}, file))
    return footing(assumptions, answer.elapsed_s, said)


def footing(assumptions: Sequence[str], elapsed_s: float, said: Sequence[str] = ()) -> Group:
    """The end of a report: how far to trust the answer, what it rests on, and how long it took."""
    parts: list[RenderableType] = [*said, ""] if said else []
    if assumptions:
        parts += [titled("Assumptions", bullets(assumptions)), ""]
    return Group(*parts, Text(f"answered in {elapsed_s:.2f} s", "dim"))


def _as_record(record: Recorded, shown: Set[str], file: str | None) -> str:
    if record.events is None:
        return f"No record of a game: {record.reason}."
    between = joined([n for n in dict.fromkeys(e.name for e in record.events) if n not in shown])
    count = amount(len(record.events), "events") + (f", {between} among them" if between else "")
    written = by_command("; --record FILE writes a position file") if file is None else f"; written to {plain(file)}"
    return f"As a record of a game: {count}{written}."


# ---- passes in a row


@dataclass(frozen=True)
class _Passes:
    """Consecutive steps without arguments in which each actor does the same.

    Attributes:
        first: Number of the first step.
        last: Number of the last step.
        schedule: The turn without who acts; a number, or the first and last of numbers in a row.
        actors: Who acts.
        deed: What each does, as the end of a sentence.
        cites: Clause ids.
    """

    first: int
    last: int
    schedule: Mapping[str, Value | tuple[int, int]]
    actors: tuple[str, ...]
    deed: str
    cites: tuple[str, ...]

    @property
    def kind(self) -> object:
        """The key of passes that can share a line."""
        return tuple(self.schedule.items()), self.deed, self.cites


def _lines(steps: Sequence[Step]) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Number, turn, sentence and clauses of each line."""
    for is_pass, run in groupby(steps, lambda s: _as_pass(s) is not None):
        if is_pass:
            for p in _folded([p for s in run if (p := _as_pass(s))]):
                yield _numbers(p), _when(p.schedule), f"{joined(p.actors)} {p.deed}", p.cites
        else:
            for s in run:
                yield f"{s.n}.", _when(_others(s)), s.text, s.cites


def _as_pass(step: Step) -> _Passes | None:
    """The step as a pass if it has no arguments and its sentence begins with who acts, else None."""
    actor = step.actor or ""
    if step.args or step.turn is None or not actor or not step.text.startswith(f"{actor} "):
        return None
    deed = step.text.removeprefix(f"{actor} ")
    return _Passes(step.n, step.n, _others(step), (actor,), deed, step.cites)


def _others(step: Step) -> Mapping[str, Value]:
    """The turn of a step, without entries that only repeat who acts."""
    return {name: v for name, v in (step.turn or {}).items() if v != step.actor}


def _folded(passes: Sequence[_Passes]) -> list[_Passes]:
    rounds = []
    for _, run in groupby(passes, lambda p: p.kind):
        first, *more = run
        rounds.append(replace(first, last=[first, *more][-1].last, actors=tuple(p.actors[0] for p in (first, *more))))
    lines: list[_Passes] = []
    for group in _alike(rounds):
        lines += [_joined(group)] if len(group) >= _FEWEST_ROUNDS else group
    return lines


def _alike(rounds: Sequence[_Passes]) -> Iterator[list[_Passes]]:
    """Consecutive rounds grouped where they differ only in one number that grows by one."""
    group: list[_Passes] = []
    for p in rounds:
        if group and not _follows(group[-1], p):
            yield group
            group = []
        group.append(p)
    if group:
        yield group


def _follows(a: _Passes, b: _Passes) -> bool:
    if (a.actors, a.deed, a.cites) != (b.actors, b.deed, b.cites) or a.schedule.keys() != b.schedule.keys():
        return False
    differing = [(v, b.schedule[k]) for k, v in a.schedule.items() if v != b.schedule[k]]
    return len(differing) == 1 and all(isinstance(x, int) and x + 1 == y for x, y in differing)


def _joined(group: Sequence[_Passes]) -> _Passes:
    first, last = group[0], group[-1]
    schedule: dict[str, Value | tuple[int, int]] = {}
    for name, begin in first.schedule.items():
        end = last.schedule[name]
        schedule[name] = (begin, end) if isinstance(begin, int) and isinstance(end, int) and begin != end else begin
    return replace(first, last=last.last, schedule=schedule)


def _numbers(p: _Passes) -> str:
    return f"{p.first}." if p.first == p.last else f"{p.first}-{p.last}."


def _when(schedule: Mapping[str, Value | tuple[int, int]]) -> str:
    parts = [f"{k}s {v[0]} to {v[1]}" if isinstance(v, tuple) else f"{k} {v}" for k, v in schedule.items()]
    return ", ".join(parts) + ": " if parts else ""
