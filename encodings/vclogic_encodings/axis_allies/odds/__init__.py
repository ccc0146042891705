"""What the dice make of a battle: chances and expected losses, computed exactly."""
