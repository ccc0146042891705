"""Planning: player-turns as steps."""
