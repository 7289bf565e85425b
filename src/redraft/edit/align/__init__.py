"""In: a sketch's lines and a file's. Out: the cheapest path of the ones through the others, and the new file."""
