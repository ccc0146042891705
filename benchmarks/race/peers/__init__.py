"""One module for each peer, run as a process of its own; nothing here needs vclogic."""
