"""z3: its optimizer on captures, programs and SMT-LIB; Spacer on Horn clauses; single states by simplifying."""

from __future__ import annotations

import time
from typing import Any

import z3

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer, cheapest


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures: what supports a capture has a smaller rank."""
    question, optimizer = Captures(instance), z3.Optimize()
    soonest, last = question.soonest, len(question.free)
    take = [z3.Bool(f"t{i}") for i in range(last)]
    rank = [z3.Int(f"r{i}") for i in range(last)]
    for i, sets in enumerate(question.supports):
        if soonest[i] is None:
            optimizer.add(z3.Not(take[i]))
        elif sets is not None:
            chosen = (z3.And(*(z3.And(take[j], rank[i] > rank[j]) for j in others)) for others in sets)
            optimizer.add(z3.Implies(take[i], z3.Or(*chosen)))
    optimizer.add(z3.PbGe([(take[i], v) for i, v in enumerate(question.value) if v], question.need))
    cost = z3.Sum([z3.If(t, 1, 0) for t in take])
    return _least(optimizer, cost, timer, lambda model: [i for i, t in enumerate(take) if z3.is_true(model[t])])


def programs(instance: Instance, timer: Timer, variant: str) -> Found:
    """The least cost of some mixed-integer programs."""
    return cheapest(instance["programs"], timer, _program)


def _program(instance: Instance, timer: Timer) -> Found:
    """The least cost of one."""
    optimizer = z3.Optimize()
    columns = [z3.Int(f"x{i}") for i in range(len(instance["columns"]))]
    for x, (lo, hi) in zip(columns, instance["columns"], strict=True):
        optimizer.add(x >= lo, x <= hi)
    for weights, lo, hi in instance["rows"]:
        total = z3.Sum([k * columns[c] for c, k in weights])
        if lo is not None:
            optimizer.add(total >= lo)
        if hi is not None:
            optimizer.add(total <= hi)
    cost = z3.Sum([z3.IntVal(instance["constant"]), *(k * columns[c] for c, k in instance["objective"])])
    return _least(optimizer, cost, timer, lambda model: [model.eval(x, True).as_long() for x in columns])


def smt(instance: Instance, timer: Timer, variant: str) -> Found:
    """The least cost of plans that are written as SMT-LIB; what costs something is a soft constraint."""
    return cheapest(instance["texts"], timer, _text)


def _text(instance: Instance, timer: Timer) -> Found:
    optimizer = z3.Optimize()
    optimizer.from_string(instance["text"])
    for name, weight in instance["soft"]:
        optimizer.add_soft(z3.Bool(name), weight)
    optimizer.set("timeout", int(1000 * timer.left))
    status = optimizer.check()
    if status != z3.sat:
        return Found(proved=status == z3.unsat)
    model = optimizer.model()
    cost = instance["constant"] + sum(w for name, w in instance["soft"] if not z3.is_true(model[z3.Bool(name)]))
    return Found(cost, True, cost)


def _least(optimizer: Any, cost: Any, timer: Timer, read: Any) -> Found:
    """The least value of a number."""
    optimizer.minimize(cost)
    optimizer.set("timeout", int(1000 * timer.left))
    status = optimizer.check()
    if status == z3.unsat:
        return Found(proved=True)
    if status != z3.sat:
        return Found()
    model = optimizer.model()
    value = model.eval(cost, True).as_long()
    return Found(value, True, value, read(model))


def horn(instance: Instance, timer: Timer, variant: str) -> Found:
    """Whether a goal is never reached, by Spacer; clauses that have a model are a proof."""
    solver = z3.SolverFor("HORN")
    solver.set("timeout", int(1000 * timer.left))
    solver.from_string(instance["text"])
    return Found(proved=solver.check() == z3.sat)


def status(instance: Instance, timer: Timer, variant: str) -> Found:
    """The time of one status: a state is put into expressions, and they are simplified."""
    powers = list(instance["powers"])
    owner = {area: z3.Int(area) for area in instance["land"]}
    bid = z3.Int("bid")
    parts = []
    for side, major in instance["major"].items():
        own = [i for i, power in enumerate(powers) if instance["powers"][power] == side]
        held = {area: z3.Or(*(owner[area] == i for i in own)) for area in owner}
        points = z3.Sum([z3.If(held[area], value, 0) for area, value in instance["worth"].items()])
        total = z3.And(*held.values())
        parts += [points, total, points >= major, z3.And(points >= instance["minor"][side], bid > 0)]
    together = z3.Function("status", *(p.sort() for p in parts), z3.BoolSort())(*parts)
    states = []
    for owners, b in zip(instance["states"], instance["bids"], strict=True):
        constants = [(v, z3.IntVal(powers.index(p))) for v, p in zip(owner.values(), owners, strict=True)]
        states.append([*constants, (bid, z3.IntVal(b))])
    began = time.perf_counter()
    found = [z3.simplify(z3.substitute(together, *state)).children() for state in states]
    seconds = (time.perf_counter() - began) / len(states)
    numbers = [[x.as_long() if z3.is_int_value(x) else int(z3.is_true(x)) for x in row] for row in found]
    return Found(proved=True, solution=[seconds, [[row[:4], row[4:]] for row in numbers]])


if __name__ == "__main__":
    answer({"captures": captures, "programs": programs, "smt": smt, "horn": horn, "status": status})
