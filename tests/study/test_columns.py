"""The columns of a study: decided once from sorts and types, before the first game; misfits are errors for people."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from tests.cli.conftest import Run, run
from tests.study.test_studies import HILLS, as_rows, here
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.studies.answer import StudyAnswer, study
from vclogic.studies.columns import ColumnKind, Columns, fitting, of_answer, of_expression
from vclogic.studies.design import ASKED
from vclogic.studies.folder import StudyFolder
from vclogic.terms.sorts import IntSort

__all__ = ["run"]
SAME = "held(side) means count(hill where owner(hill) == side)\n"
SHOWN = {
    # definitions of `shown` and the kind of its column
    "truth": ("shown(side) means held(side) >= 2\n", ColumnKind.TRUTH, pa.bool_()),
    "number": ("shown(side) means held(side) - 1\n", ColumnKind.NUMBER, pa.int64()),
    "text": ("shown(side) means owner(North)\n", ColumnKind.TEXT, pa.string()),
    "nothing": (
        "shown(side) means max(held(side) for hill where owner(hill) == side)\n",
        ColumnKind.NUMBER,
        pa.int64(),
    ),
}


def write(folder: Path, **books: str) -> None:
    for name, lines in books.items():
        (folder / f"{name}.md").write_text(HILLS.replace(SAME, SAME + lines))


def studied(folder: Path, text: str) -> StudyAnswer:
    (folder / "study.yaml").write_text(text)
    return study(str(folder / "study.yaml"), str(folder / "rows"), executor=here)


def refused(folder: Path, text: str) -> str:
    """The one error of a study, which has played and written nothing."""
    with pytest.raises(InputError) as error:
        studied(folder, text)
    assert not (folder / "rows").exists()
    (found,) = error.value.diagnostics
    assert found.file is not None
    assert found.file.endswith("study.yaml")
    return found.message


# ---- games


@pytest.mark.parametrize("name", SHOWN)
def test_a_column_has_the_type_of_its_expressions_sort(name: str, tmp_path: Path) -> None:
    line, _, arrow = SHOWN[name]
    write(tmp_path, hills=line)
    answer = studied(tmp_path, "game: hills.md\ngames: 30\nkeep: {x: shown(Red)}\n")
    assert answer.table().schema.field("x").type == arrow
    game = Game.load(str(tmp_path / "hills.md"))
    assert {row["x"] for row in as_rows(answer)} - {None} <= {*map(str, game.sides), "nobody", True, False, -1, 2, 3}


def test_undefined_in_all_games_of_a_part_it_has_its_type_still(tmp_path: Path) -> None:
    write(tmp_path, hills=SHOWN["nothing"][0])
    answer = studied(
        tmp_path, "game: hills.md\nnumbers: {rounds 4: 1..2}\ngames: 1\nlongest: 1\nkeep: {x: shown(Blue)}\n"
    )
    assert answer.table().schema.field("x").type == pa.int64()
    assert {row["x"] for row in as_rows(answer)} == {None}


@pytest.mark.parametrize(("one", "other"), [("truth", "number"), ("number", "text"), ("text", "truth")])
def test_of_one_kind_in_one_game_and_of_another_in_another_is_an_error(
    one: str, other: str, tmp_path: Path, run: Run
) -> None:
    write(tmp_path, one=SHOWN[one][0], other=SHOWN[other][0], same=SHOWN[one][0])
    text = "game: [one.md, same.md, other.md]\ngames: 2\nkeep: {x: shown(Red)}\n"
    said = f"x is {SHOWN[one][1].value} in one.md and {SHOWN[other][1].value} in other.md"
    assert refused(tmp_path, text) == said
    found = run("study", str(tmp_path / "study.yaml"), "-o", str(tmp_path / "rows"))
    assert (found.code, found.out) == (2, "")
    assert "count(CONDITION) makes a number" in " ".join(found.err.split())
    assert studied(tmp_path, text.replace(", other.md", "")).rows == 4


@pytest.mark.parametrize(("least", "most"), [(0, 2**63 - 1), (-(2**63), 0), (0, 2**63), (-(2**63) - 1, 5)])
def test_what_may_come_to_more_than_64_bits_is_no_column(
    least: int, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules as text keep to 10^15; observables of games in Python need not."""
    write(tmp_path, hills="")
    wide: Any = SimpleNamespace(compile=lambda texts: SimpleNamespace(ranges=((IntSort(least, most), least, most),)))
    monkeypatch.setattr("vclogic.studies.kept.of_expression", lambda game, text: of_expression(wide, text))
    text = "game: hills.md\ngames: 1\nkeep: {x: held(Red)}\n"
    if least >= -(2**63) and most < 2**63:
        assert studied(tmp_path, text).rows == 1
    else:
        said = f"'held(Red)' can be from {least} to {most}, and a column holds numbers of 64 bits"
        assert refused(tmp_path, text) == said


@pytest.mark.parametrize("value", ["9223372036854775808", "-9223372036854775809", "²", "1_0", "--1"])
def test_numbers_and_seeds_that_no_column_holds_are_errors(value: str, tmp_path: Path) -> None:
    write(tmp_path, hills="")
    said = refused(tmp_path, f"game: hills.md\nnumbers: {{rounds 4: ['{value}']}}\n")
    assert said == "the values that take a number's place are whole numbers of at most 64 bits"


def test_a_seed_is_at_least_0(tmp_path: Path) -> None:
    write(tmp_path, hills="")
    assert refused(tmp_path, "game: hills.md\nseed: -1\n") == "seed is at least 0"
    assert studied(tmp_path, f"game: hills.md\nseed: {10**9}\ngames: 5\n").rows == 5


@pytest.mark.parametrize("name", ["winner", "seed", "used", "game", "rounds N", "player Red"])
def test_two_columns_of_one_name_are_an_error(name: str, tmp_path: Path) -> None:
    write(tmp_path, hills="")
    more = "numbers: {rounds 4: [3]}\nplayers: {Red: greedy}\nmeasures: {Red: held(Red)}\n"
    said = refused(tmp_path, f"game: hills.md\n{more}keep: {{{name}: held(Red)}}\n")
    assert said == f"there is a column {name!r} already"


def test_a_range_of_a_million_million_is_an_error_at_once(tmp_path: Path) -> None:
    write(tmp_path, hills="")
    assert "combinations are more than" in refused(tmp_path, f"game: hills.md\nnumbers: {{rounds 4: 1..{10**12}}}\n")


# ---- questions


@pytest.mark.parametrize(
    ("keep", "kind"),
    [
        ("winner", ColumnKind.TEXT),
        ("outcomes", ColumnKind.NUMBER),
        ("outcomes.0.have", ColumnKind.NUMBER),
        ("observables.round", ColumnKind.NUMBER),
        ("observables.shown(Red)", ColumnKind.TRUTH),
        ("assumptions.0", ColumnKind.TEXT),
    ],
)
def test_parts_of_an_answer_have_the_types_of_their_class_and_of_sorts(
    keep: str, kind: ColumnKind, tmp_path: Path
) -> None:
    write(tmp_path, hills=SHOWN["truth"][0])
    answer = studied(tmp_path, f"game: hills.md\nask: {{status: {{}}}}\nkeep: {{x: '{keep}'}}\n")
    assert answer.table().schema.field("x").type == kind.arrow


def test_an_observable_of_another_kind_in_another_game_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, one=SHOWN["truth"][0], other=SHOWN["number"][0])
    text = "game: [one.md, other.md]\nask: {status: {}}\nkeep: {x: observables.shown(Red)}\n"
    assert refused(tmp_path, text) == "x is true or false in one.md and a whole number in other.md"


def test_a_part_that_no_answer_has_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, hills="")
    ask = "game: hills.md\nask: {plan: {goal: held(Red) >= 2, side: Red}}\n"
    said = refused(tmp_path, f"{ask}keep: {{x: coost}}\n")
    assert said == "the answer of plan has no part 'coost'; did you mean 'cost'?"


@pytest.mark.parametrize("question", ASKED)
def test_all_plain_parts_of_every_answer_have_a_kind(question: str) -> None:
    found = of_answer(Game.load("axis_allies"), question, {})
    assert found
    assert all(isinstance(kind, ColumnKind) for kind in found.values())


# ---- values

KINDS: Columns = {"x": ColumnKind.NUMBER, "y": ColumnKind.FLOAT, "z": ColumnKind.COUNTS, "b": ColumnKind.TRUTH}


@pytest.mark.parametrize(
    "row",
    [
        {"x": True},
        {"x": 2**63},
        {"x": -(2**63) - 1},
        {"x": "a text"},
        {"x": 0.5},
        {"y": 2**53 + 1},
        {"y": True},
        {"z": {"a": 0.5}},
        {"z": {"a": 2**63}},
        {"z": {1: 1}},
        {"b": 1},
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_told_and_not_changed(row: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the column '.' holds .* does not fit into it"):
        StudyFolder(str(tmp_path / "rows")).write("part", [{}, row], KINDS)


def test_values_that_fit_come_back_as_they_are(tmp_path: Path) -> None:
    folder = StudyFolder(str(tmp_path / "rows"))
    rows: list[dict[str, Any]] = [
        {"x": 2**63 - 1, "y": 2**53, "z": {"a": 2**53 + 1}, "b": False},
        {"x": -(2**63), "y": 0.1, "z": {}, "b": True},
        {"x": None, "y": None, "z": None, "b": None},
    ]
    with folder.made():
        folder.write("part", rows, KINDS)
    back = folder.table(["part"]).to_pylist(maps_as_pydicts="strict")
    assert back == rows
    assert fitting({"t": True}, {"t": ColumnKind.TEXT}) == {"t": "true"}
