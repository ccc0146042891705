"""The game's one rule text."""

from __future__ import annotations

from vclogic.model.citation import RuleText

TEXT = RuleText("ASL 26", "Advanced Squad Leader Rulebook, section 26: Victory Conditions")
cite, encodes = TEXT.cite, TEXT.encodes
