"""Solver sessions and the search methods that use them."""
