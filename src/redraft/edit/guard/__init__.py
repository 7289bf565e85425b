"""In: an edit's original, update and output. Out: whether it is safe to write."""
