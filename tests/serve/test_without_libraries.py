"""What `serve` says where a library of the page is missing."""

from __future__ import annotations

import sys

import pytest

from vclogic.cli import main as cli


@pytest.mark.parametrize("library", ["starlette", "uvicorn", "h11", "starlette.responses"])
def test_the_page_without_a_library_says_what_to_install(
    library: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = ("vclogic.serve.web", f"{library}.")  # whoever was here before has loaded them
    for module in [m for m in sys.modules if m.startswith(loaded)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    assert cli.run(["serve"]) == 2
    said = capsys.readouterr().err
    assert f"the page needs {library}" in said
    assert "pip install 'vclogic[serve]'" in said
