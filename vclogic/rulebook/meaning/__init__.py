"""The meaning of a text of rules."""
