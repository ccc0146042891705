"""What planning assumes beyond the rules: how units move."""
