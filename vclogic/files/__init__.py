"""Files into checked values and back; every mistake with its line and column."""
