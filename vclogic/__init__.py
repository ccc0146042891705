"""vclogic."""
