"""What plan lines of a rulebook say: planning models, and turns as their steps."""
