"""The rules of section 26, a module for each of its parts."""
