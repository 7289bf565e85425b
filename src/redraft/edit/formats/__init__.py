"""In: an answer with edits in a format that some agent has of its own. Out: it with fenced diffs instead."""
