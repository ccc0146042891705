"""Proofs that a goal can never be reached, and of invariants."""
