"""In: the name of a coding agent. Out: its settings with redraft's tools in them, or without."""
