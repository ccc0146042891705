"""The board of a page: its places can be selected, and what is offered there by hand is taken."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY, cases
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.grounded import choices
from vclogic.query.answers import Step
from vclogic.query.board.page import FactShown, PlaceFacts, named_at
from vclogic.query.legal import events as legal
from vclogic.query.legal.events import AtPlace, Legality

GAMES = ("axis_allies", "asl", "moscow/small", "napoleonics", "okinawa")


def changed(fact: FactShown, value: Any) -> dict[str, Any]:
    """What a page sends for a change of a fact."""
    found: Any = value
    for key in reversed(fact.path):
        found = {key: found}
    state: dict[str, Any] = found
    return state


def facts_of(game: Game) -> list[str]:
    return [fluent.name for fluent in game.setup.system.layout.fluents]


def offered(facts: PlaceFacts) -> list[tuple[FactShown, Any]]:
    """Every change that a page offers."""
    found: list[tuple[FactShown, Any]] = []
    for fact in (*facts.facts, *facts.of_here):
        found += [(fact, x) for x in (fact.least, fact.most, *fact.values) if x is not None]
    for fact in (*facts.here, *facts.elsewhere):
        found += [(fact, x) for x in (*fact.here, *fact.values)]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_each_place_can_be_selected_once(name: str) -> None:
    game = loaded(name)
    board = game.board()
    shapes = [x for x in ElementTree.fromstring(board.svg).iter() if x.get("class") == "spot"]
    names = [x.get("data-place") for x in shapes]
    assert names
    assert sorted(map(str, names)) == sorted({p.name for p in board.places})
    assert all(p.label and p.says for p in board.places)
    assert 'class="spot"' not in game.svg()


PLANS: dict[str, tuple[str, dict[str, Any], str, dict[str, Any]]] = {
    "captures": ("axis_allies", {}, "vcp(Axis) >= 40", {}),
    "turns of captures": ("axis_allies", {}, "vcp(Axis) >= 33", {"minimize": "turns", "within": 4}),
    "armies": ("axis_allies", {"level": "armies"}, "vcp(Axis) >= 28", {"minimize": "moves", "within": 1}),
    "marches": ("moscow/small", {}, "uncovered_rows(German) == 0", {}),
    "turns of units": ("napoleonics", {"combat": "adjacent"}, "banners(French) >= 2", {"within": 3}),
}


@pytest.mark.parametrize("name", cases(PLANS, "captures", "marches"))
def test_each_step_of_a_plan_has_the_number_of_its_arrows(name: str) -> None:
    game_name, settings, goal, choices = PLANS[name]
    game = vclogic.load(game_name, settings=settings)
    plan = game.plan(goal, timeout=60 + BUSY, **choices)
    turns = game.board(plan).turns
    assert len(turns) == len(plan.steps) > 0
    assert {*turns} - {0} == {arrow.step for arrow in game.picture(plan).arrows}
    assert [*turns] == sorted(turns)
    for turn in {*turns} - {0}:
        alone = game.board(plan, turn)
        assert alone.turns == turns
        said = " ".join(line for caption in game.picture(plan, turn).captions for line in caption.lines)
        own = [step for step, number in zip(plan.steps, turns, strict=True) if number == turn]
        assert any(step.text in said or (step.under and step.under.text in said) for step in own)


@pytest.mark.parametrize("name", cases([*GAMES, "armies"], "asl", "moscow/small"))
def test_events_of_a_witness_are_drawn_by_what_they_move(name: str) -> None:
    """A record of any events; what goes from a place to another has an arrow."""
    game = loaded("axis_allies", level="armies") if name == "armies" else loaded(name)
    rng, now, steps = Random(5), game, list[Step]()
    system, moved = game.setup.system, 0
    for n in range(1, 9):
        allowed = [(k.event, a) for k in now.legal().kinds for a in k.allowed if k.event not in ("end_game", "bid")]
        event, chosen = rng.choice(allowed)
        args = {**chosen.args, **{number: ranges[0][0] for number, ranges in chosen.numbers.items()}}
        after = now.apply(event, **args)
        where = {
            f: (a, b) for f, a, b in zip(facts_of(game), now.state, after.state, strict=True) if f.startswith("at[")
        }
        moved += sum(a != b for a, b in where.values())
        ordered = {p.name: args[p.name] for p in system.schemas[event].parameters}
        turn = {f.name: now.state_dict()[f.name] for f in system.schedule} or None
        steps.append(Step(n, turn, None, event, ordered, event, ()))
        now = after
    shown = game.board(steps)
    assert len(shown.turns) == len(steps)
    assert bool(game.picture(steps).arrows) >= bool(moved and name in ("okinawa", "moscow/small"))


FOLLOW = {
    "asl": {"location_control", "hex_control", "building_control", "undeclared", "vehicle_controls", "winner"}
    | {"scored", "worth", "exit_points"},
    "moscow/small": {"owner", "taken"},
    "napoleonics": {"objective", "gained", "dropped", "vacated"},
}
"""What may follow from a change by hand."""


@pytest.mark.slow
def test_a_witness_by_the_rules_is_drawn() -> None:
    """Its events have other arguments than the moves of plans."""
    game = loaded("okinawa/small")
    found = game.reach("holds(victory, US)", timeout=60 + BUSY)
    assert {"end_turn", "move", "end_game"} <= {step.action for step in found.steps}
    moves = [step for step in found.steps if step.action == "move"]
    assert {(a.label, a.target) for a in game.picture(found).arrows} == {
        (s.args["unit"], s.args["to"]) for s in moves
    }
    assert set(game.board(found).turns) == {0, 1}


@pytest.mark.parametrize("name", cases([*GAMES, "armies"], "axis_allies", "asl", "moscow/small"))
def test_changes_by_hand_are_taken_or_refused_by_a_rule(name: str) -> None:
    game = Game.load("axis_allies", settings=[("level", "armies")]) if name == "armies" else loaded(name)
    rng, taken = Random(3), 0
    refused: list[Any] = []
    places = [p.name for p in game.board().places]
    for place in (None, *rng.sample(places, min(len(places), 5))):
        facts = game.place(place)
        changes = offered(facts)
        for fact, value in rng.sample(changes, min(len(changes), 8)):
            try:
                after = game.by_hand(changed(fact, value))
            except InputError as error:
                refused += [(fact, value, d) for d in error.diagnostics if d.code != "impossible-position"]
                continue
            taken += 1
            there = after.place(place)
            shown = (*there.facts, *there.here, *there.of_here, *there.elsewhere)
            now = next(f for f in shown if f.name == fact.name)
            assert now.value == value
            pairs = zip(facts_of(game), game.state, after.state, strict=True)
            others = {f.partition("[")[0] for f, was, is_now in pairs if was != is_now and f != fact.name}
            assert others <= FOLLOW.get(name, set())
    assert refused == []
    assert taken


def test_what_is_there_is_told_from_what_is_elsewhere() -> None:
    game = loaded("okinawa")
    at: dict[str, str] = game.state_dict()["at"]
    unit, hex_ = next((u, h) for u, h in at.items() if "," in h)
    facts = game.place(hex_)
    assert [f.path for f in facts.here] == [("at", u) for u, h in at.items() if h == hex_]
    assert {f.path for f in (*facts.here, *facts.elsewhere)} == {("at", u) for u in at}
    moved = next(f for f in facts.here if f.path == ("at", unit))
    off = next(x for x in moved.values if "," not in str(x))
    assert unit not in [f.about for f in game.by_hand(changed(moved, off)).place(hex_).here]


@pytest.mark.parametrize("name", cases(GAMES, "asl", "moscow/small"))
def test_each_fact_is_shown_at_a_place_or_for_the_whole_board(name: str) -> None:
    """But for what is recorded of units that stand nowhere: they have to be put somewhere first."""
    game = loaded(name)
    shown = [f.name for f in game.place().facts]
    nowhere: set[str] = set()
    for place in [p.name for p in game.board().places]:
        facts = game.place(place)
        own = [f.name for f in (*facts.facts, *facts.here, *facts.of_here)]
        assert len(own) == len({*own})
        assert {*own}.isdisjoint(f.name for f in game.place().facts)
        shown += own
        nowhere |= {f.path[1] for f in facts.elsewhere if f.value in f.values}
    missing = [f.name for f in game.setup.system.layout.fluents if f.name not in {*shown}]
    assert [name for name in missing if not any(f"[{unit}]" in name for unit in nowhere)] == []


def test_what_is_recorded_of_a_unit_is_shown_where_it_stands() -> None:
    facts = loaded("asl").place("22V4")
    assert [f.path for f in facts.here] == [("at", "5-4-8")]
    told = {f.path: f for f in facts.of_here}
    assert all(path[1:] == ("5-4-8",) for path in told)
    assert told["broken", "5-4-8"].says == "5-4-8 is not broken"
    assert told["concealment", "5-4-8"].values == ("open", "concealed", "hidden")


def test_what_is_recorded_of_no_place_is_shown_for_the_whole_board() -> None:
    facts = loaded("axis_allies").place()
    assert (facts.place, facts.here, facts.elsewhere) == (None, (), ())
    assert "the Russians are to move" in facts.says
    assert {("turn",), ("bid",), ("treasury", "Germans")} <= {f.path for f in facts.facts}


def test_a_hex_of_a_building_shows_all_its_locations() -> None:
    facts = loaded("asl").place("22U3")
    control = [f.name for f in facts.facts if f.path[0].endswith("_control")]
    assert {"location_control[22U3/0]", "location_control[22U3/1]", "hex_control[22U3]"} <= set(control)
    assert facts.elsewhere[0].here[0] == "22U3/0"


@pytest.mark.parametrize("name", cases(GAMES, "asl", "moscow/small"))
def test_events_of_a_place_are_those_that_name_it_or_what_is_there(name: str) -> None:
    game = loaded(name)
    kinds = {k.event: k for k in game.legal().kinds}
    every = {(k.event, *sorted(map(str, a.args.items()))) for k in kinds.values() for a in k.allowed}
    some = False
    for place in [p.name for p in game.board().places][::5]:
        there = {f.path[1] for f in game.place(place).here}
        for kind in game.legal(place=place).kinds:
            for allowed in kind.allowed:
                some = True
                words = list(map(str, allowed.args.values()))
                assert any(place in w or w in there for w in words), (place, words)
                key = (kind.event, *sorted(map(str, allowed.args.items())))
                assert kinds[kind.event].left_out or key in every
    assert some or name in ("okinawa", "napoleonics")  # where units are ordered first


@pytest.mark.parametrize("name", cases(["moscow/small", "asl", "okinawa", "napoleonics"], "moscow/small", "asl"))
def test_each_event_of_a_place_is_judged_once(name: str) -> None:
    """Also one that names it twice, such as a unit that is there and may move there: by looking at each event."""
    game = loaded(name)
    system, state, twice = game.setup.system, game.state, 0
    judge, whole, few = (Legality(system, state, None, limit) for limit in (1, 100_000, 2))
    places = [p.name for p in game.board().places if game.place(p.name).here]
    for place in Random(5).sample(places, min(len(places), 3)):
        at = named_at(system, game.picture(), state, place)
        names = at.names
        for schema in (s for s in system.events if not any(p.term for p in s.parameters)):
            events = [args for args in choices(schema, {}) if any(names(str(x)) for x in args.values())]
            twice += sum(sum(names(str(x)) for x in args.values()) > 1 for args in events)
            single = [judge.kind(schema, {n: [x] for n, x in args.items()}) for args in events]
            found, shown = whole.naming(schema, {}, at), few.naming(schema, {}, at)
            if found is None or shown is None:
                assert not events
                continue
            allowed = [{**args} for a in found.allowed for args in a.choices()]
            assert len(allowed) == sum(len(k.allowed) for k in single)
            assert all(args in allowed for args, k in zip(events, single, strict=True) if k.allowed)
            assert len(allowed) + sum(r.count for r in found.refused) == len(events)
            assert found.more == found.left_out == 0
            assert len(shown.refused) == min(2, len(found.refused))
            assert shown.more + sum(r.count for r in shown.refused) == len(events) - len(allowed)
    assert twice


def test_too_many_events_of_a_place_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legal, "MOST", 5)
    game, units = loaded("asl"), ("4-4-7", "5-4-8")
    melee = game.setup.system.schemas["melee"]
    found = Legality(game.setup.system, game.state, None).naming(
        melee, {}, AtPlace("22U3", units.__contains__, lambda word: ())
    )
    assert found is not None
    assert found.left_out == sum(not {*units}.isdisjoint(args.values()) for args in choices(melee, {})) > 10


@pytest.mark.parametrize("name", cases(["moscow/small", "asl", "okinawa"], "moscow/small", "asl", "okinawa"))
def test_targets_are_the_places_that_events_name_after_the_one_that_is_asked_about(name: str) -> None:
    game = loaded(name)
    busy = sorted(game.board().places, key=lambda p: -len(game.place(p.name).here))
    place = next(p.name for p in busy if any(a.targets for k in game.legal(place=p.name).kinds for a in k.allowed))
    decided = {k.event for k in game.legal(place=place).kinds if any(a.targets for a in k.allowed)}
    events = [(k.event, a) for k in game.legal(place=place).kinds if k.event in decided for a in k.allowed]
    targets = {t for _, a in events for t in a.targets}
    assert targets
    assert decided.isdisjoint({"retreat", "eliminate"}), "nobody decides what the rules do to a unit"
    assert place not in targets
    assert targets <= {p.name for p in game.board().places}
    for target in sorted(targets)[::7]:
        found = game.legal(place=place, target=target).kinds
        there = [(k.event, a.args) for k in found if k.event in decided for a in k.allowed]
        alike = [(event, a.args) for event, a in events if target in a.targets]  # there the usual ones come first
        assert sorted(map(str, there)) == sorted(map(str, alike))


@cache
def armies() -> Game:
    """The Germans on turn with their armies, of whose moves there are far too many to look at each."""
    return loaded("axis_allies", level="armies").apply("end_turn")


def test_the_targets_of_armies_are_found_without_a_look_at_every_event() -> None:
    kinds = {k.event: k for k in armies().legal(place="Germany").kinds}
    march, carry = kinds["march"], kinds["carry"]
    assert (march.left_out, {t for a in march.allowed for t in a.targets if "Karelia" in t}) == (
        0,
        {"Karelia S.S.R."},
    )
    assert carry.left_out > 10**9
    assert "United Kingdom" in carry.targets
    assert not {"Brazil", "Germany", "Russia"} & {*carry.targets}


def test_all_events_between_two_places_are_listed() -> None:
    game = armies()
    crossing = next(k for k in game.legal(place="Germany", target="United Kingdom").kinds if k.event == "carry")
    assert crossing.left_out == 0
    assert all({"Germany", "United Kingdom"} <= {*map(str, a.args.values())} for a in crossing.allowed)
    assert {a.args["second"] for a in crossing.allowed} > {"none"}
    march = next(k for k in game.legal(place="Germany", target="Eastern Europe").kinds if k.event == "march")
    assert [a.args["via"] for a in march.allowed][:3] == ["none", "none", "Balkans"]
    assert {a.args["to"] for a in march.allowed} == {"Eastern Europe"}
    usual = crossing.allowed[0]
    assert usual.args["second"] == "none"  # what a record says in the fewest words comes first
    game.apply("carry", **next(usual.choices()))


@pytest.mark.parametrize("target", ["Norway", "United Kingdom"])
def test_what_goes_to_a_target_goes_nowhere_else_and_comes_from_elsewhere(target: str) -> None:
    (crossing,) = (k for k in armies().legal(place="5 Sea Zone", target=target).kinds if k.event == "carry")
    assert crossing.left_out == 0
    args = [a.args for a in crossing.allowed]
    assert {a["cargo_to"] for a in args} == {target}
    assert {a["second_to"] for a in args} == {target, "none"}
    assert target not in {end for a in args for end in (a["cargo_from"], a["second_from"])}
    assert {a["from"] for a in args} == {"5 Sea Zone"}


def test_a_target_that_is_refused_says_why() -> None:
    refused = {k.event: k.refused[0] for k in armies().legal(place="Germany", target="Brazil", why_not=1).kinds}
    assert "one territory at most, and not from Germany to Brazil" in refused["march"].lacks[0].text
    assert "aircraft land on land that their side controlled" in refused["fly"].lacks[0].text


def test_what_names_no_place_is_found_apart() -> None:
    found = armies().legal(unplaced=True)
    assert [k.event for k in found.kinds if k.allowed] == ["purchase", "end_turn"]
    assert not any(k.left_out for k in found.kinds)
    assert [k.event for k in loaded("moscow/campaign").legal(unplaced=True).kinds] == ["end_turn", "end_game"]


@pytest.mark.parametrize("asked", [{"target": "Germany"}, {"place": "Germany", "unplaced": True}])
def test_a_target_is_of_a_place(asked: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="`target` is for the events of a `place`"):
        loaded("axis_allies").legal(**asked)


def test_a_place_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match="no place") as refused:
        loaded("axis_allies").place("Ukrain S.S.R.")
    assert "did you mean 'Ukraine S.S.R.'" in str(refused.value.diagnostics[0].help)
    with pytest.raises(InputError, match="no place"):
        loaded("axis_allies").legal(place="Atlantis")
    with pytest.raises(InputError, match="target: there is no place"):
        loaded("axis_allies").legal(place="Germany", target="Atlantis")
