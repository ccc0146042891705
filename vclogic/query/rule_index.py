"""The installed games, and the content of a rule set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from typing import Any

from vclogic.document_keys import key
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.coverage import FILE, Coverage, load_coverage
from vclogic.files.registry import encoding_names, has_file, load_encoding, scenario_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case
from vclogic.files.scenario import Scenario, default_scenario, load_scenario
from vclogic.files.setup import Setup
from vclogic.model.actions import Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable, Option, Outcome, Reading, Rule
from vclogic.model.system import Metric
from vclogic.rulebook.meaning.names import moments_of
from vclogic.terms.sorts import Sort
from vclogic.terms.vocabulary import CountedKind

# ---- games


@dataclass(frozen=True)
class Installed:
    """An installed encoding.

    Attributes:
        name: The encoding.
        title: The game's name; None where the encoding is broken.
        scenarios: Its scenarios.
        default: The scenario that is meant where none is named.
        broken: What is wrong with it, if anything.
    """

    name: str
    title: str | None
    scenarios: tuple[Scenario, ...] = ()
    default: str | None = None
    broken: tuple[Diagnostic, ...] = ()


def installed() -> tuple[Installed, ...]:
    """Every installed encoding, broken ones included."""
    return tuple(map(_installed, encoding_names()))


def _installed(name: str) -> Installed:
    try:
        title = load_encoding(name).title
        scenarios = tuple(load_scenario(name, s) for s in scenario_names(name))
        return Installed(name, title, scenarios, default_scenario(name))
    except InputError as error:
        return Installed(name, None, broken=error.diagnostics)


# ---- rules


@dataclass(frozen=True)
class ClauseUse:
    """A clause of the rule text, with what encodes and exercises it.

    Attributes:
        clause: Its id.
        source: The rule text, where it is known.
        rules: Names of what cites it: functions of the game's code, rules, outcomes, observables, events, readings,
            options.
        cases: Names of the rulings that cite it.
        example: Whether it only gives an example, which needs rulings but no code.
        out_of_scope: Why the encoding leaves it out for good.
        planned: Why it is not encoded yet.
    """

    clause: str = field(metadata=key("name"))
    source: str | None
    rules: tuple[str, ...]
    cases: tuple[str, ...]
    example: bool = False
    out_of_scope: str | None = None
    planned: str | None = None


Citing = CitedFunction | Rule | Outcome | Observable | Reading | Option | Schema
Named = Citing | Metric | Objective | CountedKind


@dataclass(frozen=True)
class RuleIndex:
    """The content of a rule set, or the part of it that is about one name.

    Attributes:
        setup: The game.
        subject: That name; None for the whole, and for what was found by words.
        rules: Named terms.
        invariants: The invariants of well-formed positions.
        outcomes: The ways to win.
        clauses: The clauses of the rule text.
        functions: The functions of the game's code that encode clauses.
        readings: The Readings.
        options: The options.
        observables: The names that goals can use, `holds` included.
        kinds: What goals can count and choose from.
        moments: When a text of rules can have something judged or remembered.
        events: The events that records can contain.
        metrics: The costs that plans can minimize.
        objectives: What sides take and hold.
        cases: The rulings.
        words: The words that were looked for, where they are in all that the book holds.
    """

    setup: Setup
    subject: str | None
    rules: tuple[Rule, ...]
    invariants: tuple[Rule, ...]
    outcomes: tuple[Outcome, ...]
    clauses: tuple[ClauseUse, ...]
    functions: tuple[CitedFunction, ...]
    readings: tuple[Reading, ...]
    options: tuple[Option, ...]
    observables: tuple[Observable, ...]
    kinds: tuple[CountedKind, ...]
    moments: tuple[str, ...]
    events: tuple[Schema, ...]
    metrics: tuple[Metric, ...]
    objectives: tuple[Objective, ...]
    cases: tuple[Case, ...]
    words: tuple[str, ...] = ()

    @property
    def citing(self) -> tuple[Citing, ...]:
        """Everything that can cite clauses, rulings apart."""
        rules: tuple[Citing, ...] = (*self.outcomes, *self.rules, *self.invariants)
        return (*self.functions, *rules, *self.observables, *self.events, *self.options, *self.readings)

    @property
    def named(self) -> tuple[Named, ...]:
        """Everything that has a name, rulings and clauses apart."""
        return (*self.citing, *self.kinds, *self.metrics, *self.objectives)

    def about(self, name: str) -> RuleIndex:
        """The part of the book that is about a name.

        Args:
            name: The name of anything in the book, to get it with the clauses it cites and the rulings on them. Or
                the id of a clause or paragraph (an id up to its `/`), to get everything that cites it.

        Raises:
            InputError: There is nothing of that name.
        """
        clauses = {c.clause for c in self.clauses if c.clause == name or c.clause.startswith(f"{name}/")}
        chosen = [x for x in self.named if x.name == name or clauses & set(cites(x))]
        cases = {c.name for c in self.cases if c.name == name}
        if not (clauses or chosen or cases):
            raise self._unknown(name)
        if not clauses:
            cited = {c for x in chosen for c in cites(x)} | {
                c for k in self.cases if k.name in cases for c in k.cites
            }
            clauses = {c.clause for c in self.clauses if c.clause in cited or name in c.rules}
        cases |= {case for c in self.clauses if c.clause in clauses for case in c.cases}
        kept = {*map(id, chosen)}
        kept |= {id(c) for c in self.clauses if c.clause in clauses} | {id(c) for c in self.cases if c.name in cases}
        return replace(self._narrowed(kept), subject=name)

    def found(self, *words: str) -> RuleIndex:
        """The part of the book that a name or some words are about.

        Args:
            words: A name as `about` takes it; else words, each of which has to be in the name or the text of
                everything that is found, such as `rooftop`.

        Raises:
            InputError: There is nothing of that name or with these words.
        """
        name = " ".join(words)
        with suppress(InputError):
            return self.about(name)
        sought = [w.lower() for w in name.split()]
        every = (*self.named, *self.clauses, *self.cases)
        kept = {id(x) for x in every if _has(said_of(x).lower(), sought)}
        if not kept:
            raise self._unknown(name)
        return replace(self._narrowed(kept), words=tuple(name.split()))

    def _narrowed(self, kept: Set[int]) -> RuleIndex:
        """The book with the things of some ids."""
        parts = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("setup", "subject", "words")}
        few: Any = {part: tuple(x for x in things if id(x) in kept) for part, things in parts.items()}
        return replace(self, **few)

    def _unknown(self, name: str) -> InputError:
        known = [*(x.name for x in self.named), *(c.clause for c in self.clauses), *(c.name for c in self.cases)]
        message = f"{self.setup.encoding.name} has no rule, clause or ruling {quoted(name)}, and no text with that"
        return InputError(Diagnostic("unknown-name", message, help=did_you_mean(name, known)))


def _has(text: str, words: Iterable[str]) -> bool:
    return all(word in text for word in words)


def said_of(thing: Named | ClauseUse | Case) -> str:
    """Name and texts of something in a rule index."""
    match thing:
        case ClauseUse():
            parts = [thing.clause, thing.out_of_scope or "", thing.planned or ""]
        case Case():
            parts = [thing.name]
        case Reading():
            parts = [thing.name, *thing.values, *thing.values.values(), thing.reason]
        case Option():
            values = () if isinstance(thing.values, range) else thing.values
            parts = [thing.name, thing.text, *values]
        case Objective():
            parts = [thing.name, thing.kind, *thing.places, *thing.worth.values()]
        case Schema():
            parts = [thing.name, thing.text, *(p.name for p in thing.parameters)]
        case CountedKind():
            parts = [thing.name, *thing.every_group, *thing.functions]
        case Outcome():
            parts = [thing.name, thing.side, thing.text]
        case _:
            parts = [thing.name, thing.text]
    return " ".join(parts)


def cites(thing: Named) -> tuple[str, ...]:
    """The ids of the clauses that something cites."""
    return () if isinstance(thing, Metric | Objective | CountedKind) else tuple(c.clause for c in thing.cites)


def sort_of(observable: Observable) -> Sort:
    """The sort of an observable's value; its bounds may depend on the arguments."""
    return observable.partial(*(d.sort.members[0] for d in observable.parameters)).value.sort


def _place(function: CitedFunction) -> tuple[str, int]:
    """The file and line of a function: the order of imports does not matter."""
    return function.file, function.line


def rule_index(setup: Setup) -> RuleIndex:
    """The content of a game's rule set.

    Raises:
        InputError: A file with rulings or with the coverage has a wrong form.
    """
    system, encoding = setup.system, setup.encoding
    book = RuleIndex(
        setup=setup,
        subject=None,
        rules=tuple(system.rules),
        invariants=tuple(system.invariants),
        outcomes=system.outcomes,
        clauses=(),
        functions=tuple(f for text in encoding.texts for f in sorted(text.functions, key=_place)),
        readings=encoding.readings,
        options=encoding.options,
        observables=tuple(system.vocabulary.values()),
        kinds=tuple(system.vocabulary.kinds.values()),
        moments=moments_of(system),
        events=system.events,
        metrics=system.metrics,
        objectives=tuple(system.objectives),
        cases=load_cases(setup.request.name),
    )
    return replace(book, clauses=tuple(_clauses(book)))


def _clauses(book: RuleIndex) -> Iterable[ClauseUse]:
    """The clauses of the text, then other cited ids."""
    encoding = book.setup.request.name
    coverage = load_coverage(encoding) if has_file(encoding, FILE) else Coverage("", ())
    sources = {c.clause: c.source for thing in book.citing for c in thing.cites}
    citing = _names_by_clause((thing.name, cites(thing)) for thing in book.named)
    rulings = _names_by_clause((case.name, case.cites) for case in book.cases)
    for clause in dict.fromkeys((*coverage.clauses, *sources, *rulings)):
        yield ClauseUse(
            clause=clause,
            source=sources.get(clause, coverage.source or None),
            rules=tuple(citing[clause]),
            cases=tuple(rulings[clause]),
            example=clause in coverage.examples,
            out_of_scope=coverage.out_of_scope.get(clause),
            planned=coverage.planned.get(clause),
        )


def _names_by_clause(citing: Iterable[tuple[str, tuple[str, ...]]]) -> Mapping[str, dict[str, None]]:
    """The names of what cites each clause, each once."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for name, clauses in citing:
        for clause in clauses:
            found[clause][name] = None
    return found
