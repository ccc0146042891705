"""The rules of Skirmish for vclogic."""
