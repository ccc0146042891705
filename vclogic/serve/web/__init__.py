"""The local server of the page: one process that checks and hands on, and processes that answer."""
