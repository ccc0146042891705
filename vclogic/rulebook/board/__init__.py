"""Declarations of a rulebook, before anything is judged."""
