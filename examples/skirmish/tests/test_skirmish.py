"""Skirmish does what every game has to do: terms, play, files, citations, coverage, rulings, plans."""

from vclogic.conformance import *  # noqa: F403

GAMES = ("skirmish",)
