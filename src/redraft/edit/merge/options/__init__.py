"""In: a block and a file. Out: the ways to take it, each with what speaks against it."""
