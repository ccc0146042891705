"""Installed encodings and their data files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files.fake_game import ENCODING
from vclogic.errors import Diagnostic, InputError
from vclogic.files import registry
from vclogic.files.registry import case_files, data_source, encoding_names, load_encoding, scenario_names
from vclogic.files.scenario import default_scenario, load_scenario, split_game

Wrong = Callable[..., tuple[Diagnostic, ...]]


def test_real_registry_needs_no_import() -> None:
    assert "axis_allies" in registry._registered()


@pytest.mark.usefixtures("game")
def test_names_and_loading() -> None:
    assert encoding_names() == ("absent", "broken", "skirmish")
    assert load_encoding("skirmish") is ENCODING
    assert scenario_names("skirmish") == ("spring", "winter")
    assert case_files("skirmish") == ()


@pytest.mark.usefixtures("game")
def test_unknown_encoding(wrong: Wrong) -> None:
    (d,) = wrong(load_encoding, "skirmsh")
    assert (d.code, d.help) == ("unknown-game", "did you mean 'skirmish'?")


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("name", ["broken", "absent"])
def test_broken_encoding(name: str) -> None:
    with pytest.raises(InputError, match=rf"'{name}' is broken.*No module named") as caught:
        load_encoding(name)
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
    assert caught.value.diagnostics[0].code == "broken-encoding"
    with pytest.raises(InputError, match="is broken"):
        default_scenario(name)


@pytest.mark.parametrize("code", ["ENCODING = 3", "x = 1", "import sys; sys.exit(3)", "raise KeyError('x')", "1 +"])
def test_encoding_that_is_none(code: str, game: Path, wrong: Wrong) -> None:
    (game / "rules.py").write_text(code)
    (d,) = wrong(load_encoding, "skirmish")
    assert d.code == "broken-encoding"
    assert "'skirmish'" in d.message


def test_encoding_beside_a_package_of_rules(game: Path) -> None:
    rules = (game / "rules.py").read_text()
    (game / "rules.py").unlink()
    (game / "rules").mkdir()
    (game / "encoding.py").write_text(rules)
    assert load_encoding("skirmish").name == "skirmish"


@pytest.mark.usefixtures("game")
def test_data_files(wrong: Wrong) -> None:
    assert data_source("skirmish", "board.yaml").text.startswith("title: The valley")
    (d,) = wrong(data_source, "skirmish", "scenarios/no.yaml")
    assert d.code == "no-such-file"
    assert str(d.file).endswith("no.yaml")


def test_default_scenario(game: Path, wrong: Wrong) -> None:
    assert default_scenario("skirmish") == "spring"
    (game / "scenarios" / "autumn.yaml").write_text("title: Autumn\n")
    assert default_scenario("skirmish") == "spring"
    (game / "scenarios" / "spring.yaml").write_text("title: Spring\n")
    assert default_scenario("skirmish") == "autumn"
    for name in ("spring", "autumn"):
        (game / "scenarios" / f"{name}.yaml").unlink()
    assert default_scenario("skirmish") == "winter"
    (game / "scenarios" / "winter.yaml").unlink()
    assert [d.code for d in wrong(default_scenario, "skirmish")] == ["broken-encoding"]


def test_scenario_file(game: Path, wrong: Wrong) -> None:
    assert load_scenario("skirmish", "winter").content.text == "The river is frozen."
    (game / "scenarios" / "winter.yaml").write_text("titel: W\ndefault: 3\n")
    assert [(d.code, d.line, d.column) for d in wrong(load_scenario, "skirmish", "winter")] == [
        ("missing-entry", 1, 1),
        ("unknown-entry", 1, 1),
        ("wrong-value", 2, 10),
    ]
    (d,) = wrong(load_scenario, "skirmish", "wintr")
    assert d.help == "did you mean 'winter'?"


@pytest.mark.usefixtures("game")
def test_split_game(wrong: Wrong) -> None:
    assert split_game("skirmish") == ("skirmish", None)
    assert split_game("skirmish/winter") == ("skirmish", "winter")
    for game in ("", "x", "skirmish/", "skirmish/x", "skirmish/winter/x", "/"):
        assert [d.code for d in wrong(split_game, game)] == ["unknown-game"]
