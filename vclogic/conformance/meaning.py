"""Tests that Python and z3 agree on all terms, and that events preserve the invariants."""

from __future__ import annotations

from random import Random

import pytest

from vclogic.clock import Deadline
from vclogic.conformance.games import INSTANCES, Play, at, claim, each_choice, fails, instances, invariants, named
from vclogic.conformance.reading import Reader, named_terms, probes, random_state
from vclogic.encode.evaluator import Evaluator, compile_terms, interpret
from vclogic.encode.grounding import changing, places
from vclogic.model.fluents import value
from vclogic.model.grounded import fits
from vclogic.solve.backends.session import PLAIN, Session
from vclogic.terms.build import and_, any_of, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Op, Term

SAMPLED = 4  # states of the play that z3 looks at
WILD = 2  # states that it looks at beside them, that no play need lead to
FEWER = 3  # ground actions of each schema under each other choice of settings
SPARE = 2  # and others in place of those that would take it too long


@pytest.mark.parametrize("portable", [False, True], ids=["native", "portable"])
def test_python_and_z3_agree(play: Play, rng: Random, portable: bool) -> None:
    """All terms of the rule set have the same value in Python and in z3, in unreachable states too."""
    layout = play.system.layout
    terms = named_terms(play.system)
    asked = probes(terms)
    reader = Reader(asked, portable=portable)
    compiled = compile_terms(list(asked.values()), layout.slot)
    evaluator = Evaluator(layout, terms)
    states = [g.state for g in play.sample(SAMPLED)]
    wild = [random_state(play.system, rng) for _ in range(WILD + SPARE)]
    for n, state in enumerate([*states, *wild]):
        if n - reader.undecided == len(states) + WILD:
            break
        values = {name: int(x) for name, x in zip(asked, compiled(state), strict=True)}
        differing = named(reader.differing(layout.constants(state), values))
        claim(not differing, f"Python and z3 read {differing} otherwise in one state: a mistake in vclogic")
        claim(
            reader.undecided <= (SPARE if n >= len(states) else 0),
            "z3 cannot tell in time what a term is: is one huge?",
        )
        other = [name for name, t in asked.items() if interpret(t, layout.slot, state) != values[name]]
        claim(not other, f"compiled and interpreted, {named(other)} are not the same: a mistake in vclogic")
        by_name = evaluator.evaluate(state)
        for name, x in by_name.items():
            same = values[f"{name} is {x}"] if isinstance(x, str) else values[name] == x
            claim(same, f"evaluated by name, {name} is {x}, and otherwise by itself: a mistake in vclogic")


# ---- invariants


def test_the_invariants_hold_along_the_play(play: Play) -> None:
    """The invariants hold along every play."""
    slot = play.system.layout.slot
    for game in play.games:
        broken = [r for r in play.system.laws if not interpret(r.kept, slot, game.state)]
        after = f"after {game.history[-1]}" if game.history else "at the start"
        places = named(f"'{r.text}'{at(r)}" for r in broken)
        claim(not broken, f"{after} this is not so: {places}; mend the event, or the invariant")


def test_every_event_keeps_the_invariants(play: Play, rng: Random) -> None:
    """Events preserve the invariants from every well-formed position, reachable or not."""
    kept = invariants(play.system)
    happened = {e for g in play.games for e in g.history}
    actions = {s.name: instances(play.system, s, rng, happened) for s in play.system.events}
    with Session(Deadline(600), PLAIN) as session:
        session.add(*kept)
        for schema, ground in actions.items():
            broken: list[Term] = []
            for action in ground:
                after = Substitution(dict(action.effects))
                lost = [not_(then) for t in kept if (then := after(t)) is not t]
                outside = [not_(fits(fluent, new)) for fluent, new in action.effects]
                broken.append(and_(action.guard, or_(*lost, *outside)))
            answer = session.check(any_of(broken))
            where = named(f"{v.name}={value(v.sort, x)}" for v, x in answer.values.items() if v.op is Op.VAR)
            ways = "an invariant is broken, or a fact has a value that it cannot have"
            message = f"after an event {schema}{at(play.system.schemas[schema])} {ways}; such as where {where}"
            claim(answer.verdict == "unsat", f"{message}: ask for more in its requirements")


def test_effects_are_on_fluents_once_and_of_their_sort(play: Play, rng: Random) -> None:
    """An event gives each fluent one new value, of its sort."""
    slot = play.system.layout.slot
    for schema in play.system.events:
        for action in instances(play.system, schema, rng):
            it, place = f"the action of the event {schema.name}", at(schema)
            claim(action.name == schema.name, f"{it} has the name {action.name}{place}: give it that of the event")
            given, wanted = [name for name, _ in action.args], [p.name for p in schema.parameters]
            claim(given == wanted, f"{it} has the arguments {named(given)}{place}, the event {named(wanted)}")
            fluents = [fluent for fluent, _ in action.effects]
            twice = {f.name for f in fluents if fluents.count(f) > 1}
            claim(not twice, f"{action.key} changes {named(sorted(twice))} twice{place}: make one effect of the two")
            for fluent, new in action.effects:
                claim(fluent in slot, f"{action.key} changes {fluent}{place}, which is in no family of the system")
                same = type(fluent.sort) is type(new.sort)
                claim(same, f"{action.key} makes {fluent} {new.sort}{place}, but it is {fluent.sort}")


def test_events_change_only_what_their_kind_touches(play: Play, rng: Random) -> None:
    """`Schema.touches` covers everything that an event changes, under all settings."""
    spoken, known = set(), set()
    for game in each_choice(play.start):
        system = game.setup.system
        known |= set(system.layout.families)
        where = places(system.layout)
        happened = {e for g in play.games for e in g.history} if game is play.start else ()
        most = INSTANCES if game is play.start else FEWER
        for schema in system.events:
            if schema.touches is None:
                continue
            spoken |= {name for name, *_ in schema.touches}
            for action in instances(system, schema, rng, happened, most):
                args = dict(action.args)
                for fluent, _ in action.effects:
                    could = changing(schema, [fluent], where)
                    covered = any(all(args[p] in x for p, x in given.items()) for given in could)
                    if not covered:
                        said = f"{action.key} changes {fluent}, which `touches` of {schema.name} leaves out"
                        fails(f"{said}{at(schema)}: add its family there")
    strange = sorted(map(str, spoken - known))
    claim(not strange, f"`Schema.touches` names {named(strange)}, which is no family of the system")
