"""Maps of TripleA as rulebooks: their XML read, what bears on victory written as text, and what is wrong with it."""

MAP = ".xml"
"""What the name of a map's file ends with."""
