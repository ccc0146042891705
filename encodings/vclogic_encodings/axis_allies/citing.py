"""The game's one rule text."""

from __future__ import annotations

from vclogic.model.citation import RuleText

TEXT = RuleText("Victory Cities", "Victory Cities, a variant for Axis & Allies Revised")
cite, encodes = TEXT.cite, TEXT.encodes
