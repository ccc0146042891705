"""The game's one rule text."""

from __future__ import annotations

from vclogic.model.citation import RuleText

TEXT = RuleText("Victory Banners", "Commands & Colors Napoleonics, Victory Banners and their objectives")
cite, encodes = TEXT.cite, TEXT.encodes
