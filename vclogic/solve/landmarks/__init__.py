"""Landmark cuts: optimal plans of delete-free problems."""
