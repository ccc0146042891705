"""Landmark cuts: the cheapest plan where nothing is lost."""
