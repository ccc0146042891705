"""Tests of citations: every clause of the text has its rulings and its code, and the rulings notice the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import Any

from vclogic.conformance.claims import rulings
from vclogic.conformance.saying import at, claim, named
from vclogic.files.coverage import load_coverage
from vclogic.files.registry import scenario_names
from vclogic.files.rulings.cases import Case, Ending
from vclogic.files.setup import Memo, Setup
from vclogic.game import Game
from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.citation import CitedFunction, changed
from vclogic.model.rules import Observable, Outcome
from vclogic.model.system import System
from vclogic.model.variants import variants
from vclogic.query.rule_book import RuleBook, rule_book
from vclogic.query.test import try_case
from vclogic.terms.resolve import compile_goal

_VARIANTS = 4
_LEFT_OUT = "or list the clause in coverage.yaml under `out_of_scope:` with the reason"


@cache
def books(game: str) -> tuple[RuleBook, ...]:
    """The rule book of each scenario of a game."""
    return tuple(rule_book(Game.load(f"{game}/{s}").setup) for s in scenario_names(game))


def encoding_names(game: str, clause: str) -> set[str]:
    """The encoders of a clause: functions of the game's code, and whatever cites it in one of the scenarios."""
    found = {name for book in books(game) for c in book.clauses if c.clause == clause for name in c.rules}
    encoding = books(game)[0].setup.encoding
    return found - {r.name for r in encoding.readings} - {o.name for o in encoding.options}


def cited_by_rulings(game: str) -> set[str]:
    """The clauses that the rulings of a game cite."""
    return {clause for case in rulings(game) for clause in case.cites}


def test_every_clause_has_a_ruling(encoding: str) -> None:
    """Each clause in scope is cited by a ruling."""
    cited = cited_by_rulings(encoding)
    silent = [c for c in load_coverage(encoding).in_scope if c not in cited]
    claim(not silent, f"no ruling cites {named(silent)}: write one in cases/ that does, {_LEFT_OUT}")


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


def test_every_clause_is_encoded(encoding: str) -> None:
    """Each clause in scope is cited by code, unless it only gives an example."""
    asked = load_coverage(encoding).to_encode
    silent = [c for c in asked if not encoding_names(encoding, c)]
    mark = "mark the function that says it with @encodes, or cite it where it is made"
    claim(not silent, f"no code cites {named(silent)}: {mark}, {_LEFT_OUT}")


def test_what_is_out_of_scope_is_not_cited(encoding: str) -> None:
    """No code and no ruling cites a clause that is said to be left out."""
    coverage = load_coverage(encoding)
    left_out = {*coverage.out_of_scope, *coverage.planned}
    cited = cited_by_rulings(encoding)
    for clause in left_out:
        who = sorted(encoding_names(encoding, clause)) or ["a ruling"] * (clause in cited)
        message = f"{clause} is left out in coverage.yaml, but {named(who)} cites it: take one of the two away"
        claim(not who, message)


def test_rulings_notice_what_encodes_a_clause(encoding: str) -> None:
    """Changing a function that encodes a clause changes the verdict of a ruling on it; so does what else cites it.

    What else cites a clause is only looked at where no function does: it is coarser, such as a whole event.
    """
    asked = load_coverage(encoding).to_encode
    for clause in asked:
        what = unnoticed(encoding, clause)
        functions = {f.name: at(f) for book in books(encoding) for f in book.functions}
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
