"""A toy rule set to plant faults in: two sides, four areas, an end, and whatever outcomes a test gives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tests.fixtures.efforts import effort
from vclogic.check.catalogue import CATALOGUE
from vclogic.check.findings import Checked, CheckedRules, Finding, Scope
from vclogic.check.run import check_rules
from vclogic.model.actions import Action, Requirement, Schema
from vclogic.model.citation import Citation
from vclogic.model.fluents import Family, State, Value
from vclogic.model.rules import Outcome
from vclogic.model.system import Metric, System
from vclogic.model.transition import one_at_a_time
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.session import Effort
from vclogic.terms.atoms import FALSE, TRUE, constant
from vclogic.terms.build import count, eq, not_
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

CITES = (Citation("book", "1/1"),)
SIDES = ("Red", "Blue")
AREAS = ("A", "B", "C", "D")
SIDE = EnumSort("side", SIDES)
HOLDER = EnumSort("holder", ("none", *SIDES))
OWNER = Family("owner", HOLDER, "who owns it", (Domain(EnumSort("area", AREAS)),), Domain(HOLDER))
OVER = Family("over", BOOL, "the game is over")
ROUND = Family("round", IntSort(1, 6), "the round")
FLAG = Family("flag", HOLDER, "who raised the flag first", values=Domain(HOLDER))
WINNER = Family("winner", HOLDER, "who was first to win", values=Domain(HOLDER))
START: dict[str, Value] = {"A": "Red", "B": "Red", "C": "Blue", "D": "none"}


def owns(side: str, area: str) -> Term:
    """That a side owns an area."""
    return eq(OWNER[area], side)


def areas(side: str) -> Term:
    """How many areas a side owns."""
    return count(owns(side, a) for a in AREAS)


def outcome(name: str, side: str, condition: Term | Partial, **more: Any) -> Outcome:
    """An outcome that is judged when the game is over."""
    given: dict[str, Any] = {"timing": OVER.fluent, "won": FALSE, "lost": FALSE, **more}
    partial = condition if isinstance(condition, Partial) else Partial(condition)
    return Outcome(name, side, partial, when="at the end", text=f"{side} wins by {name}", cites=CITES, **given)


def act(name: str, effects: Mapping[Term, Value | Term], needs: Term = TRUE, actor: str | None = "Red") -> Action:
    """An action."""
    done = tuple((f, x if isinstance(x, Term) else constant(f.sort, x)) for f, x in effects.items())
    return Action(name, (), actor, (Requirement(needs, f"{name} is not allowed", CITES),), done, name, {"moves": 1})


def takings() -> list[Action]:
    """Every side takes any area, and the game ends."""
    taken = [
        act(f"{side} takes {a}", {OWNER[a]: side}, not_(OVER.fluent), side) for side in SIDES for a in ("A", "B", "C")
    ]
    return [*taken, act("end", {OVER.fluent: True})]


def toy(outcomes: Iterable[Outcome] = (), actions: Iterable[Action] | None = None, **more: Any) -> System:
    """The rule set."""
    moves = list(takings() if actions is None else actions)
    names = tuple(dict.fromkeys(m.name for m in moves))
    steps = one_at_a_time(moves, "moves")
    metric = Metric("moves", "move", "", "moves", lambda s, o, start: steps, lambda s, o: (), events=names)
    families = (OWNER, OVER, ROUND, FLAG, WINNER)
    initial: dict[Term, Value] = {OWNER[a]: x for a, x in START.items()}
    initial |= {OVER.fluent: False, ROUND.fluent: 1, FLAG.fluent: "none", WINNER.fluent: "none"}
    events = tuple(Schema(m.name, (), lambda m=m: m, m.name, CITES) for m in moves)
    parts: dict[str, Any] = {"rules": (), "invariants": (), "observables": (), "events": events, **more}
    return System({s: (s,) for s in SIDES}, families, initial, outcomes=tuple(outcomes), metrics=(metric,), **parts)


def start(system: System) -> State:
    """Its start."""
    return system.layout.state(system.completed({}))


def lint(
    system: System,
    *codes: str,
    scope: Scope = "positions",
    timeout: float = 30,
    **more: Any,
) -> Checked:
    """What is found of some codes."""
    state = start(system)
    parts = {name: more.pop(name) for name in ("readings", "read", "under") if name in more}
    rules = CheckedRules("toy/start", system, state, **parts)

    def ask(spent: Effort) -> ResolvedQuestion:
        return ResolvedQuestion("toy/start", system, state, (), None, "any", system.metrics[0], spent)

    return check_rules(
        rules,
        codes or tuple(CATALOGUE),
        effort=effort(timeout),
        scope=scope,
        ask=ask,
        **more,
    )


def found(answer: Checked, code: str) -> list[Finding]:
    """The findings of one code."""
    return [f for f in answer.findings if f.code == code]


def changes(f: Finding) -> dict[str, Value]:
    """What a witness has otherwise than the start."""
    assert f.witness is not None
    return {c.fluent: c.after for c in f.witness.changes}
