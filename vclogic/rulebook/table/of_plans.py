"""Planning models, with what their steps are: how they are read and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.aims import EVENT_STEP, ROUND_STEP, TURN_STEP, Counted, FromPython, Kept, PlanRule, Used
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import BELOW_PLAN, HEADER_WORD, Reader
from vclogic.terms.expressions.syntax import Word
from vclogic.words import joined

_STEPS = (EVENT_STEP, TURN_STEP, ROUND_STEP)
_STEP_HELP = f"write step is {EVENT_STEP}, step is {TURN_STEP}, or step is {ROUND_STEP}"
_MOST = "write step is a turn, at most 5 events"
_FUNCTION = "write python FUNCTION of FILE.py, or python FUNCTION of PACKAGE.MODULE"


def _read_plan(r: Reader) -> Mapping[str, Any]:
    if r.line_ends():
        help = "write plan NAME, and below it what it uses and what a step is"
        raise r.source.error(r.lexer.at, "the name of a plan is missing here", help)
    found: dict[str, Any] = {"name": r.is_name(r.header_word("a plan"))}
    if not r.line_ends():
        found["text"] = r.quoted("what the plan leaves out")
    seen: set[str] = set()
    for line in r.lines_below(BELOW_PLAN):
        at = line.lexer.at
        word = next((w for w in BELOW_PLAN if line.lexer.clause(w)), "")
        if not word:
            help = "below a plan stand uses EVENT, without EVENT, step is a turn, keeps FACT, counts turns"
            raise r.source.error(at, "this belongs to no plan", help)
        if word in seen and word not in ("keeps", "counts"):
            raise r.source.error(at, f"{word!r} stands here twice", "a plan says it once")
        seen.add(word)
        _READ[word](line, found)
        line.end()
    if "python" in seen and len(seen) > 1:
        more = joined([w for w in BELOW_PLAN if w in seen and w != "python"], "and")
        message = f"a function makes this plan, and {more} {'say' if ' and ' in more else 'says'} what it is, too"
        raise r.source.error(found["python"].function.at, message, "write either, or two plans")
    return found


def _read_uses(r: Reader, found: dict[str, Any]) -> None:
    parts: list[tuple[Used, ...]] = []
    more = True
    while more:
        parts.append(tuple(_used(r)))
        more = r.lexer.clause("then")
    found["uses"] = tuple(parts)


def _used(r: Reader) -> Iterator[Used]:
    more = True
    while more:
        event = r.words("an event", "after", "then")
        yield Used(event, r.words("an event", "then") if r.lexer.clause("after") else None)
        more = r.lexer.skip(",")


def _read_without(r: Reader, found: dict[str, Any]) -> None:
    found["without"] = r.names("an event")


def _read_step(r: Reader, found: dict[str, Any]) -> None:
    r.word("is", _STEP_HELP)
    at = r.lexer.at
    step = r.words("a step")
    if step.text not in _STEPS:
        raise r.source.error(step.at or at, f"{step.text!r} is no step", _STEP_HELP)
    found["step"] = step.text
    while r.lexer.skip(","):
        if r.lexer.clause("at"):
            r.word("most", _MOST)
            number = r.words("a number", "events", "event")
            if not (number.text.isascii() and number.text.isdigit() and 0 < int(number.text[:5]) <= 999):
                raise r.source.error(number.at, "this is a whole number from 1 to 999", _MOST)
            found["most"] = int(number.text)
            if not r.lexer.clause("event"):
                r.word("events", _MOST)
        else:
            help = "write step is a turn, one for each unit"
            for word in ("one", "for", "each"):
                r.word(word, help)
            found["each"] = r.words("a kind")


def _read_keeps(r: Reader, found: dict[str, Any]) -> None:
    kept = Kept(r.target(), r.binder(several=True) if r.lexer.clause("for") else None)
    found["keeps"] = (*found.get("keeps", ()), kept)


def _read_counts(r: Reader, found: dict[str, Any]) -> None:
    before = r.lexer.at
    if r.lexer.clause("turns"):
        found["turns"] = True
    else:
        r.lexer.at = before
        value = r.expression()
        r.word("for", "write counts turns, or counts 1 for move")
        found["counts"] = (*found.get("counts", ()), Counted(value, r.names("an event")))
    if found.get("turns") and found.get("counts"):
        raise r.source.error(before, "a plan counts turns or events", "write two plans, each with its own name")


def _read_python(r: Reader, found: dict[str, Any]) -> None:
    function = r.is_name(r.words("a function", "of"))
    r.word("of", _FUNCTION)
    module = r.match(HEADER_WORD, "the package or file is missing here", _FUNCTION)
    found["python"] = FromPython(function, Word(module[0].strip("'\""), module.start()))


_READ = {
    "uses": _read_uses,
    "without": _read_without,
    "step": _read_step,
    "keeps": _read_keeps,
    "counts": _read_counts,
    "python": _read_python,
}


def _plan(s: PlanRule) -> str:
    return "\n".join((f" {text.header(s.name)}" + (f" {text.text(s.text)}" if s.text else ""), *_lines(s)))


def _lines(s: PlanRule) -> Iterator[str]:
    if s.uses:
        yield "uses " + " then ".join(", ".join(map(_event, part)) for part in s.uses)
    if s.without:
        yield f"without {text.names(s.without)}"
    if s.step != EVENT_STEP or s.most is not None or s.each is not None:
        most = "" if s.most is None else f", at most {s.most} event{'s' * (s.most > 1)}"
        yield f"step is {s.step}{most}" + ("" if s.each is None else f", one for each {_name(s.each)}")
    for kept in s.keeps:
        yield f"keeps {text.expression(kept.fact)}{text.for_clause(kept.binder)}"
    for counted in s.counts:
        yield f"counts {text.expression(counted.value)} for {text.names(counted.events)}"
    if s.turns:
        yield "counts turns"
    if s.python is not None:
        yield f"python {text.name(s.python.function, ())} of {text.header(s.python.module)}"


def _event(used: Used) -> str:
    return _name(used.event) + ("" if used.after is None else f" after {_name(used.after)}")


def _name(word: Word) -> str:
    return text.name(word)


PLAN = StatementPart(
    _read_plan,
    _plan,
    'name [text] ({"uses" event ["after" event] {("," | "then") event ...} | "without" event {"," event} | "step is" '
    '("an event" | "a turn" | "a round") [", at most" number "events"] [", one for each" kind] | '
    '"keeps" fact ["for" binder] | "counts" ("turns" | expr "for" event {"," event})} '
    '| "python" function "of" (package "." module | file ".py"))',
)
