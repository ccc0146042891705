"""Games in Markdown files, and maps and saved games of TripleA."""
