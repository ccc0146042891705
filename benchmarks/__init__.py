"""Side-by-side measurements of vclogic against other ways to do the same; no part of the test run."""
