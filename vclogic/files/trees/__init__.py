"""Located trees: texts of YAML and JSON as data that knows its lines."""
