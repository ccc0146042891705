"""Terms in the language of each engine: Python source, SMT-LIB, linear models."""
