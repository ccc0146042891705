"""The questions about turns against opponents who answer."""
