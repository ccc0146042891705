"""The army level: a planning model with the units on the board."""
