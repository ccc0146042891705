"""Solver back ends: z3 and HiGHS in processes of their own, the requests they read, and checks of their answers."""
