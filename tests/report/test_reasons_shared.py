"""Explanations of what comes again by many ways: as many lines as places, not as ways."""

from __future__ import annotations

from vclogic.query.explain import ExplainedEvent
from vclogic.query.explanation import Explained
from vclogic.report import json
from vclogic.report.text.page import render
from vclogic.report.text.reasons import outcome


def ways(levels: int) -> Explained:
    """A node with two ways down from each level: 2 ** levels in all."""
    node = Explained("the end", True)
    for i in range(levels):
        node = Explained(f"level {i}", True, parts=(node, node))
    return node


def test_text_unfolds_each_place_once() -> None:
    shown = render(outcome(Explained("all", True, parts=(ways(40),)), whole=True), width=200)
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert len(lines) == 1 + 2 * 40
    assert lines.count("* yes: level 7") == 1
    assert lines.count("* yes: level 7, as above") == 1
    assert lines.count("* yes: the end") == 2  # what has no parts is no shorter that way


def test_a_document_holds_each_place_once() -> None:
    document = json.document(
        "event", ExplainedEvent(game="g/s", event="e", allowed=True, requirements=(ways(40),), assumptions=())
    )
    text = json.dumps(document)
    assert text.count('"text": "level 7"') == 2
    assert text.count('"above": true') == 39
    node = document["requirements"][0]
    assert (node["parts"][1]["parts"], node["parts"][1]["above"]) == ([], True)
    assert "above" not in node["parts"][0]
