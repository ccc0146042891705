"""The rules of the text, filed by its sections."""
