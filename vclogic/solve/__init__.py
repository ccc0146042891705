"""Planning and proof methods, and the solvers that they use."""
