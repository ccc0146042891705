"""The question which events are legal, and the reasons against the others."""
