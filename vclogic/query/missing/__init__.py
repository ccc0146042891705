"""The question which changes a goal lacks."""
