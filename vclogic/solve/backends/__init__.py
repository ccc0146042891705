"""Solvers as they are run: z3 and HiGHS in processes of their own, and what is asked of them there."""
