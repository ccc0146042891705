"""Tests that a game says what is missing where a fact, event, observable, outcome or name is absent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from vclogic.conformance.claims import rulings
from vclogic.conformance.games import Play, each_choice
from vclogic.conformance.saying import claim, fails, named
from vclogic.errors import InputError
from vclogic.files.registry import scenario_names
from vclogic.game import Game
from vclogic.model.system import HOLDS, System
from vclogic.terms.domain import Domain

Kinds = Mapping[str, Iterable[str]]
Places = tuple[str, str, str]
"""A kind of thing, its name, and where in it a name of a domain may stand."""


def test_what_other_settings_have_says_which(play: Play) -> None:
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
    games = [Game.load(f"{encoding}/{s}").setup for s in scenario_names(encoding)]
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
