"""Searches for plans, maxima, minimal sets and single states."""
