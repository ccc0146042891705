"""Rulings about a file of rules: what they tell, and what they leave open."""
