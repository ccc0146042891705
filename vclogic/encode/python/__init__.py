"""Terms as Python and NumPy code."""
