"""Read and write files, with the line and column of every mistake."""
