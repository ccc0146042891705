"""JSON Schemas of the files that people write, so that editors complete and check them."""
