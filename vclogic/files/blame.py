"""Report faults of an encoding's code at its own line: exceptions, undeclared fluents, endless loops."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from traceback import walk_tb
from types import FrameType
from typing import NamedTuple

from vclogic.clock import TimeUp
from vclogic.errors import BROKEN_RULES, Diagnostic, InputError, RulesError, did_you_mean, shown
from vclogic.model.event_terms import meanings, of_positions
from vclogic.model.lazy import LazySequence
from vclogic.model.system import System
from vclogic.provenance import Places
from vclogic.shortage import shortage
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, postorder, variables
from vclogic.watchdog import Endless, in_words, their_frames
from vclogic.words import amount

_HELP = "this is a mistake in the rules of the game, not in your files; look at that line of the encoding"
_SHOWN = 6


class CodeLine(NamedTuple):
    """A line of somebody's code.

    Attributes:
        file: The file.
        line: The line, counted from 1.
        function: The function.
        module: The module.
    """

    file: str
    line: int
    function: str
    module: str


def blamed(error: BaseException, packages: Collection[str] | None = None) -> Diagnostic | None:
    """The fault in an encoding's code that caused an error; None if the error came from vclogic itself.

    An error in a constructor of terms or of the model, or in a library, is attributed to the code that called it.

    Args:
        packages: The packages with the encodings' code; None: anything outside vclogic.
    """
    lines = [_line(frame, number) for frame, number in their_frames(walk_tb(error.__traceback__))]
    if packages is not None and not any(line.module.startswith(tuple(packages)) for line in lines):
        return None
    if isinstance(error, SyntaxError) and error.filename:
        return Diagnostic(BROKEN_RULES, f"syntax error: {error.msg}", error.filename, error.lineno, error.offset)
    if not lines:
        return None
    last = lines[-1]
    message, help = in_words(error), _HELP
    if isinstance(error, RecursionError) and (circle := _circle(lines)):
        last = circle[0]
        names = [*(line.function for line in circle), circle[0].function]
        message = "rules refer to each other in a circle: " + " -> ".join(names[: _SHOWN + 1])
        help = "let one of them refer to fluents instead"
    elif isinstance(error, Endless):
        help = "an endless loop? this line was running when the time was up"
    return Diagnostic(BROKEN_RULES, f"{message} (in {last.function})", last.file, last.line, help=help)


def failure(error: BaseException, packages: Collection[str]) -> RulesError | None:
    """The report for an error that came from a game's rules; None for any other error.

    Args:
        packages: The packages of the games.
    """
    if isinstance(error, RulesError):
        return error
    found = None if shortage(error) else blamed(error, packages)
    if found is None:
        return None
    return RulesError(replace(found, message=f"the rules of the game fail: {found.message}"))


def _line(frame: FrameType, number: int) -> CodeLine:
    code = frame.f_code
    return CodeLine(code.co_filename, number, code.co_name, str(frame.f_globals.get("__name__", "")))


def _circle(lines: Sequence[CodeLine]) -> list[CodeLine]:
    """The functions of an infinite recursion, from the one called first."""
    end = len(lines) - 1
    for start in range(end - 1, -1, -1):
        if _same(lines[start], lines[end]):
            inside = lines[start:end]
            first = next(i for i, line in enumerate(lines) if any(_same(line, other) for other in inside))
            return list(lines[first : first + end - start])
    return []


def _same(a: CodeLine, b: CodeLine) -> bool:
    """True if two lines are of one function."""
    return (a.file, a.function) == (b.file, b.function)


@contextmanager
def their_code(name: str, what: str, *, only_theirs: bool = True) -> Iterator[None]:
    """Run an encoding's code; an exception becomes a report at its line.

    Args:
        name: The encoding.
        what: What is being done, for the report, such as `built`.
        only_theirs: Whether any error is the encoding's fault, even if none of its lines is on the stack.

    Raises:
        RulesError: The code raised an exception, or did not end.
    """
    try:
        yield
    except (InputError, RulesError, KeyboardInterrupt, TimeUp):
        raise
    except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
        if shortage(error) is not None or (not only_theirs and blamed(error) is None):
            raise
        help = "this is a mistake in the game's package, not in your files"
        found = blamed(error) or Diagnostic(BROKEN_RULES, in_words(error), help=help)
        message = f"the encoding {name!r} is broken: it cannot be {what}: {found.message}"
        raise RulesError(replace(found, message=message)) from error


Named = tuple[str, Places, list[Term]]


def check_references(system: System, like: System | None = None) -> None:
    """Check that every variable in rules, outcomes and the like is a fluent of the rule set; lazy ones are left out.

    Args:
        like: One of the same game that has been checked: where its fluents are all here, so are those in its terms.

    Raises:
        InputError: Each undeclared fluent, at the line of the encoding that made the rule.
    """
    checked: AbstractSet[Term] = frozenset()
    if like is not None and like.layout.slot.keys() <= system.layout.slot.keys():
        below = (t for _, _, terms in _parts(like) for t in terms)
        checked = like.listed("checked terms", lambda: frozenset(postorder(below)))
    if found := undeclared(system, _parts(system), checked):
        raise InputError(found)


def without_start(system: System, given: Collection[Term]) -> list[Diagnostic]:
    """The facts that nothing says how they begin, a word for each family; and those that cannot begin so.

    Args:
        given: The facts that the scenario gives.
    """
    missing: dict[str, list[str]] = {}
    for fluent in system.layout.fluents:
        if fluent not in system.initial and fluent not in system.defaults and fluent not in given:
            missing.setdefault(fluent.name.partition("[")[0], []).append(fluent.name)
    help = "give it a value in `System.initial`, or a term in `System.defaults`"
    strange = system.kept("strange start", lambda: [f for f, x in system.initial.items() if not _can_be(f, x)])
    if strange:
        message = f"{strange[0].name} cannot be {shown(system.initial[strange[0]])} at the start"
        return [Diagnostic("no-initial-value", message, help="give it another value in `System.initial`")]
    return [
        Diagnostic(
            "no-initial-value", f"nothing says what {names[0]} is at the start{_more(len(names) - 1)}", help=help
        )
        for names in missing.values()
    ]


def _more(number: int) -> str:
    return f", nor {amount(number, 'other fact')} of its family" if number else ""


def undeclared(system: System, named: Iterable[Named], checked: AbstractSet[Term] = frozenset()) -> list[Diagnostic]:
    """The variables in some terms of a rule set that are no fluents of it.

    Args:
        named: What the terms belong to, where that was made, and the terms.
        checked: Terms with none of these.
    """
    parts, known, found = list(named), system.layout.slot, []
    if all(v in known for v in variables(*(t for _, _, terms in parts for t in terms), beside=checked)):
        return []
    for name, made, terms in parts:
        for v in variables(*terms):
            if v not in known:
                message = f"{name} refers to {v.name!r}, which is no fluent of the rule set"
                help = did_you_mean(v.name, system.layout.by_name)
                if v.name in system.layout.by_name:
                    help = f"the fluent of that name is {system.layout.by_name[v.name].sort}, not {v.sort}"
                if meanings(v):
                    help = "a rule about events is declared so: Rule(..., step=True)"
                file, line = (made[0].file, made[0].line) if made else (None, None)
                found.append(Diagnostic("unknown-fluent", message, file, line, help=help))
    return list(dict.fromkeys(found))


def _parts(system: System) -> Iterator[Named]:
    for o in system.outcomes:
        terms = [o.timing, o.condition.value, o.condition.defined, o.won, o.lost]
        terms += [t for t in (o.have, o.need) if t is not None]
        yield f"the outcome {o.name} of the {o.side} side", o.made, terms
    for kind, rules in (("rule", system.rules), ("invariant", system.invariants)):
        for r in () if isinstance(rules, LazySequence) else rules:
            yield f"the {kind} {r.name}", r.made, of_positions(r)
    for table in () if isinstance(system.levels, LazySequence) else system.levels:
        terms = [table.timing, *(t for c in table.rows.values() for t in (c.value, c.defined))]
        yield f"the table {table.name}", table.made, terms
    alone = {"System.ends": system.ends, "System.pieces": system.pieces, "System.winner": system.winner}
    yield from ((name, (), [t]) for name, t in alone.items() if t is not None)
    for fluent, default in system.defaults.items():
        yield f"the default of {fluent.name}", (), [default]


def _can_be(fluent: Term, given: object) -> bool:
    """True if a value is one that a fact can have."""
    if isinstance(fluent.sort, EnumSort):
        return isinstance(given, str) and given in fluent.sort.index
    if isinstance(fluent.sort, IntSort):
        return isinstance(given, int) and not isinstance(given, bool) and fluent.lo <= given <= fluent.hi
    return isinstance(given, bool)
