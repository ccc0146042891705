"""The question who wins if both sides play well."""
