"""Boards: area maps, and what can be reached on them."""
