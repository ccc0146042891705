"""The command `legal`: its text, its JSON, its exit codes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

GAME = "axis_allies"


def test_the_text_shows_ranges_and_who_decides(run: Run, tmp_path: Path) -> None:
    position = tmp_path / "position.yaml"
    position.write_text(f"game: {GAME}\nstate: {{turn: Germans}}\n", encoding="utf-8")
    found = run("legal", str(position))
    assert found.code == 0
    assert "  - place Germans infantry Western Europe: 1 to 2\n" in found.out
    assert "  decided by the power on turn\n" in found.out
    assert "\nNot possible now: attack_fails, emergency and bid.\n" in found.out
    assert "Not checked, since the rule text does not say\n  - the units of an attack" in found.out


def test_many_numbers_together_are_one_line(run: Run) -> None:
    found = run("legal", GAME, "--event", "bid")
    assert "  - bid: side_a 1 to 1000, side_b 1 to 1000, but not every combination" in found.out


def test_the_document(run: Run) -> None:
    document = run("legal", GAME, "--event", "place: {unit: infantry}", "--format", "json").document
    assert document["schema"] == "vclogic/legal/1"
    assert (document["event"], document["turn"]) == ("place", {"round": 1, "turn": "Russians"})
    (kind,) = document["events"]
    assert kind["allowed"][0] == {
        "actor": "Russians",
        "agreed": None,
        "args": {"power": "Russians", "unit": "infantry", "territory": "Buryatia S.S.R."},
        "numbers": {"count": [[1, 1]]},
        "beyond": [],
        "text": "Russians place 1 infantry in Buryatia S.S.R.",
    }


def test_an_event_without_numbers_has_its_sentence(run: Run) -> None:
    (kind,) = run("legal", GAME, "--event", "capture: {territory: Belorussia}", "--format", "json").document["events"]
    assert kind["allowed"][0]["text"] == "Russians take Belorussia"


def test_why_not_names_reason_and_clause_and_counts_the_rest(run: Run) -> None:
    words = ("legal", GAME, "--event", "place: {power: Russians, unit: infantry}", "--why-not", "--limit", "2")
    (kind,) = run(*words, "--format", "json").document["events"]
    assert [list(r) for r in kind["refused"]] == [["args", "numbers", "count", "lacks", "decider"]] * 2
    assert {r["decider"] for r in kind["refused"]} == {"Russians"}
    shown = run(*words).out
    assert f"    - and {kind['more']} more\n" in shown
    shown = " ".join(shown.split())
    assert "the Russians may place at most 1 infantry per turn at Vladivostok (Buryatia S.S.R.) [" in shown


def test_what_reach_assumes_stands_apart(run: Run) -> None:
    shown = run("legal", GAME, "--event", "capture", "--set", "sea_range=0").out
    plain, assumed = " ".join(shown.split()).split(
        " allowed by the rules; `reach` leaves it out unless --by rules, since it assumes that "
    )
    assert assumed.startswith("a capture needs a land border with the side's territory")
    assert "Germany" in plain
    assert "Wake Island" not in plain
    assert "Wake Island" in assumed


def test_forced_events_are_marked_and_left_out_for_a_side(run: Run) -> None:
    every, german = run("legal", "moscow/small").out, run("legal", "moscow/small", "--side", "German").out
    assert "  forced: the rules bring it about\n" in every
    assert "\neliminate:" in every
    assert "\neliminate:" not in german
    assert "Forced events are left out" in german


def test_names_with_commas_are_kept_apart(run: Run) -> None:
    assert "  - retreat 22nd Regiment (1 to 12): 3,0; 1,1; 3,1\n" in run("legal", "okinawa", "--event", "retreat").out


def test_exit_codes(run: Run) -> None:
    assert run("legal", GAME, "--side", "Germans").code == 1
    assert run("legal", "moscow/campaign", "--event", "move").code == 3
    assert "--event 'move: {unit: ...}'" in run("legal", "moscow/campaign", "--event", "move").out
    assert run("legal", GAME, "--side", "Germns").code == 2
    assert run("legal", GAME, "--why-not", "--limit", "0").code == 2


def test_who_decides_stands_among_the_rules(run: Run) -> None:
    shown = run("rules", GAME, "emergency").out
    assert "decided by: the power that defends the city" in shown
    (event,) = run("rules", "okinawa", "retreat", "--format", "json").document["events"]
    assert (event["decided_by"], event["forced"]) == (None, True)
    assert "decided by: nobody: it is forced" in run("rules", "okinawa", "retreat").out
