"""Plans against an opponent who answers: which side can force a goal within some turns."""
