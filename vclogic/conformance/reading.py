"""Evaluate all terms of a rule set in Python and in z3, in one state after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import z3

from vclogic.encode.smt import SmtWriter
from vclogic.model.fluents import State
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.solve.backends.z3_engine import ENGINES
from vclogic.terms.atoms import boolean, var
from vclogic.terms.build import any_of, eq, in_mask, ne
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort, Sort
from vclogic.terms.term import Term, variables

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
    for name, value in parameters.items():
        solver.set(name.removeprefix("sat."), value)
    return solver


def model_of(solver: Any) -> dict[str, int]:
    """Every constant of the model as a number, as the worker reports it."""
    model, found = solver.model(), {}
    for d in model.decls():
        if d.arity() == 0:
            v = model[d]
            found[str(d.name())] = v.as_long() if z3.is_bv_value(v) else int(z3.is_true(v))
    return found


EFFORT = 4_000_000
"""For one question. Nearly all need a tenth of it, but a few states in which no play ends would take minutes."""


class Reader:
    """A z3 solver that holds the definitions of the terms and evaluates them in one state after another.

    Attributes:
        undecided: The number of queries that exceeded z3's limit.
    """

    def __init__(self, terms: Mapping[str, Term], *, portable: bool):
        self._writer = SmtWriter(portable=portable)
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
