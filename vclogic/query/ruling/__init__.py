"""What the rules say about one question in one position, and why: `vclogic ask`."""
