"""Plan lines of a rulebook: planning models, and turns as their steps."""
