"""The typed form of a line: named and typed once, then worked out for any members."""
