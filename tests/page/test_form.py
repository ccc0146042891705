"""The form of a question on the page has the fields of that question."""

from __future__ import annotations

import json
import re
from dataclasses import fields

from tests.page.conftest import ROOT
from vclogic.serve.requests import KINDS

CONTROLS = ("side", "within", "minimize", "opponent")
"""The conditions for which the page has controls, in the order in which they stand."""
ASKED = re.compile(r'^  (\w+): \{ label: ".*", takes: (\[.*\]), goal: (\w+) \},$', re.MULTILINE)


def test_the_form_of_a_question_has_its_fields() -> None:
    text = (ROOT / "page" / "src" / "asked.mjs").read_text()
    forms = {kind: (json.loads(takes), goal == "true") for kind, takes, goal in ASKED.findall(text)}
    assert len(forms) == len(re.findall(r"^  \w+: \{ label:", text, re.MULTILINE)) > 5
    for kind, (takes, goal) in forms.items():
        keys = [key.name for key in fields(KINDS[kind].keys)]
        if "attack" in keys:  # a battle, whose side the place says
            assert (takes, goal) == (["battle"], False), kind
            continue
        assert takes == [c for c in CONTROLS if c in keys], kind
        assert goal == bool({"goal", "question", "threat"} & {*keys}), kind
