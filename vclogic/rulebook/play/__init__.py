"""Play of a rulebook's game: turns, events, and what they change."""
