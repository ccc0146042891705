"""The question for the odds of a battle."""
