"""In: the outlines of a file and of a block. Out: the block's declarations in their places."""
