"""Axis & Allies Revised with victory cities."""
