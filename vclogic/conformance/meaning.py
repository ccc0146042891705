"""Tests that Python and z3 agree on all terms, and that events preserve the invariants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import z3

from vclogic.clock import Deadline
from vclogic.conformance.games import (
    INSTANCES,
    NotDecided,
    RandomPlay,
    at,
    claim,
    each_choice,
    fails,
    instances,
    invariants,
    named,
)
from vclogic.encode.grounding import changing, places
from vclogic.encode.portable import PortableWriter
from vclogic.encode.python.evaluator import Evaluator, compile_terms, interpret
from vclogic.encode.smt import SmtWriter
from vclogic.model.fluents import State, value
from vclogic.model.grounded import fits
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.solve.backends.session import PLAIN, Session
from vclogic.solve.backends.z3_engine import ENGINES
from vclogic.terms.atoms import boolean, var
from vclogic.terms.build import and_, any_of, eq, in_mask, ne, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, Sort
from vclogic.terms.term import Op, Term, variables

# ---- terms in Python and in z3


GROUND = 30  # ground observables that are looked at, of each observable


def calls(
    system: System, rng: Random | None = None, ground: int = GROUND
) -> Iterator[tuple[Observable, tuple[str, ...]]]:
    """Ground observables: all, or a random sample of each if there are many (a fixed one without `rng`)."""
    rng = rng or Random("calls")
    for observable in system.vocabulary.values():
        arguments = list(product(*(d.sort.members for d in observable.parameters)))
        for chosen in rng.sample(arguments, min(ground, len(arguments))):
            yield observable, chosen


def named_terms(system: System, rng: Random | None = None, ground: int = GROUND) -> dict[str, Term]:
    """All terms of a rule set, by a name for messages."""
    pairs: dict[str, Term | Partial | None] = {}
    pairs |= {f"rule {r.name}": r.term for r in system.rules if not r.step}
    pairs |= {f"invariant {r.name}": r.term for r in system.invariants}
    pairs |= {f"call {o.name}{arguments}": o.partial(*arguments) for o, arguments in calls(system, rng, ground)}
    for o in system.outcomes:
        parts: dict[str, Term | Partial | None] = {"condition": o.condition, "timing": o.timing}
        parts |= {"won": o.won, "lost": o.lost, "have": o.have, "need": o.need}
        pairs |= {f"outcome {o.name} {o.side} {part}": t for part, t in parts.items()}
    pairs["winner"] = system.winner
    pairs |= {f"objective {o.name} {side}": held for o in system.objectives for side, held in o.held.items()}
    terms: dict[str, Term] = {}
    for name, t in pairs.items():
        if isinstance(t, Partial):
            terms |= {name: t.value, f"{name} defined": t.defined}
        elif t is not None:
            terms[name] = t
    return terms


def random_state(system: System, rng: Random) -> State:
    """A random value for each fluent, well-formed or not."""
    state = []
    for f in system.layout.fluents:
        sort = f.sort
        if isinstance(sort, IntSort):
            near = rng.randint(sort.lo, min(sort.lo + 5, sort.hi))
            state.append(rng.choice((sort.lo, near, near, rng.randint(sort.lo, sort.hi), sort.hi)))
        elif isinstance(sort, EnumSort):
            state.append(rng.choice([i for i in range(len(sort.members)) if f.mask >> i & 1]))
        else:
            state.append(rng.randrange(2))
    return tuple(state)


def probes(terms: Mapping[str, Term]) -> dict[str, Term]:
    """The terms as Bool and Int terms; an Enum term becomes one test per member."""
    found: dict[str, Term] = {}
    for name, t in terms.items():
        if isinstance(t.sort, EnumSort):
            found |= {f"{name} is {m}": in_mask(t, 1 << i) for i, m in enumerate(t.sort.members)}
        else:
            found[name] = t
    return found


def solver_of(engine: str) -> Any:
    """A solver with the configuration of a worker's engine, in a context of its own.

    Models of a shared context would contain everything that was ever declared there.
    """
    logic, parameters, *_ = ENGINES[engine]
    own = z3.Context()
    solver = z3.SolverFor(logic, own) if logic else z3.Solver(ctx=own)
    for name, setting in parameters.items():
        solver.set(name.removeprefix("sat."), setting)
    return solver


def model_of(solver: Any) -> dict[str, int]:
    """Every constant of the model as a number, as the worker reports it."""
    model, found = solver.model(), {}
    for d in model.decls():
        if d.arity() == 0:
            v = model[d]
            found[str(d.name())] = v.as_long() if z3.is_bv_value(v) or z3.is_int_value(v) else int(z3.is_true(v))
    return found


EFFORT = 4_000_000
"""For one question. Nearly all need a tenth of it, but a few states in which no play ends would take minutes."""


class RuleReader:
    """A z3 solver that holds the definitions of the terms and evaluates them in one state after another.

    Attributes:
        undecided: The number of queries that exceeded z3's limit.
    """

    def __init__(self, terms: Mapping[str, Term], *, portable: bool):
        self._writer = PortableWriter() if portable else SmtWriter()
        self._solver = solver_of("plain")
        self._solver.set("rlimit", EFFORT)  # z3's own count of steps, the same in every run
        self.undecided = 0
        self._literals: dict[Term, str] = {}
        sorts: dict[str, Sort] = {n: BOOL if t.is_bool else IntSort(t.lo, t.hi) for n, t in terms.items()}
        self._read = {name: var(f"value of {name}", sorts[name]) for name, t in terms.items() if not t.is_const}
        self._constant = {name: int(t.payload) for name, t in terms.items() if t.is_const}
        self._used = set(variables(*terms.values()))
        told = [eq(v, terms[name]) for name, v in self._read.items()]
        self._solver.from_string(self._writer.assertions(told))

    def _literals_of(self, terms: Sequence[Term]) -> list[object]:
        """A literal for each of some terms; all new ones are asserted at once, which is much faster."""
        texts = []
        for term in terms:
            if term not in self._literals:
                text, self._literals[term] = self._writer.assumption(term)
                texts.append(text)
        if texts:
            self._solver.from_string("".join(texts))
        return [z3.Bool(self._literals[t], self._solver.ctx) for t in terms]

    def differing(self, state: Mapping[Term, Term], expected: Mapping[str, int]) -> dict[str, int]:
        """The terms that can have another value than expected in a state, with that value."""
        at = self._literals_of([eq(fluent, x) for fluent, x in state.items() if fluent in self._used])
        (other,) = self._literals_of([any_of(ne(v, self._value(v, expected[n])) for n, v in self._read.items())])
        wrong = {name: x for name, x in self._constant.items() if x != expected[name]}
        self._solver.push()
        self._solver.add(*at)  # for this state alone: z3 simplifies by it, as it does not by what is assumed
        assert str(self._solver.check()) == "sat", "a state is excluded by what the terms mean"
        verdict = str(self._solver.check(other))
        if verdict == "unknown":
            self.undecided += 1
        elif verdict == "sat":
            model = model_of(self._solver)
            found = {name: self._writer.value(v, model) for name, v in self._read.items()}
            wrong |= {name: x for name, x in found.items() if x != expected[name]}
        self._solver.pop()
        return wrong

    @staticmethod
    def _value(v: Term, x: int) -> Term | int:
        return boolean(bool(x)) if v.is_bool else x


# ---- the tests


SOLVING = 60.0  # seconds for the question whether events keep the invariants
SAMPLED = 4  # states of the play that z3 looks at
WILD = 2  # states that it looks at beside them, that no play need lead to
FEWER = 3  # ground actions of each schema under each other choice of settings
SPARE = 2  # and others in place of those that would take it too long


def test_python_and_z3_agree(play: RandomPlay, rng: Random, portable: bool) -> None:
    """All terms of the rule set have the same value in Python and in z3, in unreachable states too."""
    layout = play.system.layout
    terms = named_terms(play.system)
    asked = probes(terms)
    reader = RuleReader(asked, portable=portable)
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


def test_the_invariants_hold_along_the_play(play: RandomPlay) -> None:
    """Invariants hold along every play."""
    slot = play.system.layout.slot
    for game in play.games:
        broken = [r for r in play.system.laws if not interpret(r.kept, slot, game.state)]
        after = f"after {game.history[-1]}" if game.history else "at the start"
        places = named(f"'{r.text}'{at(r)}" for r in broken)
        claim(not broken, f"{after} this is not so: {places}; mend the event, or what must always hold")


def test_every_event_keeps_the_invariants(play: RandomPlay, rng: Random) -> None:
    """No event breaks what must always hold, in any position that could stand on the board."""
    kept = invariants(play.system)
    happened = {e for g in play.games for e in g.history}
    actions = {s.name: instances(play.system, s, rng, happened) for s in play.system.events}
    with Session(Deadline(SOLVING), PLAIN) as session:
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
            ways = "what must always hold is broken, or a fact has a value that it cannot have"
            place = at(play.system.schemas[schema])
            if answer.verdict == "unknown":
                raise NotDecided(f"whether the event {schema}{place} always keeps what must hold")
            message = f"after an event {schema}{place} {ways}; such as where {where}"
            claim(answer.verdict == "unsat", f"{message}: let it need more")


def test_effects_are_on_fluents_once_and_of_their_sort(play: RandomPlay, rng: Random) -> None:
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


def test_events_change_only_what_their_kind_touches(play: RandomPlay, rng: Random) -> None:
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
