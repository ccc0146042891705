"""Positions, moves and facts as a game shows them to readers."""
