"""A briefing on a picture: values of objectives, landmarks and denial sets, what to do next, and a threat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from vclogic.model.legend import LegendLine, Sample
from vclogic.model.picture import Arrow, Caption, Picture
from vclogic.model.system import System
from vclogic.query.objectives.answer import Objectives, Threat, WinningSet
from vclogic.query.objectives.notes import AT_MOST, NO_PLAN, SEVERAL, ObjectiveNotes, Worth, limit_of
from vclogic.words import amount, joined

Draw = Callable[..., Picture]


def legend_of(told: ObjectiveNotes, base: Picture) -> Iterable[LegendLine]:
    """The lines of the legend.

    Args:
        told: What the answer says.
        base: The picture, with its arrows and marks.
    """
    yield LegendLine(_head(told))
    yield from _values(told)
    if any(SEVERAL in m.text for m in base.marks):
        yield LegendLine("commas: values of several objectives in one place, in the order of the briefing")
    shown = {r.name for r in base.regions}
    on_map = {name for name in told.names if shown.intersection(told.places.get(name, ()))}
    if told.landmarks & on_map:
        yield LegendLine(
            f"double line: every plan takes it; kept from the {told.answer.side} side, it denies the goal",
            (Sample("double"),),
        )
    yield from _denial(told, on_map)
    yield from _aside(told, on_map)
    yield from _arrows(told, base)


def _head(told: ObjectiveNotes) -> str:
    answer = told.answer
    limit = answer.horizon
    within = f" within {amount(limit.n, limit.unit)}" if limit.n is not None else ""
    head = f"Goal of the {answer.side} side: {answer.goal}"
    if answer.status == "impossible":
        return f"{head}; there is no plan{within}"
    if answer.cost.cost is None:
        return f"{head}; not known whether there is a plan{within}"
    if not answer.cost.cost:
        return f"{head}; it holds already"
    least = "the cheapest plan takes" if answer.status == "optimal" else "the best plan known takes"
    more = f", the limit is {amount(limit.n, limit.unit)}" if limit.n is not None else ""
    return f"{head}; {least} {told.cost(answer.cost.cost)}{more}"


def _values(told: ObjectiveNotes) -> Iterable[LegendLine]:
    closed = [w for w in told.worths.values() if not w.held]
    lost = [w for w in told.worths.values() if w.held]
    if closed:
        words = f"how many more {told.counted} the goal takes if the {told.answer.side} side never has the place"
        yield LegendLine(words, tuple(_samples(closed)))
    if lost:
        before = "the same for what" if closed else f"how many more {told.counted} the goal takes for what"
        words = (
            f"{before} the {told.answer.side} side has already, once an enemy has taken it with all that stands there"
        )
        yield LegendLine(words, tuple(_samples(lost)))
    limits = dict.fromkeys(limit_of(w.cost) or " of any length" for w in (*closed, *lost) if w.number == NO_PLAN)
    said = (
        (f"{NO_PLAN}: there is none{joined([*limits], 'or')}", bool(limits)),
        (f"{AT_MOST}: so many or fewer", any(w.number.startswith(AT_MOST) for w in (*closed, *lost))),
        ("?: not found out in the time given", any(w.number == "?" for w in (*closed, *lost))),
    )
    if words := "; ".join(text for text, is_there in said if is_there):
        yield LegendLine(words)


def _samples(worths: Iterable[Worth]) -> Iterable[Sample]:
    """Each shade once, with the numbers that have it."""
    of_shade: dict[int | None, list[Worth]] = {}
    for worth in sorted(worths, key=lambda w: (w.more is None, w.more or 0)):
        of_shade.setdefault(worth.shade, []).append(worth)
    for shade, found in sorted(of_shade.items(), key=lambda x: (x[0] is None, x[0] or 0)):
        first, last = found[0], found[-1]
        yield Sample("text", first.text if first == last else f"{first.text} to {last.number}", shade)


def _denial(told: ObjectiveNotes, on_map: set[str]) -> Iterable[LegendLine]:
    sets = {n: s for n, s in told.sets.items() if len(s.keeps) > 1 and on_map.intersection(s.keeps)}
    if not sets:
        return
    denial = told.answer.denial
    several = max(denial.total, len(denial.sets)) - sum(len(s.keeps) == 1 for s in denial.sets)
    numbers = joined([f"D{n}" for n in sets])
    which = "one of these numbers" if len(sets) > 1 else "this number"
    more = "" if len(sets) == several else f"; {several - len(sets)} more such sets are not shown"
    kept = f"while all places with {which} are kept from the {told.answer.side} side, there is no plan"
    words = f"dashes, {numbers}: {kept}{more}"
    yield LegendLine(words, (Sample("dashed", next(f"D{n}" for n in sets)),))


def _aside(told: ObjectiveNotes, on_map: set[str]) -> Iterable[LegendLine]:
    """Lines on objectives that are in no region."""
    found: dict[tuple[str, str, int | None], list[str]] = {}
    for name in told.names:
        said = "; ".join(told.words(name)) if name not in on_map else ""
        if said:
            worth = told.worths.get(name)
            found.setdefault((said, told.letters(name), worth.shade if worth else None), []).append(name)
    for (said, letters, shade), names in found.items():
        sample = (Sample("text", letters, shade),) if letters else ()
        each = ", each" if len(names) > 1 else ""
        yield LegendLine(f"{joined(names)}, not on the map{each}: {said}", sample)


def _arrows(told: ObjectiveNotes, base: Picture) -> Iterable[LegendLine]:
    full = [a for a in base.arrows if not a.hollow]
    if full:
        yield LegendLine("full arrows, white numbers: what to do next", (Sample("arrow", party=full[0].party),))
    for threat in told.answer.threats:
        if threat.cost.cost == 0:
            yield LegendLine(f"the {threat.side} side has its goal already: {threat.goal}")
    if told.threat is not None and any(a.hollow for a in base.arrows):
        threat, way = told.threat
        which = "the cheapest plan" if way.cheapest else "a plan"
        words = f"hollow arrows, numbers in white squares: {which} of the {threat.side} side"
        others = sum(bool(t.winning.sets) for t in told.answer.threats) - 1
        also = f"; {amount(others, 'other side')} can win too" if others else ""
        yield LegendLine(f"{words} if nobody stops it, its goal: {threat.goal}{also}", (Sample("hollow"),))


def with_briefing(system: System, answer: Objectives, draw: Draw) -> Picture:
    """The picture of a state with what an answer says of it.

    Args:
        draw: The picture of the state that was asked about, with steps on it, of one turn or all, and their battles.

    Raises:
        InputError: The game has no picture, or the answer is about another game.
    """
    told = ObjectiveNotes(system, answer)
    base = _with_next(answer, draw)
    if told.threat is not None:
        arrows, captions = _of_threat(draw, *told.threat, told)
        base = replace(base, arrows=(*base.arrows, *arrows), captions=(*base.captions, *captions))
    base = replace(base, marks=tuple(told.marks({r.name for r in base.regions})))
    return replace(base, legend=tuple(legend_of(told, base)))


def _with_next(answer: Objectives, draw: Draw) -> Picture:
    """The state with the first steps of the plan to follow, and the chances of their battles."""
    if answer.next is None:
        return draw(())
    base = draw(answer.next.steps)
    battles = answer.next.plan.battles
    return draw(answer.next.steps, 1, battles) if battles and base.captions else base


def _of_threat(
    draw: Draw, threat: Threat, way: WinningSet, told: ObjectiveNotes
) -> tuple[Iterable[Arrow], Iterable[Caption]]:
    """The moves of the cheapest plan of an enemy."""
    shown = draw(way.plan.steps)
    head = f"threat of the {threat.side} side, {told.cost(way.cost.cost or 0)}"
    if way.plan.battles is not None:
        head += f", {way.plan.battles.overall} that its battles go as planned"
    first = [f"{head}; {c.head}" if c.head else head for c in shown.captions[:1]]
    heads = [*first, *(c.head for c in shown.captions[1:])]
    captions = (replace(c, head=own, hollow=True) for c, own in zip(shown.captions, heads, strict=True))
    return (replace(a, hollow=True) for a in shown.arrows), captions
