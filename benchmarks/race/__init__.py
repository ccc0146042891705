"""The race: the same questions to vclogic and to other solvers, each in a process of its own (`make race`)."""
