"""The faults that `check` finds in maps of TripleA, at their lines; idioms that are sound are passed over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.triplea.small_maps import number, rule, small_map, switch, trigger
from tests.triplea.test_behaviours import ALLIED, OWNED, opened
from vclogic.check.findings import Finding

HOME = rule("home", (OWNED, "Alba"))
WINS = trigger("wins", ("conditions", "home"), ("victory", "won"))
ON = switch("Triggered Victory", "true")


def found(folder: Path, text: str, keys: str | None = "won=Won!\n") -> Sequence[Finding]:
    """What `check` finds, in the order of the lines."""
    findings = opened(folder, text, keys).check(timeout=200).findings
    return sorted(findings, key=lambda f: f.places[0].line)


def line_of(text: str, part: str) -> int:
    """The first line that has a text."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.parametrize("keys", ["other=x\n", None, "#won=Won!\n"])
def test_a_victory_without_its_key_is_never_announced(tmp_path: Path, keys: str | None) -> None:
    text = small_map([HOME, WINS], properties=[ON])
    (finding,) = found(tmp_path, text, keys)
    assert (finding.code, finding.rule) == ("VC901", "Reds/wins")
    assert finding.places[0].line == line_of(text, 'name="wins"')
    assert "“won”" in finding.message


def test_switched_on_without_a_victory_nobody_ever_wins(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, small_map([HOME, trigger("t", ("conditions", "home"))], properties=[ON]))
    assert finding.code == "VC901"
    assert "nobody can ever win" in finding.message


FAULTS = {
    "more than it lists": (
        [rule("a", (OWNED, "Alba:Bruma", "3")), trigger("t", ("conditions", "a"))],
        "VC902",
        "3 of 2",
    ),
    "a name twice": (
        [rule("a", (ALLIED, "Alba:Alba", "2")), trigger("t", ("conditions", "a"))],
        "VC902",
        "each counts once",
    ),
    "its inversion": (
        [rule("a", (OWNED, "Alba", "2"), ("invert", "true")), trigger("t", ("conditions", "a"))],
        "VC903",
        "always holds",
    ),
    "rounds turned": (
        [rule("a", ("rounds", "5-3")), trigger("t", ("conditions", "a"))],
        "VC902",
        "end before they begin",
    ),
    "rounds apart": (
        [
            rule("a", ("rounds", "1-2")),
            rule("b", ("rounds", "4-+"), ("conditions", "a")),
            trigger("t", ("conditions", "b")),
        ],
        "VC902",
        "exclude each other",
    ),
    "more conditions than named": (
        [HOME, rule("b", ("conditions", "home"), ("conditionType", "2")), trigger("t", ("conditions", "b"))],
        "VC902",
        "2 of 1 conditions",
    ),
    "no such property": (
        [rule("a", ("gameProperty", "Nothing")), trigger("t", ("conditions", "a"))],
        "VC902",
        "no property",
    ),
    "nothing is asked": (
        [rule("a", (OWNED, "Alba", "0")), trigger("t", ("conditions", "a"))],
        "VC903",
        "asks for 0 territories",
    ),
    "a land that there is not, behind a group word": (
        [rule("a", (OWNED, "Alba:map:Nowhere")), trigger("t", ("conditions", "a"))],
        "VC906",
        "no Nowhere on the map",
    ),
    "used by nobody": ([rule("conditionAttachmentA", (OWNED, "Alba"))], "VC904", "1 condition is used by nobody"),
    "behind a group word": (
        [rule("a", (OWNED, "Alba:map:Bruma")), trigger("t", ("conditions", "a"))],
        "VC906",
        "lists Bruma",
    ),
    "of another player": (
        [
            rule("a", (OWNED, "Alba")),
            rule("a", (OWNED, "Corva"), to="Blues"),
            rule("b", ("conditions", "a"), to="Blues"),
            trigger("t", ("conditions", "b")),
        ],
        "VC906",
        "takes that of Reds",
    ),
    "one name twice": (
        [HOME, rule("home", (OWNED, "Bruma")), trigger("t", ("conditions", "home"))],
        "VC907",
        "two attachments called home",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_told_once(tmp_path: Path, name: str) -> None:
    attachments, code, says = FAULTS[name]
    (finding,) = found(tmp_path, small_map(attachments))
    assert finding.code == code
    assert says in finding.message


ON_STEP = trigger("wins", ("conditions", "home"), ("victory", "won"), ("when", "after:redsEndTurn"))
USED = switch("Use Triggers", "true")
NEVER_LOOKED_AT = {
    "switched off": ([HOME, WINS], [], "Triggered Victory is not set"),
    "switched off at its step": ([HOME, ON_STEP], [], "Use Triggers is not set"),
    "a step that is not there": (
        [HOME, trigger("wins", ("conditions", "home"), ("victory", "won"), ("when", "after:nowhere"))],
        [USED],
        "no step nowhere",
    ),
    "no uses": ([HOME, trigger("wins", ("conditions", "home"), ("victory", "won"), ("uses", "0"))], [ON], "`uses`"),
}


@pytest.mark.parametrize("name", NEVER_LOOKED_AT)
def test_a_victory_that_nothing_looks_at(tmp_path: Path, name: str) -> None:
    attachments, properties, says = NEVER_LOOKED_AT[name]
    (finding,) = found(tmp_path, small_map(attachments, properties=properties))
    assert finding.code == "VC901"
    assert says in finding.message


def test_without_its_delegate_no_round_has_an_end(tmp_path: Path) -> None:
    text = small_map([HOME, WINS], properties=[ON]).replace("EndRoundDelegate", "SomeDelegate")
    (finding,) = found(tmp_path, text)
    assert "EndRoundDelegate" in finding.message


def test_a_property_with_other_capitals_is_another_one(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, small_map([HOME], properties=[switch("TriggeRed Victory", "true")]))
    assert (finding.code, "not Triggered Victory" in finding.message) == ("VC906", True)


def test_an_option_that_nobody_knows_is_told(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, small_map([rule("home", (OWNED, "Alba"), ("switsh", "true"))]))
    assert (finding.code, "has no option switsh" in finding.message) == ("VC906", True)


def test_alliances_that_may_have_enough_at_once_and_who_has_won_then(tmp_path: Path) -> None:
    def needs(blue: int) -> str:
        numbers = [number(f"{a} Total Victory VCs", n, 1, 9) for a, n in (("Red", 2), ("Blue", blue))]
        alliances = [("Reds", "Red"), ("Pinks", "Red"), ("Blues", "Blue"), ("Greens", "Blue")]
        return small_map(properties=[switch("Total Victory", "true"), *numbers], alliances=alliances)

    assert not found(tmp_path, needs(3))
    (finding,) = found(tmp_path, needs(2))
    assert (finding.code, "has won" in finding.message) == ("VC909", True)


def test_two_victories_that_exclude_each_other_are_passed_over(tmp_path: Path) -> None:
    rules = [HOME, rule("other", (OWNED, "Alba"), to="Blues"), WINS]
    other = trigger("too", ("conditions", "other"), ("victory", "won"), to="Blues")
    assert not found(tmp_path, small_map([*rules, other], properties=[ON]))


@pytest.mark.parametrize(("need", "told"), [(4, []), (5, ["VC905"])])
def test_a_threshold_above_what_the_map_has(tmp_path: Path, need: int, told: list[str]) -> None:
    properties = [switch("Total Victory", "true"), number("Red Total Victory VCs", need, 1, 9, editable=False)]
    alliances = [("Reds", "Red"), ("Pinks", "Red"), ("Blues", "Blue"), ("Greens", "Blue")]
    text = small_map(properties=[*properties, number("Blue Total Victory VCs", 3, 1, 9)], alliances=alliances)
    assert [f.code for f in found(tmp_path, text)] == told


def test_a_player_in_no_alliance_can_never_win_by_sums(tmp_path: Path) -> None:
    properties = [
        switch("Total Victory", "true"),
        number("Red Total Victory VCs", 3, 1, 9),
        number("Blue Total Victory VCs", 3, 1, 9),
    ]
    (finding,) = found(tmp_path, small_map(properties=properties))
    assert (finding.code, finding.message.split()[0]) == ("VC908", "Greens")


def test_two_victories_at_the_end_of_one_round(tmp_path: Path) -> None:
    other = trigger("too", ("conditions", "home"), ("victory", "won"), to="Blues")
    (finding,) = found(tmp_path, small_map([HOME, WINS, other], properties=[ON]))
    assert (finding.code, finding.severity) == ("VC909", "note")


SOUND = {
    "a constant that a trigger flips": [rule("a", ("switch", "false")), trigger("t", ("conditions", "a"))],
    "a rule without a test": [rule("conditionAttachmentTrue")],
    "what a trigger rewrites": [
        rule("a", (OWNED, "Alba", "2")),
        trigger("t", ("conditions", "a"), ("playerAttachmentName", "RulesAttachment", "a")),
    ],
    "repeated with equal content": [HOME, HOME, trigger("t", ("conditions", "home"))],
    "a series that nothing names": [
        rule(f"conditionAttachmentOwns{n}", (OWNED, n)) for n in ("Alba", "Bruma", "Corva", "Delta")
    ],
    "an objective that nothing names": [rule("objectiveAttachment1", (OWNED, "Alba"), ("objectiveValue", "5"))],
    "exactly as many as listed": [rule("a", (ALLIED, "Alba:Bruma", "2")), trigger("t", ("conditions", "a"))],
    "any one of rounds apart": [
        rule("a", ("rounds", "1-2")),
        rule("b", ("rounds", "4")),
        rule("c", ("conditions", "a:b"), ("conditionType", "OR")),
        trigger("t", ("conditions", "c")),
    ],
}


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_idiom_is_passed_over(tmp_path: Path, name: str) -> None:
    assert not found(tmp_path, small_map(SOUND[name]))
