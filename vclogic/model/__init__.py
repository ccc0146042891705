"""What a rule set is: systems, fluents, actions, rules, outcomes, readings."""
