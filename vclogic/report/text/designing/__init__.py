"""Text reports of the commands that designers of rules use."""
