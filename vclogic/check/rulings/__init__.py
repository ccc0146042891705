"""What rulings tell of a file of rules, and what they leave open."""
