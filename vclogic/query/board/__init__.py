"""The board: its picture, its overlays, and as a graph."""
