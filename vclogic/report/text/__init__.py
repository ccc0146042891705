"""Answers as text for people, on a terminal and when piped. One module per question."""
