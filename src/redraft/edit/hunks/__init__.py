"""In: hunks that name what goes and what comes. Out: their places in a file, the new file; or hunks from two files."""
