"""The questions: one module for each, called like its command."""
