"""A rule set in which what encodes clauses stays visible.

Constructors fold what functions return into larger terms, and often into constants. So the rule set is built once
more, with a variable (a mark) in place of each result of what cites clauses. What a mark stands for is kept beside
it. Then a clause can be told to say something else, and it shows what changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain, islice
from threading import RLock
from typing import Any

from vclogic.collector_paused import collector_paused
from vclogic.encode.python.evaluator import interpret
from vclogic.files.setup import Setup, rebuilt
from vclogic.model.actions import Action, Event, Requirement
from vclogic.model.citation import CitedFunction, Cites, seen
from vclogic.model.fluents import State
from vclogic.model.memoized import watched
from vclogic.model.rules import Observable, Outcome
from vclogic.model.system import System
from vclogic.model.variants import variants
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution, standing_for
from vclogic.terms.sorts import BoolSort, IntSort, between
from vclogic.terms.term import Term, variables

_VARIANTS = 4
"""So many other results of a function are tried that returns no terms."""
_FAR = 10
"""So many times as large is a number that is far above another one."""
_TRIED = 4
"""So many values of a mark are tried to see whether another one only passes them on."""


@dataclass(frozen=True, eq=False)
class Speaker:
    """Something that cites clauses: a function, an observable, a requirement, an event, an outcome.

    Attributes:
        says: What it says, in the game's words.
        cites: The clauses.
        coarse: Of an event all its clauses, also those that it does not speak for.
        encodes: Whether it is a function, which says what its clauses say, and not only what they decide.
    """

    says: str
    cites: Cites
    coarse: Cites = ()
    encodes: bool = False


@dataclass(frozen=True, eq=False)
class MarkedCall:
    """A call whose result got marks.

    Attributes:
        again: Makes the call once more.
        marks: The marks in its result.
        inside: The functions that were called for it and returned no terms, such as numbers of points.
    """

    again: Callable[[], Any]
    marks: tuple[Term, ...]
    inside: tuple[CitedFunction, ...]


class _OtherResult:
    """Another result of a function, and what is made with it.

    Attributes:
        function: The function.
        memo: What is memoized meanwhile.

    Args:
        function: The function.
        n: Which of the other results it returns.
    """

    def __init__(self, function: CitedFunction, n: int):
        self.function = function
        self.memo: dict[tuple[int, Hashable], Any] = {}
        self._n = n

    def of(self, found: Any) -> Any:
        """The other result; the right one where there is none."""
        others = chain(variants(found), _far(found))
        return next(islice(others, self._n, None), found)


def _far(found: object) -> Iterator[int]:
    """A number far above another one, by which what it limits is allowed, and a small one. Of yes or no both."""
    if isinstance(found, bool):
        yield from (True, False)
    elif isinstance(found, int):
        yield from (_FAR * (abs(found) + 1), 1)


def terms_in(found: Any) -> Iterator[Term]:
    """The terms in a result that get marks, in their order."""
    match found:
        case Term():
            yield found
        case Partial():
            yield from (t for t in (found.value, found.defined) if t is found.value or not t.is_const)
        case Action():
            yield from (r.term for r in found.requirements)
            yield from (new for _, new in found.effects)
        case dict():
            yield from (t for part in found.values() for t in terms_in(part))
        case tuple() if type(found) is tuple:
            yield from (t for part in found for t in terms_in(part))
        case _ if is_dataclass(found) and not isinstance(found, type):
            parts = (getattr(found, f.name) for f in fields(found) if f.init)
            yield from (t for part in parts if isinstance(part, Term | Partial) for t in terms_in(part))


class Marked:
    """A rule set with marks.

    Attributes:
        system: The rule set; its terms hold marks.

    Args:
        setup: The game.
    """

    def __init__(self, setup: Setup):
        self._lock = RLock()  # several threads may ask, and what is called inside of what is known of one at a time
        self._facts: dict[Term, frozenset[Term]] = {}
        self._meaning: dict[Term, Term] = {}
        self._order: dict[Term, int] = {}
        self._speaker: dict[Term, Speaker] = {}
        self._known: dict[tuple[Speaker, Term], Term] = {}
        self._needs: dict[Term, tuple[Term, ...]] = {}
        self._speakers: dict[int, Speaker] = {}
        self._calls: dict[Term, list[MarkedCall]] = {}
        self._alive: set[Speaker] = set()
        self._inside: list[dict[CitedFunction, None]] = [{}]
        self._noted: dict[tuple[int, Hashable], dict[CitedFunction, None]] = {}
        self._otherwise: dict[tuple[MarkedCall, str], tuple[Mapping[Term, Term], ...]] = {}
        self._change: _OtherResult | None = None
        self._by_functions = {c for text in setup.encoding.texts for f in text.functions for c in f.cites}
        self._events: dict[Event, Action] = {}
        with self.open(), collector_paused():
            self.system = self._with_marks(rebuilt(setup))

    # ---- making marks

    @contextmanager
    def open(self) -> Iterator[None]:
        """While this is open, terms of the rule set are made with marks."""
        with self._lock, seen(self._result), watched(self._remembered), standing_for(self._substituted):
            yield

    def _substituted(self, variable: Term, replaced: Substitution) -> Term:
        """A mark after a substitution: it stands for what it stood for with the replacements made."""
        meaning = self._meaning.get(variable)
        new = variable if meaning is None else replaced(meaning)
        return variable if meaning is None or new is meaning else self._mark(self._speaker[variable], new)

    def _remembered(self, memo: dict[Any, Any], key: Hashable, make: Callable[[], Any]) -> Any:
        """A memoized value, with a note of the functions called for it that returned no terms."""
        place = id(memo), key
        inside, change = self._noted.get(place, {}), self._change
        if change is not None and (key not in memo or change.function in inside):
            if place not in change.memo:
                change.memo[place] = make()
            return change.memo[place]
        if key not in memo:
            self._inside.append({})
            try:
                memo[key] = make()
            finally:
                inside = self._inside.pop()
            if inside:
                self._noted[place] = inside
        self._inside[-1] |= inside
        return memo[key]

    def _result(self, function: CitedFunction, call: Callable[[], Any]) -> Any:
        if self._change is not None and self._change.function is function:
            return self._change.of(call())
        speaker = self._speakers.get(id(function))
        if speaker is None:
            speaker = self._speakers[id(function)] = Speaker(function.text, function.cites, encodes=True)
        found, inside = self._called(speaker, call)
        if inside is not None:  # it returned no terms
            self._inside[-1] |= {**inside, function: None}
        return found

    def _called(self, speaker: Speaker, call: Callable[[], Any]) -> tuple[Any, dict[CitedFunction, None] | None]:
        """The result of a call with marks; where it holds no terms, what was called for it that held none either."""
        self._inside.append({})
        try:
            made = call()
        finally:
            inside = self._inside.pop()
        terms = list(terms_in(made))
        if not terms:
            return made, inside
        found = self._marked(speaker, made)
        if inside and self._change is None:
            made_again = MarkedCall(call, tuple(terms_in(found)), tuple(inside))
            for mark in made_again.marks:
                self._calls.setdefault(mark, []).append(made_again)
        return found, None

    def _marked(self, speaker: Speaker, found: Any) -> Any:
        """A result with a mark in place of each term in it."""
        match found:
            case Term():
                return self._mark(speaker, found)
            case Partial():
                defined = found.defined if found.defined.is_const else self._mark(speaker, found.defined)
                return Partial(self._mark(speaker, found.value), defined)
            case Action():
                requirements = self._marked(speaker, found.requirements)
                return replace(found, requirements=requirements, effects=self._effects(speaker, found.effects))
            case dict():
                return {k: self._marked(speaker, v) for k, v in found.items()}
            case tuple() if type(found) is tuple:
                return tuple(self._marked(speaker, x) for x in found)
            case _ if is_dataclass(found) and not isinstance(found, type):
                kept = {f.name: getattr(found, f.name) for f in fields(found) if f.init}
                marked = {k: self._marked(speaker, v) for k, v in kept.items() if isinstance(v, Term | Partial)}
                return replace(found, **marked) if marked else found
        return found

    def _mark(self, speaker: Speaker, term: Term) -> Term:
        key = (speaker, term)
        found = self._known.get(key)
        if found is None:
            sort = term.sort
            if isinstance(sort, IntSort):
                sort = between(min(term.lo, 0), max(term.hi, 0) + 1)
            found = self._known[key] = var(f"mark {len(self._known)}", sort)
            self._meaning[found], self._speaker[found] = term, speaker
            self._order[found] = len(self._order)
            if term is not FALSE:
                self._alive.add(speaker)
        return found

    def _effects(self, speaker: Speaker, effects: Iterable[tuple[Term, Term]]) -> tuple[tuple[Term, Term], ...]:
        return tuple((self._fact(f), new if new is f else self._mark(speaker, new)) for f, new in effects)

    def _fact(self, fluent: Term) -> Term:
        """The fact that a mark stands for."""
        while fluent in self._meaning:
            fluent = self._meaning[fluent]
        return fluent

    # ---- what is no function, but cites clauses

    def _with_marks(self, system: System) -> System:
        return replace(
            system,
            observables=tuple(map(self._observable, system.observables)),
            outcomes=tuple(map(self._outcome, system.outcomes)),
            _instances={},
            _opened={},
            _steps={},
            _views=[],
            _lists={},
            _kept={},
        )

    def _observable(self, o: Observable) -> Observable:
        speaker = self._coarse(o.text, o.cites)
        return replace(o, term=lambda *names: self._called(speaker, lambda: o.term(*names))[0])

    def _outcome(self, o: Outcome) -> Outcome:
        judged = self._mark(Speaker(o.when, o.cites), o.timing)
        return replace(o, condition=self._marked(Speaker(o.text, o.cites), o.condition), timing=judged)

    def action(self, event: Event) -> Action:
        """An event for any state, with marks."""
        found = self._events.get(event)
        if found is None:
            schema = self.system.schemas[event.name]

            def made() -> Action:
                action = schema.action(event.args)
                return replace(action, requirements=tuple(map(self._requirement, action.requirements)))

            clauses = schema.action(event.args).cites or schema.cites
            with self.open():
                found = self._events[event] = self._called(self._coarse(schema.text, clauses), made)[0]
        return found

    def _requirement(self, r: Requirement) -> Requirement:
        said = f"refused otherwise: {r.message}" if isinstance(r.message, str) else ""
        return replace(r, term=self._mark(Speaker(said, r.cites), r.term)) if r.cites else r

    def _coarse(self, says: str, cites: Cites) -> Speaker:
        """A speaker for citations beside functions: it speaks only for those clauses that no function encodes."""
        return Speaker(says, tuple(c for c in cites if c not in self._by_functions), cites)

    # ---- reading marks

    def calls(self, marks: Iterable[Term]) -> list[MarkedCall]:
        """The calls that made what marks stand for, and that rest on functions that return no terms."""
        return list(dict.fromkeys(call for mark in marks for call in self._calls.get(mark, ())))

    def otherwise(self, call: MarkedCall, function: CitedFunction) -> tuple[Mapping[Term, Term], ...]:
        """Other meanings of a call's marks where a function in it returns something else; only those that differ."""
        key = call, function.name
        found = self._otherwise.get(key)
        if found is None:
            ways = (self._remade(call, _OtherResult(function, n)) for n in range(_VARIANTS))
            found = self._otherwise[key] = tuple(way for way in ways if way)
        return found

    def _remade(self, call: MarkedCall, change: _OtherResult) -> Mapping[Term, Term]:
        with self.open():
            self._change = change
            try:
                terms = tuple(terms_in(call.again()))
            except Exception:  # the game's code cannot take such a result, so it says nothing
                return {}
            finally:
                self._change = None
        if len(terms) != len(call.marks):
            return {}
        return {m: t for m, t in zip(call.marks, terms, strict=True) if self._meaning.get(m) not in (t, None)}

    def says_itself(self, term: Term) -> bool:
        """True if a term is what a function that encodes clauses says, and not only an event that cites some."""
        while term in self._meaning and not self._speaker[term].encodes:
            term = self._meaning[term]
        return term in self._meaning

    def is_cited(self, fact: Term) -> bool:
        """True if a clause gives the value of a fact in a position that does not."""
        return self.system.defaults.get(fact, fact) in self._meaning

    def is_fixed(self, mark: Term) -> bool:
        """True if the board says no where the same function says something else of others: a truck has no weapons."""
        return not self.facts(mark) and self._speaker[mark] in self._alive

    def speaker(self, mark: Term) -> Speaker:
        """The speaker whose result a mark stands for."""
        return self._speaker[mark]

    def meaning(self, mark: Term) -> Term:
        """The term that a mark stands for."""
        return self._meaning[mark]

    def below(self, terms: Iterable[Term]) -> Mapping[Term, int]:
        """The marks below some terms, each with how far it is from them; what a mark stands for comes before it."""
        depth: dict[Term, int] = {}
        level, far = [m for t in terms for m in self._marks(t)], 0
        while level:
            depth |= dict.fromkeys(level, far)
            far += 1
            needed = dict.fromkeys(m for mark in level for m in self.direct(mark))
            level = [m for m in needed if m not in depth]
        return {m: depth[m] for m in sorted(depth, key=self._order.__getitem__)}

    def direct(self, mark: Term) -> tuple[Term, ...]:
        """The marks in what a mark stands for."""
        found = self._needs.get(mark)
        if found is None:
            found = self._needs[mark] = self._marks(self._meaning[mark])
        return found

    def facts(self, mark: Term) -> frozenset[Term]:
        """The facts that what a mark stands for depends on."""
        found = self._facts.get(mark)
        if found is None:
            own = frozenset(v for v in variables(self._meaning[mark]) if v not in self._meaning)
            found = self._facts[mark] = own.union(*map(self.facts, self.direct(mark)))
        return found

    def _marks(self, term: Term) -> tuple[Term, ...]:
        return tuple(v for v in variables(term) if v in self._meaning)


class MarkValues:
    """The values of marks in one state, and what changes when some say something else.

    Attributes:
        marks: The marks below the terms, each with how far it is from them.
        top: Those in the terms themselves.

    Args:
        marked: The rule set.
        state: The state.
        terms: Bool terms that hold in it.
    """

    def __init__(self, marked: Marked, state: State, terms: Sequence[Term]):
        self._marked = marked
        self._terms = tuple(terms)
        self.marks = marked.below(terms)
        self.top = tuple(m for m, depth in self.marks.items() if not depth)
        n = len(state)
        self._slot = {**marked.system.layout.slot, **{m: n + i for i, m in enumerate(self.marks)}}
        self._state = list(state)
        for mark in self.marks:
            self._state.append(interpret(marked.meaning(mark), self._slot, self._state))

    def value(self, mark: Term) -> int:
        """The value of a mark."""
        return self._state[self._slot[mark]]

    def passes_on(self, mark: Term) -> Term | None:
        """The mark of which another one says here only what it says, whatever that is; None: it adds something."""
        meaning = self._marked.meaning(mark)
        same = (m for m in self._marked.direct(mark) if m.sort == mark.sort)
        return next((m for m in same if self._follows(meaning, m)), None)

    def _follows(self, meaning: Term, inner: Term) -> bool:
        state, place = list(self._state), self._slot[inner]
        for n in range(inner.lo, min(inner.hi, inner.lo + _TRIED) + 1):
            state[place] = n
            if interpret(meaning, self._slot, state) != n:
                return False
        return True

    def of(self, term: Term) -> int:
        """The value of another term; marks in it that are not known here stand for what they stand for."""
        found = self._marked.below([term])
        slot, state = dict(self._slot), list(self._state)
        for mark in found:
            if mark not in slot:
                slot[mark] = len(state)
                state.append(interpret(self._marked.meaning(mark), slot, state))
        return interpret(term, slot, state)

    def hold(self, says: Mapping[Term, int]) -> bool:
        """True if all terms hold where some marks have other values.

        Args:
            says: What these marks say.
        """
        state = self._saying(says)
        return state is None or all(interpret(t, self._slot, state) for t in self._terms)

    def others(self, term: Term) -> Iterator[int]:
        """Other values of a term if a mark that is yes or no had the opposite value, or a fixed number another.

        Args:
            term: A term over the marks below the terms.
        """
        now = interpret(term, self._slot, self._state)
        for mark in self._marked.below([term]):
            yes_or_no = isinstance(mark.sort, BoolSort)
            number = isinstance(mark.sort, IntSort) and self._marked.meaning(mark).is_const
            if (yes_or_no or number) and self._marked.speaker(mark).cites:
                state = self._saying({mark: 1 - self.value(mark) if yes_or_no else self.value(mark) + 1})
                found = now if state is None else interpret(term, self._slot, state)
                if found != now:
                    yield found

    def _saying(self, says: Mapping[Term, int]) -> list[int] | None:
        """The state with all marks where some say something else; None: that changes no mark."""
        state, other = list(self._state), set[Term]()
        for mark in self.marks:
            place = self._slot[mark]
            if mark in says:
                state[place] = says[mark]
            elif not other.isdisjoint(self._marked.direct(mark)):
                state[place] = interpret(self._marked.meaning(mark), self._slot, state)
            if state[place] != self._state[place]:
                other.add(mark)
        return state if other else None
