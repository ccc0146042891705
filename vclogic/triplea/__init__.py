"""Maps of TripleA as rulebooks: their XML read, what bears on victory written as text, and what is wrong with it."""
