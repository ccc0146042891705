"""Answer requests of another program, one after the other: the protocol, the games that it holds, the processes."""
