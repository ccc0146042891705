"""What may be done now: numbers as ranges, who decides, what stands against the rest."""

from __future__ import annotations

import pytest

from tests.fixtures.games import loaded
from vclogic.conformance.events import is_accepted
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.query.legal.answer import Legal, LegalKind


@pytest.fixture(scope="module")
def germans() -> Game:
    """The game of 1942 with the Germans on turn."""
    return loaded("axis_allies").apply("end_turn")


def only(answer: Legal) -> LegalKind:
    """The one kind of event of an answer."""
    (kind,) = answer.kinds
    return kind


def numbers_of(answer: Legal, name: str) -> dict[str, object]:
    """The ranges of the only number, by an argument."""
    return {str(a.args[name]): next(iter(a.numbers.values())) for a in only(answer).allowed}


def test_numbers_are_ranges(germans: Game) -> None:
    found = germans.legal(event="place", unit="infantry")
    assert numbers_of(found, "territory") == {
        "Germany": ((1, 5),),
        "Norway": ((1, 1),),
        "Southern Europe": ((1, 3),),
        "Ukraine S.S.R.": ((1, 2),),
        "Western Europe": ((1, 2),),
    }
    assert {a.actor for a in only(found).allowed} == {"Germans"}


def test_events_are_listed_as_apply_takes_them(germans: Game) -> None:
    events = list(germans.legal(event="place", unit="infantry").events())
    assert len(events) == 5 + 1 + 3 + 2 + 2  # as many as the ranges hold
    assert all(germans.apply(name, **args).history[-1].name == "place" for name, args in events)


def test_what_was_placed_is_not_allowed_again(germans: Game) -> None:
    later = germans.apply("place", power="Germans", unit="infantry", count=3, territory="Berlin")
    assert numbers_of(later.legal(event="place: {unit: infantry, territory: Berlin}"), "territory") == {
        "Germany": ((1, 2),)
    }


def test_a_number_that_is_given_stays(germans: Game) -> None:
    found = only(germans.legal(event="place", unit="infantry", count=3))
    assert {a.args["territory"] for a in found.allowed} == {"Germany", "Southern Europe"}
    assert all(a.numbers == {"count": ((3, 3),)} for a in found.allowed)


def test_numbers_may_have_gaps() -> None:
    bids = only(loaded("axis_allies").legal(event="bid"))
    ranges = {a.numbers["side_a"]: a.numbers["side_b"] for a in bids.allowed}
    assert len(ranges) == 1_000
    assert ranges[(7, 7),] == ((1, 6), (8, 1_000))
    assert ranges[(1, 1),] == ((2, 1_000),)


def test_a_sentence_has_the_ranges_of_open_numbers(germans: Game) -> None:
    placed = only(germans.legal(event="place: {unit: fighter, territory: Germany}")).allowed
    assert [a.text for a in placed] == ["Germans place 1 to 4 fighters in Germany"]
    bids = only(loaded("axis_allies").legal(event="bid"))
    texts = {a.numbers["side_a"]: a.text for a in bids.allowed}
    assert texts[(1, 1),] == "the teams bid 1 and 2 to 1000: side_b plays the Axis for 2 to 1000 turns"
    assert texts[(2, 2),] == bids.text  # who plays the Axis depends on the numbers


def test_numbers_that_names_stand_for_are_ranges_too() -> None:
    game = loaded("okinawa")
    (unit, to), found = next(
        ((a.args["unit"], a.args["to"]), a) for a in only(game.legal(event="retreat")).allowed if a.numbers
    )
    (ranges,) = found.numbers.values()
    accepted = [
        n
        for n in range(1, 13)
        if is_accepted(
            game.setup.system,
            game.state,
            game.setup.system.schemas["retreat"].event({"unit": unit, "to": to, "hexes": n}),
        )
    ]
    assert [n for lo, hi in ranges for n in range(lo, hi + 1)] == accepted


def test_a_side_stands_for_its_powers(germans: Game) -> None:
    by_power, by_side = germans.legal("Germans"), germans.legal("Axis")
    assert by_power.kinds == by_side.kinds
    assert by_power.allowed > 50
    assert germans.legal("Japanese").allowed == 0
    assert not any(k.forced for k in by_side.kinds)


def test_who_else_must_want_it_is_said() -> None:
    bought = loaded("axis_allies", phases="named")
    bought = bought.apply("purchase", power="Russians", unit="complex", at="Karelia")
    bought = bought.apply("place", power="Russians", unit="complex", territory="Karelia").apply("end_turn")
    (taken,) = only(bought.legal(event="capture", territory="Karelia", destroy_complex="yes")).allowed
    assert (taken.actor, taken.agreed) == ("Germans", "Russians")


def test_what_reach_assumes_is_said_and_forbids_nothing() -> None:
    game = loaded("axis_allies", sea_range=0)
    found = {str(a.args["territory"]): a for a in only(game.legal(event="capture")).allowed}
    assert found["Belorussia"].beyond == ()
    assert found["Borneo"].beyond == ("Borneo cannot be reached by land or sea from what the Allies control",)
    game.apply("capture", power="Russians", territory="Borneo")


def test_every_choice_can_be_applied(germans: Game) -> None:
    for a in only(germans.legal(event="place", territory="Germany")).allowed:
        for chosen in a.choices():
            germans.apply("place", **chosen)


# ---- what may not be done


def test_why_not_begins_with_what_those_on_turn_decide_and_what_lacks_least(germans: Game) -> None:
    kind = only(germans.legal(event="place", why_not=4, unit="infantry"))
    assert len(kind.refused) == 4
    assert {r.decider for r in kind.refused} == {"Germans"}
    assert [len(r.lacks) for r in kind.refused] == [1] * 4
    assert sum(r.count for r in kind.refused) + kind.more == 5 * 63 - len(kind.allowed)


def test_why_not_says_once_what_stands_against_all_events_of_a_power(germans: Game) -> None:
    kind = only(germans.legal(event="place", why_not=999, unit="infantry"))
    assert kind.more == 0
    (whole,) = [r for r in kind.refused if r.args.get("power") == "Russians"]
    assert whole.args == {"power": "Russians"}
    assert whole.count == 63
    assert [lack.text for lack in whole.lacks] == ["it is not the turn of the Russians"]
    assert sum(r.count for r in kind.refused) + kind.more == 5 * 63 - len(kind.allowed)


def test_why_not_of_numbers_that_are_too_large(germans: Game) -> None:
    kind = only(germans.legal(event="place: {power: Germans, unit: infantry, territory: Berlin}", why_not=5))
    (refused,) = kind.refused
    assert refused.numbers == {"count": ((6, 999),)}
    (lack,) = refused.lacks
    assert lack.text == "the Germans may place at most 5 infantry per turn at Berlin (Germany)"
    assert "VC-infantry-p2/1" in lack.cites


def test_what_was_not_asked_for_is_not_told(germans: Game) -> None:
    kind = only(germans.legal(event="attack"))
    assert kind.refused == ()


# ---- large boards, wrong words


def test_too_many_events_are_not_looked_at_but_counted() -> None:
    game = loaded("moscow/campaign")
    kind = only(game.legal(event="move"))
    assert (kind.allowed, kind.left_out > 10_000) == ((), True)
    one = only(game.legal(event="move", unit="LVI Panzer"))
    assert one.left_out == 0
    assert len(one.allowed) > 100
    game.apply("move", **next(one.allowed[0].choices()))


@pytest.mark.parametrize(
    ("asked", "message", "help"),
    [
        ({"side": "Germns"}, "unknown side or power 'Germns'", "Germans"),
        ({"event": "plce"}, "there is no event 'plce'", "place"),
        ({"event": "place: {unit: infantri}"}, "unknown unit 'infantri'", "infantry"),
        ({"event": "place", "teritory": "Berlin"}, "nothing of place is called 'teritory'", "territory"),
    ],
)
def test_wrong_words_are_told(asked: dict[str, str], message: str, help: str) -> None:
    with pytest.raises(InputError) as error:
        loaded("axis_allies").legal(**asked)  # type: ignore[arg-type]
    (found,) = error.value.diagnostics
    assert found.message == message
    assert help in (found.help or "")
