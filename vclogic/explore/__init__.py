"""Small games looked at position by position: what can be reached, and best play; states are rows of arrays."""
