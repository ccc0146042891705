"""Studies: a game asked or played under many settings, with many players and seeds, on one machine or a cluster."""
