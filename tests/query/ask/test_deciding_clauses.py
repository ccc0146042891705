"""What `ask` says of an answer: clauses as rulings cite them, the step since which it is so, origins, precedents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.scenarios import smallest
from vclogic.conformance.games import legal_play
from vclogic.conformance.meaning import random_state
from vclogic.encode.python.evaluator import OutOfBounds, apply, interpret
from vclogic.files.record import RecordStep
from vclogic.files.registry import encoding_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Setup
from vclogic.model.citation import CitedFunction, changed
from vclogic.model.fluents import Value
from vclogic.model.variants import variants
from vclogic.query.ask.answer import Ruled
from vclogic.query.ask.clauses import deciding_clauses
from vclogic.query.ask.grounds import RulesTerms, grounds
from vclogic.query.ask.origins import Origins
from vclogic.query.ask.subject import PositionQuestion, RulesQuestion, answer_of, read_question, same_question
from vclogic.query.status.progress import states_of
from vclogic.query.test.rulings import try_case

EXAMPLE = "examples/asl_22u3.yaml"


def asked_of(setup: Setup, record: Sequence[RecordStep], question: str | RulesQuestion) -> PositionQuestion:
    """A question after a record."""
    read = read_question(setup.system, question) if isinstance(question, str) else question
    return PositionQuestion(setup, tuple(record), tuple(states_of(setup.system, setup.initial, record)), read)


def clauses_of(case: Case) -> set[str]:
    """The clauses that decide what a ruling expects."""
    setup = case.setup()
    if case.refusal is None:
        questions = [asked_of(setup, setup.record, goal) for goal in case.expect]
    else:
        before, step = setup.record[: case.refusal.step - 1], setup.record[case.refusal.step - 1]
        questions = [asked_of(setup, before, RulesQuestion(str(step.event), "event", event=step.event))]
    found: set[str] = set()
    for asked in questions:
        value = answer_of(asked.system, asked.state, asked.question)
        found |= {c.clause for c in deciding_clauses(asked, grounds(asked, value)).clauses}
    return found


def undecided(cases: Sequence[Case]) -> list[str]:
    """The rulings that cite a clause that does not decide what they expect."""
    tried = (try_case(case, cites=True) for case in cases)
    return [f"{t.name}: {e.got}" for t in tried for e in t.tried if not e.holds]


def cited(encoding: str) -> list[Case]:
    """The rulings that cite clauses."""
    return [case for case in load_cases(encoding) if case.cites]


def test_clauses_that_rulings_cite_decide_them() -> None:
    sample = [case for encoding in encoding_names() for case in cited(encoding)[::100]]
    assert len(sample) > 8
    assert not undecided(sample)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", encoding_names())
def test_all_rulings_are_decided_by_the_clauses_that_they_cite(encoding: str) -> None:
    assert not undecided(cited(encoding))


# ---- clauses


def answers(setup: Setup, question: RulesQuestion, record: Sequence[RecordStep]) -> tuple[Value | None, object]:
    """The answer under a rule set that is built now, and the states on the way."""
    system = setup.encoding.build(setup.board_read, setup.settings)
    states = [setup.initial]
    for step in record:
        try:
            states.append(apply(system, states[-1], system.action(step.event)))
        except OutOfBounds:
            return None, "out of bounds"
    return answer_of(system, states[-1], same_question(system, question)), states


def changes_it(setup: Setup, asked: PositionQuestion, function: CitedFunction) -> bool:
    """Whether the answer, or a state on the way, is another where a function returns something else."""
    right = answers(setup, asked.question, asked.record)
    for n in range(4):
        with changed(function, lambda found, n=n: next(iter(list(variants(found))[n:]), found)):  # type: ignore[misc]
            if answers(setup, asked.question, asked.record) != right:
                return True
    return False


@pytest.mark.parametrize(
    ("game", "question"),
    [("okinawa", "vp(Japan)"), ("axis_allies", "vcp(Axis)"), (EXAMPLE, "controls_building(German, 22U3)")],
)
def test_a_deciding_clause_that_says_something_else_changes_the_answer(game: str, question: str) -> None:
    setup = vclogic.load(game).setup
    asked = asked_of(setup, setup.record, question)
    value = answer_of(asked.system, asked.state, asked.question)
    found = [c for c in deciding_clauses(asked, grounds(asked, value)).clauses if c.speaks == "for"]
    functions = [f for text in setup.encoding.texts for f in text.functions]
    assert found
    for clause in found:
        own = [f for f in functions if f.text in clause.says and clause.clause in {c.clause for c in f.cites}]
        assert not own or any(changes_it(setup, asked, f) for f in own), clause


def ruled() -> Ruled:
    """The worked example of 26.15."""
    return vclogic.load(EXAMPLE).ask("controls_building(German, 22U3)")


def test_what_is_absent_decides_nothing() -> None:
    """No Fire burns, no vehicle and no prisoner is there: their clauses are not named."""
    named = {c.clause for c in ruled().clauses}
    assert {"26.1/3", "26.14/1", "26.11-p2/1"} <= named
    assert not named & {"26.16/3", "26.1/3x1", "26.12/2", "26.222/1"}


def test_clauses_that_pull_apart_are_both_named(tmp_path: Path) -> None:
    """A squad of the Germans is in the building, which would give it to them; an armed vehicle bars that."""
    file = tmp_path / "barred.yaml"
    steps = "[{enter: {unit: T-34, to: 22V2/0}}, {enter: {unit: 5-4-8, to: 22V2/0}}]"
    file.write_text(f"game: asl/22u3\nstate: {{building_control: {{22U3: none}}}}\nrecord: {steps}\n")
    answer = vclogic.load(str(file)).ask("controls_building(German, 22U3)")
    speaks = {c.clause: c.speaks for c in answer.clauses}
    assert speaks["26.11-p3/2"] == "for"
    assert speaks["26.15/1"] == "against"
    assert "26.13/1" not in speaks


def test_a_clause_is_said_in_its_own_words_where_something_encodes_it() -> None:
    """The observable cites 26.1/2 and 26.14/1, too, and only says what is asked about."""
    observables = vclogic.load(EXAMPLE).setup.system.observables
    (asked,) = (o.text for o in observables if o.name == "controls_building")
    says = {c.clause: c.says for c in ruled().clauses}
    assert says["26.14/1"]
    assert says["26.1/2"]
    assert all(asked not in texts for texts in says.values())


def decided(game: str, question: str) -> set[str]:
    """The clauses that decide a question at the start of a game."""
    return {c.clause for c in loaded(game).ask(question).clauses if c.speaks == "for"}


def test_what_folds_to_a_constant_is_cited() -> None:
    """The limit of a complex is passed whatever else was placed; a Hero is worth nothing, whatever happens."""
    assert {"IC/2", "IC/3"} <= decided(
        "axis_allies", "place: {power: Russians, unit: armour, count: 4, territory: Caucasus}"
    )
    assert decided("asl/points", "vp_value(hero)") == {"26.211/4"}


@pytest.mark.parametrize(
    ("game", "question", "clauses"),
    [
        ("axis_allies", "holds(minor_victory, Axis)", {"victory-minor/4", "victory-minor/5"}),
        ("axis_allies", "minor_victory Axis", {"victory-minor/4", "victory-minor/5"}),
        ("moscow/small", "holds(decisive, German)", {"levels/3", "table-6/1"}),
        ("asl/points", "free: {unit: squad}", {"26.222/1"}),
    ],
)
def test_what_nothing_can_change_here_is_cited_by_what_is_asked(game: str, question: str, clauses: set[str]) -> None:
    assert clauses <= decided(game, question)


def test_clauses_on_something_else_are_not_cited() -> None:
    assert not {"17.31/3", "17.31/4"} & decided("okinawa", "vp_at_end(US)")
    assert "IC-p2/7" not in decided("axis_allies", "ic_price(Hawaii)")
    infantry = decided("axis_allies", "place: {power: Russians, unit: infantry, territory: Caucasus}")
    assert "VC-infantry-p2/1" in infantry
    assert not any(c.startswith("IC") for c in infantry)


def test_what_is_gained_by_a_step_is_cited_as_gained() -> None:
    """Terms after an event are made by substitution, in which the citation stays."""
    cases = {c.name: c for c in load_cases("napoleonics")}
    case = cases["the banner of a temporary objective is gained the moment a unit is there"]
    assert "temporary/1" in clauses_of(case)


# ---- the record


def test_the_step_since_which_the_answer_is_so() -> None:
    """The 4-4-7 takes the building by its first step; that the board says so a step later is no matter."""
    steps = [b.step for b in ruled().because]
    assert steps[0] is None
    assert 1 in steps
    assert 2 not in steps


@pytest.mark.parametrize("encoding", encoding_names())
def test_facts_before_a_step_decide_the_answer_after_it(encoding: str) -> None:
    game, rng = vclogic.load(smallest(encoding)), Random(f"since {encoding}")
    setup, system = game.setup, game.setup.system
    record = [RecordStep(event) for event, _ in legal_play(system, game.state, rng, 4)]
    for parts in system.overview:
        question = f"{parts[0]}({', '.join(parts[1:])})" if parts[1:] else parts[0]
        asked = asked_of(setup, record, question)
        value = answer_of(system, asked.state, asked.question)
        for ground in grounds(asked, value):
            if ground.step is None or ground.text.startswith("it could"):
                continue
            action = system.action(record[ground.step - 1].event)
            kept = {system.layout.slot[f] for f in ground.facts}
            before, after = asked.states[ground.moment], ground.pieces[0]
            for _ in range(5):
                other = random_state(system, rng)
                mixed = tuple(x if i in kept else y for i, (x, y) in enumerate(zip(before, other, strict=True)))
                try:
                    state = mixed if after.moment == ground.moment else apply(system, mixed, action)
                except OutOfBounds:
                    continue
                term = after.made(RulesTerms.of(system, asked.question))
                assert interpret(term, system.layout.slot, state), (question, ground)


# ---- origins, precedents, places


def test_origins_of_facts() -> None:
    setup = vclogic.load("examples/asl_whole_board.yaml").setup
    german = Origins(setup, [setup.initial]).fact(setup.system.layout.by_name["at[5-4-8]"], 0)
    assert (german.origin, german.file) == ("given", "examples/asl_whole_board.yaml")
    assert german.line is not None
    start = loaded("axis_allies").ask("controls(Axis, Australia)")
    assert {f.name: f.origin for b in start.because for f in b.facts}["owner[Australia]"] == "scenario"
    moved = {f.name: f for f in ruled().because[0].facts}
    assert (moved["at[4-4-7]"].origin, moved["at[4-4-7]"].step) == ("record", 5)
    assert moved["captured[4-4-7]"].origin == "assumed"


def test_precedents_and_places() -> None:
    answer = ruled()
    deciding = {c.clause for c in answer.clauses}
    shared = [len(p.shared) for p in answer.precedents]
    assert shared == sorted(shared, reverse=True)
    assert 0 < len(shared) <= 8
    assert all(set(p.shared) == deciding & set(p.cites) for p in answer.precedents)
    assert {"22V2", "22U3"} <= set(answer.places)


def test_each_part_that_fails_is_a_reason_of_its_own() -> None:
    """One of several failing parts would be enough for "no", so neither decides by itself."""
    found = loaded("asl").ask("controls_building(Russian, 22U3) and cvp(Russian) > 2 and cvp(German) >= 0")
    assert [b.text for b in found.because] == ["controls_building(Russian, 22U3): no", "cvp(Russian) > 2: no"]
    assert all(b.clauses for b in found.because)
    assert {"26.14/1", "26.222/3"} <= {c.clause for c in found.clauses}
