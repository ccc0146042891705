"""The picture of a briefing: values of objectives, landmarks and denial sets, what to do next, and a threat.

Notes on each objective say what a map shows of it. Where the side does not have it, its value is how much more the
cheapest plan costs that never has it; where the side has it, how much more the goal costs once an enemy has taken it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.model.picture import SHADES, Arrow, Caption, LegendLine, Picture, RegionNote, Sample
from vclogic.model.system import System
from vclogic.query.objectives.answer import Cost, DenialSet, Objectives, ObjectiveValue, Threat, WinningSet
from vclogic.words import amount, in_parts, joined

NO_PLAN = "no plan"
AT_MOST = "\u2264"
SHOWN_SETS = 3
"""So many denial sets of several objectives are outlined."""
NAMED = 4
"""So many objectives in one region are shown one by one; those of a wide place would hide its units."""
SEVERAL = ", "
"""Stands between the values of several objectives."""

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


@dataclass(frozen=True)
class Worth:
    """The worth of an objective, as the map shows it.

    Attributes:
        cost: What the goal costs without it.
        more: How much more that is than now, as far as plans are known; None: that is not known, or there is no plan.
        proved: Whether it is just so much.
        number: What the map shows of it.
        shade: How dark that is; None: it has no shade.
        held: Whether the side has it.
    """

    cost: Cost
    more: int | None
    proved: bool
    number: str
    shade: int | None
    held: bool

    @property
    def text(self) -> str:
        """A few letters."""
        return f"lost: {self.number}" if self.held else self.number


class ObjectiveNotes:
    """The notes of an answer on each objective.

    Args:
        system: The system.
        answer: The answer.
    """

    def __init__(self, system: System, answer: Objectives):
        self.answer = answer
        self.places: Mapping[str, tuple[str, ...]] = {o.name: o.places for o in system.objectives}
        metric = system.metric(answer.metric)
        self.counted = (metric.counted if metric else "") or answer.metric
        self.landmarks = {x.name for x in answer.landmarks.found}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The objectives that there is something to say about, those that the game is about first."""
        main = [o.name for o in self.answer.objectives]
        return (*main, *(x.name for x in self.answer.landmarks.found if x.name not in main))

    def cost(self, n: int) -> str:
        """A cost with what is counted."""
        return amount(n, self.counted) if self.answer.scale == 1 else f"{self.number(n)} {self.counted}"

    # ---- values

    @cached_property
    def worths(self) -> Mapping[str, Worth]:
        """The worth of each objective that has one."""
        if self.answer.cost.cost is None:
            return {}
        reached = self.answer.cost.cost == 0  # then nothing more need be taken
        costs = {o: o.lost if o.held else None if reached else o.closed for o in self.answer.objectives}
        told = {o: cost for o, cost in costs.items() if cost is not None}
        greatest = max((self._more(cost) or 0 for cost in told.values()), default=0)
        return {o.name: self._worth(o, cost, greatest) for o, cost in told.items()}

    def _more(self, cost: Cost) -> int | None:
        """The extra cost of a known plan over the cheapest one; None where that is not proved to be cheapest."""
        if cost.difference is not None or cost.cost is None or self.answer.cost.status != "optimal":
            return cost.difference
        return cost.cost - (self.answer.cost.cost or 0)

    def _worth(self, o: ObjectiveValue, cost: Cost, greatest: int) -> Worth:
        more, proved = self._more(cost), cost.status == "optimal"
        most = "" if proved else f"{AT_MOST} "
        if cost.status == "impossible":
            return Worth(cost, None, True, NO_PLAN, SHADES - 1, o.held)
        if more is None:
            known = "?" if cost.cost is None else f"{most}{self.number(cost.cost)} in all"
            return Worth(cost, None, False, known, None, o.held)
        between = SHADES - 2  # shades, of what costs more but can be done without
        shade = max(-(-between * more // max(greatest, 2 * self.answer.scale)), 0)
        return Worth(cost, more, proved, most + self.signed(more), shade, o.held)

    def number(self, n: int) -> str:
        """A cost as a number."""
        return str(n) if self.answer.scale == 1 else in_parts(n, self.answer.scale)

    def signed(self, more: int) -> str:
        """A difference of costs."""
        return ("+" if more >= 0 else "-") + self.number(abs(more))

    # ---- sets

    @cached_property
    def sets(self) -> Mapping[int, DenialSet]:
        """The denial sets that are shown, by their numbers: all of one objective, and the first ones of several."""
        numbered = dict(enumerate(self.answer.denial.sets, 1))
        several = [n for n, s in numbered.items() if len(s.keeps) > 1][:SHOWN_SETS]
        return {n: s for n, s in numbered.items() if len(s.keeps) == 1 or n in several}

    def numbers(self, name: str) -> tuple[int, ...]:
        """The numbers of the denial sets of several objectives that an objective is in."""
        return tuple(n for n, s in self.sets.items() if len(s.keeps) > 1 and name in s.keeps)

    @cached_property
    def threat(self) -> tuple[Threat, WinningSet] | None:
        """The cheapest threat with its cheapest plan."""
        found = [(t, w) for t in self.answer.threats for w in t.winning.sets[:1] if w.plan.steps]
        return min(found, key=lambda x: x[1].cost.cost or 0, default=None)

    # ---- marks

    def letters(self, name: str) -> str:
        """The letters of an objective on the map."""
        worth = self.worths.get(name)
        return " ".join(((worth.text,) if worth else ()) + tuple(f"D{n}" for n in self.numbers(name)))

    def marks(self, known: set[str]) -> Iterable[RegionNote]:
        """The marks of a map: one of each objective, or one of all in the same place.

        Args:
            known: The regions of the map.
        """
        found: dict[frozenset[str], list[RegionNote]] = {}
        for mark in filter(None, (self._mark(name, known) for name in self.names)):
            found.setdefault(frozenset(mark.regions), []).append(mark)
        for regions, there in found.items():
            apart = len(there) <= (NAMED if len(regions) == 1 else 1)
            yield from there if apart else (_together(there),)

    def _mark(self, name: str, known: set[str]) -> RegionNote | None:
        """The mark of an objective; None where there is nothing to show on the map."""
        regions = tuple(p for p in self.places.get(name, ()) if p in known)
        worth, needed, numbers = self.worths.get(name), name in self.landmarks, self.numbers(name)
        if not regions or not (worth or needed or numbers):
            return None
        shade = worth.shade if worth else None
        return RegionNote(
            name, regions, self.letters(name), shade, needed, bool(numbers), "; ".join(self.words(name))
        )

    def words(self, name: str) -> Iterable[str]:
        """The notes on an objective."""
        worth = self.worths.get(name)
        if worth is not None:
            yield self._of_worth(worth)
        if name in self.landmarks:
            yield "every plan takes it"
        numbers = [f"D{n}" for n in self.numbers(name)]
        if numbers:
            yield f"in {joined(numbers)}"

    def _of_worth(self, worth: Worth) -> str:
        when = "once an enemy has it" if worth.held else "without it"
        if worth.cost.status == "impossible":
            return f"{NO_PLAN} {when}{limit_of(worth.cost)}"
        most = "" if worth.cost.status == "optimal" else "at most "
        if worth.more is None:
            known = worth.cost.cost
            return (
                f"the cost of the goal {when} is not known" if known is None else f"{most}{self.cost(known)} {when}"
            )
        if worth.more <= 0:
            return f"{self.cost(-worth.more)} fewer {when}" if worth.more else f"no {self.counted} more {when}"
        return f"{most}{self.cost(worth.more)} more {when}"


def _together(marks: Sequence[RegionNote]) -> RegionNote:
    """One mark of several of the same place, with each text once."""
    return RegionNote(
        name=f"{len(marks)} objectives in one place",
        regions=marks[0].regions,
        text=SEVERAL.join(dict.fromkeys(m.text for m in marks if m.text)),
        shade=max((m.shade for m in marks if m.shade is not None), default=None),
        double=any(m.double for m in marks),
        dashed=any(m.dashed for m in marks),
        words="; ".join(f"{m.name}: {m.words}" for m in marks),
    )


def limit_of(cost: Cost) -> str:
    """The limit of a statement, such as ` within 4 captures`; empty where it has none."""
    limit = cost.horizon
    return "" if limit is None or limit.n is None else f" within {amount(limit.n, limit.unit)}"
