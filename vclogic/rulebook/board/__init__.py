"""What a rulebook declares before anything is judged."""
