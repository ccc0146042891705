"""Planted rule defects: each encoding with one rule spoilt at a time, and what of vclogic notices."""
