"""The goal language: from a text to a term."""
