"""Planning assumptions beyond the rules: movement of units."""
