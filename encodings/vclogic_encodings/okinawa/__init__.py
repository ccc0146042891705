"""Okinawa: the victory conditions of the Islands War game, on schematic maps."""
