"""The Eastern Front campaign game: points, levels of victory and the front line."""
