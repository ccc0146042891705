"""The linter for rule sets: one module for each family of checks, `run` puts them together."""
