"""The question for a ruling."""
