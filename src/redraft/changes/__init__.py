"""In: an answer and the files that it is about. Out: what becomes of each file, written all or none."""
