"""In: a file and the blocks of an answer. Out: the texts that the answer may mean, best first."""
