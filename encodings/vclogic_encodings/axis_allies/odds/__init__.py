"""Odds of a battle: chances and expected losses, computed exactly."""
