"""Answers as documents: text for people, JSON for programs. Nothing here prints."""
