"""In: git histories. Out: edits, and their sketches as a chat model would write them."""
