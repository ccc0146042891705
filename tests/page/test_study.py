"""The games that the report of a study links open on the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.fixtures.web_server import serving
from tests.page.conftest import PATIENCE, profile
from tests.page.test_page import panel, see
from tests.study.test_studies import HILLS, as_rows, here
from vclogic.report.study_page import write_report
from vclogic.studies.answer import study
from vclogic.studies.playtest import events_of
from vclogic.studies.run import game_of, playtest_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_link_of_a_report_opens_the_end_of_a_game(browser: Browser, tmp_path: Path) -> None:
    """Of a rulebook with another number, which stands nowhere but beside the report."""
    rules, report = tmp_path / "rules", tmp_path / "report"
    rules.mkdir()
    report.mkdir()
    (rules / "hills.md").write_text(HILLS)
    with serving(report, patience=PATIENCE / 1000) as server:
        text = f"game: hills.md\nnumbers: {{rounds 4: 2}}\ngames: 20\npage: http://{server.host}/\n"
        (rules / "study.yaml").write_text(text)
        answer = study(str(rules / "study.yaml"), str(tmp_path / "rows"), executor=here)
        write_report(answer, str(report / "report.html"))
        longest = max(as_rows(answer), key=lambda row: row["events"])
        screen = profile(browser).new_page()
        screen.goto((report / "report.html").as_uri())
        screen.get_by_role("link", name="the longest").click()
        steps = panel(screen, "Record").get_by_role("list", name="Steps").get_by_role("listitem")
        assert answer.read is not None
        (cell,) = answer.read.cells
        events = events_of(game_of(answer.read, cell), playtest_of(answer.read, cell), longest["seed"])
        game = game_of(answer.read, cell)
        for event in events:
            game = game.apply(event.name, **dict(event.args))
        for i, text in enumerate(game.happened(), 1):
            see(steps.nth(i), text)
        assert steps.count() == len(events) + 1
        screen.context.close()
