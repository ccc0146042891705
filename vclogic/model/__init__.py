"""Rule sets as transition systems: fluents, actions, rules, outcomes, Readings."""
