"""Proofs of unreachability and of invariants."""
