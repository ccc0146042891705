"""What is no proof: an answer that no solver gave, and what was proved of another start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import BUSY, examples
from tests.fixtures.positions import load
from tests.terms.specs import meaning, pools, specs, states, term
from vclogic.clock import Deadline
from vclogic.model.transition import unpriced
from vclogic.progress import silent
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.proofs.invariants import by_invariants
from vclogic.solve.proofs.unreachability import by_laws, by_one_step, by_positions
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, count, eq, ge, is_in, le, or_
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

P, Q, R, GOES_ON = (var(n, BOOL) for n in ("P", "Q", "R", "goes on"))
ONE = [le(count([P, Q, R]), 1)]
BOTH = and_(P, Q)
TWO = or_(BOTH, and_(Q, R))


@pytest.mark.parametrize("prove", [by_laws, by_positions, by_one_step])
def test_without_time_nothing_is_proved(prove: object) -> None:
    assert callable(prove)
    assert prove(TWO, ONE, Effort(Deadline(0.0), silent)) is None


def test_what_was_proved_of_one_start_is_not_believed_of_another() -> None:
    step = unpriced([GOES_ON], [], {P: and_(P, GOES_ON), Q: and_(Q, GOES_ON)})  # what is lost never comes back
    for start in ({P: FALSE, Q: TRUE}, {P: TRUE, Q: FALSE}, {P: FALSE, Q: TRUE}):
        proof = by_invariants(BOTH, step, start, [], effort())
        assert proof is not None
        assert proof.rechecked


@pytest.mark.parametrize("prove", [by_laws, by_positions, by_one_step])
def test_what_only_a_solver_has_shown_is_shown_by_two_runs(monkeypatch: pytest.MonkeyPatch, prove: Any) -> None:
    """A run that does not agree in time leaves no proof."""
    runs: list[str] = []
    check = Session.check

    def counted(self: Session, *given: Term, **more: Any) -> Answer:
        answer = check(self, *given, **more)
        runs.append(answer.verdict)
        return answer

    monkeypatch.setattr(Session, "check", counted)
    assert prove(TWO, ONE, effort()).rechecked
    assert runs == ["unsat", "unsat"]

    def once(self: Session, *given: Term, **more: Any) -> Answer:
        runs.append("another run")
        return Answer("unknown") if len(runs) % 2 == 0 else check(self, *given, **more)

    runs.clear()
    monkeypatch.setattr(Session, "check", once)
    assert prove(TWO, ONE, effort()) is None


# ---- laws of positions


@examples(150)
@given(st.data())
def test_no_position_is_said_only_where_laws_exclude_them_all(data: st.DataObject) -> None:
    pool = data.draw(pools())
    goal, *laws = (data.draw(specs(pool, "B", 3)) for _ in range(4))
    with local_sessions(20):
        proof = by_laws(term(goal), [term(t) for t in laws], effort())
    possible = any(all(meaning(t, s) for t in (goal, *laws)) for s in states(pool))
    event(f"possible: {possible}, proof: {proof is not None}")
    assert proof is None or not possible


def test_what_has_room_in_each_place_of_a_zone_adds_up() -> None:
    """Twelve units, a zone of five hexes of ten, and two units in each."""
    hexes = EnumSort("hex", tuple(f"h{i}" for i in range(10)))
    units = [var(f"at[{i}]", hexes) for i in range(12)]
    rooms = [le(count(eq(u, h) for u in units), 2) for h in hexes.members]
    zone = count(is_in(u, hexes.members[:5]) for u in units)
    with local_sessions(20):
        assert by_laws(ge(zone, 11), rooms, effort()) is not None
        assert by_laws(ge(zone, 10), rooms, effort()) is None


ISLAND = """game: okinawa
board:
  first: Japan
  turns: 6
  terrain: {'.': {cost: 2}}
  map: ['......', '......', '......']
  zones:
    Southern: {spans: [['0,0', '2,2']]}
    Central: {spans: [['3,0', '3,2']]}
    Northern: {spans: [['4,0', '5,2']]}
  northeast_edge: ['5,0', '5,1', '5,2']
  units:
    Japan: {UNITS}
    US:
      1st Marines: {at: '5,1', attack: 4, defence: 4, movement: 10}
"""
FOUR = ", ".join(f"R{i}: {{at: '{i % 2},{i // 2}', attack: 3, defence: 4, movement: 6}}" for i in range(4))


@pytest.mark.slow
def test_a_zone_never_has_more_units_than_there_is_room_for(tmp_path: Path) -> None:
    game = load(tmp_path, ISLAND.replace("UNITS", FOUR))
    assert game.reach("units_in(Japan, Central) >= 3", timeout=60 * BUSY).status == "reachable"
    answer = game.reach("units_in(Japan, Central) >= 4", timeout=60 * BUSY)
    assert (answer.status, answer.proof and answer.proof.method) == ("unreachable", "positions")
