"""`vclogic render`: what it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from vclogic.errors import InputError
from vclogic.query.plan.file import read_steps

GAME = "axis_allies"


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "map.svg"


def test_a_position(run: Run, output: Path) -> None:
    found = run("render", GAME, "-o", str(output))
    assert (found.code, found.err) == (0, "")
    assert "axis_allies/revised-1942, 143 regions" in " ".join(found.out.split())
    assert ElementTree.fromstring(output.read_text(encoding="utf-8")).tag.endswith("svg")
    assert [p.name for p in output.parent.iterdir()] == ["map.svg"]


def test_standard_output(run: Run, output: Path) -> None:
    found = run("render", GAME, "-o", "-")
    assert found.code == 0
    run("render", GAME, "--output", str(output))
    assert found.out == output.read_text(encoding="utf-8")


def test_for_programs(run: Run, output: Path) -> None:
    document = run("render", GAME, "-o", str(output), "--format", "json").document
    assert document == {
        "schema": "vclogic/render/1",
        "game": "axis_allies/revised-1942",
        "file": str(output),
        "regions": 143,
        "turns": [],
    }
    document = run("render", GAME, "-o", "-", "--format", "json").document
    assert list(document) == ["schema", "game", "file", "regions", "turns", "svg"]
    assert document["svg"] == output.read_text(encoding="utf-8")


def test_a_plan_that_is_found(run: Run, output: Path) -> None:
    words = ("--goal", "owner(Karelia) == Germans", "--set", "sea_range=0")
    assert run("render", GAME, *words, "-o", str(output)).code == 0
    assert "Karelia S.S.R. changes hands: from Russians to Germans." in output.read_text(encoding="utf-8")


def test_a_plan_from_a_file(run: Run, output: Path, tmp_path: Path) -> None:
    goal = ("--goal", "owner(Karelia) == Germans and owner(Archangel) == Germans")
    plan = tmp_path / "plan.json"
    plan.write_text(run("plan", GAME, *goal, "--format", "json").out)
    assert len(json.loads(plan.read_text())["steps"]) == 2
    found = run("render", GAME, "--plan-file", str(plan), "-o", str(output), "--format", "json").document
    assert found["turns"] == [1, 2]
    found = run(
        "render", GAME, "--plan-file", str(plan), "--turn", "2", "-o", str(output), "--format", "json"
    ).document
    assert found["turns"] == [2]
    shown = output.read_text(encoding="utf-8")
    assert shown.count("changes hands: from") == 1


def test_without_a_plan_nothing_is_written(run: Run, output: Path) -> None:
    found = run("render", GAME, "--goal", "vcp(Axis) >= 99", "--side", "Axis", "-o", str(output))
    assert found.code == 1
    assert "impossible" in found.out
    assert not output.exists()


def test_a_goal_that_holds_already_shows_the_position(run: Run, output: Path) -> None:
    found = run("render", GAME, "--goal", "vcp(Axis) >= 1", "-o", str(output), "--format", "json").document
    assert found["turns"] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "missing-option"),
        (("-o", "."), "bad-value"),
        (("-o", "no/such/folder/map.svg"), "bad-value"),
        (("-o", "map.svg", "--turn", "1"), "bad-value"),
        (("-o", "map.svg", "--turn", "one"), "bad-value"),
        (("-o", "map.svg", "--side", "Axis"), "missing-option"),
        (("-o", "map.svg", "--minimize", "turns"), "missing-option"),
        (("-o", "map.svg", "--goal", "vcp(Axis) >= 27", "--plan-file", "plan.json"), "usage"),
        (("-o", "map.svg", "--plan-file", "nowhere.json"), "no-such-file"),
        (("-o", "map.svg", "--goal", "vcp("), None),
        (("-o", "map.svg", "--objectives", "--side", "Axis", "--plan-file", "plan.json"), "usage"),
        (("-o", "map.svg", "--objectives", "--side", "Axis", "--turn", "1"), "usage"),
        (("-o", "map.svg", "--objectives", "--side", "Axis", "--dump-smt2", "a.smt2"), "usage"),
        (("-o", "map.svg", "--objectives"), None),
        (("-o", "map.svg", "--objectives", "--side", "Nobody"), None),
        (("-o", "map.svg", "--objectives", "--side", "Axis", "--goal", "vcp("), None),
        *(
            (("-o", "map.svg", "--goal", "vcp(Axis) >= 27", option, word), "missing-option")
            for option, word in (
                *(("--threat", "vcp(Allies) >= 40"), ("--keep", "vcp(Axis) >= 20")),
                *(("--require", "capture"), ("--avoid", "capture"), ("--limit", "100")),
            )
        ),
    ],
)
def test_what_is_refused(
    run: Run, words: tuple[str, ...], code: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("render", GAME, *words, "--format", "json")
    assert found.code == 2
    first = found.document["errors"][0]
    assert code is None or first["code"] == code
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_a_picture(run: Run, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from vclogic_encodings.axis_allies import encoding

    build = encoding.ENCODING.build
    bare = replace(encoding.ENCODING, build=lambda board, settings: replace(build(board, settings), drawing=None))
    monkeypatch.setattr(encoding, "ENCODING", bare)
    found = run("render", GAME, "-o", str(output))
    assert found.code == 2
    assert found.err.startswith("error[no-picture]: axis_allies/revised-1942 has no picture\n")
    assert not output.exists()


def test_a_board_of_one_s_own(run: Run, output: Path) -> None:
    example = Path(__file__).resolve().parent.parent.parent / "examples" / "two_islands.yaml"
    assert run("render", str(example), "-o", str(output)).code == 0
    assert "Lighthouse 2" in output.read_text(encoding="utf-8")


def test_a_wrong_place_on_a_board(run: Run, output: Path, tmp_path: Path) -> None:
    example = Path(__file__).resolve().parent.parent.parent / "examples" / "two_islands.yaml"
    board = tmp_path / "board.yaml"
    board.write_text(example.read_text().replace("Strait: {kind: sea}", "Strait: {kind: sea, at: [1]}"))
    found = run("render", str(board), "-o", str(output))
    assert found.code == 2
    assert "expected a list of exactly 2" in " ".join(found.err.split())


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "[" * 100_000),
        *('{"schema": "vclogic/status/1"}', '{"schema": "vclogic/plan/1"}'),
        *('{"schema": "vclogic/plan/1", "steps": [1]}', '{"schema": "vclogic/plan/1", "steps": 1}'),
        '{"schema": "vclogic/plan/1", "status": "impossible", "steps": []}',
    ],
)
def test_files_that_hold_no_plan(tmp_path: Path, text: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_steps(str(file))
    assert caught.value.diagnostics[0].code in ("bad-plan", "no-plan")
    assert caught.value.diagnostics[0].file == str(file)


# ---- objectives

ISLANDS = (
    str(Path(__file__).resolve().parents[2] / "examples" / "two_islands.yaml"),
    "--objectives",
    "--side",
    "Axis",
)


def test_objectives_on_the_map(run: Run, output: Path) -> None:
    found = run("render", *ISLANDS, "--goal", "vcp(Axis) >= 7", "-o", str(output))
    assert (found.code, found.err) == (0, "")
    assert "6 regions, the moves of 1 turn" in " ".join(found.out.split())
    shown = output.read_text(encoding="utf-8")
    assert "Goal of the Axis side: vcp(Axis) &gt;= 7; the cheapest plan takes 1 capture" in shown
    assert "Redland: 1 capture more once an enemy has it." in shown
    assert "Outpost: no captures more without it; in D1." in shown


def test_objectives_of_a_goal_out_of_reach_are_drawn_too(run: Run, output: Path) -> None:
    found = run("render", *ISLANDS, "--goal", "vcp(Axis) >= 99", "-o", str(output))
    assert found.code == 1
    assert "Goal of the Axis side: vcp(Axis) &gt;= 99; there is no plan" in output.read_text(encoding="utf-8")


def test_conditions_on_the_plans_of_objectives(run: Run, output: Path) -> None:
    asked = ("--goal", "vcp(Axis) >= 7", "--keep", "owner(Blueland) == Blues", "--limit", "1", "-o", str(output))
    assert run("render", *ISLANDS, *asked).code == 0
    assert "Outpost changes hands: from Blues to Reds." in output.read_text(encoding="utf-8")
