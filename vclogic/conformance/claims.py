"""Tests of what a game claims: citations, names, rulings, and what is absent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache, partial
from random import Random
from typing import Any

from vclogic.conformance.games import RandomPlay, at, claim, each_choice, fails, instances, loaded, named
from vclogic.errors import InputError
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import is_text, load_encoding, scenario_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case, Ending
from vclogic.files.setup import Memo, Setup
from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.citation import Citation, CitedFunction, changed
from vclogic.model.rules import NOBODY, Observable, Outcome
from vclogic.model.system import HOLDS, Encoding, System
from vclogic.model.variants import variants
from vclogic.query.rule_index import RuleIndex, rule_index
from vclogic.query.test.rulings import try_case
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_goal

_VARIANTS = 4
_EVENT = re.compile(r"'(\w+)'")  # events in records are among the words of a ruling
_EXPECTED = re.compile(r"\bholds\(\s*(\w+)")
_LEFT_OUT = "or list the clause in coverage.yaml under `out_of_scope:` with the reason"


def test_what_is_claimed_is_cited(scenario: str) -> None:
    """Rules, outcomes and readings have a text and a clause, of a source that the encoding names."""
    setup = loaded(scenario).setup
    encoding, system = setup.encoding, setup.system
    ruled = encoding.is_text
    claims = [(r.name, r.text, r.cites) for r in system.rules]
    claims += [(o.name, o.text, o.cites) for o in system.outcomes]
    claims += [(r.name, r.reason, r.cites) for r in encoding.readings]
    for name, text, cites in claims:
        claim(text, f"{name} has no text: say in a line what it says")
        help = "write a numbered sentence above it" if ruled else 'add cites=cite("PARAGRAPH/SENTENCE")'
        claim(cites, f"{name} cites no clause: {help}")
    cited = [(name, cites) for name, _, cites in claims]
    cited += [(r.name, r.cites) for r in system.invariants] + [(o.name, o.cites) for o in encoding.options]
    cited += [(o.name, o.cites) for o in system.observables] + [(e.name, e.cites) for e in system.events]
    for name, cites in cited:
        check_cites(encoding, name, cites)
    for schema in system.events:
        for action in () if ruled else instances(system, schema, Random("cites")):
            needed = (c for r in action.requirements for c in r.cites)
            check_cites(encoding, action.key, (*action.cites, *needed))


def check_cites(encoding: Encoding, name: str, cites: Iterable[Citation]) -> None:
    """Citations are of texts that the encoding names."""
    for cite in cites:
        if encoding.is_text:
            continue  # the sentence above it, of this rulebook or one that it includes
        known = [t.source for t in encoding.texts]
        claim(cite.source in known, f"{name} cites {cite.source}, which is no text of the game: {named(known)} are")
        claim(cite.clause, f"{name} cites {cite.source} without a clause: name one")


def test_names_are_unique(encoding: str) -> None:
    """No two things of one kind have one name."""
    game = load_encoding(encoding)
    switches = [o.name for o in game.options] + [r.name for r in game.readings]
    system = loaded(encoding).setup.system
    rules = [r.name for r in (*system.rules, *system.invariants)]
    observables = [o.name for o in system.observables]
    ruled = game.is_text  # several of its lines may tell when one outcome is met
    outcomes = [] if ruled else [(o.name, o.side) for o in system.outcomes]
    events = [s.name for s in system.events]
    lists: dict[str, Sequence[object]] = {"options or Readings": switches, "rules": rules, "observables": observables}
    for kind, names in {**lists, "outcomes of one side": outcomes, "kinds of events": events}.items():
        twice = [n for n in dict.fromkeys(names) if names.count(n) > 1]
        claim(not twice, f"two {kind} have one name, {named(twice)}: call one of them otherwise")
    claim(
        game.name == encoding, f"the game is installed as {encoding}, but ENCODING is called {game.name}: rename it"
    )
    for o in system.outcomes:
        known = f"there are {named(system.sides)}"
        whose = f"the outcome {o.name}{at(o)} is for {o.side}, which is no side"
        claim(o.side in (*system.sides, NOBODY), f"{whose}: {known}")


# ---- coverage and rulings


@lru_cache(maxsize=1)  # one game is tried after the other
def rulings(game: str) -> tuple[Case, ...]:
    """The rulings of a game, which share the rule sets that they are about."""
    return load_cases(game)


def test_every_citation_is_a_clause(covered: str) -> None:
    """Rules and rulings cite only clauses that coverage.yaml lists."""
    clauses = set(load_coverage(covered).clauses)
    for book in books(covered):
        for part in book.citing:
            _are_listed(part.name, [c.clause for c in part.cites if not is_line(c)], clauses)
    for case in rulings(covered):
        _are_listed(f"the ruling '{case.name}'", case.cites, clauses)


def is_line(cite: Citation) -> bool:
    """True if a line of a text belongs to no sentence, and cites itself."""
    return cite.clause.startswith(f"{cite.source}:")


def _are_listed(name: str, cites: Iterable[str], clauses: Collection[str]) -> None:
    wrong = [c for c in dict.fromkeys(cites) if c not in clauses]
    help = "add it there under `clauses:`, or mend the citation"
    claim(not wrong, f"{name} cites {named(wrong)}, which coverage.yaml does not list: {help}")


def test_every_value_of_a_reading_has_a_ruling(encoding: str) -> None:
    """Each value of each Reading has a ruling."""
    game = load_encoding(encoding)
    readings, written = game.readings, game.is_text  # there a ruling without `under` is about the default
    cases = [case for case in rulings(encoding) if written or _reads(case)] if readings else []
    ruled = {
        (name, value)
        for setup in (case.setup(ending) for case in cases for ending in case.endings)
        for name, value in setup.settings.readings.items()
        if written or name in setup.chosen
    }
    for reading in readings:
        default = f"the default of the Reading {reading.name}{at(reading)}, {reading.default}, is none of its values"
        claim(reading.default in reading.values, default)
        for value in reading.values:
            example = f"in cases/ with `readings: {{{reading.name}: {value}}}` in its position"
            example = f"with `under {reading.name} is {value}`" if written else example
            message = f"no ruling tries the Reading {reading.name}={value}{at(reading)}: write one {example}"
            claim((reading.name, value) in ruled, message)


def _reads(case: Case) -> bool:
    """True if a ruling sets a Reading."""
    return any("readings" in str(node.tree) for node in (case.node, *(layer.node for layer in case.layers)))


def test_the_rulings_hold(encoding: str) -> None:
    """Every ruling passes."""
    tried = [try_case(case) for case in rulings(encoding)]
    claim(tried, f"{encoding} has no ruling: write some in its folder cases/")
    failed = [f"'{c.name}'" for c in tried if c.status == "failed"]
    claim(not failed, f"rulings fail: {named(failed)}; `vclogic test {encoding}` shows what was got instead")


@cache
def books(game: str) -> tuple[RuleIndex, ...]:
    """The rule index of each scenario of a game."""
    return tuple(rule_index(loaded(f"{game}/{s}").setup) for s in scenario_names(game))


def encoding_names(game: str, clause: str) -> set[str]:
    """The encoders of a clause: functions of the game's code, and whatever cites it in one of the scenarios."""
    found = {name for book in books(game) for c in book.clauses if c.clause == clause for name in c.rules}
    encoding = books(game)[0].setup.encoding
    return found - {r.name for r in encoding.readings} - {o.name for o in encoding.options}


def cited_by_rulings(game: str) -> set[str]:
    """The clauses that the rulings of a game cite."""
    return {clause for case in rulings(game) for clause in case.cites}


def test_every_clause_has_a_ruling(covered: str) -> None:
    """Each clause in scope is cited by a ruling."""
    cited = cited_by_rulings(covered)
    silent = [c for c in load_coverage(covered).in_scope if c not in cited]
    claim(not silent, f"no ruling cites {named(silent)}: write one in cases/ that does, {_LEFT_OUT}")


def test_rulings_try_every_event_and_outcome(rulebook: str) -> None:
    """Each event of a rulebook is played or refused in a ruling, and each outcome is expected in one."""
    system = loaded(rulebook).setup.system
    written = " ".join(str(case.node.tree) for case in rulings(rulebook))
    tried, expected = set(_EVENT.findall(written)), set(_EXPECTED.findall(written))
    silent = [f"`play` or `refused {e.name}`{at(e)}" for e in system.events if e.made and e.name not in tried]
    outcomes = {o.name: o for o in system.outcomes}
    silent += [f"`expect holds({n}, {o.side})`{at(o)}" for n, o in outcomes.items() if n not in expected]
    claim(not silent, f"no ruling holds {named(silent)}: write one for each, in a block `ruling`")


def test_rulings_on_what_cites_clauses_cite_some(encoding: str) -> None:
    """A ruling on a gain, a loss or a bar says by which clauses: what it asks about cites some, so it does, too."""
    for case in rulings(encoding):
        if case.cites or not case.expect:
            continue
        vocabulary = case.setup().system.vocabulary
        asked = {f for goal in case.expect for f in compile_goal(goal, vocabulary).functions}
        citing = sorted(f for f in asked if f in vocabulary and vocabulary[f].cites)
        help = "add `cites:` with the clauses that decide it; `vclogic test GAME --cites` compares them"
        claim(not citing, f"the ruling '{case.name}' asks about {named(citing)} and cites no clause: {help}")


def test_every_clause_is_encoded(covered: str) -> None:
    """Each clause in scope is cited by code, unless it only gives an example."""
    asked = load_coverage(covered).to_encode
    silent = [c for c in asked if not encoding_names(covered, c)]
    mark = "mark the function that says it with @encodes, or cite it where it is made"
    if is_text(covered):
        mark = "write the lines that say it below its sentence"
    claim(not silent, f"no code cites {named(silent)}: {mark}, {_LEFT_OUT}")


def test_what_is_out_of_scope_is_not_cited(covered: str) -> None:
    """No code and no ruling cites a clause that is said to be left out."""
    coverage = load_coverage(covered)
    left_out = {*coverage.out_of_scope, *coverage.planned}
    cited = cited_by_rulings(covered)
    for clause in left_out:
        who = sorted(encoding_names(covered, clause)) or ["a ruling"] * (clause in cited)
        message = f"{clause} is left out in coverage.yaml, but {named(who)} cites it: take one of the two away"
        claim(not who, message)


def test_rulings_notice_what_encodes_a_clause(in_code: str) -> None:
    """Changing a function that encodes a clause changes the verdict of a ruling on it; so does what else cites it.

    What else cites a clause is only looked at where no function does: it is coarser, such as a whole event. The
    lines of a text are changed one by one by `check --rulings`.
    """
    asked = load_coverage(in_code).to_encode
    for clause in asked:
        what = unnoticed(in_code, clause)
        functions = {f.name: at(f) for book in books(in_code) for f in book.functions}
        places = named(f"{w}{functions.get(w, '')}" for w in what)
        help = f"write one that cites {clause} and whose answer depends on it"
        claim(not what, f"{clause}: no ruling on it changes when {places} is changed: {help}")


# ---- changes


@dataclass(frozen=True)
class Mutation:
    """A mutation of what encodes a clause.

    Attributes:
        open: A context in which a function of the game returns changed results.
        system: Changes the rule set.
    """

    open: Callable[[], AbstractContextManager[None]] = nullcontext
    system: Callable[[System], System] = lambda system: system


@dataclass(frozen=True)
class ChangedCase(Case):
    """A ruling on a changed rule set."""

    change: Callable[[System], System] = lambda system: system

    def setup(self, ending: Ending | None = None) -> Setup:
        """The position, with the changed rule set."""
        setup = super().setup(ending)
        return replace(setup, system=self.memo.get(("changed", id(setup.system)), partial(self.change, setup.system)))


def unnoticed(game: str, clause: str) -> list[str]:
    """The encoders of a clause that can be changed without any ruling on the clause noticing."""
    cases = [case for case in rulings(game) if clause in case.cites]
    if not cases or not encoding_names(game, clause):
        return []  # another test tells that
    return [what for what, ways in changes(game, clause).items() if not any(_notices(cases, way) for way in ways)]


def _notices(cases: list[Case], change: Mutation) -> bool:
    """True if the verdict of one of some rulings differs on the changed rule set."""
    memo = Memo()
    with change.open():
        for case in cases:
            shared = {f.name: getattr(case, f.name) for f in fields(Case)}
            if _fails(ChangedCase(**{**shared, "memo": memo}, change=change.system)):
                return True
    return False


def _fails(case: Case) -> bool:
    """True if a ruling fails or its record is refused; an exception in the rules is not a verdict."""
    result = try_case(case)
    return result.status == "failed" and all(d.code == "illegal-step" for d in result.problems)


def changes(game: str, clause: str) -> Mapping[str, list[Mutation]]:
    """The encoders of a clause, each with ways to change it: functions that cite it, or else all that cites it."""
    functions = {f.name: f for book in books(game) for f in book.functions if _cites(f, clause)}
    if not functions:
        makes = (_without_requirements, _without_effects, _with_opposites)
        return {"what cites it": [Mutation(system=partial(make, clause)) for make in makes]}
    return {
        name: [Mutation(partial(changed, f, partial(_variant, n))) for n in range(_VARIANTS)]
        for name, f in functions.items()
    }


def _cites(thing: CitedFunction | Action | Requirement | Schema | Observable | Outcome, clause: str) -> bool:
    return any(c.clause == clause for c in thing.cites)


def _without_requirements(clause: str, system: System) -> System:
    def change(schema: Schema, action: Action) -> Action:
        return replace(action, requirements=tuple(r for r in action.requirements if not _cites(r, clause)))

    return _with_events(system, change)


def _without_effects(clause: str, system: System) -> System:
    def change(schema: Schema, action: Action) -> Action:
        return replace(action, effects=()) if _cites(schema, clause) or _cites(action, clause) else action

    return _with_events(system, change)


def _with_events(system: System, change: Callable[[Schema, Action], Action]) -> System:
    def changed(schema: Schema) -> Schema:
        def made(*view: Any, **arguments: Any) -> Action:
            return change(schema, schema.instantiate(*view, **arguments))

        return replace(schema, instantiate=made, asks={})

    return replace(system, events=tuple(map(changed, system.events)), **_nothing_kept())


def _with_opposites(clause: str, system: System) -> System:
    def observed(o: Observable) -> Observable:
        return replace(o, term=lambda *names: _variant(0, o.term(*names))) if _cites(o, clause) else o

    def judged(o: Outcome) -> Outcome:
        return replace(o, condition=_variant(0, o.condition)) if _cites(o, clause) else o

    observables, outcomes = tuple(map(observed, system.observables)), tuple(map(judged, system.outcomes))
    return replace(system, observables=observables, outcomes=outcomes, **_nothing_kept())


def _nothing_kept() -> dict[str, Any]:
    return {"_instances": {}, "_opened": {}, "_steps": {}, "_kept": {}, "_views": []}


def _variant(n: int, value: Any) -> Any:
    found = list(variants(value))
    return found[n] if n < len(found) else value


# ---- a fact, event, observable, outcome or name that is absent: the game says what is missing


Kinds = Mapping[str, Iterable[str]]
Places = tuple[str, str, str]
"""A kind of thing, its name, and where in it a name of a domain may stand."""


def test_what_other_settings_have_says_which(play: RandomPlay) -> None:
    """Names that exist only under other settings are declared in `System.absent`, or in `Domain.refused`."""
    systems = [(f"with {dict(g.setup.chosen)}", g.setup.system) for g in each_choice(play.start)]
    all_are_declared(systems)
    every: dict[Places, dict[str, None]] = {}
    for _, system in systems:
        for place, domain in _domains(system):
            every.setdefault(place, {}).update(dict.fromkeys(domain.sort.members))
    for where, system in systems:
        for place, domain in _domains(system):
            lacking = [m for m in every[place] if domain.find(m) is None and m not in domain.refused]
            if lacking:
                help = "say in `Domain.refused` which option it needs"
                fails(f"{where}, {named(lacking)} is no {domain.sort.name} of {' '.join(place)}: {help}")


def test_what_other_boards_have_says_what_to_add(encoding: str) -> None:
    """Names that exist only on the boards of other scenarios or rulings are declared in `System.absent`."""
    games = [loaded(f"{encoding}/{s}").setup for s in scenario_names(encoding)]
    systems = {id(s.system): (f"in {s.game}", s.system) for s in games}
    for case in rulings(encoding):
        try:
            system = case.setup().system
        except InputError:
            continue  # the ruling is that the position is refused
        systems.setdefault(id(system), (f"in the ruling '{case.name}'", system))
    all_are_declared(list(systems.values()))


def all_are_declared(systems: Sequence[tuple[str, System]]) -> None:
    """Check that each of some rule sets of one game declares what the others have and it has not.

    Args:
        systems: The rule sets, each with where it is from, for the message.
    """
    every = {kind: {n: None for _, s in systems for n in _there(s)[kind]} for kind in _there(systems[0][1])}
    for where, system in systems:
        for kind, names in every.items():
            there, said = {*_there(system)[kind]}, _said(system)[kind]
            silent = [n for n in names if n not in there and not said.get(n)]
            help = f"say in `System.absent` ({kind}) which option to set or what to add to the board"
            claim(not silent, f"{where} there is no {named(silent)} among the {kind}, but elsewhere there is: {help}")
            wrong = [n for n in said if n in there]
            claim(not wrong, f"{where} `System.absent` names {named(wrong)} among the {kind}, which is there")


def _there(system: System) -> Kinds:
    outcomes = [o.name for o in system.outcomes]
    observables = {HOLDS, *system.vocabulary}  # vclogic's own, where anybody can win
    known: Kinds = {"facts": system.layout.families, "events": system.schemas, "observables": observables}
    return {**known, "outcomes": outcomes}


def _said(system: System) -> Mapping[str, Mapping[str, str]]:
    found = system.absent
    known = {"facts": found.facts, "events": found.events, "observables": found.observables}
    return {**known, "outcomes": found.outcomes}


def _domains(system: System) -> Iterator[tuple[Places, Domain]]:
    """Whatever can be named in facts, events and observables."""
    for f in system.families:
        yield from ((("the fact", f.name, str(n)), domain) for n, domain in enumerate(f.indices))
        if f.values is not None:
            yield ("the fact", f.name, ""), f.values
    for schema in system.events:
        for p in schema.parameters:
            if isinstance(p.domain, Domain):
                yield ("the event", schema.name, p.name), p.domain
    for o in system.vocabulary.values():
        yield from ((("the observable", o.name, str(n)), domain) for n, domain in enumerate(o.parameters))
        if o.values is not None:
            yield ("the observable", o.name, ""), o.values
