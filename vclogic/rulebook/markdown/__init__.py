"""The file of a rulebook: its Markdown, blocks, sentences and rulings."""
