"""The rules of My game for vclogic."""
