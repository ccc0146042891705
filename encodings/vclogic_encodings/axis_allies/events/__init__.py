"""What a record may hold: purchases, attacks, captures, what is placed, the bid, the end of a turn."""
