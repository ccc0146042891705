"""The command line: its commands, and what is read and written there."""
