"""Events, with what they need and change: how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.declarations import CHANCE, Effect, EventRule, EveryEvent, Need, TakenArgument
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import BELOW, CHANGES, Reader
from vclogic.terms.expressions.syntax import Call, Node, Word

_EXCEPT = re.compile(r"(?:except(?:\s+for)?|save|besides|other\s+than|apart\s+from|,\s*but|\(\s*but)\b")
_ANY_TIME = re.compile(r",?\s*at\s+(?:(once)|any\s+time)\b")
_ROUTINE = re.compile(r",[ \t]*(?:(routine)|obliged)\b")
_WHOSE = re.compile(r"[ \t]*\w+\(")
_NOT_JUDGED = 'write not judged "how far a unit moves"'


# ---- one event


def _read_event(r: Reader) -> Mapping[str, Any]:
    name = r.header_word("the event")
    name = Word(name.text, name.at)
    by = _read_by(r) if r.on_line("by") else None
    header: list[Word] = []
    phase: Word | None = None
    any_time = at_once = False
    more = {"routine": False, "obliged": False}
    while not r.line_ends():
        time = _ANY_TIME.match(r.text, r.lexer.at)
        if said := _ROUTINE.match(r.text, r.lexer.at):
            r.lexer.at = said.end()
            more["routine" if said[1] else "obliged"] = True
        elif time:
            r.lexer.at = time.end()
            any_time, at_once = any_time or not time[1], at_once or bool(time[1])
        elif r.on_line("in"):
            phase = r.header_word("a phase")
        elif r.text.startswith(",", r.lexer.at):
            help = "between arguments stands none; behind them `, at any time`, `, at once`, `, routine`, `, obliged`"
            raise r.source.error(r.lexer.at, "this comma leads to nothing that an event has", help)
        else:
            header.append(r.header_word("an argument"))
    below = _read_below(r)
    if (below["weight"] is not None) and (by is None or by.text != CHANCE):
        raise r.source.error(r.begin, "only what chance decides has a weight", "write event NAME by chance")
    times = {"phase": phase, "any_time": any_time and not at_once, "at_once": at_once}
    return {"name": r.is_name(name), "by": by, "header": tuple(header), **times, **more, **below}


def _read_by(r: Reader) -> Word | Call:
    """The decider: a word, or whose an argument is, such as `side(unit)`."""
    if not _WHOSE.match(r.text, r.lexer.at):
        return r.header_word("who decides it")
    end = r.line().find(")", r.lexer.at) + 1 or len(r.line())
    inside = r.from_here(r.text[:end], r.lexer.at)
    found = inside.target()
    r.lexer.at = end
    return found


def _read_below(r: Reader) -> Mapping[str, Any]:
    """The lines below an event."""
    needs: list[Need] = []
    effects: list[Effect] = []
    takes: list[TakenArgument] = []
    not_judged = ""
    says: tuple[str | Node, ...] = ()
    weight: Node | None = None
    for line in r.lines_below(BELOW):
        at = line.lexer.at
        if line.lexer.clause("needs"):
            needs.append(_read_need(line, at))
        elif line.lexer.clause("then"):
            effects.append(read_effect(line, at))
        elif line.lexer.clause("says"):
            says = line.template("what a player reads")
        elif line.lexer.clause("weight"):
            weight = line.expression()
        elif line.lexer.clause("takes"):
            takes.append(_read_taken(line, at))
        elif line.lexer.clause("not"):
            line.word("judged", _NOT_JUDGED)
            not_judged = line.quoted("what a record is believed in")
        else:
            help = 'below an event stand needs CONDITION, then FACT becomes VALUE, says "..."'
            raise r.source.error(at, "this belongs to no event", help)
        line.end()
    said = {"says": says, "weight": weight, "takes": tuple(takes), "not_judged": not_judged}
    return {"needs": tuple(needs), "effects": tuple(effects), **said}


def _read_taken(r: Reader, at: int) -> TakenArgument:
    """The argument behind `takes`."""
    header: list[Word] = []
    condition: Node | None = None
    while not r.line_ends() and condition is None:
        if r.on_line("if"):
            condition = r.expression()
        else:
            header.append(r.header_word("an argument"))
    if not header:
        help = "write takes NAME KIND default VALUE if CONDITION"
        raise r.source.error(r.lexer.at, "an argument is missing here", help)
    return TakenArgument(tuple(header), condition, at)


def _read_need(r: Reader, at: int) -> Need:
    """The need behind `needs`."""
    begin = r.lexer.at
    condition = r.expression()
    said = " ".join(r.text[begin : r.lexer.at].split())
    before = r.lexer.at
    r.lexer.skip(",")
    if r.lexer.clause("else"):
        return Need(condition, said, at, r.template("what a player is told"))
    r.lexer.at = before
    return Need(condition, said, at)


def read_effect(r: Reader, at: int) -> Effect:
    """The effect behind `then`."""
    fact = r.target()
    r.lexer.char()
    kind = next((k for k, begin in CHANGES.items() if begin.match(r.text, r.lexer.at)), None)
    if kind is None:
        help = "write then FACT becomes VALUE, rises by VALUE, or falls by VALUE"
        raise r.source.error(r.lexer.at, "nothing says how the fact changes", help)
    r.lexer.at = CHANGES[kind].match(r.text, r.lexer.at).end()  # type: ignore[union-attr]
    value = r.expression()
    binder = r.binder(several=True) if r.lexer.clause("for") else None
    condition = r.expression() if r.lexer.clause("if") else None
    return Effect(fact, kind, value, binder, condition, at)


def _event(s: EventRule) -> str:
    by = () if s.by is None else ("by", text.header(s.by) if isinstance(s.by, Word) else text.expression(s.by))
    phase = () if s.phase is None else ("in", text.header(s.phase))
    head = " ".join(("", text.header(s.name), *by, *map(text.header, s.header), *phase))
    says = (f"says {text.template(s.says)}",) if s.says else ()
    weight = () if s.weight is None else (f"weight {text.expression(s.weight)}",)
    first = head + (", at once" if s.at_once else ", at any time" if s.any_time else "")
    first += (", routine" if s.routine else "") + (", obliged" if s.obliged else "")
    judged = (f"not judged {text.text(s.not_judged)}",) if s.not_judged else ()
    takes = (
        f"takes {' '.join(text.header(w, ('if',)) for w in t.header)}{text.if_clause(t.condition)}" for t in s.takes
    )
    needs = (f"needs {_need(n)}{text.cites(n.clauses)}" for n in s.needs)
    effects = (f"{effect_text(e)}{text.cites(e.clauses)}" for e in s.effects)
    return "\n".join((first, *takes, *needs, *effects, *says, *weight, *judged))


def _need(need: Need) -> str:
    return text.expression(need.condition) + (f", else {text.template(need.message)}" if need.message else "")


def effect_text(e: Effect) -> str:
    """A line that says what changes, from `then` on."""
    value = f"{e.kind} {text.expression(e.value)}"
    return f"then {text.expression(e.fact)} {value}{text.for_clause(e.binder)}{text.if_clause(e.condition)}"


EVENT = StatementPart(
    _read_event,
    _event,
    'name ["by" (kind | side | "turn" | property "(" argument ")" | "chance")] {argument} ["in" phase] '
    '[", at any time" | ", at once"] [", routine"] [", obliged"] '
    '{"takes" argument ["if" expr] | needs | then | says | "weight" expr | "not judged" text}',
)

# ---- every event

EVERY_WRITE = "write every event but NAME needs CONDITION"


def _read_every(r: Reader) -> Mapping[str, Any]:
    of: Word | None = None
    but: list[Word] = []
    if r.lexer.clause("event"):
        r.lexer.char()
        other = _EXCEPT.match(r.text, r.lexer.at)
        if other is not None:
            raise r.source.error(r.lexer.at, f"{other[0]!r} cannot stand here", EVERY_WRITE)
        but = list(_exempt(r)) if r.lexer.clause("but") else []
    else:
        of = r.words("an event", "needs", "but")
    at = r.lexer.at
    if r.lexer.clause("then"):
        return {"but": tuple(but), "effect": read_effect(r, at)}
    r.word("needs", EVERY_WRITE)
    return {"but": tuple(but), "need": _read_need(r, at), "of": of}


def _exempt(r: Reader) -> Iterator[Word]:
    """The events of which it is not asked, with commas or `and` between them."""
    more = True
    while more:
        r.lexer.clause("event")
        yield r.words("an event", "needs", "then", "and", "or", "event")
        more = r.lexer.skip(",")
        more = r.lexer.clause("and") or r.lexer.clause("or") or more


def _every(s: EveryEvent) -> str:
    but = f" but {', '.join(map(text.name, s.but))}" if s.but else ""
    about = f"event{but}" if s.of is None else text.name(s.of, ("needs", "but", "event"))
    told = "" if s.need is None else f"needs {_need(s.need)}"
    return f" {about} {told if s.effect is None else effect_text(s.effect)}"


EVERY = StatementPart(_read_every, _every, '("event" ["but" name {("," | "and") name}] | name) (needs | then)')
