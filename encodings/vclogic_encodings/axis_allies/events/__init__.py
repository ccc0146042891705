"""Events of a record: purchases, attacks, captures, placements, the bid, the end of a turn."""
