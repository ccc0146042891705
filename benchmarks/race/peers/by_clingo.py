"""clingo: areas are taken as stable models, which hold nothing that does not rest on what was held before."""

from __future__ import annotations

import math
import time
from typing import Any

import clingo

from benchmarks.race.peers.borders import Captures
from benchmarks.race.peers.told import Found, Instance, Timer, answer

_RULES = """
{take(T)} :- reach(T).
#minimize {1,T : take(T)}.
#show take/1.
"""


def captures(instance: Instance, timer: Timer, variant: str) -> Found:
    """The fewest captures; the variant is the strategy: `usc` (cores) or `bb` (branch and bound)."""
    question = Captures(instance)
    control: Any = clingo.Control([f"--opt-strategy={variant}", "--warn=none"])
    control.add("base", [], _program(question))
    control.ground([("base", [])])
    best: list[int] | None = None

    def keep(model: Any) -> None:
        nonlocal best
        best = [symbol.arguments[0].number for symbol in model.symbols(shown=True)]

    with control.solve(on_model=keep, async_=True) as handle:
        ended = handle.wait(timer.left)
        if not ended:
            handle.cancel()
        closed = bool(ended and handle.get().exhausted)
    lower = control.statistics["summary"].get("lower")
    bound = None if not lower or math.isinf(lower[0]) else math.ceil(lower[0])
    return Found(None if best is None else len(best), closed, bound, best)


def _program(question: Captures) -> str:
    """What can be taken, the sum to be reached, and that as little as can be is taken."""
    lines = [_RULES]
    for area, ways in enumerate(question.ways):
        if ways is None:
            lines.append(f"reach({area}).")
        for way in ways or ():
            needs = [f"take({i})" for i in way.needs]
            if way.sources is None:
                lines.append(f"reach({area}) :- {', '.join(needs)}.")
            else:
                lines += [f"reach({area}) :- {', '.join([*needs, f'take({s})'])}." for s in way.sources]
    counted = ";".join(f"{v},{i} : take({i})" for i, v in enumerate(question.value) if v)
    lines.append(f":- #sum {{{counted}}} < {question.need}.")
    return "\n".join(lines)


_STATUS = """
points(S,N) :- side(S), N = #sum {V,T : owner(T,P), of(P,S), worth(T,V)}.
lands(S,N) :- side(S), N = #count {T : owner(T,P), of(P,S)}.
total(S) :- lands(S,N), lands(N).
major(S) :- points(S,N), major(S,M), N >= M.
minor(S) :- points(S,N), minor(S,M), N >= M, bid(B), B > 0.
"""


def status(instance: Instance, timer: Timer, variant: str) -> Found:
    """The time of one status: grounding settles it, as there is nothing to choose."""
    facts = [f'side("{side}"). major("{side}",{points}).' for side, points in instance["major"].items()]
    facts += [f'minor("{side}",{points}).' for side, points in instance["minor"].items()]
    facts += [f'of("{power}","{side}").' for power, side in instance["powers"].items()]
    facts += [f'worth("{area}",{value}).' for area, value in instance["worth"].items()]
    facts.append(f"lands({len(instance['land'])}).")
    found, began = [], time.perf_counter()
    for owners, bid in zip(instance["states"], instance["bids"], strict=True):
        control: Any = clingo.Control(["--warn=none"])
        now = " ".join(f'owner("{area}","{power}").' for area, power in zip(instance["land"], owners, strict=True))
        control.add("base", [], "\n".join([_STATUS, *facts, now, f"bid({bid})."]))
        control.ground([("base", [])])
        held = {str(a.symbol) for a in control.symbolic_atoms if a.is_fact}
        found.append([_said(side, held) for side in instance["major"]])
    seconds = (time.perf_counter() - began) / len(found)
    return Found(proved=True, solution=[seconds, found])


def _said(side: str, held: set[str]) -> list[int]:
    points = next(n for n in range(1000) if f'points("{side}",{n})' in held)
    return [points, *(int(f'{name}("{side}")' in held) for name in ("total", "major", "minor"))]


_MOVES = """
held(S,T) :- unit(O,E), E != S, side(S), at(O,T), hex(T).
full(S,T) :- side(S), hex(T), 2 <= #count {O : unit(O,S), at(O,T)}.
move(U,T) :- unit(U,S), turn(S), hex(T), not at(U,T), not held(S,T), not full(S,T).
#show move/2.
"""
_ANY = """
1 {at(U,T) : hex(T); at(U,off)} 1 :- unit(U,_).
1 {turn(S) : side(S)} 1.
"""


def moves(instance: Instance, timer: Timer, variant: str) -> Found:
    """The legal moves; the variant says whether the rules are grounded for one position or for `any`."""
    began = time.perf_counter()
    control: Any = clingo.Control(["--warn=none"])
    hexes = {place: f"h{n}" for n, place in enumerate(instance["hexes"])}
    names = {name: place for place, name in hexes.items()}
    facts = [f"hex({name})." for name in names] + [f"side({s})." for s in ("red", "blue")]
    facts += [f"unit({unit},{side.lower()})." for unit, side, _ in instance["units"]]
    now = [f"at({unit},{hexes.get(place, 'off')})" for unit, _, place in instance["units"]]
    now.append(f"turn({instance['turn'].lower()})")
    here = [_ANY] if variant == "any" else [f"{fact}." for fact in now]
    control.add("base", [], "\n".join([_MOVES, *facts, *here]))
    control.ground([("base", [])])
    found: list[list[str]] = []

    def keep(model: Any) -> None:
        for symbol in model.symbols(shown=True):
            unit, to = symbol.arguments
            found.append([unit.name, names[to.name]])

    given = [(clingo.parse_term(fact), True) for fact in now] if variant == "any" else []
    ended = control.solve(assumptions=given, on_model=keep)
    return Found(proved=bool(ended.satisfiable), solution=[time.perf_counter() - began, sorted(found)])


if __name__ == "__main__":
    answer({"captures": captures, "status": status, "moves": moves})
