"""The ruling on one question in one position, with its reasons: `vclogic ask`."""
