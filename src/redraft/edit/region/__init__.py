"""In: a file and an answer. Out: the stretches of the file that the answer is about, to be written anew."""
