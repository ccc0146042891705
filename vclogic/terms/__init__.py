"""Sorts, hash-consed terms, the goal language: what a rule is written in."""
