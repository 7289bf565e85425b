"""In: a file before and after one block. Out: the new lines with what was only retold as the file has it."""
