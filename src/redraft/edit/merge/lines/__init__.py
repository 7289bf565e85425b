"""In: lines of a file, an answer and a patch. Out: what several rooms of the merge ask about them."""
