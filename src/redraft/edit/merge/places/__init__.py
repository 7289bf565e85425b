"""In: a block, and what words say of its place. Out: the lines of the file that it belongs to."""
