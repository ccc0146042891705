"""The question who is winning."""
