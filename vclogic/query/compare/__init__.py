"""The question where two rule sets disagree."""
