"""In: a file before and after one block. Out: the new lines with what was only paraphrased as the file has it."""
