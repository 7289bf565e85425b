"""In: mined edits. Out: the weights of the embedded model."""
