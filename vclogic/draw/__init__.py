"""Pictures as SVG: where things stand, and how they are written."""
