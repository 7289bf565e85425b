"""In: a file, an answer and what may become of the file. Out: by numbers, what a careful reader notices."""
