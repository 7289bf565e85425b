"""Next edits measured: scenarios of other projects, and steps of commits that no model has seen."""
