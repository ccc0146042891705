"""Pictures as SVG: layout and drawing."""
