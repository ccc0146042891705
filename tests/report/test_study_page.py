"""The report of a study: whatever things are called, it has the same elements, and nothing in it runs."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given

from tests.cli.test_players import Read
from tests.fixtures.pace import examples
from tests.report.test_sheet import ODD
from vclogic.report.study_page import write_report
from vclogic.studies.answer import StudyAnswer

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(1)"> [a](javascript:alert(1)) | *b* `c`'


def shown(text: str) -> Read:
    """The page of a study in which everything is called something."""
    answers = ({f"a{text}": f"b{text}", "c": 1},)
    names: dict[str, object] = {"study": f"s{text}.yaml", "folder": f"f{text}", "assumptions": (f"n{text}",)}
    made = {"rows": 1, "done": 1, "known": 0, "gone": 0, "keys": (), "varying": ()}
    answer = StudyAnswer(**names, **made, answers=answers, elo={f"p{text}": 1200.0})  # type: ignore[arg-type]
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        write_report(answer, str(page))
        return Read(page.read_text())


def test_what_is_hostile_is_shown_as_text() -> None:
    assert shown(HOSTILE).elements == shown("").elements
    assert "script" not in {name for name, _ in shown(HOSTILE).elements}
    assert any("default-src 'none'" in (of.get("content") or "") for _, of in shown("").named("meta"))


@examples(40)
@given(ODD)
def test_nothing_named_is_markup(text: str) -> None:
    assert shown(f"{text}x").elements == shown("").elements
