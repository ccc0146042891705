"""The question whether a goal can be reached at all."""
