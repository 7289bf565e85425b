"""In: tool calls of a coding agent. Out: edits of files below one folder, or the reason why there are none."""
