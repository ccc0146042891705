"""Searches for plans, for largest values, for minimal sets, and for single states."""
