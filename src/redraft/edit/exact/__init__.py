"""In: an answer in formats that say exactly what they change, and a file. Out: the new file, or why there is none."""
