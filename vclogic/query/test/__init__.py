"""Rulings: to try them, and to write new ones."""
