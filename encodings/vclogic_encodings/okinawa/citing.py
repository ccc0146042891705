"""The game's one rule text."""

from __future__ import annotations

from vclogic.model.citation import RuleText

TEXT = RuleText("Okinawa", "Victory conditions of Okinawa")
cite, encodes = TEXT.cite, TEXT.encodes
