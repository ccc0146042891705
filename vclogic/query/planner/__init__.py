"""Planners, which answer many questions about one game."""
