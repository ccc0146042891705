"""Rulings as data: the files they stand in, a ruling as it is tried, and what its record expects between steps."""
