"""How a rulebook's game is played."""
