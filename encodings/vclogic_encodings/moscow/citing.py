"""The game's one rule text."""

from __future__ import annotations

from vclogic.model.citation import RuleText

TEXT = RuleText("Victory Conditions", "Victory Conditions of the campaign game")
cite, encodes = TEXT.cite, TEXT.encodes
