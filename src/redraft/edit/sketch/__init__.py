"""In: a file and an answer that shows parts of its new version. Out: the new file, where each change has a licence."""
