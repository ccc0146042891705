"""Tests that Python and z3 agree on all terms, and that events preserve the invariants."""

from __future__ import annotations

from random import Random

import pytest

from vclogic.clock import Deadline
from vclogic.conformance.games import Play, each_choice
from vclogic.conformance.laws import INSTANCES, instances, invariants
from vclogic.conformance.reading import Reader, named_terms, probes, random_state
from vclogic.encode.evaluator import Evaluator, compile_terms, interpret
from vclogic.encode.influence import changing, places
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
        assert reader.differing(layout.constants(state), values) == {}
        assert reader.undecided <= (SPARE if n >= len(states) else 0), "left undecided"
        assert values == {name: interpret(t, layout.slot, state) for name, t in asked.items()}
        named = evaluator.evaluate(state)
        for name, x in named.items():
            assert values[f"{name} is {x}"] if isinstance(x, str) else values[name] == x, name


# ---- invariants


def test_the_invariants_hold_along_the_play(play: Play) -> None:
    """The invariants hold along every play."""
    slot = play.system.layout.slot
    for game in play.games:
        broken = [t for t in invariants(play.system) if not interpret(t, slot, game.state)]
        assert not broken, game.history[-1:]


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
            shown = {str(v): x for v, x in answer.values.items() if v.op is Op.VAR}
            assert answer.verdict == "unsat", (schema, shown)


def test_effects_are_on_fluents_once_and_of_their_sort(play: Play, rng: Random) -> None:
    """An event gives each fluent one new value, of its sort."""
    slot = play.system.layout.slot
    for schema in play.system.events:
        for action in instances(play.system, schema, rng):
            assert action.name == schema.name
            assert [name for name, _ in action.args] == [p.name for p in schema.parameters]
            fluents = [fluent for fluent, _ in action.effects]
            assert len(set(fluents)) == len(fluents), action.key
            for fluent, new in action.effects:
                assert fluent in slot
                assert type(fluent.sort) is type(new.sort), (action.key, fluent)


def test_events_change_only_what_their_kind_touches(play: Play, rng: Random) -> None:
    """`Schema.touches` covers everything that an event changes, under all settings."""
    named, known = set(), set()
    for game in each_choice(play.start):
        system = game.setup.system
        known |= set(system.layout.families)
        where = places(system.layout)
        happened = {e for g in play.games for e in g.history} if game is play.start else ()
        most = INSTANCES if game is play.start else FEWER
        for schema in system.events:
            if schema.touches is None:
                continue
            named |= {name for name, *_ in schema.touches}
            for action in instances(system, schema, rng, happened, most):
                args = dict(action.args)
                for fluent, _ in action.effects:
                    could = changing(schema, [fluent], where)
                    assert any(all(args[p] in x for p, x in given.items()) for given in could), (action.key, fluent)
    assert named <= known, f"no family of that name: {', '.join(sorted(map(str, named - known)))}"
