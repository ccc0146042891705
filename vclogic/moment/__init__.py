"""The parts of `Game`: a moment of a game, and what can be asked of it."""
