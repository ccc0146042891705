"""The question for a cheapest plan."""
