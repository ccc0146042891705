"""Where two rule sets part ways, against trying everything that both allow."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.terms.specs import KIND, Spec, domain, meaning, specs, term
from tests.toys.small_systems import FLUENTS, Move, SmallSystem, wild_systems
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Schema
from vclogic.model.fluents import Family, value
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.query.answers import Horizon
from vclogic.query.compare import differences as module
from vclogic.query.compare.answer import Compared, ComparedGame, Comparison
from vclogic.query.compare.differences import compare
from vclogic.solve.problem import SearchResult

SLOW = examples(25)


@dataclass(frozen=True)
class Rules:
    """A small system and what it shows."""

    small: SmallSystem
    shown: Mapping[str, Spec]

    @property
    def system(self) -> System:
        """The same as vclogic has it."""
        fluents = {v: Family(v.name, v.sort, "") for v in self.small.fluents}
        initial = {v: value(v.sort, x) for v, x in self.small.values(self.small.start).items()}
        return System(
            sides={},
            families=tuple(fluents.values()),
            initial=initial,
            rules=(),
            invariants=(),
            outcomes=(),
            observables=tuple(Observable(n, (), lambda s=s: term(s), "") for n, s in self.shown.items()),
            events=tuple(Schema(m.name, (), lambda m=m: m.action, "") for m in self.small.moves),
            metrics=(),
        )

    def says(self, state: tuple[int, ...]) -> list[int]:
        """Everything that it says of a state, what is allowed included."""
        values = self.small.values(state)
        shown = [int(meaning(s, values)) for s in self.shown.values()]
        return shown + [self.small.after(state, m) is not None for m in self.small.moves]

    def side(self) -> ComparedGame:
        """As one side of a comparison."""
        system = self.system
        chosen = SimpleNamespace(options={}, readings={})
        setup: Any = SimpleNamespace(system=system, game="small", settings=chosen)
        return ComparedGame(setup, system.layout.state(system.initial))


def nearest(a: Rules, b: Rules) -> int | None:
    """The fewest moves that both allow to a disagreement."""
    start = (a.small.start, b.small.start)
    queue, seen = deque([(start, 0)]), {start}
    while queue:
        (x, y), depth = queue.popleft()
        if a.says(x) != b.says(y):
            return depth
        for m, n in zip(a.small.moves, b.small.moves, strict=True):
            after = (a.small.after(x, m), b.small.after(y, n))
            if None not in after and after not in seen:
                seen.add(after)  # type: ignore[arg-type]
                queue.append((after, depth + 1))  # type: ignore[arg-type]
    return None


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rules, Rules]:
    """Two rule sets that differ in a guard, an effect or what they show; or in nothing."""
    small = draw(wild_systems())
    plain = draw(st.lists(st.sampled_from(small.fluents), max_size=2, unique=True))
    shown: dict[str, Spec] = {f"the {v.name}": ("var", v) for v in plain}
    shown["claim"] = draw(specs(small.fluents, "B", 2))
    a = Rules(small, shown)
    i = draw(st.integers(0, len(small.moves) - 1))
    move = small.moves[i]
    match draw(st.sampled_from(("guard", "effect", "claim", "nothing"))):
        case "guard":
            move = replace(move, guard=draw(specs(small.fluents, "B", 2)))
        case "effect":
            v = draw(st.sampled_from(small.fluents))
            new = ("const", KIND[v], draw(st.sampled_from(domain(v))))
            move = replace(move, effects=(*(e for e in move.effects if e[0] is not v), (v, new)))
        case "claim":
            shown = {**shown, "claim": draw(specs(small.fluents, "B", 2))}
    moves: tuple[Move, ...] = (*small.moves[:i], move, *small.moves[i + 1 :])
    return a, Rules(replace(small, moves=moves), shown)


def compared(a: Rules, b: Rules, on: str | None = None, within: int | None = None) -> Comparison:
    return compare(Compared(a.side(), b.side(), on, within, 1, effort(20), ()))


@SLOW
@given(pairs())
def test_the_nearest_disagreement_is_that_of_brute_force(pair: tuple[Rules, Rules]) -> None:
    a, b = pair
    expected, found = nearest(a, b), compared(a, b)
    if expected is None:
        assert found.status == "equal"
        assert found.proof is not None
        horizon = found.proof.horizon
        assert horizon is None or horizon.n is None, "a limit that nobody set"
        return
    assert found.status == "differ"
    assert len(found.steps) == expected
    assert found.replayed
    assert found.a.value != found.b.value
    x, y = a.small.start, b.small.start
    for step in found.steps:
        x, y = (r.small.after(s, m) for r, s in ((a, x), (b, y)) for m in r.small.moves if m.name == step.action)  # type: ignore[assignment]
    assert a.says(x) != b.says(y)


def test_what_comes_apart_unseen_shows_later() -> None:
    hidden, seen = (v for v in FLUENTS if v.name in "pq")
    yes: Spec = ("const", "B", 1)

    def rules(worth: int) -> Rules:
        moves = (
            Move("hide", yes, ((hidden, ("const", "B", worth)),), 1),
            Move("show", yes, ((seen, ("var", hidden)),), 1),
        )
        return Rules(SmallSystem((hidden, seen), (0, 0), moves), {"light": ("var", seen)})

    found = compared(rules(0), rules(1))
    assert [s.action for s in found.steps] == ["hide", "show"]
    assert (found.on, found.a.value, found.b.value) == ("light", False, True)
    assert found.position == {}
    assert compared(rules(1), rules(1)).status == "equal"


def test_truth_and_numbers_are_not_compared() -> None:
    holds, counts = (replace(late(1), shown={"light": ("const", kind, n)}) for kind, n in (("B", 1), ("I", 0)))
    assert compared(holds, counts).status == "equal"
    with pytest.raises(InputError, match="the two have values of different kinds"):
        compared(holds, counts, on="light")


BRIDGEHEAD = "examples/rulebooks/bridgehead.md"


def test_few_positions_are_all_looked_at(tmp_path: Path) -> None:
    """A number for the rounds makes facts of two kinds; a condition that three units cannot meet is never met."""
    text = Path(BRIDGEHEAD).read_text()
    fewer, never = tmp_path / "fewer.md", tmp_path / "never.md"
    fewer.write_text(text.replace("rounds 6", "rounds 1"))
    never.write_text(text.replace("rounds 6", "rounds 1").replace("bridged(area)) >= 2", "bridged(area)) >= 3"))
    sooner = vclogic.load(BRIDGEHEAD).compare(vclogic.load(str(fewer)))
    assert (sooner.status, len(sooner.steps), sooner.shortest, sooner.replayed) == ("differ", 2, True, True)
    same = vclogic.load(str(fewer)).compare(vclogic.load(str(never)))
    assert (same.status, same.proof and same.proof.method) == ("equal", "exhaustive")
    assert same.position, "in some position they differ, but not from this start"


def late(worth: int) -> Rules:
    """Rules under which two moves have to come, one after the other."""
    hidden, seen = (v for v in FLUENTS if v.name in "pq")
    yes: Spec = ("const", "B", 1)
    moves = (
        Move("hide", yes, ((hidden, yes),), 1),
        Move("show", ("var", hidden), ((seen, ("const", "B", worth)),), 1),
    )
    return Rules(SmallSystem((hidden, seen), (0, 0), moves), {"light": ("var", seen)})


def test_a_limit_is_told() -> None:
    short, long = (compared(late(0), late(1), within=n) for n in (1, 2))
    assert (short.status, short.proof and short.proof.method) == ("equal", "bounded")
    assert short.proof is not None
    assert short.proof.horizon == Horizon(1, "step")
    assert (long.status, len(long.steps)) == ("differ", 2)


def test_what_is_not_decided_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    gave_up = SearchResult(reason="the time is up", depth=3)
    monkeypatch.setattr(module, "step_by_step", lambda *asked: gave_up)
    monkeypatch.setattr("vclogic.solve.searches.all_positions.cheapest_plan", lambda *asked: None)
    a, b = late(1), late(1)
    claim: Spec = ("and", *(("var", v) for v in a.small.fluents))
    a, b = (replace(r, shown={"claim": c}) for r, c in ((a, claim), (b, ("const", "B", 0))))
    found = compared(a, b)
    assert (found.status, found.reason) == ("unknown", "they agree within 2 steps; the time is up")
    assert found.position == {"p": True, "q": True}


# ---- games


@pytest.fixture(scope="module")
def game() -> Game:
    return loaded("axis_allies")


def test_a_reading_that_matters_here(game: Game) -> None:
    found = game.compare(game.with_options(second_complex="allowed"), "may_build_ic")
    assert (found.status, found.steps, found.position) == ("differ", (), {})
    assert (found.a.value, found.b.value) == (False, True)
    assert found.a.settings == {"second_complex": "refused"}


def test_another_number_is_a_goal_for_a_plan(game: Game) -> None:
    forty, more = (
        vclogic.load("axis_allies", beside=[{"outcomes": f"Axis wins race at once if vcp(Axis) >= {n}"}])
        for n in (40, 42)
    )
    found = forty.compare(more)
    assert (found.status, found.on, found.a.value, found.b.value) == ("differ", "race(Axis)", True, False)
    assert (found.shortest, found.replayed) == (False, True)
    again = forty.compare(more)
    assert again.steps == found.steps


def test_what_is_not_there_is_told(game: Game) -> None:
    with pytest.raises(InputError, match="vpc"):
        game.compare(game, "vpc(Axis)")


def test_events_are_not_made_ready_for_longer_than_there_is_time(game: Game) -> None:
    found = game.compare(game.with_options(phases="box"), timeout=0.01)
    assert (found.status, found.reason) == ("unknown", "the time was up before the search began")


def test_an_event_is_compared_with_the_clause_that_refuses_it(game: Game) -> None:
    small = vclogic.load("examples/two_islands.yaml")
    found = small.compare(small.with_options(equal_bids="first"), "bid")
    assert (found.status, found.steps) == ("differ", ())
    assert found.on == "bid(1, 1, none)"
    assert found.a.text == "the bids are equal: bid again (reading equal_bids)"
    assert found.a.cites == ("victory-minor/1", "victory-minor/2")
    assert found.b.value is True
