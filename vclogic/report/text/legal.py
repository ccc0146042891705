"""Text report of `legal`: what may be done now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command, choice
from vclogic.encode.ranges import Range, merged
from vclogic.model.fluents import Value
from vclogic.query.legal.answer import Allowed, Legal, LegalKind, Refused
from vclogic.report.text.page import NOT_JUDGED, bracketed, bullets, indented, listed, paragraphs, titled
from vclogic.words import joined, of_side, verb

_NAMES = 24  # so many names stand in a line
_LINES = 24  # so many lines a kind of event has
_PAIRS = 6  # and so many lines of combinations of numbers
_LEFT_OUT = "{:,} events are too many to try: say what it is about"
_SUCH_AS = ", such as --event '{}: {{{}: ...}}'"
_BEYOND = "allowed by the rules; `reach` leaves it out unless {}, since it assumes that "
_FORCED = "forced: the rules bring it about"
_REST = " and {} more"
_ALL = ": --format json has all"


def legal(answer: Legal) -> Group:
    """The report as text."""
    shown = [k for k in answer.kinds if k.allowed or k.refused or k.left_out or answer.event]
    nothing = joined([k.event for k in answer.kinds if k not in shown])
    not_judged = dict.fromkeys(k.not_judged for k in answer.kinds if k.not_judged and k.allowed)
    turn = (f"{name} {value}" for name, value in answer.turn.items())
    return paragraphs(
        Group(Text(_head(answer), "bold"), Text(", ".join([answer.game, *turn]), "dim")),
        Text(answer.reason, "bold") if answer.reason else None,
        *(_kind(k, answer) for k in shown),
        Text(f"Not possible now: {nothing}.") if nothing else None,
        Text(f"Forced events are left out; without {choice('side')} they are shown.") if answer.side else None,
        titled(NOT_JUDGED, bullets(not_judged)) if not_judged else None,
        titled("Assumptions", bullets(answer.assumptions)) if answer.assumptions else None,
    )


def _head(answer: Legal) -> str:
    who = f"What {of_side(answer.side)} may do now" if answer.side else "What may be done now"
    what = f"{who}, {answer.event}" if answer.event else who
    return what if answer.allowed or answer.left_out else f"{what}: nothing"


def _kind(k: LegalKind, answer: Legal) -> RenderableType:
    head = Text.assemble((k.event, "bold"), f": {k.text}")
    parts: list[RenderableType] = [
        head,
        indented(Text(f"decided by {k.decided_by}" if k.decided_by else _FORCED, "dim")),
    ]
    if k.left_out:
        name = next((n for n, default in k.parameters.items() if default is None), "")
        parts.append(
            indented(Text(_LEFT_OUT.format(k.left_out) + by_command(_SUCH_AS.format(k.event, name)), "yellow"))
        )
    lines = [*_lines(k, [a for a in k.allowed if not a.beyond])]
    beyond = [*_lines(k, [a for a in k.allowed if a.beyond])]
    if lines:
        parts.append(indented(bullets(_cut(lines))))
    if beyond:
        parts.append(
            indented(
                titled(_BEYOND.format(choice("by", "rules")) + "; ".join(answer.reach_assumes), bullets(_cut(beyond)))
            )
        )
    if not k.allowed and not k.left_out:
        parts.append(indented("none"))
    if answer.why_not and (k.refused or k.more):
        parts.append(indented(titled("not allowed", bullets(_refusals(k)))))
    return Group(*parts)


def _cut(lines: Sequence[str]) -> list[str]:
    rest = len(lines) - _LINES
    return [*lines[:_LINES], _REST.format(rest).strip() + by_command(_ALL)] if rest > 1 else [*lines]


# ---- lines


Line = tuple[Allowed, list[Value]]
"""Events that differ in one argument alone, and its values; without values: an event in which it is as usual."""


def _lines(k: LegalKind, allowed: Sequence[Allowed]) -> Iterator[str]:
    """Events as lines. A line joins those that differ in one argument: the one that makes the fewest lines."""
    if not allowed:
        return
    by_argument = {n: _grouped(k, allowed, n) for n in allowed[0].args} or {"": [(a, []) for a in allowed]}
    spread = min(by_argument, key=lambda n: len(by_argument[n]))
    lines = by_argument[spread]
    if len(allowed[0].numbers) > 1 and len(lines) > _PAIRS:
        yield f"{k.event}: {_numbers(_together(allowed))}, but not every combination{by_command(_ALL)}"
        return
    for a, names in lines:
        yield _line(k, a, spread, names)


def _grouped(k: LegalKind, allowed: Iterable[Allowed], spread: str) -> list[Line]:
    groups: dict[object, Line] = {}
    for a in allowed:
        usual = a.args[spread] == k.parameters[spread]
        rest = tuple((n, v) for n, v in a.args.items() if usual or n != spread)
        key = (a.actor, a.agreed, rest, tuple(a.numbers.items()), usual)
        names = groups.setdefault(key, (a, []))[1]
        if not usual:
            names.append(a.args[spread])
    return list(groups.values())


def _together(allowed: Sequence[Allowed]) -> dict[str, tuple[Range, ...]]:
    """For each number the ranges that it may lie in for some value of the others."""
    return {n: merged([r for a in allowed for r in a.numbers[n]]) for n in allowed[0].numbers}


def _line(k: LegalKind, a: Allowed, spread: str, names: Sequence[Value]) -> str:
    """A line for events that differ in one argument; a single event has its numbers at the end."""
    who = f"{a.actor}: " if a.actor and a.actor not in a.args.values() else ""
    also = f" (if {of_side(a.agreed)} {verb(a.agreed, 'agrees')})" if a.agreed else ""
    numbers = _numbers(a.numbers)
    if len(names) < 2:
        return f"{who}{' '.join([k.event, *_words(k, a.args)])}{': ' + numbers if numbers else ''}{also}"
    rest = {n: v for n, v in a.args.items() if n != spread}
    words = [k.event, *_words(k, rest), *([spread] if k.parameters[spread] is not None else [])]
    shown = _several([*map(str, names)])
    return f"{who}{' '.join(words)}{f' ({numbers})' if numbers else ''}: {shown}{also}"


def _several(names: Sequence[str]) -> str:
    """Names joined by commas, or by semicolons where a name has a comma, such as `4,6`."""
    shown = listed([n.replace(",", "\0") for n in names], _NAMES)
    return shown.replace(",", ";").replace("\0", ",") if any("," in n for n in names) else shown


def _words(k: LegalKind, args: Mapping[str, Value]) -> Iterator[str]:
    """Arguments as a line shows them; one that differs from its default is named, one that does not is left out."""
    for name, v in args.items():
        if k.parameters[name] is None:
            yield str(v)
        elif v != k.parameters[name]:
            yield f"{name} {v}"


def _numbers(numbers: Mapping[str, tuple[Range, ...]]) -> str:
    """Numbers as ranges; with their names where there are several."""
    shown = {n: joined([_range(r) for r in ranges]) for n, ranges in numbers.items()}
    return ", ".join(shown.values() if len(shown) == 1 else (f"{n} {text}" for n, text in shown.items()))


def _range(r: Range) -> str:
    return str(r[0]) if r[0] == r[1] else f"{r[0]} to {r[1]}"


# ---- what is not allowed


def _refusals(k: LegalKind) -> Iterable[str]:
    for r in k.refused:
        why = "; ".join(f"{lack.text}{bracketed(lack.cites)}" for lack in r.lacks)
        yield f"{_refused(k, r)}: {why}"
    if k.more:
        yield f"and {k.more:,} more" if k.refused else f"{k.more:,} events"


def _refused(k: LegalKind, r: Refused) -> str:
    words = " ".join([k.event, *_words(k, r.args)])
    every = f", every one of {r.count:,}" if r.count > 1 else ""
    return f"{words} {_numbers(r.numbers)}" if r.numbers else words + every
